import {recordAndClaimOne} from '../support/claims.js';
import {afterEach, describe, expect, it} from '@jest/globals';
import {suffixOf} from '../../src/domain/core/ids.js';
import {globalKeys, workspaceKeys} from '../../src/store/core/keys.js';
import {createRedisClock} from '../../src/store/core/redis-clock.js';
import {addPerson} from '../api/people.js';
import {eventsOf, make} from '../api/samples.js';
import {testRedisUrl} from '../support/redis-server.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {until} from '../support/until.js';
import {createCleanUps, newDeadline, startWorker} from './stage.js';
import {asId} from '../support/ids.js';

const cleanUps = createCleanUps();
afterEach(() => cleanUps.run());

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** A Monday. */
const start = Date.parse('2026-11-23T07:00:00Z');

interface ClockLeapStage {
  readonly clock: TestClock;
  readonly service: TestService;
  readonly workspace: TestWorkspace;
  /** Moves only the clock of the store. */
  leap(ms: number): Promise<void>;
  /** Moves the clock of the store and that of the service. */
  goOn(ms: number): Promise<void>;
  look(): Promise<void>;
}

/**
 * Starts a service that reads the store's clock from replies, as from a real server. The service's own clocks
 * do not move.
 */
async function startStage(env: Record<string, string> = {ROLES: 'web'}): Promise<ClockLeapStage> {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl, start);
  cleanUps.add(() => clock.close());
  let passed = 0;
  const own = createRedisClock({monotonic: () => passed, wall: () => start});
  own.observe(start);
  const service = await startService({redisUrl, time: {...clock.time, clock: own}, env});
  cleanUps.add(() => service.close());
  const workspace = await service.addWorkspace();
  const {body: team} = await workspace.request('GET', '/v1/teams/platform');
  const {runs} = service.core.services;
  return {
    clock,
    service,
    workspace,
    leap: (ms) => clock.advance(ms),
    goOn(ms) {
      passed += ms;
      return clock.advance(ms);
    },
    async look() {
      // The scheduler searches for due work before it requests any.
      const look = {side: 'service', from: 0, perWorkspace: 10, mostOfOne: 10, atMost: 10} as const;
      await service.core.store.ready.listDue(look, newDeadline());
      while (await runs.advanceRuns(workspace.operator(), suffixOf(team.id)));
    },
  };
}

const everyDay = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  opens: '08:00',
  closes: '10:00',
  reminders: [30],
};

async function withSchedule(stage: ClockLeapStage): Promise<void> {
  await addPerson(stage.service, stage.workspace, {name: 'Ada', team: 'platform'});
  const body = {timezone: 'UTC', prompt_at: 'before_closing', schedule: everyDay};
  const {status, text} = await stage.workspace.request('PATCH', '/v1/teams/platform', {body});
  if (status !== 200) throw new Error(text);
  await stage.look();
}

const runsOf = async ({workspace}: ClockLeapStage): Promise<[string, string][]> =>
  (await workspace.request('GET', '/v1/teams/platform/runs')).body.data.map(({date, state}: Json) => [
    date,
    state,
  ]);

const eventTypesOf = async ({workspace}: ClockLeapStage, prefix = 'run.') =>
  (await eventsOf(workspace)).map(({type}) => type).filter((type) => type.startsWith(prefix));

/** Handles due runs every half hour of a morning. Returns the types of their events. */
async function spendMorning(stage: ClockLeapStage): Promise<string[]> {
  for (let at = 0; at < 8; at++) {
    await stage.goOn(hourMs / 2);
    await stage.look();
  }
  expect(await runsOf(stage)).toEqual([['2026-11-23', 'closed']]);
  return eventTypesOf(stage);
}

const oneRun = ['run.opened', 'run.reminded', 'run.closed'];

