import {readdirSync, readlinkSync} from 'node:fs';
import {type Server, ServerResponse} from 'node:http';
import net, {type AddressInfo} from 'node:net';
import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import express, {type Express} from 'express';
import {createHttpServer, type HttpServerOptions} from '../../../src/api/server/http-server.js';
import {startService, type TestService} from '../../support/service.js';
import {until} from '../../support/until.js';
import {deep} from '../../support/deep.js';

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

/** A server as in the service, with another application behind it. */
async function serve(
  app: Express,
  options: Partial<HttpServerOptions> = {},
): Promise<{server: Server; url: string; countOpen: () => Promise<number>}> {
  const server = createHttpServer(app, {
    publicUrl: 'http://localhost',
    requestId: () => 'req_test',
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countOpen: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      ),
  };
}

interface TestConnection {
  readonly socket: net.Socket;
  text: string;
  closed: boolean;
}

/** Connects and writes; with `reads: false` it reads nothing of the answers. */
async function connect(url: string, text = '', {reads = true} = {}): Promise<TestConnection> {
  const {hostname, port} = new URL(url);
  const socket = net.connect(Number(port), hostname);
  const caller: TestConnection = {socket, text: '', closed: false};
  closings.push(() => void socket.destroy());
  socket.on('error', () => undefined).on('close', () => (caller.closed = true));
  if (reads) socket.setEncoding('utf8').on('data', (chunk: string) => (caller.text += chunk));
  else socket.pause();
  await new Promise((resolve) => socket.once('connect', resolve));
  if (text !== '') await new Promise((resolve) => socket.write(text, resolve));
  return caller;
}

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const countAnswers = (text: string) => text.split('HTTP/1.1 ').length - 1;

describe('an incomplete body', () => {
  /** Reads the whole body and then answers. */
  function serveBodies(options: Partial<HttpServerOptions> = {}) {
    const bytes = {read: 0};
    const app = express().use((request, response) => {
      request.on('data', (piece: Buffer) => (bytes.read += piece.length));
      request.on('end', () => response.json({}));
      request.on('error', () => undefined);
    });
    return serve(app, options).then((server) => ({...server, bytes}));
  }
  const chunked = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  const whole = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

  it('regression: is cut off after more than 1,024 pieces, and costs hardly anything', async () => {
    const {url, bytes} = await serveBodies();
    const caller = await connect(url, `${chunked}${'1\r\na\r\n'.repeat(10_000)}0\r\n\r\n`);
    await until(() => caller.closed);
    expect(caller.text).toBe('');
    expect(bytes.read).toBeLessThan(1_100);
  });

  it('is read in 1,000 pieces', async () => {
    const {url, bytes} = await serveBodies();
    const caller = await connect(url, `${chunked}${'1\r\na\r\n'.repeat(1_000)}0\r\n\r\n`);
    await until(() => countAnswers(caller.text) === 1);
    expect(bytes.read).toBe(1_000);
  });

  it('is read in as many packets as it needs', async () => {
    const {url, bytes} = await serveBodies();
    const piece = `200\r\n${'a'.repeat(512)}\r\n`;
    const caller = await connect(url, `${chunked}${piece.repeat(3_000)}0\r\n\r\n`);
    await until(() => countAnswers(caller.text) === 1);
    expect(bytes.read).toBe(3_000 * 512);
  });

  it('regression: is cut off if it is the largest when all bodies together are too large, and others are served', async () => {
    const {url} = await serveBodies({bounds: {arrivingBytes: 100_000}});
    const small = await connect(url, `${whole(2_000)}${'a'.repeat(1_999)}`);
    const large = await connect(url, `${whole(90_001)}${'a'.repeat(90_000)}`);
    const last = await connect(url, `${whole(20_001)}${'a'.repeat(20_000)}`);
    await until(() => large.closed);
    for (const caller of [small, last]) caller.socket.write('a');
    await until(() => [small, last].every(({text}) => countAnswers(text) === 1));
    // A body that is complete or cut no longer counts.
    const next = await connect(url, `${whole(90_000)}${'a'.repeat(90_000)}`);
    await until(() => countAnswers(next.text) === 1);
    expect(next.closed).toBe(false);
  });
});

