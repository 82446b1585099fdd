import type {Id} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {type Work, workName} from '../../domain/core/work.js';
import {type RedisConnection, script} from '../core/connection.js';
import {findReadySet, workspaceKeys} from '../core/keys.js';

/**
 * The readers of the event log whose positions this module stores. A webhook that has fallen behind has a
 * position too (deliveries.ts).
 */
export type Consumer = 'webhooks' | 'slack';

/** The readers of the event log, and their positions. */
export interface LogConsumers {
  findCursor: (
    workspace: Id<'workspace'>,
    consumer: Consumer,
    deadline: number,
  ) => Promise<number | undefined>;
  /**
   * Adds a reader, which starts with the next event. A known reader keeps its position. The process that
   * serves the reader repeats this call as a heartbeat.
   */
  addConsumer: (workspace: Id<'workspace'>, consumer: Consumer, deadline: number) => Promise<void>;
  /**
   * Removes a reader without a heartbeat for `idleMs`. Returns true when the reader does not exist
   * afterwards.
   */
  removeIdleConsumer: (
    workspace: Id<'workspace'>,
    consumer: 'slack',
    idleMs: number,
    deadline: number,
  ) => Promise<boolean>;
  /**
   * Removes the work of a reader that has seen all events. If there are more events, keeps the work and
   * returns true.
   */
  removeCaughtUpConsumer: (
    workspace: Id<'workspace'>,
    consumer: Consumer,
    deadline: number,
  ) => Promise<boolean>;
  /**
   * Counts a failure of a reader while it handled an event. Returns the number of failures on this event so
   * far, and the time since the first (ms).
   */
  noteFailure: (
    workspace: Id<'workspace'>,
    consumer: Consumer,
    sequence: number,
    deadline: number,
  ) => Promise<{tries: number; forMs: number}>;
}

const now = `
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))`;

/**
 * Adds a reader of the log, or repeats its heartbeat. KEYS: the workspace's head. ARGV: the name of the
 * reader.
 */
const addConsumerScript = script(`#!lua flags=allow-oom
${now}
local sequence = redis.call('HGET', KEYS[1], 'sequence')
if not sequence then return 0 end
redis.call('HSETNX', KEYS[1], 'cursor:' .. ARGV[1], sequence)
redis.call('HSET', KEYS[1], 'run:' .. ARGV[1], now)
return 1`);

/**
 * Removes an idle reader of the log. KEYS: the workspace's head, the due work. ARGV: the name of the reader,
 * the allowed time without a heartbeat (ms), the name of its work. Returns 1 when the reader does not exist
 * afterwards.
 */
const removeConsumerScript = script(`#!lua flags=allow-oom
${now}
local cursor, run = 'cursor:' .. ARGV[1], 'run:' .. ARGV[1]
if redis.call('HEXISTS', KEYS[1], cursor) == 0 then return 1 end
redis.call('HSETNX', KEYS[1], run, now)
if now - redis.call('HGET', KEYS[1], run) < tonumber(ARGV[2]) then return 0 end
redis.call('HDEL', KEYS[1], cursor, run)
redis.call('ZREM', KEYS[2], ARGV[3])
return 1`);

const removeCaughtUpScript = script(`#!lua flags=allow-oom
local head = redis.call('HMGET', KEYS[1], 'sequence', 'cursor:' .. ARGV[1])
if head[1] and head[2] and head[1] ~= head[2] then return 1 end
redis.call('ZREM', KEYS[2], ARGV[2])
return 0`);

/**
 * Counts a reader's failure. KEYS: the record of the reader's failure. ARGV: the number of the event, the
 * lifetime of the record (s). Stores `<number> <attempts> <since (ms)>`.
 */
const noteFailureScript = script(`#!lua flags=allow-oom
${now}
local sequence, tries, since = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+) (%d+)$')
if sequence ~= ARGV[1] then tries, since = 0, now end
tries = tries + 1
redis.call('SET', KEYS[1], string.format('%s %d %.0f', ARGV[1], tries, tonumber(since)), 'EX', ARGV[2])
return {tries, now - since}`);

const consumerWork: Record<Consumer, Work> = {webhooks: {kind: 'fan-out'}, slack: {kind: 'read-slack'}};

export function createLogConsumers({call, run}: Pick<RedisConnection, 'call' | 'run'>): LogConsumers {
  return {
    async findCursor(workspace, consumer, deadline) {
      const cursor = await call<string | null>(deadline, [
        'HGET',
        workspaceKeys(workspace).head(),
        `cursor:${consumer}`,
      ]);
      return cursor === null ? undefined : Number(cursor);
    },
    async addConsumer(workspace, consumer, deadline) {
      await run(deadline, addConsumerScript, [workspaceKeys(workspace).head()], [consumer]);
    },
    async removeIdleConsumer(workspace, consumer, idleMs, deadline) {
      const keys = workspaceKeys(workspace);
      const args = [consumer, String(idleMs), workName(consumerWork[consumer])];
      return (
        (await run<number>(deadline, removeConsumerScript, [keys.head(), keys.slackReady()], args)) === 1
      );
    },
    async noteFailure(workspace, consumer, sequence, deadline) {
      const key = workspaceKeys(workspace).consumerFailure(consumer);
      const args = [String(sequence), String(lifetimes.events)];
      const [tries, forMs] = await run<[number, number]>(deadline, noteFailureScript, [key], args);
      return {tries, forMs};
    },
    async removeCaughtUpConsumer(workspace, consumer, deadline) {
      const keys = workspaceKeys(workspace);
      const work = consumerWork[consumer];
      const args = [consumer, workName(work)];
      return (
        (await run<number>(deadline, removeCaughtUpScript, [keys.head(), findReadySet(keys, work)], args)) ===
        1
      );
    },
  };
}
