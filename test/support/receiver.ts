import {createPublicKey, verify as verifySignature} from 'node:crypto';
import {EventEmitter} from 'node:events';
import {createServer} from 'node:http';
import type {IncomingMessage, RequestListener, ServerResponse} from 'node:http';
import {createServer as createTlsServer} from 'node:https';
import type {AddressInfo} from 'node:net';
import {gzipSync} from 'node:zlib';
import {Webhook} from 'standardwebhooks';
import {findWebhookViolations} from './contract.js';

export interface ReceivedRequest {
  /** The header `webhook-id` of the request, or an empty text. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Time at which the request was complete (Unix ms). */
  readonly at: number;
}

export interface ReceiverAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /**
   * Failure of the receiver. `hang`: never answers. `hang-body`: sends headers, then nothing. `drip`: sends
   * single bytes without end. `reset`: cuts the connection at once; `reset-body`: cuts it after the headers.
   * `endless`: sends a body without end. `gzip-bomb`: sends 64 MiB in 64 KiB. `garbage`: sends no HTTP.
   */
  readonly failure?: ReceiverFailure;
}

export type ReceiverFailure =
  | 'hang'
  | 'hang-body'
  | 'drip'
  | 'reset'
  | 'reset-body'
  | 'endless'
  | 'gzip-bomb'
  | 'garbage';

export type RespondToDelivery = (
  delivery: ReceivedRequest,
) => number | ReceiverAnswer | Promise<number | ReceiverAnswer>;

export interface Receiver {
  /** Address of the receiver without a path: `http://127.0.0.1:port`. */
  readonly url: string;
  readonly port: number;
  /** Every request so far, in order of arrival, whatever the answer was. */
  readonly received: readonly ReceivedRequest[];
  /** TCP connections accepted so far, including those that never sent a request. */
  readonly connections: () => number;
  /** Number of bytes of response bodies written so far, which shows when the client stopped reading. */
  readonly bytesSent: () => number;
  /**
   * Sets the answer from now on; the default is 204. A function may return a promise, which delays the
   * answer.
   */
  respondWith(answer: RespondToDelivery | ReceiverAnswer | number): void;
  /**
   * Resolves once this many requests have arrived, or the predicate is true for the requests so far. Rejects
   * with the requests so far.
   */
  waitFor(
    wanted: number | ((received: readonly ReceivedRequest[]) => boolean),
    timeoutMs?: number,
  ): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** Key and certificate with which the receiver serves HTTPS. */
  readonly tls?: {readonly key: string; readonly cert: string};
  /** Address on which the receiver listens; default: 127.0.0.1. */
  readonly host?: string;
  /** Port of the receiver; default: a free one. */
  readonly port?: number;
}

