import {afterEach, describe, expect, test} from '@jest/globals';
import type {SendResult} from '../../src/domain/webhooks/attempt.js';
import {createAddressPolicy} from '../../src/webhook/address.js';
import {createSender} from '../../src/webhook/sender.js';
import type {Sender, SenderOptions} from '../../src/webhook/sender.js';
import {startConnectProxy} from '../support/connect-proxy.js';
import type {ConnectProxy} from '../support/connect-proxy.js';
import {startReceiver} from '../support/receiver.js';
import type {Receiver, ReceiverOptions} from '../support/receiver.js';
import {testCertificate} from './certificate.js';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function receiver(options?: ReceiverOptions): Promise<Receiver> {
  const started = await startReceiver(options);
  closing.push(() => started.close());
  return started;
}

async function proxy(options?: Parameters<typeof startConnectProxy>[0]): Promise<ConnectProxy> {
  const started = await startConnectProxy(options);
  closing.push(() => started.close());
  return started;
}

function sender(proxyUrl: string, options: Partial<SenderOptions> = {}): Sender {
  const made = createSender({
    policy: createAddressPolicy({allowNetworks: ['127.0.0.0/8']}),
    userAgent: 'standup-test/1',
    timeoutMs: 3000,
    tls: {ca: testCertificate.cert},
    resolve: async () => [{address: '127.0.0.1', family: 4}],
    proxyUrl,
    ...options,
  });
  closing.push(() => made.close());
  return made;
}

function send(from: Sender, url: string): Promise<SendResult> {
  return from.send({url, body: '{"test":true}', headers: {}});
}

describe('a webhook request through a proxy', () => {
  test.each([
    ['http', 'http'],
    ['http', 'https'],
    ['https', 'http'],
    ['https', 'https'],
  ] as const)(
    'reaches, through an %s proxy, an %s receiver by the address that the service has resolved',
    async (outer, inner) => {
      const by = await proxy(outer === 'https' ? {tls: testCertificate} : {});
      const to = await receiver(inner === 'https' ? {tls: testCertificate} : {});
      const result = await send(sender(by.url), `${inner}://hooks.example.test:${to.port}/a?b=1`);
      expect(result).toMatchObject({status: 204, remoteAddress: '127.0.0.1'});
      expect(by.asked).toEqual([`127.0.0.1:${to.port}`]);
      expect([result.tcpMs !== undefined, result.tlsMs !== undefined]).toEqual([true, inner === 'https']);
      expect(to.received[0]).toMatchObject({
        path: '/a?b=1',
        headers: {host: `hooks.example.test:${to.port}`},
      });
      expect(to.received[0]?.headers['proxy-authorization']).toBeUndefined();
    },
  );

  test('reuses a connection', async () => {
    const [by, to] = [await proxy(), await receiver({tls: testCertificate})];
    const from = sender(by.url, {connectionsPerOrigin: 1});
    for (let n = 0; n < 5; n += 1) await send(from, to.url);
    expect([to.received.length, by.asked.length]).toEqual([5, 1]);
  });

  test('sends the user name and password of the proxy, decoded, only to the proxy', async () => {
    const [by, to] = [await proxy(), await receiver()];
    const url = new URL(by.url);
    url.username = 'egress';
    url.password = 'p%40ss:word';
    await send(sender(url.href), to.url);
    expect(by.credentials).toEqual([`Basic ${Buffer.from('egress:p@ss:word').toString('base64')}`]);
    expect(JSON.stringify(to.received[0]?.headers)).not.toContain('Basic');
  });

  test('asks the proxy for an IPv6 address in brackets', async () => {
    const by = await proxy();
    by.behave(502);
    const from = sender(by.url, {
      policy: createAddressPolicy({allowNetworks: []}),
      resolve: async () => [{address: '2606:4700:4700::1111', family: 6}],
    });
    await send(from, 'https://hooks.example.test/');
    expect(by.asked).toEqual(['[2606:4700:4700::1111]:443']);
  });
});

