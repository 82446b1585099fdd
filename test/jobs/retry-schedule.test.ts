// The retry schedule with a test clock: days pass in seconds, and everything else is real. `PRINT_SCHEDULE=1`
// prints the times.
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {retrySchedule} from '../../src/domain/webhooks/retry.js';
import type {Jobs} from '../../src/jobs/jobs.js';
import {deep} from '../support/deep.js';
import {
  type ReceiverAnswer,
  type ReceivedRequest,
  type Receiver,
  startReceiver,
} from '../support/receiver.js';
import {testRedisUrl} from '../support/redis-server.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {until} from '../support/until.js';
import {
  addWebhook,
  createCleanUps,
  deliveriesOf,
  type JobWebhook,
  lookAt,
  postStandups,
  startWorker,
} from './stage.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const cleanUps = createCleanUps();
let clock: TestClock;
let web: TestService;
let worker: Jobs;
let workspace: TestWorkspace;
let receiver: Receiver;
/** Id of the event that the receiver refuses. The receiver accepts all others. */
let refused: string | undefined;

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl);
  web = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  // A slower attempt would fail, and its retry would wait for the test clock, which does not move by itself.
  worker = await startWorker(web, {queueUrl: await testRedisUrl(), timeoutMs: 2_000});
});

beforeEach(async () => {
  workspace = await web.addWorkspace();
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  refused = undefined;
});

afterEach(() => cleanUps.run());

afterAll(async () => {
  await worker.close();
  await web.close();
  await clock.close();
});

/** Lets the receiver refuse the first event and accept every other event. */
function refuseFirst(answer: ReceiverAnswer | number | ((attempt: number) => ReceiverAnswer | number)): void {
  receiver.respondWith(({id, headers}) => {
    refused ??= id;
    if (id !== refused) return 204;
    return typeof answer === 'function' ? answer(Number(headers['standup-attempt'])) : answer;
  });
}

async function addHook(settings: object = {}): Promise<JobWebhook> {
  const hook = await addWebhook(workspace, receiver, settings);
  cleanUps.add(() => workspace.request('DELETE', `/v1/webhooks/${hook.id}`));
  return hook;
}

const wake = (hook: JobWebhook) => worker.wake(workspace.id, {kind: 'deliver', webhook: hook.suffix});

async function post(): Promise<void> {
  await postStandups(workspace);
  worker.wake(workspace.id, {kind: 'fan-out'});
}

/** Requests for the refused event so far. */
const requests = (): ReceivedRequest[] => receiver.received.filter(({id}) => id === refused);

/**
 * Sends another event, which the receiver accepts. The worker that claims it has handled everything that was
 * due.
 */
async function letAnotherPass(hook: JobWebhook): Promise<void> {
  const before = (await deliveriesOf(workspace, hook)).length;
  await post();
  await until(
    async () => {
      const all = await deliveriesOf(workspace, hook);
      return all.length > before && all[0]?.state === 'succeeded';
    },
    {what: 'another delivery succeeds'},
  );
}

/** Returns the refused delivery once attempt number `attempts` is recorded. */
async function recorded(hook: JobWebhook, attempts: number): Promise<Json> {
  return until(
    async () => {
      const found = (await deliveriesOf(workspace, hook)).find(({event_id: event}) => event === refused);
      return found?.last_attempt?.number === attempts && found.state !== 'delivering' ? found : undefined;
    },
    {what: `attempt ${attempts} is recorded`},
  );
}

interface PlayedRetries {
  /** Times of the attempts (ms after the first). */
  readonly at: readonly number[];
  readonly delivery: Json;
}

/**
 * Posts one standup and follows its delivery to the end, or for `most` attempts. One millisecond before each
 * attempt is due, another delivery is sent and this one is not. When the attempt is due, it is made.
 */
async function play(hook: JobWebhook, most = 20): Promise<PlayedRetries> {
  await post();
  const at: number[] = [];
  for (let attempt = 1; ; attempt++) {
    const delivery = await recorded(hook, attempt);
    at.push(Date.parse(delivery.last_attempt.at));
    const due = delivery.next_attempt_at;
    if (due === null || attempt === most) return {at: at.map((each) => each - (at[0] ?? 0)), delivery};
    await clock.set(Date.parse(due) - 1);
    await letAnotherPass(hook);
    expect(requests()).toHaveLength(attempt);
    await clock.set(Date.parse(due));
    wake(hook);
  }
}

const waitsOf = ({at}: PlayedRetries): number[] => at.slice(1).map((each, i) => each - (at[i] ?? 0));

