import type {Attempt, AttemptExchange, Delivery} from '../domain/delivery.js';
import type {LogEntry} from '../domain/event.js';
import {composeId, drawnPart, idTime, sequenceOfId} from '../domain/ids.js';
import {lists} from '../domain/lists.js';
import type {Webhook} from '../domain/webhook.js';
import {decodeAttempt, decodeExchange} from './attempt-records.js';
import type {Connection} from './connection.js';
import {workspaceKeys} from './keys.js';

/** Deliveries and their attempts as they are shown. What changes them: deliveries.ts. */
export interface DeliveryRecords {
  find(workspace: string, id: string, deadline: number): Promise<Delivery | undefined>;
  /** Deliveries of a webhook, newest event first; `below` is the sequence where the last page ended. */
  list(
    workspace: string,
    webhook: string,
    page: {below?: number; limit: number},
    deadline: number,
  ): Promise<{deliveries: Delivery[]; next: number | undefined}>;
  /** Recorded attempts of a delivery, newest first; `below` is the number where the last page ended. */
  listAttempts(
    workspace: string,
    id: string,
    page: {below?: number; limit: number},
    deadline: number,
  ): Promise<{attempts: Attempt[]; next: number | undefined}>;
}

/** Types of events by sequence, for showing deliveries. */
export type FindEvent = (
  workspace: string,
  sequence: number,
  deadline: number,
) => Promise<LogEntry | undefined>;

export function createDeliveryRecords(
  {call}: Pick<Connection, 'call'>,
  findEvent: FindEvent,
): DeliveryRecords {
  /** Deliveries of one webhook; those that are no longer kept are left out. */
  async function read(
    workspace: string,
    webhook: string,
    drawn: readonly string[],
    deadline: number,
  ): Promise<Delivery[]> {
    if (drawn.length === 0) return [];
    const keys = workspaceKeys(workspace);
    const [owner, off, tries, leased, due, events, records] = await Promise.all([
      call<string | null>(deadline, ['GET', keys.record(webhook)]),
      call<string | null>(deadline, ['HGET', keys.webhookState(webhook), 'off']),
      call<(string | null)[]>(deadline, ['HMGET', keys.tries(webhook), ...drawn]),
      call<(string | null)[]>(deadline, ['ZMSCORE', keys.inflight(webhook), ...drawn]),
      call<(string | null)[]>(deadline, ['ZMSCORE', keys.pending(webhook), ...drawn]),
      Promise.all(drawn.map((one) => findEvent(workspace, sequenceOfId(one), deadline))),
      Promise.all(drawn.map((one) => call<string[]>(deadline, ['HGETALL', keys.delivery(one)]))),
    ]);
    if (owner === null) return [];
    const {id: webhookId} = JSON.parse(owner) as Webhook;
    return drawn.flatMap((one, i) => {
      const [event, fields] = [events[i], toMap(records[i] ?? [])];
      if (event === undefined || fields.size === 0) return [];
      const at = {tries: tries[i] ?? null, leased: leased[i] ?? null, due: due[i] ?? null};
      return [toDelivery({drawn: one, webhookId, fields, event, off, ...at})];
    });
  }

  /** What went over the wire in each attempt of a delivery, by number. The set has at most a hundred members, of which few are sent. */
  async function findExchanges(
    workspace: string,
    fields: ReadonlyMap<string, string>,
    drawn: string,
    deadline: number,
  ): Promise<Map<number, AttemptExchange>> {
    const key = workspaceKeys(workspace).excerpts(fields.get('webhook') ?? '');
    const found = new Map<number, AttemptExchange>();
    let cursor = '0';
    do {
      const scan = ['ZSCAN', key, cursor, 'MATCH', `${drawn}:*`, 'COUNT', '1000'];
      const [next, members] = await call<[string, string[]]>(deadline, scan);
      // Members and scores take turns.
      for (let i = 0; i < members.length; i += 2) {
        const [, number = '', text = ''] = /^[^:]*:(\d+):([\s\S]*)$/.exec(members[i] ?? '') ?? [];
        found.set(Number(number), decodeExchange(text));
      }
      cursor = next;
    } while (cursor !== '0');
    return found;
  }

  return {
    async find(workspace, id, deadline) {
      const drawn = drawnPart(id);
      const key = workspaceKeys(workspace).delivery(drawn);
      const webhook = await call<string | null>(deadline, ['HGET', key, 'webhook']);
      const [delivery] = webhook === null ? [] : await read(workspace, webhook, [drawn], deadline);
      return delivery?.id === id ? delivery : undefined;
    },
    async list(workspace, webhook, {below, limit}, deadline) {
      const members = await call<string[]>(deadline, [
        'ZRANGE',
        workspaceKeys(workspace).list(lists.deliveriesOf(webhook)),
        below === undefined ? '+inf' : `(${below}`,
        '-inf',
        'BYSCORE',
        'REV',
        'LIMIT',
        '0',
        String(limit + 1),
      ]);
      const page = members.slice(0, limit);
      const last = page.at(-1);
      return {
        deliveries: await read(workspace, webhook, page, deadline),
        next: members.length > limit && last !== undefined ? sequenceOfId(last) : undefined,
      };
    },
    async listAttempts(workspace, id, {below = Infinity, limit}, deadline) {
      const drawn = drawnPart(id);
      const fields = toMap(
        await call<string[]>(deadline, ['HGETALL', workspaceKeys(workspace).delivery(drawn)]),
      );
      const numbers = [...fields.keys()]
        .flatMap((name) => (name.startsWith('attempt:') ? [Number(name.slice('attempt:'.length))] : []))
        .filter((number) => number < below)
        .toSorted((a, b) => b - a);
      const page = numbers.slice(0, limit);
      const kept =
        page.length === 0
          ? new Map<number, AttemptExchange>()
          : await findExchanges(workspace, fields, drawn, deadline);
      return {
        attempts: page.map((number) => ({
          ...decodeAttempt(drawn, number, fields.get(`attempt:${number}`) ?? ''),
          request: kept.get(number)?.request ?? null,
          response: kept.get(number)?.response ?? null,
        })),
        next: numbers.length > limit ? page.at(-1) : undefined,
      };
    },
  };
}

