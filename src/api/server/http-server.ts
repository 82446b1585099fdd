import {createServer, IncomingMessage, type Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {Express} from 'express';
import {deadlines, processBounds} from '../../domain/core/limits.js';
import {discardRestOfBody} from '../http/body.js';
import {limitConnections, type ConnectionBounds} from './connections.js';
import {presentProblem, type TransportCode} from '../http/problems.js';
import {createDataHeaders} from '../http/security-headers.js';

export interface HttpServerOptions {
  readonly publicUrl: string;
  readonly requestId: () => string;
  /** Called for each refusal of data that could not be read as a request. */
  readonly onRefused?: (status: number) => void;
  /** Shorter times for tests. */
  readonly times?: HttpTimes;
  /** Lower limits for tests, which cannot open as many connections. */
  readonly bounds?: Partial<ConnectionBounds>;
}

/** Time limits in ms. */
export interface HttpTimes {
  /** The longest time for the headers of a request, and for the whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** The longest time for which a caller may read nothing. Streams send data more often. */
  readonly drainMs?: number;
}

const limits = {
  uriBytes: 8 * 1024,
  headerBytes: 16 * 1024,
  headers: 100,
  lingerMs: 2_000,
};

const standardTimes: HttpTimes = {headersMs: 10_000, requestMs: 30_000};

/**
 * Creates the HTTP server for an Express application, with limits that Node does not have.
 * Express calls `Object.setPrototypeOf` on every request and response, which makes them three times as
 * costly. Here they are created with the right prototypes, so that the call does nothing.
 */
export function createHttpServer(app: Express, options: HttpServerOptions): Server {
  const {headersMs, requestMs, drainMs = deadlines.drain} = options.times ?? standardTimes;
  const bounds = {...processBounds, ...options.bounds};
  const server = createServer({
    IncomingMessage: createConstructorWithPrototype(IncomingMessage, app.request),
    ServerResponse: createConstructorWithPrototype(ServerResponse, app.response),
    maxHeaderSize: limits.headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: headersMs / 5,
    keepAliveTimeout: 65_000,
    // A missing `Host` is checked below, because Node's own refusal has no body.
    requireHostHeader: false,
    // A request without a body counts as read from its start. Otherwise Node would read it to its end, which
    // costs more than Express does. Node before 24.12 ignores this option.
    optimizeEmptyRequests: true,
  });
  const enter = limitConnections(server, bounds, {
    serve: (request, response) => answerHttpError(request, response, findRequestError(request)),
    refuse: (request, response) =>
      answerHttpError(request, response, createTooManyUnansweredError(bounds.unansweredRequests)),
  });
  server.on('request', enter);
  // An unknown `Expect` header is ignored (RFC 9110 section 10.1.1). Node's own 417 would lack our headers.
  server.on('checkExpectation', enter);
  server.maxHeadersCount = limits.headers;
  server.timeout = drainMs;
  server.on('clientError', (error: ParserError, socket: Socket) => refuseOnSocket(error, socket, options));
  return server;

  function answerHttpError(
    request: IncomingMessage,
    response: ServerResponse,
    httpError: HttpError | undefined,
  ): void {
    if (httpError === undefined) {
      request.url = convertToPath(request.url);
      return void app(request, response);
    }
    const {status, headers, body} = presentHttpError(httpError, options);
    response.writeHead(status, headers).write(body);
    // Reads our own delivery to its end, so that its sender sees the error, not a broken connection.
    if (httpError === loop) void discardRestOfBody(request).then(() => response.end());
    else response.end();
  }
}

/** Matches a path or a whole URL without a fragment, which clients never send (RFC 9112 section 3.2). */
const knownTarget = /^(?:\/|https?:\/\/)[^#]*$/i;

/** Returns the path of a request target, a whole URL in requests through proxies (RFC 9112, 3.2.2). */
function convertToPath(target = '/'): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return path === '' || path.startsWith('?') ? `/${path}` : path;
}

/**
 * Returns a constructor like `base` whose instances have another prototype. It is a plain function, because
 * the prototype of a class cannot be replaced.
 */
function createConstructorWithPrototype<T extends typeof IncomingMessage | typeof ServerResponse>(
  base: T,
  prototype: object,
): T {
  function PrototypedInstance(this: object, ...args: unknown[]): void {
    Reflect.apply(base as unknown as (...args: unknown[]) => void, this, args);
  }
  PrototypedInstance.prototype = prototype;
  // Without this line, V8 reserves no room for properties, and each request costs four times as much.
  return Object.setPrototypeOf(PrototypedInstance, base) as T;
}

type HttpError = readonly [code: TransportCode | 'rate_limited', detail: string];

function createTooManyUnansweredError(most: number): HttpError {
  return [
    'rate_limited',
    `More than ${most} requests on this connection wait for their answers. Read answers before you send more.`,
  ];
}

const uriTooLong: HttpError = ['uri_too_long', `The address is longer than ${limits.uriBytes / 1024} KiB.`];

/**
 * The error for a webhook delivery that is sent to a standup service. It could cause new deliveries without
 * end, so it is refused before its sender is checked.
 */
const loop: HttpError = [
  'webhook_loop',
  'The request is a delivery of a standup service (it has a standup-delivery header), of this one or another, and none takes them.',
];

/**
 * Returns the error in a request that Node's parser accepts although it should not. For example, the parser
 * silently drops headers above its limit, such as an `Idempotency-Key`.
 */
function findRequestError({
  url = '',
  headers,
  rawHeaders,
  httpVersion,
}: IncomingMessage): HttpError | undefined {
  if (headers['standup-delivery'] !== undefined) return loop;
  if (url.length > limits.uriBytes) return uriTooLong;
  if (rawHeaders.length / 2 > limits.headers) {
    return ['headers_too_large', `The request has more than ${limits.headers} headers.`];
  }
  if (!knownTarget.test(url)) return ['bad_request', 'The request target is not a path.'];
  if (headers.host === undefined && httpVersion !== '1.0') return ['bad_request', 'The request has no Host.'];
  const coding = headers['transfer-encoding'];
  // RFC 9112 section 6.1: a proxy in front may believe that such a message ends elsewhere.
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return ['bad_request', 'The only Transfer-Encoding is chunked, in HTTP/1.1.'];
  }
  const twice = findRepeatedHeader(rawHeaders);
  return twice === undefined ? undefined : ['bad_request', `The request has more than one ${twice}.`];
}