describe('the address policy of webhooks with a proxy', () => {
  test.each([
    ['a name that resolves inside', 'https://hooks.example.test/', '10.0.0.1'],
    ['a name that resolves to metadata', 'https://hooks.example.test/', '169.254.169.254'],
    ['a literal', 'https://10.0.0.1/', '93.184.216.34'],
    ['plain http to a public name', 'http://hooks.example.test/', '93.184.216.34'],
  ])('blocks %s, without a request to the proxy', async (_, url, address) => {
    const by = await proxy();
    const from = sender(by.url, {resolve: async () => [{address, family: 4}]});
    expect(await send(from, url)).toMatchObject({error: 'blocked'});
    expect(by.connections()).toBe(0);
  });

  test("allows the service to connect to the proxy's address, but not webhooks", async () => {
    const by = await proxy();
    const from = sender(by.url, {policy: createAddressPolicy({allowNetworks: []})});
    expect(await send(from, `https://127.0.0.1:${by.port}/`)).toMatchObject({error: 'blocked'});
    by.behave(502);
    const outside = {resolve: async () => [{address: '93.184.216.34', family: 4}]};
    const other = sender(by.url, {policy: createAddressPolicy({allowNetworks: []}), ...outside});
    expect(await send(other, 'https://hooks.example.test/')).toMatchObject({error: 'refused'});
    expect(by.asked).toEqual(['93.184.216.34:443']);
  });
});

describe('the error of a webhook request through a proxy', () => {
  test.each<[Parameters<ConnectProxy['behave']>[0], string]>([
    [502, 'refused'],
    [503, 'refused'],
    [504, 'refused'],
    [403, 'blocked'],
    [407, 'proxy'],
    [400, 'proxy'],
    [500, 'proxy'],
    [302, 'proxy'],
    ['cut', 'proxy'],
    ['garbage', 'proxy'],
    ['early', 'proxy'],
  ])('is, for a proxy that answers %s: %s', async (how, error) => {
    const [by, to] = [await proxy(), await receiver({tls: testCertificate})];
    by.behave(how);
    const result = await send(sender(by.url), to.url);
    expect(result).toMatchObject({error});
    expect(result.status).toBeUndefined();
    expect(to.connections()).toBe(0);
  });

  test('is `proxy` if the proxy is unreachable or its certificate cannot be verified', async () => {
    const [gone, secure, to] = [await proxy(), await proxy({tls: testCertificate}), await receiver()];
    await gone.close();
    expect(await send(sender(gone.url), to.url)).toMatchObject({error: 'proxy'});
    expect(await send(sender(secure.url, {tls: {}}), to.url)).toMatchObject({error: 'proxy'});
    expect(to.connections()).toBe(0);
  });

  test('is `refused` for an unreachable receiver, and `tls` for a receiver without a trusted certificate', async () => {
    const [by, gone, secure] = [await proxy(), await receiver(), await receiver({tls: testCertificate})];
    await gone.close();
    expect(await send(sender(by.url), gone.url)).toMatchObject({error: 'refused'});
    expect(await send(sender(by.url, {tls: {}}), secure.url)).toMatchObject({error: 'tls'});
    expect(secure.received).toHaveLength(0);
  });

  test('is `proxy`, before the deadline, if the proxy accepts a connection and does not continue with TLS', async () => {
    // A server without TLS that never answers the first message of a TLS client.
    const [silent, to] = [await proxy(), await receiver()];
    const url = silent.url.replace('http:', 'https:');
    const result = await send(sender(url, {timeoutMs: 3_000}), to.url);
    expect(result).toMatchObject({error: 'proxy'});
    expect(result.durationMs).toBeLessThan(3_000);
  });

  test('is `timeout` if the proxy does not answer, and the next request succeeds', async () => {
    const [by, to] = [await proxy(), await receiver()];
    by.behave('silent');
    const from = sender(by.url, {timeoutMs: 300});
    expect(await send(from, to.url)).toMatchObject({error: 'timeout'});
    by.behave('tunnel');
    expect(await send(from, to.url)).toMatchObject({status: 204});
  });

  test('is that of the receiver once the proxy has connected to it', async () => {
    const [by, to] = [await proxy(), await receiver({tls: testCertificate})];
    const from = sender(by.url);
    to.respondWith({failure: 'reset'});
    expect(await send(from, to.url)).toMatchObject({error: 'reset'});
    to.respondWith(502);
    expect(await send(from, to.url)).toMatchObject({status: 502});
  });
});
