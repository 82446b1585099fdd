// Deliveries that wait for a receiver are sent early on request, when it has been repaired.
import type {RedisCommand} from '../../src/store/core/connection.js';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {limits} from '../../src/domain/core/limits.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {expectProblem} from '../api/http/expect-problem.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {addWebhook, createCleanUps, deliveriesOf, type JobWebhook, postStandups} from './stage.js';

const cleanUps = createCleanUps();
let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let hook: JobWebhook;

beforeAll(async () => {
  service = await startService();
});

beforeEach(async () => {
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  workspace = await service.addWorkspace();
  receiver.respondWith(503);
  hook = await addWebhook(workspace, receiver, {retry_schedule: [3_600]});
});

afterEach(() => cleanUps.run());

afterAll(() => service.close());

const tryNow = () => workspace.request('POST', `/v1/webhooks/${hook.id}/try`);

const health = async (): Promise<Json> =>
  (await workspace.request('GET', `/v1/webhooks/${hook.id}/health`)).body;

/** Posts standups one after another, and waits until each has failed once. */
async function failEach(count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    await postStandups(workspace);
    await until(async () => (await health()).consecutive_failures === n, {what: `${n} attempts failed`});
  }
}

async function allEnd(state: string, attempts: number): Promise<void> {
  const isSo = (delivery: Json) => delivery.state === state && delivery.attempts === attempts;
  await until(async () => (await deliveriesOf(workspace, hook)).every(isSo), {
    what: `all are ${state} after ${attempts} attempts`,
  });
}

describe('a request to try a webhook now', () => {
  it('sends waiting retries at once, and returns their new time', async () => {
    await failEach(3);
    receiver.respondWith(204);
    const before = Date.now();
    expect(Date.parse((await health()).backlog.next_attempt_at)).toBeGreaterThan(before + 2_000_000);
    const {status, body} = await tryNow();
    expect([status, body.object, body.backlog.pending]).toEqual([202, 'webhook_health', 3]);
    expect(Date.parse(body.backlog.next_attempt_at)).toBeLessThan(before + 60_000);
    await allEnd('succeeded', 2);
    expect((await health()).backlog).toMatchObject({pending: 0, next_attempt_at: null});
  });

  it('sends one probe if the breaker is open, and waiting deliveries once the probe has succeeded', async () => {
    await failEach(5);
    await postStandups(workspace, 4);
    await until(async () => (await health()).backlog.pending === 9);
    const sent = receiver.received.length;
    expect((await tryNow()).status).toBe(202);
    await until(async () => (await health()).consecutive_failures === 6, {what: 'the probe has failed'});
    // The probe failed, so no other delivery was sent, and the next probe keeps its time.
    expect(receiver.received).toHaveLength(sent + 1);
    const {breaker} = await health();
    expect(Date.parse(breaker.next_probe_at) - Date.parse(breaker.opened_at)).toBe(60_000);

    receiver.respondWith(204);
    const {body} = await tryNow();
    expect(Date.parse(body.breaker.next_probe_at)).toBeLessThan(Date.parse(breaker.next_probe_at));
    await until(async () => (await health()).breaker.state === 'closed', {what: 'the breaker is closed'});
    await until(async () => (await deliveriesOf(workspace, hook)).every(({state}) => state === 'succeeded'));
    expect(receiver.received).toHaveLength(sent + 10);
  });

  it('restarts the retry schedule of each delivery', async () => {
    await failEach(1);
    for (let n = 2; n <= 4; n += 1) {
      await tryNow();
      await until(async () => (await health()).consecutive_failures === n, {what: `${n} attempts failed`});
      await allEnd('retrying', n);
    }
  });

  it('is refused while the webhook is disabled, and sends nothing', async () => {
    await failEach(1);
    await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {enabled: false}});
    expectProblem(await tryNow(), 'webhook_disabled');
    expect(receiver.received).toHaveLength(1);
  });

  it('sends nothing if no delivery waits', async () => {
    const {status, body} = await tryNow();
    expect([status, body.backlog.next_attempt_at]).toEqual([202, null]);
    expect(receiver.received).toEqual([]);
  });

  it(`makes the first ${limits.triedAtOnce} waiting deliveries due, and leaves the others as they were`, async () => {
    const web = await startService({env: {ROLES: 'web'}});
    cleanUps.add(() => web.close());
    const quiet = await web.addWorkspace();
    const idle = await addWebhook(quiet, receiver);
    const {connection} = web.core.store;
    const pending = workspaceKeys(quiet.id).pending(idle.suffix);
    const later = Date.now() + 3_600_000;
    const waiting = Array.from({length: limits.triedAtOnce + 2}, (_, n) => [
      String(later + n),
      String(n).padStart(16, '0'),
    ]);
    const call = (command: RedisCommand) => connection.call<string[]>(performance.now() + 5_000, command);
    await call(['ZADD', pending, ...waiting.flat()]);
    expect((await quiet.request('POST', `/v1/webhooks/${idle.id}/try`)).status).toBe(202);
    const names = waiting.map(([, name]) => name);
    expect(await call(['ZRANGE', pending, '0', '-1'])).toEqual(names);
    expect(await call(['ZRANGE', pending, String(later), '+inf', 'BYSCORE'])).toEqual(names.slice(-2));
  });
});
