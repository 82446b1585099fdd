import type {Call} from '../../domain/core/access.js';
import {type Commit, type CommitPart, joinCommitParts, nothing} from '../../domain/commit/commit.js';
import {reviseWrite} from '../../domain/commit/writes.js';
import {suffixOf} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {type Draft, isUnchangedByDraft, toDraft} from '../../domain/core/resource.js';
import {findMondayOf} from '../../domain/schedules/week.js';
import type {Team, TeamChange} from '../../domain/teams/team.js';
import {createTeamsUnchangedGuard} from './find-team.js';
import {planNothing} from '../core/mutation.js';
import {type Precondition, requireRevision} from '../core/precondition.js';
import {listRuns} from '../runs/run-looks.js';
import {planCancelRun} from '../runs/run-plans.js';
import {
  type ChannelChoice,
  createChannelLinkWrites,
  requireChannelRight,
  requireFreeChannel,
  requirePrivateChannel,
} from './team-channels.js';
import {applyTeamChange} from './team-drafts.js';
import {requireVisibilityRight} from './visibility.js';
import type {ServiceContext} from '../core/context.js';
import {createDueRunOpener} from '../runs/open-due-runs.js';
import {createTeamFinder} from './find-team.js';

/** Plans changes of an existing team and of its open run. Errors: as `TeamService.changeTeam`. */
export function createTeamChangePlanner(context: ServiceContext) {
  const {records, authority, zones: calendar, clock, mail} = context;
  const requireTeam = createTeamFinder(context);
  const openDueRuns = createDueRunOpener(context);

  /** Plans the pause of a team: its commit also cancels the team's open runs. */
  async function planPauseTeam(call: Call, team: Team, today: string): Promise<CommitPart> {
    const list = lists.openRunsOfTeam(team.id);
    const [open, ofWeek] = await Promise.all([
      listRuns(records, call, list),
      listRuns(records, call, lists.runsOfTeam(team.id), findMondayOf(today)),
    ]);
    const noOther = {check: 'length', list, below: open.length + 1} as const;
    const last = ofWeek.findLast(({state}) => state === 'closed');
    return joinCommitParts([
      {guards: [noOther]},
      ...open.map(planCancelRun),
      // No later run of the week closes, so the summary of the week follows the last one that has closed.
      ...(mail === undefined || last === undefined
        ? []
        : [{writes: [{do: 'begin-work', work: {kind: 'mail-reports', run: suffixOf(last.id)}}]} as const]),
    ]);
  }

  return async function planChangeTeam(
    call: Call,
    reference: string,
    change: TeamChange,
    choice: ChannelChoice,
    expected?: Precondition,
  ): Promise<Commit> {
    const [team, directory, seen] = await requireTeam(call, reference);
    const proof = await authority.requireLead(call, team, 'change it');
    requireRevision(expected, team.revision);
    const today = calendar.dayIn(change.timezone ?? team.timezone, clock.now());
    const draft = applyTeamChange(toDraft(team), change, today);
    const suffix = suffixOf(team.id);
    if (isUnchangedByDraft(team, draft)) return planNothing(team);
    requireVisibilityRight(call, draft);
    const channels = {before: team.slack_channel_id, after: draft.slack_channel_id};
    await requireChannelRight(authority, call, choice, channels);
    const changesChannel = channels.before !== channels.after;
    if (changesChannel) requireFreeChannel(directory, channels.after, seen);
    if (changesChannel || team.visibility !== draft.visibility)
      await requirePrivateChannel(context, call, draft);
    const moved = draft.paused ? 'pause' : 'rules';
    const openings = changesRunOpeningTimes(team, draft) ? await openDueRuns(call, team.id, moved) : nothing;
    const pause = draft.paused && !team.paused ? await planPauseTeam(call, team, today) : nothing;
    const {guards, writes, events} = joinCommitParts([openings, pause]);
    const revised = reviseWrite(team, draft);
    return {
      guards: [createTeamsUnchangedGuard(directory), ...proof, ...guards],
      writes: [
        revised,
        ...createChannelLinkWrites(team.slack_channel_id, draft.slack_channel_id, suffix),
        {do: 'touch', collection: 'teams', suffix},
        ...writes,
      ],
      events: [{type: 'team.updated', about: suffix, revision: team.revision + 1, team: team.id}, ...events],
      reply: {kind: 'resource', of: revised},
    };
  };
}

/** Returns true if a change of a team changes the times at which its runs open. */
function changesRunOpeningTimes(before: Draft<Team>, after: Draft<Team>): boolean {
  return (
    before.paused !== after.paused ||
    before.timezone !== after.timezone ||
    JSON.stringify(before.schedule) !== JSON.stringify(after.schedule)
  );
}
