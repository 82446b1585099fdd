import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {AppError} from '../../src/domain/core/errors.js';
import {createFanOutPerformer} from '../../src/jobs/fan-out.js';
import {createDeliveryPerformer} from '../../src/jobs/deliver.js';
import type {Deliveries} from '../../src/store/webhooks/deliveries.js';
import {createAddressPolicy} from '../../src/webhook/address.js';
import {createSender} from '../../src/webhook/sender.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {testRedisUrl} from '../support/redis-server.js';
import {until} from '../support/until.js';
import {
  addWebhook,
  createCleanUps,
  createJobContext,
  deliveriesOf,
  fanOutOnce,
  type JobWebhook,
  newDeadline,
  postStandups,
  startWorker,
} from './stage.js';

/* Tests what a worker does with the deliveries that the fan-out has claimed for it. */
const cleanUps = createCleanUps();
let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeEach(async () => {
  service = await startService({env: {ROLES: 'web'}});
  cleanUps.add(() => service.close());
  workspace = await service.addWorkspace();
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
});

afterEach(() => cleanUps.run());

type Requests = Parameters<Deliveries['recordAndClaim']>[1];

/** Starts a worker that has delivered one event to each webhook. `scripts`: what it has asked the store since. */
async function startProvenWorker(webhooks: number) {
  const {store} = service.core;
  const hooks: JobWebhook[] = [];
  for (let i = 0; i < webhooks; i++) hooks.push(await addWebhook(workspace, receiver));
  const scripts: Requests[] = [];
  const deliveries: Deliveries = {
    ...store.deliveries,
    recordAndClaim(...args) {
      scripts.push(args[1]);
      return store.deliveries.recordAndClaim(...args);
    },
  };
  const watched = {...service, core: {...service.core, store: {...store, deliveries}}};
  const worker = await startWorker(watched, {queueUrl: await testRedisUrl()});
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= worker.close());
  cleanUps.add(close);
  const fanOut = () => worker.wake(workspace.id, {kind: 'fan-out'});
  await postStandups(workspace);
  fanOut();
  await areAll('succeeded', 1);
  scripts.length = 0;

  /** Waits until each webhook has this many deliveries, all in one state. */
  async function areAll(state: string, count: number): Promise<void> {
    await until(
      async () => {
        const each = await Promise.all(hooks.map((hook) => deliveriesOf(workspace, hook)));
        return each.every((some) => some.length === count && some.every((one) => one.state === state));
      },
      {what: `${count} deliveries of each webhook are ${state}`},
    );
  }

  return {scripts, fanOut, areAll, close};
}

it('an event for ten webhooks needs no script that claims, and their results are recorded together', async () => {
  const {scripts, fanOut, areAll} = await startProvenWorker(10);
  const answers: (() => void)[] = [];
  receiver.respondWith(() => new Promise((resolve) => answers.push(() => resolve(204))));
  await postStandups(workspace);
  fanOut();
  await until(() => answers.length === 10, {what: 'all requests are in progress'});
  expect(scripts).toEqual([]);
  for (const answer of answers) answer();
  await areAll('succeeded', 2);
  const results = scripts.flatMap((requests) => requests.flatMap((request) => request.results));
  expect(results).toHaveLength(10);
  expect(scripts.length).toBeLessThan(10);
});

it('after a failure, the store decides again what may be sent, and the delivery is retried', async () => {
  const {scripts, fanOut} = await startProvenWorker(1);
  receiver.respondWith(500);
  await postStandups(workspace);
  fanOut();
  await until(() => scripts.length > 0, {what: 'the failure is recorded'});
  expect(scripts[0]).toMatchObject([{results: [{state: 'retrying', charge: 'failure'}]}]);
  receiver.respondWith(204);
  await postStandups(workspace);
  scripts.length = 0;
  fanOut();
  await receiver.waitFor(3);
  expect(scripts[0]).toMatchObject([{results: []}]);
});

it('a worker that closes after it was handed deliveries sends each of them once, or leaves it to the next worker', async () => {
  const {fanOut, areAll, close} = await startProvenWorker(3);
  await postStandups(workspace, 20);
  fanOut();
  await close();
  const next = await startWorker(service, {queueUrl: await testRedisUrl()});
  cleanUps.add(() => next.close());
  await areAll('succeeded', 21);
  expect(receiver.received).toHaveLength(63);
  const sent = new Set(receiver.received.map(({headers}) => headers['standup-delivery']));
  expect(sent.size).toBe(63);
});

