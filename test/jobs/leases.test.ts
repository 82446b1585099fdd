import {type OneClaim, recordAndClaimOne} from '../support/claims.js';
import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {readTimeAt, type RedisCommand} from '../../src/store/core/connection.js';
import type {Deliver} from '../../src/jobs/deliver.js';
import {createAttemptRecord} from '../../src/domain/webhooks/attempt-record.js';
import {blockKeyOf} from '../../src/store/webhooks/delivery-blocks.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {testRedisUrl} from '../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {
  addWebhook,
  createCleanUps,
  createPerformer,
  deliveriesOf,
  deliveryIn,
  fanOutOnce,
  type JobWebhook,
  lookAt,
  makeDue,
  postStandups,
  newDeadline,
  startWorker,
} from './stage.js';

const cleanUps = createCleanUps();
let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let hook: JobWebhook;

beforeEach(async () => {
  service = await startService({env: {ROLES: 'web'}});
  cleanUps.add(() => service.close());
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  workspace = await service.addWorkspace();
  hook = await addWebhook(workspace, receiver);
});

afterEach(() => cleanUps.run());

async function addWorker(queueUrl?: string) {
  const worker = await startWorker(service, {queueUrl: queueUrl ?? (await testRedisUrl())});
  cleanUps.add(() => worker.close());
  return worker;
}

/** Claims deliveries or records results once, as a worker does. */
function claimOrRecord(request: OneClaim) {
  return recordAndClaimOne(service.core.store.deliveries, workspace.id, hook.suffix, request);
}

function startDeliver(parts: {leaseMs?: number} = {}): Deliver {
  const {deliver, close} = createPerformer(service, parts);
  cleanUps.add(close);
  return deliver;
}

function slice({perform}: Deliver) {
  return perform({
    workspace: workspace.id,
    work: {kind: 'deliver', webhook: hook.suffix},
    until: performance.now() + 20,
    signal: new AbortController().signal,
  });
}

const fanOutAll = () => fanOutOnce(service, workspace);

function call<T = unknown>(...command: RedisCommand): Promise<T> {
  return service.core.store.connection.call(newDeadline(), command) as Promise<T>;
}

function inflight(): string {
  return workspaceKeys(workspace.id).inflight(hook.suffix);
}

/** Delays answers until `answerOne` or `answerAll`, and counts the requests in progress. */
function holdAnswers() {
  const waiting: (() => void)[] = [];
  let most = 0;
  let open = false;
  receiver.respondWith(() => {
    if (open) return 204;
    return new Promise((resolve) => {
      waiting.push(() => resolve(204));
      most = Math.max(most, waiting.length);
    });
  });
  return {
    most: () => most,
    waiting: () => waiting.length,
    answerOne: () => waiting.shift()?.(),
    answerAll(): void {
      open = true;
      for (const answer of waiting.splice(0)) answer();
    },
  };
}

it('a frozen worker loses the lease of a delivery to another worker, and its late result is refused', async () => {
  await postStandups(workspace);
  const worker = await addWorker();
  const answers = holdAnswers();
  worker.wake(workspace.id, {kind: 'fan-out'});
  await receiver.waitFor(1);
  // A frozen worker does not renew its lease, so the lease ends. This worker is not frozen and may renew it
  // in between.
  const [suffix = ''] = await call<string[]>('ZRANGE', inflight(), '0', '0');
  const {claims} = await until(async () => {
    await call('ZADD', inflight(), '1', suffix);
    const next = await claimOrRecord({leaseMs: 60_000});
    return next.claims.length > 0 ? next : undefined;
  });
  expect(claims).toMatchObject([{suffix, attempt: 2, failures: 0}]);

  answers.answerAll();
  const [claim] = claims;
  if (claim === undefined) throw new Error('nothing was claimed');
  const attempt = createAttemptRecord({status: 204, durationMs: 1}, Date.now(), false);
  const won = {state: 'succeeded', delayMs: 0, charge: 'success', counted: false, attempt} as const;
  const late = await claimOrRecord({results: [{...won, claim: {...claim, attempt: 1}}]});
  expect(late.refused).toBe(1);
  const [delivery] = await deliveriesOf(workspace, hook);
  expect(delivery).toMatchObject({state: 'delivering', attempts: 2, last_attempt: null});

  const held = await claimOrRecord({results: [{...won, claim}]});
  expect(held.refused).toBe(0);
  expect(await deliveryIn(workspace, hook, 'succeeded', 2)).toBeDefined();
});

