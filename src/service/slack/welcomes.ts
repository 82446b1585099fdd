import type {Reader} from '../../domain/core/access.js';
import type {Actor} from '../../domain/core/actor.js';
import type {Clock} from '../../domain/core/dates.js';
import {isId, storedSuffix} from '../../domain/core/ids.js';
import type {EventType, LogEntry} from '../../domain/events/event.js';
import type {WelcomeContent} from '../../domain/slack/notice-content.js';
import type {Team} from '../../domain/teams/team.js';
import type {Teams} from '../../store/core/directories.js';
import type {Records} from '../../store/core/records.js';
import type {FindPlaceNews} from '../teams/place-news.js';

const welcomeEvents: ReadonlySet<EventType> = new Set([
  'team.created',
  'team.member_added',
  'team.member_updated',
]);

/**
 * True for events of which people are told who have got a place in a team by them, or the channel of a team
 * that begins.
 */
export function isWelcome({type}: Pick<LogEntry, 'type'>): boolean {
  return welcomeEvents.has(type);
}

/** What such an event is told as; undefined where there is nothing to tell, or nothing any more. */
export type FindWelcome = (call: Reader, entry: LogEntry) => Promise<WelcomeContent | undefined>;

export interface WelcomeParts {
  readonly findPlaceNews: FindPlaceNews;
  readonly teams: Pick<Teams, 'fresh'>;
  readonly records: Pick<Records, 'find'>;
  readonly clock: Pick<Clock, 'now'>;
}

const freshMs = 24 * 3_600_000;

export function createFindWelcome({findPlaceNews, teams, records, clock}: WelcomeParts): FindWelcome {
  /** A team that has been set up in Slack: its channel is told once. */
  async function findBegun(
    {workspace, deadline}: Reader,
    {type, about, actor, at}: LogEntry,
  ): Promise<Team | undefined> {
    if (type !== 'team.created' || actor?.source !== 'slack' || clock.now() - at > freshMs) return undefined;
    const team = (await teams.fresh(workspace, deadline)).bySuffix(storedSuffix<'team'>(about));
    return team?.slack_channel_id === null ? undefined : team;
  }

  async function slackUserOf({workspace, deadline}: Reader, actor: Actor | undefined) {
    const id = actor?.id ?? '';
    if (!isId('member', id)) return null;
    return (await records.find(workspace, id, deadline))?.slack_user_id ?? null;
  }

  return async (call, entry) => {
    const team = await findBegun(call, entry);
    if (team !== undefined) return {kind: 'beginning', team, by: await slackUserOf(call, entry.actor)};
    const news = await findPlaceNews(call, entry);
    return news && {kind: 'place', news};
  };
}
