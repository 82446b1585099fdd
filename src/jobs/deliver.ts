// Background work: BullMQ queues and workers, one handler for each kind of work.
// Jobs carry wake-ups and time; what is true stands in the store. Nothing here decides what a standup or a webhook may do.
import {presentAttemptError, type SendResult} from '../domain/attempt.js';
import type {AttemptRecord} from '../domain/delivery.js';
import type {LogEntry} from '../domain/event.js';
import {composeId} from '../domain/ids.js';
import {deadlines, lifetimes} from '../domain/limits.js';
import type {Log} from '../domain/log.js';
import type {Meter} from '../domain/meter.js';
import {decideOutcome, retrySchedule} from '../domain/retry.js';
import type {Webhook} from '../domain/webhook.js';
import type {WebhookHeaders} from '../domain/webhook-headers.js';
import type {Perform, Slice, Work} from '../domain/work.js';

/** A delivery whose turn it is, held under a lease. */
export interface Claim {
  readonly drawn: string;
  readonly sequence: number;
  readonly attempt: number;
  readonly failures: number;
  /** Store time (ms) of the claim. */
  readonly claimedAt: number;
}

export interface Result {
  readonly claim: Claim;
  readonly state: 'succeeded' | 'retrying' | 'exhausted' | 'aborted' | 'expired';
  readonly delayMs: number;
  readonly attempt?: AttemptRecord;
  /** Beginning of what the receiver said. */
  readonly excerpt?: string;
}

/** A claim's webhook, with its headers and its secrets still encrypted. */
interface SealedTarget {
  readonly webhook: Webhook;
  readonly sealed: {readonly headers: string | null; readonly secrets: readonly string[]};
}

/** Where to send, the webhook's own headers, and the secrets that sign, newest first: as they were when the delivery was claimed. */
interface Target {
  readonly webhook: Webhook;
  readonly headers: WebhookHeaders;
  readonly secrets: readonly string[];
}

export interface DeliverParts {
  readonly deliveries: {
    turn(
      workspace: string,
      webhook: string,
      request: {results: readonly Result[]; concurrency: number; leaseMs: number},
      deadline: number,
    ): Promise<{
      claims: Claim[];
      target?: SealedTarget;
      nextAt: number | undefined;
      now: number;
      refused: number;
    }>;
    renew(
      workspace: string,
      webhook: string,
      claims: readonly Claim[],
      leaseMs: number,
      deadline: number,
    ): Promise<void>;
  };
  readonly events: {
    findEntries(workspace: string, sequences: readonly number[], deadline: number): Promise<LogEntry[]>;
    render(workspace: string, entries: readonly LogEntry[], deadline: number): Promise<string[]>;
  };
  /** Decrypts what belongs to the webhook with this drawn half. */
  readonly open: (purpose: 'webhook-secret' | 'webhook-headers', webhook: string, sealed: string) => string;
  readonly sign: (input: {id: string; timestamp: number; body: string; secrets: readonly string[]}) => object;
  readonly send: (request: {
    url: string;
    body: string;
    headers: Record<string, string>;
  }) => Promise<SendResult>;
  /** Disables a webhook whose receiver has said that it is gone. */
  readonly disable: (workspace: string, webhook: string) => Promise<void>;
  readonly wake: (workspace: string, work: Work) => void;
  /** Unix ms by the wall clock, for `webhook-timestamp`. */
  readonly wallClock: () => number;
  readonly random: () => number;
  /** Where a test may stop the process; does nothing otherwise. */
  readonly failpoint: (name: string) => void;
  readonly meter: Meter;
  readonly log: Log;
}

export interface Deliver {
  readonly perform: Perform<{kind: 'deliver'; webhook: string}>;
  /** Records what is in flight as it comes in, until nothing is, then lets go. */
  close(): Promise<void>;
}

/** Requests to one webhook at a time, over all processes. */
const concurrency = 16;
const leaseMs = 4_000;
const renewEveryMs = 1_000;
/** Results recorded by one script at the most: what is sent and not recorded is sent again after a kill. */
const recordedAtOnce = 64;

