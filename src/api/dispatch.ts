import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Access} from '../domain/access.js';
import {AppError} from '../domain/errors.js';
import type {Log} from '../domain/log.js';
import type {Meter} from '../domain/meter.js';
import {discardRest} from './body.js';
import {networkOf} from './client-address.js';
import {compressReply, type Pack} from './compress.js';
import {deprecationHeaders, sunsetDetail} from './deprecation.js';
import {explainMissing} from './explain-missing.js';
import {presentProblem, type ProblemCode} from './problems.js';
import {chooseRequestId} from './request-id.js';
import {createSuggestAddress} from './near-addresses.js';
import type {Reply, Route} from './route.js';
import {type RequestParts, runRequest} from './run-request.js';
import {dataHeaders} from './security-headers.js';
import {sendStream} from './send-stream.js';
import {traceIdOf} from './trace-context.js';

export interface DispatchParts extends RequestParts {
  /** Every operation, for whom asks for an address that does not exist. */
  readonly routes: readonly Route[];
  readonly publicUrl: string;
  readonly log: Log;
  readonly meter: Meter;
  readonly drawId: () => string;
  /** ms since the epoch, for request ids. */
  readonly now: () => number;
  readonly pack: Pack;
  /** Aborted when the service stops, for streams. */
  readonly stopping: AbortSignal;
  /** How long the reader of a stream may take nothing, in ms. */
  readonly drainMs: number;
}

/** A request as Express hands it over: `params` from the path. */
export type Incoming = IncomingMessage & {
  readonly params?: Record<string, string | string[]>;
  readonly originalUrl?: string;
  readonly ip?: string | undefined;
};

/** Answers one request of the API; the last resort for everything that goes wrong on the way. */
export interface Dispatch {
  /** All methods of one path: 405 for those that have no route, `OPTIONS` for what there is. */
  path(routes: readonly Route[]): (request: Incoming, response: ServerResponse) => void;
  /** The other methods of an address that can only be read. */
  readOnly(request: Incoming, response: ServerResponse, next: () => void): void;
  /** A method that an address does not know: 405, or what there is for `OPTIONS`. */
  refuseMethod(request: Incoming, response: ServerResponse, known: readonly string[]): void;
  /** A path that does not exist. */
  notFound(request: Incoming, response: ServerResponse): void;
  /** A refusal outside any route. */
  refuse(request: Incoming, response: ServerResponse, error: unknown): void;
}

