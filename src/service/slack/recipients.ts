import type {ServiceContext} from '../core/context.js';
import {createGoneMembers, reportsDeactivation} from './gone-members.js';
import {createWelcomeFinder, isWelcomeEvent} from './welcomes.js';
import {createFailedChannelFinder} from './failed-channels.js';
import type {RequestContext} from '../../domain/core/access.js';
import {suffixOf, type Id, type IdSuffix, storedSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {parseWire} from '../../domain/core/resource.js';
import {type LogEntry, hasFailureReason} from '../../domain/events/event.js';
import type {WelcomeContent} from '../../domain/slack/notice-content.js';

export interface EventRecipients {
  /** The Slack ids of people and channels. */
  readonly recipients: readonly string[];
  /** The channel with the delivery problem. There is one notice for all problems of a channel. */
  readonly troubled?: string;
}

/** Finds the people that events notify by direct message, if these people are known in the chat. */
export interface Recipients {
  findRecipients: (call: RequestContext, entry: LogEntry) => Promise<EventRecipients>;
}

/** The maximum number of people notified of one event. */
const most = 90;
const maxRead = 1_000;

export function createRecipients(context: ServiceContext): Recipients {
  const {records} = context;
  const findFailedChannel = createFailedChannelFinder(context);
  const findWelcome = createWelcomeFinder(context);
  const goneMembers = createGoneMembers(context);
  /** Returns the owners and admins, owners first. */
  async function findAdmins({workspace, deadline}: RequestContext): Promise<string[]> {
    const found: string[] = [];
    for (const role of ['owner', 'admin']) {
      const query = {list: lists.membersOfRole(role), limit: maxRead};
      const {rows} = await records.list(workspace, query, deadline);
      found.push(...rows.flatMap(({json}) => parseWire(json).slack_user_id ?? []));
    }
    return found.slice(0, most);
  }

  async function findLeads({workspace, deadline}: RequestContext, team: Id<'team'>): Promise<string[]> {
    const {rows} = await records.list(workspace, {list: lists.teamMembers(team), limit: maxRead}, deadline);
    const leads = rows
      .map(({json}) => parseWire(json))
      .filter(({role}) => role === 'lead')
      .slice(0, most);
    const found = await Promise.all(
      leads.map(({member}) => records.findBySuffix(workspace, suffixOf(member.id), deadline)),
    );
    return found.flatMap((lead) => lead?.slack_user_id ?? []);
  }

  /** Returns the team's leads. Without a team, or if no lead is in the chat, returns the admins. */
  async function findResponsiblePeople(
    call: RequestContext,
    team: Id<'team'> | undefined,
  ): Promise<string[]> {
    const leads = team === undefined ? [] : await findLeads(call, team);
    return leads.length > 0 ? leads : findAdmins(call);
  }

  /** Returns the author of a standup; empty if the author is not a member or not in the chat. */
  async function findAuthor(
    {workspace, deadline}: RequestContext,
    standup: IdSuffix<'standup'>,
  ): Promise<string[]> {
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
    // If nobody who could fix the problem is in Slack, the author of the standup is told.
    return {recipients: await findAuthor(call, storedSuffix(entry.about)), troubled};
  }

  /** Returns the recipients of an event about a webhook. A person who disabled it is not notified. */
  async function findWebhookRecipients(call: RequestContext, {about, revision}: LogEntry): Promise<string[]> {
    const {workspace, deadline} = call;
    const webhook = await records.findRevision(workspace, storedSuffix<'webhook'>(about), revision, deadline);
    return webhook?.disabled_reason === 'user' ? [] : findAdmins(call);
  }

  return {
    async findRecipients(call, entry) {
      if (isWelcomeEvent(entry)) return {recipients: findWelcomeRecipients(await findWelcome(call, entry))};
      if (reportsDeactivation(entry)) return {recipients: await goneMembers.listRecipients(call, entry)};
      if (hasFailureReason(entry.type)) return findTroubleRecipients(call, entry);
      const isOfWebhook = entry.type === 'webhook.failing' || entry.type === 'webhook.disabled';
      return {recipients: isOfWebhook ? await findWebhookRecipients(call, entry) : []};
    },
  };
}

function findWelcomeRecipients(welcome: WelcomeContent | undefined): string[] {
  if (welcome === undefined) return [];
  return welcome.kind === 'membership' ? [welcome.news.user] : [welcome.team.slack_channel_id ?? []].flat();
}
