import type {Blocker} from '../../domain/blockers/blocker.js';
import {addDays} from '../../domain/core/dates.js';
import {suffixOf, type Id, storedSuffix} from '../../domain/core/ids.js';
import type {SlackRefresh} from '../../domain/slack/slack-post.js';
import type {RequestContext} from '../../domain/core/access.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import type {Team} from '../../domain/teams/team.js';
import type {Records} from '../../store/core/records.js';
import {listRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {createLeadNotices} from './lead-notices.js';
import {createDayRefreshes, followedDays, keptDays, type ListRefreshes} from './day-refreshes.js';

/** Lists the Slack messages to update after a change of a blocker. */
export function createBlockerRefreshes(context: ServiceContext) {
  const {records, slackPosts} = context;
  const days = createDayRefreshes(context);
  const leadNotices = createLeadNotices(context);

  /** Returns the messages of the standups that show these blockers, if any. */
  async function ofStandups(workspace: Id<'workspace'>, blockers: readonly Blocker[]) {
    const refreshes: SlackRefresh[] = [];
    for (const suffix of new Set(
      blockers.flatMap(({standup}) => (standup === null ? [] : suffixOf(standup))),
    )) {
      const channel = await slackPosts.findChannel(workspace, suffix, days.read(workspace).deadline);
      if (channel !== undefined) refreshes.push({channel, item: {kind: 'standup', suffix}});
    }
    return refreshes;
  }

  const ofBlocker: ListRefreshes = async (workspace, entry) => {
    const {deadline} = days.read(workspace);
    const [team, blocker] = await Promise.all([
      days.findTeam(workspace, entry),
      records.findRevision(workspace, storedSuffix<'blocker'>(entry.about), entry.revision, deadline),
    ]);
    if (team === undefined) return [];
    // An erased blocker must disappear from every message. The message of its standup, which has the same
    // author, is deleted separately.
    if (blocker === undefined) {
      const leadMessages = await leadNotices.listShown(days.read(workspace), [team.id]);
      return [...(await days.reportsOfLast(workspace, keptDays, [team])), ...leadMessages];
    }
    const raised = addDays(blocker.created_at.slice(0, 10), -1);
    const followed = days.daysOf(team, followedDays, 0).filter(({date}) => date >= raised);
    // The message with the pressed button comes first, since the member who pressed the button sees it.
    return [...(await ofStandups(workspace, [blocker])), ...(await days.reportsOf(workspace, followed))];
  };

  return {ofStandups, ofBlocker};
}

export async function listOpenBlockers(
  records: Records,
  call: RequestContext,
  teams: readonly Team[],
): Promise<Blocker[]> {
  const all = teams.map(({id}) => lists.openBlockersOfTeam(id));
  const blockers: Blocker[] = [];
  for (const list of await records.listFilled(call.workspace, all, 0, call.deadline))
    blockers.push(...(await listRecords(records, call, {list, limit: limits.openBlockersPerTeam})));
  return blockers;
}
