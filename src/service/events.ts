// Use cases: the only place that decides. Each function reads like its story.
// No I/O of its own: what it needs is a parameter, described in stores.ts and provided by `store/`.
import type {Access} from '../domain/access.js';
import {AppError} from '../domain/errors.js';
import type {WireJson} from '../domain/resource.js';
import type {EventLog} from './stores.js';

export interface EventPage {
  readonly rows: readonly WireJson[];
  /** Sequence to go on after; also given when nothing follows yet, so that a reader can poll from here. */
  readonly next: number;
  readonly more: boolean;
}

export interface Events {
  /**
   * Events after a sequence, oldest first; from the oldest one kept when `after` is left out.
   * Errors: `cursor_expired` when events after it have been dropped, never a silent gap.
   */
  listEvents(
    access: Access & {deadline: number},
    query: {after?: number | undefined; limit: number},
  ): Promise<EventPage>;
}

export function createEvents({events}: {readonly events: EventLog}): Events {
  return {
    async listEvents({workspace, deadline}, {after, limit}) {
      const span = await events.span(workspace, deadline);
      if (span === undefined) throw new AppError('store_lost', "This workspace's data is not in the store.");
      const from = after ?? span.oldest - 1;
      if (from < span.oldest - 1) {
        throw new AppError(
          'cursor_expired',
          'Events after this cursor have been dropped (they are kept for 30 days). Start again without a cursor.',
        );
      }
      const found = await events.listAfter(workspace, from, limit + 1, deadline);
      const page = found.slice(0, limit);
      return {
        rows: await events.render(workspace, page, deadline),
        next: page.at(-1)?.sequence ?? from,
        more: found.length > limit,
      };
    },
  };
}
