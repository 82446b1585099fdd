// Use cases: the only place that decides. Each function reads like its story.
// No I/O of its own: what it needs is a parameter, described in stores.ts and provided by `store/`.
import type {Access} from '../domain/access.js';
import {AppError, notFound} from '../domain/errors.js';
import type {LogPlace} from '../domain/event.js';
import {isId, sequenceOfId} from '../domain/ids.js';
import type {WireJson} from '../domain/resource.js';
import {storeLost} from './admission.js';
import {createFollowChanges} from './changes.js';
import {createFollowEvents, type FollowEvents, type FollowParts, lostTrack} from './event-stream.js';
import type {EventLog} from './stores.js';

export interface EventPage {
  readonly rows: readonly WireJson[];
  /** Where to go on; also given when nothing follows yet, so that a reader can poll from here. */
  readonly next: LogPlace;
  readonly more: boolean;
}

/** Where a stream is to begin; without either, with the next event. */
export interface StreamPlace {
  /** Id of the last event that the reader has. */
  readonly lastEventId?: string | undefined;
  /** From a cursor of the feed. */
  readonly after?: LogPlace | undefined;
}

type Reading = Pick<Access, 'workspace'> & {readonly deadline: number};

export interface Events {
  /**
   * Events after a place, oldest first; from the oldest one kept when `after` is left out.
   * Errors: `cursor_expired` when the log does not go on there, never a silent gap.
   */
  listEvents(access: Reading, query: {after?: LogPlace | undefined; limit: number}): Promise<EventPage>;
  /** One event's wire JSON. Errors: `not_found`, also for one that has been dropped. */
  findEvent(access: Reading, id: string): Promise<WireJson>;
  /**
   * Errors: `invalid_parameter` for what is no event's id, `cursor_expired` when the log does not go on from
   * that event.
   */
  findStreamStart(access: Reading, place: StreamPlace): Promise<LogPlace>;
  readonly followEvents: FollowEvents;
  /** The same without a word of what events say, and of what the caller may read by scopes and role. */
  readonly followChanges: FollowEvents;
}

export function createEvents({events, ...parts}: FollowParts & {readonly events: EventLog}): Events {
  const followEvents = createFollowEvents(parts);

  async function endOf({workspace, deadline}: Reading): Promise<LogPlace> {
    const end = await events.findEnd(workspace, deadline);
    if (end === undefined) throw storeLost();
    return end;
  }

  async function readOn({workspace, deadline}: Reading, place: LogPlace, limit: number) {
    const found = await events.readOn(workspace, place, limit, deadline);
    if (found === undefined) throw lostTrack();
    return found;
  }

  /** The end is read before the events: what comes in between is found with them. */
  async function readAll(access: Reading, limit: number) {
    const {workspace, deadline} = access;
    return Promise.all([endOf(access), events.listAfter(workspace, 0, limit, deadline)]);
  }

  return {
    async listEvents(access, {after, limit}) {
      const [place, found] =
        after === undefined
          ? await readAll(access, limit + 1)
          : [after, await readOn(access, after, limit + 1)];
      const page = found.slice(0, limit);
      return {
        rows: await events.render(access.workspace, page, access.deadline),
        next: page.at(-1) ?? place,
        more: found.length > limit,
      };
    },
    async findEvent(access, id) {
      if (!isId('event', id)) throw notFound('event');
      const {workspace, deadline} = access;
      const [, entry] = await Promise.all([
        endOf(access),
        events.findBySequence(workspace, sequenceOfId(id), deadline),
      ]);
      if (entry?.id !== id) throw notFound('event');
      const [json] = await events.render(workspace, [entry], deadline);
      if (json === undefined) throw notFound('event');
      return json;
    },
    async findStreamStart(access, {lastEventId, after}) {
      // A reader that comes back sends both: the address it began with, and where it is now.
      const place = lastEventId === undefined ? after : placeOf(lastEventId);
      if (place === undefined) return endOf(access);
      await readOn(access, place, 0);
      return place;
    },
    followEvents,
    followChanges: createFollowChanges(followEvents),
  };
}

function placeOf(id: string): LogPlace {
  if (isId('event', id)) return {sequence: sequenceOfId(id), id};
  const detail = '`Last-Event-ID` must be the id of an event of this workspace.';
  throw new AppError('invalid_parameter', detail, {
    faults: [{code: 'invalid_parameter', detail, header: 'Last-Event-ID'}],
  });
}
