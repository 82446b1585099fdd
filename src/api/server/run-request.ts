import type {IncomingMessage} from 'node:http';
import {
  type Access,
  type Call,
  type Credential,
  type IdempotencyKey,
  requireScope,
} from '../../domain/core/access.js';
import {AppError, type ErrorCode} from '../../domain/core/errors.js';
import type {Pacer} from '../../domain/core/pacer.js';
import {acceptsMediaType, requireAcceptable} from '../http/accept.js';
import type {KnownTokens} from '../access/known-tokens.js';
import type {Authenticate} from '../access/authenticate.js';
import {type MediaType, readJson} from '../http/body.js';
import {parseIfMatch} from '../http/conditions.js';
import type {Cursors} from '../http/cursor.js';
import type {CountFailure} from '../access/failed-authentications.js';
import {identifyRequest, parseIdempotencyKey} from '../http/idempotency.js';
import type {HeaderPairs} from '../http/header-pairs.js';
import type {Limiter, LocalClaim} from '../access/rate-limits.js';
import {
  createListCursors,
  type HandlerInput,
  isReadOnly,
  type HandlerResponse,
  type Route,
} from '../http/route.js';
import type {Enter} from '../http/fair-semaphore.js';
import {parseBody, parseQuery} from '../http/validate.js';

export interface RequestParts {
  /** Time limit of the store for everything in one request (ms). */
  readonly requestMs: number;
  /** Shares the processor with the other work of this process. */
  readonly pace: Pacer;
  readonly knownTokens: KnownTokens;
  /** Called before the store is; until then a slow client occupies no slot. */
  readonly enter: Enter;
  readonly authenticate: Authenticate;
  readonly requireAdmission: (call: Applicant) => Promise<void>;
  readonly limiter: Limiter;
  readonly countFailure: CountFailure;
  readonly cursors: Cursors;
}

type Applicant = Pick<Call, 'workspace' | 'token' | 'quota' | 'deadline'>;

/** One request of an operation, and what is found out about it on the way. */
export interface OperationExchange {
  /** `ip`: the address of the client, as far as the proxies in front are trusted. */
  readonly request: IncomingMessage & {readonly ip?: string | undefined};
  /** Path without the query, and the query without its question mark. */
  readonly path: string;
  readonly search: string;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** The sender, once it is known. */
  caller: Access | undefined;
  /** Headers of every answer with the state of the quota. */
  quota: HeaderPairs;
}

/**
 * Runs the checks of one request in their published order, as plain calls, then its handler: authentication
 * (401), quota (429), scope (403), `Accept` (406), size, media type and parsing (413, 415, 400), idempotency
 * key (400), schemas (400, 422). The commit of a mutation notices a revoked token and a used-up quota.
 * Requests that do not get that far need a look-up of their own. It comes first for a token that this process
 * does not know, and for a long body.
 */
export async function runRequest(
  parts: RequestParts,
  route: Route,
  exchange: OperationExchange,
): Promise<HandlerResponse> {
  const {request} = exchange;
  const {limiter, knownTokens} = parts;
  const deadline = performance.now() + parts.requestMs;
  const {authorization} = request.headers;
  const line = authorization && knownTokens.recognise(authorization);
  let claim: LocalClaim | undefined;
  // Without a token there is nothing to wait for.
  if (authorization !== undefined) await parts.pace(line);
  try {
    const known = parts.authenticate(authorization, deadline, line);
    const access = known instanceof Promise ? await known : known;
    exchange.caller = access;
    claim = limiter.open(access, !isReadOnly(route));
    const call = callOf(exchange, access, claim, deadline);
    if (line === undefined || isExpensive(request)) await admitUnknownToken(parts, call);
    if (line === undefined) knownTokens.remember(authorization);
    const reply = await runAdmitted(parts, route, exchange, call);
    const refusal = claim.verdict === undefined ? limiter.countAlone(claim) : undefined;
    if (refusal !== undefined) throw refusal;
    return reply;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_token') knownTokens.forget(authorization);
    throw await replaceRefusal(parts, error, {address: request.ip, deadline, claim});
  } finally {
    if (claim !== undefined) exchange.quota = limiter.recordVerdict(claim);
  }
}

/** The call of a request, made once: its idempotency key is known when the body has been read. */
interface RequestCall extends Call {
  readonly token: Credential;
  readonly quota: LocalClaim;
  idempotency?: IdempotencyKey;
}

function callOf(
  {requestId}: OperationExchange,
  access: Required<Access>,
  quota: LocalClaim,
  deadline: number,
): RequestCall {
  const {workspace, principal, scopes, token} = access;
  const entryPoint = token.session === true ? 'dashboard' : 'api';
  return {workspace, principal, scopes, token, deadline, entryPoint, requestId, quota};
}

/** Longer bodies cost more to read than a check of the token. */
const cheapBodyBytes = 4 * 1024;

/** True when a request has a body that is long, or of unknown length. */
function isExpensive({headers}: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > cheapBodyBytes
  );
}

/**
 * Asks the store before any work for a request whose token was not valid here before (a revoked one is not),
 * or whose body would be expensive to read in vain.
 */
