import type {LookupAddress} from 'node:dns';
import {afterEach, describe, expect, test} from '@jest/globals';
import type {SendResult} from '../../src/domain/webhooks/attempt.js';
import {createAddressPolicy} from '../../src/webhook/address.js';
import {createSender} from '../../src/webhook/sender.js';
import type {Sender, SenderOptions} from '../../src/webhook/sender.js';
import {startReceiver} from '../support/receiver.js';
import type {Receiver, ReceiverOptions} from '../support/receiver.js';
import {measureCpuMs} from '../support/stopwatch.js';
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

/** Creates a sender with one connection to each origin, so that a second request reuses the connection. */
function sender(options: Partial<SenderOptions> = {}): Sender {
  const made = createSender({
    policy: createAddressPolicy({allowNetworks: ['127.0.0.0/8']}),
    userAgent: 'standup-test/1',
    timeoutMs: 5000,
    connectionsPerOrigin: 1,
    tls: {ca: testCertificate.cert},
    ...options,
  });
  closing.push(() => made.close());
  return made;
}

function send(from: Sender, url: string): Promise<SendResult> {
  return from.send({url, body: '{}', headers: {}});
}

const loopback: LookupAddress[] = [{address: '127.0.0.1', family: 4}];

describe('the timings of a webhook request', () => {
  test.each(['http', 'https'] as const)(
    'contain the steps of connecting over %s for the first request only, and the address for both requests',
    async (scheme) => {
      const to = await receiver(scheme === 'https' ? {tls: testCertificate} : {});
      const from = sender();
      const first = await send(from, to.url);
      expect(first).toMatchObject({status: 204, remoteAddress: '127.0.0.1'});
      const {dnsMs = -1, tcpMs = -1, tlsMs, connectMs = -1, firstByteMs = -1, durationMs} = first;
      expect([dnsMs >= 0, tcpMs > 0, (tlsMs ?? 0) > 0]).toEqual([true, true, scheme === 'https']);
      expect(dnsMs + tcpMs + (tlsMs ?? 0)).toBeLessThanOrEqual(connectMs + 0.1);
      expect(firstByteMs).toBeGreaterThanOrEqual(connectMs);
      expect(durationMs).toBeGreaterThanOrEqual(firstByteMs);

      const second = await send(from, to.url);
      expect(second).toMatchObject({status: 204, remoteAddress: '127.0.0.1'});
      expect([second.dnsMs, second.tcpMs, second.tlsMs]).toEqual([undefined, undefined, undefined]);
      expect(second.connectMs).toBeGreaterThanOrEqual(0);
      expect(to.connections()).toBe(1);
    },
  );

  test('contain no steps of connecting for a request that waits for a connection in use', async () => {
    const to = await receiver();
    const from = sender();
    const [first, second] = await Promise.all([send(from, to.url), send(from, to.url)]);
    expect([first.tcpMs !== undefined, second.tcpMs]).toEqual([true, undefined]);
    expect(second.connectMs).toBeGreaterThan(0);
    expect(to.connections()).toBe(1);
  });

  test('contain the steps of connecting again for a request that opens a new connection after the last one has ended', async () => {
    const to = await receiver();
    const from = sender();
    to.respondWith({status: 204, headers: {connection: 'close'}});
    const results = [await send(from, to.url), await send(from, to.url)];
    expect(results.map(({tcpMs}) => tcpMs !== undefined)).toEqual([true, true]);
    expect(to.connections()).toBe(2);
  });

  test('show a slow DNS answer as time for DNS', async () => {
    const to = await receiver();
    const resolve = () => new Promise<LookupAddress[]>((answer) => setTimeout(answer, 60, loopback));
    const result = await send(sender({resolve}), `http://hooks.example.test:${to.port}/`);
    const {dnsMs = 0, tcpMs = 0, connectMs = 0} = result;
    expect(dnsMs).toBeGreaterThanOrEqual(55);
    expect(dnsMs + tcpMs).toBeLessThanOrEqual(connectMs + 0.1);
  });

  test('show which steps of a failed connection succeeded', async () => {
    const gone = await receiver();
    await gone.close();
    const from = sender({tls: {}});
    const refused = await send(from, gone.url);
    expect(refused).toMatchObject({error: 'refused'});
    expect(refused.dnsMs).toBeDefined();
    for (const name of ['tcpMs', 'tlsMs', 'connectMs', 'remoteAddress', 'responseHeaders'] as const) {
      expect([name, refused[name]]).toEqual([name, undefined]);
    }
    const untrusted = await send(from, (await receiver({tls: testCertificate})).url);
    expect(untrusted).toMatchObject({error: 'tls', remoteAddress: '127.0.0.1'});
    expect([untrusted.tcpMs !== undefined, untrusted.tlsMs, untrusted.connectMs]).toEqual([
      true,
      undefined,
      undefined,
    ]);
    const unresolved = await send(
      sender({resolve: () => new Promise(() => {}), timeoutMs: 150}),
      'https://slow.test/',
    );
    expect(unresolved).toMatchObject({error: 'timeout'});
    expect([unresolved.dnsMs, unresolved.remoteAddress]).toEqual([undefined, undefined]);
  });

  test('show no address of a blocked target', async () => {
    const from = sender({resolve: async () => [{address: '10.0.0.1', family: 4}]});
    const result = await send(from, 'https://hooks.example.test/');
    expect(result).toMatchObject({error: 'blocked'});
    expect([result.dnsMs, result.remoteAddress]).toEqual([undefined, undefined]);
  });
});