it('regression: after an attempt that has lost its lease, the next one still has its lease renewed and its result recorded', async () => {
  await postStandups(workspace);
  const worker = await addWorker();
  const answers = holdAnswers();
  worker.wake(workspace.id, {kind: 'fan-out'});
  await receiver.waitFor(1);
  const [suffix = ''] = await call<string[]>('ZRANGE', inflight(), '0', '0');
  // The store was unavailable for a while: the same worker claims the delivery again and sends it a second
  // time.
  const endFirstLease = `
    if string.match(redis.call('HGET', KEYS[2], ARGV[1]), '^1:') then redis.call('ZADD', KEYS[1], 1, ARGV[1]) end`;
  await until(async () => {
    await call(
      'EVAL',
      endFirstLease,
      '2',
      inflight(),
      workspaceKeys(workspace.id).tries(hook.suffix),
      suffix,
    );
    worker.wake(workspace.id, {kind: 'deliver', webhook: hook.suffix});
    return answers.waiting() === 2;
  });
  answers.answerOne();
  const leaseEnd = async () => Number(await call<string>('ZSCORE', inflight(), suffix));
  const before = await leaseEnd();
  await until(async () => (await leaseEnd()) > before + 1_500, {
    what: 'the lease of the second attempt is renewed twice',
  });
  answers.answerAll();
  await deliveryIn(workspace, hook, 'succeeded', 2);
  expect(receiver.received).toHaveLength(2);
});

it('regression: a request that takes longer than a lease is not made again by another worker', async () => {
  await postStandups(workspace);
  await fanOutAll();
  const answers = holdAnswers();
  const [first, other] = [startDeliver({leaseMs: 1_500}), startDeliver({leaseMs: 1_500})];
  await slice(first);
  await receiver.waitFor(1);
  const [, end] = await call<string[]>('ZRANGE', inflight(), '0', '0', 'WITHSCORES');
  const {connection} = service.core.store;
  await until(async () => (await readTimeAt(connection, inflight(), newDeadline())) > Number(end), {
    what: 'the lease would have ended',
  });
  await slice(other);
  answers.answerAll();
  await first.close();
  await deliveryIn(workspace, hook, 'succeeded', 1);
  expect(receiver.received).toHaveLength(1);
});

it('two workers together make at most 16 requests at a time to a webhook, and send each delivery once', async () => {
  await postStandups(workspace, 50);
  const answers = holdAnswers();
  const queueUrl = await testRedisUrl();
  const workers = [await addWorker(queueUrl), await addWorker(queueUrl)];
  for (const worker of workers) worker.wake(workspace.id, {kind: 'fan-out'});
  await until(() => answers.waiting() === 16 || undefined, {what: '16 requests are on the wire'});
  for (let answered = 0; answered < 20; answered++) {
    for (const worker of workers) worker.wake(workspace.id, {kind: 'deliver', webhook: hook.suffix});
    answers.answerOne();
    await receiver.waitFor(17 + answered);
  }
  expect(answers.most()).toBe(16);
  answers.answerAll();
  await receiver.waitFor(50);
  await until(async () => (await deliveriesOf(workspace, hook)).every(({state}) => state === 'succeeded'));
  expect(new Set(receiver.received.map(({id}) => id)).size).toBe(50);
  expect(receiver.received).toHaveLength(50);
});

it('two workers together keep to the concurrency of a webhook that answers quickly, and send each delivery once', async () => {
  const quick = await addWebhook(workspace, receiver, {concurrency: 4});
  let [now, most] = [0, 0];
  receiver.respondWith(async () => {
    most = Math.max(most, (now += 1));
    await new Promise((resolve) => setTimeout(resolve, 25));
    now -= 1;
    return 204;
  });
  await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {enabled: false}});
  const workers = [await addWorker(), await addWorker()];
  // Each worker sends a delivery first, to measure that the receiver is fast.
  for (const [i, worker] of workers.entries()) {
    await postStandups(workspace);
    worker.wake(workspace.id, {kind: 'fan-out'});
    await receiver.waitFor(i + 1);
    await until(async () => (await deliveriesOf(workspace, quick)).every(({state}) => state === 'succeeded'));
  }
  // Five deliveries at a time, so that neither worker takes all, and new ones come while requests are in
  // progress.
  for (let made = 2; made < 22; made += 5) {
    await postStandups(workspace, 5);
    workers[(made + 3) % 2]?.wake(workspace.id, {kind: 'fan-out'});
    await receiver.waitFor(made + 1);
  }
  await receiver.waitFor(22);
  await until(async () => (await deliveriesOf(workspace, quick)).every(({state}) => state === 'succeeded'));
  expect(most).toBeLessThanOrEqual(4);
  expect(new Set(receiver.received.map(({id}) => id)).size).toBe(22);
  expect(receiver.received).toHaveLength(22);
});

