import type {Id} from '../../domain/core/ids.js';
import {lifetimes} from '../../domain/core/limits.js';
import {type Work, workName} from '../../domain/core/work.js';
import {type Connection, script} from '../core/connection.js';
import {readyOf, workspaceKeys} from '../core/keys.js';

/** Consumers with a cursor in the log. A webhook that has fallen behind has one too: see deliveries.ts. */
export type Reader = 'webhooks' | 'slack';

/** The consumers of the log, and the position of each. */
export interface LogReaders {
  findCursor: (workspace: Id<'workspace'>, reader: Reader, deadline: number) => Promise<number | undefined>;
  /**
   * Adds a consumer, starting with the next event; a known consumer keeps its position. The process that runs
   * it repeats this from time to time.
   */
  addReader: (workspace: Id<'workspace'>, reader: Reader, deadline: number) => Promise<void>;
  /** Removes a consumer without a heartbeat for `idleMs`. True when there is none. */
  dropIdleReader: (
    workspace: Id<'workspace'>,
    reader: 'slack',
    idleMs: number,
    deadline: number,
  ) => Promise<boolean>;
  /**
   * Removes a consumer that has seen everything from the ready set; one that has not stays in it, and the
   * result is true.
   */
  settleReader: (workspace: Id<'workspace'>, reader: Reader, deadline: number) => Promise<boolean>;
  /**
   * Counts a failure of a consumer on an event; returns how often it has failed so far, and for how long
   * (ms).
   */
  noteFailure: (
    workspace: Id<'workspace'>,
    reader: Reader,
    sequence: number,
    deadline: number,
  ) => Promise<{tries: number; forMs: number}>;
}

const now = `
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))`;

/** KEYS: head. ARGV: reader. */
const addReaderScript = script(`#!lua flags=allow-oom
${now}
local sequence = redis.call('HGET', KEYS[1], 'sequence')
if not sequence then return 0 end
redis.call('HSETNX', KEYS[1], 'cursor:' .. ARGV[1], sequence)
redis.call('HSET', KEYS[1], 'run:' .. ARGV[1], now)
return 1`);

/** KEYS: head, ready. ARGV: reader, how long it may be idle (ms), its work. Returns 1 when there is none. */
const dropReaderScript = script(`#!lua flags=allow-oom
${now}
local cursor, run = 'cursor:' .. ARGV[1], 'run:' .. ARGV[1]
if redis.call('HEXISTS', KEYS[1], cursor) == 0 then return 1 end
redis.call('HSETNX', KEYS[1], run, now)
if now - redis.call('HGET', KEYS[1], run) < tonumber(ARGV[2]) then return 0 end
redis.call('HDEL', KEYS[1], cursor, run)
redis.call('ZREM', KEYS[2], ARGV[3])
return 1`);

const settleScript = script(`#!lua flags=allow-oom
local head = redis.call('HMGET', KEYS[1], 'sequence', 'cursor:' .. ARGV[1])
if head[1] and head[2] and head[1] ~= head[2] then return 1 end
redis.call('ZREM', KEYS[2], ARGV[2])
return 0`);

/** KEYS: failure. ARGV: sequence, lifetime (s). Keeps `<sequence> <tries> <since (ms)>`. */
const noteFailureScript = script(`#!lua flags=allow-oom
${now}
local sequence, tries, since = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+) (%d+)$')
if sequence ~= ARGV[1] then tries, since = 0, now end
tries = tries + 1
redis.call('SET', KEYS[1], string.format('%s %d %.0f', ARGV[1], tries, tonumber(since)), 'EX', ARGV[2])
return {tries, now - since}`);

const readerWork: Record<Reader, Work> = {webhooks: {kind: 'fan-out'}, slack: {kind: 'read-slack'}};

export function createLogReaders({call, run}: Pick<Connection, 'call' | 'run'>): LogReaders {
  return {
    async findCursor(workspace, reader, deadline) {
      const cursor = await call<string | null>(deadline, [
        'HGET',
        workspaceKeys(workspace).head(),
        `cursor:${reader}`,
      ]);
      return cursor === null ? undefined : Number(cursor);
    },
    async addReader(workspace, reader, deadline) {
      await run(deadline, addReaderScript, [workspaceKeys(workspace).head()], [reader]);
    },
    async dropIdleReader(workspace, reader, idleMs, deadline) {
      const keys = workspaceKeys(workspace);
      const args = [reader, String(idleMs), workName(readerWork[reader])];
      return (await run<number>(deadline, dropReaderScript, [keys.head(), keys.slackReady()], args)) === 1;
    },
    async noteFailure(workspace, reader, sequence, deadline) {
      const key = workspaceKeys(workspace).readerFailure(reader);
      const args = [String(sequence), String(lifetimes.events)];
      const [tries, forMs] = await run<[number, number]>(deadline, noteFailureScript, [key], args);
      return {tries, forMs};
    },
    async settleReader(workspace, reader, deadline) {
      const keys = workspaceKeys(workspace);
      const work = readerWork[reader];
      const args = [reader, workName(work)];
      return (await run<number>(deadline, settleScript, [keys.head(), readyOf(keys, work)], args)) === 1;
    },
  };
}