describe('the stored headers of a receiver’s response', () => {
  test('have names in lower case, and contain no cookies and nothing that may be a credential', async () => {
    const to = await receiver();
    to.respondWith({
      status: 401,
      headers: {
        'Content-Type': 'text/plain',
        'X-Request-Id': 'req-1',
        'Set-Cookie': 'session=abc',
        'WWW-Authenticate': 'Bearer error="invalid_token"',
        'X-Auth-Token': 'abc123',
        'X-Api-Key': 'abc123',
        'X-Echo': 'sent Bearer abcdefghijk',
        Location: 'https://user:abc123@example.com/a?ticket=abc123#abc123',
        'Content-Location': '/a?abc123',
        Refresh: '5; url=/a?abc123',
        Link: '</a?abc123>; rel="next", </b#abc123>; rel="last"',
        'X-Session-Id': 'abc123',
        'X-Signing-Key': 'abc123',
        'X-Private': 'abc123',
        'X-Keyboard': 'qwerty',
      },
    });
    const {responseHeaders = {}} = await send(sender(), to.url);
    expect(responseHeaders).toMatchObject({
      'content-type': 'text/plain',
      'x-request-id': 'req-1',
      'www-authenticate': 'Bearer error="invalid_token"',
      'x-auth-token': '***',
      'x-api-key': '***',
      'x-echo': 'sent Bearer <credentials>',
      location: 'https://<credentials>@example.com/a',
      'content-location': '/a',
      refresh: '5; url=/a',
      link: '</a>; rel="next", </b>; rel="last"',
      'x-session-id': '***',
      'x-signing-key': '***',
      'x-private': '***',
      'x-keyboard': 'qwerty',
    });
    expect(responseHeaders).not.toHaveProperty('set-cookie');
    expect(JSON.stringify(responseHeaders)).not.toContain('abc123');
  });

  test('are searched for credentials quickly, even if a value is crafted to make the search slow', async () => {
    const to = await receiver();
    to.respondWith({status: 200, headers: {'x-a': `${'a'.repeat(15_500)} ://`}});
    const from = sender();
    const ms = await measureCpuMs(async () => {
      const {responseHeaders = {}} = await send(from, to.url);
      expect(responseHeaders['x-a']).toMatch(/^a{500,}…$/);
    });
    expect(ms).toBeLessThan(200);
  });

  test('have at most 2 KiB in total, and a quarter of that for one value', async () => {
    const to = await receiver();
    const long = Object.fromEntries(Array.from({length: 8}, (_, n) => [`x-long-${n}`, 'é'.repeat(700)]));
    to.respondWith({status: 200, headers: {...long, 'x-last': '1'}});
    const {responseHeaders = {}} = await send(sender(), to.url);
    const bytes = Object.entries(responseHeaders).map(([name, value]) => Buffer.byteLength(name + value));
    expect(bytes.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(2048);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(512 + 'x-long-0'.length);
    expect(responseHeaders['x-long-0']).toMatch(/^(Ã©|é)+Ã?…$/);
  });

  test('may have names such as `constructor`, which every JavaScript object has', async () => {
    const to = await receiver();
    to.respondWith({status: 200, headers: {constructor: 'x', 'x-other': 'y'}});
    const {responseHeaders = {}} = await send(sender(), to.url);
    expect(responseHeaders).toMatchObject({constructor: 'x', 'x-other': 'y'});
  });

  test('are kept for an answer that was cut off', async () => {
    const to = await receiver();
    to.respondWith({status: 200, headers: {'x-request-id': 'req-2'}, failure: 'reset-body'});
    expect(await send(sender(), to.url)).toMatchObject({
      error: 'reset',
      responseHeaders: {'x-request-id': 'req-2'},
    });
  });
});
