import {SocketModeReceiver} from '@slack/bolt';
import {createClientOptions, createSlackLogger} from '../core/clients.js';
import type {Log} from '../../../domain/core/log.js';
import {resolveWithin} from '../core/resolve-within.js';

type SocketClient = SocketModeReceiver['client'];

/** A request on the connection: https://docs.slack.dev/apis/events-api/using-socket-mode */
export interface Envelope {
  readonly envelope_id: string;
  readonly body: Record<string, unknown>;
  readonly retry_num?: number;
  readonly retry_reason?: string;
  /** Sends the answer over this connection. Rejects once the connection is closed. */
  ack: (response?: unknown) => Promise<void>;
}

/** One connection to Slack, from the request for its address to its end. */
export interface SocketConnection {
  /** Resolves when Slack has said hello. Rejects if the connection cannot be opened. */
  readonly opened: Promise<unknown>;
  /** Resolves when the connection has ended, or should end: every few hours Slack asks for a new one. */
  readonly ended: Promise<'lost' | 'refresh'>;
  /** Closes the connection, even if Slack does not close its side. */
  close: () => Promise<void>;
}

/** Slack's routine reasons to end a connection, unlike too many connections or Socket Mode turned off. */
const refreshing: ReadonlySet<string> = new Set(['warning', 'refresh_requested']);

const openMs = 10_000;
/** We close after this time (ms): Slack does not. https://github.com/slackapi/node-slack-sdk/issues/2752 */
const closeMs = 500;

/** Opens one connection. We reconnect ourselves: without a network, Slack's client 3.1 ends the process. */
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
  // Callers may ignore `opened`: its rejection must then not end the process.
  opened.catch(() => {});

  async function close(): Promise<void> {
    clearTimeout(late);
    abandoned.abort(new Error('no connection within the time for it'));
    void client.disconnect();
    await resolveWithin(disconnected, closeMs);
    // A second call is needed: only the first one waits for Slack's side of the closing handshake.
    void client.disconnect();
  }

  return {opened, ended: Promise.race([disconnected, asked]), close};
}

/** Creates Slack's client through Bolt's receiver: the client's package is no dependency of ours. */
function createClient(options: {
  readonly appToken: string;
  readonly apiUrl: string | undefined;
  readonly log: Log;
  readonly signal: AbortSignal;
}): SocketClient {
  const {appToken, apiUrl, log, signal} = options;
  const calls = createClientOptions({apiUrl, log}, openMs);
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

/** Returns why Slack is about to close the connection; undefined for any other message. */
function readDisconnect(data: unknown): string | undefined {
  if (typeof data !== 'string' || !data.includes('"disconnect"')) return undefined;
  try {
    const message = JSON.parse(data) as {type?: unknown; reason?: unknown} | null;
    return message?.type === 'disconnect' ? String(message.reason) : undefined;
  } catch {
    return undefined;
  }
}
