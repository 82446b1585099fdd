// Use cases: the only place that decides. Each function reads like its story.
// No I/O of its own: what it needs is a parameter, described in stores.ts and provided by `store/`.
import type {Access} from '../domain/access.js';
import {AppError, notFound} from '../domain/errors.js';
import {isId, sequenceOfId} from '../domain/ids.js';
import type {WireJson} from '../domain/resource.js';
import {createFollowEvents, type FollowEvents, type FollowParts, type StreamStart} from './event-stream.js';
import type {EventLog} from './stores.js';

export interface EventPage {
  readonly rows: readonly WireJson[];
  /** Sequence to go on after; also given when nothing follows yet, so that a reader can poll from here. */
  readonly next: number;
  readonly more: boolean;
}

/** Where a stream is to begin; without either, with the next event. */
export interface StreamPlace {
  /** Id of the last event that the reader has. */
  readonly lastEventId?: string | undefined;
  /** Sequence of it, from a cursor of the feed. */
  readonly after?: number | undefined;
}

type Reading = Pick<Access, 'workspace'> & {readonly deadline: number};

export interface Events {
  /**
   * Events after a sequence, oldest first; from the oldest one kept when `after` is left out.
   * Errors: `cursor_expired` when events after it have been dropped, never a silent gap.
   */
  listEvents(access: Reading, query: {after?: number | undefined; limit: number}): Promise<EventPage>;
  /** One event's wire JSON. Errors: `not_found`, also for one that has been dropped. */
  findEvent(access: Reading, id: string): Promise<WireJson>;
  /** Errors: `invalid_parameter` for an id that no event of the workspace has, `cursor_expired` when events after it have been dropped. */
  findStreamStart(access: Reading, place: StreamPlace): Promise<StreamStart>;
  readonly followEvents: FollowEvents;
}

export function createEvents({events, ...parts}: FollowParts & {readonly events: EventLog}): Events {
  async function spanOf({workspace, deadline}: Reading) {
    const span = await events.span(workspace, deadline);
    if (span === undefined) throw new AppError('store_lost', "This workspace's data is not in the store.");
    return span;
  }

  async function findLast(access: Reading, id: string): Promise<StreamStart> {
    const sequence = isId('event', id) ? sequenceOfId(id) : undefined;
    if (sequence === undefined) throw unknownEvent();
    const {oldest, newest} = await spanOf(access);
    if (sequence > newest) throw unknownEvent();
    if (sequence < oldest) throw expired();
    const entry = await events.findBySequence(access.workspace, sequence, access.deadline);
    if (entry?.id !== id) throw unknownEvent();
    return {after: sequence, id};
  }

  return {
    async listEvents(access, {after, limit}) {
      const {workspace, deadline} = access;
      const {oldest} = await spanOf(access);
      const from = after ?? oldest - 1;
      if (from < oldest - 1) throw expired();
      const found = await events.listAfter(workspace, from, limit + 1, deadline);
      const page = found.slice(0, limit);
      return {
        rows: await events.render(workspace, page, deadline),
        next: page.at(-1)?.sequence ?? from,
        more: found.length > limit,
      };
    },
    async findEvent(access, id) {
      if (!isId('event', id)) throw notFound('event');
      const {workspace, deadline} = access;
      const sequence = sequenceOfId(id);
      const [{oldest}, entry] = await Promise.all([
        spanOf(access),
        events.findBySequence(workspace, sequence, deadline),
      ]);
      // A log entry may still be in memory when retention has taken it.
      if (entry?.id !== id || sequence < oldest) throw notFound('event');
      const [json] = await events.render(workspace, [entry], deadline);
      if (json === undefined) throw notFound('event');
      return json;
    },
    async findStreamStart(access, {lastEventId, after}) {
      // A reader that comes back sends both: the address it began with, and where it is now.
      if (lastEventId !== undefined) return findLast(access, lastEventId);
      const {oldest, newest} = await spanOf(access);
      if (after !== undefined && after < oldest - 1) throw expired();
      const from = after ?? newest;
      const entry = await events.findBySequence(access.workspace, from, access.deadline);
      return {after: from, id: entry?.id};
    },
    followEvents: createFollowEvents(parts),
  };
}

function expired(): AppError {
  return new AppError(
    'cursor_expired',
    'Events after this place are no longer kept. Start again without it.',
  );
}

function unknownEvent(): AppError {
  const detail = '`Last-Event-ID` must be the id of an event of this workspace.';
  return new AppError('invalid_parameter', detail, {
    faults: [{code: 'invalid_parameter', detail, header: 'Last-Event-ID'}],
  });
}
