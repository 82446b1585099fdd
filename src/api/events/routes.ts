// The operations on events. Each noun of the API has a file with its operations, schemas, documents and
// handlers. A handler parses, makes one service call, and presents the result. Anything more belongs to
// `service/`.
import type {Services} from '../../service/services.js';
import {limits} from '../../domain/core/limits.js';
import {presentFeed} from '../http/present.js';
import {eventStreamHeaders, eventStreamType, streamEvents} from './event-stream.js';
import {type Route, defineRoute} from '../http/route.js';
import {changesQuerySchema, eventSchema, eventsQuerySchema, streamQuerySchema} from './schemas.js';
import {noQuerySchema} from '../http/shared-schemas.js';

const feed = '/v1/events';
const tag = 'Events';

const feedDescription = `Returns events oldest first, in the order in which they happened. \`next_cursor\` is then always present: keep it, and use it \
to continue. With \`order=desc\` the newest are first, and the cursor ends with the list. A request reads a bounded number of events. With a filter, a page can have \
fewer rows than \`limit\`, or none, while \`has_more\` is true. Continue with \`next_cursor\` until \`has_more\` is false.

With \`wait\`, a page without rows is answered as soon as an event matches, or after that many seconds, or when the service stops. It has the cursor of the \
last event that was read. Waiting requests count as open streams, and each counts once toward the quota.`;

const streamDescription = `Returns Server-Sent Events. Each has its \`id\`, its type as \`event\`, and as \`data\` the same JSON as in the feed, in one line. \
By default the stream starts with the next event. A client that reconnects sends the id of its last event as \`Last-Event-ID\`; browsers' \`EventSource\` \
does so automatically. It then gets every later event once. \`after\` takes a cursor of the feed instead. A comment is sent at least every 15 seconds. \
The stream ends without an error when the token expires or is revoked, when the service restarts, and when the client reads nothing for 30 seconds: \
connect again. No events are sent later than about a second after the token is revoked.

At most ${limits.streamsPerPrincipal} streams of a principal can be open at once in one process, which has ${limits.streamsPerProcess} in total. A workspace \
cannot open another stream when it has as many streams as are left in the process.`;

const changesDescription = `Returns Server-Sent Events, as \`GET ${feed}/stream\`, for every token. Each says which resource has changed, without its content: \
read the resource again for that. Only resources that the token can read are included, by its scopes and the role of its holder. Tokens of others and \
webhooks are included only for owners, admins and service accounts. So \`sequence\` has gaps here.

Each has the \`id\` of its event, its type as \`event\`, and as \`data\` \`{sequence, type, object, id, team_id, date, member_id}\`. \`object\` and \`id\` identify the \
changed resource; the id is null after an erasure. Its team, the date of a standup or run, and its member are included if it has them. \
A \`run.reminded\` that reminds the holder of the token also has \`for_me: true\`: \`GET /v1/reminders/own\` says of what, and whether their quiet hours have ended. \
With \`Last-Event-ID\` the stream continues after that event; without it the stream starts with the next one. Open the stream first, then read, to miss nothing. \
The limits of open streams count these streams and those of \`GET ${feed}/stream\` together.`;

export function createEventRoutes({events}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: feed,
      operation: 'listEvents',
      tag,
      summary: 'Read the event feed',
      description: feedDescription,
      scope: 'events:read',
      query: eventsQuerySchema,
      success: {status: 200, schema: eventSchema, list: true},
      errors: ['invalid_cursor', 'cursor_expired', 'limit_reached'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, since, until, wait, ...filter} = input.query;
        const query = {
          ...filter,
          since: since === undefined ? undefined : Date.parse(since),
          until: until === undefined ? undefined : Date.parse(until),
          past: input.cursors.openLog(cursor),
          limit,
        };
        const page = await events.listEvents(input.call, query);
        if (wait === undefined || page.rows.length > 0 || page.more)
          return presentFeed(page.rows, page, input);
        return {
          status: 200,
          async later(signal) {
            const terms = {withinMs: wait * 1_000, signal};
            const awaited = await events.awaitEvents(input.call, {...query, past: page.next}, terms);
            return presentFeed(awaited.rows, awaited, input);
          },
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${feed}/stream`,
      operation: 'streamEvents',
      tag,
      summary: 'Stream events',
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
    defineRoute({
      method: 'GET',
      path: '/v1/changes/stream',
      operation: 'streamChanges',
      tag,
      summary: 'Stream changes',
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
    defineRoute({
      method: 'GET',
      path: `${feed}/{event}`,
      operation: 'getEvent',
      tag,
      summary: 'Get an event',
      description: 'Returns the same bytes as in the feed, in the stream and in the body of a webhook.',
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