function admitUnknownToken({limiter, requireAdmission}: RequestParts, call: RequestCall): Promise<void> {
  const refusal = limiter.refuseAlone(call.quota);
  if (refusal !== undefined) throw refusal;
  return requireAdmission(call);
}

async function runAdmitted(
  parts: RequestParts,
  route: Route,
  exchange: OperationExchange,
  call: RequestCall,
): Promise<HandlerResponse> {
  const {limiter, requireAdmission} = parts;
  const refusal = limiter.refuseAlone(call.quota);
  if (refusal !== undefined) throw refusal;
  if (limiter.seemsUsedUp(call.quota)) await requireAdmission(call);
  let reply: HandlerResponse;
  try {
    reply = await runChecked(parts, route, exchange, call);
  } catch (error) {
    if (error instanceof AppError && !final.has(error.code)) await requireAdmission(call);
    throw error;
  }
  // A mutation is admitted by its commit, if it has come to one.
  if (!isReadOnly(route) && call.quota.verdict?.granted !== true) await requireAdmission(call);
  return reply;
}

/** Refusals that show the result of the admission, or that there is none to be had. */
const final: ReadonlySet<ErrorCode> = new Set([
  'invalid_token',
  'rate_limited',
  'store_lost',
  'service_unavailable',
]);

async function runChecked(
  parts: RequestParts,
  route: Route,
  exchange: OperationExchange,
  call: RequestCall,
): Promise<HandlerResponse> {
  const {headers} = exchange.request;
  if (route.scope !== undefined) requireScope(call, route.scope);
  requireAcceptable(headers.accept, route.success.mediaTypes ?? json);
  const sent =
    route.body === undefined ? undefined : await readJson(exchange.request, bodyMediaTypesOf(route));
  const input = checkContent(parts, route, exchange, call, sent);
  const slot = parts.enter(call.workspace, (call.deadline - performance.now()) / 2);
  const leave = slot instanceof Promise ? await slot : slot;
  try {
    return await (isReadOnly(route) ? runRead(parts, route, input) : route.handle(input));
  } finally {
    leave();
  }
}

/** A refusal of the caller takes precedence over the handler's result; both look-ups run together. */
async function runRead(
  {requireAdmission}: RequestParts,
  route: Route,
  input: HandlerInput,
): Promise<HandlerResponse> {
  const admission = requireAdmission(input.call);
  const reply = route.handle(input);
  // In whatever order they end, the result is used below.
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
 * A failed authentication may have been one too many. While the store is away, full or read-only, our own
 * count decides about the quota.
 */
async function replaceRefusal(
  {countFailure, limiter}: RequestParts,
  error: unknown,
  {address, deadline, claim}: {address: string | undefined; deadline: number; claim: LocalClaim | undefined},
): Promise<unknown> {
  if (!(error instanceof AppError)) return error;
  if (error.code === 'invalid_token') return (await countFailure(address, deadline)) ?? error;
  const unknown = claim !== undefined && claim.verdict === undefined;
  if (error.code !== 'store_lost' && unknown) return limiter.countAlone(claim) ?? error;
  return error;
}

/**
 * Checks everything that needs no more waiting: idempotency key, query, conditions, and the schema of the
 * body.
 */
function checkContent(
  parts: RequestParts,
  route: Route,
  {request: {headers}, path, search, params}: OperationExchange,
  call: RequestCall,
  sent: unknown,
): HandlerInput {
  const key = isReadOnly(route) ? undefined : parseIdempotencyKey(singleHeader(headers['idempotency-key']));
  const query = parseQuery(route.query, search);
  const ifMatch = headers['if-match'];
  const expected = parseIfMatch(ifMatch);
  const body = route.body === undefined ? undefined : parseBody(route.body, sent, route.alsoWrong);
  if (key !== undefined) {
    const {method} = route;
    call.idempotency = identifyRequest(call.principal.id, key, {method, path, search, ifMatch, body: sent});
  }
  const cursors = isReadOnly(route) ? cursorsOf(parts, route, call, {path, search}) : noCursors;
  return {
    call,
    params,
    query,
    body,
    expected,
    ifNoneMatch: headers['if-none-match'],
    search,
    // An empty header counts as absent.
    header: (name) => singleHeader(headers[name.toLowerCase()]) || undefined,
    admits: (mediaType) => acceptsMediaType(headers.accept, mediaType),
    cursors,
  };
}

/** A slash at the end changes nothing: both addresses share one answer. */
function cursorsOf(
  {cursors}: RequestParts,
  {cursorsOf: list}: Route,
  {workspace}: RequestCall,
  {path, search}: Pick<OperationExchange, 'path' | 'search'>,
): HandlerInput['cursors'] {
  return list === undefined
    ? createListCursors(cursors, workspace, path.endsWith('/') ? path.slice(0, -1) : path, search)
    : createListCursors(cursors, workspace, list, '');
}

/** A change has no list. */
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

function bodyMediaTypesOf({method}: Route): readonly MediaType[] {
  return method === 'PATCH' ? jsonPatches : json;
}

function singleHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
