import {
  computeRequestAndMinuteCost,
  computeQuotaCost,
  type QuotaCost,
  type QuotaVerdict,
} from '../../domain/core/quota.js';

/** Returns the arguments of `takeQuota` in include/take-quota.lua. */
export function createQuotaArgs({limits, isWrite, count = 1}: QuotaCost): readonly string[] {
  const {all} = limits;
  const writes = isWrite ? limits.writes : 0;
  if (all !== known.all || writes !== known.writes || count !== known.count) {
    const [every, written] = [computeRequestAndMinuteCost(all), computeRequestAndMinuteCost(writes)];
    const steps = [computeQuotaCost(all, count), computeQuotaCost(writes, count)];
    known = {all, writes, count, args: [steps[0], every.span, steps[1], written.span].map(String)};
  }
  return known.args;
}

/**
 * The last result is cached, because all principals have the same limits, and most requests are charged as a
 * single one.
 */
let known = {all: Number.NaN, writes: Number.NaN, count: 1, args: [] as readonly string[]};

/** Parses `quota` from a script's answer; undefined when the script has counted nothing. */
export function parseQuotaVerdict(quota: string, granted: boolean, at: number): QuotaVerdict | undefined {
  if (quota === '') return undefined;
  const gap = quota.indexOf(' ');
  return {granted, tally: {all: Number(quota.slice(0, gap)), writes: Number(quota.slice(gap + 1))}, at};
}
