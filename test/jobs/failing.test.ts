import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import {failingLimits} from '../../src/domain/webhooks/webhook-failing.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {
  addWebhook,
  createCleanUps,
  deliveriesOf,
  deliveryIn,
  type JobWebhook,
  postStandups,
  newDeadline,
} from './stage.js';

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

/** Stores that the webhook has failed for `ms`. Returns the time at which the failure began. */
async function failFor({suffix}: JobWebhook, ms: number, attempts: number): Promise<number> {
  const since = service.core.store.clock.now() - ms;
  const key = workspaceKeys(workspace.id).webhookState(suffix);
  const fields = ['failing', String(since), 'failed', String(attempts)];
  await service.core.store.connection.call(newDeadline(), ['HSET', key, ...fields]);
  return since;
}

const judge = ({suffix}: JobWebhook) =>
  service.core.services.webhookFailures.judgeWebhook(workspace.operator(), suffix);

async function eventsOf(type: string): Promise<Json[]> {
  const {body} = await workspace.request('GET', '/v1/events?limit=100');
  return body.data.filter((event: Json) => event.type === type);
}

async function show({id}: JobWebhook): Promise<Json> {
  return (await workspace.request('GET', `/v1/webhooks/${id}`)).body;
}

const halfWay = [failingLimits.warn.ms, failingLimits.warn.attempts] as const;
const tooLong = [failingLimits.disable.ms, failingLimits.disable.attempts] as const;

describe('a webhook that has failed for half of the time until it is disabled', () => {
  it('causes one event with the start of the failure, sent to every other webhook', async () => {
    const observer = await startReceiver();
    cleanUps.add(() => observer.close());
    await addWebhook(workspace, observer, {events: ['webhook.*']});
    const hook = await addWebhook(workspace, receiver, {events: ['webhook.*']});
    const since = await failFor(hook, ...halfWay);
    await Promise.all(Array.from({length: 20}, () => judge(hook)));
    await judge(hook);

    const failing = await eventsOf('webhook.failing');
    expect(failing).toHaveLength(1);
    expect(failing[0]).toMatchObject({
      data: {id: hook.id, enabled: true, failing_since: new Date(since).toISOString()},
    });
    const deliveries = await observer.waitFor((all) =>
      all.some(({body}) => body.includes('webhook.failing')),
    );
    expect(deliveries.map(({body}) => JSON.parse(body.toString())).at(-1)).toEqual(failing[0]);
    expect(receiver.received.filter(({body}) => body.includes(hook.id))).toEqual([]);
    expect(await show(hook)).toMatchObject({enabled: true, revision: 1});
  });

  it('causes no event before that time, however many attempts have failed', async () => {
    const hook = await addWebhook(workspace, receiver);
    await failFor(hook, halfWay[0] - 60_000, 1_000);
    await judge(hook);
    expect(await eventsOf('webhook.failing')).toEqual([]);
  });
});

describe('a webhook after five days without a success', () => {
  it('is disabled once, with the reason `failing`', async () => {
    const hook = await addWebhook(workspace, receiver);
    await failFor(hook, ...tooLong);
    await Promise.all(Array.from({length: 20}, () => judge(hook)));
    const disabled = await eventsOf('webhook.disabled');
    expect(disabled).toHaveLength(1);
    const [event] = disabled;
    expect(event).toMatchObject({
      data: {id: hook.id, enabled: false, disabled_reason: 'failing'},
      previous_attributes: {enabled: true, disabled_reason: null, disabled_at: null},
    });
    const shown = await show(hook);
    expect(shown).toEqual(event.data);
    expect(Math.abs(Date.parse(shown.disabled_at) - Date.parse(event.timestamp))).toBeLessThan(2_000);
  });

  it('keeps the reason `user` if its owner disabled it first', async () => {
    const hook = await addWebhook(workspace, receiver);
    await failFor(hook, ...tooLong);
    await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {enabled: false}});
    await judge(hook);
    expect(await show(hook)).toMatchObject({enabled: false, disabled_reason: 'user', revision: 2});
    expect(await eventsOf('webhook.disabled')).toMatchObject([{data: {disabled_reason: 'user'}}]);
  });
});

describe('the failure of a webhook during deliveries', () => {
  /** Lets `ms` pass for a failing webhook by changing the stored time at which the failure began. */
  async function failAndPost(hook: JobWebhook, ms: number, attempts: number): Promise<void> {
    await failFor(hook, ms, attempts);
    await postStandups(workspace);
  }

  it('causes a warning, then disables the webhook, and counts from zero once the webhook is enabled', async () => {
    receiver.respondWith(500);
    const hook = await addWebhook(workspace, receiver);
    await failAndPost(hook, ...halfWay);
    await until(async () => (await eventsOf('webhook.failing')).length === 1, {what: 'it is reported'});
    await failAndPost(hook, ...tooLong);
    await until(async () => (await show(hook)).disabled_reason === 'failing', {what: 'it was disabled'});
    expect(await eventsOf('webhook.failing')).toHaveLength(1);

    const [pending] = await deliveriesOf(workspace, hook);
    expect(pending.state).toBe('held');
    await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {enabled: true}});
    // The first retry comes within 6 s.
    await receiver.waitFor(3);
    expect(await show(hook)).toMatchObject({enabled: true, disabled_reason: null, disabled_at: null});
    expect(await eventsOf('webhook.disabled')).toHaveLength(1);

    await failAndPost(hook, ...halfWay);
    await until(async () => (await eventsOf('webhook.failing')).length === 2, {what: 'it is reported again'});
  });

  it('has no effect if the next delivery succeeds', async () => {
    const hook = await addWebhook(workspace, receiver);
    await failAndPost(hook, ...tooLong);
    await deliveryIn(workspace, hook, 'succeeded');
    expect(await show(hook)).toMatchObject({enabled: true});
  });

  it('is not reset by a change of the webhook that keeps its address', async () => {
    receiver.respondWith(500);
    const hook = await addWebhook(workspace, receiver);
    await failFor(hook, ...halfWay);
    await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {description: 'Renamed'}});
    await judge(hook);
    expect(await eventsOf('webhook.failing')).toHaveLength(1);
  });
});
