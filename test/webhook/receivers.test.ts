// Receivers at the level of bytes: each row has the bytes that a receiver sends, and the expected result of
// the sender.
import {createServer as createTcpServer} from 'node:net';
import type {AddressInfo, Socket} from 'node:net';
import {createServer as createTlsServer} from 'node:tls';
import {afterEach, describe, expect, test} from '@jest/globals';
import type {SendResult} from '../../src/domain/webhooks/attempt.js';
import {createAddressPolicy} from '../../src/webhook/address.js';
import {createSender} from '../../src/webhook/sender.js';
import type {Sender, SenderOptions} from '../../src/webhook/sender.js';
import {until} from '../support/until.js';
import {testCertificate} from './certificate.js';
import {deep, sampleUnlessDeep} from '../support/deep.js';

type Scheme = 'http' | 'https';

/**
 * A received request, with the number of its connection, its number on that connection, and its `webhook-id`.
 */
interface ConnectionRequest {
  readonly socket: Socket;
  readonly connection: number;
  readonly nth: number;
  readonly id: string;
  /** Resets the connection. */
  readonly cut: () => void;
}

const closing: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts a receiver that answers each complete request with `answer`, byte for byte. */
async function rawReceiver(answer: (arrival: ConnectionRequest) => void, scheme: Scheme = 'http') {
  const arrivals: ConnectionRequest[] = [];
  const sockets: Socket[] = [];
  /** The TCP socket below each TLS connection, by the sender's port. */
  const carriers = new Map<number | undefined, Socket>();
  const serve = (socket: Socket): void => {
    const connection = sockets.push(socket);
    const cut = (): void => void carriers.get(socket.remotePort)?.resetAndDestroy();
    let text = '';
    let nth = 0;
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (let end = endOfRequest(text); end > 0; end = endOfRequest(text)) {
        const id = /webhook-id: (\S+)/i.exec(text)?.[1] ?? '';
        text = text.slice(end);
        nth += 1;
        const arrival = {socket, connection, nth, id, cut};
        arrivals.push(arrival);
        answer(arrival);
      }
    });
  };
  const server = scheme === 'https' ? createTlsServer(testCertificate, serve) : createTcpServer(serve);
  server.on('connection', (socket: Socket) => carriers.set(socket.remotePort, socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`, arrivals, sockets};
}

function endOfRequest(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return 0;
  const end = head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return text.length < end ? 0 : end;
}

/**
 * Creates a sender with one connection to each origin, so that a second request reuses the connection if it
 * is still open.
 */
function sender(options: Partial<SenderOptions> = {}): Sender {
  const made = createSender({
    policy: createAddressPolicy({allowNetworks: ['127.0.0.0/8']}),
    userAgent: 'standup-test/1',
    timeoutMs: 5_000,
    connectionsPerOrigin: 1,
    tls: {ca: testCertificate.cert},
    ...options,
  });
  closing.push(() => made.close());
  return made;
}

function send(from: Sender, url: string, id = 'evt_1'): Promise<SendResult> {
  return from.send({url, body: '{"test":true}', headers: {'webhook-id': id}});
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const early = (status: string): string => head(`HTTP/1.1 ${status}`, 'x-early: 1');

interface ReceiverCase {
  readonly says: readonly string[];
  /** Way in which the connection ends after the bytes; by default it stays open. */
  readonly ending?: 'end' | 'reset';
  readonly status?: number;
  readonly error?: string;
  readonly excerpt?: string;
}

/** Complete answers, sent in one packet or in many. */
const whole: Readonly<Record<string, ReceiverCase>> = {
  'a length and so many bytes': {says: [ok], status: 200, excerpt: 'ok'},
  'a length, and the end of the connection': {says: [ok], ending: 'end', status: 200, excerpt: 'ok'},
  'a length, and a cut connection': {says: [ok], ending: 'reset', status: 200, excerpt: 'ok'},
  '202 without a body': {says: [head('HTTP/1.1 202 Accepted', 'content-length: 0')], status: 202},
  'no length, and the end of the connection': {
    says: [head('HTTP/1.1 200 OK'), 'ok'],
    ending: 'end',
    status: 200,
    excerpt: 'ok',
  },
  'no length, no body, and the end of the connection': {
    says: [head('HTTP/1.1 201 Created')],
    ending: 'end',
    status: 201,
  },
  '204 alone': {says: [head('HTTP/1.1 204 No Content')], status: 204},
  '204 with length 0': {says: [head('HTTP/1.1 204 No Content', 'content-length: 0')], status: 204},
  '204 with a length and no body': {
    says: [head('HTTP/1.1 204 No Content', 'content-length: 15')],
    status: 204,
  },
  '204 with a length and a body': {
    says: [head('HTTP/1.1 204 No Content', 'content-length: 2'), 'ok'],
    status: 204,
  },
  '204 in chunks that never come': {
    says: [head('HTTP/1.1 204 No Content', 'transfer-encoding: chunked')],
    status: 204,
  },
  '204 with an end of chunks': {
    says: [head('HTTP/1.1 204 No Content', 'transfer-encoding: chunked'), '0\r\n\r\n'],
    status: 204,
  },
  '204 with a length, and the end of the connection': {
    says: [head('HTTP/1.1 204 No Content', 'content-length: 15', 'connection: close')],
    ending: 'end',
    status: 204,
  },
  '304 with a length and no body': {
    says: [head('HTTP/1.1 304 Not Modified', 'content-length: 15')],
    status: 304,
  },
  '205 with length 0': {says: [head('HTTP/1.1 205 Reset Content', 'content-length: 0')], status: 205},
  '100 before the answer': {says: [early('100 Continue'), ok], status: 200, excerpt: 'ok'},
  '100 without a reason': {says: ['HTTP/1.1 100\r\n\r\n', ok], status: 200, excerpt: 'ok'},
  '100 of HTTP/1.0': {says: ['HTTP/1.0 100 Continue\r\n\r\n', ok], status: 200, excerpt: 'ok'},
  '100 before 204': {says: [early('100 Continue'), head('HTTP/1.1 204 No Content')], status: 204},
  '100 and the end of the connection after the answer': {
    says: [early('100 Continue'), head('HTTP/1.1 200 OK', 'connection: close'), 'ok'],
    ending: 'end',
    status: 200,
    excerpt: 'ok',
  },
  '102 before the answer': {says: [early('102 Processing'), ok], status: 200, excerpt: 'ok'},
  '103 before the answer': {says: [early('103 Early Hints'), ok], status: 200, excerpt: 'ok'},
  '199 before the answer': {says: [early('199 Soon'), ok], status: 200, excerpt: 'ok'},
  '100, 103, 102, 103 and 100 before the answer': {
    says: [...['100', '103', '102', '103', '100'].map(early), ok],
    status: 200,
    excerpt: 'ok',
  },
  chunks: {
    says: [head('HTTP/1.1 200 OK', 'transfer-encoding: chunked'), '2\r\nok\r\n', '0\r\n\r\n'],
    status: 200,
    excerpt: 'ok',
  },
  'chunks with extensions and trailers': {
    says: [
      head('HTTP/1.1 200 OK', 'transfer-encoding: chunked', 'trailer: x-sum'),
      '2;a=b\r\nok\r\n',
      '0\r\nx-sum: 1\r\nx-more: 2\r\n\r\n',
    ],
    status: 200,
    excerpt: 'ok',
  },
  'HTTP/1.0 with a length': {
    says: [head('HTTP/1.0 200 OK', 'content-length: 2'), 'ok'],
    ending: 'end',
    status: 200,
    excerpt: 'ok',
  },
  'HTTP/1.0 with a length, and no end': {
    says: [head('HTTP/1.0 200 OK', 'content-length: 2'), 'ok'],
    status: 200,
    excerpt: 'ok',
  },
  'HTTP/1.0 without a length': {
    says: [head('HTTP/1.0 200 OK'), 'ok'],
    ending: 'end',
    status: 200,
    excerpt: 'ok',
  },
  'HTTP/1.0 that keeps alive': {
    says: [head('HTTP/1.0 200 OK', 'content-length: 2', 'connection: keep-alive'), 'ok'],
    status: 200,
    excerpt: 'ok',
  },
  'more bytes than its length': {says: [`${ok} and more`], status: 200, excerpt: 'ok'},
  'an upgrade that it only offers': {
    says: [head('HTTP/1.1 200 OK', 'connection: upgrade', 'upgrade: h2c', 'content-length: 2'), 'ok'],
    status: 200,
    excerpt: 'ok',
  },
};

/** Incomplete answers, and answers that must not be trusted. */
const broken: Readonly<Record<string, ReceiverCase>> = {
  'fewer bytes than its length, and the end of the connection': {
    says: [head('HTTP/1.1 200 OK', 'content-length: 5'), 'ok'],
    ending: 'end',
    status: 200,
    error: 'reset',
    excerpt: 'ok',
  },
  'fewer bytes than its length, and the end that it announced': {
    says: [head('HTTP/1.1 200 OK', 'content-length: 5', 'connection: close'), 'ok'],
    ending: 'end',
    status: 200,
    error: 'reset',
    excerpt: 'ok',
  },
  'fewer bytes than its length, and no end': {
    says: [head('HTTP/1.1 200 OK', 'content-length: 5'), 'ok'],
    status: 200,
    error: 'timeout',
    excerpt: 'ok',
  },
  'chunks without an end': {
    says: [head('HTTP/1.1 200 OK', 'transfer-encoding: chunked'), '2\r\nok\r\n'],
    ending: 'end',
    status: 200,
    error: 'reset',
    excerpt: 'ok',
  },
  'a length and chunks': {
    says: [
      head('HTTP/1.1 200 OK', 'content-length: 2', 'transfer-encoding: chunked'),
      '2\r\nok\r\n0\r\n\r\n',
    ],
    error: 'protocol',
  },
  'two lengths': {
    says: [head('HTTP/1.1 200 OK', 'content-length: 2', 'content-length: 3'), 'okk'],
    error: 'protocol',
  },
  'half a head, and the end of the connection': {
    says: ['HTTP/1.1 200 OK\r\ncontent-le'],
    ending: 'end',
    error: 'reset',
  },
  '100 and the end of the connection': {says: [early('100 Continue')], ending: 'end', error: 'reset'},
  '100 and nothing more': {says: [early('100 Continue')], error: 'timeout'},
  'half of 100, and the end of the connection': {says: ['HTTP/1.1 100 Cont'], ending: 'end', error: 'reset'},
  '101 unasked': {
    says: [head('HTTP/1.1 101 Switching Protocols', 'connection: upgrade', 'upgrade: x')],
    error: 'protocol',
  },
  'six early answers': {says: [early('100 Continue').repeat(6), ok], error: 'protocol'},
  'an early answer without end': {
    says: [`HTTP/1.1 100 Continue\r\nx-long: ${'a'.repeat(20_000)}`],
    error: 'protocol',
  },
  'nothing, and the end of a fresh connection': {says: [], ending: 'end', error: 'reset'},
  'nothing, and a cut fresh connection': {says: [], ending: 'reset', error: 'reset'},
};

function answerBy({says, ending}: ReceiverCase, pieces: (says: readonly string[]) => readonly string[]) {
  return async ({socket, nth, cut}: ConnectionRequest): Promise<void> => {
    // Further requests on a connection that will be reset are ignored, because their answers would be lost.
    if (ending === 'reset' && nth > 1) return;
    socket.setNoDelay(true);
    for (const piece of pieces(says)) {
      await new Promise((resolve) => socket.write(piece, 'latin1', resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (ending === 'end') socket.end();
    if (ending !== 'reset') return;
    // A reset discards unread data, so the sender, which is in this process, gets time to read first.
    for (let tick = 0; tick < 20; tick += 1) await new Promise((resolve) => setImmediate(resolve));
    cut();
  };
}

const packets: Readonly<Record<string, (says: readonly string[]) => readonly string[]>> = {
  'in one packet': (says) => (says.length === 0 ? [] : [says.join('')]),
  'in its parts': (says) => says,
  'byte for byte': (says) => [...says.join('')],
};

describe.each(['http', 'https'] as const)('an answer to a webhook over %s', (scheme) => {
  describe.each(Object.keys(packets))('arriving %s', (how) => {
    test.each(sampleUnlessDeep(Object.keys(whole), how === 'in one packet' && scheme === 'http' ? 40 : 10))(
      'is read in full with %s',
      async (what) => {
        const row = whole[what]!;
        const to = await rawReceiver((arrival) => void answerBy(row, packets[how]!)(arrival), scheme);
        const from = sender();
        const result = await send(from, to.url);
        expect(result).toMatchObject({status: row.status});
        expect([result.error, result.responseExcerpt]).toEqual([undefined, row.excerpt]);
        // No byte of the first answer remains for the next request.
        const next = await send(from, to.url, 'evt_2');
        expect([next.status, next.error, next.responseExcerpt]).toEqual([row.status, undefined, row.excerpt]);
        expect(new Set(to.arrivals.map(({id}) => id))).toEqual(new Set(['evt_1', 'evt_2']));
      },
    );
  });

  test.each(sampleUnlessDeep(Object.keys(broken), scheme === 'http' ? 20 : 6))(
    'is a failure, without a second request, if it has %s',
    async (what) => {
      const row = broken[what]!;
      const to = await rawReceiver((arrival) => void answerBy(row, (says) => says)(arrival), scheme);
      const result = await send(sender({timeoutMs: 400}), to.url);
      expect([result.error, result.status, result.responseExcerpt]).toEqual([
        row.error,
        row.status,
        row.excerpt,
      ]);
      expect(to.arrivals).toHaveLength(1);
    },
  );
});

describe.each(['http', 'https'] as const)('a reused connection to a receiver over %s', (scheme) => {
  const endings: Readonly<Record<string, (arrival: ConnectionRequest) => void>> = {
    ended: ({socket}) => void socket.end(),
    cut: ({cut}) => cut(),
    destroyed: ({socket}) => void socket.destroy(),
    'half-closed, and read on,': ({socket}) => void Object.assign(socket, {allowHalfOpen: true}).end(),
    'followed by bytes that are no answer': ({socket}) => void socket.write('and more'),
  };

  test.each(Object.keys(endings))(
    'is replaced without using up an attempt if it is %s before a byte of the answer',
    async (how) => {
      const to = await rawReceiver((arrival) => {
        if (arrival.nth === 1) arrival.socket.write(ok);
        else endings[how]!(arrival);
      }, scheme);
      const from = sender();
      await send(from, to.url, 'evt_1');
      const result = await send(from, to.url, 'evt_2');
      expect(result).toMatchObject({status: 200, responseExcerpt: 'ok', remoteAddress: '127.0.0.1'});
      expect(result.error).toBeUndefined();
      expect(to.arrivals.map(({id, connection, nth}) => [id, connection, nth])).toEqual([
        ['evt_1', 1, 1],
        ['evt_2', 1, 2],
        ['evt_2', 2, 1],
      ]);
    },
  );

  test.each(['HTTP/1.1 2', 'H', 'HTTP/1.1 100 Continue\r\n\r\n'])(
    'is not replaced if it ends after %j of an answer',
    async (begun) => {
      const to = await rawReceiver(({socket, nth}) => {
        if (nth === 1) socket.write(ok);
        else socket.end(begun);
      }, scheme);
      const from = sender();
      await send(from, to.url, 'evt_1');
      expect(await send(from, to.url, 'evt_2')).toMatchObject({error: 'reset'});
      expect(to.arrivals).toHaveLength(2);
    },
  );

  test('is replaced by a new connection if it ends, but only once', async () => {
    const to = await rawReceiver(({socket, id}) => {
      if (id === 'evt_1') socket.write(ok);
      else socket.end();
    }, scheme);
    const from = sender();
    await send(from, to.url, 'evt_1');
    expect(await send(from, to.url, 'evt_2')).toMatchObject({error: 'reset'});
    expect(to.arrivals.map(({connection}) => connection)).toEqual([1, 1, 2]);
  });

  test('is never replaced by another reused connection', async () => {
    let ends = false;
    const to = await rawReceiver(({socket, nth}) => {
      if (ends && nth > 1) socket.end();
      else setTimeout(() => socket.write(ok), 50);
    }, scheme);
    const from = sender({connectionsPerOrigin: 8});
    await Promise.all(Array.from({length: 8}, (_, n) => send(from, to.url, `evt_${n}`)));
    ends = true;
    const results = await Promise.all(Array.from({length: 8}, (_, n) => send(from, to.url, `again_${n}`)));
    expect(results.filter(({status, error}) => status !== 200 || error !== undefined)).toEqual([]);
    expect(to.sockets).toHaveLength(16);
  });

  test('leaves its replacement only the rest of the time until the deadline', async () => {
    const to = await rawReceiver(({socket, nth, connection}) => {
      if (connection === 1 && nth === 1) socket.write(ok);
      else if (connection === 1) setTimeout(() => socket.end(), 300);
    }, scheme);
    const from = sender({timeoutMs: 600});
    await send(from, to.url, 'evt_1');
    const result = await send(from, to.url, 'evt_2');
    expect(result).toMatchObject({error: 'timeout'});
    expect(result.durationMs).toBeGreaterThanOrEqual(599);
    expect(result.durationMs).toBeLessThan(850);
    expect(to.arrivals).toHaveLength(3);
  });

  test('is not replaced if the request may no longer be sent', async () => {
    const to = await rawReceiver(({socket, nth}) => {
      if (nth === 1) socket.write(ok);
      else socket.end();
    }, scheme);
    const from = sender();
    await send(from, to.url, 'evt_1');
    let asked = 0;
    const maySend = (): boolean => ++asked === 1;
    const result = await from.send({url: to.url, body: '{}', headers: {}, maySend});
    expect(result).toMatchObject({error: 'aborted'});
    expect([asked, to.arrivals.length]).toEqual([2, 2]);
  });

  test('is closed after its replacement', async () => {
    const to = await rawReceiver(({socket, nth}) => {
      if (nth === 1) socket.write(ok);
      else socket.end();
    }, scheme);
    const from = sender();
    await send(from, to.url, 'evt_1');
    await send(from, to.url, 'evt_2');
    await until(() => to.sockets.every(({readableEnded, destroyed}) => readableEnded || destroyed), {
      what: 'both connections have ended',
    });
  });

  test('loses no request if it was closed while idle', async () => {
    // The receiver closes the connection shortly after each answer, sometimes while the next request is
    // arriving.
    const to = await rawReceiver(({socket, nth, connection}) => {
      socket.write(ok);
      const pause = (nth * 7 + connection * 3) % 5;
      if (nth > 1) setTimeout(() => socket.end(), pause);
    }, scheme);
    const from = sender();
    const failed: SendResult[] = [];
    const many = deep ? 200 : 50;
    for (let n = 0; n < many; n += 1) {
      const result = await send(from, to.url, `evt_${n}`);
      if (result.status !== 200 || result.error !== undefined) failed.push(result);
    }
    expect(failed).toEqual([]);
    expect(new Set(to.arrivals.map(({id}) => id)).size).toBe(many);
  });
});
