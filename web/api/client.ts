// Sends requests to the API, with tokens, idempotency keys, retries, conditional reads and a request log.
import {newKey} from './new-key.ts';
import createClient from 'openapi-fetch';
import {onChanges, waitForChangeStream} from './changes.ts';
import {noAnswer, Problem, toProblem, readRetryTime} from './problem.ts';
import {recordRequest} from './record.ts';
import type {Paths} from './schema.ts';
import {sleep} from './sleep.ts';
import {clearSession, forgetToken, getToken, onSessionEnd, guardSession} from './session.ts';

/**
 * The API client, typed by the OpenAPI document: `api.GET('/v1/me')`. Throws an error response as a
 * `Problem`. While the service is unavailable, the client repeats a change with the same idempotency key: the
 * caller's key or, without one, a new key.
 */
export const api = createClient<Paths>({
  baseUrl: location.origin,
  fetch: (request) => sendRequest(request, false),
});

/**
 * Sends a request, and returns the response's data. Parameters that the path does not name go into the query.
 * `read`, `readStream` and `send` check the types.
 */
export async function request<Data>(
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  parameters: object,
  {header, ...init}: {readonly header?: object; readonly [option: string]: unknown},
): Promise<Data> {
  const all = Object.entries(parameters);
  const isInPath = ([name]: [string, unknown]): boolean => path.includes(`{${name}}`);
  const params = {
    path: Object.fromEntries(all.filter(isInPath)),
    query: Object.fromEntries(all.filter((one) => !isInPath(one))),
    header,
  };
  const call = api.request as (...given: [string, string, object]) => Promise<{data?: Data}>;
  return (await call(method, path, {...init, params})).data as Data;
}

/** Request options for a response of any length. Only its headers must arrive within the timeout. */
export const streamed = {fetch: (request: Request) => sendRequest(request, true), parseAs: 'stream'};

/** Maximum times (ms) for which a failed request is retried before its error is shown. */
const retryLimits = {read: 8_000, change: 20_000};
const timeout = 15_000;

/** The last response to each path. It is used again when the service answers 304 (not modified). */
const known = new Map<string, {readonly tag: string; readonly body: string; readonly type: string}>();
const mostKnown = 200;

/** Responses, by path, to requests sent before a component needs the data. Each one is used once. */
const early = new Map<string, Promise<Response>>();

onSessionEnd(() => {
  known.clear();
  early.clear();
});
// An early response has no subscriber that a change could notify, so each change drops all early responses.
onChanges({onChanges: () => early.clear(), onMissed: () => early.clear()});

export function prefetchPath(path: string): void {
  const reading = sendRequest(new Request(`${location.origin}${path}`), false);
  // Prevents an unhandled rejection; the caller that takes the response still gets the error.
  reading.catch(() => undefined);
  early.set(path, reading);
}

async function sendRequest(request: Request, isStreamed: boolean): Promise<Response> {
  const requireSame = guardSession();
  if (request.keepalive) return sendWhileLeaving(request, requireSame);
  const isRead = request.method === 'GET';
  const path = request.url.slice(location.origin.length);
  const begun = early.get(path);
  if (isRead && begun !== undefined) {
    early.delete(path);
    return begun;
  }
  const headers = new Headers(request.headers);
  if (!isRead && !headers.has('Idempotency-Key')) headers.set('Idempotency-Key', newKey());
  const before = isRead ? known.get(path) : undefined;
  if (before !== undefined) headers.set('If-None-Match', before.tag);
  const body = isRead ? undefined : await request.text();
  // Wait until the change stream is open. It then reports every change that is made after this read.
  if (isRead) await waitForChangeStream();

  const {method, signal} = request;
  const call = {method, path, headers, body, signal, isStreamed, requireSame};
  const answer = await sendWithRetries(call, isRead ? retryLimits.read : retryLimits.change);
  if (answer.status === 304 && before !== undefined) {
    return new Response(before.body, {headers: {'Content-Type': before.type, ETag: before.tag}});
  }
  if (!answer.ok) throw await toProblem(answer);
  const tag = answer.headers.get('etag');
  if (isRead && tag !== null) {
    const type = answer.headers.get('content-type') ?? 'application/json';
    const read = await answer.clone().text();
    requireSame();
    cacheResponse(path, {tag, body: read, type});
  }
  return answer;
}