/** Starts a real webhook receiver on a free loopback port. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const arrivals = new EventEmitter().setMaxListeners(0);
  const dripping = new Set<NodeJS.Timeout>();
  let respond: RespondToDelivery = () => 204;
  let connections = 0;
  let bytesSent = 0;
  /**
   * Errors found by checking received events against the OpenAPI document. Closing the receiver reports them
   * to the test.
   */
  const violations: string[] = [];

  async function handleDelivery(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const delivery = toReceivedRequest(request, Buffer.concat(chunks));
    received.push(delivery);
    if (/^evt_[0-9a-z]{26}$/.test(delivery.id))
      violations.push(...findWebhookViolations(delivery.body.toString()));
    arrivals.emit('arrival');
    const answer = await respond(delivery);
    writeAnswer(response, typeof answer === 'number' ? {status: answer} : answer);
  }

  function writeAnswer(
    response: ServerResponse,
    {status = 200, headers = {}, body = '', failure}: ReceiverAnswer,
  ): void {
    if (response.destroyed || failure === 'hang') return;
    if (failure === 'reset') {
      response.socket?.resetAndDestroy();
      return;
    }
    if (failure === 'garbage') {
      response.socket?.end('220 mail.example.test ESMTP\r\n');
      return;
    }
    if (failure === 'gzip-bomb') {
      // Compress one MiB and repeat the result 64 times. That is valid, since gzip data may consist of
      // several members (RFC 1952, section 2.2).
      const part = gzipSync(Buffer.alloc(1024 * 1024));
      const bomb = Buffer.concat(Array.from({length: 64}, () => part));
      bytesSent += bomb.length;
      response.writeHead(status, {...headers, 'content-encoding': 'gzip'}).end(bomb);
      return;
    }
    response.writeHead(status, headers as Record<string, string>);
    if (failure === undefined) {
      bytesSent += body.length;
      response.end(body);
      return;
    }
    response.flushHeaders();
    if (body.length > 0) response.write(body);
    if (failure === 'reset-body') response.write('begun', () => response.socket?.resetAndDestroy());
    if (failure === 'drip') writeSlowly(response);
    if (failure === 'endless') writeEndlessly(response);
  }

  function writeSlowly(response: ServerResponse): void {
    const timer = setInterval(() => response.write('.'), 20);
    dripping.add(timer);
    response.once('close', () => {
      clearInterval(timer);
      dripping.delete(timer);
    });
  }

  function writeEndlessly(response: ServerResponse): void {
    const piece = Buffer.alloc(64 * 1024, 'x');
    const more = (): void => {
      while (!response.destroyed) {
        bytesSent += piece.length;
        if (!response.write(piece)) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
  }

  // A client that disconnects early is part of these tests, so its errors are ignored.
  const listener: RequestListener = (request, response) => {
    response.on('error', () => {});
    handleDelivery(request, response).catch(() => response.destroy());
  };
  const server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener);
  // Keep idle connections open for longer than a busy machine may pause between two requests.
  server.keepAliveTimeout = 60_000;
  server.on('connection', () => {
    connections += 1;
  });
  server.on('tlsClientError', () => {});
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, host, resolve));
  const {port} = server.address() as AddressInfo;

  return {
    url: `${options.tls ? 'https' : 'http'}://${host}:${port}`,
    port,
    received,
    connections: () => connections,
    bytesSent: () => bytesSent,
    respondWith(answer) {
      respond = typeof answer === 'function' ? answer : () => answer;
    },
    waitFor(wanted, timeoutMs = 20_000) {
      const satisfied = typeof wanted === 'number' ? () => received.length >= wanted : () => wanted(received);
      return new Promise((resolve, reject) => {
        const check = (): void => {
          if (!satisfied()) return;
          stop();
          resolve([...received]);
        };
        const timer = setTimeout(() => {
          stop();
          reject(
            new Error(
              `Not received within ${timeoutMs} ms; ${received.length} requests came: ${received.map(({id}) => id).join(' ')}`,
            ),
          );
        }, timeoutMs);
        const stop = (): void => {
          clearTimeout(timer);
          arrivals.off('arrival', check);
        };
        arrivals.on('arrival', check);
        check();
      });
    },
    close() {
      for (const timer of dripping) clearInterval(timer);
      return new Promise((resolve, reject) => {
        server.close(() => {
          if (violations.length === 0) resolve();
          else reject(new Error(`Webhooks not as documented:\n${[...new Set(violations)].join('\n')}`));
        });
        server.closeAllConnections();
      });
    },
  };
}

/** Verifies a delivery with the official library. Throws the library's errors, or returns the parsed body. */
export function verifyWebhook(delivery: ReceivedRequest, secret: string): unknown {
  return new Webhook(secret).verify(delivery.body, delivery.headers);
}

/**
 * Returns for each `v1a` signature of a delivery whether the public key (`whpk_…`) verifies it. Uses only
 * Node's own Ed25519.
 */
export function checkPublicKeySignatures({headers, body}: ReceivedRequest, publicKey: string): boolean[] {
  const x = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64').toString('base64url');
  const key = createPublicKey({key: {kty: 'OKP', crv: 'Ed25519', x}, format: 'jwk'});
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  return (headers['webhook-signature'] ?? '').split(' ').flatMap((signature) => {
    const [version, value = ''] = signature.split(',');
    return version === 'v1a' ? [verifySignature(null, content, key, Buffer.from(value, 'base64'))] : [];
  });
}

function toReceivedRequest(request: IncomingMessage, body: Buffer): ReceivedRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  return {
    id: headers['webhook-id'] ?? '',
    method: request.method ?? '',
    path: request.url ?? '',
    headers,
    body,
    at: Date.now(),
  };
}
