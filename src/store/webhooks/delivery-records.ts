import type {PageQuery} from '../../domain/core/lists.js';
import {parseBegunAttempts} from './try-entry.js';
import type {Attempt, AttemptExchange, Delivery} from '../../domain/webhooks/delivery.js';
import type {LogEntry} from '../../domain/events/event.js';
import {
  composeId,
  suffixOf,
  type Id,
  type IdSuffix,
  parseCreationTime,
  sequenceOfId,
  storedId,
} from '../../domain/core/ids.js';
import type {Webhook} from '../../domain/webhooks/webhook.js';
import {findNextAttemptTime} from '../../domain/webhooks/webhook-health.js';
import {decodeAttempt, decodeExchange} from './attempt-records.js';
import type {RedisConnection} from '../core/connection.js';
import {createDeliveryFields} from './delivery-blocks.js';
import {createDeliveryLister} from './delivery-pages.js';
import {workspaceKeys} from '../core/keys.js';

/** Finds the types of events by their numbers, for showing deliveries. */
export type FindEvent = (
  workspace: Id<'workspace'>,
  sequence: number,
  deadline: number,
) => Promise<LogEntry | undefined>;

/** Reads deliveries and attempts in the form in which they are presented. deliveries.ts changes them. */
export function createDeliveryRecords({call, run, clock}: RedisConnection, findEvent: FindEvent) {
  const kept = createDeliveryFields({call, run});
  const listDown = createDeliveryLister({call, run});

  /** Reads the stored deliveries of one webhook. */
  async function readDeliveries(
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    suffixes: readonly IdSuffix<'delivery'>[],
    deadline: number,
  ): Promise<Delivery[]> {
    if (suffixes.length === 0) return [];
    const keys = workspaceKeys(workspace);
    const scores = (key: string) => call<(string | null)[]>(deadline, ['ZMSCORE', key, ...suffixes]);
    const [owner, state, tries, leased, low, due, lowDue, events, records] = await Promise.all([
      call<string | null>(deadline, ['GET', keys.record(webhook)]),
      call<(string | null)[]>(deadline, ['HMGET', keys.webhookState(webhook), 'off', 'breaker', 'probe']),
      call<(string | null)[]>(deadline, ['HMGET', keys.tries(webhook), ...suffixes]),
      scores(keys.inflight(webhook)),
      scores(keys.replaying(webhook)),
      scores(keys.pending(webhook)),
      scores(keys.replays(webhook)),
      Promise.all(suffixes.map((one) => findEvent(workspace, sequenceOfId(one), deadline))),
      kept.read(workspace, webhook, suffixes, deadline),
    ]);
    if (owner === null) return [];
    const {id: webhookId} = JSON.parse(owner) as Webhook;
    const [off, breaker, probe] = state;
    const gate = {
      now: clock.now(),
      off: off !== null,
      probeAt: breaker === 'open' ? Number(probe) : undefined,
    };
    return suffixes.flatMap((one, i) => {
      const [event, fields] = [events[i], records[i]];
      if (event === undefined || fields === undefined || fields.size === 0) return [];
      const onWire = (leased[i] ?? low[i] ?? null) !== null;
      const dueAt = due[i] ?? lowDue[i] ?? undefined;
      const queueState = {
        tries: tries[i] ?? undefined,
        onWire,
        dueAt: dueAt === undefined ? undefined : Number(dueAt),
      };
      return [presentDelivery({suffix: one, webhookId, fields, event, gate, ...queueState})];
    });
  }

  /** Finds the request and response of each attempt by number. All are in one set of at most 100 entries. */
  async function findExchanges(
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    suffix: IdSuffix<'delivery'>,
    deadline: number,
  ): Promise<Map<number, AttemptExchange>> {
    const key = workspaceKeys(workspace).excerpts(webhook);
    const found = new Map<number, AttemptExchange>();
    let cursor = '0';
    do {
      const scan = ['ZSCAN', key, cursor, 'MATCH', `${suffix}:*`, 'COUNT', '1000'] as const;
      const [next, members] = await call<[string, string[]]>(deadline, scan);
      // The answer has alternating entries and scores.
      for (let i = 0; i < members.length; i += 2) {
        const [, number = '', text = ''] = /^[^:]*:(\d+):([\s\S]*)$/.exec(members[i] ?? '') ?? [];
        found.set(Number(number), decodeExchange(text));
      }
      cursor = next;
    } while (cursor !== '0');
    return found;
  }

  return {
    async find(
      workspace: Id<'workspace'>,
      id: Id<'delivery'>,
      deadline: number,
    ): Promise<Delivery | undefined> {
      const suffix = suffixOf(id);
      const webhook = await kept.findWebhook(workspace, suffix, deadline);
      const [delivery] =
        webhook === undefined ? [] : await readDeliveries(workspace, webhook, [suffix], deadline);
      return delivery?.id === id ? delivery : undefined;
    },
    /** Lists deliveries with positions, newest event first, from below `past` down to `from`. */
    async list(
      workspace: Id<'workspace'>,
      webhook: IdSuffix<'webhook'>,
      page: PageQuery & {from?: number | undefined},
      deadline: number,
    ): Promise<{rows: {position: number; delivery: Delivery}[]; next: number | undefined}> {
      const {positions, next} = await listDown(workspace, webhook, page, deadline);
      const deliveries = await readDeliveries(workspace, webhook, [...positions.keys()], deadline);
      return {
        rows: deliveries.map((delivery) => ({
          position: positions.get(suffixOf(delivery.id)) ?? 0,
          delivery,
        })),
        next,
      };
    },
    /** Lists the recorded attempts, newest first. `past`: the number at which the last page ended. */
    async listAttempts(
      workspace: Id<'workspace'>,
      id: Id<'delivery'>,
      {past = Infinity, limit}: PageQuery,
      deadline: number,
    ): Promise<{attempts: Attempt[]; next: number | undefined}> {
      const suffix = suffixOf(id);
      const webhook = await kept.findWebhook(workspace, suffix, deadline);
      const [fields = new Map<string, string>()] =
        webhook === undefined ? [] : await kept.read(workspace, webhook, [suffix], deadline);
      const numbers = [...fields.keys()]
        .flatMap((name) => (name.startsWith('attempt:') ? [Number(name.slice('attempt:'.length))] : []))
        .filter((number) => number < past)
        .toSorted((a, b) => b - a);
      const page = numbers.slice(0, limit);
      const exchanges =
        webhook === undefined || page.length === 0
          ? new Map<number, AttemptExchange>()
          : await findExchanges(workspace, webhook, suffix, deadline);
      return {
        attempts: page.map((number) => ({
          ...decodeAttempt(suffix, number, fields.get(`attempt:${number}`) ?? ''),
          request: exchanges.get(number)?.request ?? null,
          response: exchanges.get(number)?.response ?? null,
        })),
        next: numbers.length > limit ? page.at(-1) : undefined,
      };
    },
  };
}