/** Finds a header that occurs twice. Node keeps only the first one, but a proxy may have used the other. */
function findRepeatedHeader(rawHeaders: readonly string[]): 'Host' | 'Authorization' | undefined {
  let hosts = 0;
  let authorizations = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    // The length is compared first, because this code runs for every header of every request.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  if (hosts > 1) return 'Host';
  return authorizations > 1 ? 'Authorization' : undefined;
}

/** Refuses data that Node's parser rejects. There is no request, so it writes to the socket. */
function refuseOnSocket(error: ParserError, socket: Socket, options: HttpServerOptions): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnsweringOnSocket(socket))
    return void socket.destroy();
  const httpError = convertToHttpError(error);
  const {status, headers, body} = presentHttpError(httpError, options);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${httpError[0]}\r\n${lines.join('')}\r\n${body}`);
  // The client gets this time to read the answer. Otherwise it could hold the connection forever.
  const late = setTimeout(() => socket.destroy(), limits.lingerMs);
  socket.once('close', () => clearTimeout(late));
}

/** True while an answer is being written, so that no other is mixed in. Node checks this property too. */
function isAnsweringOnSocket(socket: Socket & {readonly _httpMessage?: ServerResponse | null}): boolean {
  return socket._httpMessage?.headersSent ?? false;
}

/** Creates the answer to a broken request, and closes: no one knows where the next one begins. */
function presentHttpError([code, detail]: HttpError, {publicUrl, requestId, onRefused}: HttpServerOptions) {
  const id = requestId();
  const {status, headers, body} = presentProblem(code, detail, {publicUrl, instance: '/', requestId: id});
  onRefused?.(status);
  return {
    status,
    headers: {
      ...headers,
      'Cache-Control': 'no-store',
      'Content-Length': Buffer.byteLength(body),
      ...createDataHeaders(publicUrl),
      'X-Request-Id': id,
      Connection: 'close',
    },
    body,
  };
}

interface ParserError extends NodeJS.ErrnoException {
  /** The network packet that the parser could not read. */
  readonly rawPacket?: Buffer;
}

function convertToHttpError({code, rawPacket}: ParserError): HttpError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return /^[A-Z]+ \S*$/.test(rawPacket?.toString('latin1', 0, limits.uriBytes) ?? '')
        ? uriTooLong
        : ['headers_too_large', `The headers are larger than ${limits.headerBytes / 1024} KiB.`];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['request_timeout', 'The request did not arrive in time.'];
    default:
      return ['bad_request', 'The request is not valid HTTP/1.1.'];
  }
}
