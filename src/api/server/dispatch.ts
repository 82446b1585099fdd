import type {IncomingMessage, ServerResponse} from 'node:http';
import {AppError} from '../../domain/core/errors.js';
import {parseTraceparent, type TraceContext} from '../../domain/core/trace-context.js';
import {noSpan, type Span, type SpanResult} from '../../domain/core/tracer.js';
import {createPacer} from '../../domain/core/pacer.js';
import {discardRestOfBody, readJson} from '../http/body.js';
import {findNetworkOfAddress} from '../http/client-address.js';
import {compressReply} from '../http/compress.js';
import {createDeprecationHeaders, explainSunset} from '../http/deprecation.js';
import {explainUnknownId} from '../http/explain-missing.js';
import {convertToHeaderPairs} from '../http/header-pairs.js';
import {presentProblem, type ProblemCode, type ProblemSite} from '../http/problems.js';
import {chooseRequestId} from '../http/request-id.js';
import {createAddressSuggester} from '../http/near-addresses.js';
import type {HandlerResponse, Route} from '../http/route.js';
import {type OperationExchange as Running, runRequest} from './run-request.js';
import {createDataHeaders} from '../http/security-headers.js';
import {runUntilClosed, sendStream} from '../http/send-stream.js';
import type {ApiContext} from './context.js';

/** A request from Express, with the parameters of its path in `params`. */
export type IncomingRequest = IncomingMessage & {
  readonly params?: Record<string, string | string[]>;
  readonly originalUrl?: string;
  readonly ip?: string | undefined;
};

/** Answers requests of the API, including all their errors. */
export type Dispatch = ReturnType<typeof createDispatch>;

