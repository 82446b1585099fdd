import type {Caller} from '../../domain/core/access.js';
import {
  type Erasure,
  type ErasureRecord,
  nothingErased,
  presentErasure,
} from '../../domain/members/erasure.js';
import {notFound} from '../../domain/core/errors.js';
import {isId, storedId} from '../../domain/core/ids.js';
import {lists, type PageQuery} from '../../domain/core/lists.js';
import type {ServiceContext} from '../core/context.js';
import {listActions} from '../core/kind-rules.js';

const act = 'see erasures';

/** Shows the progress of erasures to owners and admins. */
export function createErasureService({erasures, records, authority, kinds}: ServiceContext) {
  const steps = listActions(kinds, 'person').flat();

  async function countRemainingData({workspace, deadline}: Caller, {member}: ErasureRecord) {
    if (member === undefined) return nothingErased;
    const listed = [
      ...steps.map(({list, counted}) => ({list: list(storedId(member)), counted})),
      {list: lists.removedOf(member), counted: 'traces' as const},
    ];
    const counts = await Promise.all(listed.map(({list}) => records.count(workspace, list, deadline)));
    const left = {...nothingErased};
    for (const [i, {counted}] of listed.entries()) left[counted] += counts[i] ?? 0;
    return left;
  }

  async function presentErasureProgress(access: Caller, record: ErasureRecord): Promise<Erasure> {
    return presentErasure(record, await countRemainingData(access, record));
  }

  return {
    /** Returns an erasure. Errors: `forbidden`, `not_found`. */
    async findErasure(access: Caller, id: string): Promise<Erasure> {
      await authority.requireAdmin(access, act);
      const found = isId('erasure', id)
        ? await erasures.find(access.workspace, id, access.deadline)
        : undefined;
      if (found === undefined) throw notFound('erasure');
      return presentErasureProgress(access, found);
    },
    /** Lists erasures, newest first. Errors: `forbidden`. */
    async listErasures(
      access: Caller,
      page: PageQuery,
    ): Promise<{erasures: Erasure[]; next: number | undefined}> {
      await authority.requireAdmin(access, act);
      const found = await erasures.list(access.workspace, page, access.deadline);
      return {
        erasures: await Promise.all(found.erasures.map((record) => presentErasureProgress(access, record))),
        next: found.next,
      };
    },
  };
}
