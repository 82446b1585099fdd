// The deliveries of one webhook, as slices of work handle them:
// 1. The store records the new results and claims the due deliveries, in one step (`recordAndClaim`).
// 2. Each claim becomes a request: its event is read and sent (requests.ts, attempts.ts). No slice waits.
// 3. The answer decides: succeeded, to be retried after a while, or given up (domain/webhooks/retry.ts).
// 4. The result requests a slice, which records it; the store then knows when the retry is due.
// Until then this process holds a lease (leases.ts). If it loses one, another process sends again.
import {deadlines} from '../domain/core/limits.js';
import type {Log} from '../domain/core/log.js';
import type {Meter} from '../domain/core/meter.js';
import {slowMs} from '../domain/webhooks/webhook-health.js';
import {defaultSettings} from '../domain/webhooks/webhook-settings.js';
import type {Perform, Slice, Work} from '../domain/core/work.js';
import {type AttemptParts, createAttempts} from './attempts.js';
import {type ClaimedEventsParts, createClaimedEvents} from './claimed-events.js';
import {
  allowedRequestCount,
  createInFlightState,
  flushDelay,
  giveBackQueuedClaims,
  type InFlight,
  isUrgent,
  mayLeaveToFlushTimer,
  answerValidMs,
  waitForResult,
} from './in-flight.js';
import {createLeases} from './leases.js';
import {createPressingWebhooks} from './pressing.js';
import {type ClaimBatch, createDeliveryRequests} from './requests.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';
import type {ClaimOutcome, Result} from '../store/webhooks/claims.js';
import type {Deliveries} from '../store/webhooks/deliveries.js';

export interface DeliverParts extends AttemptParts, ClaimedEventsParts {
  readonly deliveries: Pick<Deliveries, 'recordAndClaim' | 'renew'>;
  /** Acts on how long the webhook has failed; does nothing when that has been done. */
  readonly judge: (workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>) => Promise<void>;
  /**
   * Requests a slice in this process, since no other process can record the results that have arrived here. A
   * slow answer gives it low priority.
   */
  readonly wake: (workspace: Id<'workspace'>, work: Work, lowPriority?: boolean) => void;
  readonly meter: Meter;
  readonly log: Log;
  /** How long it holds a delivery (ms); it extends this while the request lasts. */
  readonly leaseMs?: number | undefined;
}

export interface Deliver {
  readonly perform: Perform<DeliverWork>;
  /**
   * Whether a receiver has not answered well lately, as if it hung, while very many requests are in progress.
   */
  isDoubtful: (workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>) => boolean;
  /** The number of deliveries in progress for webhooks with more waiting because this process is busy. */
  readonly pressing: () => number;
  /** Records results as they arrive, until no request is in progress, then releases the rest. */
  close: () => Promise<void>;
}

type DeliverWork = Extract<Work, {kind: 'deliver'}>;

export const standardLeaseMs = 4_000;
/**
 * The maximum number of results recorded by one script: after a kill, deliveries with unrecorded results are
 * sent again.
 */
const recordedAtOnce = 64;
/** How long `close` waits for a result before it checks again (ms). */
const closingWaitMs = 500;

