import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf} from '../samples.js';

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let olga: Person;

/** A Tuesday. */
const today = '2027-04-06';
const at = (time: string) => clock.set(Date.parse(`${today}T${time}Z`));
const schedule = {
  frequency: 'weekly',
  days: ['tue', 'wed'],
  opens: '09:00',
  closes: '11:00',
  reminders: [60],
};

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, Date.parse(`${today}T08:00Z`));
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
});

beforeEach(async () => {
  await at('08:00');
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform', slack_user_id: 'U0ADA'});
  olga = await addPerson(service, workspace, {name: 'Olga', team: 'platform', slack_user_id: 'U0OLGA'});
  await ask('PATCH', '', {timezone: 'Etc/UTC', prompt_at: 'before_closing', schedule});
  await advance();
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

async function ask(method: string, path: string, body?: Json, token?: string): Promise<Json> {
  const about = {...(body && {body}), ...(token !== undefined && {token})};
  const answer = await workspace.request(method, `/v1/teams/platform${path}`, about);
  expect([200, 201, 202]).toContain(answer.status);
  return answer.body;
}
const become = (role: string, person = olga) => ask('PUT', `/members/${person.id}`, {role});
const post = (person: Person, more: Json = {}) =>
  workspace.request('POST', '/v1/standups', {
    token: person.token,
    body: {team: 'platform', update: 'Words', ...more},
  });

async function advance(): Promise<void> {
  const {runs} = service.core.services;
  while (await runs.advanceRuns(workspace.operator(), suffixOf(workspace.team)));
}
async function moveTo(time: string): Promise<void> {
  await at(time);
  await advance();
}

const names = (list: Json[]) => list.map(({member, name}) => name ?? member.name);
const reminded = async () =>
  (await eventsOf(workspace))
    .filter(({type}) => type === 'run.reminded')
    .flatMap(({data}) => data.reminder.members);

describe('an observer', () => {
  it('sees what a member of the team sees, and is listed with that role', async () => {
    await become('observer');
    expect(await ask('GET', `/members/${olga.id}`)).toMatchObject({role: 'observer', revision: 2});
    expect(names((await ask('GET', '/members')).data)).toEqual(['Olga', 'Ada']);
    expect((await workspace.request('GET', '/v1/me', {token: olga.token})).body.teams).toMatchObject([
      {slug: 'platform', role: 'observer'},
    ]);
    await post(ada);
    const day = await ask('GET', `/days/${today}`, undefined, olga.token);
    expect(day.people[0].standups[0].update).toBe('Words');
  });

  it('is in no preview, board or run, and neither reminded nor counted', async () => {
    await become('observer');
    expect(names((await ask('GET', '/schedule/preview')).runs[0].members)).toEqual(['Ada']);
    await moveTo('10:00');
    expect(names((await ask('GET', `/days/${today}`)).people)).toEqual(['Ada']);
    // Only Slack reminds people, and it is not connected.
    const reason = 'slack_not_connected';
    expect((await ask('POST', '/reminders')).unreachable).toEqual([{id: ada.id, reason}]);
    await moveTo('11:00');
    const run = await ask('GET', `/runs/${today}`);
    expect(run.participants).toHaveLength(1);
    expect(run.report.counts).toMatchObject({expected: 1, missed: 1});
    expect(names((await ask('GET', '/participation')).by_member)).toEqual(['Ada']);
    expect(new Set(await reminded())).toEqual(new Set([ada.id]));
  });

  it('is in none of the numbers and lists that Slack shows', async () => {
    const {teamMembers, teamDays, findMissing, findNextReminder} = service.core.services;
    const call = workspace.operator();
    await become('observer');
    await moveTo('09:00');
    expect(await teamMembers.countExpected(call, 'platform')).toBe(1);
    expect(await teamMembers.countExpected(call, 'platform', [ada.id, olga.id])).toBe(1);
    const own = await teamDays.findPersonDay(call, olga.id, {from: 0, most: 5});
    expect(own.days).toMatchObject([{role: 'observer', size: 1, people: 0}]);
    const missing = await findMissing(call, workspace.team, undefined);
    expect({posted: missing.posted, counts: missing.counts}).toEqual({posted: 0, counts: {expected: 1}});
    expect(await findNextReminder(call, olga.id)).toBeUndefined();
    await become('member');
    expect(await teamMembers.countExpected(call, 'platform')).toBe(2);
  });

  it('cannot post or raise blockers for the team, and learns who can change that', async () => {
    await become('observer');
    const refused = await post(olga);
    expectProblem(refused, 'forbidden');
    expect(refused.body.detail).toBe(
      'You are an observer of the team "platform": you see it, and cannot post for it. Who leads it can make you a member.',
    );
    const raised = {token: olga.token, body: {team: 'platform', text: 'Stuck'}};
    expectProblem(await workspace.request('POST', '/v1/blockers', raised), 'forbidden');
    await become('lead', ada);
    expectProblem(await post(ada, {author: olga.id}), 'validation_failed', {pointer: '#/author'});
    await become('member');
    expect((await post(olga)).status).toBe(201);
  });

  it("leaves no trace in the team's numbers after leaving or erasure", async () => {
    await become('observer');
    await workspace.request('DELETE', `/v1/teams/platform/members/${olga.id}`);
    expect(await service.core.services.teamMembers.countExpected(workspace.operator(), 'platform')).toBe(1);
    expect((await become('observer')).revision).toBe(1);
    expect(await service.core.services.teamMembers.countExpected(workspace.operator(), 'platform')).toBe(1);
  });
});

describe('a member who becomes an observer during a run', () => {
  it('is no longer reminded or expected in the run, like a member who leaves', async () => {
    await moveTo('09:00');
    expect((await ask('GET', `/runs/${today}`)).report.counts.expected).toBe(2);
    await become('observer');
    expect((await ask('GET', `/runs/${today}`)).report.counts.expected).toBe(1);
    await moveTo('10:00');
    expect(await reminded()).toEqual([ada.id]);
    await moveTo('11:00');
    const {counts, lines} = (await ask('GET', `/runs/${today}`)).report;
    expect({counts, lines: names(lines)}).toMatchObject({
      counts: {expected: 1, missed: 1},
      lines: ['Ada'],
    });
  });

  it('remains in the run if they have posted', async () => {
    await moveTo('09:00');
    await post(olga);
    await become('observer');
    await moveTo('11:00');
    const {counts, lines} = (await ask('GET', `/runs/${today}`)).report;
    expect(counts).toMatchObject({expected: 2, posted: 1, missed: 1});
    expect(names(lines)).toEqual(['Ada', 'Olga']);
    const {people} = await ask('GET', `/days/${today}`);
    expect(people.map(({status}: Json) => status)).toEqual(['missed', 'posted']);
  });

  it('no longer affects when a run that follows the time zones of members opens', async () => {
    const tomorrow = '2027-04-07';
    // Before the run is due in the new observer's zone: due runs open first.
    await clock.set(Date.parse(`${tomorrow}T06:30Z`));
    const {id} = await addPerson(service, workspace, {team: 'platform', timezone: 'Europe/Berlin'});
    await ask('PATCH', '', {schedule: {...schedule, clock: 'member'}});
    const opens = async () => (await ask('GET', '/schedule/preview')).runs[0].opens_at;
    expect(await opens()).toBe('2027-04-07T07:00:00.000Z');
    await ask('PUT', `/members/${id}`, {role: 'observer'});
    expect(await opens()).toBe('2027-04-07T09:00:00.000Z');
    await clock.set(Date.parse(`${tomorrow}T09:00Z`));
    await advance();
    expect((await ask('GET', `/runs/${tomorrow}`)).state).toBe('open');
  });
});
