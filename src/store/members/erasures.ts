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
      {past, limit}: PageQuery,
      deadline: number,
    ): Promise<{erasures: ErasureRecord[]; next: number | undefined}> {
      const found = await call<IdSuffix<'erasure'>[]>(deadline, [
        'ZRANGE',
        workspaceKeys(workspace).list(lists.erasures()),
        past === undefined ? '+inf' : `(${past}`,
        '-inf',
        'BYSCORE',
        'REV',
        'LIMIT',
        '0',
        String(limit + 1),
        'WITHSCORES',
      ]);
      const page = found.filter((_, i) => i % 2 === 0).slice(0, limit);
      const records = await Promise.all(page.map((suffix) => readErasure(workspace, suffix, deadline)));
      return {
        erasures: records.filter((record) => record !== undefined),
        next: found.length / 2 > limit ? Number(found[2 * limit - 1]) : undefined,
      };
    },
  };
}
