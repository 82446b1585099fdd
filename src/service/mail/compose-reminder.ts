import type {RequestContext} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import type {MailContent} from '../../domain/mail/mail-content.js';
import type {Mail} from '../../domain/mail/mail.js';
import {
  findEndOfQuietHours,
  findLatestMoment,
  listOpenLines,
  mailRecipient,
  type PromptContent,
} from '../../domain/prompts/prompt.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {createPromptService} from '../prompts/prompts.js';
import {createMailLinks} from './mail-links.js';

/** The content of a mail to a member, with the time zone for members without one. */
export interface MemberMail {
  readonly content: MailContent;
  readonly timezone: string;
  /** The end (ms) of the reader's quiet hours, if they began while the mail waited. */
  readonly notBefore?: number | undefined;
}

/** Returns the content of a reminder now; undefined if the person has posted in all runs, or wants none. */
export function createReminderComposer(context: ServiceContext) {
  const {prompts, clock, publicUrl, zones} = context;
  const {findContent} = createPromptService(context);
  const links = createMailLinks(context);

  return async function composeReminder(
    asked: RequestContext,
    mail: Mail,
    member: Member,
  ): Promise<MemberMail | undefined> {
    const {fact} = mail;
    if (fact.kind !== 'reminder' || mail.member === undefined) return undefined;
    const {workspace, deadline} = asked;
    const prompt = await prompts.find(workspace, mail.member, fact.date, deadline);
    if (prompt?.user !== mailRecipient) return undefined;
    // A mail that has waited until the next one was queued, or until a snooze, which queues another at its end,
    // would remind the person twice.
    const isReplaced = prompt.ts !== mail.suffix || prompt.snoozed !== undefined;
    if (mail.state === 'queued' && isReplaced) return undefined;
    const state = await findContent(asked, prompt);
    const open = listOpenLines(state).toSorted((a, b) => a.closesAt - b.closesAt);
    const [first] = open;
    if (first === undefined || !state?.wanted) return undefined;
    const {slug, questions, timezone} = first.team;
    const content: MailContent = {
      kind: 'reminder',
      name: member.name,
      moment: findLatestMoment(prompt),
      teams: open.map(({team, closesAt}) => ({name: team.name, closesAt: toInstant(closesAt)})),
      minutesLeft: Math.max(1, Math.round((first.closesAt - clock.now()) / 60_000)),
      question: questions[0]?.label ?? null,
      blockers: state.blockers,
      blockersUrl: createBlockersUrl(publicUrl, state),
      url: `${publicUrl}/app/t/${slug}?write=${slug}`,
      laterUrl: links.createReminderUrl(workspace, mail, {date: fact.date, until: mail.until}),
    };
    const now = clock.now();
    const wasQuiet =
      findEndOfQuietHours(member.reminders, state.timezone, mail.queuedAt, zones) > mail.queuedAt;
    // A mail that was queued in quiet hours is the end of a snooze, which counts there.
    const isHeld = !wasQuiet && state.quietUntil > now;
    return {content, timezone, ...(isHeld && {notBefore: state.quietUntil})};
  };
}

/** Returns the address of the only blocker, or of all of the member. */
function createBlockersUrl(publicUrl: string, {member, blockers}: PromptContent): string {
  const [only] = blockers;
  const query =
    only === undefined || blockers.length > 1 ? `team=*&author=${member}` : `blocker=${only.blocker}`;
  return `${publicUrl}/app/blockers?${query}`;
}
