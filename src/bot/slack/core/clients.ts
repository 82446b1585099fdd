import {LogLevel, type Logger} from '@slack/bolt';
import {WebAPIPlatformError, WebClient, type WebClientOptions} from '@slack/web-api';
import {createCache} from '../../../domain/core/cache.js';
import type {Log} from '../../../domain/core/log.js';
import {isBotGone} from './slack-errors.js';
import {standardTimeouts} from './timeouts.js';

export interface SlackApi {
  /** The address of a Web API in place of Slack's own; for tests. */
  readonly apiUrl?: string | undefined;
  readonly log: Log;
}

const jobMs = 10_000;
/** The maximum number of clients in memory, the most recently used ones. A new client costs little. */
const maxKept = 500;

/** Two clients for each token: when Slack slows a client down, all calls of that client wait. */
export type SlackClients = ReturnType<typeof createSlackClients>;

type OnRefused = (botToken: string) => Promise<void>;

/** `interactiveMs`: the limit while a person waits. `onRefused`: gets refused tokens; must not throw. */
export function createSlackClients(
  api: SlackApi & {readonly onRefused?: OnRefused},
  interactiveMs = standardTimeouts.call,
) {
  const keep = (timeout: number) => {
    const kept = createCache<WebClient>(maxKept);
    return ({botToken}: {readonly botToken: string}): WebClient => {
      let client = kept.get(botToken);
      if (client === undefined) {
        client = new WatchedClient(botToken, createClientOptions(api, timeout), api.onRefused);
        kept.set(botToken, client);
      }
      return client;
    };
  };
  return {
    interactive: keep(interactiveMs),
    forJobs: keep(jobMs),
  };
}

class WatchedClient extends WebClient {
  readonly #botToken: string;
  readonly #onRefused: OnRefused | undefined;

  constructor(botToken: string, options: WebClientOptions, onRefused: OnRefused | undefined) {
    super(botToken, options);
    this.#botToken = botToken;
    this.#onRefused = onRefused;
  }

  override async apiCall(...call: Parameters<WebClient['apiCall']>): ReturnType<WebClient['apiCall']> {
    try {
      return await super.apiCall(...call);
    } catch (error) {
      if (error instanceof WebAPIPlatformError && isBotGone(error.data.error))
        void this.#onRefused?.(this.#botToken);
      throw error;
    }
  }
}

/**
 * Turns off the SDK's retries, which have posted messages twice after a lost reply. Never set `headers`:
 * web-api writes the first token into that object, and later clients would send it.
 */
export function createClientOptions(
  {apiUrl, log}: SlackApi,
  timeout = standardTimeouts.call,
): WebClientOptions {
  return {
    timeout,
    retryConfig: {retries: 0},
    rejectRateLimitedCalls: true,
    logger: createSlackLogger(log),
    fetch: (input, init) => fetch(input, {...init, signal: init?.signal ?? AbortSignal.timeout(timeout)}),
    ...(apiUrl !== undefined && {slackApiUrl: apiUrl}),
  };
}

/** Writes the SDK's warnings to our log, except messages that may quote people's texts. */
export function createSlackLogger(log: Log): Logger {
  const line = (first: unknown) =>
    String(first)
      .replace(/\bSyntaxError: [^]*/, 'SyntaxError')
      .slice(0, 300);
  return {
    debug: () => {},
    info: () => {},
    warn: (first: unknown) => log.warn({sdk: line(first)}, 'the Slack SDK warned'),
    error: (first: unknown) => log.warn({sdk: line(first)}, 'the Slack SDK reported an error'),
    getLevel: () => LogLevel.WARN,
    setLevel: () => {},
    setName: () => {},
  };
}

/** Returns Slack's error code of a failed call; `no_answer` if there is no answer that we understand. */
export function errorCodeOf(error: unknown): string {
  return error instanceof WebAPIPlatformError ? error.data.error : 'no_answer';
}
