import {LogLevel, type Logger} from '@slack/bolt';
import {WebAPIPlatformError, WebClient, type WebClientOptions} from '@slack/web-api';
import {createCache} from '../../../domain/core/cache.js';
import type {Log} from '../../../domain/core/log.js';
import type {SlackInstallation} from '../../../domain/slack/slack-installation.js';
import {isBotGone} from './slack-errors.js';
import {standardTimeouts} from './timeouts.js';

export interface SlackApi {
  /** A Web API other than Slack's own; for tests. */
  readonly apiUrl?: string | undefined;
  readonly log: Log;
}

export interface SlackClientParts extends SlackApi {
  /** Called when Slack answers that a token is no longer valid. Must not throw, and is not awaited. */
  readonly onRefused?: (botToken: string) => Promise<void>;
}

const jobMs = 10_000;
/** The maximum number of clients kept, the most recently used ones: making one costs little. */
const maxKept = 500;

/** Two clients for each token, since a client that Slack slows down delays all its calls. */
export interface SlackClients {
  /** For calls that a person waits for. */
  interactive: (installation: Pick<SlackInstallation, 'botToken'>) => WebClient;
  /** For background work. */
  forJobs: (installation: Pick<SlackInstallation, 'botToken'>) => WebClient;
}

/** `interactiveMs`: the time limit of a call that a person waits for. */
export function createSlackClients(
  api: SlackClientParts,
  interactiveMs = standardTimeouts.call,
): SlackClients {
  const keep = (timeout: number) => {
    const kept = createCache<WebClient>(maxKept);
    return ({botToken}: Pick<SlackInstallation, 'botToken'>): WebClient => {
      let client = kept.get(botToken);
      if (client === undefined) {
        client = new WatchedClient(botToken, clientOptions(api, timeout), api.onRefused);
        kept.set(botToken, client);
      }
      return client;
    };
  };
  return {interactive: keep(interactiveMs), forJobs: keep(jobMs)};
}

/** A client that reports when Slack refuses its token. */
class WatchedClient extends WebClient {
  readonly #botToken: string;
  readonly #onRefused: SlackClientParts['onRefused'];

  constructor(botToken: string, options: WebClientOptions, onRefused: SlackClientParts['onRefused']) {
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
 * Turns off retries of the SDK: it cannot know whether a lost reply meant a message, and has posted twice.
 * Never set `headers`: web-api writes the first token it sees into that object, and later clients send it.
 */
export function clientOptions({apiUrl, log}: SlackApi, timeout = standardTimeouts.call): WebClientOptions {
  return {
    timeout,
    retryConfig: {retries: 0},
    rejectRateLimitedCalls: true,
    logger: createSlackLogger(log),
    fetch: (input, init) => fetch(input, {...init, signal: init?.signal ?? AbortSignal.timeout(timeout)}),
    ...(apiUrl !== undefined && {slackApiUrl: apiUrl}),
  };
}

/**
 * Writes the SDK's warnings to our log. Its debug lines contain bodies, with texts of people, and are
 * dropped; so are parser messages, since they quote the text that could not be read.
 */
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

/** Slack's error code of a call; `no_answer` when there is none that we understand. */
export function errorCodeOf(error: unknown): string {
  return error instanceof WebAPIPlatformError ? error.data.error : 'no_answer';
}
