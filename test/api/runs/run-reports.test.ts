import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {createTestContext} from '../../support/service-context.js';
import {addDays} from '../../../src/domain/core/dates.js';
import {limits} from '../../../src/domain/core/limits.js';
import {createParticipation} from '../../../src/service/runs/participation.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {closeRun, seedRun} from '../../support/seed-runs.js';
import {seedStandups} from '../../support/seed-standups.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {make} from '../samples.js';

// No background work: the test opens and closes runs, on a clock that it moves.
let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let bob: Person;

const today = '2026-11-25';
const [monday, tuesday] = ['2026-11-23', '2026-11-24'];

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, Date.parse(`${today}T12:00:00Z`));
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
  await workspace.request('PATCH', '/v1/teams/platform', {body: {absence_reasons: 'team'}});
  await workspace.request('PATCH', '/v1/teams/platform', {body: {timezone: 'UTC'}});
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  bob = await addPerson(service, workspace, {name: 'Bob', team: 'platform'});
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

/** Makes a closed or open run with Ada and Bob. The people in `posted` post before it closes. */
async function run(date: string, posted: readonly Person[], {open = false} = {}): Promise<void> {
  const closes_at = `${date}T${open ? '23' : '10'}:00:00.000Z`;
  const participants = [ada, bob].map(({id}) => ({member: id, timezone: null}));
  // A post before the opening is never late.
  for (const by of posted) await post(by, date);
  const made = await seedRun(service, workspace, {date, closes_at, participants});
  if (!open) await closeRun(service, workspace, made);
}

async function post(by: Person, date: string): Promise<void> {
  const body = {team: 'platform', update: `Words of ${by.name}.`, date};
  await workspace.request('POST', '/v1/standups', {token: by.token, body});
}

const get = async (path: string): Promise<Json> =>
  (await workspace.request('GET', `/v1/teams/platform/${path}`)).body;

const statuses = async (date: string): Promise<Json> => {
  const {report} = await get(`runs/${date}`);
  return Object.fromEntries(report.lines.map(({member, status}: Json) => [member.name, status]));
};

/** The expected number and the rate of each member's participation. */
const rates = async (query = ''): Promise<Json> => {
  const {by_member} = await get(`participation${query}`);
  return Object.fromEntries(
    by_member.map(({member, counts}: Json) => [member.name, [counts.expected, counts.participation]]),
  );
};

describe('GET /v1/teams/{team}/runs', () => {
  it('lists runs, latest or earliest first, with counts by status, and filters them by dates, state and cursor', async () => {
    await run(monday, [ada]);
    await run(tuesday, [ada, bob]);
    await run(today, [], {open: true});
    const page = await get('runs?limit=2');
    expect(page.data).toMatchObject([
      {date: today, state: 'open', counts: {expected: 2, posted: 0, missed: 0, participation: 0}},
      {date: tuesday, state: 'closed', counts: {expected: 2, posted: 2, participation: 1}},
    ]);
    expect(page.data[0]).not.toHaveProperty('report');
    const next = await get(`runs?limit=2&cursor=${page.next_cursor}`);
    expect(next).toMatchObject({data: [{date: monday, counts: {missed: 1}}], has_more: false});
    expect((await get(`runs?since=${tuesday}&until=${tuesday}`)).data).toMatchObject([{date: tuesday}]);
    expect((await get('runs?state=open')).data).toMatchObject([{date: today}]);
    const upward = await get('runs?order=asc&limit=2');
    expect(upward).toMatchObject({data: [{date: monday}, {date: tuesday}], has_more: true});
    expect((await get(`runs?order=asc&limit=2&cursor=${upward.next_cursor}`)).data).toMatchObject([
      {date: today},
    ]);
    const refused = await workspace.request('GET', `/v1/teams/platform/runs?since=${today}&until=${monday}`);
    expectProblem(refused, 'invalid_parameter', {parameter: 'until'});
  });
});

describe('GET /v1/teams/{team}/runs/{date}', () => {
  it("shows each member's status in an open run, and their standups", async () => {
    await run(today, [ada], {open: true});
    await make(workspace, '/v1/absences', {member: bob.id, from: today, until: today, reason: 'Dentist'});
    expect((await get(`runs/${today}`)).report).toMatchObject({
      counts: {expected: 1, posted: 1, away: 1, participation: 1},
      lines: [
        {member: {name: 'Ada'}, status: 'posted', standups: [{late: false, update: 'Words of Ada.'}]},
        {member: {name: 'Bob'}, status: 'away', reason: 'Dentist', until: today},
      ],
      truncated: false,
    });
  });

  it('regression: refuses an invalid date as invalid, with an example of a valid one', async () => {
    const answer = await workspace.request('GET', '/v1/teams/platform/runs/today');
    expect(expectProblem(answer, 'invalid_parameter', {parameter: 'date'}).detail).toContain('2026-11-23');
  });

  it('regression: shows the present names of members, like participation', async () => {
    await make(workspace, '/v1/blockers', {team: 'platform', author: ada.id, text: 'CI is red'});
    await run(monday, [ada]);
    await workspace.request('PATCH', `/v1/members/${ada.id}`, {body: {name: 'Augusta'}});
    expect(await statuses(monday)).toEqual({Augusta: 'posted', Bob: 'missed'});
    expect((await get(`runs/${monday}`)).report.blockers).toMatchObject([{author: {name: 'Augusta'}}]);
    expect(Object.keys(await rates())).toEqual(['Augusta', 'Bob']);
  });

  it('is 404 for a day without a run and for another workspace, and explains the form of a date', async () => {
    await run(today, [], {open: true});
    const other = await service.addWorkspace();
    for (const [by, date] of [
      [workspace, monday],
      [other, today],
    ] as const) {
      expectProblem(await by.request('GET', `/v1/teams/platform/runs/${date}`), 'not_found');
    }
  });
});

