import {eventTypes} from '../../domain/events/event.js';
import {limits} from '../../domain/core/limits.js';
import {describeEventType} from './describe-type.js';
import {presentPage} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {eventTypeSchema} from './event-type-schemas.js';
import {pageQuerySchema} from '../http/shared-schemas.js';

export function createEventTypeRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/event-types',
      operation: 'listEventTypes',
      tag: 'Events',
      summary: 'List event types',
      description:
        'Returns every event type of this version of the service, by noun. Each has a description, the kind of its resource, and an example. The list is the same for every caller.',
      query: pageQuerySchema,
      success: {status: 200, schema: eventTypeSchema, list: true},
      errors: ['invalid_cursor'],
      async handle(input) {
        const {limit = limits.pageDefault, cursor} = input.query;
        const from = input.cursors.open(cursor) ?? 0;
        const rows = eventTypes
          .slice(from, from + limit)
          .map((type) => JSON.stringify(describeEventType(type)));
        const next = from + limit;
        return presentPage(rows, next < eventTypes.length ? next : undefined, input);
      },
    }),
  ];
}
