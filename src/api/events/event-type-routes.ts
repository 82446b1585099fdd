import {eventTypes} from '../../domain/events/event.js';
import {limits} from '../../domain/core/limits.js';
import {describeType} from './describe-type.js';
import {presentPage} from '../http/present.js';
import {type Route, route} from '../http/route.js';
import {eventTypeSchema} from './event-type-schemas.js';
import {pageQuerySchema} from '../http/shared-schemas.js';

export function eventTypeRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/event-types',
      operation: 'listEventTypes',
      tag: 'Events',
      summary: 'List the types of events',
      description:
        'Every type that this version of the service tells of, by noun: when it happens, what it is about, and an example. The same for everybody.',
      query: pageQuerySchema,
      success: {status: 200, schema: eventTypeSchema, list: true},
      errors: ['invalid_cursor'],
      async handle(handled) {
        const {limit = limits.pageDefault, cursor} = handled.query;
        const from = handled.cursors.open(cursor) ?? 0;
        const rows = eventTypes.slice(from, from + limit).map((type) => JSON.stringify(describeType(type)));
        const next = from + limit;
        return presentPage(rows, next < eventTypes.length ? next : undefined, handled);
      },
    }),
  ];
}