it("regression: a delivery claimed in advance is sent to the webhook's new address, even after a failure", async () => {
  const {store} = service.core;
  const pair = await addWebhook(workspace, receiver, {concurrency: 2});
  await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {enabled: false}});
  const {recordAndClaim: ask} = store.deliveries;
  let isMoved = false;
  const deliveries = {
    ...store.deliveries,
    async recordAndClaim(...args: Parameters<typeof ask>) {
      const results = args[1].flatMap((request) => request.results);
      if (!isMoved && results.some(({charge}) => charge === 'failure')) {
        isMoved = true;
        await workspace.request('PATCH', `/v1/webhooks/${pair.id}`, {body: {url: `${receiver.url}/new`}});
      }
      return ask(...args);
    },
  };
  const moving = {...service, core: {...service.core, store: {...store, deliveries}}};
  const worker = await startWorker(moving, {queueUrl: await testRedisUrl()});
  cleanUps.add(() => worker.close());
  await postStandups(workspace);
  worker.wake(workspace.id, {kind: 'fan-out'});
  await deliveryIn(workspace, pair, 'succeeded');
  const old = new Set<() => void>();
  receiver.respondWith(({path}) => {
    if (path === '/new') return 204;
    return old.size === 0 ? new Promise((resolve) => old.add(() => resolve(204))) : 500;
  });
  await postStandups(workspace, 8);
  worker.wake(workspace.id, {kind: 'fan-out'});
  await until(() => isMoved, {what: 'the webhook leads elsewhere'});
  for (const answer of old) answer();
  await receiver.waitFor(9);
  // The first delivery, and the two that were in progress.
  const paths = receiver.received.slice(0, 9).map(({path}) => path);
  expect(paths).toEqual([...Array<string>(3).fill('/'), ...Array<string>(6).fill('/new')]);
});

it('deliveries claimed in advance are returned when their receiver begins to hang, and no more are claimed', async () => {
  let isHanging = false;
  const answers: (() => void)[] = [];
  receiver.respondWith(() => (isHanging ? new Promise((resolve) => answers.push(() => resolve(204))) : 204));
  await postStandups(workspace);
  const worker = await addWorker();
  worker.wake(workspace.id, {kind: 'fan-out'});
  await deliveryIn(workspace, hook, 'succeeded');
  isHanging = true;
  await postStandups(workspace, 50);
  worker.wake(workspace.id, {kind: 'fan-out'});
  await until(() => answers.length === 16 || undefined, {what: '16 requests are on the wire'});
  await until(async () => (await call<number>('ZCARD', inflight())) === 16, {what: 'no more is held'});
  worker.wake(workspace.id, {kind: 'deliver', webhook: hook.suffix});
  isHanging = false;
  for (const answer of answers.splice(0)) answer();
  await receiver.waitFor(51);
  await until(async () => (await deliveriesOf(workspace, hook)).every(({state}) => state === 'succeeded'));
  expect((await deliveriesOf(workspace, hook)).every(({attempts}) => attempts === 1)).toBe(true);
  expect(receiver.received).toHaveLength(51);
});

it('a webhook that hangs does not delay another one', async () => {
  const healthy = await startReceiver();
  cleanUps.add(() => healthy.close());
  const hanging = holdAnswers();
  const sender = await startWorker(service, {queueUrl: await testRedisUrl(), timeoutMs: 30_000});
  cleanUps.add(() => sender.close());
  const quick = await addWebhook(workspace, healthy);
  await postStandups(workspace, 40);
  sender.wake(workspace.id, {kind: 'fan-out'});
  await receiver.waitFor(16);
  await healthy.waitFor(40);
  await until(async () => (await deliveriesOf(workspace, quick)).every(({state}) => state === 'succeeded'));
  // All requests to the hanging webhook still wait for their answers.
  expect(hanging.waiting()).toBe(16);
  expect(receiver.received).toHaveLength(16);
  hanging.answerAll();
});

