import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {suffixOf, type Id} from '../../../src/domain/core/ids.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {make} from '../samples.js';

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;

/** A Tuesday. */
const today = '2027-04-06';
const morning = Date.parse(`${today}T08:00Z`);
const workdays = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:00',
  closes: '11:00',
  starts_on: '2027-01-04',
};

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, morning);
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
});

beforeEach(async () => {
  await clock.set(morning);
  workspace = await service.addWorkspace();
  await workspace.request('PATCH', '/v1/teams/platform', {
    body: {absence_reasons: 'team', prompt_at: 'before_closing'},
  });
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

const person = (name: string, team = 'platform') => addPerson(service, workspace, {name, team});
const path = (team: string, date: string) => `/v1/teams/${team}/days/${date}`;

async function day(team = 'platform', date = today): Promise<Json> {
  const {status, body} = await workspace.request('GET', path(team, date));
  expect(status).toBe(200);
  return body;
}

const statuses = ({people}: Json) =>
  Object.fromEntries(people.map(({member, status}: Json) => [member.name, status]));

const post = async (author: {token: string}, update: string, more: Json = {}): Promise<Json> => {
  const body = {team: 'platform', update, ...more};
  const answer = await workspace.request('POST', '/v1/standups', {token: author.token, body});
  expect(answer.status).toBe(201);
  return answer.body;
};

const advance = (team: Id<'team'>) =>
  service.core.services.runs.advanceRuns(workspace.operator(), suffixOf(team));

describe('a day of a team with a run', () => {
  it("shows each member's status, reason, standups and closing time", async () => {
    const [ada, bob, cleo, dan, eve, una] = [
      await person('Ada'),
      await person('Bob'),
      await person('Cleo'),
      await person('Dan'),
      await person('Eve'),
      await person('Una'),
    ];
    const ics = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', `DTSTART;VALUE=DATE:${today.replaceAll('-', '')}`]
      .concat(['SUMMARY:Founding day', 'END:VEVENT', 'END:VCALENDAR'])
      .join('\r\n');
    const calendar = await make(workspace, '/v1/holiday-calendars', {name: 'Ours', ics});
    const own = {holidays: {calendar: calendar.id}, timezone: 'Asia/Tokyo'};
    await workspace.request('PATCH', '/v1/members/me', {token: eve.token, body: own});
    await make(workspace, '/v1/absences', {
      member: cleo.id,
      from: today,
      until: '2027-04-09',
      reason: 'Fair',
    });
    await make(workspace, '/v1/absences', {member: dan.id, kind: 'skip', from: today, until: today});
    const run = await make(workspace, '/v1/teams/platform/runs', {minutes: 60});
    await sendToRedis(service.redisUrl, [
      ['HSET', `{${workspace.id}}:z:${suffixOf(run.id)}:unreachable`, suffixOf(una.id), 'not_found'],
    ]);
    await person('Zoe');
    const standup = await post(ada, 'Shipped the importer.');

    const body = await day();
    expect(body).toMatchObject({
      object: 'team_day',
      team: 'platform',
      team_id: workspace.team,
      date: today,
      timezone: 'UTC',
      run: {id: run.id, kind: 'ad_hoc', state: 'open', opens_at: run.opens_at, closes_at: run.closes_at},
      counts: {expected: 3, posted: 1, away: 1, skipped: 1, holiday: 1, unreachable: 1, missed: 0},
      truncated: false,
    });
    expect(statuses(body)).toEqual({
      Ada: 'posted',
      Bob: 'expected',
      Cleo: 'away',
      Dan: 'skipped',
      Eve: 'holiday',
      Una: 'unreachable',
      Zoe: 'not_expected',
    });
    const {id, revision, source, late, edited, created_at, update, answers, thread} = standup;
    const base = {timezone: 'UTC', reason: null, until: null, closes_at: run.closes_at, standups: []};
    expect(body.people.slice(0, 3)).toEqual([
      {
        ...base,
        member: {type: 'member', id: ada.id, name: 'Ada'},
        status: 'posted',
        standups: [{id, revision, source, late, edited, created_at, update, answers, thread}],
      },
      {...base, member: {type: 'member', id: bob.id, name: 'Bob'}, status: 'expected'},
      {
        ...base,
        member: {type: 'member', id: cleo.id, name: 'Cleo'},
        status: 'away',
        reason: 'Fair',
        until: '2027-04-09',
      },
    ]);
    expect(body.people[4]).toMatchObject({timezone: 'Asia/Tokyo', reason: 'Founding day'});
    expect(body.people[6]).toMatchObject({member: {name: 'Zoe'}, closes_at: null});
  });

  it('shows after the closing who was late, who missed the run, and who has left the team since', async () => {
    const [ada, bob] = [await person('Ada'), await person('Bob')];
    const gone = await person('Gone');
    await make(workspace, '/v1/teams/platform/runs', {minutes: 60});
    await clock.set(morning + 2 * 3_600_000);
    await advance(workspace.team);
    await post(ada, 'Late.');
    await workspace.request('DELETE', `/v1/teams/platform/members/${gone.id}`);
    const body = await day();
    expect(body.run.state).toBe('closed');
    expect(statuses(body)).toEqual({Ada: 'late', Bob: 'missed', Gone: 'missed'});
    expect(body.people[0].standups).toMatchObject([{late: true, update: 'Late.'}]);
    expect(body.people[1].member.id).toBe(bob.id);
  });

  it('does not say that members missed a run that is excluded from participation', async () => {
    await person('Ada');
    await make(workspace, '/v1/teams/platform/runs', {minutes: 60});
    await workspace.request('PATCH', '/v1/teams/platform', {body: {paused: true}});
    const body = await day();
    expect([body.run.state, statuses(body)]).toEqual(['cancelled', {Ada: 'not_expected'}]);
    expect(body.counts).toMatchObject({expected: 0, missed: 0, participation: null});
  });
});

describe('a day of a team without a run', () => {
  beforeEach(async () => {
    await make(workspace, '/v1/teams', {slug: 'planned', schedule: {...workdays, clock: 'member'}});
  });

  it('shows for a future day who is off, and who is expected until which time in their own time zone', async () => {
    const [ada, cleo] = [await person('Ada', 'planned'), await person('Cleo', 'planned')];
    const zone = {timezone: 'America/New_York'};
    await workspace.request('PATCH', '/v1/members/me', {token: ada.token, body: zone});
    await make(workspace, '/v1/absences', {member: cleo.id, from: today, until: null});
    const body = await day('planned', '2027-04-07');
    expect([body.run, statuses(body)]).toEqual([null, {Ada: 'expected', Cleo: 'away'}]);
    expect(body.people[0].closes_at).toBe('2027-04-07T15:00:00.000Z');
    expect(body.counts).toMatchObject({expected: 1, posted: 0, away: 1, participation: 0});
  });

  it('expects no member if the schedule leaves the day out or the day is over, and shows who is away or has posted', async () => {
    const [ada, cleo] = [await person('Ada', 'planned'), await person('Cleo', 'planned')];
    await make(workspace, '/v1/absences', {member: cleo.id, from: '2027-04-03', until: '2027-04-03'});
    await post(ada, 'On a Saturday.', {team: 'planned', date: '2027-04-03'});
    const saturday = await day('planned', '2027-04-03');
    expect([saturday.run, statuses(saturday)]).toEqual([null, {Ada: 'posted', Cleo: 'away'}]);
    expect(saturday.people[1].closes_at).toBeNull();
    expect(statuses(await day('planned', '2027-04-01'))).toEqual({
      Ada: 'not_expected',
      Cleo: 'not_expected',
    });
    await workspace.request('PATCH', '/v1/teams/planned', {body: {paused: true}});
    expect(statuses(await day('planned', '2027-04-07'))).toEqual({
      Ada: 'not_expected',
      Cleo: 'not_expected',
    });
  });

  it('expects members today in a team without a schedule, and on no other day', async () => {
    const [ada] = [await person('Ada'), await person('Bob')];
    await post(ada, 'Here.');
    const body = await day();
    expect([body.run, statuses(body)]).toEqual([null, {Ada: 'posted', Bob: 'expected'}]);
    expect(body.people[1].closes_at).toBe('2027-04-07T00:00:00.000Z');
    expect(statuses(await day('platform', '2027-04-05'))).toEqual({
      Ada: 'not_expected',
      Bob: 'not_expected',
    });
  });
});

describe('the date `today`', () => {
  const dateOf = async (author: {token: string}, team = 'platform'): Promise<string> => {
    const answer = await workspace.request('GET', path(team, 'today'), {token: author.token});
    expect(answer.status).toBe(200);
    return answer.body.date;
  };

  it('is the day in the time zone of the team, and the answer contains its date', async () => {
    const ada = await person('Ada');
    await workspace.request('PATCH', '/v1/members/me', {token: ada.token, body: {timezone: 'Asia/Tokyo'}});
    await workspace.request('PATCH', '/v1/teams/platform', {body: {timezone: 'America/Los_Angeles'}});
    expect(await dateOf(ada)).toBe(today);
    await clock.set(Date.parse(`${today}T03:00Z`));
    expect(await dateOf(ada)).toBe('2027-04-05');
    const {text} = await workspace.request('GET', path('platform', 'today'), {token: ada.token});
    expect(text).toBe((await workspace.request('GET', path('platform', '2027-04-05'))).text);
  });

  it('is the day in the time zone of the member if runs follow the time zones of members, and of the team for programs', async () => {
    await make(workspace, '/v1/teams', {slug: 'planned', schedule: {...workdays, clock: 'member'}});
    const ada = await person('Ada', 'planned');
    await workspace.request('PATCH', '/v1/members/me', {token: ada.token, body: {timezone: 'Asia/Tokyo'}});
    await clock.set(Date.parse(`${today}T18:00Z`));
    expect(await dateOf(ada, 'planned')).toBe('2027-04-07');
    expect((await post(ada, 'Early.', {team: 'planned'})).date).toBe('2027-04-07');
    expect(await dateOf(workspace, 'planned')).toBe(today);
  });

  it('is the day of the open run past midnight', async () => {
    const ada = await person('Ada');
    await clock.set(Date.parse(`${today}T23:30Z`));
    await make(workspace, '/v1/teams/platform/runs', {minutes: 60});
    await clock.set(Date.parse('2027-04-07T00:10Z'));
    expect(await dateOf(ada)).toBe(today);
    expect((await post(ada, 'Late in the night.')).date).toBe(today);
  });
});

it('the entity tag of a day changes with a standup, a name, a day off and the time, and only then', async () => {
  const [ada, bob] = [await person('Ada'), await person('Bob')];
  await make(workspace, '/v1/teams/platform/runs', {minutes: 60});
  const get = (tag = '""') =>
    workspace.request('GET', path('platform', today), {headers: {'if-none-match': tag}});
  let tag = (await get()).headers.get('etag') ?? '';
  expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
  const changes: (() => Promise<unknown>)[] = [
    () => post(ada, 'Here.'),
    () => workspace.request('PATCH', `/v1/members/${bob.id}`, {body: {name: 'Robert'}}),
    () => make(workspace, '/v1/absences', {member: bob.id, from: today, until: today}),
    () => clock.set(morning + 61 * 60_000).then(() => advance(workspace.team)),
  ];
  for (const change of changes) {
    const same = await get(tag);
    expect([same.status, same.headers.get('etag'), same.text]).toEqual([304, tag, '']);
    await change();
    const {status, headers} = await get(tag);
    expect([status, headers.get('etag') === tag]).toEqual([200, false]);
    tag = headers.get('etag') ?? '';
  }
});

it('a day shows a bounded amount of text, and further standups without their text', async () => {
  const author = await person('Ada');
  const call = {...workspace.operator(), principal: {type: 'member', id: author.id, name: 'Ada'} as const};
  const update = 'x'.repeat(4_000);
  for (let made = 0; made < 260; made += 20) {
    await Promise.all(
      Array.from({length: 20}, () =>
        service.core.services.standups.postStandup(
          {...call, deadline: performance.now() + 5_000},
          {team: 'platform', update, source: 'api'},
        ),
      ),
    );
  }
  const body = await day();
  const [{standups}] = body.people;
  expect([body.truncated, standups.length]).toEqual([true, 260]);
  const withText = standups.filter((standup: Json) => standup.update !== null);
  expect(withText.length).toBeGreaterThan(240);
  expect(withText.length).toBeLessThan(250);
  expect(standups.at(-1)).toMatchObject({update: null, answers: null, late: false});
}, 30_000);

it('a day is refused for an invalid date, an unknown team, and a team of another workspace', async () => {
  const gone = await workspace.request('GET', path('platform', '2027-02-30'));
  const {detail} = expectProblem(gone, 'invalid_parameter', {parameter: 'date'});
  expect(detail).toContain('2026-11-23, or today; it is "2027-02-30"');
  expectProblem(await workspace.request('GET', path('nowhere', today)), 'not_found');
  const other = await service.addWorkspace();
  await make(workspace, '/v1/teams', {slug: 'ours'});
  expectProblem(await other.request('GET', path('ours', today)), 'not_found');
});

it('a skip on a day without a run changes no count and adds no closing', async () => {
  const ada = await person('Ada');
  await person('Bob');
  await workspace.request('PATCH', '/v1/teams/platform', {body: {timezone: 'UTC', schedule: workdays}});
  await clock.set(Date.parse(`${today}T12:00Z`));
  const before = await day();
  expect(before).toMatchObject({run: null, counts: {expected: 0}});
  await make(workspace, '/v1/absences', {kind: 'skip', member: ada.id, team: 'platform', from: today});
  const after = await day();
  expect(after.counts).toEqual(before.counts);
  expect(after.people.map(({closes_at}: Json) => closes_at)).toEqual([null, null]);
  expect(statuses(after)).toEqual({Ada: 'skipped', Bob: 'not_expected'});
});
