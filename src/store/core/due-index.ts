import {deadlines} from '../../domain/core/limits.js';
import type {WorkSide} from '../../domain/core/work.js';
import type {RedisCommands, RedisConnection} from './connection.js';
import {correctDueIndexScript, noteDueWorkspacesScript} from './compiled/lua.js';
import {globalKeys} from './keys.js';
import {isReadOnly} from './script.js';
import {type Id, storedId} from '../../domain/core/ids.js';

/**
 * An index of workspaces by the time at which they must be checked for due work. It is not part of commits,
 * and may be on another cluster node. So work of a killed process may be missing. Each
 * search for work therefore also checks some workspaces in turn, and corrects the index.
 */
export interface DueIndex {
  /** Lists the workspaces to check at an instant (ms), the one that was checked longest ago first. */
  list: (side: WorkSide, now: number, limit: number, deadline: number) => Promise<DueEntry[]>;
  /** Returns the index entries of these workspaces. */
  find: (side: WorkSide, workspaces: readonly Id<'workspace'>[], deadline: number) => Promise<DueEntry[]>;
  /** Updates index entries, except those that another process has changed since they were read. */
  correct: (side: WorkSide, changes: readonly Correction[], deadline: number) => Promise<void>;
}

/** An entry of the index. `score`: as the store writes it; empty for a workspace without an entry. */
export interface DueEntry {
  readonly workspace: Id<'workspace'>;
  readonly score: string;
}

/** The new time of an entry: `at` is the next check (ms), undefined if only new work needs one. */
export interface Correction extends DueEntry {
  readonly at: number | undefined;
}

const indexes = {service: globalKeys.due, slack: globalKeys.slackDue} as const;

export function createDueIndex({call, run}: RedisCommands): DueIndex {
  return {
    async list(side, now, limit, deadline) {
      const range = ['-inf', String(now), 'BYSCORE', 'LIMIT', '0', String(limit), 'WITHSCORES'];
      const found = await call<string[]>(deadline, ['ZRANGE', indexes[side](), ...range]);
      return found.flatMap((workspace, i) =>
        i % 2 === 0 ? [{workspace: storedId<'workspace'>(workspace), score: found[i + 1] ?? ''}] : [],
      );
    },
    async find(side, workspaces, deadline) {
      if (workspaces.length === 0) return [];
      const scores = await call<(string | null)[]>(deadline, ['ZMSCORE', indexes[side](), ...workspaces]);
      return workspaces.map((workspace, i) => ({workspace, score: scores[i] ?? ''}));
    },
    async correct(side, changes, deadline) {
      if (changes.length === 0) return;
      const args = changes.flatMap(({workspace, score, at}) => [workspace, score, at?.toString() ?? '']);
      await run(deadline, correctDueIndexScript, [indexes[side]()], args);
    },
  };
}

/** The longest time (ms) for which the index may lack new work. A killed process forgets at most this. */
const noteEveryMs = 20;

const ends: Readonly<Record<WorkSide, string>> = {service: '}:ready', slack: '}:ready:slack'};
const sides = ['service', 'slack'] as const;

/**
 * Returns the connection, which from now on also updates the index. Every script that can add work has the
 * key of a workspace's due work. A moment after such scripts have run, the entries of their workspaces are
 * updated together, without delaying the scripts.
 */
export function addDueIndexUpdates(connection: RedisConnection): RedisConnection {
  const noted: Record<WorkSide, Set<string>> = {service: new Set(), slack: new Set()};
  let timer: NodeJS.Timeout | undefined;

  function collectDueWorkspaces(keys: readonly string[]): void {
    for (const key of keys) {
      for (const side of sides) {
        if (!key.endsWith(ends[side])) continue;
        noted[side].add(key.slice(1, -ends[side].length));
        timer ??= setTimeout(() => void sendDueWorkspaces(), noteEveryMs).unref();
      }
    }
  }

  /** Sends the collected updates. Those that fail are sent again the next time. */
  async function sendDueWorkspaces(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await Promise.all(
      sides.map(async (side) => {
        const workspaces = [...noted[side]];
        noted[side].clear();
        if (workspaces.length === 0) return;
        await connection
          .run(performance.now() + deadlines.request, noteDueWorkspacesScript, [indexes[side]()], workspaces)
          .catch(() => workspaces.forEach((workspace) => noted[side].add(workspace)));
      }),
    );
  }

  return {
    ...connection,
    run(deadline, code, keys, args, mustConfirm) {
      // Noted before the answer: the script may have added work even if its answer is lost.
      if (!isReadOnly(code)) collectDueWorkspaces(keys);
      return connection.run(deadline, code, keys, args, mustConfirm);
    },
    async close() {
      await sendDueWorkspaces();
      clearTimeout(timer);
      await connection.close();
    },
  };
}
