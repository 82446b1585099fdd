import {type Id, encodeBase32, sequenceOfId, type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import type {RedisCommands} from '../core/connection.js';
import {type Key, type WorkspaceKeys, workspaceKeys} from '../core/keys.js';
import {eventsPerBlock} from '../core/lua-constants.js';

/*
 * Deliveries are stored in blocks. A hash for up to 32 consecutive events has a short field for each
 * delivery, and the webhook's list contains the block. A separate list entry for each delivery would take as
 * much memory as three deliveries in a block.
 * Nearly all deliveries succeed at their first attempt. Then the field is `<number>`, and later
 * `<number>,<attempt>`. A delivery with more data has its own record, and an empty field.
 * Deliveries of replays are separate list entries between blocks.
 */

/** Returns the block of a delivery from its id suffix: the number of the event without its last digit. */
export function blockKeyOf(
  keys: WorkspaceKeys,
  webhook: IdSuffix<'webhook'>,
  suffix: IdSuffix<'delivery'>,
): Key<'hash'> {
  return keys.deliveryBlock(webhook, suffix.slice(8, 15));
}

/** Returns the name of an event's block in a list. */
export function createBlockName(sequence: number): string {
  return encodeBase32(Math.floor(sequence / eventsPerBlock), 7);
}

export function isDeliveryBlockName(entry: string): boolean {
  return entry.length === 7;
}

/** Returns the field of a delivery in its block. */
export function createBlockField(suffix: IdSuffix<'delivery'>): string {
  return suffix.slice(0, 8) + suffix.slice(15);
}

/** Returns the id suffix of the delivery with this field in a block. */
export function composeSuffixFromBlockField(name: string, field: string): IdSuffix<'delivery'> {
  return storedSuffix(field.slice(0, 8) + name + field.slice(8));
}

/** Reads the fields of deliveries in both stored forms. */
export function createDeliveryFields({call}: RedisCommands) {
  return {
    /** Reads deliveries of one webhook. The fields are empty for a delivery that is no longer stored. */
    async read(
      workspace: Id<'workspace'>,
      webhook: IdSuffix<'webhook'>,
      suffixes: readonly IdSuffix<'delivery'>[],
      deadline: number,
    ): Promise<Map<string, string>[]> {
      const keys = workspaceKeys(workspace);
      const [records, entries] = await Promise.all([
        Promise.all(suffixes.map((one) => call<string[]>(deadline, ['HGETALL', keys.delivery(one)]))),
        Promise.all(
          suffixes.map((one) =>
            call<string | null>(deadline, ['HGET', blockKeyOf(keys, webhook, one), createBlockField(one)]),
          ),
        ),
      ]);
      return Promise.all(
        records.map(async (flat, i) => {
          const entry = entries[i] ?? null;
          if (flat.length > 0) return parseFieldMap(flat);
          if (entry) return parseDeliveryFields(webhook, entry);
          // The delivery may have moved from its field to a record in the meantime. It never moves back.
          return parseFieldMap(
            await call<string[]>(deadline, ['HGETALL', keys.delivery(storedSuffix(suffixes[i] ?? ''))]),
          );
        }),
      );
    },
    /** Lists the deliveries in the blocks of consecutive events, by id suffix. */
    async listInBlocks(
      workspace: Id<'workspace'>,
      webhook: IdSuffix<'webhook'>,
      {from, to}: {from: number; to: number},
      deadline: number,
    ): Promise<IdSuffix<'delivery'>[]> {
      const keys = workspaceKeys(workspace);
      const names: string[] = [];
      for (let at = from - (from % eventsPerBlock); at <= to; at += eventsPerBlock)
        names.push(createBlockName(at));
      const found = await Promise.all(
        names.map((name) => call<string[]>(deadline, ['HKEYS', keys.deliveryBlock(webhook, name)])),
      );
      return found.flatMap((fields, i) =>
        fields
          .map((field) => composeSuffixFromBlockField(names[i] ?? '', field))
          .filter((suffix) => sequenceOfId(suffix) >= from && sequenceOfId(suffix) <= to),
      );
    },
    /** Finds the webhook of a delivery, both by id suffix. */
    async findWebhook(
      workspace: Id<'workspace'>,
      suffix: IdSuffix<'delivery'>,
      deadline: number,
    ): Promise<IdSuffix<'webhook'> | undefined> {
      const keys = workspaceKeys(workspace);
      const findOwn = () =>
        call<IdSuffix<'webhook'> | null>(deadline, ['HGET', keys.delivery(suffix), 'webhook']);
      const own = await findOwn();
      if (own !== null) return own;
      const webhooks = await call<IdSuffix<'webhook'>[]>(deadline, [
        'ZRANGE',
        keys.list(lists.webhooks()),
        '0',
        '-1',
      ]);
      const found = await Promise.all(
        webhooks.map((webhook) =>
          call<number>(deadline, ['HEXISTS', blockKeyOf(keys, webhook, suffix), createBlockField(suffix)]),
        ),
      );
      return webhooks.find((_, i) => found[i] === 1) ?? (await findOwn()) ?? undefined;
    },
  };
}

function parseDeliveryFields(webhook: IdSuffix<'webhook'>, entry: string): Map<string, string> {
  const [, number = '', attempt] = /^(\d+)(?:,(.*))?$/.exec(entry) ?? [];
  const fields = new Map([
    ['webhook', webhook],
    ['n', number],
  ]);
  if (attempt === undefined) return fields;
  return fields.set('state', 'succeeded').set('attempts', '1').set('attempt:1', attempt);
}

function parseFieldMap(flat: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (let i = 0; i < flat.length; i += 2) map.set(flat[i] ?? '', flat[i + 1] ?? '');
  return map;
}
