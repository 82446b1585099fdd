import {createCache} from '../domain/core/cache.js';
import {AppError} from '../domain/core/errors.js';
import type {Claim} from '../store/webhooks/claims.js';
import {callDeadline, type JobContext} from './context.js';
import type {ClaimedEvent, InFlight, EventMessages} from './in-flight.js';
import {createRecentEventCache, type KnownEvents} from './known-events.js';

/** Finds the events of claimed deliveries, either in the claims or in this process's cache. */
export type ClaimedEvents = ReturnType<typeof createClaimedEvents>;

/** The largest number of webhooks that are remembered here, the last used ones. */
const maxUnknown = 10_000;

/** `known`: a cache of events whose deliveries this process has created. */
export function createClaimedEvents(
  {store: {events}}: JobContext,
  known: KnownEvents = createRecentEventCache(),
) {
  /** Webhooks with events that this process does not know. Claims for these include the events. */
  const unknown = createCache<true>(maxUnknown);

  async function renderMessages({workspace}: InFlight, found: readonly ClaimedEvent[]) {
    await Promise.all(new Set(found.flatMap((one) => one.read ?? [])));
    const all = found.map(({event}) => event);
    const bodies = await events.renderRead(workspace, all, callDeadline());
    return new Map(found.map(({suffix, event: {entry}}, i) => [suffix, {entry, body: bodies[i] ?? ''}]));
  }

  return {
    /** True if claims must include their events, because this process may not know them. */
    areWanted: ({workspace, webhook, key}: InFlight): boolean =>
      unknown.has(key) || !known.hasMade(workspace, webhook),
    /** Returns claims without a known event, which this process cannot send. */
    findStrange({workspace, key}: InFlight, claims: readonly Claim[]): Claim[] {
      const strange = claims.filter(
        ({suffix, event}) => event === undefined && known.find(workspace, suffix) === undefined,
      );
      if (strange.length > 0) unknown.set(key, true);
      return strange;
    },
    /** Returns the events of the claims that the log still has. */
    find({workspace, key}: InFlight, claims: readonly Claim[]): ClaimedEvent[] {
      const found = claims.flatMap(({suffix, event}) => {
        const made = known.find(workspace, suffix);
        const kept = event ?? made;
        return kept === undefined ? [] : [{suffix, event: kept, read: made?.read}];
      });
      if (found.length > 0 && found.every((one) => one.read !== undefined)) unknown.delete(key);
      return found;
    },
    read: renderMessages,
    /**
     * Reads several events together. Undefined when one of them is unreadable. Each is then read alone, so that
     * the readable ones are sent.
     */
    readTogether: (inFlight: InFlight, found: readonly ClaimedEvent[]): Promise<EventMessages | undefined> =>
      renderMessages(inFlight, found).catch((error: unknown) => {
        // The store is unavailable, so no event can be read at all.
        if (error instanceof AppError) throw error;
        return undefined;
      }),
  };
}
