import {deadlines} from '../domain/core/limits.js';
import type {Log} from '../domain/core/log.js';
import type {Claim} from '../store/webhooks/claims.js';
import type {Deliveries} from '../store/webhooks/deliveries.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';

/** The lease of one claim, as far as this process knows. */
export interface Lease {
  /** The time of the claim request (monotonic ms). */
  readonly since: number;
  /** The confirmed end (monotonic ms); the lease ends no sooner. */
  until: number;
  /** How long it has waited for other requests of its webhook to end (ms). */
  queuedMs: number;
  /** True when its request is being sent. */
  sent: boolean;
}

/** The claims of one webhook that this process holds, from the claim until their result is recorded. */
export interface LeaseHolder {
  readonly workspace: Id<'workspace'>;
  readonly webhook: IdSuffix<'webhook'>;
  /** By claim, not by delivery: an attempt that has lost its lease may end during the next one. */
  readonly held: Map<Claim, Lease>;
  /**
   * The time of the next renewal (monotonic ms), together with all leases of this workspace in this process.
   */
  renewAt: number;
}

export interface LeasesParts<H extends LeaseHolder> {
  readonly holders: () => Iterable<H>;
  /** Returns the claims that are no longer held. */
  readonly renew: Deliveries['renew'];
  /** Called for each holder whose leases are being renewed. */
  readonly onRenewal: (holder: H) => void;
  readonly leaseMs: number;
  readonly log: Log;
}

export interface Leases<H extends LeaseHolder> {
  /** Adds claims that were requested at `since` (monotonic ms): the call itself counts against the lease. */
  take: (holder: H, claims: readonly Claim[], since: number) => void;
  /**
   * Marks the start of a claim, which has waited since `queuedAt` (monotonic ms). False when its lease has
   * ended: then it is no longer held.
   */
  begin: (holder: H, claim: Claim, queuedAt: number) => boolean;
  /** The number of claims that are certainly held, without those of these results. */
  count: (holder: H, results: readonly {readonly claim: Claim}[]) => number;
  /**
   * Must be called right before a request is sent: false when the lease may have ended, as after a freeze.
   */
  maySend: (holder: H, claim: Claim) => boolean;
  /**
   * Renews requests in progress that may have lost their lease, before the next claim takes them back and
   * sends them again. Resolves to the end of the leases (monotonic ms): the process may be frozen before it
   * claims.
   */
  confirm: (holder: H) => Promise<number>;
  close: () => void;
}

const renewalTickMs = 25;

/** Renews the leases of this process while their requests are in progress. */
export function createLeases<H extends LeaseHolder>(parts: LeasesParts<H>): Leases<H> {
  const {holders, renew, onRenewal, leaseMs, log} = parts;
  const renewEveryMs = leaseMs / 4;
  const roundMs = renewEveryMs / 2;
  /** Holders still to be renewed in this round, by workspace. */
  let round: H[][] = [];
  let nextRoundAt = 0;

  const renewal = setInterval(renewNextLeases, renewalTickMs);
  renewal.unref();

  /** Holders of the workspaces in which one is due before the next round is over, the first one due first. */
  function findDueHolders(now: number): H[][] {
    const found = new Map<string, H[]>();
    for (const holder of holders()) {
      if (holder.held.size === 0) continue;
      const others = found.get(holder.workspace);
      if (others === undefined) found.set(holder.workspace, [holder]);
      else others.push(holder);
    }
    const dueAt = (some: readonly H[]) =>
      some.reduce((first, {renewAt}) => Math.min(first, renewAt), Infinity);
    return [...found.values()]
      .filter((some) => dueAt(some) <= now + roundMs)
      .toSorted((one, other) => dueAt(one) - dueAt(other));
  }

  /**
   * Spread evenly over the round: renewing the leases of many workspaces at once would delay all other work.
   */
  function renewNextLeases(): void {
    const now = performance.now();
    if (now >= nextRoundAt) {
      round = findDueHolders(now);
      nextRoundAt = now + roundMs;
    }
    const ticksLeft = Math.max(1, Math.floor((nextRoundAt - now) / renewalTickMs));
    // Holders that are late, because this process was blocked, wait for no other.
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
    // A claim that ended unsent is not renewed: its webhook may have been changed since.
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
      // Successful renewals leave three quarters of a lease; the claim itself may take a while to arrive.
      const sureUntil = performance.now() + leaseMs / 2;
      const isLate = [...holder.held.values()].some(({sent, until}) => sent && until <= sureUntil);
      if (isLate) await renewLeases(holder.workspace, [holder]);
      return sureUntil;
    },
    close: () => clearInterval(renewal),
  };
}
