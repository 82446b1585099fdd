import type {Attempt, Delivery} from '../domain/delivery.js';
import type {LogEntry} from '../domain/event.js';
import {composeId, drawnPart, idTime, sequenceOfId} from '../domain/ids.js';
import {lifetimes} from '../domain/limits.js';
import {lists} from '../domain/lists.js';
import type {Webhook} from '../domain/webhook.js';
import type {Connection} from './connection.js';
import {workspaceKeys} from './keys.js';
import {claimScript, fanOutScript, renewScript} from './delivery-scripts.js';

/** One event to one webhook, as fan-out creates it. */
export interface NewDelivery {
  /** Drawn half of the webhook's id. */
  readonly webhook: string;
  /** Drawn half of the delivery's id; ends in the event's sequence. */
  readonly drawn: string;
  readonly sequence: number;
}

/** Consecutive events, both ends inclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A delivery whose turn it is: its lease is held until it is recorded or has run out. */
export interface Claim {
  readonly drawn: string;
  readonly sequence: number;
  readonly attempt: number;
  /** Failures recorded so far: what the retry schedule counts. */
  readonly failures: number;
}

/** How an attempt ended and what follows; `retry` waits `delayMs`. */
export interface Result {
  readonly claim: Claim;
  readonly state: 'succeeded' | 'retrying' | 'exhausted' | 'aborted' | 'expired';
  readonly delayMs: number;
  readonly attempt?: Omit<Attempt, 'number'>;
}

export interface Turn {
  readonly claims: Claim[];
  /** Redis time (ms) at which someone must look again; undefined when nothing is left. */
  readonly nextAt: number | undefined;
  /** Redis time now, to compare with. */
  readonly now: number;
  /** Results not applied, because the attempt no longer held its lease. */
  readonly refused: number;
}

export interface Deliveries {
  /**
   * Creates all deliveries of consecutive events and moves the cursor behind them, in one step; idempotent.
   * `moved`: somebody else was quicker. `stale`: the webhooks have changed.
   */
  fanOut(
    workspace: string,
    span: Span,
    webhooksVersion: number,
    deliveries: readonly NewDelivery[],
    deadline: number,
  ): Promise<'done' | 'moved' | 'stale'>;
  /** Records results and claims up to `concurrency` deliveries less those in flight, under a lease of `leaseMs`, in one step. */
  turn(
    workspace: string,
    webhook: string,
    request: {results: readonly Result[]; concurrency: number; leaseMs: number},
    deadline: number,
  ): Promise<Turn>;
  renew(
    workspace: string,
    webhook: string,
    claims: readonly Claim[],
    leaseMs: number,
    deadline: number,
  ): Promise<void>;
  /** Takes deliveries of events before a sequence off a webhook's list; their records expire by themselves. */
  trim(workspace: string, webhook: string, before: number, deadline: number): Promise<void>;
  find(workspace: string, id: string, deadline: number): Promise<Delivery | undefined>;
  /** Deliveries of a webhook, newest event first; `below` is the sequence where the last page ended. */
  list(
    workspace: string,
    webhook: string,
    page: {below?: number; limit: number},
    deadline: number,
  ): Promise<{deliveries: Delivery[]; next: number | undefined}>;
}

/** Types of events by sequence, for showing deliveries. */
export type FindEvent = (
  workspace: string,
  sequence: number,
  deadline: number,
) => Promise<LogEntry | undefined>;

