import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {addDays} from '../../../src/domain/core/dates.js';
import {limits} from '../../../src/domain/core/limits.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make, randomName} from '../samples.js';

let service: TestService;
let clock: TestClock;
let workspace: TestWorkspace;
let ada: Person;
let lead: Person;

/** A Sunday evening in London, Monday in Auckland. */
const today = '2026-11-22';

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, Date.parse(`${today}T20:00:00Z`));
  service = await startService({redisUrl, time: clock.time});
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  lead = await addPerson(service, workspace, {name: 'Grace', team: 'platform', as: 'lead'});
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

const enter = (body: Json, {token}: {token: string} = ada) =>
  workspace.request('POST', '/v1/absences', {body, token});
const ask = (method: string, {id}: Json, {token}: {token: string} = ada, body?: Json) =>
  workspace.request(method, `/v1/absences/${id}`, {token, ...(body !== undefined && {body})});
const newDeadline = () => performance.now() + 2_000;

/** The members who are off on a date, as runs and reports see them. */
async function daysOff(date: string, team = 'platform', people = [ada]) {
  const {services} = service.core;
  const directory = await services.teams.findDirectory({...workspace.operator(), deadline: newDeadline()});
  const members = await Promise.all(
    people.map(({id}) => services.members.findMember(workspace.operator(), id)),
  );
  const found = directory.byReference(team);
  if (found === undefined) throw new Error(`there is no team ${team}`);
  return services.daysOff.listDaysOff(workspace.operator(), members, date, found.id);
}

describe('the reason of an absence', () => {
  const said = 'migraine, seeing a neurologist';
  let hurt: Person;
  let away: Json;
  beforeAll(async () => {
    hurt = await addPerson(service, workspace, {name: 'Hurt', team: 'platform'});
    away = (await enter({from: '2026-12-20', reason: said}, hurt)).body;
  });

  it('the reason of an absence is shown to its author, to leads of their teams, owners and admins only', async () => {
    expect(away).toMatchObject({reason: said, reason_for: 'leads'});
    const slug = randomName();
    await make(workspace, '/v1/teams', {slug});
    const elsewhere = await addPerson(service, workspace, {name: 'Other', team: slug, as: 'lead'});
    const admin = await addPerson(service, workspace, {name: 'Root', role: 'admin'});
    for (const {token} of [hurt, lead, admin]) {
      expect((await ask('GET', away, {token})).body.reason).toBe(said);
      const list = await workspace.request('GET', `/v1/absences?member=${hurt.id}`, {token});
      expect(list.body.data[0].reason).toBe(said);
    }
    for (const {token} of [ada, elsewhere]) {
      const {body, headers} = await ask('GET', away, {token});
      expect(body).toEqual({...away, reason: null});
      // This answer shows less than the author's, so it has a different strong ETag.
      expect(headers.get('etag')).toMatch(/^"1\.[\da-f]+"$/);
      const list = await workspace.request('GET', `/v1/absences?member=${hurt.id}`, {token});
      expect(list.body.data[0]).toEqual({...away, reason: null});
      for (const format of ['csv', 'ndjson']) {
        const path = `/v1/exports/absences?format=${format}`;
        expect((await workspace.request('GET', path, {token})).text).not.toContain('neurologist');
      }
    }
  });

  it('the reason of an absence is hidden from a lead who added its author to a team, until the author is active in that team', async () => {
    const slug = randomName();
    const taker = await addPerson(service, workspace, {name: 'Taker'});
    const by = {token: taker.token};
    await workspace.request('POST', '/v1/teams', {...by, body: {slug, name: slug}});
    const membership = await workspace.request('PUT', `/v1/teams/${slug}/members/${hurt.id}`, by);
    expect(membership.body).toMatchObject({accepted: false});
    expect((await ask('GET', away, taker)).body.reason).toBeNull();
  });

  it('no event contains the reason of an absence, even if a change replaces it', async () => {
    await ask('PATCH', away, hurt, {reason: 'a neurologist again'});
    const events = await eventsOf(workspace);
    expect(JSON.stringify(events)).not.toContain('neurologist');
    expect(events.at(-1)).toMatchObject({type: 'absence.updated', data: {id: away.id, reason: null}});
  });

  it('a report contains the reason of an absence only if each of its teams allowed that when the reason was written', async () => {
    const body = {from: '2026-12-21', reason: 'Sea'};
    const before = (await enter(body, hurt)).body;
    const change = (to: string) =>
      workspace.request('PATCH', '/v1/teams/platform', {body: {absence_reasons: to}});
    await change('team');
    const after = (await enter({...body, from: '2026-12-22'}, hurt)).body;
    expect([before.reason_for, after.reason_for]).toEqual(['leads', 'team']);
    const on = async (date: string) => [...(await daysOff(date, 'platform', [hurt]))][0]?.[1].reason;
    expect([await on('2026-12-21'), await on('2026-12-22')]).toEqual([null, 'Sea']);
    expect((await ask('GET', after, ada)).body).toEqual(after);
    await change('leads');
    expect(await on('2026-12-22')).toBe('Sea');
    expect((await ask('PATCH', after, hurt, {reason: 'Lake'})).body.reason_for).toBe('leads');
    expect(await on('2026-12-22')).toBeNull();
  });
});

