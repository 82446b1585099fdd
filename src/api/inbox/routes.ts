import {lifetimes, limits} from '../../domain/core/limits.js';
import {inboxItemSchema, inboxReadSchema} from '../../domain/inbox/inbox.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';
import {inboxQuerySchema} from './schemas.js';

const tag = 'Inbox';

export function createInboxRoutes({inbox}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/inbox',
      operation: 'listInbox',
      tag,
      summary: 'List the inbox',
      description: `Returns the standups about which the caller was notified, the latest first: one item for each standup. It has the newest ${limits.inboxItems}, for ${lifetimes.inbox / 86_400} days after the last one. A person's own changes do not notify them. The inbox of a service account is empty.`,
      scope: 'standups:read',
      query: inboxQuerySchema,
      success: {status: 200, schema: inboxItemSchema, list: true},
      errors: ['invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, unread} = input.query;
        const past = input.cursors.open(cursor);
        const {rows, next} = await inbox.listInbox(input.call, {unread, past, limit});
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/inbox/read',
      operation: 'readInbox',
      tag,
      summary: 'Mark the inbox as read',
      description:
        'Marks the items of some standups as read, or all items up to an event. Send `until` with the latest `sequence` that you have shown, so that nothing newer is marked. With `muted`, it also mutes the conversations about these standups, or ends that. Only the caller sees the difference, and no event is made.',
      scope: 'standups:read',
      query: noQuerySchema,
      body: inboxReadSchema,
      success: {status: 204},
      errors: [],
      handle: async ({call, body}) => presentAnswer(await inbox.readInbox(call, body)),
    }),
  ];
}