export function createDispatch(context: ApiContext) {
  const {routes, publicUrl, log, meter, tracer, generateSuffix, now, pack, stopping, drainMs} = context;
  const pace = createPacer(1, setImmediate);
  const secured = convertToHeaderPairs(createDataHeaders(publicUrl));
  const suggestAddress = createAddressSuggester(routes, `GET ${publicUrl}/docs describes the API.`);

  function beginExchange(request: IncomingRequest): DispatchExchange {
    const url = request.originalUrl ?? request.url ?? '/';
    const mark = url.indexOf('?');
    return {
      request,
      requestId: chooseRequestId(request.headers['x-request-id'], generateSuffix, now()),
      path: mark === -1 ? url : url.slice(0, mark),
      search: mark === -1 ? '' : url.slice(mark + 1),
      params: (request.params ?? {}) as Record<string, string>,
      readBody: (accepted) => readJson(request, accepted),
      begunAt: performance.now(),
      parent: parseTraceparent(request.headers['traceparent']),
      span: noSpan,
      caller: undefined,
      code: undefined,
      notice: undefined,
      quota: [],
    };
  }

  function sendResponse(
    exchange: DispatchExchange,
    response: ServerResponse,
    operation: string,
    reply: HandlerResponse,
  ): void {
    const {request} = exchange;
    sendHead(exchange, response, operation, reply);
    const content = request.method === 'HEAD' ? undefined : reply.body;
    if (request.complete || !hasBody(request)) response.end(content);
    else {
      if (content !== undefined) response.write(content);
      void discardRestOfBody(request).then(() =>
        response.end(() => {
          // An incomplete request must not be mixed up with the next request of its connection.
          if (!request.complete) request.destroy();
        }),
      );
    }
  }

  /** Returns the headers as alternating names and values, which Node writes faster than an object. */
  function createAnswerHeaders(
    exchange: DispatchExchange,
    response: ServerResponse,
    {headers, body, stream, next}: HandlerResponse,
  ): string[] {
    let own = exchange.notice === undefined ? headers : {...headers, ...exchange.notice};
    if (next !== undefined) own = addHeaderValue(own, 'Link', createNextLink(publicUrl, exchange, next));
    // CORS may already have set `Vary: Origin`, so the values are combined.
    const varying = response.getHeader('Vary');
    if (varying !== undefined && own?.['Vary'] !== undefined)
      own = addHeaderValue(own, 'Vary', String(varying));
    const pairs = [...secured, 'X-Request-Id', exchange.requestId, ...exchange.quota];
    const hasContent = body !== undefined || stream !== undefined;
    if (hasContent && own?.['Content-Type'] === undefined) pairs.push('Content-Type', 'application/json');
    if (own?.['Cache-Control'] === undefined) pairs.push('Cache-Control', 'no-store');
    for (const name in own) {
      if (hasContent || name !== 'Content-Type') pairs.push(name, own[name] ?? '');
    }
    if (body !== undefined) pairs.push('Content-Length', String(Buffer.byteLength(body)));
    return pairs;
  }

  function sendHead(
    exchange: DispatchExchange,
    response: ServerResponse,
    operation: string,
    reply: HandlerResponse,
  ): void {
    const {request, requestId, begunAt, span, parent} = exchange;
    response.writeHead(reply.status, createAnswerHeaders(exchange, response, reply));
    const ms = performance.now() - begunAt;
    meter.countRequest(operation, request.method ?? '', reply.status, ms);
    span.end(describeAnswer(exchange, reply.status));
    log.info(
      {
        request_id: requestId,
        operation,
        method: request.method,
        status: reply.status,
        code: exchange.code,
        ms: roundMilliseconds(ms),
        principal: exchange.caller?.principal.id,
        token: exchange.caller?.token?.id,
        workspace: exchange.caller?.workspace,
        network: isFailedAuthentication(exchange) ? findNetworkOfAddress(request.ip) : undefined,
        trace_id: (span.context?.sampled ? span.context : parent)?.traceId,
      },
      'request',
    );
  }

  /** Starts the span of a request to a route. It ends when the answer begins, as the measured time does. */
  function startRequestSpan({parent, request, requestId, begunAt}: DispatchExchange, route: Route): Span {
    return tracer.start(`${route.method} ${route.path}`, {
      kind: 'server',
      parent,
      startedAt: begunAt,
      attributes: {
        'http.request.method': request.method,
        'http.route': route.path,
        'standup.operation': route.operation,
        'standup.request_id': requestId,
      },
    });
  }

  /** Waits for the answer of a route that comes later. `HEAD` has no content to wait for. */
  async function awaitReply(
    exchange: DispatchExchange,
    response: ServerResponse,
    later: NonNullable<HandlerResponse['later']>,
  ): Promise<HandlerResponse> {
    if (exchange.request.method === 'HEAD') return later(AbortSignal.abort());
    const begunAt = performance.now();
    // A waiting client reads nothing, and is no slow reader.
    response.setTimeout(0);
    try {
      return await runUntilClosed(response, stopping, later);
    } finally {
      response.setTimeout(drainMs);
      exchange.begunAt += performance.now() - begunAt;
    }
  }

  /** Sends the answer of a route, either as one body or as a stream. */
  async function answerRoute(
    exchange: DispatchExchange,
    response: ServerResponse,
    route: Route,
  ): Promise<void> {
    const {request, requestId} = exchange;
    exchange.span = startRequestSpan(exchange, route);
    if (route.deprecated !== undefined)
      exchange.notice = createDeprecationHeaders(route.deprecated, publicUrl);
    try {
      const gone = explainSunset(route.deprecated, now());
      const plain =
        gone === undefined
          ? await runRequest(context, route, exchange)
          : createRefusalResponse(exchange, 'endpoint_sunset', gone);
      const awaited = plain.later === undefined ? plain : await awaitReply(exchange, response, plain.later);
      const packed = compressReply(route, awaited, request.headers['accept-encoding']?.toString(), pack);
      const reply = packed instanceof Promise ? await packed : packed;
      if (reply.stream === undefined || request.method === 'HEAD') {
        return sendResponse(exchange, response, route.operation, reply);
      }
      await sendStream(reply.stream, response, {
        begin: () => sendHead(exchange, response, route.operation, reply),
        stopping,
        pace,
        drainMs,
        onBroken: (error) => log.warn({request_id: requestId, reason: String(error)}, 'a stream was cut off'),
      });
    } catch (error) {
      if (response.headersSent) throw error;
      const explained = explainUnknownId(error, exchange.params);
      sendResponse(exchange, response, route.operation, createProblemResponse(exchange, explained));
    }
  }

  function createProblemResponse(exchange: DispatchExchange, error: unknown): HandlerResponse {
    const {requestId} = exchange;
    const site = findProblemSite(exchange);
    if (error instanceof AppError) {
      if (error.code === 'service_unavailable') {
        log.warn({request_id: requestId, code: error.code}, 'refused a request: the store is unavailable');
      }
      exchange.code = error.code;
      return presentProblem(error.code, error.message, site, error);
    }
    log.error({request_id: requestId}, 'unexpected error', error);
    exchange.code = 'internal_error';
    return presentProblem('internal_error', 'An internal error occurred. Report the request_id.', site);
  }

  function createRefusalResponse(
    exchange: DispatchExchange,
    code: ProblemCode,
    detail: string,
  ): HandlerResponse {
    exchange.code = code;
    return presentProblem(code, detail, findProblemSite(exchange));
  }

  function findProblemSite({path, requestId}: DispatchExchange): ProblemSite {
    return {publicUrl, instance: path.slice(0, longestInstance), requestId};
  }

  /** Sends the answer to `OPTIONS`, and to methods without a route. */
  function sendAllowedMethods(exchange: DispatchExchange, response: ServerResponse, allow: string): void {
    const reply =
      exchange.request.method === 'OPTIONS'
        ? {status: 204}
        : createRefusalResponse(
            exchange,
            'method_not_allowed',
            `This address answers ${allow}, and no ${exchange.request.method ?? 'other'}.`,
          );
    sendResponse(exchange, response, 'none', {...reply, headers: {...reply.headers, Allow: allow}});
  }

  return {
    /** Answers all methods of one path: a 405 without a route, and for `OPTIONS` the list of methods. */
    path(routes: readonly Route[]): (request: IncomingRequest, response: ServerResponse) => void {
      const byMethod = new Map<string, Route>(routes.map((route) => [route.method, route]));
      const get = byMethod.get('GET');
      if (get !== undefined) byMethod.set('HEAD', get);
      const allow = [...byMethod.keys(), 'OPTIONS'].toSorted().join(', ');

      return (request, response) => {
        const exchange = beginExchange(request);
        const route = byMethod.get(request.method ?? '');
        if (route === undefined) return sendAllowedMethods(exchange, response, allow);
        answerRoute(exchange, response, route).catch((error: unknown) => {
          log.error({request_id: exchange.requestId}, 'could not send the answer', error);
          exchange.span.end({failure: 'internal_error'});
          response.destroy();
        });
      };
    },
    /**
     * Answers POST requests of a channel with its own protocol. `run` returns the reply, and the operation
     * that it ran. Its errors are answered as problems. `challenge`: parameters to add to `WWW-Authenticate`.
     */
    channel(
      name: string,
      run: RunChannel,
      challenge: string,
    ): (request: IncomingRequest, response: ServerResponse) => void {
      async function answer(exchange: DispatchExchange, response: ServerResponse): Promise<void> {
        try {
          const {operation = name, ...reply} = await run(exchange);
          sendResponse(exchange, response, operation, reply);
        } catch (error) {
          if (response.headersSent) throw error;
          const {headers, ...problem} = createProblemResponse(exchange, error);
          const asked = headers?.['WWW-Authenticate'];
          const added = asked !== undefined &&
            challenge !== '' && {'WWW-Authenticate': `${asked}, ${challenge}`};
          sendResponse(exchange, response, name, {...problem, headers: {...headers, ...added}});
        }
      }
      return (request, response) => {
        const exchange = beginExchange(request);
        if (request.method !== 'POST') return sendAllowedMethods(exchange, response, 'OPTIONS, POST');
        answer(exchange, response).catch((error: unknown) => {
          log.error({request_id: exchange.requestId}, 'could not send the answer', error);
          response.destroy();
        });
      };
    },
    /** Answers every method except GET and HEAD on a read-only path. */
    readOnly(request: IncomingRequest, response: ServerResponse, next: () => void): void {
      if (request.method === 'GET' || request.method === 'HEAD') return next();
      sendAllowedMethods(beginExchange(request), response, 'GET, HEAD, OPTIONS');
    },
    /** Refuses an unsupported method with a 405, or answers `OPTIONS` with the list of methods. */
    refuseMethod: (request: IncomingRequest, response: ServerResponse, known: readonly string[]): void =>
      sendAllowedMethods(beginExchange(request), response, known.toSorted().join(', ')),
    /** Answers a request for a path that does not exist. */
    notFound(request: IncomingRequest, response: ServerResponse): void {
      const exchange = beginExchange(request);
      const detail = `There is nothing at this address. ${suggestAddress(exchange.path)}`;
      const reply = createRefusalResponse(exchange, 'not_found', detail);
      sendResponse(exchange, response, 'none', reply);
    },
    /** Answers an error that happened outside any route. */
    refuse(request: IncomingRequest, response: ServerResponse, error: unknown): void {
      if (response.headersSent) return void response.destroy();
      const exchange = beginExchange(request);
      const malformed = error instanceof URIError;
      const reply = malformed
        ? createRefusalResponse(
            exchange,
            'bad_request',
            'The address is not percent-encoded UTF-8, in which ü is %C3%BC.',
          )
        : createProblemResponse(exchange, error);
      sendResponse(exchange, response, 'none', reply);
    },
  };
}

