import {createCache} from '../domain/core/cache.js';
import type {SliceSpan} from '../domain/core/tracer.js';
import type {Claim, Result} from '../store/webhooks/claims.js';
import type {Attempts} from './attempts.js';
import type {ClaimedEvents} from './claimed-events.js';
import type {JobContext} from './context.js';
import {
  countAllowedRequests,
  giveBackClaims,
  type InFlight,
  type EventMessages,
  type QueuedClaim,
} from './in-flight.js';
import type {Leases} from './leases.js';

/** Claimed deliveries, requested at `since` (monotonic ms). `wire`: the allowed number of requests. */
export interface ClaimBatch {
  readonly claims: readonly Claim[];
  readonly since: number;
  readonly withEvents: boolean;
  readonly wire: number;
  /** The span of the time slice that claimed them. */
  readonly span: SliceSpan;
}

/** The requests that this process is sending, and what it knows about their receivers. */
export type Requests = ReturnType<typeof createDeliveryRequests>;

/**
 * The number of requests in progress above which a webhook that has not answered well gets only one at a
 * time. Otherwise, receivers that never answer could occupy all sockets.
 */
const crowded = 256;
/** The number of receivers of which good answers are remembered, the last used ones. */
const maxProven = 10_000;
/** Deliveries of a webhook are claimed in advance only if its last request took at most this long (ms). */
const quickMs = 100;
/** The wait (ms) of a delivery that could not be sent at all, for example because its event is unreadable. */
const unmadeWaitMs = 60_000;

/** `onEnd` is called when an attempt has ended and its result waits to be recorded. */
export function createDeliveryRequests(
  context: JobContext,
  {leases, events}: {readonly leases: Leases<InFlight>; readonly events: ClaimedEvents},
  attempts: Attempts,
  onEnd: (inFlight: InFlight) => void,
) {
  const {meter, log} = context;
  /** Webhooks whose last attempt by this process has succeeded, with its duration (ms). */
  const proven = createCache<number>(maxProven);
  let onWire = 0;

  /** Sends one claimed delivery, and holds its result until the result is recorded. */
  async function attemptDelivery(inFlight: InFlight, queued: QueuedClaim): Promise<void> {
    const {claim} = queued;
    const result = await sendAttempt(inFlight, queued);
    onWire -= 1;
    inFlight.out -= 1;
    if (result?.charge === 'success') proven.set(inFlight.key, result.attempt?.duration_ms ?? 0);
    if (result?.charge === 'failure') {
      proven.delete(inFlight.key);
      // After a failure, the store decides whether another request is allowed.
      inFlight.wire = 0;
    }
    if (result?.attempt !== undefined) meter.countAttempt(result.state);
    if (result?.state === 'expired') meter.countExpired(1);
    // The result of a lost claim would be refused, because another process has the delivery.
    const isOurs = inFlight.held.has(claim);
    if (result === undefined) inFlight.held.delete(claim);
    else if (isOurs) inFlight.results.push(result);
    beginNextRequests(inFlight, countAllowedRequests(inFlight));
    onEnd(inFlight);
  }

  async function sendAttempt(inFlight: InFlight, queued: QueuedClaim): Promise<Result | undefined> {
    const {claim, messages, found, parent} = queued;
    const {workspace, webhook, target} = inFlight;
    try {
      if (target === undefined) throw new Error('no target');
      const own = messages ?? (await events.read(inFlight, found ? [found] : []));
      const maySend = () => leases.maySend(inFlight, claim);
      return await attempts.make(workspace, claim, own.get(claim.suffix), target, maySend, parent);
    } catch (error) {
      log.warn({webhook, delivery: claim.suffix, reason: String(error)}, 'could not make a delivery attempt');
      // The delivery is retried later, and does not block others until then.
      return {claim, state: 'retrying', delayMs: unmadeWaitMs, charge: 'none', counted: false};
    }
  }

  /** Starts deliveries that were claimed in advance, up to the allowed number of requests. */
  function beginNextRequests(inFlight: InFlight, allowed: number): void {
    while (inFlight.queue.length > 0 && inFlight.out < allowed) {
      const next = inFlight.queue.shift();
      // The lease has ended, so another process has the delivery or will get it.
      if (next === undefined || !leases.begin(inFlight, next.claim, next.since)) continue;
      inFlight.out += 1;
      onWire += 1;
      void attemptDelivery(inFlight, next);
    }
  }

  return {
    /** Starts some deliveries now, and the others when requests end. False if none could start. */
    async start(inFlight: InFlight, {claims, since, withEvents, wire, span}: ClaimBatch): Promise<boolean> {
      // The leases count from now on, so that they are also renewed while the events are read.
      leases.take(inFlight, claims, since);
      const strange = withEvents ? [] : events.findStrange(inFlight, claims);
      giveBackClaims(inFlight, strange);
      const ours = strange.length === 0 ? claims : claims.filter((claim) => !strange.includes(claim));
      onWire += ours.length;
      const found = events.find(inFlight, ours);
      // The slice does not wait for the requests, so its span is linked and begun before the first wait.
      for (const {event} of found) span.link(event.entry.trace);
      const parent = found.some(({event}) => event.entry.trace !== undefined) ? span.context() : undefined;
      let messages: EventMessages | undefined;
      try {
        messages = await events.readTogether(inFlight, found);
      } catch (error) {
        // The leases of these deliveries end, and the deliveries are tried again.
        for (const claim of ours) inFlight.held.delete(claim);
        const {webhook} = inFlight;
        log.warn({webhook, reason: String(error)}, 'could not start claimed deliveries');
        return false;
      } finally {
        onWire -= ours.length;
      }
      const queuedAt = performance.now();
      const alone = messages ? undefined : new Map(found.map((one) => [one.suffix, one]));
      inFlight.queue.push(
        ...ours.map((claim) => ({claim, messages, found: alone?.get(claim.suffix), since: queuedAt, parent})),
      );
      // For a webhook that is throttled or has an open circuit breaker, nothing is claimed in advance, so all
      // claims may be sent. A request that has failed since the claim stops the others until the store is asked.
      beginNextRequests(inFlight, wire === 0 ? Number.POSITIVE_INFINITY : Math.min(wire, inFlight.wire));
      return true;
    },
    beginNext: beginNextRequests,
    /** True if the last attempt of this process has succeeded. */
    isProven: (key: string): boolean => proven.has(key),
    /** Returns the maximum number of simultaneous requests for a webhook; undefined for no limit. */
    atMost: ({key}: InFlight): number | undefined =>
      proven.has(key) ? undefined : Math.max(1, crowded - onWire),
    /** True if deliveries of this webhook are claimed in advance. */
    isQuick: ({key}: InFlight): boolean => (proven.get(key) ?? Number.POSITIVE_INFINITY) <= quickMs,
    /** Records that a receiver no longer answers as before. */
    noteHanging: ({key}: InFlight): void => void proven.set(key, Number.POSITIVE_INFINITY),
    /** True for a receiver that has not answered well recently, while very many requests are in progress. */
    isDoubtful: (key: string): boolean => onWire >= crowded && !proven.has(key),
  };
}
