import {
  computeRequestAndMinuteCost,
  computeQuotaCost,
  type QuotaCost,
  type QuotaVerdict,
} from '../../domain/core/quota.js';

/** The Lua for a key or an argument, by its position among those of the current step. */
type LuaReference = (n: number) => string;

/** Returns the arguments of `takeQuota`. */
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

/**
 * Returns the Lua that takes a request from a quota, as domain/core/quota.ts does in TypeScript. The Lua
 * needs `now` in ms and sets two variables: `quota`, the new state, and `over`, true if too little was left.
 * The state is not written to the append-only file or to replicas: losing a minute's count is better than a
 * disk write for each read. On a full or read-only store `quota` stays empty, so that reads still work and
 * each process counts alone. `arg`: the numbers of the limit. `kept`: the stored state before the request.
 */
export function takeQuota(
  key: LuaReference,
  arg: LuaReference,
  kept = `redis.call('GET', ${key(0)})`,
): string {
  return `
do
  local at, all, writes = now * 1000, 0, 0
  local kept = ${kept}
  if kept then
    all, writes = string.match(kept, '^(%d+) (%d+)$')
    all, writes = tonumber(all or 0), tonumber(writes or 0)
  end
  local dueAll, dueWrites = all, writes
  over = false
  ${createCountRequestLua('dueAll', arg(0), arg(1))}
  ${createCountRequestLua('dueWrites', arg(2), arg(3))}
  quota = string.format('%d %d', over and all or dueAll, over and writes or dueWrites)
  local left = math.ceil((math.max(dueAll, dueWrites) - at) / 1000)
  if not over and left > 0 then
    redis.set_repl(redis.REPL_NONE)
    local written = redis.pcall('SET', ${key(0)}, quota, 'PX', left)
    redis.set_repl(redis.REPL_ALL)
    if written.err then quota = '' end
  end
end`;
}

/**
 * Returns the Lua that counts a request. If more than the whole quota is used, the clock has been set back.
 */
function createCountRequestLua(due: string, step: string, span: string): string {
  return `if ${step} > 0 then
    if ${due} < at or ${due} - at > ${span} then ${due} = at end
    ${due} = ${due} + ${step}
    over = over or ${due} - at > ${span}
  end`;
}

/** The variables that `takeQuota` sets. */
export const quotaLocals = `local quota, over = '', false`;

/** Parses `quota` from a script's answer; undefined when the script has counted nothing. */
export function parseQuotaVerdict(quota: string, granted: boolean, at: number): QuotaVerdict | undefined {
  if (quota === '') return undefined;
  const gap = quota.indexOf(' ');
  return {granted, tally: {all: Number(quota.slice(0, gap)), writes: Number(quota.slice(gap + 1))}, at};
}
