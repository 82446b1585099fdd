import type {EventType, LogEntry} from '../../domain/events/event.js';
import type {RequestContext} from '../../domain/core/access.js';
import {type IdSuffix, storedSuffix, suffixOf, isId} from '../../domain/core/ids.js';
import type {SlackStandupRefresh} from '../../domain/slack/slack-post.js';
import {listDatesAround} from '../../domain/prompts/prompt-days.js';
import type {PromptName} from '../../domain/prompts/prompt.js';
import type {ServiceContext} from '../core/context.js';
import {createCountRefreshes} from './answer-counts.js';
import {createBlockerRefreshes} from './blocker-refreshes.js';
import {createCommentRefreshes} from './comment-contents.js';
import {createDayRefreshes, followedDays, type ListRefreshes} from './day-refreshes.js';
import {createPeopleRefreshes} from './people-refreshes.js';
import {createRunRefreshes} from './run-refreshes.js';
import {createWeekRefreshes} from './week-refreshes.js';

export function createRefreshLister(context: ServiceContext): ListRefreshes {
  const days = createDayRefreshes(context);
  const {ofRun, ofStandup} = createRunRefreshes(context);
  const blockers = createBlockerRefreshes(context);
  const {ofMembership, ofAbsence, ofLeaver} = createPeopleRefreshes(context);
  const ofComment = createCommentRefreshes(context);
  const listCounts = createCountRefreshes(context);
  const listWeeks = createWeekRefreshes(context);

  /** Whether a message names missing members depends on the team's current settings. */
  const ofTeam: ListRefreshes = async (workspace, entry) => {
    const team = await days.findTeam(workspace, entry);
    return team === undefined ? [] : days.reportsOfLast(workspace, followedDays, [team]);
  };

  function chooseRefreshLister(type: EventType): ListRefreshes | undefined {
    if (type === 'standup.updated' || type === 'standup.deleted') return ofStandup;
    if (type.startsWith('team.member_')) return ofMembership;
    if (type === 'member.left') return ofLeaver;
    if (type === 'team.updated') return ofTeam;
    const noun = type.slice(0, type.indexOf('.'));
    if (noun === 'run') return type === 'run.reminded' ? undefined : ofRun;
    if (noun === 'absence') return ofAbsence;
    if (noun === 'comment')
      return async (...given) => [...(await ofComment(...given)), ...(await listCounts(...given))];
    if (noun === 'reaction') return listCounts;
    return noun === 'blocker' ? blockers.ofBlocker : undefined;
  }

  return async (workspace, entry) => {
    const listDays = chooseRefreshLister(entry.type);
    const [first, weeks] = await Promise.all([
      listDays?.(workspace, entry) ?? [],
      listWeeks(workspace, entry),
    ]);
    return [...first, ...weeks];
  };
}

/** Returns the change that an event requires in the message of its standup. */
export function createStandupRefreshFinder({records, teams, slackPosts}: ServiceContext) {
  async function findRefreshOfNewStandup(
    {workspace, deadline}: RequestContext,
    suffix: IdSuffix<'standup'>,
    {team: reference, revision}: LogEntry,
  ): Promise<SlackStandupRefresh | undefined> {
    if (reference === undefined) return undefined;
    const team = (await teams.all({workspace, deadline})).byReference(reference);
    const channel = team?.slack_channel_id ?? undefined;
    if (team === undefined || channel === undefined) return undefined;
    const standup = await records.findRevision(workspace, suffix, revision, deadline);
    if (standup === undefined) return undefined;
    const {team_id, date: day, author} = standup;
    const initial = {team: team_id, day, author: author.id, mode: team.slack_post_mode};
    return {channel, suffix, want: revision, initial};
  }

  return async (call: RequestContext, entry: LogEntry): Promise<SlackStandupRefresh | undefined> => {
    const {type, revision} = entry;
    const suffix = storedSuffix<'standup'>(entry.about);
    if (type === 'standup.created') return findRefreshOfNewStandup(call, suffix, entry);
    if (type !== 'standup.updated' && type !== 'standup.deleted') return undefined;
    // An edited standup stays in the channel of its first post. If the team had no channel at that time, the
    // edit posts nothing.
    const channel = await slackPosts.findChannel(call.workspace, suffix, call.deadline);
    return channel === undefined
      ? undefined
      : {channel, suffix, want: type === 'standup.deleted' ? 'deleted' : revision};
  };
}

const endings: ReadonlySet<string> = new Set(['run.closed', 'run.missed', 'run.cancelled']);

/** Lists the reminders that may change after an event. It does no harm to list one that does not change. */
export function createPromptRefreshLister({prompts, records, zones, clock}: ServiceContext) {
  return async (
    {workspace, deadline}: RequestContext,
    {type, about, revision}: LogEntry,
  ): Promise<readonly PromptName[]> => {
    if (endings.has(type)) return prompts.listOfRun(workspace, storedSuffix(about), deadline);
    const today = zones.dayIn('UTC', clock.now());
    if (type === 'member.left')
      return prompts.listOf(workspace, storedSuffix(about), listDatesAround([today]), deadline);
    const isStandup = type.startsWith('standup.');
    const isMembership = type === 'team.member_removed' || type === 'team.member_updated';
    const isOther = type.startsWith('absence.') || type.startsWith('blocker.');
    if (!isStandup && !isMembership && !isOther) return [];
    const before = type === 'standup.updated' ? [revision - 1] : [];
    const suffix = storedSuffix<'standup' | 'team_member' | 'absence' | 'blocker'>(about);
    const found = await Promise.all(
      [revision, ...before].map((of) => records.findRevision(workspace, suffix, of, deadline)),
    );
    const member = found
      .map((record) => record && ('author' in record ? record.author : record.member).id)
      .find((id) => id !== undefined);
    if (member === undefined || !isId('member', member)) return [];
    // A day off or a blocker changes no reminders except today's.
    const days = isStandup
      ? found.flatMap((record) => (record && 'date' in record ? record.date : []))
      : [today];
    return prompts.listOf(workspace, suffixOf(member), listDatesAround(days), deadline);
  };
}
