import {createCache} from '../domain/core/cache.js';
import type {NewDelivery} from '../domain/webhooks/delivery.js';
import type {LogEntry} from '../domain/events/event.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';

/** Caches events whose deliveries this process has created, so that claims need not read them. */
export type KnownEvents = ReturnType<typeof createRecentEventCache>;

export interface KnownEvent {
  readonly entry: LogEntry;
  readonly read: Promise<unknown>;
}

/** The number of cached events (about 30 MB with their data), enough for two webhooks with the most deliveries. */
const maxKnown = 20_000;
const maxWebhooks = 10_000;

/** Creates the cache by deliveries: a restored store may give an event's number to another event. */
export function createRecentEventCache() {
  const known = createCache<KnownEvent>(maxKnown);
  const webhooks = createCache<true>(maxWebhooks);
  return {
    /** Adds events before their deliveries exist. `read` resolves when their data has been read. */
    note(
      workspace: Id<'workspace'>,
      made: readonly NewDelivery[],
      entries: readonly LogEntry[],
      read: Promise<unknown>,
    ): void {
      const bySequence = new Map(entries.map((entry) => [entry.sequence, {entry, read}]));
      for (const {webhook, suffix, sequence} of made) {
        const event = bySequence.get(sequence);
        if (event !== undefined) known.set(`${workspace} ${suffix}`, event);
        webhooks.set(`${workspace} ${webhook}`, true);
      }
    },
    /** True when deliveries of this webhook (its id suffix) were recently created in this process. */
    hasMade: (workspace: Id<'workspace'>, webhook: IdSuffix<'webhook'>): boolean =>
      webhooks.has(`${workspace} ${webhook}`),
    /** Returns the event of a delivery (its id suffix); undefined when it is not cached. */
    find: (workspace: Id<'workspace'>, suffix: IdSuffix<'delivery'>): KnownEvent | undefined =>
      known.get(`${workspace} ${suffix}`),
  };
}
