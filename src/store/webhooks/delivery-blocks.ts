import {positionsPerEvent} from '../../domain/webhooks/delivery.js';
import {type Id, encodeBase32, sequenceOfId, type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import type {RedisConnection} from '../core/connection.js';
import {type Key, type WorkspaceKeys, workspaceKeys} from '../core/keys.js';

/*
 * Deliveries of events are stored in blocks: a hash for up to 32 consecutive events has a short field for
 * each, and the webhook's list contains the block. A list entry of its own takes as much memory as three
 * deliveries in a block.
 * Nearly all succeed at their first attempt. Then the field is `<number>`, and later `<number>,<attempt>`. A
 * delivery with more data has a record of its own, and its field is empty.
 * Deliveries of replays, and those of before data format 3, are separate list entries between blocks.
 */

/** The number of events that the last base32 digit of their sequences distinguishes. */
export const eventsPerBlock = 32;
/** The limit of Redis' compact form of a hash. */
const longest = 64;
/** After all deliveries of its events, so that a descending read of a list meets the block first. */
const offsetInLast = 1 - 0.5 / positionsPerEvent;

/** The block of a delivery, from its id suffix: the event's sequence without its last digit. */
export function blockKeyOf(
  keys: WorkspaceKeys,
  webhook: IdSuffix<'webhook'>,
  suffix: IdSuffix<'delivery'>,
): Key<'hash'> {
  return keys.deliveryBlock(webhook, suffix.slice(8, 15));
}

/** The name of an event's block in a list. */
export function blockNameOf(sequence: number): string {
  return encodeBase32(Math.floor(sequence / eventsPerBlock), 7);
}

export function isBlockName(entry: string): boolean {
  return entry.length === 7;
}

/** The field of a delivery in its block. */
export function blockFieldOf(suffix: IdSuffix<'delivery'>): string {
  return suffix.slice(0, 8) + suffix.slice(15);
}

/** The delivery of a field in the block of that name. */
export function deliverySuffixOf(name: string, field: string): IdSuffix<'delivery'> {
  return storedSuffix(field.slice(0, 8) + name + field.slice(8));
}

/** Lua that finds where a delivery is stored. */
export const blockFunctions = `
local function fieldOf(suffix) return string.sub(suffix, 1, 8) .. string.sub(suffix, 16) end
local function isBlockName(entry) return #entry == 7 end
local function blockName(suffix) return string.sub(suffix, 9, 15) end
local function placeOfBlock(sequence) return sequence - sequence % ${eventsPerBlock} + ${eventsPerBlock - 1 + offsetInLast} end`.trim();

/** Lua that reads fields: the values for a flat list of id suffixes, each with its block. */
export const fieldsFunction = `
local function readFields(asked)
  local blocks, found = {}, {}
  for i = 1, #asked, 2 do
    local block = asked[i + 1]
    blocks[block] = blocks[block] or {}
    table.insert(blocks[block], asked[i])
  end
  for block, suffix in pairs(blocks) do
    local fields = {}
    for i, one in ipairs(suffix) do fields[i] = fieldOf(one) end
    for i, entry in ipairs(redis.call('HMGET', block, unpack(fields))) do found[suffix[i]] = entry end
  end
  return found
end`.trim();

/** Lua that turns a field into a record of its own, if it has a value. */
export const takeOutFunction = `
local function takeOut(key, block, suffix, webhook)
  local number, attempt = string.match(redis.call('HGET', block, fieldOf(suffix)) or '', '^(%d+),?(.*)$')
  if not number then return end
  redis.call('HSET', key, 'webhook', webhook, 'n', number)
  if attempt ~= '' then redis.call('HSET', key, 'state', 'succeeded', 'attempts', '1', 'attempt:1', attempt) end
  redis.call('PEXPIRE', key, redis.call('PTTL', block))
  redis.call('HSET', block, fieldOf(suffix), '')
end`.trim();

/** Lua that stores the only attempt of a delivery that has succeeded; false if it is too long for a field. */
export const doneFunctions = `
local done = {}
local function putDone(block, suffix, number, attempted)
  local entry = number .. ',' .. attempted
  if attempted == '' or #entry > ${longest} then return false end
  done[block] = done[block] or {}
  table.insert(done[block], fieldOf(suffix))
  table.insert(done[block], entry)
  return true
end

local function writeDone(lifetime)
  for block, entries in pairs(done) do
    redis.call('HSET', block, unpack(entries))
    redis.call('EXPIRE', block, lifetime)
  end
end`.trim();

/** Reads the fields of deliveries, in either stored form. */
export interface DeliveryFields {
  /** For deliveries of one webhook; empty for one that is no longer stored. */
  read: (
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    suffixes: readonly IdSuffix<'delivery'>[],
    deadline: number,
  ) => Promise<Map<string, string>[]>;
  /** Deliveries in the blocks of consecutive events, by id suffix. */
  listInBlocks: (
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    span: {from: number; to: number},
    deadline: number,
  ) => Promise<IdSuffix<'delivery'>[]>;
  /** The webhook of a delivery, by id suffix. */
  findWebhook: (
    workspace: Id<'workspace'>,
    suffix: IdSuffix<'delivery'>,
    deadline: number,
  ) => Promise<IdSuffix<'webhook'> | undefined>;
}

export function createDeliveryFields({call}: Pick<RedisConnection, 'call'>): DeliveryFields {
  return {
    async read(workspace, webhook, suffixes, deadline) {
      const keys = workspaceKeys(workspace);
      const [records, entries] = await Promise.all([
        Promise.all(suffixes.map((one) => call<string[]>(deadline, ['HGETALL', keys.delivery(one)]))),
        Promise.all(
          suffixes.map((one) =>
            call<string | null>(deadline, ['HGET', blockKeyOf(keys, webhook, one), blockFieldOf(one)]),
          ),
        ),
      ]);
      return Promise.all(
        records.map(async (flat, i) => {
          const entry = entries[i] ?? null;
          if (flat.length > 0) return toMap(flat);
          if (entry) return parseDeliveryFields(webhook, entry);
          // It may have been moved out of its field meanwhile, and never moves back.
          return toMap(
            await call<string[]>(deadline, ['HGETALL', keys.delivery(storedSuffix(suffixes[i] ?? ''))]),
          );
        }),
      );
    },
    async listInBlocks(workspace, webhook, {from, to}, deadline) {
      const keys = workspaceKeys(workspace);
      const names: string[] = [];
      for (let at = from - (from % eventsPerBlock); at <= to; at += eventsPerBlock)
        names.push(blockNameOf(at));
      const found = await Promise.all(
        names.map((name) => call<string[]>(deadline, ['HKEYS', keys.deliveryBlock(webhook, name)])),
      );
      return found.flatMap((fields, i) =>
        fields
          .map((field) => deliverySuffixOf(names[i] ?? '', field))
          .filter((suffix) => sequenceOfId(suffix) >= from && sequenceOfId(suffix) <= to),
      );
    },
    async findWebhook(workspace, suffix, deadline) {
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
          call<number>(deadline, ['HEXISTS', blockKeyOf(keys, webhook, suffix), blockFieldOf(suffix)]),
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

function toMap(flat: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (let i = 0; i < flat.length; i += 2) map.set(flat[i] ?? '', flat[i + 1] ?? '');
  return map;
}