export function createDeliverPerformer(parts: DeliverParts): Deliver {
  const {deliveries, judge, wake, failpoint, meter, log, leaseMs = standardLeaseMs} = parts;
  const attempts = createAttempts(parts);
  const events = createClaimedEvents(parts);
  const pressing = createPressingWebhooks();
  const byWebhook = new Map<string, InFlight>();
  let closing = false;
  /** The number of webhooks whose results could not be recorded at the end. */
  let droppedWebhooks = 0;

  const leases = createLeases<InFlight>({
    holders: () => byWebhook.values(),
    renew: deliveries.renew,
    onRenewal(inFlight) {
      // The slice that should have recorded these results may have failed, so another one is requested.
      if (inFlight.results.length > 0 || inFlight.queue.length > 0) requestSlice(inFlight);
    },
    leaseMs,
    log,
  });

  const requests = createDeliveryRequests({
    attempts,
    leases,
    events,
    onEnd(inFlight) {
      inFlight.signal?.();
      scheduleSlice(inFlight);
    },
    meter,
    log,
  });

  function findInFlight(workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>): InFlight {
    const key = inFlightKeyOf(workspace, webhook);
    const known = byWebhook.get(key);
    if (known !== undefined) return known;
    const created = createInFlightState(key, workspace, webhook);
    byWebhook.set(key, created);
    return created;
  }

  function dropIfIdle(inFlight: InFlight): void {
    if (inFlight.atWork || inFlight.held.size > 0 || inFlight.results.length > 0) return;
    clearTimeout(inFlight.flushTimer);
    clearTimeout(inFlight.returnTimer);
    byWebhook.delete(inFlight.key);
    pressing.forget(inFlight);
  }

  function requestSlice({workspace, webhook, atWork, results}: InFlight): void {
    // A slow answer is not urgent to record.
    const isSlow = (results.at(-1)?.attempt?.duration_ms ?? 0) > slowMs;
    if (!atWork) wake(workspace, {kind: 'deliver', webhook}, isSlow);
  }

  /** Requests a slice at once, or together with results that arrive within a moment. */
  function scheduleSlice(inFlight: InFlight): void {
    if (isUrgent(inFlight)) return requestSlice(inFlight);
    if (inFlight.results.length > 0)
      inFlight.flushTimer ??= setTimeout(requestFlushSlice, flushDelay(inFlight), inFlight);
    if (inFlight.queue.length > 0)
      inFlight.returnTimer ??= setTimeout(giveBackUnstarted, answerValidMs, inFlight);
  }

  function requestFlushSlice(inFlight: InFlight): void {
    inFlight.flushTimer = undefined;
    requestSlice(inFlight);
  }

  /**
   * A receiver has begun to hang: deliveries that cannot start are given back, and no more are claimed in
   * advance.
   */
  function giveBackUnstarted(inFlight: InFlight): void {
    inFlight.returnTimer = undefined;
    if (inFlight.queue.length > 0 && allowedRequestCount(inFlight) === 0) {
      requests.noteHanging(inFlight);
      giveBackQueuedClaims(inFlight);
    }
    scheduleSlice(inFlight);
  }

  /** Takes the results that the next slice records. */
  function takeResults(inFlight: InFlight): Result[] {
    clearTimeout(inFlight.flushTimer);
    inFlight.flushTimer = undefined;
    return inFlight.results.splice(0, recordedAtOnce);
  }

  /** Records results and claims due deliveries; puts the results back when the store did not answer. */
  async function recordAndClaim(inFlight: InFlight, isOver = false) {
    const {workspace, webhook} = inFlight;
    const isLeft = !isOver && requests.isQuick(inFlight) && mayLeaveToFlushTimer(inFlight);
    const results = isLeft ? [] : takeResults(inFlight);
    if (results.length > 0) failpoint('before-record');
    try {
      const sureUntil = await leases.confirm(inFlight);
      const atMost = requests.atMost(inFlight);
      const withEvents = events.areWanted(inFlight);
      const request = {
        results,
        concurrency: isOver ? 0 : defaultSettings.concurrency,
        leaseMs,
        withEvents,
        sureUntil,
        ...(atMost !== undefined && {atMost}),
        ...(requests.isQuick(inFlight) && {held: leases.count(inFlight, results)}),
      };
      const since = performance.now();
      const done = await deliveries.recordAndClaim(workspace, webhook, request, callDeadline());
      applyClaimAnswer(inFlight, done);
      pressing.note(inFlight, results, done.waits);
      for (const {claim} of results) inFlight.held.delete(claim);
      if (results.length > 0) failpoint('after-record');
      if (done.mayCatchUp) wake(workspace, {kind: 'catch-up', webhook});
      if (done.repaired > 0)
        log.warn({webhook, records: done.repaired}, 'repaired records that could not be read');
      for (const replay of replaysWithEndedDelivery(results)) wake(workspace, {kind: 'replay', replay});
      return {...done, since, withEvents, recorded: results.length > 0};
    } catch (error) {
      inFlight.results.unshift(...results.filter(({state}) => state !== 'returned'));
      // The script may have run all the same. Another process may then own these deliveries, under the same
      // attempt number.
      for (const {claim, state} of results) if (state === 'returned') inFlight.held.delete(claim);
      throw error;
    }
  }

  /** Applies the store's answer about the webhook to all claims. */
  function applyClaimAnswer(inFlight: InFlight, {wire, waits, target}: ClaimOutcome): void {
    // The store did not know of a failure that arrived meanwhile.
    inFlight.wire = inFlight.results.some(({charge}) => charge === 'failure') ? 0 : wire;
    inFlight.answeredAt = performance.now();
    inFlight.waits = waits;
    if (target !== undefined) inFlight.target = attempts.openTarget(inFlight.webhook, target);
    // Without the webhook's current address, deliveries claimed in advance could go to the old one.
    if (wire === 0 || target === undefined || closing) giveBackQueuedClaims(inFlight);
    else requests.beginNext(inFlight, inFlight.wire);
  }

  async function startRequests(inFlight: InFlight, batch: ClaimBatch): Promise<void> {
    if (await requests.start(inFlight, batch)) {
      if (closing) giveBackQueuedClaims(inFlight);
      scheduleSlice(inFlight);
    } else {
      inFlight.signal?.();
      dropIfIdle(inFlight);
    }
  }

  async function performSlice({workspace, work: {webhook}, until}: Slice<DeliverWork>) {
    const inFlight = findInFlight(workspace, webhook);
    inFlight.atWork = true;
    try {
      for (;;) {
        const done = await recordAndClaim(inFlight, closing);
        const {claims, nextAt, now, slow: lowPriority, failureAction, recorded} = done;
        // Not awaited: while the bodies are read, new results are recorded and make room.
        if (claims.length > 0) void startRequests(inFlight, done);
        // Only after the sent requests are answered: one may be the missing success.
        if (failureAction !== 'well' && recorded) await judge(workspace, webhook);
        if (closing && inFlight.results.length === 0) return {more: false, lowPriority};
        if (isUrgent(inFlight) && performance.now() < until) continue;
        // A due delivery that was not claimed does not wait for a slice.
        const isDue = claims.length > 0 && nextAt !== undefined && nextAt <= now;
        inFlight.atWork = false;
        // No other process can record the results that have arrived here.
        scheduleSlice(inFlight);
        return {more: isDue, lowPriority};
      }
    } finally {
      inFlight.atWork = false;
      dropIfIdle(inFlight);
    }
  }

  /** Webhooks with results come first. */
  function findUnfinishedWebhook(): InFlight | undefined {
    const all = [...byWebhook.values()];
    return all.find(({results}) => results.length > 0) ?? all.find(({held}) => held.size > 0);
  }

  /**
   * Drops results that cannot be recorded: another process sends the deliveries again. Results of other
   * webhooks may still be recorded, so only the fourth failure is thrown.
   */
  function dropResults(inFlight: InFlight, error: unknown): void {
    droppedWebhooks += 1;
    if (droppedWebhooks > 3) throw error;
    log.warn({webhook: inFlight.webhook, reason: String(error)}, 'could not record results');
    for (const {claim} of inFlight.results) inFlight.held.delete(claim);
    inFlight.results = [];
  }

  return {
    perform: performSlice,
    isDoubtful: (workspace, webhook) => requests.isDoubtful(inFlightKeyOf(workspace, webhook)),
    pressing: pressing.count,
    async close() {
      closing = true;
      for (const inFlight of byWebhook.values()) giveBackQueuedClaims(inFlight);
      for (let next = findUnfinishedWebhook(); next !== undefined; next = findUnfinishedWebhook()) {
        const inFlight = next;
        if (inFlight.results.length === 0) await waitForResult(inFlight, closingWaitMs);
        else await recordAndClaim(inFlight, true).catch((error: unknown) => dropResults(inFlight, error));
      }
      leases.close();
    },
  };
}

/** Replays with an ended delivery: they may continue, or be done. */
function replaysWithEndedDelivery(results: readonly Result[]): Set<IdSuffix<'replay'>> {
  return new Set(
    results.flatMap(({state, claim: {replay}}) =>
      replay === undefined || state === 'retrying' ? [] : [replay],
    ),
  );
}

function inFlightKeyOf(workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>): string {
  return `${workspace} ${webhook}`;
}

function callDeadline(): number {
  return performance.now() + deadlines.job;
}
