import type {CommitPart} from '../../domain/commit/commit.js';
import type {RequestContext} from '../../domain/core/access.js';
import {type Id, suffixOf} from '../../domain/core/ids.js';
import type {Invite} from '../../domain/invites/invite.js';
import type {ServiceContext} from '../core/context.js';
import {createNoticeWrites} from '../core/queue-mail.js';

/**
 * Returns what tells the person who made an invite, by mail, that a member has joined. The proof of their right
 * to invite guards their present address.
 */
export async function createJoinedNotice(
  context: ServiceContext,
  {workspace, deadline}: RequestContext,
  {id, created_by: maker}: Invite,
): Promise<(member: Id<'member'>) => CommitPart['writes']> {
  const found = maker === null ? undefined : await context.records.find(workspace, maker.id, deadline);
  if (found?.object !== 'member' || found.email === null || found.email_status === 'refused') return () => [];
  const {id: holder, email: to} = found;
  return (member) =>
    member === holder
      ? []
      : createNoticeWrites(
          context,
          {kind: 'notice', about: 'joined', invite: suffixOf(id), joined: suffixOf(member)},
          {member: holder, to},
        );
}
