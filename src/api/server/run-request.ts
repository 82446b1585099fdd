import type {IncomingHttpHeaders} from 'node:http';
import {
  type Access,
  type Call,
  type Credential,
  type EntryPoint,
  type IdempotencyKey,
  requireScope,
} from '../../domain/core/access.js';
import {AppError, type ErrorCode} from '../../domain/core/errors.js';
import type {Span} from '../../domain/core/tracer.js';
import {acceptsMediaType, requireAcceptable} from '../http/accept.js';
import type {MediaType} from '../http/body.js';
import {parseIfMatch} from '../http/conditions.js';
import {identifyRequest, parseIdempotencyKey} from '../http/idempotency.js';
import type {HeaderPairs} from '../http/header-pairs.js';
import type {LocalClaim} from '../access/rate-limits.js';
import {
  createListCursors,
  type HandlerInput,
  isReadOnly,
  type HandlerResponse,
  type Route,
} from '../http/route.js';
import {parseBody, parseQuery} from '../http/validate.js';
import type {ApiContext} from './context.js';

/** One request of an operation, with everything that its checks have found out so far. */
export interface OperationExchange {
  /** `ip`: the client's address, as reported by trusted proxies. */
  readonly request: {readonly headers: IncomingHttpHeaders; readonly ip?: string | undefined};
  /** Reads the body as JSON of one of these types. Undefined: there is none. */
  readonly readBody: (accepted: readonly MediaType[]) => Promise<unknown>;
  /** The entry point, if it is neither the API nor the dashboard. */
  readonly entryPoint?: EntryPoint;
  /** The path without the query. `search` is the query without its question mark. */
  readonly path: string;
  readonly search: string;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** The span of the request; one that records nothing until its route is known. */
  span: Span;
  /** The authenticated caller; undefined until then. */
  caller: Access | undefined;
  /** The rate limit headers of the answer. */
  quota: HeaderPairs;
}

/**
 * Runs the checks of a request in their documented order, and then its handler. The order: authentication
 * (401), quota (429), scope (403), `Accept` (406), size, media type and parsing (413, 415, 400), idempotency
 * key (400), schemas (400, 422).
 * The commit of a change also checks that the token is not revoked and that the quota is not used up. Other
 * requests need a separate check in the store. It runs first if this process does not know the token, or if
 * the body is long.
 */
export async function runRequest(
  context: ApiContext,
  route: Route,
  exchange: OperationExchange,
): Promise<HandlerResponse> {
  const {request} = exchange;
  const {limiter, knownTokens} = context;
  const deadline = performance.now() + context.requestMs;
  const {authorization} = request.headers;
  const line = authorization && knownTokens.recognise(authorization);
  let claim: LocalClaim | undefined;
  // A request without a token has no queue to wait in.
  if (authorization !== undefined) await context.pace(line);
  try {
    const known = context.authenticate(authorization, deadline, line);
    const access = known instanceof Promise ? await known : known;
    exchange.caller = access;
    claim = limiter.open(access, !isReadOnly(route));
    const call = createRequestCall(exchange, access, claim, deadline);
    if (line === undefined || isExpensive(request)) await admitUnknownToken(context, call);
    if (line === undefined) knownTokens.remember(authorization);
    const reply = await runAdmittedRequest(context, route, exchange, call);
    const refusal = claim.verdict === undefined ? limiter.countAlone(claim) : undefined;
    if (refusal !== undefined) throw refusal;
    return reply;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_token') knownTokens.forget(authorization);
    throw await replaceRefusal(context, error, {address: request.ip, deadline, claim});
  } finally {
    if (claim !== undefined) exchange.quota = limiter.recordVerdict(claim);
  }
}

/**
 * Authenticates a request that runs operations only later, in its own way. As in `runRequest`, the store first
 * checks a token that this process does not know, and the sender of a long body. Errors:
 * `authentication_required`, `invalid_token`, `rate_limited` for too many failures or requests.
 */