describe('a leap of the store’s clock', () => {
  it.each([1, -1])(
    'regression: by %i day and back leads to no missed run and no repeated step',
    async (days) => {
      const stage = await startStage();
      await withSchedule(stage);
      await stage.leap(days * dayMs);
      await stage.look();
      await stage.goOn(minuteMs);
      await stage.look();
      await stage.leap(-days * dayMs);
      await stage.look();
      expect(await runsOf(stage)).toEqual([]);
      expect(await spendMorning(stage)).toEqual(oneRun);
    },
  );

  it.each([10, -10])(
    'by %i minutes and back neither skips nor repeats a step in that time',
    async (minutes) => {
      const stage = await startStage();
      await withSchedule(stage);
      await stage.goOn(hourMs - 2 * minuteMs);
      for (const by of [minutes, -minutes]) {
        await stage.leap(by * minuteMs);
        await stage.look();
        await stage.goOn(minuteMs);
        await stage.look();
      }
      expect(await runsOf(stage)).toEqual([]);
      expect(await spendMorning(stage)).toEqual(oneRun);
    },
  );

  it.each([1, -1])(
    'by %i day and back leads to no missed run of a team that is changed in between',
    async (days) => {
      const stage = await startStage();
      await withSchedule(stage);
      await stage.leap(days * dayMs);
      await stage.look();
      const body = {schedule: {...everyDay, closes: '10:30', starts_on: '2026-11-23'}};
      expect((await stage.workspace.request('PATCH', '/v1/teams/platform', {body})).status).toBe(200);
      await stage.look();
      await stage.leap(-days * dayMs);
      await stage.look();
      expect(await runsOf(stage)).toEqual([]);
      expect(await spendMorning(stage)).toEqual(oneRun);
      const {body: runs} = await stage.workspace.request('GET', '/v1/teams/platform/runs');
      expect(runs.data).toMatchObject([{closes_at: '2026-11-23T10:30:00.000Z'}]);
    },
  );

  it('is followed by runs once the clock has kept the new time for ten minutes', async () => {
    const stage = await startStage();
    await withSchedule(stage);
    await stage.leap(hourMs);
    await stage.look();
    expect(await runsOf(stage)).toEqual([]);
    await stage.goOn(10 * minuteMs);
    await stage.look();
    expect(await runsOf(stage)).toEqual([['2026-11-23', 'open']]);
  });

  it('regression: lets retention erase no data before the clock has kept the new time for ten minutes', async () => {
    const {service, workspace, leap, goOn} = await startStage();
    await workspace.request('PATCH', '/v1/workspace', {body: {retention_days: 30}});
    await make(workspace, '/v1/standups', {team: 'platform', update: 'Kept.', date: '2026-10-23'});
    const purge = () => service.core.services.purgeExpired(workspace.operator());
    await leap(dayMs);
    await workspace.request('GET', '/v1/me');
    expect(await purge()).toBe(0);
    await goOn(10 * minuteMs);
    expect(await purge()).toBe(1);
  });
});

describe('a store whose clock was a day ahead for some time', () => {
  const away = async ({clock}: ClockLeapStage, during: () => Promise<void>) => {
    await clock.advance(dayMs);
    await during();
    await clock.advance(-dayMs);
  };

  it('regression: does not refuse callers who made requests in that time', async () => {
    const stage = await startStage({ROLES: 'web', RATE_LIMIT: '60', RATE_LIMIT_WRITES: '30'});
    const post = () =>
      stage.workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Here.'}});
    const codes = async () => [(await post()).status, (await post()).status];
    await away(stage, async () => expect(await codes()).toEqual([201, 201]));
    expect(await codes()).toEqual([201, 201]);
  });

  it('regression: sends the events from that time to webhooks', async () => {
    const stage = await startStage({ROLES: 'web'});
    const {service, workspace} = stage;
    const receiver: Receiver = await startReceiver();
    cleanUps.add(() => receiver.close());
    await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.created']});
    const post = () => make(workspace, '/v1/standups', {team: 'platform', update: 'Here.'});
    await away(stage, async () => void (await post()));
    await post();
    const worker = await startWorker(service, {queueUrl: await testRedisUrl()});
    cleanUps.add(() => worker.close());
    expect(await receiver.waitFor(2)).toHaveLength(2);
  });

  it('regression: sends deliveries despite a lease, a breaker and a throttle from that time', async () => {
    const stage = await startStage();
    const {service, workspace} = stage;
    const receiver: Receiver = await startReceiver();
    cleanUps.add(() => receiver.close());
    const hook = await make(workspace, '/v1/webhooks', {
      url: receiver.url,
      events: ['standup.created'],
      throttle: {max: 1, per_seconds: 60},
    });
    const suffix = suffixOf(hook.id);
    const {deliveries, connection} = service.core.store;
    const keys = workspaceKeys(workspace.id);
    const claim = () => recordAndClaimOne(deliveries, workspace.id, suffix, {concurrency: 4});
    await away(stage, async () => {
      const at = String(stage.clock.now());
      await connection.call(newDeadline(), [
        'ZADD',
        keys.inflight(suffix),
        String(stage.clock.now() + 4_000),
        'lost',
      ]);
      await connection.call(newDeadline(), ['HSET', keys.tries(suffix), 'lost', '1:0:1::']);
      await connection.call(newDeadline(), ['ZADD', keys.starts(suffix), at, 'lost:1']);
      const open = ['breaker', 'open', 'opened', at, 'every', '30000', 'probe', String(Number(at) + 30_000)];
      await connection.call(newDeadline(), ['HSET', keys.webhookState(suffix), ...open]);
    });
    expect((await claim()).claims).toMatchObject([{suffix: 'lost', attempt: 2}]);
  });

  it('regression: continues despite a lease of the scheduler or of a Slack channel that ends a day later', async () => {
    const {service} = await startStage();
    const {connection, ready, slackPosts} = service.core.store;
    const dead = ['dead', 'PX', String(dayMs)];
    await connection.call(newDeadline(), ['SET', globalKeys.scheduler(), ...dead]);
    expect(await ready.holdScheduler('service', 'alive', 3_000, newDeadline())).toBe(true);
    expect(await ready.holdScheduler('service', 'other', 3_000, newDeadline())).toBe(false);
    const keys = workspaceKeys(asId('ws_x'));
    await connection.call(newDeadline(), ['SET', keys.slackLease('C1'), ...dead]);
    await connection.call(newDeadline(), ['ZADD', keys.slackPending('C1'), '1', 'trouble/']);
    const hold = {workspace: asId<'workspace'>('ws_x'), channel: 'C1', holder: 'alive'};
    expect(await slackPosts.claim(hold, 5_000, newDeadline())).toMatchObject({kind: 'due'});
    expect(await slackPosts.claim({...hold, holder: 'other'}, 5_000, newDeadline())).toEqual({kind: 'busy'});
  });
});

