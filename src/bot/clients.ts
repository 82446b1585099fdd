import {LogLevel, type Logger} from '@slack/bolt';
import {WebClient, type WebClientOptions} from '@slack/web-api';
import type {Log} from '../domain/log.js';

export interface SlackApi {
  readonly botToken: string;
  /** Another Web API than Slack's own; for tests. */
  readonly apiUrl?: string | undefined;
  readonly log: Log;
}

/** A trigger lives 3 s: whoever waits for an interactive call is better served by a refusal than by a late answer. */
const interactiveMs = 2_000;
const jobMs = 10_000;

/** For calls that a person waits for. Apart from `createJobClient`, since a client that Slack slows down delays all its calls. */
export function createInteractiveClient(api: SlackApi): WebClient {
  return new WebClient(api.botToken, clientOptions(api, interactiveMs));
}

/** For background work. */
export function createJobClient(api: SlackApi): WebClient {
  return new WebClient(api.botToken, clientOptions(api, jobMs));
}

/**
 * No retries by the SDK: it cannot know whether a lost reply meant a message, and has posted twice. Never `headers`: web-api writes the
 * first token it sees into that object, and later clients send it.
 */
export function clientOptions(
  {apiUrl, log}: Pick<SlackApi, 'apiUrl' | 'log'>,
  timeout: number = interactiveMs,
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

/** The SDK's warnings in our log. Its debug lines carry bodies, which hold what people wrote, and are dropped. */
export function createSlackLogger(log: Log): Logger {
  const line = (first: unknown) => String(first instanceof Error ? first.message : first).slice(0, 300);
  return {
    debug: () => {},
    info: () => {},
    warn: (first: unknown) => log.warn({sdk: line(first)}, 'the Slack SDK warns'),
    error: (first: unknown) => log.warn({sdk: line(first)}, 'the Slack SDK reports an error'),
    getLevel: () => LogLevel.WARN,
    setLevel: () => {},
    setName: () => {},
  };
}
