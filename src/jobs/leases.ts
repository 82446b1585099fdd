import {deadlines} from '../domain/core/limits.js';
import type {Log} from '../domain/core/log.js';
import type {Claim} from '../store/webhooks/claims.js';
import type {Deliveries} from '../store/webhooks/deliveries.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';

/** The lease of one claimed delivery: the time for which only this process may work on it. */
export interface Lease {
  /** The time at which the claim was requested (monotonic ms). */
  readonly since: number;
  /** The confirmed end of the lease (monotonic ms). It does not end earlier. */
  until: number;
  /** The time (ms) that the delivery waited for other requests of its webhook. */
  queuedMs: number;
  /** True when the request of the delivery is being sent. */
  sent: boolean;
}

/** The claims of one webhook that this process holds, until their results are recorded. */
export interface LeaseHolder {
  readonly workspace: Id<'workspace'>;
  readonly webhook: IdSuffix<'webhook'>;
  /**
   * The leases by claim. A delivery could not be the key: an attempt that has lost its lease may end while
   * the next attempt is in progress.
   */
  readonly held: Map<Claim, Lease>;
  /** The next renewal of these leases (monotonic ms), together for all leases of the workspace. */
  renewAt: number;
}

export interface LeaseRules<H extends LeaseHolder> {
  readonly holders: () => Iterable<H>;
  /** Renews claims in the store, and returns those that are no longer held. */
  readonly renew: Deliveries['renew'];
  /** Called for each holder whose leases are being renewed. */
  readonly onRenewal: (holder: H) => void;
  readonly leaseMs: number;
  readonly log: Log;
}

export interface Leases<H extends LeaseHolder> {
  /**
   * Adds claims that were requested at `since` (monotonic ms). The lease counts from then, so the time of the
   * request itself is a part of it.
   */
  take: (holder: H, claims: readonly Claim[], since: number) => void;
  /**
   * Marks the start of a claim that has waited since `queuedAt` (monotonic ms). Returns false when its lease
   * has ended, and drops the claim.
   */
  begin: (holder: H, claim: Claim, queuedAt: number) => boolean;
  /** Returns the number of claims that are certainly held. Claims with the given results are not counted. */
  count: (holder: H, results: readonly {readonly claim: Claim}[]) => number;
  /**
   * Checks right before a request is sent that its lease is still held. Returns false when the lease may have
   * ended, for example because the process was frozen.
   */
  maySend: (holder: H, claim: Claim) => boolean;
  /**
   * Renews the leases of requests in progress if they may have ended, because the next claim would send these
   * deliveries again. Resolves to the time (monotonic ms) until which the leases are certain.
   */
  confirm: (holder: H) => Promise<number>;
  close: () => void;
}

const renewalTickMs = 25;

/** Renews the leases of this process while their requests are in progress. */
export function createLeases<H extends LeaseHolder>({
  holders,
  renew,
  onRenewal,
  leaseMs,
  log,
}: LeaseRules<H>): Leases<H> {
  const renewEveryMs = leaseMs / 4;
  const roundMs = renewEveryMs / 2;
  /** The holders whose leases this round of renewals must still renew, grouped by workspace. */
  let round: H[][] = [];
  let nextRoundAt = 0;

  /** Runs only while claims are held, so that an idle process sleeps. */
  let renewal: NodeJS.Timeout | undefined;
  let closed = false;

  function startRenewal(): void {
    if (closed || renewal !== undefined) return;
    renewal = setInterval(renewNextLeases, renewalTickMs).unref();
  }

  function stopRenewal(): void {
    clearInterval(renewal);
    renewal = undefined;
  }

  /**
   * Returns the holders to renew, grouped by workspace: all holders of a workspace in which at least one is
   * due. The earliest comes first.
   */
  function groupDueHolders(holding: readonly H[], now: number): H[][] {
    const found = Map.groupBy(holding, ({workspace}) => workspace);
    const dueAt = (some: readonly H[]) =>
      some.reduce((first, {renewAt}) => Math.min(first, renewAt), Infinity);
    return [...found.values()]
      .filter((some) => dueAt(some) <= now + roundMs)
      .toSorted((one, other) => dueAt(one) - dueAt(other));
  }

  /** Renews a few leases in each tick, since renewing all at once would delay other work. */
  function renewNextLeases(): void {
    const now = performance.now();
    if (now >= nextRoundAt) {
      const holding = [...holders()].filter(({held}) => held.size > 0);
      if (holding.length === 0) return stopRenewal();
      round = groupDueHolders(holding, now);
      nextRoundAt = now + roundMs;
    }
    const ticksLeft = Math.max(1, Math.floor((nextRoundAt - now) / renewalTickMs));
    // Late holders, after the process was blocked, are renewed at once.
    const late = round.filter((some) => some.some(({renewAt}) => renewAt < now)).length;
    const portion = round.splice(0, Math.max(late, Math.ceil(round.length / ticksLeft)));
    for (const some of portion) {
      const holding = some.filter(({held}) => held.size > 0);
      const [first] = holding;
      if (first === undefined) continue;
      const {workspace} = first;
      for (const holder of holding) onRenewal(holder);
      renewLeases(workspace, holding).catch((error: unknown) =>
        log.debug({workspace, reason: String(error)}, 'could not renew leases'),
      );
    }
  }

  async function renewLeases(workspace: Id<'workspace'>, some: readonly H[]): Promise<void> {
    const now = performance.now();
    // A claim whose lease ended before it was sent is not renewed, because its webhook may have changed.
    const asked = some.map(({webhook, held}) => ({
      webhook,
      claims: [...held].flatMap(([claim, {sent, until}]) => (sent || until > now ? [claim] : [])),
    }));
    for (const holder of some) holder.renewAt = now + renewEveryMs;
    const lost = new Set(await renew(workspace, asked, leaseMs, now + deadlines.job));
    for (const [i, {claims}] of asked.entries()) {
      const held = some[i]?.held;
      for (const claim of claims) {
        const lease = held?.get(claim);
        if (lost.has(claim)) held?.delete(claim);
        else if (lease !== undefined) lease.until = now + leaseMs;
      }
    }
  }

  return {
    take(holder, claims, since) {
      startRenewal();
      if (holder.held.size === 0) holder.renewAt = performance.now() + renewEveryMs;
      for (const claim of claims)
        holder.held.set(claim, {since, until: since + leaseMs, queuedMs: 0, sent: false});
    },
    begin({held}, claim, queuedAt) {
      const lease = held.get(claim);
      const now = performance.now();
      if (lease === undefined || lease.until <= now) {
        held.delete(claim);
        return false;
      }
      lease.queuedMs = now - queuedAt;
      return true;
    },
    count({held}, results) {
      const now = performance.now();
      const isHeld = (lease: Lease | undefined) => lease !== undefined && lease.until > now;
      const all = [...held.values()].filter(isHeld).length;
      return all - results.filter(({claim}) => isHeld(held.get(claim))).length;
    },
    maySend({held}, claim) {
      const lease = held.get(claim);
      if (lease === undefined || lease.until <= performance.now()) return false;
      lease.sent = true;
      return true;
    },
    async confirm(holder) {
      // A successful renewal leaves three quarters of a lease. A quarter of that is for the time until the
      // claim arrives.
      const sureUntil = performance.now() + leaseMs / 2;
      const isLate = [...holder.held.values()].some(({sent, until}) => sent && until <= sureUntil);
      if (isLate) await renewLeases(holder.workspace, [holder]);
      return sureUntil;
    },
    close() {
      closed = true;
      stopRenewal();
    },
  };
}
