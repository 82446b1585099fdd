import {createCache} from '../domain/core/cache.js';
import type {Log} from '../domain/core/log.js';
import type {Meter} from '../domain/core/meter.js';
import type {Claim, Result} from '../store/webhooks/claims.js';
import type {Attempts} from './attempts.js';
import type {ClaimedEvents} from './claimed-events.js';
import {
  allowedRequestCount,
  giveBackClaims,
  type InFlight,
  type EventMessages,
  type QueuedClaim,
} from './in-flight.js';
import type {Leases} from './leases.js';

export interface RequestsParts {
  readonly attempts: Pick<Attempts, 'make'>;
  readonly leases: Pick<Leases<InFlight>, 'take' | 'begin' | 'maySend'>;
  readonly events: ClaimedEvents;
  /** Called when an attempt has ended; its result waits to be recorded. */
  readonly onEnd: (inFlight: InFlight) => void;
  readonly meter: Meter;
  readonly log: Log;
}

/**
 * The claims of a slice. `since`: the time of its request (monotonic ms); `wire`: from the store's answer.
 */
export interface ClaimBatch {
  readonly claims: readonly Claim[];
  readonly since: number;
  readonly withEvents: boolean;
  readonly wire: number;
}

/** The requests of this process in progress, and the known state of their receivers. */
export interface Requests {
  /** Starts some of the claims now, and the others when requests end. False: they could not be started. */
  start: (inFlight: InFlight, batch: ClaimBatch) => Promise<boolean>;
  /** Starts deliveries claimed in advance, up to the allowed number of requests in progress. */
  beginNext: (inFlight: InFlight, allowed: number) => void;
  /** The maximum number of requests at a time for a webhook; undefined: as many as it wants. */
  atMost: (inFlight: InFlight) => number | undefined;
  /** Whether deliveries are claimed in advance for a webhook. */
  isQuick: (inFlight: InFlight) => boolean;
  /** Records that a receiver no longer answers as before. */
  noteHanging: (inFlight: InFlight) => void;
  /** Whether a receiver has not answered well lately, while very many requests are in progress. */
  isDoubtful: (key: string) => boolean;
}

/**
 * Above this number of requests in progress, a webhook whose receiver has not answered well gets one at a
 * time: hanging receivers must not take the sockets of the others.
 */
const crowded = 256;
/** The number of receivers remembered as answering well, the least recently used dropped first. */
const maxProven = 10_000;
/** Deliveries are claimed in advance for a receiver that took at most this long (ms) for the last one. */
const quickMs = 100;
/** How long a delivery waits that could not even be sent, for example because its event is unreadable. */
const unmadeWaitMs = 60_000;

export function createDeliveryRequests({
  attempts,
  leases,
  events,
  onEnd,
  meter,
  log,
}: RequestsParts): Requests {
  /** Webhooks whose last attempt by this process has succeeded, with its duration (ms). */
  const proven = createCache<number>(maxProven);
  let onWire = 0;

  /** Sends one claimed delivery and leaves its result to be recorded. */
  async function attemptDelivery(inFlight: InFlight, queued: QueuedClaim): Promise<void> {
    const {claim} = queued;
    const result = await sendAttempt(inFlight, queued);
    onWire -= 1;
    inFlight.out -= 1;
    if (result?.charge === 'success') proven.set(inFlight.key, result.attempt?.duration_ms ?? 0);
    if (result?.charge === 'failure') {
      proven.delete(inFlight.key);
      // Whether the next one may go out is the store's decision.
      inFlight.wire = 0;
    }
    if (result?.attempt !== undefined) meter.countAttempt(result.state);
    if (result?.state === 'expired') meter.countExpired(1);
    // The result of a lost claim would be refused: another process has the delivery.
    const isOurs = inFlight.held.has(claim);
    if (result === undefined) inFlight.held.delete(claim);
    else if (isOurs) inFlight.results.push(result);
    beginNextRequests(inFlight, allowedRequestCount(inFlight));
    onEnd(inFlight);
  }

  async function sendAttempt(inFlight: InFlight, queued: QueuedClaim): Promise<Result | undefined> {
    const {claim, messages, found} = queued;
    const {workspace, webhook, target} = inFlight;
    try {
      if (target === undefined) throw new Error('no target');
      const own = messages ?? (await events.read(inFlight, found ? [found] : []));
      const maySend = () => leases.maySend(inFlight, claim);
      return await attempts.make(workspace, claim, own.get(claim.suffix), target, maySend);
    } catch (error) {
      log.warn({webhook, delivery: claim.suffix, reason: String(error)}, 'could not make a delivery attempt');
      // The delivery is not given up, and blocks no other one until then.
      return {claim, state: 'retrying', delayMs: unmadeWaitMs, charge: 'none', counted: false};
    }
  }

  function beginNextRequests(inFlight: InFlight, allowed: number): void {
    while (inFlight.queue.length > 0 && inFlight.out < allowed) {
      const next = inFlight.queue.shift();
      // Its lease has expired meanwhile: another process has it, or will.
      if (next === undefined || !leases.begin(inFlight, next.claim, next.since)) continue;
      inFlight.out += 1;
      onWire += 1;
      void attemptDelivery(inFlight, next);
    }
  }

  return {
    async start(inFlight, {claims, since, withEvents, wire}) {
      // Taken now, so that they are also renewed while the bodies are read.
      leases.take(inFlight, claims, since);
      const strange = withEvents ? [] : events.findStrange(inFlight, claims);
      giveBackClaims(inFlight, strange);
      const ours = strange.length === 0 ? claims : claims.filter((claim) => !strange.includes(claim));
      onWire += ours.length;
      const found = events.find(inFlight, ours);
      let messages: EventMessages | undefined;
      try {
        messages = await events.readTogether(inFlight, found);
      } catch (error) {
        // Their leases expire, and they are tried again.
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
        ...ours.map((claim) => ({claim, messages, found: alone?.get(claim.suffix), since: queuedAt})),
      );
      // A spared or throttled webhook has no requests in advance: these are the ones that may go out now.
      beginNextRequests(inFlight, wire === 0 ? Number.POSITIVE_INFINITY : wire);
      return true;
    },
    beginNext: beginNextRequests,
    atMost: ({key}) => (proven.has(key) ? undefined : Math.max(1, crowded - onWire)),
    isQuick: ({key}) => (proven.get(key) ?? Number.POSITIVE_INFINITY) <= quickMs,
    noteHanging: ({key}) => void proven.set(key, Number.POSITIVE_INFINITY),
    isDoubtful: (key) => onWire >= crowded && !proven.has(key),
  };
}