/** An event as it goes out. */
interface Message {
  readonly entry: LogEntry;
  readonly body: string;
}

/** What this process has in flight for one webhook. It outlives the slices: a slow receiver must not hold a worker's slot. */
interface Lane {
  readonly workspace: string;
  readonly webhook: string;
  readonly inflight: Map<string, Claim>;
  results: Result[];
  /** Ends the wait of the slice that is at work on this lane. */
  signal: (() => void) | undefined;
}

export function createDeliver(parts: DeliverParts): Deliver {
  const {deliveries, events, open, sign, send, disable, wake, wallClock, random, failpoint, meter, log} =
    parts;
  const lanes = new Map<string, Lane>();
  let closing = false;

  const renewal = setInterval(renewLeases, renewEveryMs);
  renewal.unref();

  function laneOf(workspace: string, webhook: string): Lane {
    const key = `${workspace} ${webhook}`;
    let lane = lanes.get(key);
    if (lane === undefined) {
      lane = {workspace, webhook, inflight: new Map(), results: [], signal: undefined};
      lanes.set(key, lane);
    }
    return lane;
  }

  function dropIfIdle(lane: Lane): void {
    if (lane.inflight.size === 0 && lane.results.length === 0)
      lanes.delete(`${lane.workspace} ${lane.webhook}`);
  }

  function renewLeases(): void {
    for (const {workspace, webhook, inflight} of lanes.values()) {
      if (inflight.size === 0) continue;
      deliveries
        .renew(workspace, webhook, [...inflight.values()], leaseMs, callDeadline())
        .catch((error: unknown) => log.debug({webhook, reason: String(error)}, 'leases were not renewed'));
    }
  }

  /** Sends one claimed delivery and leaves its result in the lane; wakes whoever records. */
  async function attempt(
    lane: Lane,
    claim: Claim,
    message: Message | undefined,
    target: Target,
  ): Promise<void> {
    let result: Result | undefined;
    try {
      result = await sendOnce(lane.workspace, claim, message, target);
    } catch (error) {
      // The lease runs out and the delivery is tried again.
      log.warn(
        {webhook: lane.webhook, delivery: claim.drawn, reason: String(error)},
        'an attempt could not be made',
      );
    }
    lane.inflight.delete(claim.drawn);
    if (result?.attempt !== undefined) meter.countAttempt(result.state);
    if (result !== undefined) lane.results.push(result);
    if (lane.signal !== undefined) lane.signal();
    else if (result !== undefined) wake(lane.workspace, {kind: 'deliver', webhook: lane.webhook});
  }

  async function sendOnce(
    workspace: string,
    claim: Claim,
    message: Message | undefined,
    {webhook, headers, secrets}: Target,
  ): Promise<Result | undefined> {
    const now = wallClock();
    const expiresAtMs = (message?.entry.at ?? 0) + lifetimes.delivery * 1_000;
    if (message === undefined || now > expiresAtMs) return {claim, state: 'expired', delayMs: 0};
    const {entry, body} = message;
    failpoint('before-request');
    const sent = await send({
      url: webhook.url,
      body,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'standup-delivery': composeId('delivery', entry.at, claim.drawn),
        'standup-attempt': String(claim.attempt),
        ...sign({id: entry.id, timestamp: Math.floor(now / 1_000), body, secrets}),
      },
    });
    failpoint('after-request');
    if (sent.error === 'aborted') return undefined;
    const outcome = decideOutcome(sent, {
      failures: claim.failures,
      schedule: retrySchedule,
      random,
      nowMs: now,
      expiresAtMs,
    });
    if (outcome.kind === 'gone') await disable(workspace, webhook.id);
    return {
      claim,
      state: stateOf(outcome.kind),
      delayMs: outcome.kind === 'retry' ? outcome.delayMs : 0,
      attempt: {
        at: new Date(now).toISOString(),
        duration_ms: Math.round(sent.durationMs),
        connect_ms: rounded(sent.connectMs),
        first_byte_ms: rounded(sent.firstByteMs),
        status: sent.status ?? null,
        error: presentAttemptError(sent),
      },
      ...(sent.responseExcerpt !== undefined && {excerpt: sent.responseExcerpt}),
    };
  }

  /** Records the lane's results and claims what is due; results are put back when the store did not answer. */
  async function turn(lane: Lane, room: number) {
    const results = lane.results.splice(0, recordedAtOnce);
    if (results.length > 0) failpoint('before-record');
    try {
      const request = {results, concurrency: room, leaseMs};
      return await deliveries.turn(lane.workspace, lane.webhook, request, callDeadline());
    } catch (error) {
      lane.results.unshift(...results);
      throw error;
    }
  }

  async function begin(lane: Lane, claims: readonly Claim[], sealed: SealedTarget): Promise<void> {
    // In flight from here on: the leases run, and are renewed while the bodies are fetched.
    for (const claim of claims) lane.inflight.set(claim.drawn, claim);
    try {
      const target = openTarget(lane.webhook, sealed);
      const messages = await findMessages(lane.workspace, claims);
      for (const claim of claims) void attempt(lane, claim, messages.get(claim.sequence), target);
    } catch (error) {
      for (const {drawn} of claims) lane.inflight.delete(drawn);
      throw error;
    }
  }

  function openTarget(drawn: string, {webhook, sealed}: SealedTarget): Target {
    const headers = sealed.headers === null ? '{}' : open('webhook-headers', drawn, sealed.headers);
    return {
      webhook,
      headers: JSON.parse(headers) as WebhookHeaders,
      secrets: sealed.secrets.map((secret) => open('webhook-secret', drawn, secret)),
    };
  }

  async function findMessages(workspace: string, claims: readonly Claim[]): Promise<Map<number, Message>> {
    const sequences = claims.map(({sequence}) => sequence);
    const entries = await events.findEntries(workspace, sequences, callDeadline());
    const bodies = await events.render(workspace, entries, callDeadline());
    return new Map(entries.map((entry, i) => [entry.sequence, {entry, body: bodies[i] ?? ''}]));
  }

  /** Until a result has come in, or the slice is over. */
  function nextResult(lane: Lane, until: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, Math.max(0, until - performance.now()));
      function done(): void {
        clearTimeout(timer);
        lane.signal = undefined;
        resolve();
      }
      lane.signal = done;
    });
  }

  async function perform({workspace, work, until}: Slice<{kind: 'deliver'; webhook: string}>) {
    const lane = laneOf(workspace, work.webhook);
    try {
      for (;;) {
        const {claims, target, nextAt, now} = await turn(lane, closing ? 0 : concurrency);
        if (target !== undefined) await begin(lane, claims, target);
        if (closing && lane.results.length === 0) return {more: false};
        if (performance.now() >= until) {
          return {more: lane.results.length > 0 || (nextAt !== undefined && nextAt <= now)};
        }
        if (lane.results.length > 0) continue;
        if (lane.inflight.size === 0) return {more: nextAt !== undefined && nextAt <= now};
        await nextResult(lane, until);
        if (lane.results.length === 0) return {more: false};
      }
    } finally {
      dropIfIdle(lane);
    }
  }

  /** What has come in goes first: its lease is no longer renewed. */
  function findUnfinished(): Lane | undefined {
    const all = [...lanes.values()];
    return all.find(({results}) => results.length > 0) ?? all.find(({inflight}) => inflight.size > 0);
  }

  return {
    perform,
    async close() {
      closing = true;
      for (let lane = findUnfinished(); lane !== undefined; lane = findUnfinished()) {
        if (lane.results.length > 0) await turn(lane, 0);
        else await nextResult(lane, performance.now() + 500);
      }
      clearInterval(renewal);
    },
  };
}

function stateOf(kind: 'succeeded' | 'retry' | 'exhausted' | 'aborted' | 'gone'): Result['state'] {
  switch (kind) {
    case 'retry':
      return 'retrying';
    case 'gone':
      return 'aborted';
    case 'succeeded':
    case 'exhausted':
    case 'aborted':
      return kind;
  }
}

function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms);
}

function callDeadline(): number {
  return performance.now() + deadlines.job;
}
