import type {RequestContext} from '../../domain/core/access.js';
import type {Actor} from '../../domain/core/actor.js';
import {isId, storedSuffix} from '../../domain/core/ids.js';
import type {EventType, LogEntry} from '../../domain/events/event.js';
import type {WelcomeContent} from '../../domain/slack/notice-content.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {createMembershipNotificationFinder} from '../teams/membership-notifications.js';

const welcomeEvents: ReadonlySet<EventType> = new Set([
  'team.created',
  'team.member_added',
  'team.member_updated',
]);

/** Returns true for events that lead to a welcome: a new membership, or a team's new channel. */
export function isWelcomeEvent({type}: LogEntry): boolean {
  return welcomeEvents.has(type);
}

const freshMs = 24 * 3_600_000;

/** Returns the content of the welcome for such an event; undefined if there is none or it is out of date. */
export function createWelcomeFinder(context: ServiceContext) {
  const {teams, records, clock} = context;
  const findMembershipNotification = createMembershipNotificationFinder(context);

  /** Returns the channel of a team that was set up in Slack. This channel gets one message. */
  async function findNewTeamChannel(
    {workspace, deadline}: RequestContext,
    {type, about, actor, at}: LogEntry,
  ): Promise<Team | undefined> {
    if (type !== 'team.created' || actor?.source !== 'slack' || clock.now() - at > freshMs) return undefined;
    const team = (await teams.all({workspace, deadline})).bySuffix(storedSuffix<'team'>(about));
    return team?.slack_channel_id === null ? undefined : team;
  }

  async function findSlackUserOfActor({workspace, deadline}: RequestContext, actor: Actor | undefined) {
    const id = actor?.id ?? '';
    if (!isId('member', id)) return null;
    return (await records.find(workspace, id, deadline))?.slack_user_id ?? null;
  }

  return async (call: RequestContext, entry: LogEntry): Promise<WelcomeContent | undefined> => {
    const team = await findNewTeamChannel(call, entry);
    if (team !== undefined)
      return {kind: 'beginning', team, by: await findSlackUserOfActor(call, entry.actor)};
    const news = await findMembershipNotification(call, entry);
    return news && {kind: 'membership', news};
  };
}
