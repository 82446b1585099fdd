import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {make} from '../samples.js';
import {asId} from '../../support/ids.js';

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;

const start = Date.parse('2026-11-23T09:00:00Z');
const minute = 60_000;

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, start);
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
});

beforeEach(async () => {
  await clock.set(start);
  workspace = await service.addWorkspace();
  await workspace.request('PATCH', '/v1/teams/platform', {body: {prompt_at: 'before_closing'}});
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

const open = (body?: object, key?: string): Promise<TestResponse> =>
  workspace.request('POST', '/v1/teams/platform/runs', {
    ...(body && {body}),
    ...(key !== undefined && {headers: {'idempotency-key': key}}),
  });
const remind = (key?: string): Promise<TestResponse> =>
  workspace.request('POST', '/v1/teams/platform/reminders', {
    ...(key !== undefined && {headers: {'idempotency-key': key}}),
  });

async function join(member: object = {}): Promise<string> {
  const {id} = await make(workspace, '/v1/members', {name: 'Somebody', ...member});
  await workspace.request('PUT', `/v1/teams/platform/members/${id}`);
  return id;
}

async function work(): Promise<void> {
  const {advanceRuns} = service.core.services.runs;
  while (await advanceRuns(workspace.operator(), suffixOf(workspace.team)));
}

/** The events of runs, oldest first. */
async function listRunEvents(): Promise<{type: string; data: {reminder?: object}}[]> {
  const {body} = await workspace.request('GET', '/v1/events?limit=100');
  return body.data.filter(({type}: {type: string}) => type.startsWith('run.'));
}

it('a lead opens a run of today for an hour without a schedule, and it closes by itself', async () => {
  const ada = await join();
  const answer = await open();
  expect(answer.status).toBe(201);
  expect(answer.headers.get('location')).toBe('/v1/teams/platform/runs/2026-11-23');
  expect(answer.body).toMatchObject({
    date: '2026-11-23',
    kind: 'ad_hoc',
    state: 'open',
    opens_at: '2026-11-23T09:00:00.000Z',
    closes_at: '2026-11-23T10:00:00.000Z',
    schedule: null,
    participants: [{member: ada, timezone: null}],
  });
  await work();
  await clock.set(start + 60 * minute);
  await work();
  expect((await listRunEvents()).map(({type}) => type)).toEqual(['run.opened', 'run.closed']);
});

it('a run opened by hand takes a number of minutes, or an end within 24 hours, and not both', async () => {
  for (const body of [
    {minutes: 0},
    {minutes: 1_441},
    {minutes: 1.5},
    {minutes: 5, closes_at: '2026-11-23T10:00:00Z'},
  ]) {
    expectProblem(await open(body), 'validation_failed');
  }
  for (const closes of ['2026-11-23T09:00:00Z', '2026-11-24T09:00:01Z']) {
    const refused = await open({closes_at: closes});
    expectProblem(refused, 'validation_failed');
    expect(refused.body.errors).toMatchObject([{pointer: '#/closes_at'}]);
  }
  const answer = await open({closes_at: '2026-11-23T12:30:00+01:00'});
  expect(answer.body.closes_at).toBe('2026-11-23T11:30:00.000Z');
});

it('a day has one run: a second one is refused, the schedule skips that day, and the next day is free', async () => {
  const schedule = {frequency: 'weekly', days: ['mon', 'tue'], opens: '10:30', closes: '13:00'};
  await workspace.request('PATCH', '/v1/teams/platform', {body: {schedule}});
  expect((await open({minutes: 5}, 'one')).status).toBe(201);
  const again = await open({minutes: 5}, 'one');
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  const refused = await open();
  expectProblem(refused, 'run_exists');
  expect(refused.body.detail).toBe(
    'On 2026-11-23 the team "platform" has a run that a caller opened already, which is open. The next one can be opened tomorrow.',
  );
  await clock.set(Date.parse('2026-11-23T10:30:00Z'));
  await work();
  expect((await listRunEvents()).map(({type}) => type)).toEqual(['run.opened', 'run.closed']);
  await clock.set(Date.parse('2026-11-24T08:00:00Z'));
  expect((await open()).body).toMatchObject({date: '2026-11-24', kind: 'ad_hoc'});
});

it('a request for a reminder names who is reminded, works once in five minutes, and returns the same answer for the same key', async () => {
  const [ada, bob] = [await join(), await join()];
  const quiet = await join({reminders: {enabled: false}});
  expectProblem(await remind(), 'no_open_run');
  const {body: run} = await open();
  await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Done.', author: bob}});
  const answer = await remind('one');
  expect(answer.status).toBe(202);
  expect(answer.body).toEqual({
    object: 'reminder',
    run: run.id,
    team: 'platform',
    team_id: workspace.team,
    date: '2026-11-23',
    members: [],
    unreachable: [{id: ada, reason: 'slack_not_connected'}],
    not_reminded: [{member: quiet, reason: 'reminders_off'}],
  });
  expect((await remind('one')).body).toEqual(answer.body);
  await work();
  await clock.advance(5 * minute - 1_500);
  const refused = await remind();
  expectProblem(refused, 'rate_limited');
  expect(refused.headers.get('retry-after')).toBe('2');
  await clock.advance(1_500);
  expect((await remind()).body).toMatchObject({unreachable: [{id: ada}], not_reminded: [{member: quiet}]});
  await work();
  const reminders = (await listRunEvents()).flatMap(({data}) => data.reminder ?? []);
  expect(reminders).toEqual(Array.from({length: 2}, () => ({at: 'asked', minutes: null, members: [ada]})));
});

it('regression: a reminder during two open runs reaches the members of both, with one message each', async () => {
  // Reminders are recorded only if a consumer would send them.
  await service.core.store.events.addConsumer(workspace.id, 'slack', performance.now() + 5_000);
  const [ada, bob] = [await join({slack_user_id: 'U0ADA'}), await join()];
  const night = {frequency: 'weekly', days: ['mon'], opens: '22:00', closes: '12:00'};
  await workspace.request('PATCH', '/v1/teams/platform', {body: {timezone: 'UTC', schedule: night}});
  await clock.set(Date.parse('2026-11-23T22:00:00Z'));
  await work();
  await clock.set(Date.parse('2026-11-24T08:00:00Z'));
  const cleo = await join();
  const {body: run} = await open();
  const posted = {team: 'platform', update: 'Done.', author: bob, date: '2026-11-24'};
  await workspace.request('POST', '/v1/standups', {body: posted});
  const {body} = await remind();
  expect(body).toMatchObject({run: run.id, date: '2026-11-24'});
  expect(body.unreachable.map(({id}: {id: string}) => id)).toEqual([ada, bob, cleo]);
  await work();
  const reminders = async () => (await listRunEvents()).flatMap(({data}) => data.reminder ?? []);
  const both = [
    [ada, bob],
    [ada, cleo],
  ].map((members) => ({at: 'asked', minutes: null, members}));
  expect(await reminders()).toEqual(both);
  const {prompts} = service.core.store;
  const deadline = performance.now() + 5_000;
  const prompt = await prompts.find(workspace.id, suffixOf(asId<'member'>(ada)), '2026-11-24', deadline);
  expect([prompt?.runs.size, [...(prompt?.reminded.values() ?? [])]]).toEqual([2, [1, 1]]);

  // Today's run has ended, but is not closed yet.
  await clock.advance(60 * minute);
  expect((await remind()).body).toMatchObject({
    date: '2026-11-23',
    unreachable: [{id: ada}, {id: bob}],
  });
  await clock.advance(minute);
  expectProblem(await remind(), 'rate_limited');
});

it('a reminder lists the members that Slack reaches, and the others with the reason', async () => {
  const withSlack = await startService({
    redisUrl: service.redisUrl,
    time: clock.time,
    env: {
      ROLES: 'web',
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_SIGNING_SECRET: 'a-signing-secret',
      SLACK_API_URL: 'http://127.0.0.1:1/',
      SLACK_WORKSPACE: workspace.id,
    },
  });
  try {
    const ada = await join({slack_user_id: 'U0ADA'});
    const bob = await join();
    const cleo = await join({slack_user_id: 'U0CLEO', reminders: {enabled: false}});
    const dora = await join({slack_user_id: 'U0DORA'});
    await make(workspace, '/v1/absences', {
      kind: 'away',
      member: dora,
      from: '2026-11-23',
      until: '2026-11-23',
    });
    await open();
    const answer = await fetch(`${withSlack.url}/v1/teams/platform/reminders`, {
      method: 'POST',
      headers: {authorization: `Bearer ${workspace.token}`},
    });
    expect(await answer.json()).toMatchObject({
      members: [{id: ada, channel: 'slack'}],
      unreachable: [{id: bob, reason: 'not_in_slack'}],
      not_reminded: [
        {member: cleo, reason: 'reminders_off'},
        {member: dora, reason: 'day_off'},
      ],
    });
  } finally {
    await withSlack.close();
  }
});

it('no member is reminded twice by two concurrent requests', async () => {
  await join();
  await open();
  const statuses = (await Promise.all([remind(), remind(), remind()])).map(({status}) => status);
  expect(statuses.toSorted()).toEqual([202, 429, 429]);
});

describe('the reminder of a person without Slack and mail', () => {
  /** Adds a member to the team, with a token. */
  const addMember = async (more: object = {}) => {
    const {id, token} = await addPerson(service, workspace, {team: 'platform'});
    await workspace.request('PATCH', `/v1/members/${id}`, {body: more});
    const ask = (method: string, path: string, body?: object) =>
      workspace.request(method, path, {token, ...(body && {body})});
    return {
      id,
      ask,
      own: async () => (await ask('GET', '/v1/reminders/own')).body,
      snooze: (body?: object, headers: Readonly<Record<string, string>> = {}) =>
        workspace.request('POST', '/v1/reminders/snooze', {token, headers, ...(body && {body})}),
    };
  };
  const none = {object: 'own_reminder', date: null, teams: [], remind_at: null, snoozed_until: null};
  const time = (at: string) => `2026-11-23T${at}:00.000Z`;
  /** Opens a run until ten o'clock, and asks who has not posted. */
  const ask = async () => {
    await open();
    await remind();
    await work();
  };

  it('says what waits for them and when they are reminded, until they post', async () => {
    const ada = await addMember();
    expect(await ada.own()).toEqual(none);
    await ask();
    const team = {id: workspace.team, team: 'platform', date: '2026-11-23', closes_at: time('10:00')};
    expect(await ada.own()).toEqual({
      object: 'own_reminder',
      date: '2026-11-23',
      teams: [{...team, name: expect.any(String)}],
      remind_at: time('09:00'),
      snoozed_until: null,
    });
    await ada.ask('POST', '/v1/standups', {team: 'platform', update: 'Done.'});
    expect(await ada.own()).toEqual(none);
  });

  it('waits for the end of quiet hours, and is none for people who turned reminders off', async () => {
    const ada = await addMember({
      timezone: 'UTC',
      reminders: {quiet_from: '08:00', quiet_until: '09:30'},
    });
    await ask();
    expect(await ada.own()).toMatchObject({remind_at: time('09:30'), teams: [{team: 'platform'}]});
    await workspace.request('PATCH', `/v1/members/${ada.id}`, {body: {reminders: {enabled: false}}});
    expect(await ada.own()).toMatchObject({remind_at: null});
  });

  it('is snoozed for 30 minutes by default, moves with another snooze, and stays if a request is repeated by its key', async () => {
    const ada = await addMember();
    await ask();
    const snoozed = {remind_at: time('09:30'), snoozed_until: time('09:30')};
    const once = {'idempotency-key': 'the-first-snooze'};
    const first = await ada.snooze(undefined, once);
    expect(first.body).toMatchObject(snoozed);
    await clock.advance(10 * minute);
    expect((await ada.snooze(undefined, once)).text).toBe(first.text);
    expect(await ada.own()).toMatchObject(snoozed);
    const sooner = {remind_at: time('09:15'), snoozed_until: time('09:15')};
    expect((await ada.snooze({minutes: 5})).body).toMatchObject(sooner);
    expect((await ada.snooze(undefined, once)).text).toBe(first.text);
    expect(await ada.own()).toMatchObject(sooner);
    await clock.advance(20 * minute);
    expect(await ada.own()).toMatchObject({remind_at: time('09:15'), snoozed_until: null});
    expect((await ada.snooze({minutes: 240})).body).toMatchObject({snoozed_until: time('09:55')});
  });

  it('is not snoozed by a person who turned reminders off', async () => {
    const ada = await addMember();
    await ask();
    await workspace.request('PATCH', `/v1/members/${ada.id}`, {body: {reminders: {enabled: false}}});
    const refused = await ada.snooze();
    expectProblem(refused, 'no_open_run');
    expect(refused.body.detail).toBe('You turned reminders off, so there is nothing to snooze.');
    expect(await ada.own()).toMatchObject({remind_at: null, snoozed_until: null});
  });

  it('is not snoozed when nothing waits, when it is too late, or by a service account', async () => {
    const ada = await addMember();
    const refused = await ada.snooze();
    expectProblem(refused, 'no_open_run');
    expect(refused.body.detail).toBe('No standup waits for you now, so there is nothing to snooze.');
    await ask();
    await clock.advance(55 * minute);
    const late = await ada.snooze();
    expectProblem(late, 'no_open_run');
    expect(late.body.detail).toBe(
      'It is too late to snooze: the first of your standups closes at 2026-11-23T10:00:00.000Z. Post it now, or skip it.',
    );
    await ada.ask('POST', '/v1/absences', {kind: 'skip', from: '2026-11-23', team: 'platform'});
    expect((await ada.snooze()).body.detail).toBe(refused.body.detail);
    for (const minutes of [4, 241, 7.5]) expectProblem(await ada.snooze({minutes}), 'validation_failed');
    for (const [method, path] of [
      ['POST', '/v1/reminders/snooze'],
      ['GET', '/v1/reminders/own'],
    ] as const)
      expectProblem(await workspace.request(method, path), 'forbidden');
  });
});
