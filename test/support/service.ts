import {randomBytes} from 'node:crypto';
import {pathToFileURL} from 'node:url';
import {type Dispatcher, request} from 'undici';
import type {HttpTimes} from '../../src/api/server/http-server.js';
import type {Route} from '../../src/api/http/route.js';
import {composeService} from '../../src/compose.js';
import {type Core, createShutdownList, createLog} from '../../src/compose-core.js';
import {type BuiltApp, readBuiltApp} from '../../src/dashboard/built-app.js';
import {parseConfig} from '../../src/config/config.js';
import type {Call, Principal, Scope} from '../../src/domain/core/access.js';
import {scopes as allScopes} from '../../src/domain/core/access.js';
import type {Log} from '../../src/domain/core/log.js';
import type {Retention} from '../../src/domain/core/limits.js';
import {operatorCall} from '../../src/service/workspaces/workspaces.js';
import type {Server} from '@modelcontextprotocol/server';
import type {TimeSource} from '../../src/store/core/time-source.js';
import type {Resolve} from '../../src/webhook/resolver.js';
import {checkExchange, checkAgainstRoutes} from './contract.js';
import {testRedisUrl} from './redis-server.js';
import type {Id} from '../../src/domain/core/ids.js';
import {asId} from './ids.js';

export interface TestService {
  readonly url: string;
  readonly redisUrl: string;
  readonly core: Core;
  /** Adds a workspace, by default with the team `platform` and a token with all scopes. */
  addWorkspace(name?: string): Promise<TestWorkspace>;
  close(): Promise<void>;
}

export interface TestWorkspace {
  readonly core: Core;
  readonly id: Id<'workspace'>;
  readonly team: Id<'team'>;
  readonly token: string;
  readonly principal: Principal;
  operator(): Call;
  addToken(options?: {
    scopes?: readonly Scope[];
    name?: string;
    lifetime?: number;
  }): Promise<{value: string; id: Id<'access_token'>}>;
  /** Sends a request to the API with this workspace's token. A body that is an object is sent as JSON. */
  request(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
}

export interface RequestOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
}

export interface TestResponse {
  /** The request as method and path. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. Its type allows everything, since tests read bodies of many shapes. */
  readonly body: Json;
}

export type Json = any;

export interface ServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Address of the database; default: an empty database in the Redis of the test run. */
  readonly redisUrl?: string;
  /** The target of log lines; if left out, nothing is logged. */
  readonly log?: Log;
  readonly failpoint?: (name: string) => void;
  /** A source of time other than the machine: a test clock (test-clock.ts). */
  readonly time?: TimeSource;
  readonly streaming?: {readonly pulse?: number; readonly drain?: number};
  /** The folder of the built dashboard; default: the one of this source tree. */
  readonly webFolder?: URL;
  /** The server's timeouts for a request. */
  readonly httpTimes?: HttpTimes;
  /** The store's timeout for a request (ms); by default long enough for any busy machine. */
  readonly requestMs?: number;
  /** Retention times (s). `upkeepMs`: the interval (ms) at which the service removes older data. */
  readonly retention?: Partial<Retention>;
  readonly upkeepMs?: number;
  /** Replaces DNS for webhooks. */
  readonly resolve?: Resolve;
  readonly changeRoutes?: (routes: readonly Route[]) => readonly Route[];
  readonly changeMcpServer?: (server: Server) => void;
  /** Mail is on; default: off. */
  readonly mail?: 'sent' | 'kept';
}

/**
 * Starts the whole service in this process, on a real Redis and a free port. Close it in `afterEach` or
 * `afterAll`.
 */
