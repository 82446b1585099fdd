import {LRUCache} from 'lru-cache';
import type {NewDelivery} from '../domain/webhooks/delivery.js';
import type {LogEntry} from '../domain/events/event.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';

/** Events of deliveries that this process has made, so that it need not ask the store for them when it claims those. */
export interface KnownEvents {
  /** Called before the deliveries are made. `read` ends when all that the bodies need has been read. */
  note: (
    workspace: Id<'workspace'>,
    made: readonly NewDelivery[],
    entries: readonly LogEntry[],
    read: Promise<unknown>,
  ) => void;
  /** The event of a delivery, by the drawn half of that; undefined where it is not known. */
  find: (workspace: Id<'workspace'>, drawn: IdSuffix<'delivery'>) => KnownEvent | undefined;
  /** Whether deliveries of this webhook (its drawn half) have been made here of late. */
  hasMade: (workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>) => boolean;
}

export interface KnownEvent {
  readonly entry: LogEntry;
  readonly read: Promise<unknown>;
}

/** Some 4 MB; two webhooks that are as far behind as they can be. */
const maxKnown = 20_000;
const maxWebhooks = 10_000;

/** By deliveries, not by sequence: in a store that was set back another event may have the number of one that is lost. */
export function createKnownEvents(): KnownEvents {
  const known = new LRUCache<string, KnownEvent>({max: maxKnown});
  const webhooks = new LRUCache<string, true>({max: maxWebhooks});
  return {
    note(workspace, made, entries, read) {
      const bySequence = new Map(entries.map((entry) => [entry.sequence, {entry, read}]));
      for (const {webhook, drawn, sequence} of made) {
        const event = bySequence.get(sequence);
        if (event !== undefined) known.set(`${workspace} ${drawn}`, event);
        webhooks.set(`${workspace} ${webhook}`, true);
      }
    },
    hasMade: (workspace, webhook) => webhooks.has(`${workspace} ${webhook}`),
    find: (workspace, drawn) => known.get(`${workspace} ${drawn}`),
  };
}
