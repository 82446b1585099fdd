import {type ApiClient, createApiClient} from '../../client-ts/src/api-client.js';
import type {Schema} from '../../client-ts/src/schema.js';
import {CommandError, createRefusal} from './errors.js';
import type {Outside} from './outside.js';

/** The service at one address, with one token. */
export interface Connection {
  readonly client: ApiClient;
  /** The body of the last answer, as the service sent it. */
  readonly lastBody: () => string;
}

/** Waits (ms) before the second and the third try. */
const pauses = [500, 2_000];
/** Waits (ms) of a command that runs for minutes: a restart of the service must not end it. */
const longPauses = [...pauses, 5_000, 10_000, 20_000];
const longestPauseMs = 30_000;
const answerWithinMs = 10_000;
/** A network that swallows requests is asked only once. */
const slowAfterMs = 8_000;

/** `onQuota`: waits for the quota however long that takes, and is told the seconds before each wait. */
export interface ConnectionOptions {
  readonly url: string;
  readonly token: string;
  readonly onQuota?: (seconds: number) => void;
}

export function connect(outside: Outside, {url, token, onQuota}: ConnectionOptions): Connection {
  let body = '';
  const client = createApiClient({
    url,
    token,
    async fetch(request) {
      const response = await sendWithRetries(outside, request, onQuota);
      body = await response.clone().text();
      return response;
    },
  });
  return {client, lastBody: () => body};
}

/**
 * Sends a request up to three times, or six times with `onQuota`. Each change has an idempotency key, so that a repeat changes nothing. A
 * redirect is not followed: it would lead the token to another address.
 */
export async function sendWithRetries(
  outside: Outside,
  request: Request,
  onQuota?: ConnectionOptions['onQuota'],
): Promise<Response> {
  const {origin, pathname} = new URL(request.url);
  const isRepeatable = request.method === 'GET' || request.headers.has('idempotency-key');
  const startedAt = outside.now();
  for (let tries = 0; ; ) {
    const response = await outside
      .send(new Request(request.clone(), {redirect: 'manual', signal: AbortSignal.timeout(answerWithinMs)}))
      .catch((error: unknown) => createUnreachable(origin, error));
    const isAnswer = response instanceof Response;
    if (isAnswer && response.status < 500 && response.status !== 429) {
      checkAnswer(response, origin + pathname);
      return response;
    }
    if (onQuota !== undefined && isRepeatable && isAnswer && response.status === 429) {
      const wait = Math.max(readRetryAfter(response), 1_000);
      onQuota(Math.ceil(wait / 1_000));
      await outside.sleep(wait);
      continue;
    }
    const pause = (onQuota === undefined ? pauses : longPauses)[tries];
    const wait = Math.max(pause ?? 0, isAnswer ? readRetryAfter(response) : 0);
    const isSlow = onQuota === undefined && !isAnswer && outside.now() - startedAt > slowAfterMs;
    if (pause === undefined || !isRepeatable || isSlow || wait > longestPauseMs) {
      throw isAnswer ? await createBusy(response) : response;
    }
    await outside.sleep(wait);
    tries += 1;
  }
}

function createUnreachable(origin: string, error: unknown): CommandError {
  const {cause} = error instanceof Error ? error : {};
  const why = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new CommandError('unreachable', `${origin} does not answer${why}.`);
}

function checkAnswer(response: Response, address: string): void {
  const {status, headers} = response;
  if (status >= 300 && status < 400 && status !== 304) {
    const target = headers.get('location') ?? 'another address';
    throw new CommandError(
      'unreachable',
      `${address} leads to ${target}. Run \`standup login\` with that address.`,
    );
  }
  const isJson = /^application\/(?:problem\+)?json\b/.test(headers.get('content-type') ?? '');
  if (status === 204 || isJson) return;
  throw new CommandError('unreachable', `${address} answers, but is no Team Standup Service.`);
}

function readRetryAfter({headers}: Response): number {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
}

async function createBusy(response: Response): Promise<CommandError> {
  const seconds = Math.ceil(readRetryAfter(response) / 1_000);
  const when = seconds > 0 ? `in ${seconds} seconds` : 'later';
  if (response.status === 429) {
    return new CommandError('unreachable', `There were too many requests. Try again ${when}.`);
  }
  const problem = (await response.json().catch(() => undefined)) as Schema<'Problem'> | undefined;
  const said = typeof problem?.detail === 'string' ? ` ${problem.detail}` : '';
  return new CommandError('unreachable', `The service cannot do this now.${said} Try again ${when}.`);
}

/** Returns the data of an answer. Throws the refusal if there is one. */
export function need<Data>(answer: {data?: Data; error?: unknown; response: Response}): Data {
  if (!answer.response.ok) throw createRefusal(answer.error as Schema<'Problem'>);
  return answer.data as Data;
}
