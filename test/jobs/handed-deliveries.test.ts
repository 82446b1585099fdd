import {afterEach, beforeEach, expect, it} from '@jest/globals';
import type {Deliveries} from '../../src/store/webhooks/deliveries.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {testRedisUrl} from '../support/redis-server.js';
import {until} from '../support/until.js';
import {
  addWebhook,
  createCleanUps,
  deliveriesOf,
  type JobWebhook,
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
