import type {IncomingMessage} from 'node:http';
import {type Access, type Call, requireScope} from '../domain/access.js';
import {deadlines} from '../domain/limits.js';
import {admits, requireAcceptable} from './accept.js';
import type {Authenticate} from './authenticate.js';
import {type MediaType, readJson} from './body.js';
import {parseIfMatch} from './conditions.js';
import type {Cursors} from './cursor.js';
import {identify, parseIdempotencyKey} from './idempotency.js';
import {boundCursors, type Handled, type Reply, type Route} from './route.js';
import {parseBody, parseQuery} from './validate.js';

export interface RequestParts {
  readonly authenticate: Authenticate;
  readonly requireLiveToken: (call: Pick<Call, 'workspace' | 'token' | 'deadline'>) => Promise<void>;
  readonly cursors: Cursors;
}

/** One request with the route it has matched. */
export interface Matched {
  readonly request: IncomingMessage;
  readonly route: Route;
  /** Path without the query, and the query without its question mark. */
  readonly path: string;
  readonly search: string;
  readonly params: Readonly<Record<string, string>>;
  /** Where it is noted who sends it, for the log. */
  readonly exchange: {caller?: Access};
}

/**
 * Runs the checks of one request in their published order, as plain calls, then its handler:
 * authentication (401), scope (403), `Accept` (406), size, media type and parsing (413, 415, 400), idempotency key (400), schemas (400, 422).
 * A revoked token is noticed by the commit of a mutation, and by a look-up of its own for everything that does not get that far.
 */
export async function runRequest(parts: RequestParts, matched: Matched): Promise<Reply> {
  const {request, route} = matched;
  const deadline = performance.now() + deadlines.request;
  const access = await parts.authenticate(request.headers.authorization, deadline);
  matched.exchange.caller = access;
  const caller = {...access, deadline};

  let handled: Handled;
  try {
    handled = await checkRequest(parts, matched, caller);
  } catch (error) {
    await parts.requireLiveToken(caller);
    throw error;
  }
  if (route.method !== 'GET') return route.handle(handled);

  const live = parts.requireLiveToken(caller);
  // A refusal of the token comes before anything the handler says; both look-ups are under way together.
  const [proof, reply] = await Promise.allSettled([live, route.handle(handled)]);
  if (proof.status === 'rejected') throw proof.reason;
  if (reply.status === 'rejected') throw reply.reason;
  return reply.value;
}

type Caller = Required<Access> & {readonly deadline: number};

async function checkRequest(parts: RequestParts, matched: Matched, caller: Caller): Promise<Handled> {
  const {request, route, path, search, params} = matched;
  const {headers} = request;
  if (route.scope !== undefined) requireScope(caller, route.scope);
  const mediaTypes = route.success.mediaTypes ?? ['application/json'];
  requireAcceptable(headers.accept, mediaTypes);
  const sent = route.body === undefined ? undefined : await readJson(request, mediaTypesOf(route));
  const key = route.method === 'GET' ? undefined : parseIdempotencyKey(single(headers['idempotency-key']));
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
    call: {...caller, ...(idempotency !== undefined && {idempotency})},
    params,
    query,
    body,
    expected,
    ifNoneMatch: headers['if-none-match'],
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
