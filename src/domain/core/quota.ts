import type {Id} from './ids.js';
import {AppError} from './errors.js';

/** The allowed requests per minute of a principal; 0 for no limit. Writes count in both limits. */
export interface RateLimits {
  readonly all: number;
  readonly writes: number;
}

/** The state of each limit: the instant (µs of Redis time) at which the whole quota is available again. */
export interface Tally {
  readonly all: number;
  readonly writes: number;
}

export interface QuotaCost {
  readonly limits: RateLimits;
  readonly isWrite: boolean;
  /** The number of requests for which this request is charged; 1 by default. */
  readonly count?: number;
  /** The number of requests for which this request has already been charged. */
  readonly taken?: number;
  /** The time (µs) for which the limits are; a minute by default. */
  readonly period?: number;
}

/** The result of a request to use a quota, with the new state. The state is unchanged after a refusal. */
export interface QuotaVerdict {
  readonly granted: boolean;
  readonly tally: Tally;
  /** The time of Redis in ms. */
  readonly at: number;
}

/**
 * The requests that one request takes from its caller's quota. All work for the request shares this object.
 * The first store access charges the request and stores the result here, so that no later access charges it
 * again.
 */
export interface QuotaClaim extends QuotaCost {
  /** The caller; for a share link its token, so that its readers take nothing from its maker. */
  readonly principal: Id<'member' | 'service_account' | 'access_token'>;
  count?: number;
  taken?: number;
  verdict?: QuotaVerdict;
}

/**
 * Charges a request that does the work of several requests for all of them. If it has already been charged as
 * one, its commit charges the rest.
 */
export function setRequestCount(claim: QuotaClaim | undefined, count: number): void {
  if (claim === undefined || count === 1) return;
  const isCharged = claim.verdict?.granted === true;
  // A request never costs more than the quota of a whole minute. One request is already charged.
  const {all, writes} = claim.limits;
  const most = Math.min(...[all, ...(claim.isWrite ? [writes] : [])].filter((limit) => limit > 0), count);
  claim.count = isCharged ? most - 1 : count;
  if (!isCharged) return;
  claim.taken = 1;
  delete claim.verdict;
}

export const unused: Tally = {all: 0, writes: 0};

const minute = 60_000_000;

/** An hour in µs. */
export const hour = 60 * minute;

/**
 * Returns the cost of one request (`step`) and of all requests of a period (`span`), in µs. They are
 * integers, so that TypeScript and Lua calculate alike.
 */
export function computeRequestAndMinuteCost(
  limit: number,
  period = minute,
): {readonly step: number; readonly span: number} {
  if (limit === 0) return {step: 0, span: 0};
  const step = Math.ceil(period / limit);
  return {step, span: step * limit};
}

/** Returns the cost of a request in µs, at most the quota of a whole period. */
export function computeQuotaCost(limit: number, count = 1, period = minute): number {
  const {step, span} = computeRequestAndMinuteCost(limit, period);
  return Math.min(step * count, span);
}

/**
 * Takes a request from a quota with the generic cell rate algorithm (ITU-T I.371): a minute's quota may be
 * used at once, and returns evenly. A refused request takes nothing. store/core/include/take-quota.lua does the same
 * in Lua.
 */
export function takeFrom(
  tally: Tally,
  {limits, isWrite, count, period}: QuotaCost,
  at: number,
): QuotaVerdict {
  const all = computeNextTally(tally.all, limits.all, {at, count, period});
  const writes = isWrite ? computeNextTally(tally.writes, limits.writes, {at, count, period}) : tally.writes;
  if (all === undefined || writes === undefined) return {granted: false, tally, at};
  return {granted: true, tally: {all, writes}, at};
}

function computeNextTally(
  whole: number,
  limit: number,
  {at, count, period}: {readonly at: number} & {readonly [K in 'count' | 'period']: number | undefined},
): number | undefined {
  if (limit === 0) return whole;
  const {span} = computeRequestAndMinuteCost(limit, period);
  const now = at * 1_000;
  // More than the whole quota is in use, so the clock must have been set back.
  const next = (whole - now > span ? now : Math.max(whole, now)) + computeQuotaCost(limit, count, period);
  return next - now > span ? undefined : next;
}

/** The number of requests that a caller may still make within a limit at this moment. */
export interface Allowance {
  readonly policy: keyof RateLimits;
  readonly remaining: number;
  /** The seconds until the caller may make more requests; 0 when the whole quota is available. */
  readonly moreIn: number;
}

/** Returns the number of requests that each limit still allows. A limit of 0 is left out. */
export function listAllowances({limits, period}: QuotaCost, {tally, at}: QuotaVerdict): Allowance[] {
  const left: Allowance[] = [];
  for (const policy of policies) {
    if (limits[policy] === 0) continue;
    const {step, span} = computeRequestAndMinuteCost(limits[policy], period);
    const taken = Math.max(0, tally[policy] - at * 1_000);
    const remaining = Math.max(0, Math.floor((span - taken) / step));
    const missing = taken === 0 ? 0 : taken - span + (remaining + 1) * step;
    left.push({policy, remaining, moreIn: Math.ceil(missing / 1_000_000)});
  }
  return left;
}

const policies = ['all', 'writes'] as const;

/** Returns the limits that a refused request exceeds, each with the seconds until enough is available. */
function listExceededLimits(
  {limits, isWrite, count = 1, taken = 0, period}: QuotaCost,
  {tally, at}: QuotaVerdict,
) {
  return policies.flatMap((policy) => {
    if (limits[policy] === 0 || (policy === 'writes' && !isWrite)) return [];
    const {span} = computeRequestAndMinuteCost(limits[policy], period);
    const missing =
      Math.max(0, tally[policy] - at * 1_000) +
      computeQuotaCost(limits[policy], count + taken, period) -
      span;
    return missing > 0 ? [{policy, enoughIn: Math.ceil(missing / 1_000_000)}] : [];
  });
}

/** Returns the seconds until a refused request would be accepted. */
export function computeRetryAfter(cost: QuotaCost, verdict: QuotaVerdict): number {
  return Math.max(1, ...listExceededLimits(cost, verdict).map(({enoughIn}) => enoughIn));
}

/** Creates the error for a request that exceeds its caller's quota. */
export function createOverQuotaError(cost: QuotaCost, verdict: QuotaVerdict): AppError {
  const seconds = computeRetryAfter(cost, verdict);
  const limits = listExceededLimits(cost, verdict)
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
