import type {ServiceContext} from '../core/context.js';
import {createGoneMembers, reportsDeactivation} from './gone-members.js';
import {createWelcomeFinder, isWelcomeEvent} from './welcomes.js';
import {createFailedChannelFinder} from './failed-channels.js';
import type {RequestContext} from '../../domain/core/access.js';
import {storedSuffix} from '../../domain/core/ids.js';
import {type LogEntry, hasFailureReason} from '../../domain/events/event.js';
import type {Notice} from '../../domain/slack/notice-content.js';
import type {SlackTrouble} from '../../domain/slack/slack-post.js';

/**
 * Returns the notice of an event for one person (Slack id); undefined if the event's subject has been erased.
 */
export type FindNotice = (
  call: RequestContext,
  sequence: number,
  person: string,
) => Promise<Notice | undefined>;

export function createNoticeFinder(context: ServiceContext): FindNotice {
  const {events, records, teams, slackTroubles} = context;
  const findFailedChannel = createFailedChannelFinder(context);
  const findWelcome = createWelcomeFinder(context);
  const goneMembers = createGoneMembers(context);

  async function findWelcomeNotice(call: RequestContext, entry: LogEntry): Promise<Notice> {
    const content = await findWelcome(call, entry);
    const notice = {event: entry.id, once: true};
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
      teams.fresh(workspace, deadline),
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

  return async (call, sequence, person) => {
    const entry = await events.findBySequence(call.workspace, sequence, call.deadline);
    if (entry === undefined) return undefined;
    if (isWelcomeEvent(entry)) return findWelcomeNotice(call, entry);
    if (reportsDeactivation(entry)) {
      const gone = await goneMembers.find(call, entry, person);
      return {event: entry.id, once: true, content: gone && {kind: 'gone', gone}};
    }
    return hasFailureReason(entry.type) ? findTroubleNotice(call, entry) : findWebhookNotice(call, entry);
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
