import type {Id} from './ids.js';
import {AppError} from './errors.js';

/** Requests a minute of one principal; 0: no limit. A write counts in both. */
export interface RateLimits {
  readonly all: number;
  readonly writes: number;
}

/** For each limit the instant, in µs of Redis time, at which it will be unused again if nothing more is taken. */
export interface Tally {
  readonly all: number;
  readonly writes: number;
}

/** What a request takes from a quota. */
export interface QuotaCost {
  readonly limits: RateLimits;
  readonly isWrite: boolean;
  /** As how many requests it counts; as one when left out. */
  readonly count?: number;
  /** As how many it has counted already, which its repeat takes again. */
  readonly taken?: number;
}

/** What became of it: the tally after it, or the unchanged one when too little was left. */
export interface QuotaVerdict {
  readonly granted: boolean;
  readonly tally: Tally;
  /** Redis time in ms. */
  readonly at: number;
}

/**
 * One request's claim on the quota of its principal. The same object goes through everything that is done for the request, so that it is
 * charged once: by whichever look at the store comes first, which leaves its verdict here.
 */
export interface QuotaClaim extends QuotaCost {
  readonly principal: Id<'member' | 'service_account'>;
  count?: number;
  taken?: number;
  verdict?: QuotaVerdict;
}

/**
 * A request that does the work of several counts as so many. Where it has been charged as one already, what
 * commits it charges the others.
 */
export function countAs(claim: QuotaClaim | undefined, count: number): void {
  if (claim === undefined || count === 1) return;
  const isCharged = claim.verdict?.granted === true;
  // No request takes more than all of a minute, of which one is taken already.
  const {all, writes} = claim.limits;
  const most = Math.min(...[all, ...(claim.isWrite ? [writes] : [])].filter((limit) => limit > 0), count);
  claim.count = isCharged ? most - 1 : count;
  if (!isCharged) return;
  claim.taken = 1;
  delete claim.verdict;
}

export const unused: Tally = {all: 0, writes: 0};

const minute = 60_000_000;

/** In µs: what one request takes, and how much may be taken ahead of time. Whole numbers, so that both languages count alike. */
export function measure(limit: number): {readonly step: number; readonly span: number} {
  if (limit === 0) return {step: 0, span: 0};
  const step = Math.ceil(minute / limit);
  return {step, span: step * limit};
}

/** In µs: what a request takes of a limit. One that counts as more than a whole minute's takes all of that. */
export function stepOf(limit: number, count = 1): number {
  const {step, span} = measure(limit);
  return Math.min(step * count, span);
}

/**
 * Takes one request from a quota by the generic cell rate algorithm (ITU-T I.371): a whole minute's quota may
 * be used at once and comes back evenly. Its counterpart in Lua is `takeQuota` in store/core/quota-script.ts.
 * A refused request takes nothing.
 */
export function takeFrom(tally: Tally, {limits, isWrite, count}: QuotaCost, at: number): QuotaVerdict {
  const all = advance(tally.all, limits.all, {at, count});
  const writes = isWrite ? advance(tally.writes, limits.writes, {at, count}) : tally.writes;
  if (all === undefined || writes === undefined) return {granted: false, tally, at};
  return {granted: true, tally: {all, writes}, at};
}

function advance(
  whole: number,
  limit: number,
  {at, count}: {readonly at: number; readonly count: number | undefined},
): number | undefined {
  if (limit === 0) return whole;
  const {span} = measure(limit);
  const now = at * 1_000;
  // More than all of it was taken: by a clock that has gone back since.
  const next = (whole - now > span ? now : Math.max(whole, now)) + stepOf(limit, count);
  return next - now > span ? undefined : next;
}

/** What is left of one limit. */
export interface Allowance {
  readonly policy: keyof RateLimits;
  readonly remaining: number;
  /** Whole seconds until there is more; 0 when all of it is there. */
  readonly moreIn: number;
}

/** What is left of each limit that there is. */
export function allowancesOf({limits}: QuotaCost, {tally, at}: QuotaVerdict): Allowance[] {
  const left: Allowance[] = [];
  for (const policy of policies) {
    if (limits[policy] === 0) continue;
    const {step, span} = measure(limits[policy]);
    const taken = Math.max(0, tally[policy] - at * 1_000);
    const remaining = Math.max(0, Math.floor((span - taken) / step));
    const missing = taken === 0 ? 0 : taken - span + (remaining + 1) * step;
    left.push({policy, remaining, moreIn: Math.ceil(missing / 1_000_000)});
  }
  return left;
}

const policies = ['all', 'writes'] as const;

/** The limits of which a refused request would have needed more, and in how many whole seconds there is enough. */
function usedUp({limits, isWrite, count = 1, taken = 0}: QuotaCost, {tally, at}: QuotaVerdict) {
  return policies.flatMap((policy) => {
    if (limits[policy] === 0 || (policy === 'writes' && !isWrite)) return [];
    const {span} = measure(limits[policy]);
    const missing = Math.max(0, tally[policy] - at * 1_000) + stepOf(limits[policy], count + taken) - span;
    return missing > 0 ? [{policy, enoughIn: Math.ceil(missing / 1_000_000)}] : [];
  });
}

/** Whole seconds until a refused request would be granted. */
export function retryAfter(cost: QuotaCost, verdict: QuotaVerdict): number {
  return Math.max(1, ...usedUp(cost, verdict).map(({enoughIn}) => enoughIn));
}

/** The refusal of a request that its principal's quota does not cover. */
export function overQuota(cost: QuotaCost, verdict: QuotaVerdict): AppError {
  const seconds = retryAfter(cost, verdict);
  const limits = usedUp(cost, verdict)
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
