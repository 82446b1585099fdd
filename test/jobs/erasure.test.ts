import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {make} from '../api/samples.js';
import {dumpRedis} from '../store/dump.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {addWebhook, createCleanUps, deliveryIn, newDeadline} from './stage.js';

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

/** Erases the member and waits for the end of the erasure. */
async function erase(member: string): Promise<void> {
  expect((await workspace.request('DELETE', `/v1/members/${member}?erase=true`)).status).toBe(204);
  const {connection} = service.core.store;
  const ready = workspaceKeys(workspace.id).ready();
  await until(
    async () => {
      const work = await connection.call<string[]>(newDeadline(), ['ZRANGE', ready, '0', '-1']);
      return work.every((name) => !name.startsWith('forget-member'));
    },
    {what: 'the person is forgotten'},
  );
}

it('text of an erased member that a receiver repeated is erased from the attempt, whose record stays', async () => {
  receiver.respondWith(({body}) => ({status: 200, body: `got ${body.toString()}`}));
  const hook = await addWebhook(workspace, receiver, {events: ['member.*']});
  const {id} = await make(workspace, '/v1/members', {name: 'Somebody in particular'});
  const delivery = await deliveryIn(workspace, hook, 'succeeded');
  const attempts = `/v1/deliveries/${delivery.id}/attempts`;
  const before = await workspace.request('GET', attempts);
  expect(before.text).toContain('Somebody in particular');

  await erase(id);
  const after = await workspace.request('GET', attempts);
  expect(after.body.data).toEqual([{...before.body.data[0], request: null, response: null}]);
});

it('regression: text of an erased member that a receiver repeats after the erasure is not stored', async () => {
  let answer = (): void => undefined;
  const erased = new Promise<void>((resolve) => {
    answer = resolve;
  });
  receiver.respondWith(async ({body}) => {
    await erased;
    return {status: 200, body: `got ${body.toString()}`};
  });
  const hook = await addWebhook(workspace, receiver, {events: ['member.joined']});
  const {id} = await make(workspace, '/v1/members', {name: 'Somebody in particular'});
  const [sent] = await receiver.waitFor(1);
  expect(sent?.body.toString()).toContain('Somebody in particular');
  await erase(id);
  answer();
  const delivery = await deliveryIn(workspace, hook, 'succeeded');
  const {body} = await workspace.request('GET', `/v1/deliveries/${delivery.id}/attempts`);
  expect(body.data).toEqual([expect.objectContaining({status: 200, request: null, response: null})]);
  expect((await dumpRedis(service.redisUrl)).text).not.toContain('Somebody in particular');
});

it('responses are stored again when no request sent before an erasure can still be answered', async () => {
  receiver.respondWith(({body}) => ({status: 200, body: `got ${body.toString()}`}));
  const hook = await addWebhook(workspace, receiver, {events: ['team.*']});
  const {id} = await make(workspace, '/v1/members', {name: 'Somebody'});
  await erase(id);
  const said = async () => {
    const {body} = await workspace.request('POST', `/v1/webhooks/${hook.id}/test`);
    const attempts = `/v1/deliveries/${body.id}/attempts`;
    const [attempt] = await until(
      async () => {
        const {data} = (await workspace.request('GET', attempts)).body;
        return data.length > 0 ? data : undefined;
      },
      {what: 'the attempt is recorded'},
    );
    return attempt.response?.body ?? null;
  };
  expect(await said()).toBeNull();
  // Moves the time until which responses are not stored into the past.
  const state = workspaceKeys(workspace.id).webhookState(hook.suffix);
  const {connection} = service.core.store;
  const forgotten = Number(await connection.call<string>(newDeadline(), ['HGET', state, 'forgotten']));
  expect(forgotten - Date.now()).toBeLessThan(10_000);
  await connection.call(newDeadline(), ['HSET', state, 'forgotten', String(forgotten - 10_000)]);
  expect(await said()).toMatch(/^got \{/);
});
