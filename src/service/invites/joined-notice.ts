import type {Write} from '../../domain/commit/writes.js';
import type {RequestContext} from '../../domain/core/access.js';
import {type Id, suffixOf} from '../../domain/core/ids.js';
import type {Invite} from '../../domain/invites/invite.js';
import type {NoticeFact} from '../../domain/mail/mail.js';
import type {ServiceContext} from '../core/context.js';
import {createNoticeWrites, limitNotices} from '../core/queue-mail.js';

/**
 * Plans the mail that tells the person who made an invite that a member has joined. The proof of their right to
 * invite guards their present address.
 */
export async function planJoinedNotice(
  context: ServiceContext,
  {workspace, deadline}: RequestContext,
  {id, created_by: maker}: Invite,
  joined: Id<'member'>,
): Promise<Write[]> {
  const found = maker === null ? undefined : await context.records.find(workspace, maker.id, deadline);
  if (found?.object !== 'member' || found.id === joined) return [];
  const {id: member, email: to, email_status: status} = found;
  if (to === null || status === 'refused') return [];
  const fact: NoticeFact = {
    kind: 'notice',
    about: 'joined',
    invite: suffixOf(id),
    joined: suffixOf(joined),
  };
  const notices = createNoticeWrites(context, fact, {member, to});
  return limitNotices(context, {workspace, deadline}, {kind: fact.about, about: to}, notices);
}
