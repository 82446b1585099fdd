import type {RedisConnection} from './connection.js';
import type {RedisClock} from './redis-clock.js';
import {type Script, script} from './script.js';

/** Another clock than that of the Redis server, for scripts and for this process. Only tests use it. */
export interface TimeSource {
  /** The Lua that replaces `redis.call('TIME')`. It returns seconds and microseconds as texts. */
  readonly lua: string;
  /** Returns the same time as the Lua, in Unix ms. */
  now: () => number;
  /** A clock that follows the times in answers, as with a real server, for tests of clock jumps. */
  readonly clock?: RedisClock;
}

/** The only spelling with which scripts read the time. */
const timeCall = /redis\.call\('TIME'\)/g;

/** Returns the connection with another clock for scripts. Keys still expire by Redis time. */
export function addTimeSource(connection: RedisConnection, source: TimeSource | undefined): RedisConnection {
  if (source === undefined) return connection;
  const {run} = connection;
  const rewritten = new Map<string, Script>();

  function replaceTimeCalls({sha, source: lua}: Script): Script {
    const known = rewritten.get(sha) ?? script(lua.replaceAll(timeCall, () => source?.lua ?? ''));
    rewritten.set(sha, known);
    return known;
  }

  const clock = source.clock ?? {now: () => source.now(), isSteady: () => true, observe: () => undefined};
  return {
    ...connection,
    run: (deadline, original, ...rest) => run(deadline, replaceTimeCalls(original), ...rest),
    clock,
    clockOf: () => clock,
  };
}
