// Sends the deliveries of one webhook, in time slices of work:
// 1. One step in the store records new results and claims due deliveries (`recordAndClaim`). Where nothing
// waits, the fan-out has claimed new deliveries already (`take`).
// 2. Each claim becomes a request that sends its event (requests.ts, attempts.ts). The slice does not wait
// for it.
// 3. The answer decides: the delivery has succeeded, is retried later, or is given up
// (domain/webhooks/retry.ts).
// 4. The result requests a new slice, which records it, together with results of other webhooks that wait for
// that. Only then does the store know when the retry is due.
// Until then this process holds a lease (leases.ts). If the lease ends, another process sends the delivery
// again.
import {defaultSettings} from '../domain/webhooks/webhook-settings.js';
import {noSliceSpan, type SliceSpan} from '../domain/core/tracer.js';
import type {Slice, Work} from '../domain/core/work.js';
import {createAttempts} from './attempts.js';
import {createClaimedEvents} from './claimed-events.js';
import {callDeadline, createSystemCall, type JobContext, standardLeaseMs} from './context.js';
import {
  countAllowedRequests,
  createInFlightState,
  giveBackQueuedClaims,
  hasSlowResult,
  type InFlight,
  isRecordingUrgent,
  mayLeaveResultsToFlushTimer,
  answerValidMs,
  waitForResult,
} from './in-flight.js';
import {createFlushTimers} from './flush-timers.js';
import type {KnownEvents} from './known-events.js';
import {createLeases} from './leases.js';
import {createPressingWebhooks} from './pressing.js';
import {type ClaimBatch, createDeliveryRequests} from './requests.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';
import type {ClaimOutcome, ClaimRequest, Result} from '../store/webhooks/claims.js';
import type {HandedDeliveries} from '../store/webhooks/deliveries.js';

export type Deliver = ReturnType<typeof createDeliveryPerformer>;

type DeliverWork = Extract<Work, {kind: 'deliver'}>;

