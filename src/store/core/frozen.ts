import {createCache} from '../../domain/core/cache.js';
import type {Id} from '../../domain/core/ids.js';
import {freezeWorkspaceScript, thawWorkspaceScript} from './compiled/lua.js';
import type {RedisCommands} from './connection.js';
import {workspaceKeys} from './keys.js';

/** The time (ms) for which an answer is reused, so that work that is repeated quickly asks once. */
export const knownFrozenMs = 1_000;
const maxKnown = 1_000;

/**
 * The workspaces that are read-only, or frozen. Commits, and scripts that begin something outside, check it
 * themselves. Everything else asks `isFrozen` first, whose answers are up to a second old.
 */
export type FrozenWorkspaces = ReturnType<typeof createFrozenWorkspaces>;

export function createFrozenWorkspaces({call, run}: RedisCommands) {
  const known = createCache<'frozen' | 'open'>(maxKnown, knownFrozenMs);

  return {
    async isFrozen(workspace: Id<'workspace'>, deadline: number): Promise<boolean> {
      let state = known.get(workspace);
      if (state === undefined) {
        const head = workspaceKeys(workspace).head();
        state = (await call<number>(deadline, ['HEXISTS', head, 'frozen'])) === 1 ? 'frozen' : 'open';
        known.set(workspace, state);
      }
      return state === 'frozen';
    },
    /** Makes a workspace read-only. Returns the time (ms) since which it is; undefined without a workspace. */
    async freeze(workspace: Id<'workspace'>, deadline: number): Promise<number | undefined> {
      const head = workspaceKeys(workspace).head();
      const since = await run<string | null>(deadline, freezeWorkspaceScript, [head], []);
      return since === null ? undefined : Number(since);
    },
    /** Ends it, and lists the workspace as due. Returns false if it was not read-only. */
    async thaw(workspace: Id<'workspace'>, deadline: number): Promise<boolean> {
      const keys = workspaceKeys(workspace);
      const named = [keys.head(), keys.ready(), keys.slackReady()];
      return (await run<number>(deadline, thawWorkspaceScript, named, [])) === 1;
    },
  };
}
