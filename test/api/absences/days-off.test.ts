import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {testRedisUrl} from '../../support/redis-server.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {make} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let grace: Person;
let clock: TestClock;
beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, Date.parse('2026-11-23T12:00:00Z'));
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
});
beforeEach(async () => {
  workspace = await service.addWorkspace();
  await workspace.request('PATCH', '/v1/teams/platform', {body: {absence_reasons: 'team'}});
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform', email: 'ada@example.com'});
  grace = await addPerson(service, workspace, {name: 'Grace'});
  const ics = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'DTSTART;VALUE=DATE:20261223',
    'SUMMARY:Founding day',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');
  const calendar = await make(workspace, '/v1/holiday-calendars', {name: 'Ours', ics});
  const holidays = {country: 'DE', region: 'BY', calendar: calendar.id};
  await workspace.request('PATCH', `/v1/members/${ada.id}`, {body: {holidays}});
});
afterAll(async () => {
  await service.close();
  await clock.close();
});

const list = (query: string) => workspace.request('GET', `/v1/days-off?${query}`);

describe('GET /v1/days-off', () => {
  it('shows holidays with their names and absences with their reasons; a day with both shows only the absence', async () => {
    const away = await make(workspace, '/v1/absences', {
      member: ada.id,
      from: '2026-12-24',
      until: '2026-12-25',
      reason: 'Family',
    });
    const skip = {member: ada.id, kind: 'skip', team: 'platform', from: '2026-12-28', until: '2026-12-28'};
    const skipped = await make(workspace, '/v1/absences', skip);
    const {status, body} = await list('from=2026-12-21&until=2026-12-31');
    expect(status).toBe(200);
    const days_off = [
      {status: 'holiday', from: '2026-12-23', until: '2026-12-23', reason: 'Founding day', absence: null},
      {status: 'away', from: '2026-12-24', until: '2026-12-25', reason: 'Family', absence: away.id},
      {status: 'holiday', from: '2026-12-26', until: '2026-12-26', reason: 'Boxing Day', absence: null},
    ];
    const member = {type: 'member', id: ada.id, name: 'Ada'};
    expect(body.data).toEqual([{object: 'member_days_off', member, days_off}]);
    // An absence from one team counts for that team alone.
    const there = await list('from=2026-12-28&until=2026-12-31&team=platform');
    expect(there.body.data[0].days_off).toEqual([
      {status: 'skipped', from: '2026-12-28', until: '2026-12-28', reason: null, absence: skipped.id},
    ]);
    expect((await list('from=2026-12-28&until=2026-12-31')).body.data).toEqual([]);
  });

  it('can be limited to one member, and to the members of a team', async () => {
    const span = 'from=2026-12-25&until=2026-12-26';
    const of = async (query: string) => (await list(`${span}&${query}`)).body.data.length;
    expect(await of('member=ada@example.com')).toBe(1);
    expect(await of(`member=${grace.id}`)).toBe(0);
    await make(workspace, '/v1/absences', {member: grace.id, from: '2026-12-25', until: '2026-12-25'});
    expect(await of(`member=${grace.id}`)).toBe(1);
    expect(await of(`member=${grace.id}&team=platform`)).toBe(0);
    const mine = await workspace.request('GET', `/v1/days-off?${span}&member=me`, {token: grace.token});
    expect(mine.body.data).toMatchObject([{member: {id: grace.id}, days_off: [{status: 'away'}]}]);
  });

  it('returns members in pages, each member once', async () => {
    await make(workspace, '/v1/absences', {member: grace.id, from: '2026-12-25', until: '2026-12-25'});
    const first = await list('from=2026-12-25&until=2026-12-25&limit=1');
    expect(first.body).toMatchObject({data: [{member: {name: 'Grace'}}], has_more: true});
    const next = await list(`from=2026-12-25&until=2026-12-25&limit=1&cursor=${first.body.next_cursor}`);
    expect(next.body).toMatchObject({data: [{member: {name: 'Ada'}}], has_more: false});
  });

  it('regression: refuses more than 100 days, a distant year, an unknown member and an unknown team', async () => {
    expect((await list('from=2026-01-01&until=2026-04-10')).status).toBe(200);
    expectProblem(await list('from=2026-01-01&until=2026-04-11'), 'invalid_parameter', {parameter: 'until'});
    expectProblem(await list('from=2026-02-01&until=2026-01-01'), 'invalid_parameter', {parameter: 'until'});
    expectProblem(await list('from=2199-01-01'), 'invalid_parameter', {parameter: 'from'});
    expectProblem(await list('team=nowhere'), 'team_not_found', {parameter: 'team'});
    expectProblem(await list('member=nobody@example.com'), 'invalid_parameter', {parameter: 'member'});
  });

  it('covers 30 days from today by default', async () => {
    await make(workspace, '/v1/absences', {member: grace.id, from: '2026-11-23', until: null});
    const {body} = await list(`member=${grace.id}`);
    expect(body.data[0].days_off).toMatchObject([{from: '2026-11-23', until: '2026-12-22'}]);
  });
});

describe('GET /v1/holiday-regions', () => {
  const regions = (query: string) => workspace.request('GET', `/v1/holiday-regions?${query}`);

  async function listAll(query = ''): Promise<Json[]> {
    const rows: Json[] = [];
    for (let cursor = ''; ; ) {
      const {body} = await regions(`limit=100&${query}${cursor}`);
      rows.push(...body.data);
      if (!body.has_more) return rows;
      cursor = `&cursor=${body.next_cursor}`;
    }
  }

  it('lists every country by name, and every region of a country that a member can choose', async () => {
    const countries = await listAll();
    const names = countries.map(({name}) => name);
    expect(names.length).toBeGreaterThan(150);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(names.toSorted((a: string, b: string) => a.localeCompare(b, 'en')));
    expect(countries).toContainEqual({
      object: 'holiday_region',
      country: 'DE',
      region: null,
      name: 'Germany',
    });
    const parts = await listAll('country=DE');
    for (const region of ['BY', 'BY-A']) {
      expect(parts.map((part) => part.region)).toContain(region);
      const body = {holidays: {country: 'DE', region}};
      expect((await workspace.request('PATCH', `/v1/members/${ada.id}`, {body})).status).toBe(200);
    }
  });

  it('reports a country that does not exist', async () => {
    expectProblem(await regions('country=XX'), 'invalid_parameter', {parameter: 'country'});
    expectProblem(await regions('country=germany'), 'invalid_parameter', {parameter: 'country'});
  });
});
