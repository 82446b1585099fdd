import type {CommitPart} from '../../domain/commit/commit.js';
import type {RequestContext} from '../../domain/core/access.js';
import {type IdSuffix, storedSuffix, suffixOf} from '../../domain/core/ids.js';
import type {Mail, MailOutcome} from '../../domain/mail/mail.js';
import type {ServiceContext} from '../core/context.js';
import {planEmailStatus} from '../core/email-status.js';

type Part = Pick<CommitPart, 'writes' | 'events'>;

/**
 * Plans what follows from a mail that could not be delivered: the event that tells programs, and the status of
 * a member's address. The event has the reply code alone, since the server's text may repeat the address,
 * which events would keep after an erasure.
 */
export async function planMailFailure(
  {records}: ServiceContext,
  {workspace, deadline}: RequestContext,
  {suffix, fact, member, to}: Mail,
  {result, code, addressRefused, bounced}: MailOutcome,
): Promise<Part> {
  const subject: IdSuffix<'invite' | 'member'> | undefined =
    fact.kind === 'invite' ? storedSuffix(suffix) : member;
  const found =
    result === 'failed' && subject !== undefined
      ? await records.findBySuffix(workspace, subject, deadline)
      : undefined;
  if (found?.object !== 'invite' && found?.object !== 'member') return {writes: [], events: []};
  const isRefused = addressRefused === true || bounced === true;
  const status: Part =
    found.object === 'member' && isRefused ? planEmailStatus(found, to, 'refused') : {writes: [], events: []};
  const refusal = code === undefined ? 'refused' : `smtp_${code}`;
  return {
    writes: status.writes,
    events: [
      ...status.events,
      {
        type: found.object === 'invite' ? 'invite.mail_failed' : 'member.mail_failed',
        about: suffixOf(found.id),
        revision: found.revision + status.writes.length,
        reason: bounced === true ? 'bounced' : refusal,
      },
    ],
  };
}
