import {createServer as createTcpServer} from 'node:net';
import type {AddressInfo, Socket} from 'node:net';
import {afterEach, describe, expect, test} from '@jest/globals';
import {createAddressPolicy} from '../../src/webhook/address.js';
import {createSender} from '../../src/webhook/sender.js';
import type {Sender, SenderOptions, SendRequest} from '../../src/webhook/sender.js';
import {createSigner} from '../../src/webhook/signature.js';
import {startReceiver, verifyWebhook} from '../support/receiver.js';
import type {Receiver, ReceiverOptions} from '../support/receiver.js';
import {measureTime} from '../support/stopwatch.js';
import {until} from '../support/until.js';
import {testCertificate} from './certificate.js';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function receiver(options?: ReceiverOptions): Promise<Receiver> {
  const started = await startReceiver(options);
  closing.push(() => started.close());
  return started;
}

function sender(options: Partial<SenderOptions> = {}): Sender {
  const policy = createAddressPolicy({allowNetworks: ['127.0.0.0/8']});
  const made = createSender({policy, userAgent: 'standup-test/1', timeoutMs: 5000, ...options});
  closing.push(() => made.close());
  return made;
}

function request(url: string, more: Partial<SendRequest> = {}): SendRequest {
  return {url, body: '{"test":true}', headers: {}, ...more};
}