describe('pipelined requests on one connection', () => {
  /** Answers only when the test says so. */
  async function serveLater() {
    const begun: (() => void)[] = [];
    const app = express().use((_, response) => void begun.push(() => response.json({})));
    return {...(await serve(app)), begun};
  }

  it('regression: are served one after the other up to eight, each when the previous answer has been read', async () => {
    const {url, begun} = await serveLater();
    const caller = await connect(url, ask('/').repeat(8));
    for (let i = 1; i <= 8; i += 1) {
      await until(() => begun.length === i);
      expect(countAnswers(caller.text)).toBe(i - 1);
      begun[i - 1]?.();
      await until(() => countAnswers(caller.text) === i);
    }
    expect(caller.closed).toBe(false);
  });

  it('regression: end the connection at the ninth, with a message, and nothing after it is served', async () => {
    const {url, begun} = await serveLater();
    const caller = await connect(url, ask('/').repeat(12));
    for (let i = 1; i <= 8; i += 1) {
      await until(() => begun.length === i);
      begun[i - 1]?.();
    }
    await until(() => caller.closed);
    expect(begun).toHaveLength(8);
    expect(countAnswers(caller.text)).toBe(9);
    const last = caller.text.slice(caller.text.lastIndexOf('HTTP/1.1 '));
    expect(last).toMatch(/^HTTP\/1\.1 429 [\s\S]*Connection: close[\s\S]*"code":"rate_limited"/);
    expect(last).toContain('More than 8 requests on this connection wait for their answers.');
  });

  it('regression: are cut off at 57 KB, with only one begun', async () => {
    const {url, begun} = await serveLater();
    const caller = await connect(url, ask('/openapi.json').repeat(1_500));
    await until(() => caller.closed);
    expect(begun).toHaveLength(1);
  });

  it('are not begun after the caller disconnects', async () => {
    const {url, begun, countOpen} = await serveLater();
    const caller = await connect(url, ask('/').repeat(3));
    await until(() => begun.length === 1);
    caller.socket.destroy();
    await until(async () => (await countOpen()) === 0);
    begun[0]?.();
    expect((await connect(url)).closed).toBe(false);
    expect(begun).toHaveLength(1);
  });
});

describe('a client that does not read its answers', () => {
  const large = Buffer.alloc(16 * 1024 * 1024, 'x');
  const app = express()
    .get('/large', (_, response) => void response.send(large))
    .get('/larger', (_, response) => void response.send(Buffer.alloc(64 * 1024 * 1024)))
    .get('/pulse', (_, response) => {
      const pulse = setInterval(() => response.write('alive'), 100);
      response.once('close', () => clearInterval(pulse));
    });

  it('regression: is disconnected after a while, unless it is a stream with keep-alives', async () => {
    // A stalled server would cut both: a busy machine may stop it for half a second.
    const times = {headersMs: 10_000, requestMs: 30_000, drainMs: 2_000};
    const {url, countOpen} = await serve(app, {times});
    const listener = await connect(url, ask('/pulse'));
    await connect(url, ask('/large'), {reads: false});
    expect(await countOpen()).toBe(2);
    await until(async () => (await countOpen()) === 1);
    const heard = listener.text.length;
    await until(() => listener.text.length > heard + 30);
    expect(listener.closed).toBe(false);
  });

  it('regression: is disconnected first if it has the most unread data when all clients together have too much', async () => {
    const {url, server} = await serve(app, {bounds: {unreadBytes: 56 * 1024 * 1024}});
    const taken: net.Socket[] = [];
    server.on('connection', (socket: net.Socket) => taken.push(socket));
    for (const path of ['/large', '/larger', '/large']) await connect(url, ask(path), {reads: false});
    await until(() => taken.length === 3 && taken[1]?.destroyed);
    const connection = await connect(url, ask('/large'));
    await until(() => connection.text.length > large.length);
    expect(taken.map(({destroyed}) => destroyed)).toEqual([false, true, false, false]);
  });
});

