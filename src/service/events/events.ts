// Use cases about events. The service layer makes all decisions and does no I/O itself: its dependencies are
// parameters, whose types are declared in `store/`.
import type {RequestContext, Call} from '../../domain/core/access.js';
import {AppError, notFound} from '../../domain/core/errors.js';
import type {LogPosition} from '../../domain/events/event.js';
import {isId, sequenceOfId} from '../../domain/core/ids.js';
import type {WireJson} from '../../domain/core/resource.js';
import {type Change, createChange, findReadingScope} from '../../domain/events/change.js';
import type {TailEvent} from '../../store/events/event-tail.js';
import type {ServiceContext} from '../core/context.js';
import {createStoreUnavailableError} from '../core/admission.js';
import type {CallerRole} from '../core/authority.js';
import type {TeamReader} from '../core/reach.js';
import {createEventAwaiter} from './await-events.js';
import {createEventLister} from './event-list.js';
import type {EventSight} from './event-sight.js';
import {createEventFollower, type FollowEvents, createLogPositionLostError} from './event-stream.js';
import {createStreamSlots} from './stream-slots.js';

/** The start of a stream: after an event or a position. Without either, at the next event. */
export interface StreamStart {
  /** The id of the last event that the consumer has. */
  readonly lastEventId?: string | undefined;
  /** The position of a cursor from the event list. */
  readonly after?: LogPosition | undefined;
}

export function createEvents(context: ServiceContext, {sight}: {readonly sight: EventSight}) {
  const {events} = context;
  const streamSlots = createStreamSlots();
  const listEvents = createEventLister(events, {sight});
  const followEvents = createEventFollower(context, {sight, streamSlots});

  async function findLogEnd({workspace, deadline}: RequestContext): Promise<LogPosition> {
    const end = await events.findEnd(workspace, deadline);
    if (end === undefined) throw createStoreUnavailableError();
    return end;
  }

  return {
    /**
     * Lists events from either end of the log. Each call scans a limited part of the log. A page may have
     * fewer rows than requested, or none, and still be followed by another page. Errors: `cursor_expired` if
     * the log no longer contains the position; no event is ever skipped silently.
     */
    listEvents,
    /** Lists events as `listEvents` does, but waits for the first one. */
    awaitEvents: createEventAwaiter(context, {listEvents, streamSlots}),
    /**
     * Returns one event as JSON. Errors: `not_found`, also for an event that has been dropped, and for one of a
     * private team that the reader may not see.
     */
    async findEvent(access: TeamReader, id: string): Promise<WireJson> {
      if (!isId('event', id)) throw notFound('event');
      const {workspace, deadline} = access;
      const [, entry] = await Promise.all([
        findLogEnd(access),
        events.findBySequence(workspace, sequenceOfId(id), deadline),
      ]);
      if (entry?.id !== id) throw notFound('event');
      const [isSeen] = await sight.select(access, [entry]);
      if (isSeen !== true) throw notFound('event');
      const [json] = await events.render(workspace, [entry], deadline);
      if (json === undefined) throw notFound('event');
      return json;
    },
    /**
     * Returns the position at which a stream starts. Errors: `invalid_parameter` for an unknown event id,
     * `cursor_expired` if the log no longer contains that event.
     */
    async findStreamStart(access: RequestContext, {lastEventId, after}: StreamStart): Promise<LogPosition> {
      // A browser that reconnects sends the same URL again, with the old `after`. It sends the id of the last
      // event in the header Last-Event-ID, which therefore counts.
      const position = lastEventId === undefined ? after : findLogPosition(lastEventId);
      if (position === undefined) return findLogEnd(access);
      const {workspace, deadline} = access;
      if ((await events.readOn(workspace, position, 0, deadline)) === undefined)
        throw createLogPositionLostError();
      return position;
    },
    followEvents,
    /** Follows changes: events without content that the caller may read by scopes and role. */
    followChanges: createChangeFollower(followEvents),
  };
}

function findLogPosition(id: string): LogPosition {
  if (isId('event', id)) return {sequence: sequenceOfId(id), id};
  const detail = '`Last-Event-ID` must be the id of an event of this workspace.';
  throw new AppError('invalid_parameter', detail, {
    inputErrors: [{code: 'invalid_parameter', detail, header: 'Last-Event-ID'}],
  });
}

/**
 * Follows the event log for any caller. Reports which resources have changed, without their content, if the
 * caller may read them by scopes and role.
 */
function createChangeFollower(followEvents: FollowEvents): FollowEvents {
  /** Consumers that read the same page share the changes computed from its events. */
  const known = new WeakMap<TailEvent, Change>();

  function describeChangedResource(event: TailEvent): Change {
    const change = known.get(event) ?? createChange(event, event.json);
    known.set(event, change);
    return change;
  }

  /** True if the caller may read the changed resource, by the same rule as in the operations that read it. */
  function mayReadChange({scopes, principal}: Call, event: TailEvent, role: CallerRole): boolean {
    const scope = findReadingScope(event.type);
    if (!scopes.has(scope)) return false;
    if (role !== 'member') return true;
    if (scope === 'tokens:manage') return describeChangedResource(event).member_id === principal.id;
    return scope !== 'webhooks:manage';
  }

  /** Describes a change for one caller. `for_me`: the change reminds them. */
  function renderChange(event: TailEvent, {principal}: Call): string {
    const change = describeChangedResource(event);
    const isReminded = event.reminded?.members.some((member) => member === principal.id) === true;
    return JSON.stringify(isReminded ? {...change, for_me: true} : change);
  }

  return async function* followChanges(call, start, options) {
    const shows = (event: TailEvent, role: CallerRole) => mayReadChange(call, event, role);
    for await (const {events, ...batch} of followEvents(call, start, {...options, shows})) {
      yield {
        ...batch,
        events: events.map((event) => ({...event, json: renderChange(event, call)})),
      };
    }
  };
}
