import {type Call, everyScope} from '../../domain/core/access.js';
import {emptyCommit} from '../../domain/commit/commit.js';
import {toInstant} from '../../domain/core/dates.js';
import {AppError} from '../../domain/core/errors.js';
import type {Id} from '../../domain/core/ids.js';
import {suffixOf} from '../../domain/core/ids.js';
import {maskEmail} from '../../domain/invites/invite.js';
import {listOpenLines} from '../../domain/prompts/prompt.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {createAbsences} from '../absences/absences.js';
import type {ServiceContext} from '../core/context.js';
import {createMemberService} from '../members/members.js';
import {createOwnReminders} from '../prompts/own-reminders.js';
import {createPromptService} from '../prompts/prompts.js';
import type {SignInRequest} from '../tokens/sessions.js';
import {createMailLinks, type MailLink, type Subscription} from './mail-links.js';

/** A link of a mail that one of the service's members has got, with that member. */
interface ProvenLink<L> {
  readonly workspace: Id<'workspace'>;
  readonly link: L;
  readonly member: Member;
}

type ReminderLink = ProvenLink<MailLink<'reminder'>>;
type UnsubscribeLink = ProvenLink<MailLink<'unsubscribe'>>;

/** The day of a reminder as the holder of its link sees it. */
export interface ReminderDay {
  /** Their id, by which a page finds that this person is signed in. */
  readonly member: Id<'member'>;
  readonly name: string;
  readonly date: string;
  /** `over`: nothing can be posted any more, or the person is away. */
  readonly state: 'open' | 'snoozed' | 'skipped' | 'posted' | 'over';
  /** The teams that wait for a standup. */
  readonly teams: readonly string[];
  /** The end of the snooze. */
  readonly until: string | null;
}

export type ReminderAct = {readonly snooze: number} | {readonly skip: true};

export interface SubscriptionLook {
  readonly from: Subscription;
  /** The address of the mails without most of its letters. */
  readonly email: string;
  /** True if these mails still come. */
  readonly active: boolean;
}

export type LinkActions = ReturnType<typeof createLinkActions>;

/** The few acts that a link in a mail allows without a session. Each may be repeated. */
export function createLinkActions(context: ServiceContext) {
  const {records, prompts, clock, mutate} = context;
  const {findState, listOpen} = createPromptService(context);
  const {snoozeReminder} = createOwnReminders(context);
  const {skip} = createAbsences(context);
  const {changeMember} = createMemberService(context);
  const links = createMailLinks(context);

  async function requireLink<K extends 'reminder' | 'unsubscribe'>(
    kind: K,
    token: string,
    {deadline}: SignInRequest,
  ): Promise<ProvenLink<MailLink<K>>> {
    const link = links.open(kind, token);
    const member = link && (await records.findBySuffix(link.workspace, link.member, deadline));
    if (link === undefined || member === undefined || !links.isFor(link, member.email))
      throw new AppError('invalid_token', 'This link is not known, or no longer valid.');
    return {workspace: link.workspace, link, member};
  }

  function createCall({workspace, member}: ProvenLink<unknown>, {deadline, requestId}: SignInRequest): Call {
    return {
      workspace,
      principal: {type: 'member', id: member.id, name: member.name},
      scopes: everyScope,
      deadline,
      entryPoint: 'dashboard',
      ...(requestId !== undefined && {requestId}),
    };
  }

  /** Waits until replicas have what an earlier press has changed, if they confirm changes. */
  async function confirmEarlier(call: Call): Promise<void> {
    await mutate(call, async () => ({...emptyCommit, finishes: true}));
  }

  async function lookAtDay(proven: ReminderLink, signInRequest: SignInRequest): Promise<ReminderDay> {
    const {workspace, member, link} = proven;
    const asked = {workspace, deadline: signInRequest.deadline};
    const prompt = await prompts.find(workspace, suffixOf(member.id), link.date, asked.deadline);
    const state = prompt && (await findState(asked, prompt));
    const open = link.until > clock.now() ? listOpenLines(state) : [];
    const isSnoozed = prompt?.snoozed !== undefined && prompt.snoozed > clock.now();
    const has = (wanted: string) => state?.lines.some((line) => line.state === wanted);
    return {
      member: member.id,
      name: member.name,
      date: link.date,
      state:
        open.length > 0
          ? isSnoozed
            ? 'snoozed'
            : 'open'
          : has('skipped')
            ? 'skipped'
            : has('posted')
              ? 'posted'
              : 'over',
      teams: open.map(({team}) => team.name),
      until: isSnoozed && open.length > 0 ? toInstant(prompt.snoozed) : null,
    };
  }

  /** Returns the change of the member that ends some mails; undefined if they have ended. */
  function findEnd({link: {from}, member: {reminders, reports}}: UnsubscribeLink) {
    if (from !== 'reminders') return reports[from] ? {reports: {[from]: false}} : undefined;
    if (!reminders.channels.includes('mail')) return undefined;
    const others = reminders.channels.filter((channel) => channel !== 'mail');
    return {reminders: {channels: others.length > 0 ? others : (['slack'] as const)}};
  }

  return {
    /** Finds the reminder of a link. Errors: `invalid_token`, the same for every link that is not valid. */
    requireReminder: (token: string, signInRequest: SignInRequest) =>
      requireLink('reminder', token, signInRequest),
    lookAtDay,
    /**
     * Snoozes or skips the open runs of the day. A repeat changes nothing. Errors: `no_open_run` if it is too late.
     */
    async actOnDay(
      proven: ReminderLink,
      act: ReminderAct,
      signInRequest: SignInRequest,
    ): Promise<ReminderDay> {
      const {state: before} = await lookAtDay(proven, signInRequest);
      const call = createCall(proven, signInRequest);
      const {date} = proven.link;
      if (before === 'open' && 'snooze' in act) await snoozeReminder(call, {date, minutes: act.snooze});
      else if ((before === 'open' || before === 'snoozed') && 'skip' in act)
        for (const line of await listOpen(call, date))
          await skip(call, {date: line.date, team: line.team.id});
      else await confirmEarlier(call);
      return lookAtDay(proven, signInRequest);
    },
    /** Finds the mails that a link ends. Errors: `invalid_token`, the same for every link that is not valid. */
    requireSubscription: (token: string, signInRequest: SignInRequest) =>
      requireLink('unsubscribe', token, signInRequest),
    lookAtSubscription: (proven: UnsubscribeLink): SubscriptionLook => ({
      from: proven.link.from,
      email: maskEmail(proven.member.email ?? ''),
      active: findEnd(proven) !== undefined,
    }),
    /** Ends the mails of a link, and changes nothing else. */
    async unsubscribe(proven: UnsubscribeLink, signInRequest: SignInRequest): Promise<void> {
      const change = findEnd(proven);
      const call = createCall(proven, signInRequest);
      if (change === undefined) await confirmEarlier(call);
      else await changeMember(call, proven.member.id, change);
    },
  };
}
