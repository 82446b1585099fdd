// One file for each noun of the API: its operations with their schemas, documents and handlers.
// A handler is parse, one service call, present; whatever needs more belongs to `service/`.
import type {Services} from '../../service/services.js';
import {limits} from '../../domain/limits.js';
import {presentFeed} from '../present.js';
import {type Route, route} from '../route.js';
import {eventSchema} from '../schemas/events.js';
import {pageQuerySchema} from '../schemas/shared.js';

export function eventRoutes({events}: Pick<Services, 'events'>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/events',
      operation: 'listEvents',
      tag: 'Events',
      summary: 'Read the event feed',
      description:
        'Oldest first, in the order in which things happened. `next_cursor` is always given: keep it, and ask again from there.',
      scope: 'events:read',
      query: pageQuerySchema,
      success: {status: 200, schema: eventSchema, list: true},
      errors: ['invalid_cursor', 'cursor_expired'],
      handle: async (handled) => {
        const {limit = limits.pageDefault, cursor} = handled.query;
        const page = await events.listEvents(handled.call, {after: handled.cursors.open(cursor), limit});
        return presentFeed(page.rows, page, handled);
      },
    }),
  ];
}
