import type {EventDraft} from '../../domain/commit/commit.js';
import type {RequestContext} from '../../domain/core/access.js';
import {type IdSuffix, storedSuffix, suffixOf} from '../../domain/core/ids.js';
import type {Mail, MailOutcome} from '../../domain/mail/mail.js';
import type {ServiceContext} from '../core/context.js';

/**
 * Returns the event that tells programs that a mail could not be delivered. It has the reply code alone,
 * since the server's text may repeat the address, which events would keep after an erasure.
 */
export async function listFailureEvents(
  {records}: ServiceContext,
  {workspace, deadline}: RequestContext,
  {suffix, fact, member}: Mail,
  {result, code, bounced}: MailOutcome,
): Promise<EventDraft[]> {
  if (result !== 'failed') return [];
  const subject: IdSuffix<'invite' | 'member'> | undefined =
    fact.kind === 'invite' ? storedSuffix(suffix) : member;
  const found = subject && (await records.findBySuffix(workspace, subject, deadline));
  if (found?.object !== 'invite' && found?.object !== 'member') return [];
  const refusal = code === undefined ? 'refused' : `smtp_${code}`;
  return [
    {
      type: found.object === 'invite' ? 'invite.mail_failed' : 'member.mail_failed',
      about: suffixOf(found.id),
      revision: found.revision,
      reason: bounced === true ? 'bounced' : refusal,
    },
  ];
}