export function createDeliveries(
  {call, run}: Pick<Connection, 'call' | 'run'>,
  findEvent: FindEvent,
): Deliveries {
  async function read(workspace: string, drawn: string, deadline: number): Promise<Delivery | undefined> {
    const keys = workspaceKeys(workspace);
    const fields = toMap(await call<string[]>(deadline, ['HGETALL', keys.delivery(drawn)]));
    const webhook = fields.get('webhook');
    if (webhook === undefined) return undefined;
    const [owner, event, tries, leased, due, off] = await Promise.all([
      call<string | null>(deadline, ['GET', keys.record(webhook)]),
      findEvent(workspace, sequenceOfId(drawn), deadline),
      call<string | null>(deadline, ['HGET', keys.tries(webhook), drawn]),
      call<string | null>(deadline, ['ZSCORE', keys.inflight(webhook), drawn]),
      call<string | null>(deadline, ['ZSCORE', keys.pending(webhook), drawn]),
      call<string | null>(deadline, ['HGET', keys.webhookState(webhook), 'off']),
    ]);
    if (event === undefined || owner === null) return undefined;
    const webhookId = (JSON.parse(owner) as Webhook).id;
    return toDelivery({drawn, webhookId, fields, event, tries, leased, due, off});
  }

  return {
    async fanOut(workspace, {from, to}, webhooksVersion, deliveries, deadline) {
      const keys = workspaceKeys(workspace);
      const outcome = await run<number>(
        deadline,
        fanOutScript,
        [
          keys.head(),
          keys.ready(),
          ...deliveries.flatMap(({webhook, drawn}) => [
            keys.delivery(drawn),
            keys.list(lists.deliveriesOf(webhook)),
            keys.pending(webhook),
          ]),
        ],
        [
          String(from),
          String(to),
          String(webhooksVersion),
          String(lifetimes.events),
          ...deliveries.flatMap(({sequence, webhook, drawn}) => [String(sequence), webhook, drawn]),
        ],
      );
      return outcome === 1 ? 'done' : outcome === 0 ? 'moved' : 'stale';
    },
    async turn(workspace, webhook, {results, concurrency, leaseMs}, deadline) {
      const keys = workspaceKeys(workspace);
      const [now, next, refused, claimed] = await run<[number, number, number, string[]]>(
        deadline,
        claimScript,
        [
          keys.pending(webhook),
          keys.inflight(webhook),
          keys.tries(webhook),
          keys.webhookState(webhook),
          keys.ready(),
          ...results.map(({claim}) => keys.delivery(claim.drawn)),
        ],
        [
          webhook,
          String(concurrency),
          String(leaseMs),
          ...results.flatMap(({claim, state, delayMs, attempt}) => [
            claim.drawn,
            String(claim.attempt),
            state,
            String(Math.round(delayMs)),
            attempt === undefined ? '' : encodeAttempt(attempt),
          ]),
        ],
      );
      return {claims: toClaims(claimed), nextAt: next < 0 ? undefined : next, now, refused};
    },
    async renew(workspace, webhook, claims, leaseMs, deadline) {
      const keys = workspaceKeys(workspace);
      await run(
        deadline,
        renewScript,
        [keys.inflight(webhook), keys.tries(webhook)],
        [String(leaseMs), ...claims.flatMap(({drawn, attempt}) => [drawn, String(attempt)])],
      );
    },
    async trim(workspace, webhook, before, deadline) {
      const list = workspaceKeys(workspace).list(lists.deliveriesOf(webhook));
      await call(deadline, ['ZREMRANGEBYSCORE', list, '-inf', `(${before}`]);
    },
    async find(workspace, id, deadline) {
      const delivery = await read(workspace, drawnPart(id), deadline);
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
      const found = await Promise.all(page.map((drawn) => read(workspace, drawn, deadline)));
      const last = page.at(-1);
      return {
        deliveries: found.filter((delivery) => delivery !== undefined),
        next: members.length > limit && last !== undefined ? sequenceOfId(last) : undefined,
      };
    },
  };
}

function toClaims(flat: readonly string[]): Claim[] {
  const claims: Claim[] = [];
  for (let i = 0; i < flat.length; i += 3) {
    const drawn = flat[i] ?? '';
    claims.push({
      drawn,
      sequence: sequenceOfId(drawn),
      attempt: Number(flat[i + 1]),
      failures: Number(flat[i + 2]),
    });
  }
  return claims;
}

/** Short, so that a delivery with few attempts stays in Redis' compact form (fields up to 64 bytes). */
function encodeAttempt({at, duration_ms, status, error}: Omit<Attempt, 'number'>): string {
  return `${Date.parse(at)},${duration_ms},${status ?? ''},${error ?? ''}`;
}

function decodeAttempt(number: number, text: string): Attempt {
  const [at = '', duration = '', status = '', error = ''] = text.split(',');
  return {
    number,
    at: new Date(Number(at)).toISOString(),
    duration_ms: Number(duration),
    status: status === '' ? null : Number(status),
    error: error === '' ? null : error,
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
  const lastAttempt = last === undefined ? null : decodeAttempt(recorded, last);
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
