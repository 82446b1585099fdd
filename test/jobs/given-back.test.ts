import type {KnownEvents} from '../../src/jobs/known-events.js';
import type {Store} from '../../src/store/store.js';
import {afterEach, beforeEach, expect, it} from '@jest/globals';
import type {Deliver} from '../../src/jobs/deliver.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {
  addWebhook,
  createCleanUps,
  createPerformer,
  deliveryIn,
  fanOutOnce,
  type JobWebhook,
  postStandups,
  newDeadline,
} from './stage.js';

/**
 * Tests a worker that claims deliveries and does not send them. The test decides whether answers of the store
 * arrive.
 */
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

function startDeliver(changes: Partial<Store> = {}, known?: Partial<KnownEvents>): Deliver {
  const store = {...service.core.store, ...changes};
  const {deliver, close} = createPerformer(service, {store}, known as KnownEvents);
  cleanUps.add(close);
  return deliver;
}

function slice({perform}: Deliver) {
  return perform({
    workspace: workspace.id,
    work: {kind: 'deliver', webhook: hook.suffix},
    until: performance.now() + 500,
    signal: new AbortController().signal,
  });
}

it('regression: a worker that does not know whether it has returned a lease takes no lease from another worker', async () => {
  const {deliveries} = service.core.store;
  let lost = 0;
  const first = startDeliver(
    {
      deliveries: {
        ...deliveries,
        async recordAndClaim(id, requests, leaseMs, deadline) {
          const givesBack = requests.some(({results}) => results.some(({state}) => state === 'returned'));
          if (!givesBack || lost > 0) return deliveries.recordAndClaim(id, requests, leaseMs, deadline);
          const none = requests.map((request) => ({...request, concurrency: 0}));
          await deliveries.recordAndClaim(id, none, leaseMs, deadline);
          lost += 1;
          throw new Error('the answer is lost');
        },
      },
    },
    // Without the events in memory, the worker claims deliveries and returns them.
    {find: () => undefined, hasMade: () => true},
  );
  let answer: () => void = () => undefined;
  const answered = new Promise<204>((resolve) => (answer = () => resolve(204)));
  receiver.respondWith(() => answered);
  await postStandups(workspace);
  await fanOutOnce(service, workspace);
  await expect(slice(first)).rejects.toThrow('lost');
  const second = startDeliver();
  await slice(second);
  await receiver.waitFor(1);

  await slice(first);
  answer();
  await Promise.all([first.close(), second.close()]);
  await deliveryIn(workspace, hook, 'succeeded');
  expect(receiver.received).toHaveLength(1);
});

it('regression: a delivery is still sent if its process drops the event from memory before reading it again', async () => {
  const {events} = service.core.store;
  await postStandups(workspace);
  await fanOutOnce(service, workspace);
  const [entry] = (await events.listAfter(workspace.id, 0, 100, newDeadline())).slice(-1);
  let isForgotten = entry === undefined;
  const deliver = startDeliver(
    {
      events: {
        ...events,
        async renderRead(...asked) {
          if (isForgotten) return events.renderRead(...asked);
          isForgotten = true;
          throw new SyntaxError('a record that cannot be read');
        },
      },
    },
    {
      find: () => (entry && !isForgotten ? {entry, read: Promise.resolve()} : undefined),
      hasMade: () => true,
    },
  );
  await slice(deliver);
  await deliver.close();
  expect(await deliveryIn(workspace, hook, 'succeeded')).toMatchObject({attempts: 1});
});
