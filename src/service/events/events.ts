// Use cases: the only layer that decides. No I/O of its own: dependencies are parameters, with types declared
// in `store/` next to the code.
import type {RequestContext} from '../../domain/core/access.js';
import {AppError, notFound} from '../../domain/core/errors.js';
import type {LogPosition} from '../../domain/events/event.js';
import {isId, sequenceOfId} from '../../domain/core/ids.js';
import type {WireJson} from '../../domain/core/resource.js';
import {storeUnavailableError} from '../core/admission.js';
import {createFollowChanges} from './changes.js';
import {createListEvents, type ListEvents} from './event-list.js';
import {
  createFollowEvents,
  type FollowEvents,
  type FollowParts,
  logPositionLostError,
} from './event-stream.js';
import type {EventLog} from '../../store/events/event-log.js';

/** Where a stream starts; with neither, at the next event. */
export interface StreamStart {
  /** Id of the last event that the consumer has. */
  readonly lastEventId?: string | undefined;
  /** From a cursor of the feed. */
  readonly after?: LogPosition | undefined;
}

export interface Events {
  /**
   * Events from either end of the log. Each call scans a bounded part of it, so a page may have fewer rows
   * than asked for, or none, and still have a next page. Errors: `cursor_expired` when the log does not
   * continue from the position, never a silent gap.
   */
  readonly listEvents: ListEvents;
  /** One event as wire JSON. Errors: `not_found`, also for an event that has been dropped. */
  findEvent: (access: RequestContext, id: string) => Promise<WireJson>;
  /**
   * Errors: `invalid_parameter` for an unknown event id, `cursor_expired` when the log does not continue from
   * that event.
   */
  findStreamStart: (access: RequestContext, streamStart: StreamStart) => Promise<LogPosition>;
  readonly followEvents: FollowEvents;
  /** The same without the content of events, limited to what the caller may read by scopes and role. */
  readonly followChanges: FollowEvents;
}

export function createEvents({events, ...parts}: FollowParts & {readonly events: EventLog}): Events {
  const followEvents = createFollowEvents(parts);

  async function logEndOf({workspace, deadline}: RequestContext): Promise<LogPosition> {
    const end = await events.findEnd(workspace, deadline);
    if (end === undefined) throw storeUnavailableError();
    return end;
  }

  return {
    listEvents: createListEvents(events),
    async findEvent(access, id) {
      if (!isId('event', id)) throw notFound('event');
      const {workspace, deadline} = access;
      const [, entry] = await Promise.all([
        logEndOf(access),
        events.findBySequence(workspace, sequenceOfId(id), deadline),
      ]);
      if (entry?.id !== id) throw notFound('event');
      const [json] = await events.render(workspace, [entry], deadline);
      if (json === undefined) throw notFound('event');
      return json;
    },
    async findStreamStart(access, {lastEventId, after}) {
      // A consumer that reconnects sends both: the address it began with, and its current position.
      const position = lastEventId === undefined ? after : logPositionOf(lastEventId);
      if (position === undefined) return logEndOf(access);
      const {workspace, deadline} = access;
      if ((await events.readOn(workspace, position, 0, deadline)) === undefined) throw logPositionLostError();
      return position;
    },
    followEvents,
    followChanges: createFollowChanges(followEvents),
  };
}

function logPositionOf(id: string): LogPosition {
  if (isId('event', id)) return {sequence: sequenceOfId(id), id};
  const detail = '`Last-Event-ID` must be the id of an event of this workspace.';
  throw new AppError('invalid_parameter', detail, {
    inputErrors: [{code: 'invalid_parameter', detail, header: 'Last-Event-ID'}],
  });
}
