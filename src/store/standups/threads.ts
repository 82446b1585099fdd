import {type Id, idPrefixes, type IdSuffix, parseCreationTime, storedSuffix} from '../../domain/core/ids.js';
import {toInstant} from '../../domain/core/dates.js';
import {lists} from '../../domain/core/lists.js';
import {readIdOfWireJson} from '../../domain/core/resource.js';
import {emptyThread, type Thread} from '../../domain/standups/thread.js';
import type {RedisCommands} from '../core/connection.js';
import {listThreadsScript, readRecordIdsScript} from '../core/compiled/lua.js';
import {type Key, type WorkspaceKeys, workspaceKeys} from '../core/keys.js';

/** A thread with comments, as scripts return it: its row from 1 on, its size, and the suffix of its last comment. */
export type FoundThread = [row: number, comments: number, last: string];

/** The number of the last byte of the id at the beginning of a comment's record. */
const idEnd = `{"id":"${idPrefixes.comment}_`.length + 26;

export const createThreadKey =
  (keys: WorkspaceKeys) =>
  (standup: IdSuffix<'standup'>): Key<'zset'> =>
    keys.list(lists.commentsOf(standup));

/**
 * Reads when the last comment of each thread was written. Returns undefined if one of them has been deleted since
 * the threads were read.
 */
export async function readThreadTimes(
  {run}: Pick<RedisCommands, 'run'>,
  keys: WorkspaceKeys,
  found: readonly FoundThread[],
  deadline: number,
): Promise<ReadonlyMap<number, Thread> | undefined> {
  if (found.length === 0) return new Map();
  const records = found.map(([, , last]) => keys.record(storedSuffix<'comment'>(last)));
  const begins = await run<string[]>(deadline, readRecordIdsScript, records, [String(idEnd)]);
  if (begins.includes('')) return undefined;
  return new Map(
    found.map(([row, comments], i) => {
      const at = parseCreationTime(readIdOfWireJson(begins[i] ?? ''));
      return [row - 1, {comments, last_comment_at: toInstant(at)}];
    }),
  );
}

/** Reads the threads of standups. */
export function createThreads({run}: Pick<RedisCommands, 'run'>) {
  async function list(
    workspace: Id<'workspace'>,
    standups: readonly IdSuffix<'standup'>[],
    deadline: number,
  ): Promise<Thread[]> {
    if (standups.length === 0) return [];
    const keys = workspaceKeys(workspace);
    const threads = standups.map(createThreadKey(keys));
    const found = await run<FoundThread[]>(deadline, listThreadsScript, threads, []);
    const read = await readThreadTimes({run}, keys, found, deadline);
    if (read === undefined) return list(workspace, standups, deadline);
    return standups.map((_, i) => read.get(i) ?? emptyThread);
  }

  return {list};
}
