import type {Actor} from '../../../domain/core/actor.js';
import type {EventType, LogEntry} from '../../../domain/events/event.js';
import {type Id, drawnPart, isId} from '../../../domain/core/ids.js';
import type {Team, TeamDirectory} from '../../../domain/teams/team.js';
import type {FindPlaceNews} from '../../../service/teams/place-news.js';
import type {ToldNotice} from '../../showing/post-notice.js';
import {presentBeginning, presentPlaceNews} from './welcome-view.js';
import type {Records} from '../../../store/core/records.js';

/**
 * Events of which people are told who have got a place in a team by them, or the channel of a team that
 * begins.
 */
export const welcomeEvents: ReadonlySet<EventType> = new Set([
  'team.created',
  'team.member_added',
  'team.member_updated',
]);

export interface Welcomes {
  /** Slack's ids of the people, or of the channel, that are to be told of an event. */
  listTold: (workspace: Id<'workspace'>, entry: LogEntry, deadline: number) => Promise<readonly string[]>;
  /** Their message; over where there is nothing left to tell. */
  find: (workspace: Id<'workspace'>, entry: LogEntry, deadline: number) => Promise<ToldNotice>;
}

export interface WelcomeParts {
  readonly findPlaceNews: FindPlaceNews;
  readonly teams: {fresh: (workspace: Id<'workspace'>, deadline: number) => Promise<TeamDirectory>};
  readonly records: Pick<Records, 'find'>;
  readonly now: () => number;
}

const freshMs = 24 * 3_600_000;

export function createWelcomes({findPlaceNews, teams, records, now}: WelcomeParts): Welcomes {
  /** A team that has been set up in Slack: its channel is told once. */
  async function findBegun(
    workspace: Id<'workspace'>,
    entry: LogEntry,
    deadline: number,
  ): Promise<Team | undefined> {
    const {type, about, actor, at} = entry;
    if (type !== 'team.created' || actor?.source !== 'slack' || now() - at > freshMs) return undefined;
    const {teams: all} = await teams.fresh(workspace, deadline);
    return all.find(({id, slack_channel_id: channel}) => drawnPart(id) === about && channel !== null);
  }

  async function slackUserOf(workspace: Id<'workspace'>, actor: Actor | undefined, deadline: number) {
    const id = actor?.id ?? '';
    if (!isId('member', id)) return null;
    return (await records.find(workspace, id, deadline))?.slack_user_id ?? null;
  }

  return {
    async listTold(workspace, entry, deadline) {
      const begun = await findBegun(workspace, entry, deadline);
      if (begun !== undefined) return [begun.slack_channel_id ?? ''];
      const news = await findPlaceNews({workspace, deadline}, entry);
      return news === undefined ? [] : [news.user];
    },
    async find(workspace, entry, deadline) {
      const begun = await findBegun(workspace, entry, deadline);
      if (begun !== undefined) {
        const by = await slackUserOf(workspace, entry.actor, deadline);
        return {event: entry.id, message: presentBeginning(entry.id, begun, by), once: true};
      }
      const news = await findPlaceNews({workspace, deadline}, entry);
      if (news === undefined) return {event: entry.id, message: nothing(entry.id), over: true, once: true};
      const {notBefore} = news;
      return {event: entry.id, message: presentPlaceNews(entry.id, news), notBefore, once: true};
    },
  };
}

/** In the place of what is not told any more. */
function nothing(event: Id<'event'>): ToldNotice['message'] {
  return {text: '', metadata: {event_type: 'none', event_payload: {event}}};
}