export async function authenticateRequest(
  context: ApiContext,
  exchange: OperationExchange,
): Promise<Required<Access>> {
  const {request} = exchange;
  const {limiter, knownTokens} = context;
  const {authorization} = request.headers;
  const deadline = performance.now() + context.requestMs;
  const line = authorization && knownTokens.recognise(authorization);
  if (authorization !== undefined) await context.pace(line);
  let claim: LocalClaim | undefined;
  try {
    const access = await context.authenticate(authorization, deadline, line);
    exchange.caller = access;
    if (line !== undefined && !isExpensive(request)) return access;
    claim = limiter.open(access, false);
    const refusal = limiter.refuseAlone(claim);
    if (refusal !== undefined) throw refusal;
    const {quota, ...call} = createRequestCall(exchange, access, claim, deadline);
    // The operations of the request count. Only a quota that seems used up is asked here.
    await context.requireAdmission(limiter.seemsUsedUp(quota) ? {...call, quota} : call);
    if (line === undefined) knownTokens.remember(authorization);
    return access;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_token') knownTokens.forget(authorization);
    throw await replaceRefusal(context, error, {address: request.ip, deadline, claim});
  } finally {
    if (claim?.verdict !== undefined) exchange.quota = limiter.recordVerdict(claim);
  }
}

/** The call that the handler passes to services. Its idempotency key is added when the body has been read. */
interface RequestCall extends Call {
  readonly token: Credential;
  readonly quota: LocalClaim;
  idempotency?: IdempotencyKey;
}

function createRequestCall(
  {requestId, entryPoint: given, span}: OperationExchange,
  access: Required<Access>,
  quota: LocalClaim,
  deadline: number,
): RequestCall {
  const {workspace, principal, scopes, token} = access;
  const entryPoint = given ?? (token.session === true ? 'dashboard' : (token.client ?? 'api'));
  return {workspace, principal, scopes, token, deadline, entryPoint, requestId, quota, trace: span.context};
}

/** The size (bytes) above which reading a body costs more than checking the token. */
const cheapBodyBytes = 4 * 1024;

/** True for a body that is long or of unknown length. */
function isExpensive({headers}: OperationExchange['request']): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > cheapBodyBytes
  );
}

/** Checks a token first if it is not known as valid here, or if the body is costly to read. */
function admitUnknownToken({limiter, requireAdmission}: ApiContext, call: RequestCall): Promise<void> {
  const refusal = limiter.refuseAlone(call.quota);
  if (refusal !== undefined) throw refusal;
  return requireAdmission(call);
}

async function runAdmittedRequest(
  context: ApiContext,
  route: Route,
  exchange: OperationExchange,
  call: RequestCall,
): Promise<HandlerResponse> {
  const {limiter, requireAdmission} = context;
  const refusal = limiter.refuseAlone(call.quota);
  if (refusal !== undefined) throw refusal;
  if (limiter.seemsUsedUp(call.quota)) await requireAdmission(call);
  let reply: HandlerResponse;
  try {
    reply = await runCheckedRequest(context, route, exchange, call);
  } catch (error) {
    if (error instanceof AppError && !final.has(error.code)) await requireAdmission(call);
    throw error;
  }
  // A change is checked by its commit. If there was no commit, it is checked here.
  if (!isReadOnly(route) && call.quota.verdict?.granted !== true) await requireAdmission(call);
  return reply;
}

/** Errors with the result of the check in the store, or because the store cannot be asked. */
const final: ReadonlySet<ErrorCode> = new Set([
  'invalid_token',
  'rate_limited',
  'store_lost',
  'service_unavailable',
]);

async function runCheckedRequest(
  context: ApiContext,
  route: Route,
  exchange: OperationExchange,
  call: RequestCall,
): Promise<HandlerResponse> {
  const {headers} = exchange.request;
  if (route.scope !== undefined) requireScope(call, route.scope);
  requireAcceptable(headers.accept, route.success.mediaTypes ?? json);
  const sent = route.body === undefined ? undefined : await exchange.readBody(listBodyMediaTypes(route));
  const input = checkRequestContent(context, route, exchange, call, sent);
  const slot = context.enter(call.workspace, (call.deadline - performance.now()) / 2);
  const leave = slot instanceof Promise ? await slot : slot;
  try {
    return await (isReadOnly(route) ? runReadRequest(context, route, input) : route.handle(input));
  } finally {
    leave();
  }
}

