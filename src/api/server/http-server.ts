import {createServer, IncomingMessage, type Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {Express} from 'express';
import {deadlines, processBounds} from '../../domain/core/limits.js';
import {discardRest} from '../http/body.js';
import {boundConnections, type ConnectionBounds} from './connections.js';
import {presentProblem, type TransportCode} from '../http/problems.js';
import {dataHeaders} from '../http/security-headers.js';

export interface HttpServerOptions {
  readonly publicUrl: string;
  readonly requestId: () => string;
  /** Told of each refusal that never became a request. */
  readonly onRefused?: (status: number) => void;
  /** Only tests cannot wait for the usual. */
  readonly times?: HttpTimes;
  /** Only tests cannot open as many. */
  readonly bounds?: Partial<ConnectionBounds>;
}

/** In ms. */
export interface HttpTimes {
  /** How long the headers of a request may take, and all of it. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How long a caller may take nothing of its answer. A stream says something more often than that. */
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
 * Express calls `Object.setPrototypeOf` on every request and response, which triples their cost; here they are born with the prototypes
 * that it would give them, so that the call does nothing.
 */
export function createHttpServer(app: Express, options: HttpServerOptions): Server {
  const {headersMs, requestMs, drainMs = deadlines.drain} = options.times ?? standardTimes;
  const bounds = {...processBounds, ...options.bounds};
  const server = createServer({
    IncomingMessage: bornWith(IncomingMessage, app.request),
    ServerResponse: bornWith(ServerResponse, app.response),
    maxHeaderSize: limits.headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: headersMs / 5,
    keepAliveTimeout: 65_000,
    // Node's own refusal has no body; ours is below.
    requireHostHeader: false,
    // A request whose head announces no body has been read when it begins: else each is read to its end for nothing,
    // which costs more than Express. Node before 24.12 passes over it.
    optimizeEmptyRequests: true,
  });
  const enter = boundConnections(server, bounds, {
    serve: (request, response) => answer(request, response, requestFault(request)),
    refuse: (request, response) => answer(request, response, tooManyUnanswered(bounds.unansweredRequests)),
  });
  server.on('request', enter);
  // An expectation that we do not know is passed over (RFC 9110 section 10.1.1); Node's own 417 would lack our headers.
  server.on('checkExpectation', enter);
  server.maxHeadersCount = limits.headers;
  server.timeout = drainMs;
  server.on('clientError', (error: ParserError, socket: Socket) => refuse(error, socket, options));
  return server;

  function answer(request: IncomingMessage, response: ServerResponse, fault: Fault | undefined): void {
    if (fault === undefined) {
      request.url = originForm(request.url);
      return void app(request, response);
    }
    const {status, headers, body} = present(fault, options);
    response.writeHead(status, headers).write(body);
    // What we sent to ourselves is read to its end, or its sender would see a reset in place of the reason.
    if (fault === loop) void discardRest(request).then(() => response.end());
    else response.end();
  }
}

/** A path or a whole address, and no fragment, which never travels (RFC 9112 section 3.2). */
const knownTarget = /^(?:\/|https?:\/\/)[^#]*$/i;

/** A whole address as request target, as proxies get it, means its path here (RFC 9112 section 3.2.2). */
function originForm(target = '/'): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return path === '' || path.startsWith('?') ? `/${path}` : path;
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
  // V8 makes room in a new object for the members that its constructor sets, and those that this one inherits
  // from: without it each request would grow by pieces, at four times the cost.
  return Object.setPrototypeOf(Born, base) as T;
}

type Fault = readonly [code: TransportCode | 'rate_limited', detail: string];

function tooManyUnanswered(most: number): Fault {
  return [
    'rate_limited',
    `More than ${most} requests on this connection wait for their answers. Read answers before you send more.`,
  ];
}

const uriTooLong: Fault = ['uri_too_long', `The address is longer than ${limits.uriBytes / 1024} KiB.`];

/** Each hop would make the next: whatever door it came by, a delivery of ours ends here, before anybody asks who sends it. */
const loop: Fault = [
  'webhook_loop',
  'The request is a delivery of a standup service (it has a standup-delivery header), of this one or another, and none takes them.',
];

/** What the parser lets pass and nobody should. It drops headers past its limit silently, an `Idempotency-Key` among them. */
function requestFault({url = '', headers, rawHeaders, httpVersion}: IncomingMessage): Fault | undefined {
  if (headers['standup-delivery'] !== undefined) return loop;
  if (url.length > limits.uriBytes) return uriTooLong;
  if (rawHeaders.length / 2 > limits.headers) {
    return ['headers_too_large', `The request has more than ${limits.headers} headers.`];
  }
  if (!knownTarget.test(url)) return ['bad_request', 'The request target is not a path.'];
  if (headers.host === undefined && httpVersion !== '1.0') return ['bad_request', 'The request has no Host.'];
  const coding = headers['transfer-encoding'];
  // RFC 9112 section 6.1: what HTTP/1.0 or an unknown coding frames is framed differently by somebody in between.
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return ['bad_request', 'The only Transfer-Encoding is chunked, in HTTP/1.1.'];
  }
  const twice = repeated(rawHeaders);
  return twice === undefined ? undefined : ['bad_request', `The request has more than one ${twice}.`];
}

/** Node keeps the first of two and drops the other: somebody in between may have gone by that one. */
function repeated(rawHeaders: readonly string[]): 'Host' | 'Authorization' | undefined {
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

/** What the parser refuses never becomes a request: its problem is written to the socket by hand. */
function refuse(error: ParserError, socket: Socket, options: HttpServerOptions): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy();
  const fault = parserFault(error);
  const {status, headers, body} = present(fault, options);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${fault[0]}\r\n${lines.join('')}\r\n${body}`);
  // Long enough to read the answer. Who never closes would hold a connection for ever.
  const late = setTimeout(() => socket.destroy(), limits.lingerMs);
  socket.once('close', () => clearTimeout(late));
}

/** A second answer must not be written into the first. Node's own handler of this event looks in the same place. */
function isAnswering(socket: Socket & {readonly _httpMessage?: ServerResponse | null}): boolean {
  return socket._httpMessage?.headersSent ?? false;
}

/** After a refusal of this kind nobody knows where the next request would begin. */
function present([code, detail]: Fault, {publicUrl, requestId, onRefused}: HttpServerOptions) {
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
  /** What the parser was reading when it gave up. */
  readonly rawPacket?: Buffer;
}

function parserFault({code, rawPacket}: ParserError): Fault {
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