export function createDispatch(parts: DispatchParts): Dispatch {
  const {routes, publicUrl, log, meter, drawId, now, pack, stopping, drainMs} = parts;
  const secured = dataHeaders(publicUrl);
  const suggestAddress = createSuggestAddress(routes, `GET ${publicUrl}/docs describes the API.`);

  function begin(request: Incoming): Exchange {
    const url = request.originalUrl ?? request.url ?? '/';
    const mark = url.indexOf('?');
    return {
      request,
      requestId: chooseRequestId(request.headers['x-request-id'], drawId, now()),
      path: mark === -1 ? url : url.slice(0, mark),
      search: mark === -1 ? '' : url.slice(mark + 1),
      begunAt: performance.now(),
    };
  }

  function send(exchange: Exchange, response: ServerResponse, operation: string, reply: Reply): void {
    const {request} = exchange;
    sendHead(exchange, response, operation, reply);
    const content = request.method === 'HEAD' ? undefined : reply.body;
    if (request.complete || !hasBody(request)) response.end(content);
    else {
      if (content !== undefined) response.write(content);
      void discardRest(request).then(() =>
        response.end(() => {
          // What has not ended by now must not become the next request's trouble.
          if (!request.complete) request.destroy();
        }),
      );
    }
  }

  function sendHead(exchange: Exchange, response: ServerResponse, operation: string, reply: Reply): void {
    const {request, requestId, begunAt} = exchange;
    const headers: Record<string, string | number> = {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      ...secured,
      'X-Request-Id': requestId,
      ...reply.headers,
      ...exchange.notice,
      ...exchange.quota,
    };
    if (reply.next !== undefined) {
      const next = nextLink(publicUrl, exchange, reply.next);
      headers['Link'] = headers['Link'] === undefined ? next : `${next}, ${headers['Link']}`;
    }
    // Which origin asks stands there already.
    const varying = response.getHeader('Vary');
    if (varying !== undefined && headers['Vary'] !== undefined)
      headers['Vary'] = `${varying}, ${headers['Vary']}`;
    if (reply.body !== undefined) headers['Content-Length'] = Buffer.byteLength(reply.body);
    else if (reply.stream === undefined) delete headers['Content-Type'];
    response.writeHead(reply.status, headers);
    const ms = performance.now() - begunAt;
    meter.countRequest(operation, request.method ?? '', reply.status, ms);
    log.info(
      {
        request_id: requestId,
        operation,
        method: request.method,
        status: reply.status,
        code: exchange.code,
        ms: round(ms),
        principal: exchange.caller?.principal.id,
        token: exchange.caller?.token?.id,
        workspace: exchange.caller?.workspace,
        network: isFailedAuthentication(exchange) ? networkOf(request.ip) : undefined,
        trace_id: traceIdOf(request.headers['traceparent']),
      },
      'request',
    );
  }

  /** Answers with what the route says: a body at once, or a stream for as long as it lasts. */
  async function answer(exchange: Exchange, response: ServerResponse, route: Route): Promise<void> {
    const {request, requestId, path, search} = exchange;
    const params = (request.params ?? {}) as Record<string, string>;
    if (route.deprecated !== undefined) exchange.notice = deprecationHeaders(route.deprecated, publicUrl);
    try {
      const gone = sunsetDetail(route.deprecated, now());
      const reply =
        gone === undefined
          ? await compressReply(
              route,
              await runRequest(parts, {request, route, path, search, params, exchange}),
              request.headers['accept-encoding']?.toString(),
              pack,
            )
          : refuseAs(exchange, 'endpoint_sunset', gone);
      if (reply.stream === undefined || request.method === 'HEAD') {
        return send(exchange, response, route.operation, reply);
      }
      await sendStream(reply.stream, response, {
        begin: () => sendHead(exchange, response, route.operation, reply),
        stopping,
        drainMs,
        onBroken: (error) => log.warn({request_id: requestId, reason: String(error)}, 'a stream was cut off'),
      });
    } catch (error) {
      if (response.headersSent) throw error;
      const explained = explainMissing(error, params);
      send(exchange, response, route.operation, problem(exchange, explained));
    }
  }

  function problem(exchange: Exchange, error: unknown): Reply {
    const {requestId, path} = exchange;
    const site = {publicUrl, instance: path, requestId};
    if (error instanceof AppError) {
      if (error.code === 'service_unavailable') {
        log.warn({request_id: requestId, code: error.code}, 'refused for want of the store');
      }
      exchange.code = error.code;
      return presentProblem(error.code, error.message, site, error);
    }
    log.error({request_id: requestId}, 'unexpected error', error);
    exchange.code = 'internal_error';
    return presentProblem('internal_error', 'Something went wrong on our side. Report the request_id.', site);
  }

  function refuseAs(exchange: Exchange, code: ProblemCode, detail: string): Reply {
    exchange.code = code;
    return presentProblem(code, detail, {publicUrl, instance: exchange.path, requestId: exchange.requestId});
  }

  /** What `OPTIONS` and methods without a route are answered. */
  function sendAllowed(exchange: Exchange, response: ServerResponse, allow: string): void {
    const reply =
      exchange.request.method === 'OPTIONS'
        ? {status: 204}
        : refuseAs(
            exchange,
            'method_not_allowed',
            `This address answers ${allow}, and no ${exchange.request.method ?? 'other'}.`,
          );
    send(exchange, response, 'none', {...reply, headers: {...reply.headers, Allow: allow}});
  }

  return {
    path(routes) {
      const byMethod = new Map<string, Route>(routes.map((route) => [route.method, route]));
      const get = byMethod.get('GET');
      if (get !== undefined) byMethod.set('HEAD', get);
      const allow = [...byMethod.keys(), 'OPTIONS'].toSorted().join(', ');

      return (request, response) => {
        const exchange = begin(request);
        const route = byMethod.get(request.method ?? '');
        if (route === undefined) return sendAllowed(exchange, response, allow);
        answer(exchange, response, route).catch((error: unknown) => {
          log.error({request_id: exchange.requestId}, 'the answer could not be sent', error);
          response.destroy();
        });
      };
    },
    readOnly(request, response, next) {
      if (request.method === 'GET' || request.method === 'HEAD') return next();
      sendAllowed(begin(request), response, 'GET, HEAD, OPTIONS');
    },
    refuseMethod: (request, response, known) =>
      sendAllowed(begin(request), response, known.toSorted().join(', ')),
    notFound(request, response) {
      const exchange = begin(request);
      const detail = `There is nothing at this address. ${suggestAddress(exchange.path)}`;
      const reply = refuseAs(exchange, 'not_found', detail);
      send(exchange, response, 'none', reply);
    },
    refuse(request, response, error) {
      if (response.headersSent) return void response.destroy();
      const exchange = begin(request);
      const malformed = error instanceof URIError;
      const reply = malformed
        ? refuseAs(exchange, 'bad_request', 'The address is not percent-encoded UTF-8, in which ü is %C3%BC.')
        : problem(exchange, error);
      send(exchange, response, 'none', reply);
    },
  };
}

interface Exchange {
  readonly request: Incoming;
  readonly requestId: string;
  readonly path: string;
  readonly search: string;
  readonly begunAt: number;
  /** Who sends it, as soon as that is known: for the log. */
  caller?: Access;
  /** What was refused, for the log. */
  code?: ProblemCode;
  /** Headers by which its operation announces its end. */
  notice?: Readonly<Record<string, string>>;
  /** Headers that say what is left of its caller's quota. */
  quota?: Readonly<Record<string, string>>;
}

/** Also one too many: those are refused before anybody is known. */
function isFailedAuthentication({code, caller}: Exchange): boolean {
  return code === 'invalid_token' || (code === 'rate_limited' && caller === undefined);
}

function hasBody({headers}: Incoming): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** RFC 8288: the same list with the same filters, from the next cursor on. */
function nextLink(publicUrl: string, {path, search}: Exchange, cursor: string): string {
  const query = new URLSearchParams(search);
  query.set('cursor', cursor);
  return `<${publicUrl}${path}?${query.toString()}>; rel="next"`;
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
