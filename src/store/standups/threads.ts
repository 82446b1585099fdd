import {type Id, idPrefixes, type IdSuffix, parseCreationTime, storedSuffix} from '../../domain/core/ids.js';
import {toInstant} from '../../domain/core/dates.js';
import {lists} from '../../domain/core/lists.js';
import {readIdOfWireJson} from '../../domain/core/resource.js';
import type {Reaction} from '../../domain/reactions/reaction.js';
import {emptyThread, type StoredThread} from '../../domain/standups/thread.js';
import {type RedisCommands, readValues} from '../core/connection.js';
import {listThreadsScript, readRecordIdsScript} from '../core/compiled/lua.js';
import {type Key, type WorkspaceKeys, workspaceKeys} from '../core/keys.js';

/**
 * A thread with comments or reactions, as scripts return it: its row from 1 on, the number of its comments, the
 * suffix of the last of them (empty without comments), and those of its reactions.
 */
export type FoundThread = [row: number, comments: number, last: string, reactions: string[]];

type ThreadReader = Pick<RedisCommands, 'call' | 'run'>;

/** The number of the last byte of the id at the beginning of a comment's record. */
const idEnd = `{"id":"${idPrefixes.comment}_`.length + 26;

/** Returns the keys that `findThreads` takes: the comments of each standup, then the reactions to each. */
export function createThreadKeys(
  keys: WorkspaceKeys,
  standups: readonly IdSuffix<'standup'>[],
): Key<'zset'>[] {
  return [
    ...standups.map((suffix) => keys.list(lists.commentsOf(suffix))),
    ...standups.map((suffix) => keys.list(lists.reactionsOn(suffix))),
  ];
}

/**
 * Reads the times of the last comments and the reactions of threads, by row from 0 on. Returns undefined if a
 * last comment has been deleted since the threads were read.
 */
export async function readThreads(
  {call, run}: ThreadReader,
  keys: WorkspaceKeys,
  found: readonly FoundThread[],
  deadline: number,
): Promise<ReadonlyMap<number, StoredThread> | undefined> {
  const last = found.flatMap(([, , suffix]) =>
    suffix === '' ? [] : [keys.record(storedSuffix<'comment'>(suffix))],
  );
  const reacted = found.flatMap(([, , , suffixes]) =>
    suffixes.map((suffix) => keys.record(storedSuffix<'reaction'>(suffix))),
  );
  const readBegins = async (): Promise<string[]> =>
    last.length === 0 ? [] : run(deadline, readRecordIdsScript, last, [String(idEnd)]);
  const [begins, reactions] = await Promise.all([readBegins(), readValues({call}, reacted, deadline)]);
  if (begins.includes('')) return undefined;
  let [commentsRead, reactionsRead] = [0, 0];
  return new Map(
    found.map(([row, comments, suffix, {length}]) => {
      const begin = suffix === '' ? undefined : begins[commentsRead++];
      const own = reactions.slice(reactionsRead, (reactionsRead += length));
      const thread: StoredThread = {
        comments,
        last_comment_at: begin === undefined ? null : toInstant(parseCreationTime(readIdOfWireJson(begin))),
        // One that is missing has been taken back since.
        reactions: own.flatMap((json) => (json === null ? [] : [JSON.parse(json) as Reaction])),
      };
      return [row - 1, thread];
    }),
  );
}

/** Reads the threads of standups. */
export function createThreads({call, run}: ThreadReader) {
  async function list(
    workspace: Id<'workspace'>,
    standups: readonly IdSuffix<'standup'>[],
    deadline: number,
  ): Promise<StoredThread[]> {
    if (standups.length === 0) return [];
    const keys = workspaceKeys(workspace);
    const found = await run<FoundThread[]>(deadline, listThreadsScript, createThreadKeys(keys, standups), []);
    const read = await readThreads({call, run}, keys, found, deadline);
    if (read === undefined) return list(workspace, standups, deadline);
    return standups.map((_, i) => read.get(i) ?? emptyThread);
  }

  return {list};
}
