import type {RequestContext} from '../../domain/core/access.js';
import {storedSuffix, suffixOf, type IdSuffix} from '../../domain/core/ids.js';
import {type LogEntry, hasFailureReason} from '../../domain/events/event.js';
import {findEndOfQuietHours} from '../../domain/prompts/prompt.js';
import type {Notice, WelcomeContent} from '../../domain/slack/notice-content.js';
import {greetingSequence, type SlackTrouble} from '../../domain/slack/slack-post.js';
import type {ServiceContext} from '../core/context.js';
import {findByUniqueName} from '../core/member-references.js';
import type {FindNews} from '../inbox/news.js';
import {createReminderReach} from '../runs/reminder-reach.js';
import {createLeadNotices} from './lead-notices.js';
import {createGoneMembers, createResponsiblePeopleFinder, reportsDeactivation} from './gone-members.js';
import {createWelcomeFinder, isWelcomeEvent} from './welcomes.js';

/** Returns the notice of an event for one person (Slack id); undefined if its subject is erased. */
export function createNoticeFinder(context: ServiceContext, {findNews}: {readonly findNews: FindNews}) {
  const {events, records, teams, slackTroubles, clock, zones} = context;
  const findReach = createReminderReach(context);
  const findFailedChannel = createFailedChannelFinder(context);
  const findWelcome = createWelcomeFinder(context);
  const goneMembers = createGoneMembers(context);
  const leadNotices = createLeadNotices(context);

  /** Returns the message about what is unread since an event; undefined if none begins there, or goes by Slack. */
  async function findInboxNotice(
    call: RequestContext,
    {id: event, sequence}: LogEntry,
    person: string,
  ): Promise<Notice | undefined> {
    const member = await findByUniqueName(records, call, 'slack-user', person);
    const found = member && (await findNews(call, member, ({since}) => since === sequence));
    if (member === undefined || found === undefined) return undefined;
    if ((await findReach(call))(member).channel !== 'slack') return undefined;
    const zone = member.timezone ?? found.timezone;
    const notBefore = findEndOfQuietHours(member.reminders, zone, clock.now(), zones);
    return {event, once: true, content: {kind: 'inbox', news: found.news}, notBefore};
  }

  async function findWelcomeNotice(call: RequestContext, entry: LogEntry, person: string): Promise<Notice> {
    const content = await findWelcome(call, entry);
    const notice = {event: entry.id, once: true};
    if (!findWelcomeRecipients(content).includes(person)) return {...notice, content: undefined};
    if (content === undefined) return {...notice, content};
    if (content.kind === 'beginning') return {...notice, content};
    return {...notice, content, notBefore: content.news.notBefore};
  }

  /** Returns the current state of a delivery problem. `entry`: the event that first reported the problem. */
  async function findTroubleNotice(call: RequestContext, entry: LogEntry): Promise<Notice | undefined> {
    const {workspace, deadline} = call;
    const channel = await findFailedChannel(call, entry);
    if (channel === undefined) return undefined;
    const [found, directory] = await Promise.all([
      slackTroubles.find(workspace, channel, deadline),
      teams.all({workspace, deadline}),
    ]);
    const team = entry.team === undefined ? undefined : directory.byReference(entry.team);
    const trouble = found?.notice === entry.sequence ? found : makeEndedTrouble(channel);
    const over = trouble.state !== 'open' || (trouble.code === undefined && trouble.lost.length === 0);
    return {event: entry.id, content: {kind: 'trouble', trouble, team: team?.name ?? '?'}, over};
  }

  async function findWebhookNotice(
    {workspace, deadline}: RequestContext,
    {id, about, revision, since}: LogEntry,
  ): Promise<Notice | undefined> {
    const webhook = await records.findRevision(workspace, storedSuffix<'webhook'>(about), revision, deadline);
    return webhook && {event: id, content: {kind: 'webhook', webhook, failingSince: since}};
  }

  async function findGreeting(call: RequestContext, person: string): Promise<Notice> {
    const [found, directory] = await Promise.all([
      findByUniqueName(records, call, 'slack-user', person),
      teams.all(call),
    ]);
    const member = found && {name: found.name, role: found.role};
    const content = {kind: 'greeting', member, hasTeams: directory.teams.length > 0} as const;
    return {event: 'greeting', once: true, content};
  }

  return async (call: RequestContext, sequence: number, person: string): Promise<Notice | undefined> => {
    if (sequence === greetingSequence) return findGreeting(call, person);
    const entry = await events.findBySequence(call.workspace, sequence, call.deadline);
    if (entry === undefined) return undefined;
    const ofInbox = await findInboxNotice(call, entry, person);
    if (ofInbox !== undefined) return ofInbox;
    if (isWelcomeEvent(entry)) return findWelcomeNotice(call, entry, person);
    if (entry.type === 'run.closed') return leadNotices.find(call, entry, person);
    if (reportsDeactivation(entry)) {
      const gone = await goneMembers.find(call, entry, person);
      return {event: entry.id, once: true, content: gone && {kind: 'gone', gone}};
    }
    if (hasFailureReason(entry.type)) return findTroubleNotice(call, entry);
    // What was unread since another event has been read, or its member may not see it any more.
    return isAboutWebhook(entry) ? findWebhookNotice(call, entry) : {event: entry.id, content: undefined};
  };
}

