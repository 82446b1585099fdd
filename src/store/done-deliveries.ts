import {lists} from '../domain/lists.js';
import type {Connection} from './connection.js';
import {type Key, type WorkspaceKeys, workspaceKeys} from './keys.js';

/*
 * Nearly all deliveries succeed at their first attempt. Those are kept by blocks: one hash for up to 32 events in a row, with a short field
 * for each delivery, `<number>,<attempt>`. A record of its own takes four times the memory, most of it for names.
 */

/** As long as Redis' compact form of a hash allows. */
const longest = 64;

/** The block of a delivery: of its drawn half, the event's sequence but for its last digit. */
export function blockOf(keys: WorkspaceKeys, webhook: string, drawn: string): Key<'hash'> {
  return keys.doneDeliveries(webhook, drawn.slice(8, 15));
}

/** The field of a delivery in its block. */
function fieldOf(drawn: string): string {
  return drawn.slice(0, 8) + drawn.slice(15);
}

/** Lua that moves records into blocks, and one back out of its block. */
export const doneFunctions = `
local function fieldOf(drawn) return string.sub(drawn, 1, 8) .. string.sub(drawn, 16) end

local gone, blocks = {}, {}
-- Whether a delivery that has succeeded needs no record of its own: nothing is known of it but its number and this attempt.
local function putDone(key, block, drawn, stands, attempted)
  local _, number, attempts, replay, team = unpack(stands)
  local entry = (number or '') .. ',' .. attempted
  if not number or attempts or replay or team or #entry > ${longest} then return false end
  gone[#gone + 1] = key
  blocks[block] = blocks[block] or {}
  table.insert(blocks[block], fieldOf(drawn))
  table.insert(blocks[block], entry)
  return true
end

local function writeDone(lifetime)
  if #gone > 0 then redis.call('DEL', unpack(gone)) end
  for block, entries in pairs(blocks) do
    redis.call('HSET', block, unpack(entries))
    redis.call('EXPIRE', block, lifetime)
  end
end

local function takeDone(key, block, drawn, webhook)
  local number, attempt = string.match(redis.call('HGET', block, fieldOf(drawn)) or '', '^(%d*),(.*)$')
  if not number then return end
  redis.call('HSET', key, 'webhook', webhook, 'n', number, 'state', 'succeeded', 'attempts', '1', 'attempt:1', attempt)
  redis.call('PEXPIRE', key, redis.call('PTTL', block))
  redis.call('HDEL', block, fieldOf(drawn))
end`.trim();

/** The fields of deliveries' records, in whichever form they are kept. */
export interface DeliveryFields {
  /** Of deliveries of one webhook; empty for what is no longer kept. */
  read(
    workspace: string,
    webhook: string,
    drawn: readonly string[],
    deadline: number,
  ): Promise<Map<string, string>[]>;
  /** The webhook (its drawn half) of a delivery. */
  findWebhook(workspace: string, drawn: string, deadline: number): Promise<string | undefined>;
}

export function createDeliveryFields({call}: Pick<Connection, 'call'>): DeliveryFields {
  return {
    async read(workspace, webhook, drawn, deadline) {
      const keys = workspaceKeys(workspace);
      const [records, entries] = await Promise.all([
        Promise.all(drawn.map((one) => call<string[]>(deadline, ['HGETALL', keys.delivery(one)]))),
        Promise.all(
          drawn.map((one) =>
            call<string | null>(deadline, ['HGET', blockOf(keys, webhook, one), fieldOf(one)]),
          ),
        ),
      ]);
      return Promise.all(
        records.map(async (flat, i) => {
          const entry = entries[i] ?? null;
          if (flat.length > 0) return toMap(flat);
          if (entry !== null) return doneFields(webhook, entry);
          // It may have been taken out of its block meanwhile, and never goes back there.
          return toMap(await call<string[]>(deadline, ['HGETALL', keys.delivery(drawn[i] ?? '')]));
        }),
      );
    },
    async findWebhook(workspace, drawn, deadline) {
      const keys = workspaceKeys(workspace);
      const findOwn = () => call<string | null>(deadline, ['HGET', keys.delivery(drawn), 'webhook']);
      const own = await findOwn();
      if (own !== null) return own;
      const webhooks = await call<string[]>(deadline, ['ZRANGE', keys.list(lists.webhooks()), '0', '-1']);
      const found = await Promise.all(
        webhooks.map((webhook) =>
          call<number>(deadline, ['HEXISTS', blockOf(keys, webhook, drawn), fieldOf(drawn)]),
        ),
      );
      return webhooks.find((_, i) => found[i] === 1) ?? (await findOwn()) ?? undefined;
    },
  };
}

function doneFields(webhook: string, entry: string): Map<string, string> {
  const comma = entry.indexOf(',');
  return new Map([
    ['webhook', webhook],
    ['n', entry.slice(0, comma)],
    ['state', 'succeeded'],
    ['attempts', '1'],
    ['attempt:1', entry.slice(comma + 1)],
  ]);
}

function toMap(flat: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (let i = 0; i < flat.length; i += 2) map.set(flat[i] ?? '', flat[i + 1] ?? '');
  return map;
}
