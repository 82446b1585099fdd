import type {RequestContext, Scope} from '../../domain/core/access.js';
import type {InboxEntry, InboxNews, InboxReason} from '../../domain/inbox/inbox.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import type {Inbox} from './inbox.js';

/** An unread item that is to be sent. */
export interface UnreadNews {
  readonly news: InboxNews;
  /** The number of the first event since the item was read. */
  readonly since: number;
  /** The time zone of the standup's team. */
  readonly timezone: string;
}

/** Finds what a message to a member says about an item; undefined if they have read it, or want no message. */
export type FindNews = ReturnType<typeof createNewsFinder>;

export function createNewsFinder({teams, publicUrl}: ServiceContext, {inbox}: {readonly inbox: Inbox}) {
  return async (
    {workspace, deadline}: RequestContext,
    member: Member,
    fits: (entry: InboxEntry) => boolean,
  ): Promise<UnreadNews | undefined> => {
    const {id} = member;
    const reader = {workspace, deadline, principal: {type: 'member', id} as const, scopes: new Set<Scope>()};
    const found = await inbox.findUnread(reader, id, fits);
    if (found === undefined) return undefined;
    const {latest, author, unread, date, reasons, ...item} = found.item;
    const team = (await teams.of(reader)).byReference(item.team_id);
    if (team === undefined || !reasons.some((reason) => wantsMessage(member, reason))) return undefined;
    const news = {
      reason: latest.reason,
      by: latest.by?.name ?? null,
      author: author.id === id ? null : author.name,
      team: team.name,
      date,
      excerpt: latest.excerpt,
      blocker: latest.blocker?.state ?? null,
      unread,
      url: `${publicUrl}/app/history?standup=${item.standup}`,
    };
    return {news, since: found.since, timezone: team.timezone};
  };
}

/** True if a member wants a message for a reason, if they do not read the item first. */
export function wantsMessage({notify}: Pick<Member, 'notify'>, reason: InboxReason): boolean {
  return reason !== 'reaction' && notify[reason] === 'now';
}