/** The length at which a path in an error answer is cut. No real path is longer. */
const longestInstance = 1_000;

/** Answers a request of a channel. `operation`: the operation that it ran, for the log and the metrics. */
export type RunChannel = (
  exchange: Running & {readonly request: IncomingRequest},
) => Promise<HandlerResponse & {readonly operation?: string}>;

interface DispatchExchange extends Running {
  readonly request: IncomingRequest;
  /** The beginning of the measured time, which leaves out a wait that the request asked for. */
  begunAt: number;
  /** The caller's span, from the header `traceparent`. */
  readonly parent: TraceContext | undefined;
  /** The error code of the answer, for the log. */
  code: ProblemCode | undefined;
  /** The headers that announce the end of a deprecated operation. */
  notice: Readonly<Record<string, string>> | undefined;
}

/** Describes an answer for the span of its request. Only an error of the service makes the span fail. */
function describeAnswer({caller, code}: DispatchExchange, status: number): SpanResult {
  return {
    attributes: {'http.response.status_code': status, 'standup.workspace': caller?.workspace},
    failure: status >= 500 ? (code ?? 'internal_error') : undefined,
  };
}

/** Adds a value to a header. If the header already has values, the new value comes first. */
function addHeaderValue(
  headers: HandlerResponse['headers'],
  name: string,
  value: string,
): Readonly<Record<string, string>> {
  const there = headers?.[name];
  return {...headers, [name]: there === undefined ? value : `${value}, ${there}`};
}

/** True for a failed authentication, also when it is refused because there were too many failures. */
function isFailedAuthentication({code, caller}: DispatchExchange): boolean {
  return code === 'invalid_token' || (code === 'rate_limited' && caller === undefined);
}

function hasBody({headers}: IncomingRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Returns the `Link` header (RFC 8288) for the next page: the same query with the next cursor. */
function createNextLink(publicUrl: string, {path, search}: DispatchExchange, cursor: string): string {
  const query = new URLSearchParams(search);
  query.set('cursor', cursor);
  return `<${publicUrl}${path}?${query.toString()}>; rel="next"`;
}

function roundMilliseconds(ms: number): number {
  return Math.round(ms * 10) / 10;
}
