// One file for each noun of the API: its operations with their schemas, documents and handlers.
// A handler parses, makes one service call, and presents; anything more belongs to `service/`.
import type {Services} from '../../service/services.js';
import {limits} from '../../domain/core/limits.js';
import {presentFeed} from '../http/present.js';
import {eventStreamHeaders, eventStreamType, streamEvents} from './event-stream.js';
import {type Route, route} from '../http/route.js';
import {changesQuerySchema, eventSchema, eventsQuerySchema, streamQuerySchema} from './schemas.js';
import {noQuerySchema} from '../http/shared-schemas.js';

const feed = '/v1/events';
const tag = 'Events';

const feedDescription = `Oldest first, in the order in which things happened; \`next_cursor\` is then always given: keep it, and ask again from there. \
With \`order=desc\` newest first, and the cursor ends with the list. A request looks at a bounded number of events, so with a filter a page may have \
fewer rows than \`limit\`, or none, while \`has_more\` is true: go on with \`next_cursor\` until it is false.`;

const streamDescription = `Server-Sent Events: each with its \`id\`, its type as \`event\`, and as \`data\` the same JSON as in the feed, in one line. \
Without a place to begin at, the stream begins with the next event. A client that comes back sends the id of the last event it has as \
\`Last-Event-ID\` (browsers' \`EventSource\` does so by itself) and misses nothing and gets nothing twice; \`after\` takes a cursor of the feed \
instead. A comment is sent at least every 15 seconds. The stream ends, without an error, when the token does, when the service restarts, and \
for a reader that takes nothing for 30 seconds: connect again. Events that come more than about a second after the token was revoked are not sent.

At most ${limits.streamsPerPrincipal} streams of a principal are open at once in one process, which has ${limits.streamsPerProcess} for all; a workspace \
gets no more when it has as many as are left for the others.`;

const changesDescription = `Server-Sent Events, as \`GET ${feed}/stream\`, for every token: that something has changed, and what it is, without a word of \
what it says. Read it again to know more. Only what the token may read is told of, by its scopes and the role of its holder: tokens of others, and \
webhooks, only to those who run the workspace. So \`sequence\` has gaps here.

Each has the \`id\` of its event, its type as \`event\`, and as \`data\` \`{sequence, type, object, id, team_id, date, member_id}\`: \`object\` and \`id\` of what has \
changed (the id is null once it has been erased), and as far as it has them its team, the date of a standup or a run, and the member whose it is. \
\`Last-Event-ID\` goes on after an event; without it the stream begins with the next one. Open the stream first, then read: nothing is missed. Streams of both kinds count together.`;

export function eventRoutes({events}: Pick<Services, 'events'>): Route[] {
  return [
    route({
      method: 'GET',
      path: feed,
      operation: 'listEvents',
      tag,
      summary: 'Read the event feed',
      description: feedDescription,
      scope: 'events:read',
      query: eventsQuerySchema,
      success: {status: 200, schema: eventSchema, list: true},
      errors: ['invalid_cursor', 'cursor_expired'],
      handle: async (handled) => {
        const {limit = limits.pageDefault, cursor, since, until, ...filter} = handled.query;
        const page = await events.listEvents(handled.call, {
          ...filter,
          since: since === undefined ? undefined : Date.parse(since),
          until: until === undefined ? undefined : Date.parse(until),
          past: handled.cursors.openLog(cursor),
          limit,
        });
        return presentFeed(page.rows, page, handled);
      },
    }),
    route({
      method: 'GET',
      path: `${feed}/stream`,
      operation: 'streamEvents',
      tag,
      summary: 'Follow the events as a stream',
      description: streamDescription,
      scope: 'events:read',
      query: streamQuerySchema,
      headers: ['Last-Event-ID'],
      cursorsOf: feed,
      success: {status: 200, mediaTypes: [eventStreamType]},
      errors: ['invalid_cursor', 'cursor_expired', 'limit_reached'],
      async handle({call, query, header, cursors}) {
        const start = await events.findStreamStart(call, {
          lastEventId: header('Last-Event-ID'),
          after: cursors.openLog(query.after, 'after'),
        });
        return {
          status: 200,
          headers: eventStreamHeaders,
          stream: streamEvents((signal) => events.followEvents(call, start, {types: query.types, signal})),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/v1/changes/stream',
      operation: 'streamChanges',
      tag,
      summary: 'Follow what changes as a stream',
      description: changesDescription,
      query: changesQuerySchema,
      headers: ['Last-Event-ID'],
      success: {status: 200, mediaTypes: [eventStreamType]},
      errors: ['cursor_expired', 'limit_reached'],
      async handle({call, query: {types}, header}) {
        const start = await events.findStreamStart(call, {lastEventId: header('Last-Event-ID')});
        return {
          status: 200,
          headers: eventStreamHeaders,
          stream: streamEvents((signal) => events.followChanges(call, start, {types, signal})),
        };
      },
    }),
    route({
      method: 'GET',
      path: `${feed}/{event}`,
      operation: 'getEvent',
      tag,
      summary: 'Get an event',
      description: 'The same bytes as in the feed, in the stream and in the body of a webhook.',
      scope: 'events:read',
      query: noQuerySchema,
      success: {status: 200, schema: eventSchema, tagged: false},
      errors: ['not_found'],
      handle: async ({call, params}) => ({
        status: 200,
        body: await events.findEvent(call, params['event'] ?? ''),
      }),
    }),
  ];
}
