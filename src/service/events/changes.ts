import type {Call} from '../../domain/core/access.js';
import {type Change, createChange, findReadingScope} from '../../domain/events/change.js';
import type {CallerRole} from '../core/authority.js';
import type {FollowEvents} from './event-stream.js';
import type {TailEvent} from '../../store/events/event-tail.js';

/**
 * Follows the event log for any caller. Reports which resources have changed, without their content, if the
 * caller may read them by scopes and role.
 */
export function createChangeFollower(followEvents: FollowEvents): FollowEvents {
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

  return async function* followChanges(call, start, options) {
    const shows = (event: TailEvent, role: CallerRole) => mayReadChange(call, event, role);
    for await (const {events, ...batch} of followEvents(call, start, {...options, shows})) {
      yield {
        ...batch,
        events: events.map((event) => ({...event, json: JSON.stringify(describeChangedResource(event))})),
      };
    }
  };
}