/** Returns a delivery problem that is over: another one replaced it, or it is long past. */
function makeEndedTrouble(channel: string): SlackTrouble {
  const nothing = {
    team: storedSuffix<'team'>(''),
    code: undefined,
    since: 0,
    tried: 0,
    notice: undefined,
    notified: [],
    lost: [],
    shown: 0,
    reports: 0,
    held: 0,
  };
  return {channel, state: 'open', ...nothing};
}

/** Finds the channel in which an event's content could not be posted; undefined if it is deleted. */
function createFailedChannelFinder({records, slackPosts}: ServiceContext) {
  return async (
    {workspace, deadline}: RequestContext,
    {type, about}: LogEntry,
  ): Promise<string | undefined> => {
    if (type === 'slack.post_failed') return slackPosts.findChannel(workspace, storedSuffix(about), deadline);
    const run = await records.findBySuffix(workspace, storedSuffix<'run'>(about), deadline);
    if (run === undefined) return undefined;
    const report = {team: suffixOf(run.team_id), date: run.date};
    const shown = await slackPosts.listReports(workspace, 'digest', [report], deadline);
    return shown.find(({item}) => item.kind === 'digest')?.channel;
  };
}

function isAboutWebhook({type}: LogEntry): boolean {
  return type === 'webhook.failing' || type === 'webhook.disabled';
}

interface EventRecipients {
  /** The Slack ids of people and channels. */
  readonly recipients: readonly string[];
  /** The channel with the delivery problem. There is one notice for all problems of a channel. */
  readonly troubled?: string;
}

/** Finds the people that events notify by direct message, if these people are known in the chat. */
export function createRecipients(context: ServiceContext) {
  const {records} = context;
  const findFailedChannel = createFailedChannelFinder(context);
  const findWelcome = createWelcomeFinder(context);
  const goneMembers = createGoneMembers(context);
  const leadNotices = createLeadNotices(context);
  const {findAdmins, findResponsiblePeople} = createResponsiblePeopleFinder(context);

  /** Returns the author of a standup; empty if the author is not a member or not in the chat. */
  async function findAuthor({workspace, deadline}: RequestContext, standup: IdSuffix<'standup'>) {
    const author = (await records.findBySuffix(workspace, standup, deadline))?.author;
    if (author?.type !== 'member') return [];
    const member = await records.findBySuffix(workspace, suffixOf(author.id), deadline);
    return [member?.slack_user_id ?? []].flat();
  }

  async function findTroubleRecipients(call: RequestContext, entry: LogEntry): Promise<EventRecipients> {
    const troubled = await findFailedChannel(call, entry);
    if (troubled === undefined) return {recipients: []};
    const people = await findResponsiblePeople(call, entry.team);
    if (people.length > 0 || entry.type !== 'slack.post_failed') return {recipients: people, troubled};
    // If no one who could fix the problem is in Slack, the author of the standup is told.
    return {recipients: await findAuthor(call, storedSuffix(entry.about)), troubled};
  }

  /** Returns the recipients of an event about a webhook. A person who disabled it is not notified. */
  async function findWebhookRecipients(call: RequestContext, {about, revision}: LogEntry): Promise<string[]> {
    const {workspace, deadline} = call;
    const webhook = await records.findRevision(workspace, storedSuffix<'webhook'>(about), revision, deadline);
    return webhook?.disabled_reason === 'user' ? [] : findAdmins(call);
  }

  return {
    async findRecipients(call: RequestContext, entry: LogEntry): Promise<EventRecipients> {
      if (isWelcomeEvent(entry)) return {recipients: findWelcomeRecipients(await findWelcome(call, entry))};
      if (entry.type === 'run.closed') return {recipients: await leadNotices.listRecipients(call, entry)};
      if (reportsDeactivation(entry)) return {recipients: await goneMembers.listRecipients(call, entry)};
      if (hasFailureReason(entry.type)) return findTroubleRecipients(call, entry);
      return {recipients: isAboutWebhook(entry) ? await findWebhookRecipients(call, entry) : []};
    },
  };
}

function findWelcomeRecipients(welcome: WelcomeContent | undefined): string[] {
  if (welcome === undefined) return [];
  return welcome.kind === 'membership' ? [welcome.news.user] : [welcome.team.slack_channel_id ?? []].flat();
}