/** Runs a read and the check of its caller at the same time. An error of the check comes first. */
async function runReadRequest(
  {requireAdmission}: ApiContext,
  route: Route,
  input: HandlerInput,
): Promise<HandlerResponse> {
  const admission = requireAdmission(input.call);
  const reply = route.handle(input);
  // A handler that fails early must not cause an unhandled rejection; its result is awaited below.
  reply.catch(() => undefined);
  try {
    await admission;
  } catch (refusal) {
    await reply.catch(() => undefined);
    throw refusal;
  }
  return reply;
}

/**
 * Replaces an error by a rate limit error, if there were too many failed authentications or requests. While
 * the store is unavailable, full or read-only, this process counts alone.
 */
async function replaceRefusal(
  {countFailure, limiter}: ApiContext,
  error: unknown,
  {address, deadline, claim}: {address: string | undefined; deadline: number; claim: LocalClaim | undefined},
): Promise<unknown> {
  if (!(error instanceof AppError)) return error;
  if (error.code === 'invalid_token') return (await countFailure(address, deadline)) ?? error;
  const unknown = claim !== undefined && claim.verdict === undefined;
  if (error.code !== 'store_lost' && unknown) return limiter.countAlone(claim) ?? error;
  return error;
}

/** Runs the checks that need no waiting: idempotency key, query, conditions, and the schema of the body. */
function checkRequestContent(
  context: ApiContext,
  route: Route,
  {request: {headers, ip}, path, search, params}: OperationExchange,
  call: RequestCall,
  sent: unknown,
): HandlerInput {
  const key = isReadOnly(route)
    ? undefined
    : parseIdempotencyKey(readSingleHeader(headers['idempotency-key']));
  const query = parseQuery(route.query, search);
  const ifMatch = headers['if-match'];
  const expected = parseIfMatch(ifMatch);
  const body = route.body === undefined ? undefined : parseBody(route.body, sent, route.alsoWrong);
  if (key !== undefined) {
    const {method} = route;
    call.idempotency = identifyRequest(call.principal.id, key, {method, path, search, ifMatch, body: sent});
  }
  const cursors = isReadOnly(route) ? createRequestCursors(context, route, call, {path, search}) : noCursors;
  return {
    call,
    params,
    query,
    body,
    expected,
    ifNoneMatch: headers['if-none-match'],
    address: ip,
    search,
    // An empty header counts as absent.
    header: (name) => readSingleHeader(headers[name.toLowerCase()]) || undefined,
    admits: (mediaType) => acceptsMediaType(headers.accept, mediaType),
    cursors,
  };
}

/** Returns the cursors of a list. A path with a slash at its end has the same cursors as one without. */
function createRequestCursors(
  {cursors}: ApiContext,
  {cursorsOf: list}: Route,
  {workspace}: RequestCall,
  {path, search}: Pick<OperationExchange, 'path' | 'search'>,
): HandlerInput['cursors'] {
  return list === undefined
    ? createListCursors(cursors, workspace, path.endsWith('/') ? path.slice(0, -1) : path, search)
    : createListCursors(cursors, workspace, list, '');
}

/** Refuses a cursor in a route for changes, which has no list. */
function refuseCursor(): never {
  throw new Error('this route has no cursors');
}
const noCursors: HandlerInput['cursors'] = {
  open: refuseCursor,
  make: refuseCursor,
  openLog: refuseCursor,
  makeLog: refuseCursor,
};

const json: readonly MediaType[] = ['application/json'];
const jsonPatches: readonly MediaType[] = ['application/json', 'application/merge-patch+json'];

function listBodyMediaTypes({method}: Route): readonly MediaType[] {
  return method === 'PATCH' ? jsonPatches : json;
}

function readSingleHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
