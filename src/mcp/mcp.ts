// src/mcp/: the entry point /mcp, for assistants (Model Context Protocol). Each call of a tool is one operation of
// the API's route table, with its checks, quota and idempotency. No tool creates a token, a role, or an address to
// which data is sent.
import type {Server} from '@modelcontextprotocol/server';
import {type Access, type Call, requireScope} from '../domain/core/access.js';
import {AppError} from '../domain/core/errors.js';
import {limits} from '../domain/core/limits.js';
import {explainUnknownId} from '../api/http/explain-missing.js';
import type {HandlerResponse, Route} from '../api/http/route.js';
import type {JsonObject} from '../api/openapi/components.js';
import {noQuerySchema} from '../api/http/shared-schemas.js';
import type {RunChannel} from '../api/server/dispatch.js';
import type {ApiContext} from '../api/server/context.js';
import {authenticateRequest, type OperationExchange, runRequest} from '../api/server/run-request.js';
import type {Session} from './server.js';
import type {Arguments, DayOf} from './tool-definitions.js';
import type {PlannedRequest} from './tools.js';

export interface McpContext {
  readonly api: ApiContext;
  /** The date of a standup that the caller would post now for each of these teams, as far as they exist. */
  readonly findTeamDates: (call: Call, references: readonly string[]) => Promise<readonly string[]>;
  /** Today in the caller's time zone. */
  readonly findOwnDate: (call: Call) => Promise<string>;
  /** Changes the protocol's server in tests, which add the tools of a test suite. */
  readonly changeServer?: ((server: Server) => void) | undefined;
}

export function createMcp({api, findTeamDates, findOwnDate, changeServer}: McpContext): RunChannel {
  const byOperation = new Map(api.routes.map((route) => [route.operation, route]));
  const address = `${api.publicUrl}/mcp`;
  const own = new URL(api.publicUrl);
  const origins = new Set([own.origin, ...api.corsOrigins]);
  let loading: ReturnType<typeof load> | undefined;

  /** Loads the library and the tools at the first request: most installations never get one. */
  async function load() {
    const [{createMcpHandler}, {createServer}, {createTools}] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./server.js'),
      import('./tools.js'),
    ]);
    const tools = createTools(api.routes);
    const {fetch} = createMcpHandler(
      ({authInfo}) => {
        const server = createServer(tools, api.version, authInfo?.extra?.['session'] as Session);
        changeServer?.(server);
        return server;
      },
      {onerror: (error) => api.log.warn({reason: describeRefusal(error)}, 'refused a message of MCP')},
    );
    return {tools, fetch};
  }

  /** Returns what is loaded. A failed attempt is not kept, so the next request tries again. */
  function loadOnce(): ReturnType<typeof load> {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  /** Refuses requests that a web page sent through a browser, as in DNS rebinding. */
  function requireOwnOrigin({headers}: OperationExchange['request']): void {
    const {origin, host = ''} = headers;
    if (origin !== undefined && !origins.has(origin))
      throw new AppError(
        'forbidden',
        `Pages of ${origin} may not use this address. CORS_ORIGINS names the ones that may.`,
      );
    if (isLoopback(own.hostname) && !isLoopback(host.replace(/:\d+$/, '')))
      throw new AppError('forbidden', 'The Host header names another host than this service.');
  }

  /** Creates the session of one message. `listRun` returns the operations that it has run so far. */
  function createSession(exchange: OperationExchange, access: Required<Access>) {
    const {authorization} = exchange.request.headers;
    const ran: string[] = [];

    /** Runs a route as the API does: with the checks, the quota and the admission of one request. */
    async function runRoute(
      route: Route,
      {params = {}, query = {}, body, expectedRevision, key}: Omit<PlannedRequest, 'operation'> = {},
    ): Promise<HandlerResponse> {
      ran.push(route.operation);
      const inner: OperationExchange = {
        request: {
          ip: exchange.request.ip,
          headers: {
            ...(authorization !== undefined && {authorization}),
            ...(key !== undefined && {'idempotency-key': key}),
            ...(expectedRevision !== undefined && {'if-match': `"${expectedRevision}"`}),
          },
        },
        readBody: () => Promise.resolve(body),
        entryPoint: 'mcp',
        path: route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          // A text with half of a surrogate pair cannot be encoded.
          encodeURIComponent((params[name] ?? '').toWellFormed()),
        ),
        search: new URLSearchParams(query).toString(),
        params,
        requestId: exchange.requestId,
        span: exchange.span,
        caller: undefined,
        quota: [],
      };
      try {
        return await runRequest(api, route, inner);
      } finally {
        exchange.quota = inner.quota;
      }
    }

    async function findDates(day: DayOf, given: Arguments): Promise<readonly string[]> {
      let dates: readonly string[] = [];
      const look = async (call: Call) => {
        dates = day === 'caller' ? [await findOwnDate(call)] : await findTeamDates(call, listTeams(given));
      };
      await runRoute(createOwnRoute(look));
      return dates;
    }

    async function run({operation, ...request}: PlannedRequest) {
      const route = byOperation.get(operation);
      if (route === undefined) throw new Error(`no operation ${operation}`);
      const {body = '{}', headers} = await runRoute(route, request).catch((error: unknown) => {
        throw explainUnknownId(error, request.params ?? {});
      });
      const replayed = headers?.['Idempotent-Replayed'] === 'true';
      return {answer: JSON.parse(body.toString()) as JsonObject, replayed};
    }

    const session: Session = {
      requestId: exchange.requestId,
      scopes: access.scopes,
      report: (error) => api.log.error({request_id: exchange.requestId}, 'unexpected error', error),
      run,
      findDates,
    };
    return {session, listRun: () => ran, count: () => runRoute(createOwnRoute(() => Promise.resolve()))};
  }

  async function answer(
    exchange: Parameters<RunChannel>[0],
    access: Required<Access>,
    {session, count}: Pick<ReturnType<typeof createSession>, 'session' | 'count'>,
  ): Promise<HandlerResponse> {
    const message = await exchange.readBody(['application/json']);
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      throw new AppError('malformed_json', oneMessage);
    const {tools, fetch} = await loadOnce();
    const {method, params} = message as Message;
    const name = params?.name;
    const tool = method === 'tools/call' && typeof name === 'string' ? tools.get(name) : undefined;
    // A client of an identity provider reads the missing scope from this answer, and asks for another token.
    if (tool !== undefined && access.token.issuer !== undefined) requireScope(access, tool.scope);
    // Nothing more is done for a revoked token, or above the quota. Operations check both themselves.
    if (tool === undefined && !readingMethods.has(method)) await count();
    const headers = pickHeaders(exchange.request.headers);
    const request = new Request(address, {method: 'POST', headers, body: JSON.stringify(message)});
    const authInfo = {token: '', clientId: access.principal.id, scopes: [...access.scopes], extra: {session}};
    const response = await fetch(request, {parsedBody: message, authInfo});
    const type = response.headers.get('content-type');
    const text = await response.text();
    return {
      status: response.status,
      ...(type !== null && {headers: {'Content-Type': type}}),
      ...(text !== '' && {body: Buffer.from(text)}),
    };
  }

  return async (exchange) => {
    requireOwnOrigin(exchange.request);
    const access = await authenticateRequest(api, exchange);
    const {session, listRun, count} = createSession(exchange, access);
    try {
      return {...(await answer(exchange, access, {session, count})), operation: listRun().at(-1) ?? 'mcp'};
    } finally {
      // A message that fails before it runs anything counts, too.
      if (listRun().length === 0) await count();
    }
  };
}