describe('participation', () => {
  it('is counted by date and by member over the runs that have closed', async () => {
    await run(monday, [ada]);
    await run(tuesday, [ada, bob]);
    await run(today, [ada], {open: true});
    const found = await get('participation');
    expect(found).toMatchObject({
      object: 'participation',
      since: '2026-10-27',
      until: today,
      counts: {expected: 4, posted: 3, missed: 1, participation: 0.75},
      by_date: [
        {date: monday, counts: {expected: 2, posted: 1, missed: 1, participation: 0.5}},
        {date: tuesday, counts: {expected: 2, posted: 2, participation: 1}},
      ],
      by_member: [
        {member: {id: ada.id, name: 'Ada'}, counts: {expected: 2, participation: 1}},
        {member: {id: bob.id, name: 'Bob'}, counts: {expected: 2, missed: 1, participation: 0.5}},
      ],
    });
    expect(await rates(`?since=${tuesday}&until=${tuesday}`)).toEqual({Ada: [1, 1], Bob: [1, 1]});
  });

  it('agrees with the run after a late post', async () => {
    await run(monday, [ada]);
    await workspace.request('PATCH', '/v1/teams/platform', {body: {late_policy: {accept: 'always'}}});
    await post(bob, monday);
    expect(await statuses(monday)).toEqual({Ada: 'posted', Bob: 'late'});
    expect(await rates()).toEqual({Ada: [1, 1], Bob: [1, 1]});
  });

  it('agrees with the run after an absence is entered or withdrawn later', async () => {
    await run(monday, [ada]);
    const absence = await make(workspace, '/v1/absences', {member: bob.id, from: monday, until: monday});
    expect(await statuses(monday)).toEqual({Ada: 'posted', Bob: 'away'});
    expect(await rates()).toEqual({Ada: [1, 1], Bob: [0, null]});
    expect((await get('runs')).data).toMatchObject([{counts: {expected: 1, away: 1, participation: 1}}]);
    await workspace.request('DELETE', `/v1/absences/${absence.id}`);
    expect(await statuses(monday)).toEqual({Ada: 'posted', Bob: 'missed'});
    expect(await rates()).toEqual({Ada: [1, 1], Bob: [1, 0]});
  });

  it('does not change when a member leaves or joins afterwards, and leaves out former members', async () => {
    await run(monday, [ada]);
    await workspace.request('DELETE', `/v1/teams/platform/members/${bob.id}`);
    await addPerson(service, workspace, {name: 'Cleo', team: 'platform'});
    expect(await statuses(monday)).toEqual({Ada: 'posted', Bob: 'missed'});
    expect(await rates()).toEqual({Ada: [1, 1], Bob: [1, 0]});
    await run(tuesday, [ada]);
    expect(await statuses(tuesday)).toEqual({Ada: 'posted'});
    expect(await rates()).toEqual({Ada: [2, 1], Bob: [1, 0]});
  });

  it('names former members as reports do, and no erased member', async () => {
    const cleo = await addPerson(service, workspace, {name: 'Cleo', team: 'platform'});
    await run(monday, [ada, cleo]);
    await workspace.request('DELETE', `/v1/members/${bob.id}`);
    await workspace.request('DELETE', `/v1/members/${cleo.id}?erase=true`);
    expect(await statuses(monday)).toEqual({Ada: 'posted', Bob: 'missed', null: 'posted'});
    expect(await rates()).toEqual({Ada: [1, 1], Bob: [1, 0], null: [1, 1]});
  });

  it('is refused for more than 366 days, and for more members and runs than one answer counts', async () => {
    const asked = (since: string) =>
      workspace.request('GET', `/v1/teams/platform/participation?since=${since}&until=${today}`);
    expect((await asked(addDays(today, -365))).status).toBe(200);
    expectProblem(await asked(addDays(today, -366)), 'invalid_parameter', {parameter: 'since'});

    await run(monday, [ada]);
    await run(tuesday, [ada]);
    const {findParticipation: find} = createParticipation(createTestContext(service.core), 15);
    const call = workspace.operator();
    await expect(find(call, 'platform', {})).rejects.toMatchObject({
      code: 'invalid_parameter',
      message: expect.stringContaining(`to ${monday}`),
    });
    expect((await find(call, 'platform', {since: tuesday})).counts.expected).toBe(2);
  });
});

it('regression: a run of 300 large standups is shown to eight concurrent callers', async () => {
  const opened = await workspace.request('POST', '/v1/teams/platform/runs', {body: {}});
  expect(opened.body).toMatchObject({state: 'open'});
  const {date} = opened.body;
  const author = {type: 'member', id: ada.id, name: 'Ada'} as const;
  const large = {count: 300, update: () => '𝄞'.repeat(limits.update), days: 1, from: date};
  await seedStandups(service.redisUrl, {...workspace, principal: author}, large);
  const path = `/v1/teams/platform/runs/${date}`;
  const one = await workspace.request('GET', path);
  const answers = await Promise.all(Array.from({length: 8}, () => workspace.request('GET', path)));
  expect(answers.map(({status}) => status)).toEqual(Array(8).fill(200));
  expect(answers[0]?.body).toEqual(one.body);
  const [line] = one.body.report.lines.filter(({member}: Json) => member.id === ada.id);
  expect(line.standups).toHaveLength(300);
});
