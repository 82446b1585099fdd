import {type Connection, type Script, script} from './connection.js';
import type {RedisClock} from './redis-clock.js';

/** Another time than that of the Redis server, for the store's scripts and for this process. Only tests have one. */
export interface TimeSource {
  /** Lua that stands in for `redis.call('TIME')`: seconds and microseconds, as texts. */
  readonly lua: string;
  /** Unix ms; the same as the Lua tells. */
  now: () => number;
  /** Follows the store's time by what replies tell, as a real server's: for tests of a clock that leaps. */
  readonly clock?: RedisClock;
}

/** The one spelling by which scripts ask for the time. */
export const timeCall = "redis.call('TIME')";

/** The same connection, over which every script and every plain `TIME` is answered by the source. What Redis lets expire goes by its own clock. */
export function withTime(connection: Connection, source: TimeSource | undefined): Connection {
  if (source === undefined) return connection;
  const {run} = connection;
  const told = new Map<string, Script>();
  const readTime = script(`#!lua flags=allow-oom\nreturn ${source.lua}`);

  function retold({sha, source: lua}: Script): Script {
    const known = told.get(sha) ?? script(lua.replaceAll(timeCall, source?.lua ?? ''));
    told.set(sha, known);
    return known;
  }

  return {
    ...connection,
    call: (deadline, args) =>
      args.length === 1 && args[0] === 'TIME'
        ? run(deadline, readTime, [], [])
        : connection.call(deadline, args),
    run: (deadline, original, keys, args) => run(deadline, retold(original), keys, args),
    clock: source.clock ?? {now: () => source.now(), isSteady: () => true, observe: () => undefined},
  };
}
