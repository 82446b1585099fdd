import type {Id} from './ids.js';
import {AppError} from './errors.js';

/** Requests a minute of one principal; 0: no limit. A write counts in both. */
export interface RateLimits {
  readonly all: number;
  readonly writes: number;
}

/** For each limit the instant, in µs of Redis time, at which it is unused again if nothing more is taken. */
export interface Tally {
  readonly all: number;
  readonly writes: number;
}

export interface QuotaCost {
  readonly limits: RateLimits;
  readonly isWrite: boolean;
  /** The number of requests that it counts as; 1 when left out. */
  readonly count?: number;
  /** The number of requests charged for it already; a repeat must pay them again. */
  readonly taken?: number;
}

/** The result of a claim: the tally after it, or the unchanged one when too little was left. */
export interface QuotaVerdict {
  readonly granted: boolean;
  readonly tally: Tally;
  /** Redis time in ms. */
  readonly at: number;
}

/**
 * One request's claim on the quota of its principal. Everything done for the request shares this object, so
 * that it is charged once: by the first access to the store, which leaves its verdict here.
 */
export interface QuotaClaim extends QuotaCost {
  readonly principal: Id<'member' | 'service_account'>;
  count?: number;
  taken?: number;
  verdict?: QuotaVerdict;
}

/**
 * Makes a request that does the work of several count as several. If it has been charged as one already, its
 * commit charges the rest.
 */
export function setRequestCount(claim: QuotaClaim | undefined, count: number): void {
  if (claim === undefined || count === 1) return;
  const isCharged = claim.verdict?.granted === true;
  // No request takes more than a whole minute's quota, and one of it is taken already.
  const {all, writes} = claim.limits;
  const most = Math.min(...[all, ...(claim.isWrite ? [writes] : [])].filter((limit) => limit > 0), count);
  claim.count = isCharged ? most - 1 : count;
  if (!isCharged) return;
  claim.taken = 1;
  delete claim.verdict;
}

export const unused: Tally = {all: 0, writes: 0};

const minute = 60_000_000;

/**
 * In µs: the cost of one request, and how much may be taken ahead of time. Integers, so that TypeScript and
 * Lua count alike.
 */
export function quotaUnits(limit: number): {readonly step: number; readonly span: number} {
  if (limit === 0) return {step: 0, span: 0};
  const step = Math.ceil(minute / limit);
  return {step, span: step * limit};
}

/** In µs: the cost of a request to a limit, at most a whole minute's quota. */
export function costOf(limit: number, count = 1): number {
  const {step, span} = quotaUnits(limit);
  return Math.min(step * count, span);
}

/**
 * Takes one request from a quota by the generic cell rate algorithm (ITU-T I.371): a whole minute's quota may
 * be used at once and comes back evenly. Its counterpart in Lua is `takeQuota` in store/core/quota-script.ts.
 * A refused request takes nothing.
 */
export function takeFrom(tally: Tally, {limits, isWrite, count}: QuotaCost, at: number): QuotaVerdict {
  const all = advanceTally(tally.all, limits.all, {at, count});
  const writes = isWrite ? advanceTally(tally.writes, limits.writes, {at, count}) : tally.writes;
  if (all === undefined || writes === undefined) return {granted: false, tally, at};
  return {granted: true, tally: {all, writes}, at};
}

function advanceTally(
  whole: number,
  limit: number,
  {at, count}: {readonly at: number; readonly count: number | undefined},
): number | undefined {
  if (limit === 0) return whole;
  const {span} = quotaUnits(limit);
  const now = at * 1_000;
  // More than all of it is taken: the clock has gone back since.
  const next = (whole - now > span ? now : Math.max(whole, now)) + costOf(limit, count);
  return next - now > span ? undefined : next;
}

/** The remainder of one limit. */
export interface Allowance {
  readonly policy: keyof RateLimits;
  readonly remaining: number;
  /** Whole seconds until there is more; 0 when all of it is there. */
  readonly moreIn: number;
}

/** The remainder of each limit that is set. */
export function allowancesOf({limits}: QuotaCost, {tally, at}: QuotaVerdict): Allowance[] {
  const left: Allowance[] = [];
  for (const policy of policies) {
    if (limits[policy] === 0) continue;
    const {step, span} = quotaUnits(limits[policy]);
    const taken = Math.max(0, tally[policy] - at * 1_000);
    const remaining = Math.max(0, Math.floor((span - taken) / step));
    const missing = taken === 0 ? 0 : taken - span + (remaining + 1) * step;
    left.push({policy, remaining, moreIn: Math.ceil(missing / 1_000_000)});
  }
  return left;
}

const policies = ['all', 'writes'] as const;

/** The limits that a refused request exceeds, and the whole seconds until each has enough. */
function exceededLimits({limits, isWrite, count = 1, taken = 0}: QuotaCost, {tally, at}: QuotaVerdict) {
  return policies.flatMap((policy) => {
    if (limits[policy] === 0 || (policy === 'writes' && !isWrite)) return [];
    const {span} = quotaUnits(limits[policy]);
    const missing = Math.max(0, tally[policy] - at * 1_000) + costOf(limits[policy], count + taken) - span;
    return missing > 0 ? [{policy, enoughIn: Math.ceil(missing / 1_000_000)}] : [];
  });
}

/** Whole seconds until a refused request would be granted. */
export function retryAfter(cost: QuotaCost, verdict: QuotaVerdict): number {
  return Math.max(1, ...exceededLimits(cost, verdict).map(({enoughIn}) => enoughIn));
}

/** The refusal of a request that its principal's quota does not cover. */
export function overQuota(cost: QuotaCost, verdict: QuotaVerdict): AppError {
  const seconds = retryAfter(cost, verdict);
  const limits = exceededLimits(cost, verdict)
    .map(({policy}) => `${cost.limits[policy]} ${policy === 'all' ? 'requests' : 'writes'}`)
    .join(' and ');
  const {count = 1, taken = 0} = cost;
  const why = count + taken === 1 ? '' : ` This one counts as ${count + taken}.`;
  return new AppError(
    'rate_limited',
    `You have used up your ${limits} a minute, over all your tokens.${why} Repeat after ${seconds} s.`,
    {retryAfter: seconds},
  );
}
