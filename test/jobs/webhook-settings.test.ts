import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {
  type ReceivedRequest,
  type Receiver,
  startReceiver,
  checkPublicKeySignatures,
  verifyWebhook,
} from '../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {testCertificate} from '../webhook/certificate.js';
import {until} from '../support/until.js';
import {
  addWebhook,
  createCleanUps,
  deliveriesOf,
  deliveryIn,
  type JobWebhook,
  lookAt,
  postStandups,
  waitOf,
} from './stage.js';

const cleanUps = createCleanUps();
let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService();
});

beforeEach(async () => {
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  workspace = await service.addWorkspace();
});

afterEach(() => cleanUps.run());

afterAll(() => service.close());

const bodyOf = ({body}: ReceivedRequest): Json => JSON.parse(body.toString());

/** Posts a standup and returns its delivery. */
async function nextDelivery(): Promise<ReceivedRequest> {
  const before = receiver.received.length;
  await postStandups(workspace);
  const sent = (await receiver.waitFor(before + 1))[before];
  if (sent === undefined) throw new Error('nothing came');
  return sent;
}

describe('a thin payload', () => {
  it('is the event with only the id and type of its resource, and is signed in this form', async () => {
    const hook = await addWebhook(workspace, receiver, {payload: 'thin'});
    const sent = await nextDelivery();
    const {body: event} = await workspace.request('GET', `/v1/events/${sent.id}`);
    const {data, ...head} = event;
    expect(bodyOf(sent)).toEqual({...head, data: {id: data.id, object: 'standup'}});
    expect(Object.keys(bodyOf(sent))).toEqual(Object.keys(event));
    expect(verifyWebhook(sent, hook.secret)).toEqual(bodyOf(sent));
  });

  it('does not contain the values that a change replaced', async () => {
    await addWebhook(workspace, receiver, {payload: 'thin', events: ['standup.updated']});
    const posted = await workspace.request('POST', '/v1/standups', {
      body: {team: 'platform', update: 'One.'},
    });
    await workspace.request('PATCH', `/v1/standups/${posted.body.id}`, {body: {update: 'Two.'}});
    const [sent] = await receiver.waitFor(1);
    const {body: event} = await workspace.request('GET', `/v1/events/${sent?.id}`);
    expect(event.previous_attributes).toEqual({update: 'One.', edited: false});
    expect(sent?.body.toString()).not.toContain('One.');
    expect(sent && bodyOf(sent)).not.toHaveProperty('previous_attributes');
  });

  it('applies only to the webhook with this setting, from its next delivery on', async () => {
    const full = await startReceiver();
    cleanUps.add(() => full.close());
    const hook = await addWebhook(workspace, receiver);
    await addWebhook(workspace, full);
    expect(bodyOf(await nextDelivery()).data.update).toBeDefined();
    await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {payload: 'thin'}});
    expect(bodyOf(await nextDelivery()).data.update).toBeUndefined();
    expect((await full.waitFor(2)).map((sent) => bodyOf(sent).data.update)).toEqual(['Update 0', 'Update 0']);
  });
});

it('a webhook that asks for plain text gets it beside the text, and the same bytes at each attempt', async () => {
  await addWebhook(workspace, receiver, {plain_text: true, retry_schedule: [1, 1]});
  receiver.respondWith(500);
  const update = '**Done**: `npm test`';
  await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update, format: 'markdown'}});
  const [first, second] = await receiver.waitFor(2);
  expect(bodyOf(first!).data).toMatchObject({update, format: 'markdown', update_plain: 'Done: npm test'});
  expect(second!.body.equals(first!.body)).toBe(true);
});

describe('the signatures of a delivery', () => {
  it('are v1 only, unless the webhook sets more versions', async () => {
    const hook = await addWebhook(workspace, receiver);
    expect((await nextDelivery()).headers['webhook-signature']).toMatch(/^v1,\S+$/);
    await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {signature_versions: ['v1', 'v1a']}});
    expect((await nextDelivery()).headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
  });

  it("can be verified by v1a with the webhook's public key, and by v1 with the official library", async () => {
    const hook = await addWebhook(workspace, receiver, {signature_versions: ['v1', 'v1a']});
    const {body} = await workspace.request('GET', `/v1/webhooks/${hook.id}`);
    const sent = await nextDelivery();
    expect(checkPublicKeySignatures(sent, body.public_key)).toEqual([true]);
    expect(checkPublicKeySignatures({...sent, body: Buffer.from(`${sent.body} `)}, body.public_key)).toEqual([
      false,
    ]);
    expect(verifyWebhook(sent, hook.secret)).toEqual(bodyOf(sent));
  });

  it('include v1a with the old and the new key pair during a rotation of the secret', async () => {
    const hook = await addWebhook(workspace, receiver, {signature_versions: ['v1', 'v1a']});
    const {body: before} = await workspace.request('GET', `/v1/webhooks/${hook.id}`);
    const {body: after} = await workspace.request('POST', `/v1/webhooks/${hook.id}/rotate-secret`);
    const sent = await nextDelivery();
    expect(checkPublicKeySignatures(sent, after.public_key)).toEqual([true, false]);
    expect(checkPublicKeySignatures(sent, before.public_key)).toEqual([false, true]);
  });
});

