import {SocketModeReceiver} from '@slack/bolt';
import {clientOptions, createSlackLogger} from '../core/clients.js';
import type {Log} from '../../../domain/core/log.js';
import {resolveWithin} from '../core/slack-identities.js';

/** Slack's client of Socket Mode: one WebSocket, and the call that requests its address. */
type SocketClient = SocketModeReceiver['client'];

/** One request on the connection. Source: https://docs.slack.dev/apis/events-api/using-socket-mode */
export interface Envelope {
  readonly envelope_id: string;
  readonly body: Record<string, unknown>;
  readonly retry_num?: number;
  readonly retry_reason?: string;
  /** Answers over this connection. Rejects once it is closed. */
  ack: (response?: unknown) => Promise<void>;
}

/** One connection, from the request for its address to its end. */
export interface SocketConnection {
  /** Resolves when Slack has said hello. Rejects when there will be no connection. */
  readonly opened: Promise<unknown>;
  /** Resolves when it has ended, or should end: every few hours Slack asks for a fresh one. */
  readonly ended: Promise<'lost' | 'refresh'>;
  /** Closes it, if necessary without Slack's consent. */
  close: () => Promise<void>;
}

/**
 * Slack's routine reasons to end a connection; the others are too many connections, and Socket Mode turned
 * off.
 */
const refreshing: ReadonlySet<string> = new Set(['warning', 'refresh_requested']);

const openMs = 10_000;
/**
 * Slack answers a close frame but leaves the connection open:
 * https://github.com/slackapi/node-slack-sdk/issues/2752
 */
const closeMs = 500;

/**
 * Opens one connection. Slack's client could reconnect by itself, but does not without a network (in 3.1 the
 * failed attempt ends the process as an unhandled rejection).
 */
export function openConnection(options: {
  readonly appToken: string;
  readonly apiUrl: string | undefined;
  readonly log: Log;
  readonly onEnvelope: (envelope: Envelope) => void;
}): SocketConnection {
  const {appToken, apiUrl, log, onEnvelope} = options;
  const abandoned = new AbortController();
  const client = createClient({appToken, apiUrl, log, signal: abandoned.signal});
  client.on('slack_event', onEnvelope);
  const disconnected = new Promise<'lost'>((resolve) => client.once('disconnected', () => resolve('lost')));
  const asked = new Promise<'lost' | 'refresh'>((resolve) => {
    client.on('ws_message', (data: unknown) => {
      const reason = readDisconnect(data);
      if (reason !== undefined) resolve(refreshing.has(reason) ? 'refresh' : 'lost');
    });
  });
  const late = setTimeout(() => void close(), openMs);
  const opened = client.start().finally(() => clearTimeout(late));
  // A caller that awaits `opened` gets the rejection; awaiting it is optional.
  opened.catch(() => {});

  async function close(): Promise<void> {
    clearTimeout(late);
    abandoned.abort(new Error('no connection within the time for it'));
    void client.disconnect();
    await resolveWithin(disconnected, closeMs);
    // The second call does not wait for Slack's side of the handshake.
    void client.disconnect();
  }

  return {opened, ended: Promise.race([disconnected, asked]), close};
}

/**
 * Bolt's receiver only creates the client, whose package is a dependency of Bolt; our own receiver serves the
 * requests.
 */
function createClient(options: {
  readonly appToken: string;
  readonly apiUrl: string | undefined;
  readonly log: Log;
  readonly signal: AbortSignal;
}): SocketClient {
  const {appToken, apiUrl, log, signal} = options;
  const calls = clientOptions({apiUrl, log}, openMs);
  return new SocketModeReceiver({
    appToken,
    logger: createSlackLogger(log),
    autoReconnectEnabled: false,
    installerOptions: {
      clientOptions: {
        ...calls,
        fetch: (input, init) =>
          fetch(input, {...init, signal: AbortSignal.any([signal, AbortSignal.timeout(openMs)])}),
      },
    },
  }).client;
}

/** The reason for which Slack is about to close the connection; undefined for any other message. */
function readDisconnect(data: unknown): string | undefined {
  if (typeof data !== 'string' || !data.includes('"disconnect"')) return undefined;
  try {
    const message = JSON.parse(data) as {type?: unknown; reason?: unknown} | null;
    return message?.type === 'disconnect' ? String(message.reason) : undefined;
  } catch {
    return undefined;
  }
}
