import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {addWebhook, createCleanUps, deliveryIn, postStandups} from './stage.js';

const cleanUps = createCleanUps();
let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeEach(async () => {
  service = await startService();
  cleanUps.add(() => service.close());
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  workspace = await service.addWorkspace();
});

afterEach(() => cleanUps.run());

const numbers = () => receiver.received.map(({headers}) => Number(headers['standup-sequence']));

it('standup-sequence counts the events of a webhook without a gap, whatever happens that it does not ask for', async () => {
  await addWebhook(workspace, receiver);
  for (let i = 0; i < 3; i++) {
    await postStandups(workspace, 2);
    await workspace.request('PATCH', '/v1/teams/platform', {body: {name: `Platform ${i}`}});
  }
  await receiver.waitFor(6);
  expect(numbers().toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
  const bySequence = receiver.received
    .map(({body, headers}) => [JSON.parse(body.toString()).sequence, Number(headers['standup-sequence'])])
    .toSorted(([a], [b]) => a - b);
  expect(bySequence.map(([, number]) => number)).toEqual([1, 2, 3, 4, 5, 6]);
});

it('every attempt of a delivery has the same standup-sequence', async () => {
  receiver.respondWith(500);
  const hook = await addWebhook(workspace, receiver, {retry_schedule: [1]});
  await postStandups(workspace);
  const {id} = await deliveryIn(workspace, hook, 'exhausted', 2);
  await workspace.request('POST', `/v1/deliveries/${id}/redeliver`);
  await receiver.waitFor(3);
  expect(numbers()).toEqual([1, 1, 1]);
});
