import {createServer, IncomingMessage, type Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {Express} from 'express';
import {presentProblem, type TransportCode} from './problems.js';

export interface HttpServerOptions {
  readonly publicUrl: string;
  readonly requestId: () => string;
}

const limits = {
  headerBytes: 16 * 1024,
  headers: 100,
  headersMs: 10_000,
  requestMs: 30_000,
  connections: 10_000,
};

/**
 * An HTTP server for an Express application, with the limits that Node leaves open.
 * Express calls `Object.setPrototypeOf` on every request and response, which triples their cost; here they are born with the prototypes
 * that it would give them, so that the call does nothing.
 */
export function createHttpServer(app: Express, options: HttpServerOptions): Server {
  const server = createServer(
    {
      IncomingMessage: bornWith(IncomingMessage, app.request),
      ServerResponse: bornWith(ServerResponse, app.response),
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: 65_000,
    },
    app,
  );
  // Past this number Node drops headers silently; 0 would mean no limit at all.
  server.maxHeadersCount = limits.headers;
  server.maxConnections = limits.connections;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket, options));
  return server;
}

/**
 * A constructor like `base` whose instances have `prototype`. A plain function, since the prototype of a class cannot be replaced and
 * Node's own two are functions that may be called on any object.
 */
function bornWith<T extends typeof IncomingMessage | typeof ServerResponse>(base: T, prototype: object): T {
  function Born(this: object, ...args: unknown[]): void {
    Reflect.apply(base as unknown as (...args: unknown[]) => void, this, args);
  }
  Born.prototype = prototype;
  return Born as unknown as T;
}

/** What the parser refuses never becomes a request: its problem is written to the socket by hand. */
function refuse(
  error: NodeJS.ErrnoException,
  socket: Socket,
  {publicUrl, requestId}: HttpServerOptions,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [code, detail] = transportProblem(error.code);
  const id = requestId();
  const {status, headers, body} = presentProblem(code, detail, {publicUrl, instance: '/', requestId: id});
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': id,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${code}\r\n${lines.join('')}\r\n${body}`);
}

function transportProblem(code: string | undefined): [TransportCode, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return ['headers_too_large', `The headers are larger than ${limits.headerBytes / 1024} KiB.`];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['request_timeout', `The request did not arrive within ${limits.requestMs / 1_000} seconds.`];
    default:
      return ['bad_request', 'The request is not valid HTTP/1.1.'];
  }
}
