// Sends the deliveries of one webhook, in time slices of work:
// 1. One step in the store records new results and claims due deliveries (`recordAndClaim`).
// 2. Each claim becomes a request that sends its event (requests.ts, attempts.ts). The slice does not wait
// for it.
// 3. The answer decides: the delivery has succeeded, is retried later, or is given up
// (domain/webhooks/retry.ts).
// 4. The result requests a new slice, which records it. Only then does the store know when the retry is due.
// Until then this process holds a lease (leases.ts). If the lease ends, another process sends the delivery
// again.
import {slowMs} from '../domain/webhooks/webhook-health.js';
import {defaultSettings} from '../domain/webhooks/webhook-settings.js';
import {noSliceSpan} from '../domain/core/tracer.js';
import type {Slice, Work} from '../domain/core/work.js';
import {createAttempts} from './attempts.js';
import {createClaimedEvents} from './claimed-events.js';
import {callDeadline, createSystemCall, type JobContext, standardLeaseMs} from './context.js';
import {
  countAllowedRequests,
  createInFlightState,
  computeFlushDelay,
  giveBackQueuedClaims,
  type InFlight,
  isRecordingUrgent,
  mayLeaveResultsToFlushTimer,
  answerValidMs,
  waitForResult,
} from './in-flight.js';
import type {KnownEvents} from './known-events.js';
import {createLeases} from './leases.js';
import {createPressingWebhooks} from './pressing.js';
import {type ClaimBatch, createDeliveryRequests} from './requests.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';
import type {ClaimOutcome, Result} from '../store/webhooks/claims.js';

export type Deliver = ReturnType<typeof createDeliveryPerformer>;

type DeliverWork = Extract<Work, {kind: 'deliver'}>;

/** The largest number of results that one script records. After a kill, the others are sent again. */
const recordedAtOnce = 64;
/** The interval (ms) at which `close` checks again while it waits for results. */
const closingWaitMs = 500;

/**
 * `wake` requests a time slice in this process, because only this process has the results. After a slow
 * answer the slice has low priority. `known`: a cache of events whose deliveries this process has created.
 */
