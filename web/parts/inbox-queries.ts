import {readPagesQuery, readQuery} from '../api/read.ts';

/** The unread items: as many as one page has. */
export const unreadInboxQuery = readQuery('listInbox', '/v1/inbox', {unread: 'true', limit: 100});

export const inboxQuery = (unread: boolean) =>
  readPagesQuery('listInbox', '/v1/inbox', unread ? {unread: 'true', limit: 25} : {limit: 25});
