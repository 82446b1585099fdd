import type {IncomingMessage} from 'node:http';
import {type Access, type Call, requireScope} from '../domain/access.js';
import {AppError, type ErrorCode} from '../domain/errors.js';
import {deadlines} from '../domain/limits.js';
import type {Pacer} from '../domain/pacer.js';
import {admits, requireAcceptable} from './accept.js';
import type {Acquaintances} from './acquaintances.js';
import type {Authenticate} from './authenticate.js';
import {type MediaType, readJson} from './body.js';
import {parseIfMatch} from './conditions.js';
import type {Cursors} from './cursor.js';
import type {CountFailure} from './failed-authentications.js';
import {identify, parseIdempotencyKey} from './idempotency.js';
import {type Limiter, type LocalClaim, presentQuota} from './rate-limits.js';
import {boundCursors, type Handled, isRead, type Reply, type Route} from './route.js';
import type {Enter} from './places.js';
import {parseBody, parseQuery} from './validate.js';

export interface RequestParts {
  /** Shares the processor with what else this process does. */
  readonly pace: Pacer;
  readonly acquaintances: Acquaintances;
  /** Asked before the store is; until then a slow client costs nobody a place. */
  readonly enter: Enter;
  readonly authenticate: Authenticate;
  readonly requireAdmission: (call: Applicant) => Promise<void>;
  readonly limiter: Limiter;
  readonly countFailure: CountFailure;
  readonly cursors: Cursors;
}

type Applicant = Pick<Call, 'workspace' | 'token' | 'quota' | 'deadline'>;

/** One request with the route it has matched. */
export interface Matched {
  /** `ip`: the address of the client, as far as the proxies in front are believed. */
  readonly request: IncomingMessage & {readonly ip?: string | undefined};
  readonly route: Route;
  /** Path without the query, and the query without its question mark. */
  readonly path: string;
  readonly search: string;
  readonly params: Readonly<Record<string, string>>;
  /** Where it is noted who sends it, and what every answer says of their quota. */
  readonly exchange: {
    readonly requestId: string;
    caller?: Access;
    quota?: Readonly<Record<string, string>>;
  };
}

/**
 * Runs the checks of one request in their published order, as plain calls, then its handler: authentication
 * (401), quota (429), scope (403), `Accept` (406), size, media type and parsing (413, 415, 400),
 * idempotency key (400), schemas (400, 422). A revoked token and a quota that is used up are noticed by the
 * commit of a mutation, and by a look-up of their own for everything that does not get that far.
 */
export async function runRequest(parts: RequestParts, matched: Matched): Promise<Reply> {
  const {request, route, exchange} = matched;
  const {limiter} = parts;
  const deadline = performance.now() + deadlines.request;
  const {authorization} = request.headers;
  let claim: LocalClaim | undefined;
  // Without a token there is nothing to wait for.
  if (authorization !== undefined) await parts.pace(parts.acquaintances.recognise(authorization));
  try {
    const access = await parts.authenticate(authorization, deadline);
    parts.acquaintances.remember(authorization);
    exchange.caller = access;
    claim = limiter.open(access, {isWrite: !isRead(route)});
    const reply = await runAdmitted(parts, matched, {...access, deadline, quota: claim});
    const refusal = claim.verdict === undefined ? limiter.countAlone(claim) : undefined;
    if (refusal !== undefined) throw refusal;
    return reply;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_token')
      parts.acquaintances.forget(authorization);
    throw await reconsider(parts, error, {address: request.ip, deadline, claim});
  } finally {
    if (claim !== undefined) {
      limiter.remember(claim);
      exchange.quota = presentQuota(claim);
    }
  }
}

type Caller = Required<Access> & {readonly deadline: number; readonly quota: LocalClaim};

async function runAdmitted(parts: RequestParts, matched: Matched, caller: Caller): Promise<Reply> {
  const {limiter, requireAdmission} = parts;
  const refusal = limiter.refuseAlone(caller.quota);
  if (refusal !== undefined) throw refusal;
  if (limiter.seemsUsedUp(caller.quota)) await requireAdmission(caller);

  const {route} = matched;
  let handled: Handled;
  try {
    handled = await checkRequest(parts, matched, caller);
  } catch (error) {
    await requireAdmission(caller);
    throw error;
  }
  const leave = await parts.enter(caller.workspace, (caller.deadline - performance.now()) / 2);
  try {
    return await (isRead(route) ? read : mutate)(parts, route, handled, caller);
  } finally {
    leave();
  }
}

/** A refusal of the caller comes before anything the handler says; both look-ups are under way together. */
async function read({requireAdmission}: RequestParts, route: Route, handled: Handled, caller: Caller) {
  const [proof, reply] = await Promise.allSettled([requireAdmission(caller), route.handle(handled)]);
  if (proof.status === 'rejected') throw proof.reason;
  if (reply.status === 'rejected') throw reply.reason;
  return reply.value;
}

/** Refusals that say themselves what became of the admission, or that it cannot be had. */
const final: ReadonlySet<ErrorCode> = new Set([
  'invalid_token',
  'rate_limited',
  'store_lost',
  'service_unavailable',
]);

/** A mutation is admitted by its commit; one that has ended without any is asked for here. */
async function mutate({requireAdmission}: RequestParts, route: Route, handled: Handled, caller: Caller) {
  try {
    const reply = await route.handle(handled);
    await requireAdmission(caller);
    return reply;
  } catch (error) {
    if (error instanceof AppError && !final.has(error.code)) await requireAdmission(caller);
    throw error;
  }
}

/**
 * A failed authentication may have been one too many. A store that is away, full or read-only leaves the
 * quota to our own count.
 */
async function reconsider(
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

async function checkRequest(parts: RequestParts, matched: Matched, caller: Caller): Promise<Handled> {
  const {request, route, path, search, params} = matched;
  const {headers} = request;
  if (route.scope !== undefined) requireScope(caller, route.scope);
  const mediaTypes = route.success.mediaTypes ?? ['application/json'];
  requireAcceptable(headers.accept, mediaTypes);
  const sent = route.body === undefined ? undefined : await readJson(request, mediaTypesOf(route));
  const key = isRead(route) ? undefined : parseIdempotencyKey(single(headers['idempotency-key']));
  const query = parseQuery(route.query, search);
  const expected = parseIfMatch(headers['if-match']);
  const body = route.body === undefined ? undefined : parseBody(route.body, sent);
  const idempotency =
    key === undefined
      ? undefined
      : identify(caller.principal.id, key, {
          method: route.method,
          path,
          search,
          ifMatch: headers['if-match'],
          body: sent,
        });
  return {
    call: {
      ...caller,
      door: caller.token.session === true ? 'dashboard' : 'api',
      requestId: matched.exchange.requestId,
      ...(idempotency !== undefined && {idempotency}),
    },
    params,
    query,
    body,
    expected,
    ifNoneMatch: headers['if-none-match'],
    search,
    header: (name) => single(headers[name.toLowerCase()]),
    admits: (mediaType) => admits(headers.accept, mediaType),
    cursors: boundCursors(
      parts.cursors,
      caller.workspace,
      route.cursorsOf ?? path,
      route.cursorsOf === undefined ? search : '',
    ),
  };
}

function mediaTypesOf({method}: Route): readonly MediaType[] {
  return method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
