// Background work: BullMQ queues and workers, one handler for each kind of work.
// Jobs carry wake-ups and time; what is true stands in the store. Nothing here decides what a standup or a webhook may do.
import {LRUCache} from 'lru-cache';
import {AppError} from '../domain/core/errors.js';
import {deadlines} from '../domain/core/limits.js';
import type {Log} from '../domain/core/log.js';
import type {Meter} from '../domain/core/meter.js';
import {slowMs} from '../domain/webhooks/webhook-health.js';
import {defaultSettings} from '../domain/webhooks/webhook-settings.js';
import type {Perform, Slice, Work} from '../domain/core/work.js';
import {type AttemptParts, createAttempts} from './attempts.js';
import {createKnownEvents, type KnownEvents} from './known-events.js';
import {
  allowedOf,
  beatOf,
  createLane,
  type Found,
  giveBack,
  isUrgent,
  type Lane,
  mayLeave,
  type Messages,
  type Queued,
  toldMs,
} from './lane.js';
import {createLeases, type Holder} from './leases.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';
import type {EventLog} from '../store/events/event-log.js';
import type {Claim, Result} from '../store/webhooks/claims.js';
import type {Deliveries, SealedTarget} from '../store/webhooks/deliveries.js';

export interface DeliverParts extends AttemptParts {
  readonly deliveries: Pick<Deliveries, 'turn' | 'renew'>;
  readonly events: Pick<EventLog, 'renderRead'>;
  /** Events of deliveries that this process has made. */
  readonly known?: Pick<KnownEvents, 'find' | 'hasMade'>;
  /** Acts on how long the webhook (its drawn half) has failed; nothing when that has been done. */
  readonly judge: (workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>) => Promise<void>;
  /** Asks for a turn in this process, since nobody else can record what has come in here; `slow`: it took long to come. */
  readonly wake: (workspace: Id<'workspace'>, work: Work, slow?: boolean) => void;
  readonly meter: Meter;
  readonly log: Log;
}

export interface Deliver {
  readonly perform: Perform<{kind: 'deliver'; webhook: IdSuffix<'webhook'>}>;
  /** With very many requests on the wire: whether this webhook's receiver has not answered well of late, as if it hung too. */
  isDoubtful: (workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>) => boolean;
  /** How many deliveries are under way of webhooks for which more wait, since this process has much else to do. */
  readonly pressing: () => number;
  /** Records what is in flight as it comes in, until nothing is, then lets go. */
  close: () => Promise<void>;
}

const leaseMs = 4_000;
/**
 * Past so many requests on the wire in this process, a webhook that has not been answered well by its receiver has one at a time: what
 * hangs is not to take the sockets and the time of the others, whatever its number.
 */
const crowded = 256;
/** Receivers remembered as answering well, those of last use longest. */
const maxProven = 10_000;
/** Deliveries are claimed in advance for a receiver that took no longer (ms) for the last one. */
const quickMs = 100;
/** How long a delivery waits that could not even be sent, as when its event cannot be read. */
const unmadeWaitMs = 60_000;
/** Results recorded by one script at the most: what is sent and not recorded is sent again after a kill. */
const recordedAtOnce = 64;

/** Deliveries of a webhook over which their times are averaged. */
const remembered = 16;
/** So long (ms) counts what a turn has found of a webhook's pressing. */
const pressingMs = 200;

