import {type Id, suffixOf} from '../../domain/core/ids.js';
import {deadlines} from '../../domain/core/limits.js';
import type {RedisConnection} from '../core/connection.js';
import {writeTokenUseScript} from '../core/compiled/lua.js';
import {workspaceKeys} from '../core/keys.js';

const minuteMs = 60_000;
const writtenAtOnce = 200;

/**
 * Remembers the minute in which each token was last used, and writes it to the store once a minute. The time
 * is only a hint for people: requests cost no more, other processes see it up to a minute late, and a kill
 * loses that minute.
 */
export function createTokenUse({call, run, clock}: RedisConnection) {
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
          writeTokenUseScript,
          [keys.tokenUse(), keys.head(), ...some.map(([token]) => keys.liveToken(suffixOf(token)))],
          some.flatMap(([token, minute]) => [suffixOf(token), String(minute)]),
        );
      }
    }
  }

  const flushQuietly = (): Promise<void> => writeNotedUse().catch(() => undefined);

  return {
    note(workspace: Id<'workspace'>, token: Id<'access_token'>): void {
      const minute = Math.floor(clock.now() / minuteMs);
      const minutes = noted.get(workspace) ?? new Map<Id<'access_token'>, number>();
      if (minutes.get(token) === minute) return;
      noted.set(workspace, minutes.set(token, minute));
      timer ??= setTimeout(() => void flushQuietly(), minuteMs).unref();
    },
    /** Returns the last use in ms since the epoch, rounded down to the minute; undefined for none. */
    async find(
      workspace: Id<'workspace'>,
      tokens: readonly Id<'access_token'>[],
      deadline: number,
    ): Promise<(number | undefined)[]> {
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
    /** Writes the collected uses. Those that cannot be written are dropped. */
    flush: flushQuietly,
  };
}
