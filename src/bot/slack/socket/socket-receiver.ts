import {createHash} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {type App, type Receiver, ReceiverMultipleAckError} from '@slack/bolt';
import type {Log} from '../../../domain/core/log.js';
import {HeldEvent} from '../core/held-events.js';
import {resolveWithin} from '../core/resolve-within.js';
import {type Envelope, openConnection, type SocketConnection} from './connection.js';

/** Receives Slack's requests over a connection that we open, so that Slack need not reach us. */
export interface SocketReceiver extends Receiver {
  /** Returns the state of the connection, as `/readyz` reports it. */
  state: () => string;
}

/** The minimum duration (ms) of a connection; one that ends sooner counts as failed. */
const steadyMs = 30_000;
/** The waits (ms) after consecutive failures; the last one repeats. Half of each wait is random. */
const waitsMs = [100, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;
const finishMs = 3_000;

/** Errors of `apps.connections.open` that only another token can fix. */
const tokenErrors: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
  'missing_scope',
  'no_permission',
  'forbidden_team',
]);

/** Stays connected from `start` to `stop`. `onUnanswered`: gets the context of a request to accept again. */
export function createSocketReceiver(options: {
  readonly appToken: string;
  readonly apiUrl: string | undefined;
  readonly log: Log;
  readonly onUnanswered: (context: {readonly [name: string]: unknown}) => void;
}): SocketReceiver {
  const {appToken, apiUrl, log, onUnanswered} = options;
  const stopping = new AbortController();
  const connections = new Set<SocketConnection>();
  const serving = new Set<Promise<void>>();
  let app: App | undefined;
  let state = 'connecting';
  let stopped: Promise<void> | undefined;

  async function keepConnected(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const since = performance.now();
      const end = await runConnection();
      if (stopping.signal.aborted) return;
      if (end !== 'refresh') failures = performance.now() - since > steadyMs ? 1 : failures + 1;
      const usual = waitsMs[Math.min(end === 'refresh' ? 1 : failures, waitsMs.length) - 1] ?? 0;
      const asked = typeof end === 'object' ? (end.retryMs ?? 0) : 0;
      const wait = Math.round(Math.max(usual * (0.5 + Math.random() / 2), asked));
      logConnectionEnd(end, wait);
      await sleep(wait, undefined, {signal: stopping.signal}).catch(() => {});
    }
  }

  /** Opens a connection and runs until it ends. Returns how it ended, or the failure that prevented it. */
  async function runConnection(): Promise<'lost' | 'refresh' | SocketFailure> {
    const connection = openConnection({appToken, apiUrl, log, onEnvelope: acceptEnvelope});
    connections.add(connection);
    try {
      await connection.opened;
      state = 'connected';
      log.info({}, 'connected to Slack; requests arrive over this connection');
      const end = await connection.ended;
      state = 'connecting';
      return end;
    } catch (error) {
      const failure = describeConnectionFailure(error);
      state = failure.code === undefined ? 'connecting' : `connecting (Slack says ${failure.code})`;
      return failure;
    } finally {
      // Closing is not awaited: the next connection opens after a short wait, and for a moment there is none.
      void connection.close().finally(() => connections.delete(connection));
    }
  }

  function logConnectionEnd(end: 'lost' | 'refresh' | SocketFailure, again_ms: number): void {
    if (end === 'refresh') return log.debug({again_ms}, 'Slack asked for a new connection');
    if (end === 'lost') return log.warn({again_ms}, 'the connection to Slack ended; opening another');
    const {reason, code} = end;
    if (code !== undefined && tokenErrors.has(code)) {
      const fix = 'it must be an App-Level Token (xapp-…) with the scope connections:write';
      return log.warn({code, again_ms}, `Slack refuses SLACK_APP_TOKEN: ${fix}`);
    }
    log.warn({reason, ...(code !== undefined && {code}), again_ms}, 'Slack cannot be reached; trying again');
  }

  function acceptEnvelope(envelope: Envelope): void {
    if (stopping.signal.aborted) return;
    const work = serveEnvelope(envelope).catch((error: unknown) => {
      if (error instanceof HeldEvent) return;
      log.error({}, 'could not serve a message from Slack', error);
    });
    serving.add(work);
    void work.finally(() => serving.delete(work));
  }

  async function serveEnvelope(envelope: Envelope): Promise<void> {
    // Requests in Socket Mode have no signature: a hash of the envelope's id identifies the request.
    const context = {signature: hashEnvelope(envelope.envelope_id)};
    let answered = false;
    await app?.processEvent({
      body: envelope.body,
      ...(envelope.retry_num !== undefined && {retryNum: envelope.retry_num}),
      ...(envelope.retry_reason !== undefined && {retryReason: envelope.retry_reason}),
      customProperties: context,
      ack: async (response) => {
        if (answered) throw new ReceiverMultipleAckError();
        answered = true;
        await envelope.ack(response).catch(() => {
          log.warn({}, 'could not answer Slack: its connection is closed');
          onUnanswered(context);
        });
      },
    });
  }

  async function stopReceiver(): Promise<void> {
    stopping.abort();
    // Answers must go over the connection on which the request came, so we wait for them before it closes.
    await resolveWithin(Promise.allSettled(serving), finishMs);
    await Promise.all([...connections].map((connection) => connection.close()));
  }

  return {
    init: (bolt) => void (app = bolt),
    start: async () => void keepConnected(),
    stop: () => (stopped ??= stopReceiver()),
    state: () => state,
  };
}

interface SocketFailure {
  readonly reason: string;
  readonly code?: string;
  /** The time (ms) for which Slack wants us to wait. */
  readonly retryMs?: number;
}

/** Describes a failure without the connection's address, which is as secret as a password. */
function describeConnectionFailure(error: unknown): SocketFailure {
  if (typeof error !== 'object' || error === null) return {reason: 'closed before it was open'};
  if ('data' in error && typeof error.data === 'object' && error.data !== null && 'error' in error.data)
    return {reason: 'refused', code: String(error.data.error)};
  if ('retryAfter' in error && typeof error.retryAfter === 'number')
    return {reason: 'too many connections', retryMs: error.retryAfter * 1_000};
  return {reason: error instanceof Error ? error.name : 'unknown'};
}

function hashEnvelope(id: string): string {
  return createHash('sha256').update(`envelope\0${id}`).digest('base64url');
}
