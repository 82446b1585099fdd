import type {Call} from '../../domain/core/access.js';
import {type Change, changeOf, readingScopeOf} from '../../domain/events/change.js';
import type {CallerRole} from '../core/authority.js';
import type {FollowEvents} from './event-stream.js';
import type {TailEvent} from '../../store/events/event-tail.js';

/**
 * Follows the log as `followEvents` does, for any caller: reports that a resource which the caller may read
 * by scopes and role has changed, without its content.
 */
export function createFollowChanges(followEvents: FollowEvents): FollowEvents {
  /** Consumers of the same page share its events. */
  const known = new WeakMap<TailEvent, Change>();

  function changeOfEvent(event: TailEvent): Change {
    const change = known.get(event) ?? changeOf(event, event.json);
    known.set(event, change);
    return change;
  }

  /** The same rule as in the operations that read the resource. */
  function mayReadChange({scopes, principal}: Call, event: TailEvent, role: CallerRole): boolean {
    const scope = readingScopeOf(event.type);
    if (!scopes.has(scope)) return false;
    if (role !== 'member') return true;
    if (scope === 'tokens:manage') return changeOfEvent(event).member_id === principal.id;
    return scope !== 'webhooks:manage';
  }

  return async function* followChanges(call, start, options) {
    const shows = (event: TailEvent, role: CallerRole) => mayReadChange(call, event, role);
    for await (const {events, ...batch} of followEvents(call, start, {...options, shows})) {
      yield {
        ...batch,
        events: events.map((event) => ({...event, json: JSON.stringify(changeOfEvent(event))})),
      };
    }
  };
}
