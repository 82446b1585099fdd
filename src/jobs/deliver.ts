// Background work: BullMQ queues and workers, one handler for each kind of work.
// Jobs carry wake-ups and time; what is true stands in the store. Nothing here decides what a standup or a webhook may do.
import {LRUCache} from 'lru-cache';
import type {LogEntry} from '../domain/event.js';
import {deadlines} from '../domain/limits.js';
import type {Log} from '../domain/log.js';
import type {Meter} from '../domain/meter.js';
import type {Standing} from '../domain/webhook-failing.js';
import {slowMs} from '../domain/webhook-health.js';
import {defaultSettings} from '../domain/webhook-settings.js';
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
      request: {results: readonly Result[]; concurrency: number; leaseMs: number; atMost?: number},
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
      held: readonly {readonly webhook: string; readonly claims: readonly Claim[]}[],
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
  /** Asks for a turn in this process, since nobody else can record what has come in here; `slow`: it took long to come. */
  readonly wake: (workspace: string, work: Work, slow?: boolean) => void;
  readonly meter: Meter;
  readonly log: Log;
}

export interface Deliver {
  readonly perform: Perform<{kind: 'deliver'; webhook: string}>;
  /** With very many requests on the wire: whether this webhook's receiver has not answered well of late, as if it hung too. */
  isDoubtful(workspace: string, webhook: string): boolean;
  /** Records what is in flight as it comes in, until nothing is, then lets go. */
  close(): Promise<void>;
}

const leaseMs = 4_000;
const renewEveryMs = 1_000;
/** Renewals come due in small portions, so that those of many workspaces do not hold up everything else once a second. */
const renewalTickMs = 50;
/**
 * Past so many requests on the wire in this process, a webhook that has not been answered well by its receiver has one at a time: what
 * hangs is not to take the sockets and the time of the others, whatever its number.
 */
const crowded = 256;
/** Receivers remembered as answering well, those of last use longest. */
const maxProven = 10_000;
/** Results recorded by one script at the most: what is sent and not recorded is sent again after a kill. */
const recordedAtOnce = 64;

/** What this process has in flight for one webhook. It outlives the slices: a slow receiver must not hold a worker's slot. */
interface Lane {
  readonly workspace: string;
  readonly webhook: string;
  readonly inflight: Map<string, Claim>;
  results: Result[];
  /** A slice is at work on this lane and finds what comes in; otherwise each result asks for one. */
  atWork: boolean;
  /** Ends the wait of `close`. */
  signal: (() => void) | undefined;
  /** When the leases are to be renewed (monotonic ms), together with all of this workspace that this process holds. */
  renewAt: number;
}

