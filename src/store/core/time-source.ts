import {type RedisConnection, type Script, script} from './connection.js';
import type {RedisClock} from './redis-clock.js';

/** A time other than the Redis server's, for the store's scripts and for this process. Only for tests. */
export interface TimeSource {
  /** Lua that replaces `redis.call('TIME')`: seconds and microseconds, as texts. */
  readonly lua: string;
  /** Unix ms; the same time as in Lua. */
  now: () => number;
  /** Follows the store's time from replies, as with a real server: for tests of a clock that jumps. */
  readonly clock?: RedisClock;
}

/** The one spelling with which scripts read the time. */
export const timeCall = "redis.call('TIME')";

/**
 * The same connection, but the source answers every script and every plain `TIME`. Keys still expire by
 * Redis' own clock.
 */
export function withTimeSource(connection: RedisConnection, source: TimeSource | undefined): RedisConnection {
  if (source === undefined) return connection;
  const {run} = connection;
  const rewritten = new Map<string, Script>();
  const readTime = script(`#!lua flags=allow-oom\nreturn ${source.lua}`);

  function replaceTimeCalls({sha, source: lua}: Script): Script {
    const known = rewritten.get(sha) ?? script(lua.replaceAll(timeCall, source?.lua ?? ''));
    rewritten.set(sha, known);
    return known;
  }

  return {
    ...connection,
    call: (deadline, args) =>
      args.length === 1 && args[0] === 'TIME'
        ? run(deadline, readTime, [], [])
        : connection.call(deadline, args),
    run: (deadline, original, keys, args) => run(deadline, replaceTimeCalls(original), keys, args),
    clock: source.clock ?? {now: () => source.now(), isSteady: () => true, observe: () => undefined},
  };
}
