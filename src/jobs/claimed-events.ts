import {createCache} from '../domain/core/cache.js';
import {AppError} from '../domain/core/errors.js';
import {deadlines} from '../domain/core/limits.js';
import type {EventLog} from '../store/events/event-log.js';
import type {Claim} from '../store/webhooks/claims.js';
import type {ClaimedEvent, InFlight, EventMessages} from './in-flight.js';
import {createRecentEventCache, type KnownEvents} from './known-events.js';

export interface ClaimedEventsParts {
  readonly events: Pick<EventLog, 'renderRead'>;
  /** Events of deliveries that this process has created. */
  readonly known?: Pick<KnownEvents, 'find' | 'hasMade'>;
}

/** Finds the events of claimed deliveries, in their claims or in this process's cache. */
export interface ClaimedEvents {
  /** Whether claims must include their events, since this process may not know them. */
  areWanted: (inFlight: InFlight) => boolean;
  /** Claims whose event is neither included nor cached here: this process cannot send them. */
  findStrange: (inFlight: InFlight, claims: readonly Claim[]) => Claim[];
  /** Leaves out events that the log has dropped. */
  find: (inFlight: InFlight, claims: readonly Claim[]) => ClaimedEvent[];
  read: (inFlight: InFlight, found: readonly ClaimedEvent[]) => Promise<EventMessages>;
  /** Undefined when one of the events is unreadable. Each is then read alone, so that it blocks no other. */
  readTogether: (inFlight: InFlight, found: readonly ClaimedEvent[]) => Promise<EventMessages | undefined>;
}

/** The number of webhooks remembered as having such events, the least recently used dropped first. */
const maxUnknown = 10_000;

export function createClaimedEvents(parts: ClaimedEventsParts): ClaimedEvents {
  const {events, known = createRecentEventCache()} = parts;
  /** Webhooks with deliveries of events that this process does not know: their claims include them. */
  const unknown = createCache<true>(maxUnknown);

  async function renderMessages(
    {workspace}: InFlight,
    found: readonly ClaimedEvent[],
  ): Promise<EventMessages> {
    await Promise.all(new Set(found.flatMap((one) => one.read ?? [])));
    const all = found.map(({event}) => event);
    const bodies = await events.renderRead(workspace, all, performance.now() + deadlines.job);
    return new Map(found.map(({suffix, event: {entry}}, i) => [suffix, {entry, body: bodies[i] ?? ''}]));
  }

  return {
    areWanted: ({workspace, webhook, key}) => unknown.has(key) || !known.hasMade(workspace, webhook),
    findStrange({workspace, key}, claims) {
      const strange = claims.filter(
        ({suffix, event}) => event === undefined && known.find(workspace, suffix) === undefined,
      );
      if (strange.length > 0) unknown.set(key, true);
      return strange;
    },
    find({workspace, key}, claims) {
      const found = claims.flatMap(({suffix, event}) => {
        const made = known.find(workspace, suffix);
        const kept = event ?? made;
        return kept === undefined ? [] : [{suffix, event: kept, read: made?.read}];
      });
      if (found.length > 0 && found.every((one) => one.read !== undefined)) unknown.delete(key);
      return found;
    },
    read: renderMessages,
    readTogether: (inFlight, found) =>
      renderMessages(inFlight, found).catch((error: unknown) => {
        // The store is unavailable: then no event can be read.
        if (error instanceof AppError) throw error;
        return undefined;
      }),
  };
}