export function createDeliver(parts: DeliverParts): Deliver {
  const {deliveries, events, judge, wake, failpoint, meter, log} = parts;
  const attempts = createAttempts(parts);
  const lanes = new Map<string, Lane>();
  /** Webhooks whose last attempt by this process has succeeded. */
  const proven = new LRUCache<string, true>({max: maxProven});
  let onWire = 0;
  let closing = false;
  /** Webhooks whose results could not be recorded at the end. */
  let letGoOf = 0;

  const renewal = setInterval(renewLeases, renewalTickMs);
  renewal.unref();

  function laneOf(workspace: string, webhook: string): Lane {
    const key = keyOf({workspace, webhook});
    let lane = lanes.get(key);
    if (lane === undefined) {
      lane = {
        workspace,
        webhook,
        inflight: new Map(),
        results: [],
        atWork: false,
        signal: undefined,
        renewAt: 0,
      };
      lanes.set(key, lane);
    }
    return lane;
  }

  /** Undefined: as many as the webhook may have. */
  function widthOf(lane: Lane): number | undefined {
    return proven.has(keyOf(lane)) ? undefined : Math.max(1, crowded - onWire);
  }

  function dropIfIdle(lane: Lane): void {
    if (lane.inflight.size === 0 && lane.results.length === 0) lanes.delete(keyOf(lane));
  }

  function askToRecord({workspace, webhook, atWork, results}: Lane): void {
    // An answer that took long is not urgent to record.
    const isSlow = (results.at(-1)?.attempt?.duration_ms ?? 0) > slowMs;
    if (!atWork) wake(workspace, {kind: 'deliver', webhook}, isSlow);
  }

  /** Those of the workspaces that have one due, a portion of them at a time. */
  function renewLeases(): void {
    const now = performance.now();
    const holders = new Map<string, Lane[]>();
    for (const lane of lanes.values()) {
      if (lane.inflight.size + lane.results.length === 0) continue;
      const held = holders.get(lane.workspace);
      if (held === undefined) holders.set(lane.workspace, [lane]);
      else held.push(lane);
    }
    // Twice what is needed for all to have theirs in time.
    let left = Math.ceil((2 * holders.size * renewalTickMs) / renewEveryMs);
    for (const [workspace, held] of holders) {
      if (left === 0) return;
      if (held.every(({renewAt}) => renewAt > now)) continue;
      left -= 1;
      renewAll(workspace, held, now + renewEveryMs);
    }
  }

  /** Of what is on the wire, and of what has come in and waits for its turn to be recorded. */
  function renewAll(workspace: string, held: readonly Lane[], next: number): void {
    for (const lane of held) {
      lane.renewAt = next;
      // The turn that should have recorded them may have failed.
      if (lane.results.length > 0) askToRecord(lane);
    }
    const claims = held.map(({webhook, inflight, results}) => ({
      webhook,
      claims: [...inflight.values(), ...results.map(({claim}) => claim)],
    }));
    deliveries
      .renew(workspace, claims, leaseMs, callDeadline())
      .catch((error: unknown) => log.debug({workspace, reason: String(error)}, 'leases were not renewed'));
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
    onWire -= 1;
    lane.inflight.delete(claim.drawn);
    if (result?.charge === 'success') proven.set(keyOf(lane), true);
    if (result?.charge === 'failure') proven.delete(keyOf(lane));
    if (result?.attempt !== undefined) meter.countAttempt(result.state);
    if (result?.state === 'expired') meter.countExpired(1);
    if (result !== undefined) lane.results.push(result);
    lane.signal?.();
    if (result !== undefined) askToRecord(lane);
  }

  /** Records the lane's results and claims what is due; results are put back when the store did not answer. */
  async function turn(lane: Lane, isOver = false) {
    const results = lane.results.splice(0, recordedAtOnce);
    if (results.length > 0) failpoint('before-record');
    try {
      const atMost = widthOf(lane);
      const request = {
        results,
        concurrency: isOver ? 0 : defaultSettings.concurrency,
        leaseMs,
        ...(atMost !== undefined && {atMost}),
      };
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
    if (lane.inflight.size === 0) lane.renewAt = performance.now() + renewEveryMs;
    for (const claim of claims) lane.inflight.set(claim.drawn, claim);
    try {
      const target = attempts.openTarget(lane.webhook, sealed);
      const messages = await findMessages(lane.workspace, claims);
      onWire += claims.length;
      for (const claim of claims) void attempt(lane, claim, messages.get(claim.drawn), target);
    } catch (error) {
      for (const {drawn} of claims) lane.inflight.delete(drawn);
      throw error;
    }
  }

  /** By delivery. An event that is younger than the claim is not its own: a store that was set back has given its number to another one. */
  async function findMessages(workspace: string, claims: readonly Claim[]): Promise<Map<string, Message>> {
    const sequences = claims.map(({sequence}) => sequence);
    const entries = await events.findEntries(workspace, sequences, callDeadline());
    const bodies = await events.render(workspace, entries, callDeadline());
    const messages = new Map(entries.map((entry, i) => [entry.sequence, {entry, body: bodies[i] ?? ''}]));
    const found = new Map<string, Message>();
    for (const {drawn, sequence, claimedAt} of claims) {
      const message = messages.get(sequence);
      if (message !== undefined && message.entry.at <= claimedAt) found.set(drawn, message);
    }
    return found;
  }

  /** Until a result has come in, or the time is over. */
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
    lane.atWork = true;
    try {
      for (;;) {
        const {claims, target, nextAt, now, slow, standing, recorded} = await turn(lane, closing);
        if (target !== undefined) await begin(lane, claims, target);
        // Not before what was sent is answered: it may be the success that was missing.
        if (standing !== 'well' && recorded) await judge(workspace, work.webhook);
        if (closing && lane.results.length === 0) return {more: false, slow};
        if (lane.results.length > 0 && performance.now() < until) continue;
        // What is due and was not claimed waits for something else than a turn.
        const isDue = claims.length > 0 && nextAt !== undefined && nextAt <= now;
        lane.atWork = false;
        // Another process could not record what has come in here.
        if (lane.results.length > 0) askToRecord(lane);
        return {more: isDue, slow};
      }
    } finally {
      lane.atWork = false;
      dropIfIdle(lane);
    }
  }

  /** What has come in goes first: its lease is no longer renewed. */
  function findUnfinished(): Lane | undefined {
    const all = [...lanes.values()];
    return all.find(({results}) => results.length > 0) ?? all.find(({inflight}) => inflight.size > 0);
  }

  /**
   * What cannot be recorded is sent again by whoever finds its lease run out; the results of other webhooks need not be, unless the store
   * is away altogether. Errors: the one given, when it is not the first few.
   */
  function letGo(lane: Lane, error: unknown): void {
    letGoOf += 1;
    if (letGoOf > 3) throw error;
    log.warn({webhook: lane.webhook, reason: String(error)}, 'results could not be recorded');
    lane.results = [];
  }

  return {
    perform,
    isDoubtful: (workspace, webhook) => onWire >= crowded && !proven.has(keyOf({workspace, webhook})),
    async close() {
      closing = true;
      for (let lane = findUnfinished(); lane !== undefined; lane = findUnfinished()) {
        if (lane.results.length === 0) await nextResult(lane, performance.now() + 500);
        else {
          const current = lane;
          await turn(current, true).catch((error: unknown) => letGo(current, error));
        }
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

function keyOf({workspace, webhook}: Pick<Lane, 'workspace' | 'webhook'>): string {
  return `${workspace} ${webhook}`;
}

function callDeadline(): number {
  return performance.now() + deadlines.job;
}