it('regression: the first write after the clock leaps ahead is not refused as too late', async () => {
  const {clock, workspace} = await startStage();
  await clock.advance(dayMs);
  const {status} = await workspace.request('POST', '/v1/standups', {
    body: {team: 'platform', update: 'Here.'},
  });
  expect(status).toBe(201);
});

it('a delivery that is being sent during a leap of the clock succeeds, and is repeated at most once', async () => {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl, start);
  cleanUps.add(() => clock.close());
  const service = await startService({redisUrl, time: clock.time});
  cleanUps.add(() => service.close());
  const workspace = await service.addWorkspace();
  const receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  const hook = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.created']});
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  receiver.respondWith(async () => {
    await held;
    return {status: 200};
  });
  await make(workspace, '/v1/standups', {team: 'platform', update: 'Here.'});
  await receiver.waitFor(1);
  await clock.advance(dayMs);
  await clock.advance(-dayMs);
  letGo();
  const path = `/v1/webhooks/${hook.id}/deliveries`;
  const states = async () => (await workspace.request('GET', path)).body.data.map(({state}: Json) => state);
  await until(async () => (await states()).join() === 'succeeded', {what: 'it is delivered'});
  expect(receiver.received.length).toBeLessThanOrEqual(2);
  expect(new Set(receiver.received.map(({id}) => id)).size).toBe(1);
});

it('events before and after a failover to a server whose clock is behind are sent once each, in their order', async () => {
  const redisUrl = await testRedisUrl();
  const clock = await createTestClock(redisUrl, start);
  cleanUps.add(() => clock.close());
  const service = await startService({redisUrl, time: clock.time});
  cleanUps.add(() => service.close());
  const workspace = await service.addWorkspace();
  const receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  const hook = await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['standup.created']});
  const listSent = async () =>
    (await workspace.request('GET', `/v1/webhooks/${hook.id}/deliveries?state=succeeded`)).body.data;
  const made: Json[] = [];
  for (const moveMs of [0, -2_500, 1_000, 5_000]) {
    await clock.advance(moveMs);
    made.push(await make(workspace, '/v1/standups', {team: 'platform', update: `After ${moveMs} ms.`}));
    // A clock that leaps past the lease of a delivery that is still under way has it sent again.
    await until(async () => (await listSent()).length === made.length, {what: 'it is delivered'});
  }
  const instants = made.map(({created_at: at}) => Date.parse(at) - start);
  expect(instants).toEqual([0, 0, 0, 3_500]);
  const sent = receiver.received.map(({body}) => JSON.parse(body.toString()));
  expect(sent.map(({data}) => data.id)).toEqual(made.map(({id}) => id));
  expect(sent.map(({timestamp}) => Date.parse(timestamp) - start)).toEqual(instants);
  const list = await workspace.request('GET', '/v1/standups');
  expect(list.body.data.map(({id}: Json) => id)).toEqual(made.map(({id}) => id).toReversed());
});
