import {positionsPerEvent} from '../../domain/webhooks/delivery.js';
import {type Id, type IdSuffix, sequenceOfId, storedSuffix} from '../../domain/core/ids.js';
import {lists, type PageQuery} from '../../domain/core/lists.js';
import {type RedisConnection, script} from '../core/connection.js';
import {
  blockFunctions,
  createBlockName,
  composeSuffixFromBlockField,
  eventsPerBlock,
  isDeliveryBlockName,
} from './delivery-blocks.js';
import {workspaceKeys} from '../core/keys.js';

/**
 * Reads a list of deliveries in descending order, with the contents of its blocks, until it has more than
 * enough. KEYS: the list, the block in which the previous page ended. ARGV: the highest and the lowest
 * position, the number of deliveries, the prefix of block keys. Returns the fields of that block, and for
 * each entry of the list its name, its position, and the fields if it is a block. A 1 at the end means that
 * there may be more entries.
 */
const pageScript = script(`#!lua flags=no-writes
${blockFunctions}
local wanted, have = ARGV[3] + ${eventsPerBlock + 1}, 0
local entries = redis.call('ZRANGE', KEYS[1], ARGV[1], ARGV[2], 'BYSCORE', 'REV', 'LIMIT', 0, wanted, 'WITHSCORES')
local found = {}
for i = 1, #entries, 2 do
  local name = entries[i]
  local fields = isBlockName(name) and redis.call('HKEYS', ARGV[4] .. name) or {}
  found[#found + 1] = {name, entries[i + 1], fields}
  have = have + math.max(1, #fields)
  if have >= wanted then break end
end
return {redis.call('HKEYS', KEYS[2]), found, have >= wanted and 1 or 0}`);

/**
 * Lists the deliveries of a webhook between two positions by id suffix, in descending order. The next page
 * begins below `next`.
 */
export type ListDown = (
  workspace: Id<'workspace'>,
  webhook: IdSuffix<'webhook'>,
  page: PageQuery & {from?: number | undefined},
  deadline: number,
) => Promise<{positions: Map<IdSuffix<'delivery'>, number>; next: number | undefined}>;

export function createDeliveryLister({run}: Pick<RedisConnection, 'run'>): ListDown {
  return async function listDeliveriesDownwards(
    workspace,
    webhook,
    {from = 0, past = Infinity, limit},
    deadline,
  ) {
    const keys = workspaceKeys(workspace);
    // The previous page may have ended inside a block. The block's own position is higher than where that
    // page ended.
    const last = past === Infinity ? '' : createBlockName(past / positionsPerEvent);
    const [own, entries, isCut] = await run<[string[], [string, string, string[]][], number]>(
      deadline,
      pageScript,
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
