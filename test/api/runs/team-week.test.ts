import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {createTeamWeeks} from '../../../src/service/runs/team-week.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {closeRun, seedRun} from '../../support/seed-runs.js';
import {createTestContext} from '../../support/service-context.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {addPerson, type Person} from '../people.js';
import {expectProblem} from '../http/expect-problem.js';
import {make} from '../samples.js';

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let grace: Person;

/** The week of the tests; the clock shows its Wednesday. */
const monday = '2026-11-23';

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, Date.parse('2026-11-25T12:00:00Z'));
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
  await workspace.request('PATCH', '/v1/teams/platform', {
    body: {timezone: 'UTC', questions: [{key: 'mood', label: 'Mood', type: 'mood'}]},
  });
  ada = await addPerson(service, workspace, {name: 'Ada Lovelace', team: 'platform'});
  grace = await addPerson(service, workspace, {name: 'Grace Hopper', team: 'platform'});
  const closes_at = `${monday}T10:00:00.000Z`;
  const participants = [ada, grace].map(({id}) => ({member: id, timezone: null}));
  for (const [date, mood] of [
    ['2026-11-19', 2],
    [monday, 4],
  ]) {
    const body = {team: 'platform', date, update: 'Done.', answers: [{question: 'mood', value: mood}]};
    expect((await workspace.request('POST', '/v1/standups', {token: ada.token, body})).status).toBe(201);
  }
  const run = await seedRun(service, workspace, {date: monday, closes_at, participants});
  await closeRun(service, workspace, run);
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

const get = async (path: string): Promise<Json> => {
  const {status, body} = await workspace.request('GET', `/v1/teams/${path}`);
  expect(status).toBe(200);
  return body;
};

const raise = (team: string, text: string) => make(workspace, '/v1/blockers', {team, text});

const resolve = (blocker: Json) =>
  workspace.request('PATCH', `/v1/blockers/${blocker.id}`, {body: {state: 'resolved'}});

describe('the week of a team', () => {
  it('the week of a team shows its closed runs, how often each member posted, and its trends with the weeks before', async () => {
    const week = await get(`platform/weeks/${monday}`);
    expect(week).toMatchObject({monday, sunday: '2026-11-29', participation: {since: monday}});
    const {counts, by_date: dates, by_member: members} = week.participation;
    expect(counts).toMatchObject({expected: 2, posted: 1, missed: 1, participation: 0.5});
    expect(dates.map(({date}: Json) => date)).toEqual([monday]);
    expect(members.map(({member, counts: own}: Json) => [member.name, own.posted])).toEqual([
      ['Ada Lovelace', 1],
      ['Grace Hopper', 0],
    ]);
    const [mood] = week.trends.questions;
    expect(mood.periods.map(({from, mean}: Json) => [from, mean])).toEqual([
      ['2026-11-16', 2],
      [monday, 4],
    ]);
    expect(week.trends.blockers).toHaveLength(4);
  });

  it('the week of a team counts the blockers of the team alone, and lists those that are still open', async () => {
    await make(workspace, '/v1/teams', {slug: 'beside', timezone: 'UTC'});
    await make(workspace, '/v1/teams', {slug: 'blocked', timezone: 'UTC'});
    const first = await raise('blocked', 'No access.');
    await raise('blocked', 'No tests.');
    await resolve(await raise('beside', 'Not ours.'));
    await resolve(first);
    const {blockers} = await get(`blocked/weeks/${monday}`);
    expect(blockers).toMatchObject({
      raised: 2,
      resolved: 1,
      open: [{text: 'No tests.', since: '2026-11-25', days: 0}],
    });
    expect((await get('blocked/weeks/2026-11-16')).blockers).toEqual({raised: 0, resolved: 0, open: []});
  });

  it('the week of a team counts every resolved blocker, however many other teams have resolved in the same days', async () => {
    await make(workspace, '/v1/teams', {slug: 'small', timezone: 'UTC'});
    await make(workspace, '/v1/teams', {slug: 'large', timezone: 'UTC'});
    await resolve(await raise('small', 'Ours.'));
    for (const text of ['One.', 'Two.', 'Three.']) await resolve(await raise('large', text));
    const {findTeamWeek} = createTeamWeeks(createTestContext(service.core), 2);
    expect((await findTeamWeek(workspace.operator(), 'small', monday)).blockers.resolved).toBe(1);
  });

  it('the week of a team is empty but complete without a run, and has no trends if its weeks have too many standups', async () => {
    await make(workspace, '/v1/teams', {slug: 'empty', timezone: 'UTC'});
    const empty = await get('empty/weeks/2026-11-02');
    expect(empty.participation.by_date).toEqual([]);
    expect(empty.trends).toMatchObject({since: '2026-10-12', until: '2026-11-08', questions: []});
    const {findTeamWeek} = createTeamWeeks(createTestContext(service.core), 1);
    const week = await findTeamWeek(workspace.operator(), 'platform', monday);
    expect([week.trends, week.participation.counts.posted]).toEqual([null, 1]);
  });

  it('the week of a team is refused for a day that is no Monday, with the Monday of that week, and for an unknown team', async () => {
    const ask = (path: string) => workspace.request('GET', `/v1/teams/${path}`);
    const refused = await ask('platform/weeks/2026-11-25');
    expectProblem(refused, 'invalid_parameter');
    expect(refused.body.detail).toBe(
      'The date in the address must be a Monday, such as 2026-11-23; 2026-11-25 is another day.',
    );
    expectProblem(await ask('platform/weeks/2026-02-30'), 'invalid_parameter');
    expectProblem(await ask(`missing/weeks/${monday}`), 'not_found');
  });
});
