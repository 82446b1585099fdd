import {createServer, IncomingMessage, type Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {Express} from 'express';
import {deadlines, processBounds} from '../../domain/core/limits.js';
import {discardRest} from '../http/body.js';
import {limitConnections, type ConnectionBounds} from './connections.js';
import {presentProblem, type TransportCode} from '../http/problems.js';
import {dataHeaders} from '../http/security-headers.js';

export interface HttpServerOptions {
  readonly publicUrl: string;
  readonly requestId: () => string;
  /** Called for each refusal that never became a request. */
  readonly onRefused?: (status: number) => void;
  /** For tests, which cannot wait for the usual times. */
  readonly times?: HttpTimes;
  /** For tests, which cannot open as many. */
  readonly bounds?: Partial<ConnectionBounds>;
}

/** In ms. */
export interface HttpTimes {
  /** Longest time for the headers of a request, and for all of it. */
  readonly headersMs: number;
  readonly requestMs: number;
  /**
   * Longest time for which a caller may take nothing of its answer. A stream sends something more often than
   * that.
   */
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
 * An HTTP server for an Express application, with the limits that Node leaves open.
 * Express calls `Object.setPrototypeOf` on every request and response, which triples their cost. Here they
 * are created with the prototypes that it would set, so that the call does nothing.
 */
export function createHttpServer(app: Express, options: HttpServerOptions): Server {
  const {headersMs, requestMs, drainMs = deadlines.drain} = options.times ?? standardTimes;
  const bounds = {...processBounds, ...options.bounds};
  const server = createServer({
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype(ServerResponse, app.response),
    maxHeaderSize: limits.headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: headersMs / 5,
    keepAliveTimeout: 65_000,
    // Node's own refusal has no body; ours is below.
    requireHostHeader: false,
    // Lets a request without a body count as read when it begins. Otherwise each is read to its end for
    // nothing, which costs more than Express. Node before 24.12 ignores it.
    optimizeEmptyRequests: true,
  });
  const enter = limitConnections(server, bounds, {
    serve: (request, response) => answerHttpError(request, response, findRequestError(request)),
    refuse: (request, response) =>
      answerHttpError(request, response, tooManyUnansweredError(bounds.unansweredRequests)),
  });
  server.on('request', enter);
  // An unknown expectation is ignored (RFC 9110 section 10.1.1); Node's own 417 would lack our headers.
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
      request.url = toOriginForm(request.url);
      return void app(request, response);
    }
    const {status, headers, body} = presentHttpError(httpError, options);
    response.writeHead(status, headers).write(body);
    // A request that we sent ourselves is read to its end, or its sender would see a reset instead of the
    // reason.
    if (httpError === loop) void discardRest(request).then(() => response.end());
    else response.end();
  }
}

/** A path or a whole address, without a fragment, which is never sent (RFC 9112 section 3.2). */
const knownTarget = /^(?:\/|https?:\/\/)[^#]*$/i;

/** A whole address as request target, as proxies get it, means its path here (RFC 9112 section 3.2.2). */
function toOriginForm(target = '/'): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return path === '' || path.startsWith('?') ? `/${path}` : path;
}

/**
 * A constructor like `base` whose instances have `prototype`. A plain function, since the prototype of a
 * class cannot be replaced and Node's own two are functions that may be called on any object.
 */
function withPrototype<T extends typeof IncomingMessage | typeof ServerResponse>(
  base: T,
  prototype: object,
): T {
  function Instance(this: object, ...args: unknown[]): void {
    Reflect.apply(base as unknown as (...args: unknown[]) => void, this, args);
  }
  Instance.prototype = prototype;
  // V8 reserves room in a new object for the members that its constructor and the inherited ones set: without
  // this each request would grow piece by piece, at four times the cost.
  return Object.setPrototypeOf(Instance, base) as T;
}

type HttpError = readonly [code: TransportCode | 'rate_limited', detail: string];

function tooManyUnansweredError(most: number): HttpError {
  return [
    'rate_limited',
    `More than ${most} requests on this connection wait for their answers. Read answers before you send more.`,
  ];
}

const uriTooLong: HttpError = ['uri_too_long', `The address is longer than ${limits.uriBytes / 1024} KiB.`];

/**
 * A loop: each hop would make the next. A delivery of ours ends here, at whatever entry point, before its
 * sender is checked.
 */
const loop: HttpError = [
  'webhook_loop',
  'The request is a delivery of a standup service (it has a standup-delivery header), of this one or another, and none takes them.',
];

/**
 * Errors that the parser accepts. It silently drops headers past its limit, an `Idempotency-Key` among them.
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
  // RFC 9112 section 6.1: an intermediary may frame a message differently under HTTP/1.0 or an unknown
  // coding.
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return ['bad_request', 'The only Transfer-Encoding is chunked, in HTTP/1.1.'];
  }
  const twice = findRepeatedHeader(rawHeaders);
  return twice === undefined ? undefined : ['bad_request', `The request has more than one ${twice}.`];
}

/** Node keeps the first of two headers and drops the other, which an intermediary may have used. */
function findRepeatedHeader(rawHeaders: readonly string[]): 'Host' | 'Authorization' | undefined {
  let hosts = 0;
  let authorizations = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    // The length first, since this runs for every header of every request.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  if (hosts > 1) return 'Host';
  return authorizations > 1 ? 'Authorization' : undefined;
}

/** A request that the parser refuses never becomes one: its problem is written to the socket by hand. */
function refuseOnSocket(error: ParserError, socket: Socket, options: HttpServerOptions): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy();
  const httpError = toHttpError(error);
  const {status, headers, body} = presentHttpError(httpError, options);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${httpError[0]}\r\n${lines.join('')}\r\n${body}`);
  // Long enough to read the answer. A caller that never closes would hold a connection for ever.
  const late = setTimeout(() => socket.destroy(), limits.lingerMs);
  socket.once('close', () => clearTimeout(late));
}

/**
 * A second answer must not be written into the first. Node's own handler of this event checks the same
 * member.
 */
function isAnswering(socket: Socket & {readonly _httpMessage?: ServerResponse | null}): boolean {
  return socket._httpMessage?.headersSent ?? false;
}

/** After such a refusal it is unknown where the next request would begin. */
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
      ...dataHeaders(publicUrl),
      'X-Request-Id': id,
      Connection: 'close',
    },
    body,
  };
}

interface ParserError extends NodeJS.ErrnoException {
  /** The packet that the parser was reading when it gave up. */
  readonly rawPacket?: Buffer;
}

function toHttpError({code, rawPacket}: ParserError): HttpError {
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
