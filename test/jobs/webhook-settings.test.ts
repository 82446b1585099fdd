import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import {type Delivery, type Receiver, startReceiver, verifiedBy, verify} from '../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {testCertificate} from '../webhook/certificate.js';
import {addWebhook, createCleanUps, deliveryIn, postStandups, waitOf} from './stage.js';

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

const bodyOf = ({body}: Delivery): Json => JSON.parse(body.toString());

/** What arrives for the next standup. */
async function nextDelivery(): Promise<Delivery> {
  const before = receiver.received.length;
  await postStandups(workspace);
  const sent = (await receiver.waitFor(before + 1))[before];
  if (sent === undefined) throw new Error('nothing came');
  return sent;
}

describe('a thin payload', () => {
  it('is the event without what its resource says, signed as it is sent', async () => {
    const hook = await addWebhook(workspace, receiver, {payload: 'thin'});
    const sent = await nextDelivery();
    const {body: event} = await workspace.request('GET', `/v1/events/${sent.id}`);
    const {data, ...head} = event;
    expect(bodyOf(sent)).toEqual({...head, data: {id: data.id, object: 'standup'}});
    expect(Object.keys(bodyOf(sent))).toEqual(Object.keys(event));
    expect(verify(sent, hook.secret)).toEqual(bodyOf(sent));
  });

  it('does not say what a change replaced', async () => {
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

  it('counts for one webhook alone, from the next claim on', async () => {
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

describe('signatures', () => {
  it('are v1 alone unless a webhook asks for more', async () => {
    const hook = await addWebhook(workspace, receiver);
    expect((await nextDelivery()).headers['webhook-signature']).toMatch(/^v1,\S+$/);
    await workspace.request('PATCH', `/v1/webhooks/${hook.id}`, {body: {signature_versions: ['v1', 'v1a']}});
    expect((await nextDelivery()).headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
  });

  it('by v1a are verified with the public key that the webhook shows, and the official library takes the v1 beside them', async () => {
    const hook = await addWebhook(workspace, receiver, {signature_versions: ['v1', 'v1a']});
    const {body} = await workspace.request('GET', `/v1/webhooks/${hook.id}`);
    const sent = await nextDelivery();
    expect(verifiedBy(sent, body.public_key)).toEqual([true]);
    expect(verifiedBy({...sent, body: Buffer.from(`${sent.body} `)}, body.public_key)).toEqual([false]);
    expect(verify(sent, hook.secret)).toEqual(bodyOf(sent));
  });

  it('by v1a are made with both pairs of keys while a secret is being rotated', async () => {
    const hook = await addWebhook(workspace, receiver, {signature_versions: ['v1', 'v1a']});
    const {body: before} = await workspace.request('GET', `/v1/webhooks/${hook.id}`);
    const {body: after} = await workspace.request('POST', `/v1/webhooks/${hook.id}/rotate-secret`);
    const sent = await nextDelivery();
    expect(verifiedBy(sent, after.public_key)).toEqual([true, false]);
    expect(verifiedBy(sent, before.public_key)).toEqual([false, true]);
  });
});

describe('TLS settings', () => {
  it('count from the next delivery on: a receiver with a certificate of its own is reached with them alone', async () => {
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

describe('a retry schedule', () => {
  it('of its own makes a webhook wait for as long as it says, ± 20 %', async () => {
    receiver.respondWith(500);
    const hook = await addWebhook(workspace, receiver, {retry_schedule: [3_600]});
    await postStandups(workspace);
    const wait = waitOf(await deliveryIn(workspace, hook, 'retrying', 1));
    expect(wait).toBeGreaterThan(3_600_000 * 0.8 - 2);
    expect(wait).toBeLessThan(3_600_000 * 1.2 + 2_000);
  });

  it('without waits is one attempt', async () => {
    receiver.respondWith(500);
    const hook = await addWebhook(workspace, receiver, {retry_schedule: []});
    await postStandups(workspace);
    expect(await deliveryIn(workspace, hook, 'exhausted', 1)).toMatchObject({next_attempt_at: null});
  });
});

describe('standup-sequence', () => {
  it("counts a webhook's own events, where `sequence` counts all of the workspace, and stays on every attempt", async () => {
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
