import {type Id, suffixOf} from '../../domain/core/ids.js';
import {deadlines} from '../../domain/core/limits.js';
import {type RedisConnection, script} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';

/**
 * Remembers the minute in which each token was last used, and writes it to the store once a minute. The time
 * is only a hint for people: requests cost no more, other processes see it up to a minute late, and a kill
 * loses that minute.
 */
export interface TokenUse {
  note: (workspace: Id<'workspace'>, token: Id<'access_token'>) => void;
  /**
   * Returns the last use in ms since the epoch, rounded down to the minute; undefined for an unused token.
   */
  find: (
    workspace: Id<'workspace'>,
    tokens: readonly Id<'access_token'>[],
    deadline: number,
  ) => Promise<(number | undefined)[]>;
  /** Writes the collected uses. Those that cannot be written are dropped. */
  flush: () => Promise<void>;
}

const minuteMs = 60_000;
const writtenAtOnce = 200;

/**
 * Writes last uses. Only valid tokens are written, because a late write would leave data of revoked ones
 * forever. Only later times are written.
 */
const flushScript = script(`#!lua flags=allow-oom
for i = 2, #KEYS do
  local token, minute = ARGV[2 * i - 3], ARGV[2 * i - 2]
  if redis.call('EXISTS', KEYS[i]) == 1 then
    local known = redis.call('HGET', KEYS[1], token)
    if not known or tonumber(known) < tonumber(minute) then redis.call('HSET', KEYS[1], token, minute) end
  end
end`);

export function createTokenUse({
  call,
  run,
  clock,
}: Pick<RedisConnection, 'call' | 'run' | 'clock'>): TokenUse {
  let noted = new Map<Id<'workspace'>, Map<Id<'access_token'>, number>>();
  let timer: NodeJS.Timeout | undefined;

  async function writeNotedUse(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const written = noted;
    noted = new Map();
    for (const [workspace, minutes] of written) {
      const keys = workspaceKeys(workspace);
      const all = [...minutes];
      for (let i = 0; i < all.length; i += writtenAtOnce) {
        const some = all.slice(i, i + writtenAtOnce);
        await run(
          performance.now() + deadlines.request,
          flushScript,
          [keys.tokenUse(), ...some.map(([token]) => keys.liveToken(suffixOf(token)))],
          some.flatMap(([token, minute]) => [suffixOf(token), String(minute)]),
        );
      }
    }
  }

  const flushQuietly = (): Promise<void> => writeNotedUse().catch(() => undefined);

  return {
    note(workspace, token) {
      const minute = Math.floor(clock.now() / minuteMs);
      const minutes = noted.get(workspace) ?? new Map<Id<'access_token'>, number>();
      if (minutes.get(token) === minute) return;
      noted.set(workspace, minutes.set(token, minute));
      timer ??= setTimeout(() => void flushQuietly(), minuteMs).unref();
    },
    async find(workspace, tokens, deadline) {
      if (tokens.length === 0) return [];
      const stored = await call<(string | null)[]>(deadline, [
        'HMGET',
        workspaceKeys(workspace).tokenUse(),
        ...tokens.map(suffixOf),
      ]);
      return tokens.map((token, i) => {
        const minute = Math.max(Number(stored[i] ?? 0), noted.get(workspace)?.get(token) ?? 0);
        return minute === 0 ? undefined : minute * minuteMs;
      });
    },
    flush: flushQuietly,
  };
}