describe('the TLS settings of a webhook', () => {
  it('apply from the next delivery on, and let it reach a receiver with a self-signed certificate', async () => {
    const own = await startReceiver({tls: testCertificate});
    cleanUps.add(() => own.close());
    const hook = await addWebhook(workspace, own, {retry_schedule: []});
    await postStandups(workspace);
    const failed = await deliveryIn(workspace, hook, 'exhausted', 1);
    expect(failed.last_attempt).toMatchObject({status: null, error: 'tls_failed'});
    for (const tls of [{verify: false}, {ca: testCertificate.cert, verify: true}]) {
      await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {tls}});
      await postStandups(workspace);
      const sent = await deliveryIn(workspace, hook, 'succeeded', 1);
      expect(sent.last_attempt).toMatchObject({status: 204, error: null});
    }
  });
});

describe("a webhook's own retry schedule", () => {
  it('makes a retry wait as long as the schedule says, ± 20 %', async () => {
    receiver.respondWith(500);
    const hook = await addWebhook(workspace, receiver, {retry_schedule: [3_600]});
    await postStandups(workspace);
    const wait = waitOf(await deliveryIn(workspace, hook, 'retrying', 1));
    expect(wait).toBeGreaterThan(3_600_000 * 0.8 - 2);
    expect(wait).toBeLessThan(3_600_000 * 1.2 + 2_000);
  });

  it('allows one attempt if the list of waits is empty', async () => {
    receiver.respondWith(500);
    const hook = await addWebhook(workspace, receiver, {retry_schedule: []});
    await postStandups(workspace);
    expect(await deliveryIn(workspace, hook, 'exhausted', 1)).toMatchObject({next_attempt_at: null});
  });
});

describe('the header standup-sequence', () => {
  it('counts the events of one webhook, unlike `sequence`, and is the same in every attempt', async () => {
    await addWebhook(workspace, receiver, {events: ['standup.deleted']});
    receiver.respondWith(({headers}) => (headers['standup-attempt'] === '1' ? 500 : 204));
    for (let i = 0; i < 3; i++) {
      const {body} = await workspace.request('POST', '/v1/standups', {
        body: {team: 'platform', update: 'A.'},
      });
      await workspace.request('DELETE', `/v1/standups/${body.id}`);
    }
    const sent = await receiver.waitFor((all) => new Set(all.map(({id}) => id)).size === 3);
    const numbers = sent.toSorted((a, b) => bodyOf(a).sequence - bodyOf(b).sequence);
    expect(numbers.map(({headers}) => headers['standup-sequence'])).toEqual(['1', '2', '3']);
    const [first] = numbers;
    await workspace.request('POST', `/v1/deliveries/${first?.headers['standup-delivery']}/redeliver`);
    const again = (await receiver.waitFor((all) => all.length > 3)).at(-1);
    expect(again?.headers).toMatchObject({'standup-attempt': '2', 'standup-sequence': '1'});
  });
});

describe('the pace of a webhook', () => {
  const statesOf = async (hook: JobWebhook): Promise<string[]> =>
    (await deliveriesOf(workspace, hook)).map(({state}) => state);

  it('is limited by `concurrency` to a number of requests at a time, which can be changed at once', async () => {
    const answers: (() => void)[] = [];
    receiver.respondWith(() => new Promise((resolve) => answers.push(() => resolve(204))));
    const hook = await addWebhook(workspace, receiver, {concurrency: 2});
    await postStandups(workspace, 7);
    await receiver.waitFor(2);
    await until(async () => (await statesOf(hook)).length === 7);
    expect((await statesOf(hook)).toSorted()).toEqual([
      'delivering',
      'delivering',
      ...Array.from({length: 5}, () => 'pending'),
    ]);
    await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {concurrency: 4}});
    answers.shift()?.();
    await receiver.waitFor(5);
    expect(answers).toHaveLength(4);
    // Deliveries that were claimed in advance, before the first answer, are returned.
    const isOut = (state: string): boolean => state === 'delivering';
    await until(async () => (await statesOf(hook)).filter(isOut).length === 4);
    await until(async () => {
      for (const answer of answers.splice(0)) answer();
      return (await statesOf(hook)).every((state) => state === 'succeeded');
    });
  });

  it('is limited by `throttle` to a number of requests in a period, without using up attempts', async () => {
    const hook = await addWebhook(workspace, receiver, {throttle: {max: 2, per_seconds: 3_600}});
    await postStandups(workspace, 5);
    await until(async () => (await statesOf(hook)).filter((state) => state === 'succeeded').length === 2);
    await until(async () => ((await lookAt(service, workspace, hook)) ?? 0) > Date.now() + 3_000_000);
    const waiting = (await deliveriesOf(workspace, hook)).filter(({state}) => state === 'pending');
    expect(waiting.map(({attempts}) => attempts)).toEqual([0, 0, 0]);
    expect(receiver.received).toHaveLength(2);
    await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {throttle: null}});
    await receiver.waitFor(5);
  });

  it('is limited by `ordering: per_team` to the time after a retried event, in its team only', async () => {
    await workspace.request('POST', '/v1/teams', {body: {slug: 'other', name: 'Other'}});
    receiver.respondWith((sent) => (bodyOf(sent).data.update === 'Refused.' ? 500 : 204));
    const hook = await addWebhook(workspace, receiver, {ordering: 'per_team'});
    for (const [team, update] of [
      ['platform', 'Refused.'],
      ['platform', 'Behind it.'],
      ['other', 'Beside it.'],
    ]) {
      await workspace.request('POST', '/v1/standups', {body: {team, update}});
    }
    await until(async () => (await statesOf(hook)).toSorted().join() === 'pending,retrying,succeeded');
    expect(receiver.received.map((sent) => bodyOf(sent).data.update).toSorted()).toEqual([
      'Beside it.',
      'Refused.',
    ]);
    await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {ordering: null}});
    const sent = await receiver.waitFor((all) => all.some((one) => bodyOf(one).data.update === 'Behind it.'));
    expect(sent).toHaveLength(3);
  });
});
