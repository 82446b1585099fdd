import {findResourceKind, findReadingScope} from '../../domain/events/change.js';
import {type EventType, showsPrevious} from '../../domain/events/event.js';
import {eventMeanings} from '../../domain/events/event-types.js';
import {createEventExample} from './examples.js';

/** Describes a type of event for subscribers. */
export function describeEventType(type: EventType): object {
  return {
    type,
    object: 'event_type',
    group: `${type.slice(0, type.indexOf('.'))}.*`,
    description: eventMeanings[type],
    subject: findResourceKind(type),
    scope: findReadingScope(type),
    api_version: 'v1',
    shows_previous: showsPrevious(type),
    example: createEventExample(type),
  };
}
