import type {Write} from '../../domain/commit/writes.js';
import type {RequestContext} from '../../domain/core/access.js';
import {type Id, suffixOf} from '../../domain/core/ids.js';
import {mailRecipient} from '../../domain/prompts/prompt.js';
import type {Member, ReminderChannel} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {createWorkspaceService} from '../workspaces/workspaces.js';

/** How a reminder reaches a member, or the reason why nothing does. `to`: the recipient in its record. */
export type ReminderReach =
  | {readonly channel: ReminderChannel; readonly to: string}
  | {readonly channel: undefined; readonly to?: undefined; readonly reason: UnreachableReason};

export type UnreachableReason =
  | 'slack_not_connected'
  | 'not_in_slack'
  | 'mail_off'
  | 'no_email'
  | 'address_refused'
  | 'no_slack_no_email';

/** Finds how reminders reach members now: each by the first channel of their choice that reaches them. */
export function createReminderReach(context: ServiceContext) {
  const {findWorkspace} = createWorkspaceService(context);
  const isMailOn = context.mail !== undefined;
  return async function findReach(asked: RequestContext): Promise<(member: Member) => ReminderReach> {
    const isInSlack = (await findWorkspace(asked)).slack.connected;
    return (member) => {
      const {channels} = member.reminders;
      for (const channel of channels) {
        const to = findRecipient(member, channel);
        if (to !== null && (channel === 'mail' ? isMailOn : isInSlack)) return {channel, to};
      }
      const [asksSlack, asksMail] = [channels.includes('slack'), channels.includes('mail')];
      if (!asksSlack && !isMailOn) return {channel: undefined, reason: 'mail_off'};
      if (asksMail && isMailOn && member.email !== null)
        return {channel: undefined, reason: 'address_refused'};
      if (asksMail && isMailOn)
        return {channel: undefined, reason: asksSlack && isInSlack ? 'no_slack_no_email' : 'no_email'};
      return {channel: undefined, reason: isInSlack ? 'not_in_slack' : 'slack_not_connected'};
    };
  };
}

/** Plans that the report of a run names a member whose address mail servers refuse, as one not reached. */
export function planRefusal(reach: ReminderReach, run: Id<'run'>, member: Id<'member'>): Write[] {
  if (reach.channel !== undefined || reach.reason !== 'address_refused') return [];
  return [{do: 'note-unreachable', run: suffixOf(run), member: suffixOf(member), code: 'address_refused'}];
}

/**
 * Returns the recipient of a member's reminders in a channel; null if they are not in it. Nothing goes to an
 * address that a mail server refused.
 */
export function findRecipient(member: Member, channel: ReminderChannel): string | null {
  if (channel === 'slack') return member.slack_user_id;
  return member.email === null || member.email_status === 'refused' ? null : mailRecipient;
}
