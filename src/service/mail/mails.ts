// service/mail/: what mails say when they are sent, and what became of them. Only src/mail/ speaks SMTP.
import {emptyCommit, nothing} from '../../domain/commit/commit.js';
import type {Call, RequestContext} from '../../domain/core/access.js';
import {type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import {createJoinAddress, createJoinSubject} from '../../domain/invites/invite.js';
import {
  type ClaimedMail,
  isSafetyNotice,
  type Mail,
  type MailFact,
  type MailKind,
  type MailOutcome,
} from '../../domain/mail/mail.js';
import type {ComposedMail, MailContent} from '../../domain/mail/mail-content.js';
import {parsePass} from '../../domain/tokens/session.js';
import {createCodeAddress} from '../../domain/tokens/sign-in-code.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import {createDroppedReminderPlanner} from '../prompts/move-reminder.js';
import type {FindNews} from '../inbox/news.js';
import {createInvitePresenter} from '../invites/invite-presenter.js';
import {planMailFailure, planReach} from './mail-failure.js';
import {createNoticeComposer} from './compose-notices.js';
import {createReminderComposer} from './compose-reminder.js';
import {createReportComposers} from './compose-reports.js';
import {createMailLinks, type Subscription} from './mail-links.js';

/** Returns what a mail says now; undefined if no one wants it any more. `secret`: that of its link, or its code. */
type Compose = (asked: RequestContext, mail: Mail, secret: string) => Promise<ComposedMail | undefined>;

const defaultLanguage = 'en';

export type MailService = ReturnType<typeof createMailService>;

export function createMailService(context: ServiceContext, {findNews}: {readonly findNews: FindNews}) {
  const {mutate, mails, records, cipher, publicUrl, teams, workspaces, signInCodes} = context;
  const presentInvites = createInvitePresenter(context);

  const composeInvite: Compose = async (asked, mail, secret) => {
    const {workspace, deadline} = asked;
    const suffix = mail.suffix as IdSuffix as IdSuffix<'invite'>;
    const [found, directory] = await Promise.all([
      records.findBySuffix(workspace, suffix, deadline),
      teams.all({workspace, deadline}),
    ]);
    if (found?.object !== 'invite' || found.email === null || secret === '') return undefined;
    const [invite] = await presentInvites(asked, [found], directory);
    if (invite?.state !== 'open') return undefined;
    const {created_by: maker} = invite;
    const person = maker === null ? undefined : await records.find(workspace, maker.id, deadline);
    const content: MailContent = {
      kind: 'invite',
      workspace: (await workspaces.find(workspace, deadline))?.name ?? '',
      maker: person?.object === 'member' ? {name: person.name, email: findProvenAddress(person)} : null,
      teams: invite.teams.flatMap(({team_id: team}) => directory.byReference(team)?.name ?? []),
      url: createJoinAddress(publicUrl, {workspace, suffix: storedSuffix(suffix), secret}),
      expiresAt: invite.expires_at,
    };
    return {content, language: invite.locale ?? defaultLanguage, timezone: 'UTC'};
  };

  const composeJoinCode: Compose = async (asked, {fact, to}, secret) => {
    if (fact.kind !== 'sign_in_code' || fact.invite === undefined) return undefined;
    const {workspace, deadline} = asked;
    const [code = '', link = ''] = secret.split(' ');
    const invite = await records.findBySuffix(workspace, fact.invite, deadline);
    if (invite?.object !== 'invite' || invite.state !== 'open') return undefined;
    if ((await signInCodes.findOpen(createJoinSubject(invite, to), code, deadline)) === undefined)
      return undefined;
    const pass = parsePass(link);
    const content: MailContent = {
      kind: 'sign_in_code',
      purpose: 'join',
      workspace: (await workspaces.find(workspace, deadline))?.name ?? '',
      code,
      url: pass === undefined ? publicUrl : createJoinAddress(publicUrl, pass),
    };
    return {content, language: invite.locale ?? defaultLanguage, timezone: 'UTC'};
  };

  const composeSignInCode: Compose = async (asked, mail, code) => {
    const {fact, member: suffix, to} = mail;
    if (fact.kind !== 'sign_in_code') return undefined;
    if (fact.invite !== undefined) return composeJoinCode(asked, mail, code);
    if (suffix === undefined) return undefined;
    const {workspace, deadline} = asked;
    const member = await records.findBySuffix(workspace, suffix, deadline);
    if (member?.object !== 'member') return undefined;
    const subject = {
      workspace: fact.workspace ?? '',
      email: to,
      ...(fact.confirms && {confirms: member.id}),
    };
    const askedAt = await signInCodes.findOpen(subject, code, deadline);
    if (askedAt === undefined) return undefined;
    // A change of the member, such as a new address, ends a code.
    if (Date.parse(member.updated_at) >= askedAt) return undefined;
    const content: MailContent = {
      kind: 'sign_in_code',
      purpose: fact.confirms ? 'confirm' : 'sign_in',
      workspace: (await workspaces.find(workspace, deadline))?.name ?? '',
      code,
      url: fact.confirms ? `${publicUrl}/app/sessions` : createCodeAddress(publicUrl, subject, code),
    };
    return {content, language: member.locale ?? defaultLanguage, timezone: member.timezone ?? 'UTC'};
  };

  const composeReminder = createReminderComposer(context);
  const {composeReport, composeWeek} = createReportComposers(context);
  const composeNotice = createNoticeComposer(context, {findNews});
  const links = createMailLinks(context);
  const planAfterDrop = createDroppedReminderPlanner(context);

  /**
   * Composes a mail to a member, in their language. Nothing goes to an address that they no longer have, except
   * for the notices that no one can end (no `from`): a person who took an account over may have changed it.
   */
  const toMember =
    (from: Subscription | undefined, composeContent: typeof composeReminder): Compose =>
    async (asked, mail) => {
      const {workspace, deadline} = asked;
      const member = mail.member && (await records.findBySuffix(workspace, mail.member, deadline));
      if (member === undefined || (from !== undefined && member.email !== mail.to)) return undefined;
      const found = await composeContent(asked, mail, member);
      if (found === undefined) return undefined;
      return {
        content: found.content,
        notBefore: found.notBefore,
        language: member.locale ?? defaultLanguage,
        timezone: member.timezone ?? found.timezone,
        stopUrl: from && !isAsked(mail.fact) ? links.createUnsubscribeUrl(workspace, mail, from) : undefined,
      };
    };

  const composers: Partial<Record<MailKind, Compose>> = {
    invite: composeInvite,
    sign_in_code: composeSignInCode,
    reminder: toMember('reminders', composeReminder),
    report: toMember('daily', composeReport),
    week: toMember('weekly', composeWeek),
    notice: (asked, mail, secret) =>
      toMember(isSafetyNotice(mail.fact) ? undefined : 'notices', composeNotice)(asked, mail, secret),
  };

  return {
    /** Returns what a claimed mail says now; undefined if no one wants it any more. */
    async compose(asked: RequestContext, mail: Mail, encrypted?: string): Promise<ComposedMail | undefined> {
      const secret = encrypted === undefined ? '' : cipher.decrypt('mail', mail.suffix, encrypted);
      return composers[mail.fact.kind]?.(asked, mail, secret);
    },
    /** Records the result of an attempt. Does nothing if another worker has taken the mail over. */
    async recordOutcome(call: Call, mail: ClaimedMail, outcome: MailOutcome): Promise<void> {
      await mutate(call, async () => {
        const {suffix, holder} = mail;
        const [isHeld, current] = await Promise.all([
          mails.isHeldBy(call.workspace, mail, call.deadline),
          mails.find(call.workspace, suffix, call.deadline),
        ]);
        if (!isHeld || current === undefined) return {...emptyCommit, effect: 'release', finishes: true};
        // A mail that became uncertain meanwhile has no secret any more, so it cannot be sent again.
        const isLate = current.state === 'uncertain' && typeof outcome.result !== 'string';
        const known: MailOutcome = isLate ? {...outcome, result: 'failed'} : outcome;
        const [failure, reach, dropped] = await Promise.all([
          planMailFailure(context, call, mail, known),
          planReach(context, call, mail, known),
          known.result === 'dropped' ? planAfterDrop(call, mail) : nothing,
        ]);
        return {
          effect: 'release',
          finishes: true,
          guards: [
            {check: 'mail-held', suffix, holder},
            {check: 'mail-state', suffix, state: current.state},
            ...dropped.guards,
          ],
          writes: [
            {do: 'record-mail', suffix, outcome: known},
            ...failure.writes,
            ...reach,
            ...dropped.writes,
          ],
          events: failure.events,
          reply: {kind: 'empty'},
        };
      });
    },
  };
}

/** True for a mail that its reader asked for, which ends no other mails. */
function isAsked(fact: MailFact): boolean {
  return fact.kind === 'week' && fact.asked !== undefined;
}

/** An address that its member has not proven may be any text of an admin, which a mail would make a link. */
function findProvenAddress({
  email,
  email_status: status,
}: Pick<Member, 'email' | 'email_status'>): string | null {
  return status === 'proven' ? email : null;
}
