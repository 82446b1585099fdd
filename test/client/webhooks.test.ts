import {generateKeyPairSync, sign} from 'node:crypto';
import {expect, it} from '@jest/globals';
import {Webhook} from 'standardwebhooks';
import {
  verifyWebhook,
  type WebhookRequest,
  WebhookVerificationError,
} from '../../packages/client-ts/src/webhooks.js';

const now = 1_795_424_400_000;
const id = 'evt_01m83t4cm07n5a9d8k0000002a';
const event = {id, object: 'event', type: 'standup.created', data: {update: 'Grüße 🎉'}};
const body = JSON.stringify(event);
const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const {privateKey, publicKey: key} = generateKeyPairSync('ed25519');
const publicKey = `whpk_${key.export({format: 'der', type: 'spki'}).subarray(-32).toString('base64')}`;

/** The official library signs `v1`, and Node's own Ed25519 signs `v1a`. */
function createRequest({
  at = now,
  text = body,
  order = ['v1', 'v1a'] as readonly ('v1' | 'v1a')[],
} = {}): WebhookRequest {
  const timestamp = Math.floor(at / 1_000);
  const content = Buffer.from(`${id}.${timestamp}.${text}`);
  const signatures = {
    v1: new Webhook(secret).sign(id, new Date(at), text),
    v1a: `v1a,${sign(null, content, privateKey).toString('base64')}`,
  };
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': order.map((version) => signatures[version]).join(' '),
  };
  return {body: text, headers, now};
}

const change = (request: WebhookRequest, headers: Record<string, string>) => ({
  ...request,
  headers: {...(request.headers as Record<string, string>), ...headers},
});

it('a request verifies by the secret, by the public key, and by both', async () => {
  for (const keys of [{secret}, {publicKey}, {secret, publicKey}])
    expect(await verifyWebhook({...createRequest(), ...keys})).toEqual(event);
});

it('a request verifies with bytes and with the headers of Node and of fetch', async () => {
  const {headers, ...rest} = createRequest();
  const given = headers as Record<string, string>;
  const upper = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toUpperCase(), value]));
  for (const one of [new Headers(given), upper])
    expect(await verifyWebhook({...rest, body: Buffer.from(body), headers: one, secret})).toEqual(event);
});

it('one signature that matches suffices, wherever it is', async () => {
  const wrong = 'v1,AAAA v2,x v1a,AAAA v1 , v1,%%% v1a,';
  const {headers} = createRequest();
  const right = (headers as Record<string, string>)['webhook-signature'] ?? '';
  const request = change(createRequest(), {'webhook-signature': `${wrong} ${right} ${wrong}`});
  for (const keys of [{secret}, {publicKey}])
    expect(await verifyWebhook({...request, ...keys})).toEqual(event);
});

it('only the first 20 signatures count, so that a forged request costs little', async () => {
  const {headers} = createRequest({order: ['v1']});
  const right = (headers as Record<string, string>)['webhook-signature'] ?? '';
  const verifyAfter = (wrong: number) => {
    const signatures = [...Array.from({length: wrong}, () => 'v1,AAAA'), right];
    return verifyWebhook({...change(createRequest(), {'webhook-signature': signatures.join(' ')}), secret});
  };
  expect(await verifyAfter(19)).toEqual(event);
  await expect(verifyAfter(20)).rejects.toThrow(WebhookVerificationError);
});

it('a request within five minutes is accepted, in both directions, and no other', async () => {
  const verifyAt = (at: number) =>
    verifyWebhook({...createRequest({at}), secret}).then(
      () => true,
      () => false,
    );
  const offsets = [-301, -300, 0, 300, 301];
  const accepted = await Promise.all(offsets.map((seconds) => verifyAt(now + seconds * 1_000)));
  expect(accepted).toEqual([false, true, true, true, false]);
});

it('a changed body, id, time or signature, and a signature of another version, are refused', async () => {
  const request = createRequest();
  const {headers} = request;
  const [v1 = '', v1a = ''] = ((headers as Record<string, string>)['webhook-signature'] ?? '').split(' ');
  const forged: WebhookRequest[] = [
    {...request, body: `${body} `},
    {...request, body: ''},
    change(request, {'webhook-id': 'evt_other'}),
    change(request, {'webhook-timestamp': String(now / 1_000 + 1)}),
    change(request, {'webhook-timestamp': ''}),
    change(request, {'webhook-timestamp': `${now / 1_000}garbage`}),
    change(request, {'webhook-timestamp': 'Infinity'}),
    change(request, {'webhook-signature': ''}),
    change(request, {'webhook-signature': v1.slice(0, -3)}),
    change(request, {'webhook-signature': v1.replace('v1,', 'v1a,')}),
    change(request, {'webhook-signature': v1a.replace('v1a,', 'v1,')}),
    change(request, {'webhook-signature': v1.replace('v1,', 'constructor,')}),
    {...request, headers: {}},
  ];
  for (const one of forged)
    await expect(verifyWebhook({...one, secret, publicKey})).rejects.toThrow(WebhookVerificationError);
});

it('only the given key counts: a request without its signature is refused', async () => {
  await expect(verifyWebhook({...createRequest({order: ['v1']}), publicKey})).rejects.toThrow(
    WebhookVerificationError,
  );
  await expect(verifyWebhook({...createRequest({order: ['v1a']}), secret})).rejects.toThrow(
    WebhookVerificationError,
  );
});

it('a missing, empty or misread key is an error of the receiver, and verifies nothing', async () => {
  const wrong = [{}, {secret: ''}, {secret: 'whsec_'}, {secret: 'whsec_%'}, {publicKey: ''}];
  for (const keys of wrong)
    await expect(verifyWebhook({...createRequest(), ...keys})).rejects.toThrow(TypeError);
  await expect(verifyWebhook({...createRequest(), publicKey: 'whpk_AAAA'})).rejects.toThrow();
});

it('a signed body that is no JSON is refused', async () => {
  await expect(verifyWebhook({...createRequest({text: 'no JSON'}), secret})).rejects.toThrow(
    WebhookVerificationError,
  );
});
