import {createCache} from '../domain/core/cache.js';
import type {NewDelivery} from '../domain/webhooks/delivery.js';
import type {LogEntry} from '../domain/events/event.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';

/**
 * Caches the events of deliveries that this process has created, so that it need not read them again for its
 * claims.
 */
export interface KnownEvents {
  /** Called before the deliveries are created. `read` ends when all data for the bodies has been read. */
  note: (
    workspace: Id<'workspace'>,
    made: readonly NewDelivery[],
    entries: readonly LogEntry[],
    read: Promise<unknown>,
  ) => void;
  /** The event of a delivery, by its id suffix; undefined when it is not cached. */
  find: (workspace: Id<'workspace'>, suffix: IdSuffix<'delivery'>) => KnownEvent | undefined;
  /** Whether deliveries of this webhook (by id suffix) were created here recently. */
  hasMade: (workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>) => boolean;
}

export interface KnownEvent {
  readonly entry: LogEntry;
  readonly read: Promise<unknown>;
}

/** About 4 MB; two webhooks that are as far behind as possible. */
const maxKnown = 20_000;
const maxWebhooks = 10_000;

/**
 * Keyed by delivery, not by sequence: in a store restored to an earlier state another event may have the
 * number of a lost one.
 */
export function createRecentEventCache(): KnownEvents {
  const known = createCache<KnownEvent>(maxKnown);
  const webhooks = createCache<true>(maxWebhooks);
  return {
    note(workspace, made, entries, read) {
      const bySequence = new Map(entries.map((entry) => [entry.sequence, {entry, read}]));
      for (const {webhook, suffix, sequence} of made) {
        const event = bySequence.get(sequence);
        if (event !== undefined) known.set(`${workspace} ${suffix}`, event);
        webhooks.set(`${workspace} ${webhook}`, true);
      }
    },
    hasMade: (workspace, webhook) => webhooks.has(`${workspace} ${webhook}`),
    find: (workspace, suffix) => known.get(`${workspace} ${suffix}`),
  };
}
