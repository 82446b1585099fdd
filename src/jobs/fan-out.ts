import {type NewDelivery, newDelivery, type Sha256} from '../domain/delivery.js';
import type {LogEntry} from '../domain/event.js';
import {deadlines} from '../domain/limits.js';
import {type Subscription, wants} from '../domain/webhook.js';
import type {Perform, Work} from '../domain/work.js';

export interface FanOutParts {
  readonly events: {
    findCursor(workspace: string, reader: 'webhooks', deadline: number): Promise<number | undefined>;
    listAfter(workspace: string, after: number, limit: number, deadline: number): Promise<LogEntry[]>;
    settleReader(workspace: string, reader: 'webhooks', deadline: number): Promise<boolean>;
  };
  readonly subscriptions: {
    get(workspace: string, deadline: number): Promise<Directory>;
    fresh(workspace: string, deadline: number): Promise<Directory>;
  };
  readonly deliveries: {
    fanOut(
      workspace: string,
      span: {from: number; last: LogEntry},
      webhooks: Directory,
      deliveries: readonly NewDelivery[],
      deadline: number,
    ): Promise<'done' | 'moved' | 'stale'>;
  };
  readonly sha256: Sha256;
  readonly wake: (workspace: string, work: Work) => void;
}

interface Directory {
  readonly version: string;
  readonly webhooks: readonly (Subscription & {readonly drawn: string; readonly revision: number})[];
}

/** Events read at a time. */
const batch = 128;
/** Deliveries made by one script, which touches six keys more of each webhook: 200 at most. */
const madeAtOnce = 60;

/** Consecutive events whose deliveries one script makes. */
interface Portion {
  readonly from: number;
  last: LogEntry;
  readonly made: NewDelivery[];
}

/**
 * Makes the deliveries of every event that the webhooks' cursor has not passed: one script creates all deliveries of an event and moves
 * the cursor on, so running this often, or in several processes, changes nothing.
 */
export function createFanOut({
  events,
  subscriptions,
  deliveries,
  sha256,
  wake,
}: FanOutParts): Perform<{kind: 'fan-out'}> {
  /** An event's deliveries are never split; events that nobody wants cost next to nothing. */
  function portionsOf(entries: readonly LogEntry[], {webhooks}: Directory): Portion[] {
    const portions: Portion[] = [];
    for (const entry of entries) {
      const made = webhooks
        .filter((webhook) => wants(webhook, entry))
        .map(({drawn}) => newDelivery(sha256, entry, drawn));
      const portion = portions.at(-1);
      if (portion === undefined || portion.made.length + made.length > madeAtOnce) {
        portions.push({from: entry.sequence, last: entry, made});
      } else {
        portion.last = entry;
        portion.made.push(...made);
      }
    }
    return portions;
  }

  return async function fanOut({workspace, until}) {
    let directory = await subscriptions.get(workspace, callDeadline());
    let cursor = await events.findCursor(workspace, 'webhooks', callDeadline());
    while (cursor !== undefined && performance.now() < until) {
      const entries = await events.listAfter(workspace, cursor, batch, callDeadline());
      if (entries.length === 0) {
        return {more: await events.settleReader(workspace, 'webhooks', callDeadline())};
      }
      const portions = portionsOf(entries, directory);
      const webhooks = directory;
      // Sent together, run in order: each is refused unless the one before it has moved the cursor.
      const outcomes = await Promise.all(
        portions.map((span) => deliveries.fanOut(workspace, span, webhooks, span.made, callDeadline())),
      );
      const reached = portions.flatMap(({made}, i) => (outcomes[i] === 'done' ? made : []));
      for (const webhook of new Set(reached.map((made) => made.webhook)))
        wake(workspace, {kind: 'deliver', webhook});
      if (outcomes.includes('stale')) directory = await subscriptions.fresh(workspace, callDeadline());
      if (outcomes.every((outcome) => outcome === 'done')) cursor = portions.at(-1)?.last.sequence ?? cursor;
      else cursor = await events.findCursor(workspace, 'webhooks', callDeadline());
    }
    return {more: cursor !== undefined};
  };
}

function callDeadline(): number {
  return performance.now() + deadlines.job;
}
