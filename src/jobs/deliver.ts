// Background work: BullMQ queues and workers, one handler for each kind of work.
// Jobs carry wake-ups and time; what is true stands in the store. Nothing here decides what a standup or a webhook may do.
import type {LogEntry} from '../domain/event.js';
import {deadlines} from '../domain/limits.js';
import type {Log} from '../domain/log.js';
import type {Meter} from '../domain/meter.js';
import type {Standing} from '../domain/webhook-failing.js';
import type {Perform, Slice, Work} from '../domain/work.js';
import {
  type AttemptParts,
  type Claim,
  createAttempts,
  type Message,
  type Result,
  type SealedTarget,
  type Target,
} from './attempts.js';

export interface DeliverParts extends AttemptParts {
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
      slow: boolean;
      standing: Standing;
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
  /** Acts on how long the webhook (its drawn half) has failed; nothing when that has been done. */
  readonly judge: (workspace: string, webhook: string) => Promise<void>;
  readonly wake: (workspace: string, work: Work) => void;
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
  const {deliveries, events, judge, wake, failpoint, meter, log} = parts;
  const attempts = createAttempts(parts);
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
      result = await attempts.make(lane.workspace, claim, message, target);
    } catch (error) {
      // The lease runs out and the delivery is tried again.
      log.warn(
        {webhook: lane.webhook, delivery: claim.drawn, reason: String(error)},
        'an attempt could not be made',
      );
    }
    lane.inflight.delete(claim.drawn);
    if (result?.attempt !== undefined) meter.countAttempt(result.state);
    if (result?.state === 'expired') meter.countExpired(1);
    if (result !== undefined) lane.results.push(result);
    if (lane.signal !== undefined) lane.signal();
    else if (result !== undefined) wake(lane.workspace, {kind: 'deliver', webhook: lane.webhook});
  }

  /** Records the lane's results and claims what is due; results are put back when the store did not answer. */
  async function turn(lane: Lane, room: number) {
    const results = lane.results.splice(0, recordedAtOnce);
    if (results.length > 0) failpoint('before-record');
    try {
      const request = {results, concurrency: room, leaseMs};
      const done = await deliveries.turn(lane.workspace, lane.webhook, request, callDeadline());
      if (results.length > 0) failpoint('after-record');
      for (const replay of endedReplays(results)) wake(lane.workspace, {kind: 'replay', replay});
      return {...done, recorded: results.length > 0};
    } catch (error) {
      lane.results.unshift(...results);
      throw error;
    }
  }

  async function begin(lane: Lane, claims: readonly Claim[], sealed: SealedTarget): Promise<void> {
    // In flight from here on: the leases run, and are renewed while the bodies are fetched.
    for (const claim of claims) lane.inflight.set(claim.drawn, claim);
    try {
      const target = attempts.openTarget(lane.webhook, sealed);
      const messages = await findMessages(lane.workspace, claims);
      for (const claim of claims) void attempt(lane, claim, messages.get(claim.sequence), target);
    } catch (error) {
      for (const {drawn} of claims) lane.inflight.delete(drawn);
      throw error;
    }
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
        const {claims, target, nextAt, now, standing, recorded} = await turn(lane, closing ? 0 : concurrency);
        if (target !== undefined) await begin(lane, claims, target);
        // Not before what was sent is answered: it may be the success that was missing.
        if (standing !== 'well' && recorded) await judge(workspace, work.webhook);
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

/** Replays of which a delivery has ended: they may go on, or be done. */
function endedReplays(results: readonly Result[]): Set<string> {
  return new Set(
    results.flatMap(({state, claim: {replay}}) =>
      replay === undefined || state === 'retrying' ? [] : [replay],
    ),
  );
}

function callDeadline(): number {
  return performance.now() + deadlines.job;
}
