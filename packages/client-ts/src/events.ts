import type {StandupClient} from './client.js';
import type {AnyEvent, EventType} from './schema.js';
import {realClock} from './sender.js';

export interface FollowOptions {
  /** The cursor that you have kept. Without it, the oldest event that the service keeps is the first. */
  readonly cursor?: string | undefined;
  /** Only events of these types; `standup.*` means all types of a noun. */
  readonly types?: readonly (EventType | `${string}.*`)[];
  /** Only events at or after this instant (RFC 3339). */
  readonly since?: string;
  /** Only events about the resource with this id. */
  readonly about?: string;
  /** Only events that this member, service account or access token caused, by id. */
  readonly actor?: string;
  /** Ends the iteration, also in the middle of a waiting request. */
  readonly signal?: AbortSignal;
  /** The longest time (s) that one request waits for an event. Default: 30, the most that the service allows. */
  readonly wait?: number;
}

/** Events in the order in which they happened. There may be none, if only others happened. */
export interface FollowedEvents {
  readonly events: readonly AnyEvent[];
  /** The position after these events: keep it in the transaction with their effects. */
  readonly cursor: string;
}

/** The shortest time (ms) between two reads without an event. */
const emptyPauseMs = 1_000;

/**
 * Follows the events of the workspace, from `cursor` on, until `signal` is aborted. Each step is a page of
 * events with the cursor to keep. Throws as other calls: with `cursor_expired` the events after the cursor
 * are gone, so read the lists again.
 */
export async function* followEvents(
  client: StandupClient,
  {cursor: kept, types, since, about, actor, signal, wait = 30}: FollowOptions = {},
): AsyncGenerator<FollowedEvents, void, undefined> {
  const filter = {
    ...(types !== undefined && {types: types.join(',')}),
    ...(since !== undefined && {since}),
    ...(about !== undefined && {about}),
    ...(actor !== undefined && {actor}),
  };
  let cursor = kept;
  try {
    // An aborted signal ends the call or the pause, so the loop too.
    for (;;) {
      const startedAt = realClock.now();
      const query = {...filter, ...(cursor !== undefined && {cursor}), limit: 100, wait};
      const page = await client.GET('/v1/events', {params: {query}, ...(signal && {signal})});
      const next = page.next_cursor ?? cursor;
      if (next !== undefined && next !== cursor) {
        cursor = next;
        // The document describes `data` of an event in a list as any resource; the feed has the same bytes as
        // a webhook.
        yield {events: page.data as readonly AnyEvent[], cursor};
      } else {
        await realClock.sleep(Math.max(emptyPauseMs - (realClock.now() - startedAt), 0), signal);
      }
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