/** Checks that each wait is within 20 % of the schedule. */
function expectWaits(waits: readonly number[], scheduled: readonly number[]): void {
  expect(waits).toHaveLength(scheduled.length);
  for (const [i, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual((scheduled[i] ?? 0) * 0.8 - 1);
    expect(wait).toBeLessThanOrEqual((scheduled[i] ?? 0) * 1.2 + 1);
  }
}

/** Prints one Markdown row for each attempt if `PRINT_SCHEDULE` is set. */
function print(
  title: string,
  {at}: PlayedRetries,
  scheduled: readonly number[],
  probes: readonly boolean[] = [],
): void {
  if (process.env['PRINT_SCHEDULE'] === undefined) return;
  const rows = at.map((time, i) => {
    const wait = scheduled[i];
    const bounds = wait ? `${formatDelay(wait * 0.8)} to ${formatDelay(wait * 1.2)}` : '';
    const seen = i === 0 ? 'at once' : formatDelay(time - (at[i - 1] ?? 0));
    return `| ${[i + 1, wait ? formatDelay(wait) : '', bounds, seen, formatDelay(time), probes[i] === true ? 'probe' : ''].join(' | ')} |`;
  });
  const head =
    '| attempt | wait by the schedule | bounds | wait seen | after the first | |\n|---|---|---|---|---|---|';
  process.stdout.write(`\n### ${title}\n\n${head}\n${rows.join('\n')}\n`);
}

function formatDelay(ms: number): string {
  const parts: readonly (readonly [number, string])[] = [
    [hour, 'h'],
    [minute, 'min'],
  ];
  let left = Math.round(ms);
  const said = parts.flatMap(([size, unit]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return left === 0 && said.length > 0 ? said.join(' ') : [...said, `${left / second} s`].join(' ');
}

describe('retries of a webhook whose other deliveries succeed in between', () => {
  it('are made at the times of the schedule ± 20 % until a delivery has had ten attempts', async () => {
    refuseFirst(500);
    const hook = await addHook();
    const played = await play(hook);
    print('The standard schedule', played, retrySchedule);
    expect(played.delivery).toMatchObject({state: 'exhausted', attempts: 10, next_attempt_at: null});
    expectWaits(waitsOf(played), retrySchedule.slice(1));
    expect(requests().map(({headers}) => headers['standup-attempt'])).toEqual(
      Array.from({length: 10}, (_, i) => String(i + 1)),
    );
    expect(new Set(requests().map(({body}) => body.toString())).size).toBe(1);
    await clock.advance(2 * day);
    await letAnotherPass(hook);
    expect(requests()).toHaveLength(10);
  });

  it('have a signature for their own time, and the same event id and sequence number', async () => {
    refuseFirst(500);
    const hook = await addHook({retry_schedule: [60, 60]});
    const {at} = await play(hook);
    const sent = requests().map(({headers}) => headers);
    const first = Number(sent[0]?.['webhook-timestamp']);
    for (const [i, headers] of sent.entries())
      expect(Math.abs(Number(headers['webhook-timestamp']) - first - (at[i] ?? 0) / second)).toBeLessThan(
        1.001,
      );
    for (const name of ['webhook-id', 'standup-delivery', 'standup-sequence'])
      expect(new Set(sent.map((headers) => headers[name])).size).toBe(1);
    expect(new Set(sent.map((headers) => headers['webhook-signature'])).size).toBe(3);
  });

  it('follow the webhook’s own retry schedule', async () => {
    refuseFirst(500);
    const waits = [1, 90, 7_200, 86_400];
    const played = await play(await addHook({retry_schedule: waits}));
    const schedule = waits.map((wait) => wait * second);
    print(`\`retry_schedule: [${waits.join(', ')}]\``, played, [0, ...schedule]);
    expect(played.delivery).toMatchObject({state: 'exhausted', attempts: 5});
    expectWaits(waitsOf(played), schedule);
  });

  const asked: [string, () => string, number, number][] = [
    ['an hour, in seconds', () => '3600', hour, hour],
    ['3 hours, as a date', () => new Date(clock.now() + 3 * hour).toUTCString(), 3 * hour - second, 3 * hour],
    ['more than a day, in seconds', () => '200000', day, day],
    ['three days, as a date', () => new Date(clock.now() + 3 * day).toUTCString(), day, day],
    ['less than the schedule has', () => '1', 4 * second - 1, 6 * second + 1],
    [
      'a date that has passed',
      () => new Date(clock.now() - hour).toUTCString(),
      4 * second - 1,
      6 * second + 1,
    ],
  ];
  it.each(deep ? asked : [1, 2, 5].flatMap((i) => asked.slice(i, i + 1)))(
    'respect `Retry-After` with %s: up to a day, and never sooner than scheduled',
    async (_, value, from, to) => {
      refuseFirst((attempt) => (attempt === 1 ? {status: 503, headers: {'retry-after': value()}} : 204));
      // A 503 waits at least a minute, which would hide shorter waits. Those cases use a 500.
      const isShort = to < minute;
      if (isShort)
        refuseFirst((attempt) => (attempt === 1 ? {status: 500, headers: {'retry-after': value()}} : 204));
      const played = await play(await addHook());
      const [wait = 0] = waitsOf(played);
      expect(played.delivery).toMatchObject({state: 'succeeded', attempts: 2});
      expect(wait).toBeGreaterThanOrEqual(from);
      expect(wait).toBeLessThanOrEqual(to);
    },
  );

  const busy: [string, ReceiverAnswer][] = [
    ['429', {status: 429}],
    ['no answer in time', {failure: 'hang'}],
    ['502', {status: 502}],
    ['503', {status: 503}],
    ['504', {status: 504}],
  ];
  it.each(deep ? busy : busy.slice(0, 2))(
    'wait at least a minute after %s, and then follow the schedule',
    async (_, answer) => {
      refuseFirst(answer);
      const [first = 0, second_ = 0] = waitsOf(await play(await addHook(), 3));
      expect(first).toBeGreaterThanOrEqual(minute);
      expect(first).toBeLessThanOrEqual(1.2 * minute + 1);
      expectWaits([second_], [5 * minute]);
    },
  );

  it.each(deep ? [301, 302, 307, 308] : [308])(
    'follow the schedule after a redirect (%i), which is not followed',
    async (status) => {
      const elsewhere = await startReceiver();
      cleanUps.add(() => elsewhere.close());
      refuseFirst({status, headers: {location: elsewhere.url}});
      expectWaits(waitsOf(await play(await addHook(), 3)), [5 * second, 5 * minute]);
      expect(elsewhere.connections()).toBe(0);
    },
  );

  it('end with `webhook-delivery: abort` at any attempt', async () => {
    refuseFirst((attempt) => ({status: 500, ...(attempt === 3 && {headers: {'webhook-delivery': 'abort'}})}));
    const hook = await addHook();
    expect((await play(hook)).delivery).toMatchObject({state: 'aborted', attempts: 3, next_attempt_at: null});
    await clock.advance(day);
    await letAnotherPass(hook);
    expect(requests()).toHaveLength(3);
  });
});

describe('a webhook whose receiver refuses further deliveries', () => {
  it.each<[string, ReceiverAnswer]>([
    ['410', {status: 410}],
    ['`webhook-delivery: disable`', {status: 500, headers: {'webhook-delivery': 'disable'}}],
  ])('is disabled by %s at any attempt, and gets no more requests', async (_, answer) => {
    refuseFirst((attempt) => (attempt === 2 ? answer : 500));
    const hook = await addHook();
    expect((await play(hook)).delivery).toMatchObject({state: 'aborted', attempts: 2, next_attempt_at: null});
    const {body} = await workspace.request('GET', `/v1/webhooks/${hook.id}`);
    expect(body).toMatchObject({enabled: false, disabled_reason: 'gone'});
  });
});

describe('retries of a webhook without any success', () => {
  it('open the breaker after five attempts, and then become probes every 1 to 15 minutes that use up no attempts', async () => {
    refuseFirst((attempt) => (attempt <= 13 ? 500 : 204));
    const hook = await addHook();
    await post();
    const at: number[] = [];
    const looks: number[] = [];
    for (let attempt = 1; attempt <= 14; attempt++) {
      const {last_attempt: last} = await recorded(hook, attempt);
      at.push(Date.parse(last.at));
      if (attempt === 14) break;
      const look = await until(() => lookAt(web, workspace, hook));
      looks.push(look);
      await clock.set(look);
      wake(hook);
    }
    const played = {at: at.map((each) => each - (at[0] ?? 0)), delivery: await recorded(hook, 14)};
    const attempts = (await workspace.request('GET', `/v1/deliveries/${played.delivery.id}/attempts`)).body
      .data;
    const probes = attempts.map(({probe}: Json) => probe).toReversed();
    print('A breaker opens at the fifth failure', played, retrySchedule.slice(0, 6), probes);
    expect(probes).toEqual([...Array.from({length: 5}, () => false), ...Array.from({length: 9}, () => true)]);
    const waits = waitsOf(played);
    expectWaits(waits.slice(0, 5), retrySchedule.slice(1, 6));
    expect(waits.slice(5)).toEqual([1, 2, 4, 8, 15, 15, 15, 15].map((minutes) => minutes * minute));
    expect(played.delivery).toMatchObject({state: 'succeeded', attempts: 14});
  });
});
