import {parseWorkName, type Work} from '../../domain/core/work.js';
import {type RedisConnection, script} from './connection.js';
import {globalKeys, workspaceKeys} from './keys.js';
import type {Id} from '../../domain/core/ids.js';

/** A process that runs, or ran and has not reported a stop. */
export interface OtherWorker {
  readonly holder: string;
  /** The identity of the process on its machine; empty if there is none. */
  readonly identity: string;
  /** The time since the last heartbeat (ms). */
  readonly silentMs: number;
}

export interface Workers {
  /**
   * Records that this process runs, and returns the other processes and the time of Redis (ms). A process
   * calls this again and again, as its heartbeat.
   */
  join: (holder: string, identity: string, deadline: number) => Promise<{others: OtherWorker[]; now: number}>;
  /** Records that a process has stopped, and gives up the schedulers' leases that it held. */
  leave: (holder: string, deadline: number) => Promise<void>;
  listWorkspaces: (deadline: number) => Promise<Id<'workspace'>[]>;
  /**
   * Ends the leases of deliveries and Slack channels that would end before an instant (ms). Returns the work
   * that may continue. It may only be called when the processes that hold these leases are dead.
   */
  endLeases: (workspace: Id<'workspace'>, before: number, deadline: number) => Promise<Work[]>;
}

/** The time without a heartbeat after which a process is forgotten (ms). */
const forgottenMs = 24 * 3_600_000;

/**
 * Records a heartbeat. KEYS: the running processes. ARGV: the name of this process, its identity on its
 * machine. Returns the time, and the names and entries of all other processes.
 */
const joinScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local others = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if now - (tonumber(string.match(all[i + 1], '^%d+') or '') or 0) > ${forgottenMs} then
    redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= ARGV[1] then
    others[#others + 1] = all[i]
    others[#others + 1] = all[i + 1]
  end
end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f ', now) .. ARGV[2])
return {now, others}`);

/** Removes a process. KEYS: the running processes, each scheduler's lease. ARGV: the name of the process. */
const leaveScript = script(`#!lua flags=allow-oom
redis.call('HDEL', KEYS[1], ARGV[1])
for i = 2, #KEYS do
  if redis.call('GET', KEYS[i]) == ARGV[1] then redis.call('DEL', KEYS[i]) end
end
return 1`);

/**
 * Ends the leases of a webhook's deliveries. KEYS: the due work, the deliveries in progress, those of replays
 * in progress. ARGV: the instant (ms) before which the leases would end, the name of the webhook's work.
 * Returns the number of ended leases.
 */
const endDeliveriesScript = script(`#!lua flags=allow-oom
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local ended = 0
for i = 2, 3 do
  for _, delivery in ipairs(redis.call('ZRANGE', KEYS[i], '(' .. now, ARGV[1], 'BYSCORE')) do
    redis.call('ZADD', KEYS[i], now, delivery)
    ended = ended + 1
  end
end
if ended > 0 then redis.call('ZADD', KEYS[1], 'LT', now, ARGV[2]) end
return ended`);

/**
 * Ends the lease of a Slack channel, but not a pause that Slack wants. KEYS: the due Slack work, the lease.
 * ARGV: the instant (ms) before which the lease would end, the name of the channel's work. Returns 1 when the
 * lease has ended.
 */
const endChannelScript = script(`#!lua flags=allow-oom
local holder = redis.call('GET', KEYS[2])
if not holder or holder == 'paused' or redis.call('PEXPIRETIME', KEYS[2]) > tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[2])
redis.call('ZADD', KEYS[1], 'LT', redis.call('TIME')[1] * 1000, ARGV[2])
return 1`);

export function createWorkers({call, run}: Pick<RedisConnection, 'call' | 'run'>): Workers {
  async function endChannelLease(
    workspace: Id<'workspace'>,
    work: Work,
    name: string,
    before: number,
    deadline: number,
  ): Promise<boolean> {
    const keys = workspaceKeys(workspace);
    const args = [String(before), name];
    if (work.kind === 'deliver') {
      const held = [keys.ready(), keys.inflight(work.webhook), keys.replaying(work.webhook)];
      return (await run<number>(deadline, endDeliveriesScript, held, args)) > 0;
    }
    if (work.kind !== 'post-slack') return false;
    const held = [keys.slackReady(), keys.slackLease(work.channel)];
    return (await run<number>(deadline, endChannelScript, held, args)) > 0;
  }

  return {
    async join(holder, identity, deadline) {
      const key = [globalKeys.workers()];
      const [now, flat] = await run<[number, string[]]>(deadline, joinScript, key, [holder, identity]);
      const others: OtherWorker[] = [];
      for (let i = 0; i < flat.length; i += 2) {
        const [, seen = '', known = ''] = /^(\d+) (.*)$/.exec(flat[i + 1] ?? '') ?? [];
        others.push({holder: flat[i] ?? '', identity: known, silentMs: now - Number(seen)});
      }
      return {others, now};
    },
    async leave(holder, deadline) {
      const held = [globalKeys.workers(), globalKeys.scheduler(), globalKeys.slackScheduler()];
      await run(deadline, leaveScript, held, [holder]);
    },
    listWorkspaces: (deadline) => call<Id<'workspace'>[]>(deadline, ['SMEMBERS', globalKeys.workspaces()]),
    async endLeases(workspace, before, deadline) {
      const keys = workspaceKeys(workspace);
      // Work with a lease is listed at the end of that lease.
      const ends = ['-inf', String(before), 'BYSCORE'];
      const names = await Promise.all(
        [keys.ready(), keys.slackReady()].map((key) => call<string[]>(deadline, ['ZRANGE', key, ...ends])),
      );
      const ended: Work[] = [];
      for (const name of names.flat()) {
        const work = parseWorkName(name);
        if (work !== undefined && (await endChannelLease(workspace, work, name, before, deadline)))
          ended.push(work);
      }
      return ended;
    },
  };
}
