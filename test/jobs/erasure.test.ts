import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {workspaceKeys} from '../../src/store/keys.js';
import {make} from '../api/samples.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {addWebhook, createCleanUps, deliveryIn, soon} from './stage.js';

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

it('what a receiver has repeated of a person goes when the person is erased; that there was an attempt stays', async () => {
  receiver.respondWith(({body}) => ({status: 200, body: `got ${body.toString()}`}));
  const hook = await addWebhook(workspace, receiver, {events: ['member.*']});
  const {id} = await make(workspace, '/v1/members', {name: 'Somebody in particular'});
  const delivery = await deliveryIn(workspace, hook, 'succeeded');
  const attempts = `/v1/deliveries/${delivery.id}/attempts`;
  const before = await workspace.request('GET', attempts);
  expect(before.text).toContain('Somebody in particular');

  expect((await workspace.request('DELETE', `/v1/members/${id}?erase=true`)).status).toBe(204);
  const {connection} = service.core.store;
  const ready = workspaceKeys(workspace.id).ready();
  await until(
    async () => {
      const work = await connection.call<string[]>(soon(), ['ZRANGE', ready, '0', '-1']);
      return work.every((name) => !name.startsWith('forget-member'));
    },
    {what: 'the person is forgotten'},
  );
  const after = await workspace.request('GET', attempts);
  expect(after.body.data).toEqual([{...before.body.data[0], response_excerpt: null}]);
});