interface StoredDelivery {
  readonly drawn: string;
  readonly webhookId: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly event: LogEntry;
  readonly tries: string | null;
  readonly leased: string | null;
  readonly due: string | null;
  readonly off: string | null;
}

function toDelivery({drawn, webhookId, fields, event, tries, leased, due, off}: StoredDelivery): Delivery {
  const begun = Number(tries?.split(':')[0] ?? fields.get('attempts') ?? 0);
  const recorded = Number(fields.get('attempts') ?? 0);
  const last = recorded > 0 ? fields.get(`attempt:${recorded}`) : undefined;
  const lastAttempt = last === undefined ? null : decodeAttempt(drawn, recorded, last);
  const id = composeId('delivery', event.at, drawn);
  const waiting = due !== null && off === null;
  return {
    id,
    object: 'delivery',
    webhook_id: webhookId,
    event_id: event.id,
    event_type: event.type,
    state: stateOf(fields.get('state'), leased, due, off),
    attempts: begun,
    next_attempt_at: waiting ? new Date(Number(due)).toISOString() : null,
    last_attempt: lastAttempt,
    created_at: new Date(idTime(id)).toISOString(),
    updated_at: lastAttempt?.at ?? new Date(idTime(id)).toISOString(),
  };
}

function stateOf(
  kept: string | undefined,
  leased: string | null,
  due: string | null,
  off: string | null,
): Delivery['state'] {
  if (leased !== null) return 'delivering';
  if (due !== null && off !== null) return 'held';
  return (kept ?? 'pending') as Delivery['state'];
}

function toMap(flat: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (let i = 0; i < flat.length; i += 2) map.set(flat[i] ?? '', flat[i + 1] ?? '');
  return map;
}