/** The facts that decide whether deliveries of a webhook may be sent. */
interface Gate {
  /** The time of Redis in ms. */
  readonly now: number;
  /** True for a disabled webhook. */
  readonly off: boolean;
  /** The next test while the circuit breaker is open (ms). */
  readonly probeAt: number | undefined;
}

interface StoredDelivery {
  readonly suffix: IdSuffix<'delivery'>;
  readonly webhookId: Id<'webhook'>;
  readonly fields: ReadonlyMap<string, string>;
  readonly event: LogEntry;
  /** The entry of an unfinished delivery, which exists from its first attempt at the latest. */
  readonly tries: string | undefined;
  readonly onWire: boolean;
  /** The due time (ms). Undefined when it has ended, is in progress, or waits for one of its team. */
  readonly dueAt: number | undefined;
  readonly gate: Gate;
}

function presentDelivery(stored: StoredDelivery): Delivery {
  const {suffix, webhookId, fields, event, tries, dueAt, gate} = stored;
  const replay = fields.get('replay');
  const recorded = Number(fields.get('attempts') ?? 0);
  const begun = tries === undefined ? recorded : parseBegunAttempts(tries);
  const last = recorded > 0 ? fields.get(`attempt:${recorded}`) : undefined;
  const lastAttempt = last === undefined ? null : decodeAttempt(suffix, recorded, last);
  const id = composeId('delivery', event.at, suffix);
  const next = gate.off ? undefined : findNextAttemptTime(dueAt, gate.probeAt);
  // A replay creates its delivery long after the event, so the time of creation is stored separately.
  const made = Number(fields.get('made') ?? parseCreationTime(id));
  return {
    id,
    object: 'delivery',
    webhook_id: webhookId,
    event_id: event.id,
    event_type: event.type,
    state: findDeliveryState(stored),
    attempts: begun,
    next_attempt_at: next === undefined ? null : new Date(next).toISOString(),
    last_attempt: lastAttempt,
    replay_id: replay === undefined ? null : storedId(replay),
    created_at: new Date(made).toISOString(),
    updated_at: lastAttempt?.at ?? new Date(made).toISOString(),
  };
}

/** Returns a delivery's state: `held` if the webhook is disabled, or only its circuit breaker blocks. */
function findDeliveryState({fields, tries, onWire, dueAt, gate}: StoredDelivery): Delivery['state'] {
  if (onWire) return 'delivering';
  const waits = dueAt !== undefined || tries !== undefined;
  if (waits && gate.off) return 'held';
  if (gate.probeAt !== undefined && dueAt !== undefined && dueAt <= gate.now) return 'held';
  return (fields.get('state') ?? 'pending') as Delivery['state'];
}