export function createDeliveryPerformer(
  context: JobContext,
  wake: (workspace: Id<'workspace'>, work: Work, lowPriority?: boolean) => void,
  known?: KnownEvents,
) {
  const {store, services, failpoint, log, leaseMs = standardLeaseMs} = context;
  const {deliveries} = store;
  const attempts = createAttempts(context);
  const events = createClaimedEvents(context, known);
  const pressing = createPressingWebhooks();
  const byWebhook = new Map<string, InFlight>();
  let closing = false;
  /** The number of webhooks whose results could not be recorded before the process ended. */
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

  const requests = createDeliveryRequests(context, {leases, events}, attempts, (inFlight) => {
    inFlight.signal?.();
    scheduleSlice(inFlight);
  });

  function findInFlight(workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>): InFlight {
    const key = createInFlightKey(workspace, webhook);
    const known = byWebhook.get(key);
    if (known !== undefined) return known;
    const created = createInFlightState(key, workspace, webhook);
    byWebhook.set(key, created);
    return created;
  }

  function dropWebhookIfIdle(inFlight: InFlight): void {
    if (inFlight.atWork || inFlight.held.size > 0 || inFlight.results.length > 0) return;
    clearTimeout(inFlight.flushTimer);
    clearTimeout(inFlight.returnTimer);
    byWebhook.delete(inFlight.key);
    pressing.forget(inFlight);
  }

  function requestSlice({workspace, webhook, atWork, results}: InFlight): void {
    // A result that came after a slow answer is not urgent.
    const isSlow = (results.at(-1)?.attempt?.duration_ms ?? 0) > slowMs;
    if (!atWork) wake(workspace, {kind: 'deliver', webhook}, isSlow);
  }

  /** Requests a slice at once, or a little later together with other results. */
  function scheduleSlice(inFlight: InFlight): void {
    if (isRecordingUrgent(inFlight)) return requestSlice(inFlight);
    if (inFlight.results.length > 0)
      inFlight.flushTimer ??= setTimeout(requestFlushSlice, computeFlushDelay(inFlight), inFlight);
    if (inFlight.queue.length > 0)
      inFlight.returnTimer ??= setTimeout(giveBackUnstartedClaims, answerValidMs, inFlight);
  }

  function requestFlushSlice(inFlight: InFlight): void {
    inFlight.flushTimer = undefined;
    requestSlice(inFlight);
  }

  /** Gives back deliveries that cannot start because the receiver has stopped answering. */
  function giveBackUnstartedClaims(inFlight: InFlight): void {
    inFlight.returnTimer = undefined;
    if (inFlight.queue.length > 0 && countAllowedRequests(inFlight) === 0) {
      requests.noteHanging(inFlight);
      giveBackQueuedClaims(inFlight);
    }
    scheduleSlice(inFlight);
  }

  /** Returns the results that the next slice records. */
  function takeResults(inFlight: InFlight): Result[] {
    clearTimeout(inFlight.flushTimer);
    inFlight.flushTimer = undefined;
    return inFlight.results.splice(0, recordedAtOnce);
  }

  /** Records results and claims due deliveries. Without the store's answer, results wait here. */
  async function recordAndClaim(inFlight: InFlight, isOver = false) {
    const {workspace, webhook} = inFlight;
    const isLeft = !isOver && requests.isQuick(inFlight) && mayLeaveResultsToFlushTimer(inFlight);
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
      for (const replay of listReplaysWithEndedDelivery(results)) wake(workspace, {kind: 'replay', replay});
      return {...done, since, withEvents, recorded: results.length > 0};
    } catch (error) {
      inFlight.results.unshift(...results.filter(({state}) => state !== 'returned'));
      // The script may have run even if no answer came, so another process may have these deliveries now.
      for (const {claim, state} of results) if (state === 'returned') inFlight.held.delete(claim);
      throw error;
    }
  }

  /** Applies the store's answer about the webhook to all its claims. */
  function applyClaimAnswer(inFlight: InFlight, {wire, waits, target}: ClaimOutcome): void {
    // This process has seen a failure in the meantime, of which the store did not know when it answered.
    inFlight.wire = inFlight.results.some(({charge}) => charge === 'failure') ? 0 : wire;
    inFlight.answeredAt = performance.now();
    inFlight.waits = waits;
    if (target !== undefined) inFlight.target = attempts.openTarget(inFlight.webhook, target);
    // Deliveries claimed in advance are given back if the webhook's URL is unknown, because the old URL may
    // be wrong.
    if (wire === 0 || target === undefined || closing) giveBackQueuedClaims(inFlight);
    else requests.beginNext(inFlight, inFlight.wire);
  }

  async function startRequests(inFlight: InFlight, batch: ClaimBatch): Promise<void> {
    if (await requests.start(inFlight, batch)) {
      if (closing) giveBackQueuedClaims(inFlight);
      scheduleSlice(inFlight);
    } else {
      inFlight.signal?.();
      dropWebhookIfIdle(inFlight);
    }
  }

  async function performSlice({workspace, work: {webhook}, until, span = noSliceSpan}: Slice<DeliverWork>) {
    const inFlight = findInFlight(workspace, webhook);
    inFlight.atWork = true;
    try {
      for (;;) {
        const done = await recordAndClaim(inFlight, closing);
        const {claims, nextAt, now, slow: lowPriority, failureAction, recorded} = done;
        // The requests are not awaited. Recording results while the events are read makes space for new
        // requests.
        if (claims.length > 0) void startRequests(inFlight, {...done, span});
        // The consequence for a failing webhook is decided after its requests are answered, since one of them
        // may be the missing success.
        if (failureAction !== 'well' && recorded)
          await services.webhookFailures.judgeWebhook(createSystemCall(workspace, span), webhook);
        if (closing && inFlight.results.length === 0) return {more: false, lowPriority};
        if (isRecordingUrgent(inFlight) && performance.now() < until) continue;
        // True if a delivery is due that was not claimed, so that another slice follows at once.
        const isDue = claims.length > 0 && nextAt !== undefined && nextAt <= now;
        inFlight.atWork = false;
        // The results that have arrived here can only be recorded by this process.
        scheduleSlice(inFlight);
        return {more: isDue, lowPriority};
      }
    } finally {
      inFlight.atWork = false;
      dropWebhookIfIdle(inFlight);
    }
  }

  /** Returns a webhook with unfinished deliveries here; those with unrecorded results come first. */
  function findUnfinishedWebhook(): InFlight | undefined {
    const all = [...byWebhook.values()];
    return all.find(({results}) => results.length > 0) ?? all.find(({held}) => held.size > 0);
  }

  /**
   * Drops results that cannot be recorded, so that another process sends the deliveries again. The error is
   * thrown only after four such webhooks, since the results of others may still be recorded.
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
    /** True if very many requests are in progress and this receiver has not answered well recently. */
    isDoubtful: (workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>): boolean =>
      requests.isDoubtful(createInFlightKey(workspace, webhook)),
    /**
     * Counts the deliveries in progress, but only for webhooks whose further deliveries wait for this process,
     * and not for their receivers.
     */
    pressing: pressing.count,
    /** Records results as they arrive until no request is in progress, and then releases the other claims. */
    async close(): Promise<void> {
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

/** Returns the replays of which a delivery has ended. Such a replay may continue, or may have finished. */
function listReplaysWithEndedDelivery(results: readonly Result[]): Set<IdSuffix<'replay'>> {
  return new Set(
    results.flatMap(({state, claim: {replay}}) =>
      replay === undefined || state === 'retrying' ? [] : [replay],
    ),
  );
}

function createInFlightKey(workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>): string {
  return `${workspace} ${webhook}`;
}