describe('the sender of webhook requests', () => {
  test('sends the bytes that were signed, which the official library can verify', async () => {
    const to = await receiver();
    const body = '{"update":"Größe ✅"}';
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = {
      ...createSigner()({id: 'evt_1', timestamp, body, secrets: [secret]}),
      'standup-attempt': '1',
    };
    const result = await sender().send({url: `${to.url}/hooks?x=1`, body, headers});
    expect(result).toMatchObject({status: 204});
    expect(result.error).toBeUndefined();
    expect(result.responseExcerpt).toBeUndefined();
    const [delivery] = await to.waitFor(1);
    expect(delivery).toMatchObject({id: 'evt_1', method: 'POST', path: '/hooks?x=1'});
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'standup-test/1',
      'standup-attempt': '1',
      'content-length': String(Buffer.byteLength(body)),
    });
    expect(verifyWebhook(delivery!, secret)).toEqual({update: 'Größe ✅'});
  });

  test('reuses connections', async () => {
    const to = await receiver();
    const from = sender();
    for (let n = 0; n < 20; n += 1) await from.send(request(to.url));
    expect(to.received).toHaveLength(20);
    // undici frees a connection one round of the event loop after the answer, so a loop without pauses
    // alternates between two.
    expect(to.connections()).toBeLessThanOrEqual(2);
  });

  test('limits the number of connections to one origin, and still completes every request', async () => {
    const to = await receiver();
    const from = sender({connectionsPerOrigin: 3});
    const results = await Promise.all(Array.from({length: 40}, () => from.send(request(to.url))));
    expect(results.map(({status}) => status)).toEqual(Array(40).fill(204));
    expect(to.connections()).toBe(3);
  });

  test('measures the time to the connection, to the first byte and in total', async () => {
    const to = await receiver();
    const {connectMs = -1, firstByteMs = -1, durationMs} = await sender().send(request(to.url));
    expect(connectMs).toBeGreaterThan(0);
    expect(firstByteMs).toBeGreaterThanOrEqual(connectMs);
    expect(durationMs).toBeGreaterThanOrEqual(firstByteMs);
  });

  test('keeps 1 KiB of a successful response, 4 KiB of a failed one, and no half character', async () => {
    const to = await receiver();
    const from = sender();
    to.respondWith({status: 200, body: `a${'é'.repeat(6000)}`});
    expect((await from.send(request(to.url))).responseExcerpt).toBe(`a${'é'.repeat(511)}`);
    to.respondWith({status: 500, body: `a${'é'.repeat(6000)}`});
    expect((await from.send(request(to.url))).responseExcerpt).toBe(`a${'é'.repeat(2047)}`);
    to.respondWith({status: 500, body: 'no such team'});
    expect((await from.send(request(to.url))).responseExcerpt).toBe('no such team');
  });

  test('regression: keeps no more of a binary response than of a text', async () => {
    const to = await receiver();
    to.respondWith({status: 500, body: Buffer.alloc(4000, 0xff)});
    const {responseExcerpt = ''} = await sender().send(request(to.url));
    expect(responseExcerpt).not.toBe('');
    expect(Buffer.byteLength(responseExcerpt)).toBeLessThanOrEqual(4096);
  });

  test('does not send a request with an invalid header', async () => {
    const to = await receiver();
    const result = await sender().send(request(to.url, {headers: {'x-custom': 'a\r\nx-injected: 1'}}));
    expect(result.error).toBe('protocol');
    expect(to.received).toHaveLength(0);
  });

  test('waits for the final answer after an informational one', async () => {
    const server = createTcpServer((socket) => {
      socket.once('data', () => {
        socket.write(
          'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n',
        );
      });
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const from = sender();
    const result = await from.send(request(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    await from.close();
    await new Promise((resolve) => server.close(resolve));
    expect(result).toMatchObject({status: 201});
  });

  test('regression: gives up after five informational answers', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
    let hints = 0;
    const server = createTcpServer((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(hint.repeat(100))) hints += 100;
      };
      socket.on('drain', more).once('data', more);
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const from = sender();
    const result = await from.send(request(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    expect(result.error).toBe('protocol');
    // The receiver can send only what the system buffers, because the sender has stopped reading.
    await until(async () => {
      const before = hints;
      await new Promise((resolve) => setImmediate(resolve));
      return hints === before;
    });
    expect(result.status).toBeUndefined();
  });
});

describe('the instructions in a receiver’s answer', () => {
  const wallClock = () => Date.parse('2026-03-01T12:00:00Z');

  test.each<[string, number | undefined]>([
    ['120', 120_000],
    ['0', 0],
    ['999999999999', 86_400_000],
    ['Sun, 01 Mar 2026 12:10:00 GMT', 600_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Thu, 01 Mar 2046 12:00:00 GMT', 86_400_000],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
  ])('include Retry-After: %s', async (value, expected) => {
    const to = await receiver();
    to.respondWith({status: 503, headers: {'retry-after': value}});
    const result = await sender({wallClock}).send(request(to.url));
    expect(result.status).toBe(503);
    expect(result.retryAfterMs).toBe(expected);
  });

  test.each<[string, string | undefined]>([
    ['disable', 'disable'],
    ['Abort', 'abort'],
    ['continue', undefined],
  ])('include webhook-delivery: %s', async (value, expected) => {
    const to = await receiver();
    to.respondWith({status: 400, headers: {'webhook-delivery': value}});
    expect((await sender().send(request(to.url))).directive).toBe(expected);
  });

  test.each([410, 429, 500])(
    'are not needed: an answer with status %i is returned without an error',
    async (status) => {
      const to = await receiver();
      to.respondWith(status);
      const result = await sender().send(request(to.url));
      expect(result).toMatchObject({status});
      expect(result.error).toBeUndefined();
    },
  );
});

describe('a webhook request to a misbehaving receiver', () => {
  test.each([301, 302, 303, 307, 308])(
    'returns a %i as the answer, and does not follow the redirect',
    async (status) => {
      const elsewhere = await receiver();
      const to = await receiver();
      to.respondWith({status, headers: {location: `${elsewhere.url}/latest/meta-data/`}});
      const result = await sender().send(request(to.url));
      expect(result).toMatchObject({status});
      expect(result.error).toBeUndefined();
      expect(elsewhere.connections()).toBe(0);
    },
  );

  test.each(['hang', 'hang-body', 'drip'] as const)('ends at the deadline after %s', async (failure) => {
    const to = await receiver();
    to.respondWith({status: 200, failure});
    const [result, ms] = await measureTime(() => sender({timeoutMs: 200}).send(request(to.url)));
    expect(result.error).toBe('timeout');
    expect(result.status).toBe(failure === 'hang' ? undefined : 200);
    expect(result.durationMs).toBeGreaterThanOrEqual(199);
    expect(ms).toBeLessThan(1500);
  });

  test('regression: reads at most 256 of thousands of chunks of an answer', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      const body = `${'1\r\na\r\n'.repeat(10_000)}0\r\n\r\n`;
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const {port} = server.address() as AddressInfo;
    const result = await sender().send(request(`http://127.0.0.1:${port}`));
    server.close();
    expect(result).toMatchObject({status: 200, responseExcerpt: 'a'.repeat(256)});
    expect(result.error).toBeUndefined();
  });

  test('does not delay requests to other receivers, and has its own deadline if many hang', async () => {
    const [hanging, healthy] = [await receiver(), await receiver()];
    hanging.respondWith({failure: 'hang'});
    const from = sender({timeoutMs: 2000});
    const stuck = Array.from({length: 50}, () => from.send(request(hanging.url)));
    const fine = await Promise.all(Array.from({length: 50}, () => from.send(request(healthy.url))));
    expect(fine.filter(({status}) => status !== 204)).toEqual([]);
    const later = from.send(request(hanging.url));
    for (const result of await Promise.all([...stuck, later])) {
      expect(result.error).toBe('timeout');
      expect(result.durationMs).toBeGreaterThanOrEqual(1999);
      expect(result.durationMs).toBeLessThan(6000);
    }
  });

  test('captures no stack trace if it is given up', async () => {
    const to = await receiver();
    to.respondWith({failure: 'hang'});
    const {prepareStackTrace} = Error;
    const traces: string[] = [];
    Error.prepareStackTrace = (error, frames) => {
      if (frames.length > 0) traces.push(String(error));
      return String(error);
    };
    try {
      expect(await sender({timeoutMs: 200}).send(request(to.url))).toMatchObject({error: 'timeout'});
    } finally {
      if (prepareStackTrace === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
      else Error.prepareStackTrace = prepareStackTrace;
    }
    expect(traces).toEqual([]);
    expect(Error.stackTraceLimit).toBeGreaterThan(0);
  });

  test('is never sent if it is given up before it has a connection', async () => {
    const to = await receiver();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    to.respondWith(() => held.then(() => 204));
    const from = sender({connectionsPerOrigin: 1});
    const first = from.send(request(to.url, {headers: {'webhook-id': 'first'}}));
    await to.waitFor(1);
    const controller = new AbortController();
    const waiting = from.send(
      request(to.url, {headers: {'webhook-id': 'waiting'}, signal: controller.signal}),
    );
    const last = from.send(request(to.url, {headers: {'webhook-id': 'last'}}));
    controller.abort();
    expect(await waiting).toMatchObject({error: 'aborted'});
    release();
    expect(await Promise.all([first, last])).toMatchObject([{status: 204}, {status: 204}]);
    expect(to.received.map(({id}) => id)).toEqual(['first', 'last']);
  });

  test('reports a refused connection', async () => {
    const to = await receiver();
    await to.close();
    expect(await sender().send(request(to.url))).toMatchObject({error: 'refused'});
  });

  test('reports a reset before the answer', async () => {
    const to = await receiver();
    to.respondWith({failure: 'reset'});
    const result = await sender().send(request(to.url));
    expect(result).toMatchObject({error: 'reset'});
    expect(result.status).toBeUndefined();
    expect(to.received).toHaveLength(1);
  });

  test('reports a reset in the middle of the answer', async () => {
    const to = await receiver();
    to.respondWith({status: 200, headers: {'content-length': '1000'}, failure: 'reset-body'});
    expect(await sender().send(request(to.url))).toMatchObject({
      status: 200,
      error: 'reset',
      responseExcerpt: 'begun',
    });
  });

  test('reports an answer that is not HTTP', async () => {
    const to = await receiver();
    to.respondWith({failure: 'garbage'});
    expect(await sender().send(request(to.url))).toMatchObject({error: 'protocol'});
  });

  test('reports headers that are too long', async () => {
    const to = await receiver();
    to.respondWith({status: 200, headers: {'x-long': 'a'.repeat(40_000)}});
    expect(await sender().send(request(to.url))).toMatchObject({error: 'protocol'});
  });

  test('stops reading an endless body after 16 KiB, reports the status, and ends the connection', async () => {
    const to = await receiver();
    to.respondWith({status: 200, failure: 'endless'});
    const result = await sender().send(request(to.url));
    expect(result).toMatchObject({status: 200});
    expect(result.error).toBeUndefined();
    expect(result.responseExcerpt).toHaveLength(1024);
    // The limit includes the buffers of the kernel. A sender that continued to read would take gigabytes.
    expect(to.bytesSent()).toBeLessThan(32 * 1024 * 1024);
  });

  test('never decompresses a gzip bomb', async () => {
    const to = await receiver();
    to.respondWith({status: 500, failure: 'gzip-bomb'});
    const before = process.memoryUsage().rss;
    const result = await sender().send(request(to.url));
    expect(result).toMatchObject({status: 500});
    expect(result.responseExcerpt?.length ?? 0).toBeLessThanOrEqual(4096);
    expect(to.received[0]?.headers['accept-encoding']).toBeUndefined();
    // Decompressing would need 64 MiB for the bytes and as much for the text.
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  test('does not affect the next request to the same receiver', async () => {
    const to = await receiver();
    const from = sender({timeoutMs: 1_000});
    for (const failure of [
      'hang',
      'drip',
      'reset',
      'reset-body',
      'endless',
      'gzip-bomb',
      'garbage',
    ] as const) {
      to.respondWith({failure});
      await from.send(request(to.url));
      to.respondWith(204);
      expect([failure, (await from.send(request(to.url))).status]).toEqual([failure, 204]);
    }
  });
});

describe('the TLS of a webhook request', () => {
  test('refuses a certificate that cannot be verified before anything is sent', async () => {
    const to = await receiver({tls: testCertificate});
    expect(await sender().send(request(to.url))).toMatchObject({error: 'tls'});
    expect(to.received).toHaveLength(0);
  });

  test('accepts a trusted certificate', async () => {
    const to = await receiver({tls: testCertificate});
    const from = sender({tls: {ca: testCertificate.cert}});
    expect(await from.send(request(to.url))).toMatchObject({status: 204});
  });

  test('refuses a trusted certificate for another name', async () => {
    const to = await receiver({tls: testCertificate});
    const resolve = async () => [{address: '127.0.0.1', family: 4}];
    const from = sender({tls: {ca: testCertificate.cert}, resolve});
    const results = await Promise.all(
      ['hooks.example.test', 'other.example.test'].map((name) =>
        from.send(request(`https://${name}:${to.port}`)),
      ),
    );
    expect(results).toMatchObject([{status: 204}, {error: 'tls'}]);
    expect(to.received).toHaveLength(1);
  });

  test('fails at a port that speaks plain http', async () => {
    const to = await receiver();
    expect(await sender().send(request(to.url.replace('http:', 'https:')))).toMatchObject({error: 'tls'});
  });
});

describe('giving up a webhook request', () => {
  test('ends only the request with the aborted signal', async () => {
    const to = await receiver();
    to.respondWith(async ({id}) => (id === 'kept' ? 204 : {failure: 'hang' as const}));
    const from = sender();
    const controller = new AbortController();
    const given = from.send(request(to.url, {headers: {'webhook-id': 'given'}, signal: controller.signal}));
    await to.waitFor(1);
    controller.abort();
    expect(await given).toMatchObject({error: 'aborted'});
    expect(await from.send(request(to.url, {headers: {'webhook-id': 'kept'}}))).toMatchObject({status: 204});
  });

  test('sends nothing if the signal is already aborted', async () => {
    const to = await receiver();
    expect(await sender().send(request(to.url, {signal: AbortSignal.abort()}))).toMatchObject({
      error: 'aborted',
    });
    expect(to.connections()).toBe(0);
  });

  test('writes nothing to a new connection if the request may no longer be sent', async () => {
    const to = await receiver();
    const from = sender();
    const asked: number[] = [];
    const maySend = (): boolean => asked.push(to.connections()) > 1;
    expect(await from.send(request(to.url, {maySend}))).toMatchObject({error: 'aborted'});
    expect(await from.send(request(to.url, {maySend}))).toMatchObject({status: 204});
    expect(asked[0]).toBe(1);
    expect(to.received).toHaveLength(1);
  });

  test('regression: ends a connection that is still being opened when the sender closes', async () => {
    const accepted: Socket[] = [];
    const server = createTcpServer((socket) => accepted.push(socket.on('error', () => {}).resume()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      for (const socket of accepted) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    const from = sender({timeoutMs: 10_000});
    // The TLS client waits for an answer to its first message.
    const stuck = from.send(request(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`));
    const socket = await until(() => accepted[0]);
    await from.close();
    expect(await stuck).toMatchObject({error: 'aborted'});
    await until(() => socket.destroyed || socket.readableEnded, {
      withinMs: 3000,
      what: 'the connection has ended',
    });
  });

  test('stops all requests in progress, and sends no more, when the sender closes', async () => {
    const to = await receiver();
    to.respondWith({failure: 'hang'});
    const from = sender();
    const stuck = from.send(request(to.url));
    await to.waitFor(1);
    await from.close();
    expect(await stuck).toMatchObject({error: 'aborted'});
    expect(await from.send(request(to.url))).toMatchObject({error: 'aborted'});
    expect(to.received).toHaveLength(1);
  });
});
