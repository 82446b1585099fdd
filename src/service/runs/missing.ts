import type {Caller} from '../../domain/core/access.js';
import {AppError, notFound} from '../../domain/core/errors.js';
import {lists} from '../../domain/core/lists.js';
import {
  type MissingPerson,
  missingReasons,
  type MissingWhy,
  type TeamMissing,
} from '../../domain/runs/missing.js';
import type {Run} from '../../domain/runs/run.js';
import {isCountedForParticipation} from '../../domain/runs/run-report.js';
import type {Team} from '../../domain/teams/team.js';
import type {DayStatus} from '../../domain/runs/team-day.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Id} from '../../domain/core/ids.js';
import type {ServiceContext} from '../core/context.js';
import {createDayLineFinder} from './day-lines.js';
import {createReminderReach, type ReminderReach} from './reminder-reach.js';
import {listRuns} from './run-looks.js';
import type {StandupDates} from './standup-dates.js';

/** The context of a call without the caller, who is the separate parameter `viewer`. */
type ViewerContext = Omit<Caller, 'principal'>;

/**
 * Finds the members who have not posted. `viewer`: the id of the caller; undefined for a person who is not a
 * member yet. Errors: `not_found` for an unknown team.
 */
export function createMissingMemberFinder(
  context: ServiceContext,
  {standupDates}: {readonly standupDates: StandupDates},
) {
  const {records, teams, authority} = context;
  const findDayLines = createDayLineFinder(context);
  const findReach = createReminderReach(context);

  async function mayManage(asked: ViewerContext, team: Team, viewer: Id<'member'> | undefined) {
    if (viewer === undefined) return false;
    const principal = {type: 'member', id: viewer, name: ''} as const;
    try {
      await authority.requireLead({...asked, principal}, team, 'see who is missing');
      return true;
    } catch (error) {
      if (error instanceof AppError && (error.code === 'forbidden' || error.code === 'invalid_token'))
        return false;
      throw error;
    }
  }

  /** Returns the date of the open run (the latest if there are several), or else today. */
  async function findOpenRunDate(asked: ViewerContext, team: Team): Promise<string> {
    const open = (await listRuns(records, asked, lists.openRunsOfTeam(team.id))).at(-1);
    return open?.date ?? standupDates.findDate(asked, team, {member: undefined, timezone: null});
  }

  return async (
    asked: ViewerContext,
    reference: string,
    viewer: Id<'member'> | undefined,
  ): Promise<TeamMissing> => {
    const principal = viewer && ({type: 'member', id: viewer} as const);
    const team = (await teams.of({...asked, principal})).byReference(reference);
    if (team === undefined) throw notFound('team');
    const [manages, date, reachOf] = await Promise.all([
      mayManage(asked, team, viewer),
      findOpenRunDate(asked, team),
      findReach(asked),
    ]);
    const {run, lines} = await findDayLines(asked, team, date);
    const counting = run !== undefined && isCountedForParticipation(run) ? run : undefined;
    const people = lines.flatMap((line) =>
      line.member === undefined || (counting !== undefined && !line.counted)
        ? []
        : [{...line, member: line.member}],
    );
    const left = people.filter(({standups}) => standups.length === 0);
    const rank = (why: MissingWhy) => missingReasons.indexOf(why);
    const missing = left
      .map(({member, status, until}): MissingPerson => {
        const why = findReasonNotToAsk(member, status, counting, reachOf);
        const {id, name, slack_user_id: slackUser} = member;
        return {id, name, slackUser, why, until: why === 'away' ? until : null};
      })
      .toSorted((a, b) => rank(a.why) - rank(b.why) || a.name.localeCompare(b.name));
    const counts: Partial<Record<MissingWhy, number>> = {};
    for (const {why} of missing) counts[why] = (counts[why] ?? 0) + 1;
    return {
      team,
      date,
      closesAt: counting?.state === 'open' ? Date.parse(counting.closes_at) : undefined,
      posted: people.length - left.length,
      counts,
      people: manages || team.names_missing ? missing : undefined,
      manages,
    };
  };
}

function findReasonNotToAsk(
  member: Member,
  status: DayStatus,
  run: Run | undefined,
  reachOf: (member: Member) => ReminderReach,
): MissingWhy {
  if (status === 'away' || status === 'holiday' || status === 'skipped') return status;
  if (run !== undefined && (status === 'missed' || status === 'unreachable')) return status;
  if (member.slack_user_id === null && reachOf(member).channel === undefined) return 'no_slack';
  return member.reminders.enabled ? 'expected' : 'reminders_off';
}