/** The methods that run an operation, besides calls of tools. */
const readingMethods: ReadonlySet<unknown> = new Set(['resources/list', 'resources/read']);

/** A message in JSON-RPC 2.0, of which nothing is checked yet. */
interface Message {
  readonly method?: unknown;
  readonly params?: {readonly name?: unknown};
}

const oneMessage =
  'The body must be one JSON-RPC message. Batches are not accepted: send each message in a request of its own.';

/** Creates a route for work of the protocol itself. It is no operation, but counts as a read. */
function createOwnRoute(work: (call: Call) => Promise<void>): Route {
  return {
    method: 'GET',
    path: '/mcp',
    operation: 'mcp',
    tag: 'MCP',
    summary: 'Answer a message',
    query: noQuerySchema,
    success: {status: 200},
    errors: [],
    handle: async ({call}) => {
      await work(call);
      return {status: 200};
    },
  };
}

/** Lists the teams that the arguments name. The API has not checked them yet, and refuses more of them. */
function listTeams({team, teams}: Arguments): string[] {
  const named = Array.isArray(teams) ? (teams.slice(0, limits.teamsPerSubmission) as unknown[]) : [];
  return [team, ...named].filter((one) => typeof one === 'string');
}

/** Returns the rule that a message broke, or the kind of error. The library's texts repeat parts of messages. */
function describeRefusal({name, message}: Error): string {
  return /^Rejected inbound request \(([\w-]{1,60})\)/.exec(message)?.[1] ?? name;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127(?:\.\d+){3}$/.test(host);
}

/** Returns the headers that the protocol needs. The library never sees the credential. */
function pickHeaders(headers: OperationExchange['request']['headers']): Headers {
  const picked = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  for (const name of ['accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = headers[name];
    if (typeof value === 'string') picked.set(name, value);
  }
  return picked;
}
