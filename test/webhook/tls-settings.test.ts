import type {LookupAddress} from 'node:dns';
import {afterEach, describe, expect, test} from '@jest/globals';
import type {TlsSettings} from '../../src/domain/webhooks/webhook-settings.js';
import {createAddressPolicy} from '../../src/webhook/address.js';
import {createSender} from '../../src/webhook/sender.js';
import type {Sender, SenderOptions} from '../../src/webhook/sender.js';
import {checkTls} from '../../src/webhook/tls.js';
import {startReceiver} from '../support/receiver.js';
import type {Receiver} from '../support/receiver.js';
import {testCertificate} from './certificate.js';

const closing: (() => Promise<unknown>)[] = [];
const unverified: TlsSettings = {ca: null, verify: false};
const withCa: TlsSettings = {ca: testCertificate.cert, verify: true};

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function receiver(): Promise<Receiver> {
  const started = await startReceiver({tls: testCertificate});
  closing.push(() => started.close());
  return started;
}

function sender(options: Partial<SenderOptions> = {}): Sender {
  const made = createSender({
    policy: createAddressPolicy({allowNetworks: ['127.0.0.1/32']}),
    userAgent: 'standup-test/1',
    timeoutMs: 3000,
    ...options,
  });
  closing.push(() => made.close());
  return made;
}

function send(from: Sender, url: string, tls?: TlsSettings | null) {
  return from.send({url, body: '{}', headers: {}, ...(tls !== undefined && {tls})});
}

describe('the TLS settings of a webhook', () => {
  test('make the webhook’s own certificate authority trusted, but certificates must still match the host name', async () => {
    const to = await receiver();
    const resolve = async (): Promise<LookupAddress[]> => [{address: '127.0.0.1', family: 4}];
    const from = sender({resolve});
    expect(await send(from, to.url, withCa)).toMatchObject({status: 204});
    expect(await send(from, `https://hooks.example.test:${to.port}`, withCa)).toMatchObject({status: 204});
    expect(await send(from, `https://other.example.test:${to.port}`, withCa)).toMatchObject({error: 'tls'});
  });

  test('allow any certificate with verify: false', async () => {
    const to = await receiver();
    const from = sender({resolve: async () => [{address: '127.0.0.1', family: 4}]});
    expect(await send(from, `https://other.example.test:${to.port}`, unverified)).toMatchObject({
      status: 204,
    });
  });

  test('keep unverified connections from being reused for webhooks that verify or have another authority', async () => {
    const to = await receiver();
    const from = sender();
    expect(await send(from, to.url, unverified)).toMatchObject({status: 204});
    expect(await send(from, to.url)).toMatchObject({error: 'tls'});
    expect(await send(from, to.url, null)).toMatchObject({error: 'tls'});
    expect(await send(from, to.url, {ca: null, verify: true})).toMatchObject({error: 'tls'});
    expect(await send(from, to.url, withCa)).toMatchObject({status: 204});
    expect(await send(from, to.url, unverified)).toMatchObject({status: 204});
    expect(to.received).toHaveLength(3);
  });

  test.each([
    ['verify: false', unverified],
    ['an authority', withCa],
  ])('apply %s only if the address of the connection is in an opened network', async (_, tls) => {
    const to = await receiver();
    // 127.0.0.2 acts as a public address: it may be connected to, but is in no opened network.
    const policy = createAddressPolicy({allowNetworks: ['127.0.0.1/32']});
    const playing = {
      ...policy,
      allows: (address: string) => address === '127.0.0.2' || policy.allows(address),
    };
    let answer = '127.0.0.1';
    const resolve = async (): Promise<LookupAddress[]> => [{address: answer, family: 4}];
    const from = sender({policy: playing, resolve, connectionsPerOrigin: 1});
    to.respondWith({status: 204, headers: {connection: 'close'}});
    const url = `https://hooks.example.test:${to.port}`;
    expect(await send(from, url, tls)).toMatchObject({status: 204, remoteAddress: '127.0.0.1'});
    answer = '127.0.0.2';
    // A second receiver at the new address of the name. The first one listens only on 127.0.0.1.
    const elsewhere = await startReceiver({tls: testCertificate, host: '127.0.0.2', port: to.port});
    closing.push(() => elsewhere.close());
    expect(await send(from, url, tls)).toMatchObject({error: 'tls', remoteAddress: '127.0.0.2'});
    expect(elsewhere.received).toHaveLength(0);
  });

  test('apply to their own webhook even if there are more settings than are cached', async () => {
    const to = await receiver();
    const from = sender();
    const settings = Array.from({length: 40}, (_, n) => ({
      ca: testCertificate.cert + '\n'.repeat(n),
      verify: true,
    }));
    const results = [];
    for (const tls of settings) results.push(await send(from, to.url, tls));
    expect(results.filter(({status}) => status !== 204)).toEqual([]);
    expect(await send(from, to.url)).toMatchObject({error: 'tls'});
  });

  test('do not end connections of other webhooks, however many settings there are', async () => {
    const to = await receiver();
    const from = sender();
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 40; n += 1) {
        const tls = {ca: testCertificate.cert + '\n'.repeat(n), verify: true};
        expect(await send(from, to.url, tls)).toMatchObject({status: 204});
      }
    }
    expect(to.connections()).toBe(40);
  });

  test('make only the one request fail if they are invalid', async () => {
    const to = await receiver();
    const from = sender();
    const broken = {ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', verify: true};
    expect(await send(from, to.url, broken)).toMatchObject({error: 'tls'});
    expect(await send(from, to.url, withCa)).toMatchObject({status: 204});
  });
});

describe('the check of TLS settings', () => {
  const open = createAddressPolicy({allowNetworks: ['10.0.0.0/8']});
  const shut = createAddressPolicy({allowNetworks: []});

  test.each<[string, TlsSettings]>([
    ['an authority', withCa],
    ['two authorities', {ca: testCertificate.cert + testCertificate.cert, verify: true}],
    ['a certificate with text around it', {ca: `Ours\n${testCertificate.cert}\n`, verify: true}],
    ['no verification', unverified],
  ])('accepts %s only if the operator opened a network', (_, tls) => {
    expect(checkTls(tls, open)).toBeUndefined();
    expect(checkTls(tls, shut)).toContain('WEBHOOK_ALLOW_NETWORKS');
  });

  test.each([
    ['nothing', '', 'one or more certificates'],
    ['plain text', 'our own CA', 'one or more certificates'],
    ['a broken certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'one or more'],
    ['half a certificate', testCertificate.cert.slice(0, 200), 'one or more certificates'],
    [
      'a certificate and half a one',
      testCertificate.cert + testCertificate.cert.slice(0, 200),
      'one or more',
    ],
    ['a private key', testCertificate.key, 'private key'],
    ['a certificate and its key', testCertificate.cert + testCertificate.key, 'private key'],
  ])('does not accept %s as an authority', (_, ca, reason) => {
    expect(checkTls({ca, verify: true}, open)).toContain(reason);
  });
});
