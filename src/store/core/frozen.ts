import {createCache} from '../../domain/core/cache.js';
import type {Id} from '../../domain/core/ids.js';
import {findFrozenScript, freezeWorkspaceScript, thawWorkspaceScript} from './compiled/lua.js';
import type {RedisCommands} from './connection.js';
import {workspaceKeys} from './keys.js';

/** The time (ms) for which an answer is reused, so that work that is repeated quickly asks once. */
export const knownFrozenMs = 1_000;
const maxKnown = 1_000;

/**
 * The workspaces that are read-only, or frozen. Commits, and scripts that begin something outside, check it
 * themselves. Everything else asks `isFrozen` first, whose answers are up to a second old. Commits and searches
 * for due work learn the same from the store anyway, and note it here, so a busy workspace is seldom asked.
 */
export type FrozenWorkspaces = ReturnType<typeof createFrozenWorkspaces>;

export function createFrozenWorkspaces({run}: Pick<RedisCommands, 'run'>) {
  const known = createCache<'frozen' | 'open'>(maxKnown, knownFrozenMs);

  function note(workspace: Id<'workspace'>, isFrozen: boolean): void {
    known.set(workspace, isFrozen ? 'frozen' : 'open');
  }

  return {
    /** Notes what the store has just said about a workspace. */
    note,
    /** True also for a workspace of which an import has written only a part. */
    async isFrozen(workspace: Id<'workspace'>, deadline: number): Promise<boolean> {
      const state = known.get(workspace);
      if (state !== undefined) return state === 'frozen';
      const keys = workspaceKeys(workspace);
      const found = await run<number>(deadline, findFrozenScript, [keys.head(), keys.importProgress()], []);
      note(workspace, found === 1);
      return found === 1;
    },
    /** Makes a workspace read-only. Returns the time (ms) since which it is; undefined without a workspace. */
    async freeze(workspace: Id<'workspace'>, deadline: number): Promise<number | undefined> {
      const head = workspaceKeys(workspace).head();
      const since = await run<string | null>(deadline, freezeWorkspaceScript, [head], []);
      return since === null ? undefined : Number(since);
    },
    /** Ends it, and lists the workspace as due. `exported`: it was exported while it was read-only. */
    async thaw(
      workspace: Id<'workspace'>,
      deadline: number,
    ): Promise<'open' | 'frozen' | 'exported' | 'removing'> {
      const keys = workspaceKeys(workspace);
      const named = [keys.head(), keys.ready(), keys.slackReady()];
      const before = await run<0 | 1 | 2 | 3>(deadline, thawWorkspaceScript, named, []);
      return (['open', 'frozen', 'exported', 'removing'] as const)[before];
    },
  };
}