it('regression: deliveries that wait when a worker stops are sent by the next worker', async () => {
  await postStandups(workspace, 20);
  await fanOutAll();
  const answers = holdAnswers();
  const deliver = startDeliver();
  await slice(deliver);
  await receiver.waitFor(16);
  const closed = deliver.close();
  answers.answerAll();
  await closed;
  // Four deliveries have not been sent, and no worker will record a result for them.
  expect(receiver.received).toHaveLength(16);
  expect(await lookAt(service, workspace, hook)).toBeDefined();
  await addWorker();
  await receiver.waitFor(20);
});

it('regression: a worker that stops renews its leases and records results until the last answer', async () => {
  await postStandups(workspace, 2);
  await fanOutAll();
  const answers = holdAnswers();
  const deliver = startDeliver();
  await slice(deliver);
  await until(() => answers.waiting() === 2 || undefined);
  const leaseEnd = async () =>
    Number((await call<string[]>('ZRANGE', inflight(), '0', '0', 'WITHSCORES'))[1]);
  const closed = deliver.close();
  const before = await leaseEnd();
  answers.answerOne();
  await until(async () => (await call('ZCARD', inflight())) === 1 || undefined, {
    what: 'the first answer is recorded',
  });
  await until(async () => (await leaseEnd()) > before + 500 || undefined, {
    what: 'the lease of the other one is renewed',
  });
  answers.answerAll();
  await closed;
  const states = (await deliveriesOf(workspace, hook)).map(({state, attempts}) => `${state} ${attempts}`);
  expect(states).toEqual(['succeeded 1', 'succeeded 1']);
});

it('regression: renewing the lease of a slow request does not postpone a retry that is due sooner', async () => {
  await postStandups(workspace, 2);
  const worker = await addWorker();
  const answers: ((status: number) => void)[] = [];
  receiver.respondWith(() => new Promise((resolve) => answers.push(resolve)));
  worker.wake(workspace.id, {kind: 'fan-out'});
  await receiver.waitFor(2);
  answers[0]?.(500);
  const retry = await until(async () =>
    (await deliveriesOf(workspace, hook)).find(({state}) => state === 'retrying'),
  );
  const due = Date.parse(retry.next_attempt_at);
  // The lease of the other delivery is renewed. The next check must not be later than the retry.
  await until(
    async () =>
      Number((await call<string[]>('ZRANGE', inflight(), '0', '0', 'WITHSCORES'))[1]) > due || undefined,
    {what: 'the lease reaches beyond the retry'},
  );
  expect(await lookAt(service, workspace, hook)).toBeLessThanOrEqual(due);
  receiver.respondWith(204);
  for (const answer of answers) answer(204);
  await makeDue(service, workspace, hook);
  await until(async () => (await deliveriesOf(workspace, hook)).every(({state}) => state === 'succeeded'));
});

it('regression: a delivery that is sent again by request after a lost attempt continues the count of attempts', async () => {
  await postStandups(workspace);
  await fanOutAll();
  const [lost] = (await claimOrRecord({leaseMs: 1})).claims;
  await until(async () => (await claimOrRecord({concurrency: 0})).nextAt !== undefined && (await isBack()), {
    what: 'the lease has run out',
  });
  const [{id}] = await deliveriesOf(workspace, hook);
  expect((await workspace.request('POST', `/v1/deliveries/${id}/redeliver`)).status).toBe(202);
  const [again] = (await claimOrRecord({})).claims;
  expect([lost?.attempt, again?.attempt]).toEqual([1, 2]);

  async function isBack(): Promise<boolean> {
    return (await call<number>('ZCARD', inflight())) === 0;
  }
});

it('regression: the record of a delivery that has expired is not written again by its last attempt', async () => {
  await postStandups(workspace);
  await fanOutAll();
  const [claim] = (await claimOrRecord({})).claims;
  if (claim === undefined) throw new Error('nothing was claimed');
  const keys = workspaceKeys(workspace.id);
  const kept = [keys.delivery(claim.suffix), blockKeyOf(keys, hook.suffix, claim.suffix)] as const;
  expect(await call<number>('DEL', ...kept)).toBe(1);
  await claimOrRecord({results: [{claim, state: 'expired', delayMs: 0, charge: 'none', counted: false}]});
  expect(await call<number>('EXISTS', ...kept)).toBe(0);
});