/** The store's outcome for a webhook, asked at `since` (monotonic ms). `recorded`: true if it had results. */
interface Done extends ClaimOutcome {
  readonly since: number;
  readonly withEvents: boolean;
  readonly recorded: boolean;
}

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
  const flushTimers = createFlushTimers(requestSlice);
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
    if (inFlight.slices > 0 || inFlight.held.size > 0 || inFlight.results.length > 0) return;
    flushTimers.end(inFlight);
    clearTimeout(inFlight.returnTimer);
    byWebhook.delete(inFlight.key);
    pressing.forget(inFlight);
  }

  function requestSlice(inFlight: InFlight): void {
    const {workspace, webhook, slices} = inFlight;
    // A result that came after a slow answer is not urgent.
    if (slices === 0) wake(workspace, {kind: 'deliver', webhook}, hasSlowResult(inFlight));
  }

  /** Requests a slice at once, or a little later together with other results. */
  function scheduleSlice(inFlight: InFlight): void {
    if (isRecordingUrgent(inFlight)) return requestSlice(inFlight);
    if (inFlight.results.length > 0) flushTimers.start(inFlight);
    if (inFlight.queue.length > 0)
      inFlight.returnTimer ??= setTimeout(giveBackUnstartedClaims, answerValidMs, inFlight);
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
    flushTimers.end(inFlight);
    return inFlight.results.splice(0, recordedAtOnce);
  }

  /** True if a slice must leave the results to their flush timer. */
  function mustLeaveResults(inFlight: InFlight): boolean {
    return !closing && requests.isQuick(inFlight) && mayLeaveResultsToFlushTimer(inFlight);
  }

  async function createClaimRequest(
    inFlight: InFlight,
    results: readonly Result[],
    isOver: boolean,
  ): Promise<ClaimRequest> {
    const sureUntil = await leases.confirm(inFlight);
    const atMost = requests.atMost(inFlight);
    return {
      webhook: inFlight.webhook,
      results,
      concurrency: isOver ? 0 : defaultSettings.concurrency,
      withEvents: events.areWanted(inFlight),
      sureUntil,
      ...(atMost !== undefined && {atMost}),
      ...(requests.isQuick(inFlight) && {held: leases.count(inFlight, results)}),
    };
  }

  /**
   * Records the results of webhooks of a workspace, and claims due deliveries. Only the first webhook may leave
   * its results to their flush timer. Without the store's answer, the results wait here.
   */
  async function recordAndClaim(some: readonly [InFlight, ...InFlight[]], isOver = false): Promise<Done[]> {
    const [{workspace}] = some;
    const taken = some.map((inFlight, i) => ({
      inFlight,
      results: i === 0 && !isOver && mustLeaveResults(inFlight) ? [] : takeResults(inFlight),
    }));
    const isRecording = taken.some(({results}) => results.length > 0);
    if (isRecording) failpoint('before-record');
    try {
      const asked = await Promise.all(
        taken.map(({inFlight, results}) => createClaimRequest(inFlight, results, isOver)),
      );
      const since = performance.now();
      const outcomes = await deliveries.recordAndClaim(workspace, asked, leaseMs, callDeadline());
      const done = outcomes.flatMap((outcome, i) => {
        const [one, request] = [taken[i], asked[i]];
        if (one === undefined || request === undefined) return [];
        const {inFlight, results} = one;
        applyOutcome(inFlight, results, outcome);
        return [{...outcome, since, withEvents: request.withEvents === true, recorded: results.length > 0}];
      });
      if (isRecording) failpoint('after-record');
      return done;
    } catch (error) {
      for (const {inFlight, results} of taken) keepUnrecordedResults(inFlight, results);
      throw error;
    }
  }

  function applyOutcome(inFlight: InFlight, results: readonly Result[], outcome: ClaimOutcome): void {
    const {workspace, webhook} = inFlight;
    const {waits, mayCatchUp, repaired} = outcome;
    applyClaimAnswer(inFlight, outcome);
    pressing.note(inFlight, results, waits);
    for (const {claim} of results) inFlight.held.delete(claim);
    if (mayCatchUp) wake(workspace, {kind: 'catch-up', webhook});
    if (repaired > 0) log.warn({webhook, records: repaired}, 'repaired records that could not be read');
    for (const replay of listReplaysWithEndedDelivery(results)) wake(workspace, {kind: 'replay', replay});
  }

  function keepUnrecordedResults(inFlight: InFlight, results: readonly Result[]): void {
    inFlight.results.unshift(...results.filter(({state}) => state !== 'returned'));
    // The script may have run even if no answer came, so another process may have these deliveries now.
    for (const {claim, state} of results) if (state === 'returned') inFlight.held.delete(claim);
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

  /** Begins the claimed requests. True if more is due, so that a slice follows at once. */
  function beginClaims(inFlight: InFlight, done: Done, span: SliceSpan): boolean {
    const {claims, nextAt, now} = done;
    // The requests are not awaited. Recording results while the events are read makes space for new requests.
    if (claims.length > 0) void startRequests(inFlight, {...done, span});
    return claims.length > 0 && nextAt !== undefined && nextAt <= now;
  }

  /**
   * Decides the consequence for a failing webhook. Its requests have been answered before, since one of them may
   * be the missing success.
   */
  async function judgeIfFailing({workspace, webhook}: InFlight, done: Done, span: SliceSpan): Promise<void> {
    if (done.failureAction === 'well' || !done.recorded) return;
    await services.webhookFailures.judgeWebhook(createSystemCall(workspace, span), webhook);
  }

  /** Ends the part of a step that belongs to another webhook. Its decision is repeated if it has failed. */
  async function finishOther(other: InFlight, done: Done | undefined, span: SliceSpan): Promise<void> {
    if (done !== undefined)
      await judgeIfFailing(other, done, span).catch((error: unknown) =>
        log.warn({webhook: other.webhook, reason: String(error)}, 'could not judge a failing webhook'),
      );
    endSlice(other);
  }

  /** Does a step for a webhook, and for others of its workspace whose results wait. */
  async function takeStep(inFlight: InFlight, span: SliceSpan): Promise<Done & {readonly isDue: boolean}> {
    const {workspace} = inFlight;
    const {length} = inFlight.results;
    const mayTakeOthers = length > 0 && !mustLeaveResults(inFlight);
    const others = mayTakeOthers ? flushTimers.listOthers(inFlight, recordedAtOnce - length) : [];
    for (const other of others) other.slices += 1;
    const [own, ...rest] = await recordAndClaim([inFlight, ...others], closing).catch((error: unknown) => {
      for (const other of others) dropSlice(other);
      throw error;
    });
    if (own === undefined) throw new Error('the store gave no outcome');
    // All requests begin before the first decision, which waits for the store and may fail.
    const isDue = beginClaims(inFlight, own, span);
    for (const [i, other] of others.entries()) {
      const done = rest[i];
      if (done !== undefined && beginClaims(other, done, span))
        wake(workspace, {kind: 'deliver', webhook: other.webhook}, done.slow);
    }
    await Promise.all(others.map((other, i) => finishOther(other, rest[i], span)));
    await judgeIfFailing(inFlight, own, span);
    return {...own, isDue};
  }

  function endSlice(inFlight: InFlight): void {
    inFlight.slices -= 1;
    // The results that have arrived here can only be recorded by this process.
    scheduleSlice(inFlight);
    dropWebhookIfIdle(inFlight);
  }

  /** Ends a slice that has failed. Its results are recorded at the next renewal of leases. */
  function dropSlice(inFlight: InFlight): void {
    inFlight.slices -= 1;
    dropWebhookIfIdle(inFlight);
  }

  async function performSlice({workspace, work: {webhook}, until, span = noSliceSpan}: Slice<DeliverWork>) {
    const inFlight = findInFlight(workspace, webhook);
    inFlight.slices += 1;
    try {
      let step = await takeStep(inFlight, span);
      while (isRecordingUrgent(inFlight) && !isOver(inFlight) && performance.now() < until)
        step = await takeStep(inFlight, span);
      endSlice(inFlight);
      return {more: step.isDue && !isOver(inFlight), lowPriority: step.slow};
    } catch (error) {
      dropSlice(inFlight);
      throw error;
    }
  }

  /** True if this process is closing and has nothing more to record for the webhook. */
  function isOver({results}: InFlight): boolean {
    return closing && results.length === 0;
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
    /** True if the fan-out may claim deliveries for this webhook, whose receiver has answered this process well. */
    mayTake: (workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>): boolean =>
      !closing && requests.isProven(createInFlightKey(workspace, webhook)),
    /** Sends deliveries that the fan-out has claimed since `since` (monotonic ms). */
    take(workspace: Id<'workspace'>, handed: HandedDeliveries, since: number, span: SliceSpan): void {
      const inFlight = findInFlight(workspace, handed.webhook);
      applyClaimAnswer(inFlight, handed);
      void startRequests(inFlight, {...handed, since, withEvents: false, span});
    },
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
        else await recordAndClaim([inFlight], true).catch((error: unknown) => dropResults(inFlight, error));
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
