import {NoAnswerError} from './errors.js';

/** The clock of the retries, which tests replace. */
export interface Clock {
  /** Milliseconds since any point in time. */
  now(): number;
  /** Rejects with the reason of `signal` as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 to 1. */
  random(): number;
}

export interface SenderOptions {
  readonly send: (request: Request) => Promise<Response>;
  /** The time (ms) that a request with its retries may take; 0: one try. */
  readonly withinMs: number;
  readonly clock: Clock;
}

/** The longest time (ms) of one try, so that a network that loses requests is asked again. */
const answerWithinMs = 10_000;
const firstPauseMs = 500;
const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Returns a `fetch` that repeats a request after no answer, 429 and 5xx. A change gets an idempotency key
 * before the first try, so that a repeat changes nothing more. A read with `wait` gets that much longer.
 */
export function createSender({
  send,
  withinMs,
  clock,
}: SenderOptions): (request: Request) => Promise<Response> {
  return async function sendWithRetries(request) {
    const {method, headers, signal, url} = request;
    if (changing.has(method) && !headers.has('idempotency-key')) headers.set('idempotency-key', createKey());
    const waitMs = readWait(url);
    const longest = answerWithinMs + waitMs;
    const until = clock.now() + withinMs + waitMs;
    for (let pause = firstPauseMs; ; pause *= 2) {
      const left = withinMs === 0 ? longest : until - clock.now();
      const answer = await tryOnce(request.clone(), Math.min(longest, left));
      if (answer.response !== undefined && !isPassing(answer.response.status)) return answer.response;
      const spread = pause * (0.8 + clock.random() * 0.4);
      const wait = Math.max(spread, readRetryAfter(answer.response));
      if (withinMs === 0 || clock.now() + wait >= until) {
        if (answer.response !== undefined) return answer.response;
        throw new NoAnswerError(new URL(url).origin, answer.error);
      }
      await clock.sleep(wait, signal);
    }
  };

  /** Resolves to a complete answer, or to the error of the network. Throws if the caller has aborted it. */
  async function tryOnce(request: Request, ms: number): Promise<{response?: Response; error?: unknown}> {
    const {signal} = request;
    const late = new AbortController();
    const done = new AbortController();
    const timer = clock.sleep(ms, done.signal).then(
      () => late.abort(new Error(`No answer within ${Math.round(ms / 1_000)} s.`)),
      () => undefined,
    );
    try {
      const both = AbortSignal.any([signal, late.signal]);
      // A redirect is not followed: it would make another request of a change.
      const response = await send(new Request(request, {signal: both, redirect: 'manual'}));
      return {response: await readWhole(response)};
    } catch (error) {
      signal.throwIfAborted();
      return {error};
    } finally {
      done.abort();
      await timer;
    }
  }
}

/** Reads JSON to its end: a connection that breaks in the middle is no answer. Other bodies stay streams. */
async function readWhole(response: Response): Promise<Response> {
  const {status, statusText, headers, body} = response;
  if (body === null || !isJson(response)) return response;
  return new Response(await response.text(), {status, statusText, headers});
}

export function isJson({headers}: Response): boolean {
  return /^application\/(?:problem\+)?json\b/.test(headers.get('content-type') ?? '');
}

function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Returns `Retry-After` in milliseconds: a number of seconds, or a date, as some proxies send it. */
function readRetryAfter(response: Response | undefined): number {
  const text = response?.headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const sent = Date.parse(response?.headers.get('date') ?? '');
  const until = Date.parse(text);
  return Math.max(until - sent, 0) || 0;
}

/** Returns the parameter `wait` in milliseconds. */
function readWait(url: string): number {
  return (Number(new URL(url).searchParams.get('wait')) || 0) * 1_000;
}

/** Not `crypto.randomUUID`, which browsers have only in secure contexts. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop, {once: true});
    }),
  random: Math.random,
};