describe('the limit on connections', () => {
  const app = express()
    .get('/', (_, response) => void response.json({}))
    .get('/slow', () => undefined);

  it('regression: closes the connection that was idle longest for a new one, and none that waits for an answer', async () => {
    const {url, countOpen} = await serve(app, {bounds: {connections: 4}});
    const waiting = await connect(url, ask('/slow'));
    const silent = await connect(url);
    const answered = await connect(url, ask('/'));
    await until(() => countAnswers(answered.text) === 1);
    const halfway = await connect(url, 'GET / HTTP/1.1\r\nHost:');
    await until(async () => (await countOpen()) === 4);

    const next = await connect(url, ask('/'));
    await until(() => countAnswers(next.text) === 1);
    await until(() => silent.closed);
    const another = await connect(url, ask('/'));
    await until(() => countAnswers(another.text) === 1);
    await until(() => answered.closed);
    expect([waiting, halfway, next, another].map(({closed}) => closed)).toEqual([false, false, false, false]);
    expect(await countOpen()).toBe(4);
  });

  it('regression: closes a connection whose client does not read if all other connections wait for answers', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024, 'x');
    const withLarge = express()
      .get('/large', (_, response) => void response.send(large))
      .get('/slow', () => undefined)
      .get('/', (_, response) => void response.json({}));
    const {url, countOpen} = await serve(withLarge, {bounds: {connections: 2}});
    const waiting = await connect(url, ask('/slow'));
    await connect(url, ask('/large'), {reads: false});
    await until(async () => (await countOpen()) === 2);
    const next = await connect(url, ask('/'));
    await until(() => countAnswers(next.text) === 1);
    expect(waiting.closed).toBe(false);
    expect(await countOpen()).toBe(2);
  });

  it('regression: closes a connection with an incomplete request if all other connections wait for answers', async () => {
    let begun = 0;
    const withPosts = express()
      .post('/', () => void (begun += 1))
      .get('/slow', () => undefined)
      .get('/', (_, response) => void response.json({}));
    const {url, countOpen} = await serve(withPosts, {bounds: {connections: 3}});
    const waiting = await connect(url, ask('/slow'));
    const unsent = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{';
    const first = await connect(url, unsent);
    await until(() => begun === 1);
    const second = await connect(url, unsent);
    await until(async () => begun === 2 && (await countOpen()) === 3);
    const next = await connect(url, ask('/'));
    await until(() => countAnswers(next.text) === 1);
    await until(() => first.closed);
    expect([waiting, second].map(({closed}) => closed)).toEqual([false, false]);
    expect(await countOpen()).toBe(3);
  });
});

describe('documents requested by clients that do not read', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  const pages = ['/docs/assets/swagger-ui-bundle.js', '/llms.txt', '/problems', '/docs/page.css'];
  // The document of the API takes a second to build, and is cached like llms.txt.
  const all = deep ? [...pages, '/openapi.json'] : pages;

  it.each(all)('regression: %s is in memory once, however many clients request it', async (path) => {
    const sent: unknown[] = [];
    const agent = `reader of ${path}`;
    const {write, end} = ServerResponse.prototype;
    const spy = (original: typeof write | typeof end) =>
      function send(this: ServerResponse, ...args: unknown[]): never {
        // Answers of other tests may still be on their way.
        if (args[0] !== undefined && this.req.headers['user-agent'] === agent) sent.push(args[0]);
        return Reflect.apply(original, this, args) as never;
      };
    Object.assign(ServerResponse.prototype, {write: spy(write), end: spy(end)});
    try {
      for (let i = 0; i < 2; i += 1)
        await (await fetch(`${service.url}${path}`, {headers: {'user-agent': agent}})).text();
    } finally {
      Object.assign(ServerResponse.prototype, {write, end});
    }
    const regions = sent.map((part) => (part instanceof Uint8Array ? [part.buffer, part.byteOffset] : []));
    const [first, second] = [regions.slice(0, regions.length / 2), regions.slice(regions.length / 2)];
    expect(first.length).toBeGreaterThan(0);
    for (const [i, [buffer, offset]] of first.entries()) {
      expect(buffer).toBeInstanceOf(ArrayBuffer);
      expect([second[i]?.[0] === buffer, second[i]?.[1]]).toEqual([true, offset]);
    }
  });

  it('regression: no file of the pages remains open', async () => {
    const requests = ask('/docs/assets/swagger-ui-bundle.js').repeat(8);
    for (let i = 0; i < 20; i += 1) await connect(service.url, requests, {reads: false});
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    expect(openFiles().filter((name) => name.includes('swagger-ui-dist'))).toEqual([]);
  });
});

/** Open files of the process, from the system. */
function openFiles(): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return [];
    }
  });
}