/** Sends a request once, without retries: the page is being left, and none of its later code runs. */
async function sendWhileLeaving(request: Request, requireSame: () => void): Promise<Response> {
  const token = await getToken();
  requireSame();
  request.headers.set('Authorization', `Bearer ${token}`);
  request.headers.set('Idempotency-Key', newKey());
  const answer = await fetch(request);
  if (!answer.ok) throw await toProblem(answer);
  return answer;
}

interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
  readonly isStreamed: boolean;
  /** Throws when the person who started the call is no longer signed in. */
  readonly requireSame: () => void;
}

const passingStatuses = [429, 502, 503, 504];

/** Repeats a request after no response, 429, 502, 503 or 504; after a 401, once with a new token. */
async function sendWithRetries(call: ApiCall, ms: number): Promise<Response> {
  const giveUpAt = Date.now() + ms;
  let hasRenewed = false;
  for (let tries = 1; ; tries += 1) {
    const {answer, token, error} = await sendAttempt(call);
    call.requireSame();
    if (answer?.status === 401 && !hasRenewed && token !== undefined) {
      hasRenewed = true;
      forgetToken(token);
      continue;
    }
    if (answer?.status === 401) clearSession();
    if (answer !== undefined && !passingStatuses.includes(answer.status)) return answer;
    const backoff = Math.min(4_000, 250 * 2 ** tries) * (0.5 + Math.random() / 2);
    const waitUntil = Math.max((answer && readRetryTime(answer)) ?? 0, Date.now() + backoff);
    if (waitUntil > giveUpAt) {
      if (answer !== undefined) return answer;
      throw error;
    }
    await sleep(waitUntil - Date.now(), call.signal);
    call.signal.throwIfAborted();
  }
}

interface RequestResult {
  readonly answer?: Response;
  readonly token?: string;
  /** Set if there was no response, or no token to ask with. */
  readonly error?: unknown;
}

async function sendAttempt({
  method,
  path,
  headers,
  body,
  signal,
  isStreamed,
  requireSame,
}: ApiCall): Promise<RequestResult> {
  requireSame();
  let token: string;
  try {
    token = await getToken();
  } catch (error) {
    if (error instanceof Problem && [0, ...passingStatuses].includes(error.status)) return {error};
    throw error;
  }
  requireSame();
  headers.set('Authorization', `Bearer ${token}`);
  const startedAt = performance.now();
  const idempotencyKey = headers.get('Idempotency-Key') ?? undefined;
  const note = {method, path, body, idempotencyKey};
  const lateness = new AbortController();
  const timer = setTimeout(() => lateness.abort(), timeout);
  try {
    const answer = await fetch(path, {
      method,
      headers,
      ...(body !== undefined && body !== '' && {body}),
      cache: 'no-store',
      signal: AbortSignal.any([signal, lateness.signal]),
    });
    if (isStreamed) clearTimeout(timer);
    const ms = performance.now() - startedAt;
    const requestId = answer.headers.get('x-request-id') ?? undefined;
    recordRequest({...note, status: answer.status, ms, requestId});
    return {answer, token};
  } catch (cause) {
    if (signal.aborted) throw cause;
    recordRequest({...note, status: 0, ms: performance.now() - startedAt, requestId: undefined});
    const said = {status: 0, code: noAnswer, title: 'No answer', detail: 'The service does not answer.'};
    return {error: new Problem(said, {cause})};
  }
}

function cacheResponse(path: string, read: {tag: string; body: string; type: string}): void {
  known.delete(path);
  known.set(path, read);
  const [oldest] = known.keys();
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
}