describe('POST /v1/absences', () => {
  it('creates from an empty body an absence of today in the time zone of the member, and its event', async () => {
    const {status, body, headers} = await enter({});
    expect(status).toBe(201);
    const own = {type: 'member', id: ada.id, name: 'Ada'};
    expect(body).toEqual({
      id: expect.stringMatching(/^abs_/),
      object: 'absence',
      member: own,
      kind: 'away',
      from: today,
      until: today,
      reason: null,
      reason_for: 'leads',
      team: null,
      team_id: null,
      created_by: own,
      source: null,
      revision: 1,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    expect(headers.get('location')).toBe(`/v1/absences/${body.id}`);
    expect((await eventsOf(workspace)).at(-1)).toMatchObject({type: 'absence.created', data: body});
    expect((await ask('GET', body)).body).toEqual(body);
    await ask('DELETE', body);

    const far = await addPerson(service, workspace, {name: 'Far'});
    await workspace.request('PATCH', `/v1/members/${far.id}`, {body: {timezone: 'Pacific/Auckland'}});
    expect((await enter({}, far)).body.from).toBe('2026-11-23');
  });

  it('creates an absence from every team or from one team, from its first to its last day', async () => {
    const slug = randomName();
    await make(workspace, '/v1/teams', {slug});
    await workspace.request('PUT', `/v1/teams/${slug}/members/${ada.id}`);
    for (const team of [slug, 'platform'])
      await workspace.request('PATCH', `/v1/teams/${team}`, {body: {absence_reasons: 'team'}});
    const long = await enter({from: '2026-11-30', until: '2026-12-04', reason: 'Sea'});
    const skip = await enter({kind: 'skip', from: '2026-12-07', team: slug});
    expect(skip.body).toMatchObject({kind: 'skip', until: '2026-12-07', team: slug});
    const away = {status: 'away', reason: 'Sea', until: '2026-12-04'};
    expect([...(await daysOff('2026-12-04'))]).toMatchObject([[ada.id, away]]);
    expect((await daysOff('2026-12-05')).size).toBe(0);
    expect((await daysOff('2026-12-07')).size).toBe(0);
    expect((await daysOff('2026-12-07', slug)).get(ada.id)).toMatchObject({status: 'skipped'});
    // A changed or removed end takes effect at once.
    await ask('PATCH', long.body, ada, {until: null});
    expect((await daysOff('2027-12-24')).get(ada.id)).toMatchObject({...away, until: null});
    await ask('PATCH', long.body, ada, {until: '2026-11-30'});
    expect((await daysOff('2026-12-01')).size).toBe(0);
    expect((await daysOff('2026-11-30')).get(ada.id)).toMatchObject({...away, until: '2026-11-30'});
  });

  it('a member enters their own absences; only leads of the team and managers of the workspace enter those of others', async () => {
    const stranger = await addPerson(service, workspace, {name: 'Stranger'});
    const other = randomName();
    await make(workspace, '/v1/teams', {slug: other});
    const elsewhere = await addPerson(service, workspace, {team: other, as: 'lead'});
    for (const one of [stranger, elsewhere]) {
      expectProblem(await enter({member: ada.id}, one), 'forbidden');
      // The answer does not reveal whether a member exists.
      expectProblem(await enter({member: 'nobody@example.com'}, one), 'forbidden');
    }
    const {body} = await enter({member: ada.id, team: 'platform', from: '2026-12-10', reason: 'Ill'}, lead);
    expect(body).toMatchObject({member: {name: 'Ada'}, created_by: {name: 'Grace'}});
    expectProblem(await ask('PATCH', body, stranger, {reason: null}), 'forbidden');
    expectProblem(await ask('DELETE', body, elsewhere), 'forbidden');
    expect((await ask('PATCH', body, lead, {reason: null})).body).toMatchObject({reason: null, revision: 2});
    expect((await ask('DELETE', body, ada)).status).toBe(204);
    expectProblem(await ask('GET', body), 'not_found');
    expect((await workspace.request('POST', '/v1/absences', {body: {member: ada.id}})).status).toBe(201);
    expectProblem(await workspace.request('POST', '/v1/absences', {body: {}}), 'validation_failed', {
      pointer: '#/member',
    });
    expectProblem(await enter({member: 'nobody@example.com'}, lead), 'forbidden');
  });

  it.each([
    ['#/until', {from: '2026-11-23', until: '2026-11-22'}, 'validation_failed'],
    ['#/until', {from: '2026-11-23', until: '2027-11-24'}, 'validation_failed'],
    ['#/until', {kind: 'skip', until: null}, 'validation_failed'],
    ['#/until', {kind: 'skip', from: '2026-11-23', until: '2026-11-24'}, 'validation_failed'],
    ['#/from', {from: addDays(today, -limits.daysBack - 1)}, 'date_not_allowed'],
    ['#/from', {from: addDays(today, limits.absenceDaysAhead + 1)}, 'date_not_allowed'],
    ['#/from', {from: '2026-02-30'}, 'validation_failed'],
    ['#/kind', {kind: 'holiday'}, 'validation_failed'],
    ['#/reason', {reason: 'x'.repeat(201)}, 'validation_failed'],
    ['#/team', {team: 'nothing-of-that-name'}, 'team_not_found'],
  ] as const)('refuses %s of %j', async (pointer, body, code) => {
    expectProblem(await enter(body), code, {pointer});
  });

  it('refuses a team that the member is not in, and accepts an absence of the longest allowed time', async () => {
    const slug = randomName();
    await make(workspace, '/v1/teams', {slug});
    expectProblem(await enter({team: slug}), 'validation_failed', {pointer: '#/team'});
    const year = {from: today, until: addDays(today, limits.absenceDays - 1)};
    const {status, body} = await enter(year);
    expect(status).toBe(201);
    await ask('DELETE', body);
  });
});

it('absences of a member may overlap, and a change without effect makes no revision', async () => {
  const person = await addPerson(service, workspace, {name: 'Twice'});
  const [a, b] = [await enter({until: null}, person), await enter({until: null}, person)];
  expect([a.status, b.status]).toEqual([201, 201]);
  expect((await ask('PATCH', a.body, person, {until: null, kind: 'away'})).body.revision).toBe(1);
  const ended = await ask('PATCH', a.body, person, {until: today});
  expect((await eventsOf(workspace)).at(-1)).toMatchObject({
    type: 'absence.updated',
    data: ended.body,
    previous_attributes: {until: null},
  });
});

it('a list contains the absences of the requested member, team, kind and days, page by page', async () => {
  const listed = await service.addWorkspace();
  const [one, two] = [
    await addPerson(service, listed, {name: 'One', team: 'platform'}),
    await addPerson(service, listed, {name: 'Two'}),
  ];
  const put = (person: Person, body: Json) =>
    make(listed, '/v1/absences', {member: person.id, reason: body.until ?? 'open', ...body});
  await put(one, {from: '2026-11-23', until: '2026-11-27'});
  await put(two, {from: '2026-11-26', until: '2026-12-02'});
  await put(one, {from: '2026-11-01', until: null});
  await put(one, {kind: 'skip', from: '2026-12-01', until: '2026-12-01', team: 'platform'});
  const get = async (query: string) => (await listed.request('GET', `/v1/absences?${query}`)).body;
  const reasons = async (query: string) => (await get(query)).data.map(({reason}: Json) => reason);
  expect(await reasons('')).toEqual(['open', '2026-12-02', '2026-12-01', '2026-11-27']);
  expect(await reasons(`member=${one.id}`)).toEqual(['open', '2026-12-01', '2026-11-27']);
  expect(await reasons('team=PLATFORM')).toEqual(['open', '2026-12-01', '2026-11-27']);
  expect(await reasons('kind=skip')).toEqual(['2026-12-01']);
  expect(await reasons('from=2026-11-27&until=2026-11-30')).toEqual(['open', '2026-12-02', '2026-11-27']);
  expect(await reasons('until=2026-11-22')).toEqual(['open']);
  expect(await reasons('from=2026-12-02')).toEqual(['open', '2026-12-02']);
  const first = await get('limit=3');
  expect(first).toMatchObject({has_more: true});
  expect(await reasons(`limit=3&cursor=${first.next_cursor}`)).toEqual(['2026-11-27']);
  expectProblem(await listed.request('GET', '/v1/absences?team=nobody'), 'team_not_found', {
    parameter: 'team',
  });
  const wrong = await listed.request('GET', '/v1/absences?from=2026-11-23&until=2026-11-22');
  expectProblem(wrong, 'invalid_parameter', {parameter: 'until'});
});

it('a second skip of a day returns the existing absence, with the new reason if one is given', async () => {
  const {absences} = service.core.services;
  const person = await addPerson(service, workspace, {name: 'Skipper', team: 'platform'});
  const call = () => ({
    ...workspace.operator(),
    principal: {type: 'member', id: person.id, name: person.name} as const,
  });
  const first = await absences.skip(call(), {date: today});
  const again = await absences.skip(call(), {date: today});
  expect(again).toMatchObject({id: first.id, revision: 1});
  expect(await absences.skip(call(), {date: today, reason: 'Dentist'})).toMatchObject({revision: 2});
  expect((await absences.skip(call(), {date: today, team: 'platform'})).id).not.toBe(first.id);
  expect((await daysOff(today, 'platform', [person])).get(person.id)?.status).toBe('skipped');
});

it('a member has a bounded number of absences, even if many are entered at once', async () => {
  const person = await addPerson(service, workspace, {name: 'Many'});
  const {absences} = service.core.services;
  const call = () => ({
    ...workspace.operator(),
    principal: {type: 'member', id: person.id, name: person.name} as const,
  });
  const most = limits.absencesPerMember;
  for (let i = 0; i < most - 5; i += 99) {
    const few = Array.from({length: Math.min(99, most - 5 - i)}, () => absences.enterAbsence(call(), {}));
    await Promise.all(few);
  }
  const last = await Promise.all(Array.from({length: 10}, () => enter({}, person)));
  expect(last.filter(({status}) => status === 201)).toHaveLength(5);
  for (const answer of last.filter(({status}) => status !== 201)) expectProblem(answer, 'limit_reached');
});

it('regression: an absence that has lasted longer than allowed may be given an end', async () => {
  const person = await addPerson(service, workspace, {name: 'Long', team: 'platform'});
  const {body: open} = await enter({from: addDays(today, -365), until: null}, person);
  const ended = await ask('PATCH', open, person, {until: addDays(today, 5)});
  expect(ended).toMatchObject({status: 200, body: {until: addDays(today, 5)}});
  expectProblem(await ask('PATCH', open, person, {until: addDays(today, 6)}), 'validation_failed', {
    pointer: '#/until',
  });
});

describe('holidays', () => {
  const choose = (person: Person, holidays: Json) =>
    workspace.request('PATCH', `/v1/members/${person.id}`, {body: {holidays}, token: person.token});

  it('public holidays of the chosen country and region are days off, except on days when the member is away', async () => {
    const person = await addPerson(service, workspace, {name: 'Bavarian', team: 'platform'});
    expect((await choose(person, {country: 'DE', region: 'BY'})).status).toBe(200);
    const off = async (date: string) => (await daysOff(date, 'platform', [person])).get(person.id);
    expect(await off('2027-01-06')).toEqual({status: 'holiday', reason: 'Epiphany', until: '2027-01-06'});
    expect(await off('2027-01-07')).toBeUndefined();
    await enter({from: '2027-01-06', until: '2027-01-07'}, person);
    expect(await off('2027-01-06')).toMatchObject({status: 'away'});
    await choose(person, {country: null, region: null});
    expect(await off('2026-12-25')).toBeUndefined();
  });

  it.each([
    [{country: 'UK'}, 'country'],
    [{country: 'DE', region: 'BYY'}, 'region'],
    [{region: 'BY'}, 'region'],
    [{calendar: 'cal_01jd0000007000000000000000'}, 'calendar'],
  ])('are refused for the choice %j', async (holidays, member) => {
    const person = await addPerson(service, workspace, {name: 'Chooser'});
    expectProblem(await choose(person, holidays), 'validation_failed', {pointer: `#/holidays/${member}`});
  });

  it('can come from a holiday calendar of the workspace, as long as that calendar exists', async () => {
    const ics = [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'DTSTART;VALUE=DATE:20200901',
      'SUMMARY:Founding day',
      'RRULE:FREQ=YEARLY',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\n');
    const calendar = await make(workspace, '/v1/holiday-calendars', {name: 'Ours', ics});
    expect(calendar).toMatchObject({from: '2025-01-01', until: '2031-12-31'});
    expect(calendar.days).toHaveLength(7);
    expect((await eventsOf(workspace)).at(-1)).toMatchObject({
      type: 'holiday_calendar.created',
      data: calendar,
    });
    expect((await choose(ada, {calendar: calendar.id})).status).toBe(200);
    const founding = {status: 'holiday', reason: 'Founding day', until: '2027-09-01'};
    expect((await daysOff('2027-09-01')).get(ada.id)).toEqual(founding);
    const path = `/v1/holiday-calendars/${calendar.id}`;
    expectProblem(await workspace.request('DELETE', path, {token: ada.token}), 'forbidden');
    expect((await workspace.request('DELETE', path)).status).toBe(204);
    expect((await daysOff('2027-09-01')).size).toBe(0);
    // Other choices of the member still work.
    expect((await choose(ada, {country: 'DE'})).status).toBe(200);
    expect((await choose(ada, {country: null, calendar: null})).status).toBe(200);
  });

  it('a calendar file that cannot be read is refused, and the error names the line', async () => {
    const ics = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:No day\nEND:VEVENT\nEND:VCALENDAR\n';
    const answer = await workspace.request('POST', '/v1/holiday-calendars', {body: {name: 'Bad', ics}});
    const {detail} = expectProblem(answer, 'validation_failed', {pointer: '#/ics'});
    expect(detail).toContain('line 2');
  });
});
