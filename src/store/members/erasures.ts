import {
  erasedKinds,
  createErasureId,
  type ErasureRecord,
  type ErasureState,
} from '../../domain/members/erasure.js';
import {type Id, suffixOf, storedSuffix, type IdSuffix} from '../../domain/core/ids.js';
import {lists, type PageQuery} from '../../domain/core/lists.js';
import type {RedisCommands} from '../core/connection.js';
import {workspaceKeys} from '../core/keys.js';
import {readPage} from '../core/record-lists.js';

/** Reads the progress of erasures. Only commits write it. */
export function createErasures({call}: RedisCommands) {
  async function readErasure(
    workspace: Id<'workspace'>,
    suffix: IdSuffix<'erasure'>,
    deadline: number,
  ): Promise<ErasureRecord | undefined> {
    const fields = ['at', 'state', 'member', 'ended', ...erasedKinds];
    const key = workspaceKeys(workspace).erasure(suffix);
    const [at, state, member, ended, ...counts] = await call<(string | null)[]>(deadline, [
      'HMGET',
      key,
      ...fields,
    ]);
    if (at === null || at === undefined) return undefined;
    return {
      suffix,
      at: Number(at),
      state: state as ErasureState,
      member: member === null || member === undefined ? undefined : storedSuffix(member),
      erased: Object.fromEntries(
        erasedKinds.map((kind, i) => [kind, Number(counts[i] ?? 0)]),
      ) as ErasureRecord['erased'],
      endedAt: ended === null || ended === undefined ? undefined : Number(ended),
    };
  }

  return {
    async find(
      workspace: Id<'workspace'>,
      id: Id<'erasure'>,
      deadline: number,
    ): Promise<ErasureRecord | undefined> {
      const found = await readErasure(workspace, suffixOf(id), deadline);
      return found !== undefined && createErasureId(found.suffix, found.at) === id ? found : undefined;
    },
    /** Lists erasures, newest first. `past` is the position at which the last page ended. */
    async list(
      workspace: Id<'workspace'>,
      page: PageQuery,
      deadline: number,
    ): Promise<{erasures: ErasureRecord[]; next: number | undefined}> {
      const key = workspaceKeys(workspace).list(lists.erasures());
      const {entries, next} = await readPage<IdSuffix<'erasure'>>(call, key, page, deadline);
      const records = await Promise.all(entries.map((suffix) => readErasure(workspace, suffix, deadline)));
      return {erasures: records.filter((record) => record !== undefined), next};
    },
  };
}
