import {drawIdPart, sequencedPart} from '../domain/ids.js';
import type {LogEntry} from '../domain/event.js';
import {deadlines} from '../domain/limits.js';
import {type Subscription, wants} from '../domain/webhook.js';
import type {Work} from '../domain/work.js';
import type {Perform} from './performer.js';

export interface FanOutParts {
  readonly events: {
    findCursor(workspace: string, reader: 'webhooks', deadline: number): Promise<number | undefined>;
    listAfter(workspace: string, after: number, limit: number, deadline: number): Promise<LogEntry[]>;
    settleReader(workspace: string, reader: 'webhooks', deadline: number): Promise<void>;
  };
  readonly subscriptions: {
    get(workspace: string, deadline: number): Promise<Directory>;
    fresh(workspace: string, deadline: number): Promise<Directory>;
  };
  readonly deliveries: {
    fanOut(
      workspace: string,
      entry: LogEntry,
      version: number,
      deliveries: readonly {webhook: string; drawn: string}[],
      deadline: number,
    ): Promise<'done' | 'moved' | 'stale'>;
  };
  readonly sha256: (text: string) => Uint8Array;
  readonly wake: (workspace: string, work: Work) => void;
}

interface Directory {
  readonly version: number;
  readonly webhooks: readonly (Subscription & {readonly drawn: string})[];
}

const batch = 64;

/**
 * Makes the deliveries of every event that the webhooks' cursor has not passed: one script for each event creates them all and moves the
 * cursor on, so running this often, or in several processes, changes nothing.
 */
export function createFanOut({
  events,
  subscriptions,
  deliveries,
  sha256,
  wake,
}: FanOutParts): Perform<{kind: 'fan-out'}> {
  /** The same event and webhook give the same delivery, whoever asks. */
  function deliveryOf(entry: LogEntry, webhook: string): {webhook: string; drawn: string} {
    const start = drawIdPart(sha256(`${entry.id} ${webhook}`).subarray(0, 10));
    return {webhook, drawn: sequencedPart(start, entry.sequence)};
  }

  return async function fanOut({workspace, until}) {
    let directory = await subscriptions.get(workspace, callDeadline());
    let cursor = await events.findCursor(workspace, 'webhooks', callDeadline());
    while (cursor !== undefined && performance.now() < until) {
      const entries = await events.listAfter(workspace, cursor, batch, callDeadline());
      if (entries.length === 0) {
        await events.settleReader(workspace, 'webhooks', callDeadline());
        return {more: false};
      }
      const {version, webhooks} = directory;
      const wanted = entries.map((entry) => webhooks.filter((webhook) => wants(webhook, entry)));
      // Sent together, run in order: each is refused unless the one before it has moved the cursor.
      const outcomes = await Promise.all(
        entries.map((entry, i) => {
          const made = (wanted[i] ?? []).map(({drawn}) => deliveryOf(entry, drawn));
          return deliveries.fanOut(workspace, entry, version, made, callDeadline());
        }),
      );
      const reached = new Set(wanted.flatMap((list, i) => (outcomes[i] === 'done' ? list : [])));
      for (const {drawn} of reached) wake(workspace, {kind: 'deliver', webhook: drawn});
      if (outcomes.includes('stale')) directory = await subscriptions.fresh(workspace, callDeadline());
      if (outcomes.every((outcome) => outcome === 'done')) cursor = entries.at(-1)?.sequence ?? cursor;
      else cursor = await events.findCursor(workspace, 'webhooks', callDeadline());
    }
    return {more: cursor !== undefined};
  };
}

function callDeadline(): number {
  return performance.now() + deadlines.job;
}
