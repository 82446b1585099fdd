import {positionsPerEvent} from '../../domain/webhooks/delivery.js';
import {type Id, type IdSuffix, sequenceOfId, storedSuffix} from '../../domain/core/ids.js';
import {lists, type PageQuery} from '../../domain/core/lists.js';
import type {RedisCommands} from '../core/connection.js';
import {readDeliveryPageScript} from '../core/compiled/lua.js';
import {createBlockName, composeSuffixFromBlockField, isDeliveryBlockName} from './delivery-blocks.js';
import {workspaceKeys} from '../core/keys.js';

/** Lists a webhook's deliveries between two positions, descending. The next page begins below `next`. */
export function createDeliveryLister({run}: RedisCommands) {
  return async function listDeliveriesDownwards(
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    {from = 0, past = Infinity, limit}: PageQuery & {from?: number | undefined},
    deadline: number,
  ): Promise<{positions: Map<IdSuffix<'delivery'>, number>; next: number | undefined}> {
    const keys = workspaceKeys(workspace);
    // The previous page may have ended inside a block, whose own position is higher than that.
    const last = past === Infinity ? '' : createBlockName(past / positionsPerEvent);
    const [own, entries, isCut] = await run<[string[], [string, string, string[]][], number]>(
      deadline,
      readDeliveryPageScript,
      [keys.list(lists.deliveriesOf(webhook)), keys.deliveryBlock(webhook, last)],
      [
        past === Infinity ? '+inf' : `(${past / positionsPerEvent}`,
        String(from / positionsPerEvent),
        String(limit),
        keys.deliveryBlock(webhook, ''),
      ],
    );
    // If there are more entries than were read, only positions above the last read entry are complete.
    const bound = isCut === 1 ? Number(entries.at(-1)?.[1]) * positionsPerEvent : -Infinity;
    const positions = new Map<IdSuffix<'delivery'>, number>();
    const add = (suffix: IdSuffix<'delivery'>, position: number): void => {
      if (position >= from && position < past && position > bound) positions.set(suffix, position);
    };
    const addFields = (name: string, fields: readonly string[]): void => {
      for (const suffix of fields.map((field) => composeSuffixFromBlockField(name, field))) {
        add(suffix, sequenceOfId(suffix) * positionsPerEvent);
      }
    };
    addFields(last, own);
    for (const [name, score, fields] of entries) {
      if (isDeliveryBlockName(name)) addFields(name, fields);
      else add(storedSuffix(name), Number(score) * positionsPerEvent);
    }
    const page = [...positions].toSorted(([, a], [, b]) => b - a).slice(0, limit);
    const rest = positions.size > limit ? page.at(-1)?.[1] : undefined;
    return {positions: new Map(page), next: rest ?? (isCut === 1 ? Math.floor(bound) + 1 : undefined)};
  };
}
