import type {CommitPart} from '../../domain/commit/commit.js';
import type {Write} from '../../domain/commit/writes.js';
import type {RequestContext} from '../../domain/core/access.js';
import {type IdSuffix, storedSuffix, suffixOf} from '../../domain/core/ids.js';
import type {Mail, MailOutcome} from '../../domain/mail/mail.js';
import {mailRecipient} from '../../domain/prompts/prompt.js';
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
  outcome: MailOutcome,
): Promise<Part> {
  const {result, addressRefused, bounced} = outcome;
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
  return {
    writes: status.writes,
    events: [
      ...status.events,
      {
        type: found.object === 'invite' ? 'invite.mail_failed' : 'member.mail_failed',
        about: suffixOf(found.id),
        revision: found.revision + status.writes.length,
        reason: findReason(outcome),
      },
    ],
  };
}

function findReason({code, bounced}: Pick<MailOutcome, 'code' | 'bounced'>): string {
  if (bounced === true) return 'bounced';
  return code === undefined ? 'refused' : `smtp_${code}`;
}

/**
 * Plans what the result of a reminder says about its runs: their reports show the people it did not reach,
 * until a later one does. A member who is reminded in Slack by now is not concerned.
 */
export async function planReach(
  {prompts}: ServiceContext,
  {workspace, deadline}: RequestContext,
  {fact, member}: Mail,
  outcome: Pick<MailOutcome, 'result' | 'code' | 'bounced'>,
): Promise<Write[]> {
  const {result} = outcome;
  if (fact.kind !== 'reminder' || member === undefined || (result !== 'failed' && result !== 'sent'))
    return [];
  const prompt = await prompts.find(workspace, member, fact.date, deadline);
  if (prompt?.user !== mailRecipient) return [];
  const code = result === 'failed' ? findReason(outcome) : null;
  return [...prompt.runs.keys()].map((run) => ({do: 'note-unreachable', run, member, code}));
}
