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
  verdict?: QuotaVerdict;
}

export const unused: Tally = {all: 0, writes: 0};

const minute = 60_000_000;

/** In µs: what one request takes, and how much may be taken ahead of time. Whole numbers, so that both languages count alike. */
export function measure(limit: number): {readonly step: number; readonly span: number} {
  if (limit === 0) return {step: 0, span: 0};
  const step = Math.ceil(minute / limit);
  return {step, span: step * limit};
}

/**
 * Takes one request from a quota by the generic cell rate algorithm (ITU-T I.371): a whole minute's quota may
 * be used at once and comes back evenly. Its counterpart in Lua is `takeQuota` in store/core/quota-script.ts.
 * A refused request takes nothing.
 */
export function takeFrom(tally: Tally, {limits, isWrite}: QuotaCost, at: number): QuotaVerdict {
  const all = advance(tally.all, limits.all, at);
  const writes = isWrite ? advance(tally.writes, limits.writes, at) : tally.writes;
  if (all === undefined || writes === undefined) return {granted: false, tally, at};
  return {granted: true, tally: {all, writes}, at};
}

function advance(whole: number, limit: number, at: number): number | undefined {
  if (limit === 0) return whole;
  const {step, span} = measure(limit);
  const now = at * 1_000;
  // More than all of it was taken: by a clock that has gone back since.
  const next = (whole - now > span ? now : Math.max(whole, now)) + step;
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

/** The limits of which a refused request would have needed more. */
function usedUp(cost: QuotaCost, verdict: QuotaVerdict): Allowance[] {
  return allowancesOf(cost, verdict).filter(
    ({policy, remaining}) => remaining === 0 && (cost.isWrite || policy === 'all'),
  );
}

/** Whole seconds until a refused request would be granted. */
export function retryAfter(cost: QuotaCost, verdict: QuotaVerdict): number {
  return Math.max(1, ...usedUp(cost, verdict).map(({moreIn}) => moreIn));
}

/** The refusal of a request that its principal's quota does not cover. */
export function overQuota(cost: QuotaCost, verdict: QuotaVerdict): AppError {
  const seconds = retryAfter(cost, verdict);
  const limits = usedUp(cost, verdict)
    .map(({policy}) => `${cost.limits[policy]} ${policy === 'all' ? 'requests' : 'writes'}`)
    .join(' and ');
  return new AppError(
    'rate_limited',
    `You have used up your ${limits} a minute, over all your tokens. Repeat after ${seconds} s.`,
    {retryAfter: seconds},
  );
}