export function createDeliver(parts: DeliverParts): Deliver {
  const {deliveries, events, known = createKnownEvents(), judge, wake, failpoint, meter, log} = parts;
  const attempts = createAttempts(parts);
  const lanes = new Map<string, Lane>();
  /** Webhooks whose last attempt by this process has succeeded: how long it took (ms). */
  const proven = new LRUCache<string, number>({max: maxProven});
  /** Webhooks with deliveries of events that this process does not know: their claims bring them. */
  const unknown = new LRUCache<string, true>({max: maxProven});
  let onWire = 0;
  /** Those for which deliveries wait, not for their receivers but for us; until when (monotonic ms). */
  const pressed = new Map<Lane, number>();
  let closing = false;
  /** Webhooks whose results could not be recorded at the end. */
  let letGoOf = 0;

  const leases = createLeases<Lane>({
    holders: () => lanes.values(),
    renew: deliveries.renew,
    onRenewal(lane) {
      // The turn that should have recorded them, or said more of them, may have failed.
      if (lane.results.length > 0 || lane.queue.length > 0) askToRecord(lane);
    },
    leaseMs,
    log,
  });

  function laneOf(workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>): Lane {
    const key = keyOf({workspace, webhook});
    let lane = lanes.get(key);
    if (lane === undefined) {
      lane = createLane(key, workspace, webhook);
      lanes.set(key, lane);
    }
    return lane;
  }

  /** Undefined: as many as the webhook may have. */
  function widthOf({key}: Lane): number | undefined {
    return proven.has(key) ? undefined : Math.max(1, crowded - onWire);
  }

  function isQuick({key}: Lane): boolean {
    return (proven.get(key) ?? Number.POSITIVE_INFINITY) <= quickMs;
  }

  function dropIfIdle(lane: Lane): void {
    if (lane.atWork || lane.held.size > 0 || lane.results.length > 0) return;
    clearTimeout(lane.beat);
    clearTimeout(lane.patience);
    lanes.delete(lane.key);
    pressed.delete(lane);
  }

  function askToRecord({workspace, webhook, atWork, results}: Lane): void {
    // An answer that took long is not urgent to record.
    const isSlow = (results.at(-1)?.attempt?.duration_ms ?? 0) > slowMs;
    if (!atWork) wake(workspace, {kind: 'deliver', webhook}, isSlow);
  }

  /** At once, or with what else comes in within a moment. */
  function askInTime(lane: Lane): void {
    if (isUrgent(lane)) return askToRecord(lane);
    if (lane.results.length > 0) lane.beat ??= setTimeout(beat, beatOf(lane), lane);
    if (lane.queue.length > 0) lane.patience ??= setTimeout(losePatience, toldMs, lane);
  }

  function beat(lane: Lane): void {
    lane.beat = undefined;
    askToRecord(lane);
  }

  /** A receiver that has become slow: what cannot begin is not held, and nothing more is claimed in advance. */
  function losePatience(lane: Lane): void {
    lane.patience = undefined;
    if (lane.queue.length > 0 && allowedOf(lane) === 0) {
      proven.set(lane.key, Number.POSITIVE_INFINITY);
      giveBackAll(lane);
    }
    askInTime(lane);
  }

  /** Sends one claimed delivery and leaves its result in the lane; asks for whoever records. */
  async function attempt(lane: Lane, {claim, messages, found}: Queued): Promise<void> {
    let result: Result | undefined;
    try {
      const {target} = lane;
      if (target === undefined) throw new Error('no target');
      const message = (messages ?? (await readMessages(lane, found ? [found] : []))).get(claim.drawn);
      result = await attempts.make(lane.workspace, claim, message, target, () => leases.maySend(lane, claim));
    } catch (error) {
      log.warn(
        {webhook: lane.webhook, delivery: claim.drawn, reason: String(error)},
        'an attempt could not be made',
      );
      // Neither given up, nor in the way of the others until then.
      result = {claim, state: 'retrying', delayMs: unmadeWaitMs, charge: 'none', counted: false};
    }
    onWire -= 1;
    lane.out -= 1;
    if (result?.charge === 'success') proven.set(lane.key, result.attempt?.duration_ms ?? 0);
    if (result?.charge === 'failure') {
      proven.delete(lane.key);
      // Whether the next one may go out is for the store to say.
      lane.wire = 0;
    }
    if (result?.attempt !== undefined) meter.countAttempt(result.state);
    if (result?.state === 'expired') meter.countExpired(1);
    // One that was lost would be refused: the delivery is somebody else's.
    const isOurs = lane.held.has(claim);
    if (result === undefined) lane.held.delete(claim);
    else if (isOurs) lane.results.push(result);
    beginNext(lane, allowedOf(lane));
    lane.signal?.();
    askInTime(lane);
  }

  /** Begins what was claimed in advance, as far as there may be requests on the wire. */
  function beginNext(lane: Lane, allowed: number): void {
    while (lane.queue.length > 0 && lane.out < allowed) {
      const next = lane.queue.shift();
      // Its lease has run out meanwhile: it is somebody else's, or will be.
      if (next === undefined || !leases.begin(lane, next.claim, next.since)) continue;
      lane.out += 1;
      onWire += 1;
      void attempt(lane, next);
    }
  }

  function giveBackAll(lane: Lane): void {
    giveBack(
      lane,
      lane.queue.map(({claim}) => claim),
    );
    lane.queue = [];
  }

  /** Results for the next turn to record. */
  function takeResults(lane: Lane): Result[] {
    clearTimeout(lane.beat);
    lane.beat = undefined;
    return lane.results.splice(0, recordedAtOnce);
  }

  /**
   * Records the lane's results and claims what is due; results are put back when the store did not answer.
   */
  async function turn(lane: Lane, isOver = false) {
    const results = !isOver && isQuick(lane) && mayLeave(lane) ? [] : takeResults(lane);
    if (results.length > 0) failpoint('before-record');
    try {
      const sureUntil = await leases.confirm(lane);
      const atMost = widthOf(lane);
      const withEvents = unknown.has(lane.key) || !known.hasMade(lane.workspace, lane.webhook);
      const request = {
        results,
        concurrency: isOver ? 0 : defaultSettings.concurrency,
        leaseMs,
        withEvents,
        sureUntil,
        ...(atMost !== undefined && {atMost}),
        ...(isQuick(lane) && {held: leases.count(lane, results)}),
      };
      const since = performance.now();
      const done = await deliveries.turn(lane.workspace, lane.webhook, request, callDeadline());
      note(lane, done);
      notePressing(lane, results, done.waits);
      for (const {claim} of results) lane.held.delete(claim);
      if (results.length > 0) failpoint('after-record');
      if (done.mayCatchUp) wake(lane.workspace, {kind: 'catch-up', webhook: lane.webhook});
      if (done.repaired > 0)
        log.warn(
          {webhook: lane.webhook, records: done.repaired},
          'records could not be read and were made good',
        );
      for (const replay of endedReplays(results)) wake(lane.workspace, {kind: 'replay', replay});
      return {...done, since, withEvents, recorded: results.length > 0};
    } catch (error) {
      lane.results.unshift(...results.filter(({state}) => state !== 'returned'));
      // The script may have run all the same. What it gave back is somebody else's by then, under the same number.
      for (const {claim, state} of results) if (state === 'returned') lane.held.delete(claim);
      throw error;
    }
  }

  /** What the store says of the webhook holds for all that is claimed. */
  function note(
    lane: Lane,
    {wire, waits, target}: {wire: number; waits: boolean; target?: SealedTarget},
  ): void {
    // It has not heard of a failure that came in meanwhile.
    lane.wire = lane.results.some(({charge}) => charge === 'failure') ? 0 : wire;
    lane.toldAt = performance.now();
    lane.waits = waits;
    if (target !== undefined) lane.target = attempts.openTarget(lane.webhook, target);
    // Without word of where the webhook leads now, what was claimed in advance could go to where it led
    // before.
    if (wire === 0 || target === undefined || closing) giveBackAll(lane);
    else beginNext(lane, lane.wire);
  }

  /** Where the receiver takes most of the time, more of ours would change little. */
  function notePressing(lane: Lane, results: readonly Result[], waits: boolean): void {
    // Nor does it matter how long results took that nobody waited for.
    if (!waits) return void pressed.delete(lane);
    const now = performance.now();
    for (const {claim, attempt} of results) {
      const wireMs = attempt?.duration_ms ?? 0;
      const lease = lane.held.get(claim);
      const ownMs = now - (lease?.since ?? now) - (lease?.queuedMs ?? 0) - wireMs;
      lane.wireMs += (wireMs - lane.wireMs) / remembered;
      lane.ownMs += (ownMs - lane.ownMs) / remembered;
    }
    if (lane.ownMs > lane.wireMs) pressed.set(lane, now + pressingMs);
    else pressed.delete(lane);
  }

  /** Takes what was claimed; so many begin now, and the others when requests end. */
  async function begin(
    lane: Lane,
    {
      claims,
      since,
      withEvents,
      wire,
    }: {claims: readonly Claim[]; since: number; withEvents: boolean; wire: number},
  ): Promise<void> {
    // Renewed while the bodies are fetched, too.
    leases.take(lane, claims, since);
    const strange = withEvents
      ? []
      : claims.filter(
          ({drawn, event}) => event === undefined && known.find(lane.workspace, drawn) === undefined,
        );
    if (strange.length > 0) unknown.set(lane.key, true);
    giveBack(lane, strange);
    const ours = strange.length === 0 ? claims : claims.filter((claim) => !strange.includes(claim));
    onWire += ours.length;
    const found = findEvents(lane, ours);
    let messages: Messages | undefined;
    try {
      messages = await readMessages(lane, found).catch(unlessAway);
    } catch (error) {
      // Their leases run out, and they are tried again.
      for (const claim of ours) lane.held.delete(claim);
      log.warn({webhook: lane.webhook, reason: String(error)}, 'claimed deliveries could not be begun');
      lane.signal?.();
      dropIfIdle(lane);
      return;
    } finally {
      onWire -= ours.length;
    }
    const queued = performance.now();
    const alone = messages ? undefined : new Map(found.map((one) => [one.drawn, one]));
    lane.queue.push(
      ...ours.map((claim) => ({claim, messages, found: alone?.get(claim.drawn), since: queued})),
    );
    // One that is spared or paced has no requests in advance: these are what may go out now.
    beginNext(lane, wire === 0 ? Number.POSITIVE_INFINITY : wire);
    if (closing) giveBackAll(lane);
    askInTime(lane);
  }

  /** What is known of their events; where the log has dropped one, nothing. */
  function findEvents({workspace, key}: Lane, claims: readonly Claim[]): Found[] {
    const found = claims.flatMap(({drawn, event}) => {
      const made = known.find(workspace, drawn);
      const kept = event ?? made;
      return kept === undefined ? [] : [{drawn, event: kept, read: made?.read}];
    });
    if (found.length > 0 && found.every(({read}) => read !== undefined)) unknown.delete(key);
    return found;
  }

  async function readMessages({workspace}: Lane, found: readonly Found[]): Promise<Messages> {
    await Promise.all(new Set(found.flatMap(({read}) => read ?? [])));
    const read = found.map(({event}) => event);
    const bodies = await events.renderRead(workspace, read, callDeadline());
    return new Map(found.map(({drawn, event: {entry}}, i) => [drawn, {entry, body: bodies[i] ?? ''}]));
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

  async function perform({workspace, work, until}: Slice<{kind: 'deliver'; webhook: IdSuffix<'webhook'>}>) {
    const lane = laneOf(workspace, work.webhook);
    lane.atWork = true;
    try {
      for (;;) {
        const done = await turn(lane, closing);
        const {claims, nextAt, now, slow, standing, recorded} = done;
        // Not waited for: what has come in meanwhile is recorded, and makes room, while the bodies are read.
        if (claims.length > 0) void begin(lane, done);
        // Not before what was sent is answered: it may be the success that was missing.
        if (standing !== 'well' && recorded) await judge(workspace, work.webhook);
        if (closing && lane.results.length === 0) return {more: false, slow};
        if (isUrgent(lane) && performance.now() < until) continue;
        // What is due and was not claimed waits for something else than a turn.
        const isDue = claims.length > 0 && nextAt !== undefined && nextAt <= now;
        lane.atWork = false;
        // Another process could not record what has come in here.
        askInTime(lane);
        return {more: isDue, slow};
      }
    } finally {
      lane.atWork = false;
      dropIfIdle(lane);
    }
  }

  /** Results that have come in go first. */
  function findUnfinished(): Lane | undefined {
    const all = [...lanes.values()];
    return all.find(({results}) => results.length > 0) ?? all.find(({held}) => held.size > 0);
  }

  /**
   * What cannot be recorded is sent again by whoever finds its lease run out; the results of other webhooks need not be, unless the store
   * is away altogether. Errors: the one given, when it is not the first few.
   */
  function letGo(lane: Lane, error: unknown): void {
    letGoOf += 1;
    if (letGoOf > 3) throw error;
    log.warn({webhook: lane.webhook, reason: String(error)}, 'results could not be recorded');
    for (const {claim} of lane.results) lane.held.delete(claim);
    lane.results = [];
  }

  return {
    perform,
    isDoubtful: (workspace, webhook) => onWire >= crowded && !proven.has(keyOf({workspace, webhook})),
    pressing() {
      const now = performance.now();
      let count = 0;
      for (const [lane, until] of pressed) {
        if (until < now) pressed.delete(lane);
        else count += lane.held.size;
      }
      return count;
    },
    async close() {
      closing = true;
      for (const lane of lanes.values()) giveBackAll(lane);
      for (let lane = findUnfinished(); lane !== undefined; lane = findUnfinished()) {
        if (lane.results.length === 0) await nextResult(lane, performance.now() + 500);
        else {
          const current = lane;
          await turn(current, true).catch((error: unknown) => letGo(current, error));
        }
      }
      leases.close();
    },
  };
}

/**
 * One event that cannot be read must not hold up those that were claimed with it: then each is read alone.
 */
function unlessAway(error: unknown): undefined {
  if (error instanceof AppError) throw error;
}

/** Replays of which a delivery has ended: they may go on, or be done. */
function endedReplays(results: readonly Result[]): Set<IdSuffix<'replay'>> {
  return new Set(
    results.flatMap(({state, claim: {replay}}) =>
      replay === undefined || state === 'retrying' ? [] : [replay],
    ),
  );
}

function keyOf({workspace, webhook}: Pick<Holder, 'workspace' | 'webhook'>): string {
  return `${workspace} ${webhook}`;
}

function callDeadline(): number {
  return performance.now() + deadlines.job;
}