export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const redisUrl = options.redisUrl ?? (await testRedisUrl());
  const closings = createShutdownList();
  const {config, secrets} = parseConfig({
    REDIS_URL: redisUrl,
    SECRET_KEY: 'a secret key for tests, 32 characters or more',
    LOG_LEVEL: 'silent',
    RATE_LIMIT: '1000000',
    RATE_LIMIT_WRITES: '1000000',
    RATE_LIMIT_AUTH_FAILURES: '0',
    ...options.env,
  });
  const service = await composeService({
    config: {...config, http: {...config.http, port: Number(options.env?.['PORT'] ?? 0)}},
    secrets: {...secrets, secretKey: secrets.secretKey ?? ''},
    log: options.log ?? createLog(config, closings),
    closings,
    version: 'test',
    ...(options.failpoint && {failpoint: options.failpoint}),
    ...(options.time && {time: options.time}),
    ...(options.streaming && {streaming: options.streaming}),
    ...(options.webFolder ? {webFolder: options.webFolder} : readBuiltDashboard()),
    requestMs: options.requestMs ?? 10_000,
    ...(options.httpTimes && {httpTimes: options.httpTimes}),
    ...(options.retention && {retention: options.retention}),
    ...(options.upkeepMs !== undefined && {upkeepMs: options.upkeepMs}),
    ...(options.resolve && {resolve: options.resolve}),
    ...(options.changeRoutes && {changeRoutes: options.changeRoutes}),
    ...(options.changeMcpServer && {changeMcpServer: options.changeMcpServer}),
    ...(options.mail && {mail: options.mail}),
  });
  const url = `http://127.0.0.1:${service.address?.port ?? 0}`;
  const forget = options.changeRoutes && checkAgainstRoutes(url, options.changeRoutes);
  return {
    url,
    redisUrl,
    core: service.core,
    addWorkspace: (name) => addWorkspace(service.core, url, name),
    async close() {
      await service.drain();
      await closings.run();
      forget?.();
    },
  };
}

const kept = globalThis as {standupWebApp?: BuiltApp | undefined};

/**
 * Reads the dashboard's files once for each worker: the 460 files take a quarter of a service's start-up
 * time.
 */
function readBuiltDashboard() {
  const webFolder = pathToFileURL('dist/web/');
  const webApp = (kept.standupWebApp ??= readBuiltApp(webFolder));
  return {webFolder, ...(webApp && {webApp})};
}

async function addWorkspace(core: Core, url: string, name?: string): Promise<TestWorkspace> {
  const {services} = core;
  const workspace = await services.workspaces.createWorkspace(
    name ?? `w${randomBytes(6).toString('hex')}`,
    newDeadline(),
  );
  const operator = () => operatorCall(workspace.id, newDeadline());
  const team = await services.teams.createTeam(operator(), {slug: 'platform', name: 'Platform'});
  const addToken: TestWorkspace['addToken'] = async ({
    scopes = allScopes,
    name: holder = 'ci',
    lifetime,
  } = {}) => {
    const principal = await services.people.ensureServiceAccount(operator(), holder);
    const {value, token} = await services.tokens.issueToken(operator(), {
      name: holder,
      holder: principal,
      scopes,
      lifetime,
    });
    return {value, id: token.id};
  };
  const {value: token} = await addToken();
  return {
    core,
    id: workspace.id,
    team: asId(team.id ?? ''),
    token,
    principal: await services.people.ensureServiceAccount(operator(), 'ci'),
    operator,
    addToken,
    request: (method, path, options = {}) => sendRequest(url, method, path, {token, ...options}),
  };
}

/** Sends one request over real HTTP, and checks the answer against the OpenAPI document. */
export async function sendRequest(
  url: string,
  method: string,
  path: string,
  {body, headers = {}, token}: RequestOptions = {},
): Promise<TestResponse> {
  const json = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
  const address = new URL(`${url}${path}`);
  // This call is not `fetch`, which makes the whole exchange a quarter slower.
  const response = await request(address, {
    method,
    headers: {
      ...(token !== undefined && {authorization: `Bearer ${token}`}),
      ...(json && {'content-type': 'application/json'}),
      ...(typeof body === 'string' && {'content-type': 'text/plain'}),
      ...lowerCaseNames(headers),
    },
    ...(body !== undefined && {body: json ? JSON.stringify(body) : (body as string)}),
  });
  const text = await readText(response);
  const status = response.statusCode;
  const answered = new Headers(
    Object.entries(response.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  );
  checkExchange({
    service: url,
    method,
    path: address.pathname + address.search,
    status,
    headers: answered,
    text,
  });
  const isJson = /[/+]json/.test(answered.get('content-type') ?? '');
  return {
    request: `${method} ${path}`,
    status,
    headers: answered,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** Returns the whole body of a response. From a stream, which does not end, returns only the first chunk. */
async function readText({headers, body}: Dispatcher.ResponseData): Promise<string> {
  if (headers['content-type'] !== 'text/event-stream') return body.text();
  for await (const first of body) return String(first);
  return '';
}

/** Converts header names to lower case, so that no header is sent twice. */
function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function newDeadline(): number {
  return performance.now() + 5_000;
}
