import type {RequestContext} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import {suffixOf} from '../../domain/core/ids.js';
import {maskEmail} from '../../domain/invites/invite.js';
import type {Mail, NoticeFact} from '../../domain/mail/mail.js';
import type {MailContent} from '../../domain/mail/mail-content.js';
import {failingLimits} from '../../domain/webhooks/webhook-failing.js';
import {findWebhookName} from '../../domain/webhooks/webhook.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {ServiceContext} from '../core/context.js';
import type {FindNews} from '../inbox/news.js';
import {createLeadSummaries} from '../runs/lead-summaries.js';
import type {MemberMail} from './compose-reminder.js';

type FactAbout<A extends NoticeFact['about']> = NoticeFact & {readonly about: A};

/** Returns the content of a notice; undefined if it is no longer true, or its member does not want it. */
export function createNoticeComposer(context: ServiceContext, {findNews}: {readonly findNews: FindNews}) {
  const {records, teams, workspaces, webhookFailing, publicUrl} = context;

  const {findSummary, isLead} = createLeadSummaries(context);

  const findWorkspaceName = async ({workspace, deadline}: RequestContext) =>
    (await workspaces.find(workspace, deadline))?.name ?? '';

  /** Not dropped for a passkey that has been removed: it may have opened a session before. */
  async function composePasskey(
    asked: RequestContext,
    {passkey}: FactAbout<'passkey_added'>,
    {queuedAt}: Mail,
  ): Promise<MailContent> {
    const found = await records.findBySuffix(asked.workspace, passkey, asked.deadline);
    return {
      kind: 'passkey_added',
      workspace: await findWorkspaceName(asked),
      passkey: found?.name ?? null,
      at: toInstant(queuedAt),
      url: `${publicUrl}/app/sessions`,
    };
  }

  /** The domain is any text of an admin, which a mail would make a link: only a member who was there sees it. */
  async function composeAddress(
    asked: RequestContext,
    {revision}: FactAbout<'address_changed'>,
    {queuedAt, to}: Mail,
    member: Member,
  ): Promise<MailContent> {
    const {workspace, deadline} = asked;
    const [before, changed] = await Promise.all(
      [revision - 1, revision].map((one) =>
        records.findRevision(workspace, suffixOf(member.id), one, deadline),
      ),
    );
    const {email} = changed ?? member;
    const masked = email && maskEmail(email);
    const isShown = before?.email_status === 'proven' || masked?.endsWith(to.slice(to.lastIndexOf('@')));
    return {
      kind: 'address_changed',
      workspace: await findWorkspaceName(asked),
      address: isShown ? masked : masked && masked.slice(0, masked.lastIndexOf('@')),
      at: toInstant(queuedAt),
      url: `${publicUrl}/app`,
    };
  }

  async function composeJoined(
    asked: RequestContext,
    {invite: suffix, joined}: FactAbout<'joined'>,
    {id}: Member,
  ): Promise<MailContent | undefined> {
    const {workspace, deadline} = asked;
    const [person, invite, directory] = await Promise.all([
      records.findBySuffix(workspace, joined, deadline),
      records.findBySuffix(workspace, suffix, deadline),
      teams.of({workspace, deadline, principal: {type: 'member', id}, scopes: new Set()}),
    ]);
    if (person === undefined || invite === undefined) return undefined;
    return {
      kind: 'joined',
      workspace: await findWorkspaceName(asked),
      name: person.name,
      teams: invite.teams.flatMap(({team_id: team}) => directory.byReference(team)?.name ?? []),
      url: `${publicUrl}/app/people/${person.id}`,
    };
  }

  /** Composes the mail about an item of the inbox; undefined if its member has read it, or wants none. */
  async function composeInbox(
    asked: RequestContext,
    {standup}: FactAbout<'inbox'>,
    member: Member,
  ): Promise<MailContent | undefined> {
    const found = await findNews(asked, member, (entry) => entry.standup === standup);
    return found && {kind: 'inbox', ...found.news};
  }

  async function composeLeadSummary(
    asked: RequestContext,
    {run}: FactAbout<'lead_summary'>,
    {id}: Member,
  ): Promise<MailContent | undefined> {
    const found = await findSummary(asked, run);
    if (found === undefined || !(await isLead(asked, found.team.id, id))) return undefined;
    const {summary} = found;
    const url = `${publicUrl}/app/t/${summary.team.slug}?date=${summary.date}`;
    return {kind: 'lead_summary', summary, url};
  }

  async function composeWebhook(
    {workspace, deadline}: RequestContext,
    {webhook: suffix, revision, since}: FactAbout<'webhook'>,
    {role}: Member,
  ): Promise<MailContent | undefined> {
    const [webhook, before, failing] = await Promise.all([
      records.findBySuffix(workspace, suffix, deadline),
      records.findRevision(workspace, suffix, revision, deadline),
      webhookFailing.find(workspace, suffix, deadline),
    ]);
    if (webhook === undefined || role === 'member') return undefined;
    const {disabled_at: disabledAt, disabled_reason: reason} = webhook;
    const shared = {
      kind: 'webhook',
      webhook: findWebhookName(webhook),
      url: `${publicUrl}/app/webhooks/${webhook.id}`,
    } as const;
    // Someone may have edited it since, but not enabled it.
    if (since === null)
      return disabledAt === null || before?.disabled_at !== disabledAt
        ? undefined
        : {...shared, state: {disabledAt, forFailing: reason === 'failing'}};
    if (!webhook.enabled || failing?.since !== since) return undefined;
    const until = toInstant(since + failingLimits.disable.ms);
    return {...shared, state: {failingSince: toInstant(since), until}};
  }

  async function composeContent(asked: RequestContext, mail: Mail, member: Member) {
    const {fact} = mail;
    if (fact.kind !== 'notice') return undefined;
    switch (fact.about) {
      case 'passkey_added':
        return composePasskey(asked, fact, mail);
      case 'address_changed':
        return composeAddress(asked, fact, mail, member);
      case 'joined':
        return member.reports.notices ? composeJoined(asked, fact, member) : undefined;
      case 'inbox':
        return member.reports.notices ? composeInbox(asked, fact, member) : undefined;
      case 'lead_summary':
        return member.reports.notices ? composeLeadSummary(asked, fact, member) : undefined;
      case 'webhook':
        return member.reports.notices ? composeWebhook(asked, fact, member) : undefined;
    }
  }

  return async function composeNotice(
    asked: RequestContext,
    mail: Mail,
    member: Member,
  ): Promise<MemberMail | undefined> {
    const content = await composeContent(asked, mail, member);
    return content && {content, timezone: 'UTC'};
  };
}