it('two workers that fan out the same events keep to the concurrency of a webhook, and send each event once', async () => {
  const hook = await addWebhook(workspace, receiver, {concurrency: 2});
  const workers: Awaited<ReturnType<typeof startWorker>>[] = [];
  for (let i = 0; i < 2; i++) {
    const worker = await startWorker(service, {queueUrl: await testRedisUrl()});
    cleanUps.add(() => worker.close());
    workers.push(worker);
  }
  const wake = () => {
    for (const worker of workers) worker.wake(workspace.id, {kind: 'fan-out'});
  };
  let [flying, most] = [0, 0];
  receiver.respondWith(async () => {
    flying += 1;
    most = Math.max(most, flying);
    await new Promise((resolve) => setTimeout(resolve, 3));
    flying -= 1;
    return 204;
  });
  // Each event comes alone, so that a worker is often handed it.
  for (let i = 0; i < 60; i++) {
    await postStandups(workspace, 1 + (i % 2));
    wake();
  }
  await receiver.waitFor(90);
  await until(async () => (await deliveriesOf(workspace, hook)).every(({state}) => state === 'succeeded'), {
    what: 'all deliveries have succeeded',
  });
  expect(most).toBeLessThanOrEqual(2);
  expect(receiver.received).toHaveLength(90);
  expect(new Set(receiver.received.map(({headers}) => headers['standup-delivery'])).size).toBe(90);
});

/**
 * Fans out seven events to ten webhooks in two steps. `answerSecond` runs before the second answer. Returns the
 * number of deliveries that were handed over.
 */
async function fanOutInTwoSteps(answerSecond: (countHanded: () => number) => Promise<void>): Promise<number> {
  const {store} = service.core;
  for (let i = 0; i < 10; i++) await addWebhook(workspace, receiver);
  await postStandups(workspace, 7);
  // Otherwise, the first steps would find that the webhooks have changed.
  await store.subscriptions.fresh(workspace.id, newDeadline());
  let [steps, handed] = [0, 0];
  const deliveries: Deliveries = {
    ...store.deliveries,
    async fanOut(...args) {
      steps += 1;
      const isSecond = steps === 2;
      const result = await store.deliveries.fanOut(...args);
      if (isSecond) await answerSecond(() => handed);
      return result;
    },
  };
  const context = createJobContext(service, {store: {...store, deliveries}});
  const fanOut = createFanOutPerformer(context, () => true, undefined, {
    mayTake: () => true,
    take: (_, {claims}) => void (handed += claims.length),
  });
  await fanOut({
    workspace: workspace.id,
    work: {kind: 'fan-out'},
    until: newDeadline(),
    signal: new AbortController().signal,
  }).catch(() => undefined);
  return handed;
}

it('deliveries are handed over even if the next step of the fan-out fails', async () => {
  const handed = await fanOutInTwoSteps(() =>
    Promise.reject(new AppError('service_unavailable', 'The answer was lost.')),
  );
  expect(handed).toBe(60);
});

it('deliveries are handed over before the next step of the fan-out ends', async () => {
  let before = 0;
  const handed = await fanOutInTwoSteps(async (countHanded) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    before = countHanded();
  });
  expect(before).toBe(60);
  expect(handed).toBe(70);
});

it('a failed decision about a failing webhook stops no requests of webhooks whose results were recorded with it', async () => {
  const {store, services} = service.core;
  const hooks: JobWebhook[] = [];
  for (let i = 0; i < 3; i++) hooks.push(await addWebhook(workspace, receiver));
  const sender = createSender({
    policy: createAddressPolicy({allowNetworks: ['127.0.0.0/8']}),
    userAgent: 'test',
  });
  cleanUps.add(() => sender.close());
  const together: number[] = [];
  const deliveries: Deliveries = {
    ...store.deliveries,
    async recordAndClaim(...args) {
      together.push(args[1].length);
      const outcomes = await store.deliveries.recordAndClaim(...args);
      return outcomes.map((one) => ({...one, failureAction: 'warn' as const}));
    },
  };
  const webhookFailures = {
    ...services.webhookFailures,
    judgeWebhook: () => Promise.reject(new AppError('service_unavailable', 'Refused.')),
  };
  const context = createJobContext(service, {
    send: sender.send,
    store: {...store, deliveries},
    services: {...services, webhookFailures},
  });
  const slice = (webhook: JobWebhook['suffix']) =>
    deliver
      .perform({
        workspace: workspace.id,
        work: {kind: 'deliver', webhook},
        until: newDeadline(),
        signal: new AbortController().signal,
      })
      .catch(() => undefined);
  const deliver = createDeliveryPerformer(context, (_, work) => {
    if (work.kind === 'deliver') void slice(work.webhook);
  });
  const answers: (() => void)[] = [];
  receiver.respondWith(() => new Promise((resolve) => answers.push(() => resolve(204))));
  await postStandups(workspace);
  await fanOutOnce(service, workspace);
  for (const {suffix} of hooks) await slice(suffix);
  await until(() => answers.length === 3, {what: 'all requests are in progress'});
  await postStandups(workspace);
  await fanOutOnce(service, workspace);
  for (const answer of answers.splice(0)) answer();
  await until(() => together.includes(3), {what: 'the results are recorded together'});
  await receiver.waitFor(6, 5_000);
  for (const answer of answers.splice(0)) answer();
  receiver.respondWith(204);
  await deliver.close();
});
