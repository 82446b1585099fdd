import {
  computeRequestAndMinuteCost,
  computeQuotaCost,
  type QuotaCost,
  type QuotaVerdict,
} from '../../domain/core/quota.js';

/** Returns the arguments of `takeQuota` in include/take-quota.lua. */
export function createQuotaArgs({limits, isWrite, count = 1, period}: QuotaCost): string[] {
  return [limits.all, isWrite ? limits.writes : 0].flatMap((limit) => [
    String(computeQuotaCost(limit, count, period)),
    String(computeRequestAndMinuteCost(limit, period).span),
  ]);
}

/** Parses `quota` from a script's answer; undefined when the script has counted nothing. */
export function parseQuotaVerdict(quota: string, granted: boolean, at: number): QuotaVerdict | undefined {
  if (quota === '') return undefined;
  const gap = quota.indexOf(' ');
  return {granted, tally: {all: Number(quota.slice(0, gap)), writes: Number(quota.slice(gap + 1))}, at};
}
