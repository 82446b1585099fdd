import {type Id, suffixOf} from '../../domain/core/ids.js';
import type {Caller} from '../../domain/core/access.js';
import {toInstant} from '../../domain/core/dates.js';
import {countReportLines, type ReportStandup} from '../../domain/runs/run-report.js';
import {createReadSharer} from '../../domain/core/share-next.js';
import type {Standup} from '../../domain/standups/standup.js';
import {emptyThread, presentThread, type StoredThread} from '../../domain/standups/thread.js';
import type {Team} from '../../domain/teams/team.js';
import type {DayStandup, DayStatus, TeamDay} from '../../domain/runs/team-day.js';
import type {RunStatus} from '../../domain/runs/run.js';
import type {ServiceContext} from '../core/context.js';
import {createDayLineFinder, type DayLine} from './day-lines.js';
import {requireDate, requireTeam} from './run-views.js';
import type {StandupDates} from './standup-dates.js';

/** The number of days prepared at once, for all workspaces. A large day is megabytes. */
const shownAtOnce = 2;
/** The number of standups read at once, and the maximum number of characters of their texts. */
const readAtOnce = 100;
const maxShownCharacters = 1_000_000;

/**
 * Returns the status and standups of everyone in a team on a date. `today`: the date of a standup that the
 * caller would post now. Errors: `not_found`, `invalid_parameter`.
 */
export function createTeamDayFinder(
  context: ServiceContext,
  {standupDates}: {readonly standupDates: StandupDates},
) {
  const {records, teams, threads, monotonic} = context;
  const findDayLines = createDayLineFinder(context);
  const share = createReadSharer<SharedDay>(shownAtOnce, monotonic);

  /** Returns the standups that still exist, with as much text as the limit allows. */
  async function readStandups({workspace, deadline}: Caller, wanted: readonly Id<'standup'>[]) {
    const found = new Map<string, DayStandup>();
    const reacted = new Map<string, StoredThread>();
    let left = maxShownCharacters;
    for (let at = 0; at < wanted.length; at += readAtOnce) {
      const ids = wanted.slice(at, at + readAtOnce);
      const [some, ofSome] = await Promise.all([
        records.findMany(workspace, ids, deadline),
        threads.list(workspace, ids.map(suffixOf), deadline),
      ]);
      for (const [i, standup] of some.entries()) {
        if (standup === undefined) continue;
        left -= JSON.stringify(standup.answers).length + standup.update.length;
        const thread = ofSome[i] ?? emptyThread;
        if (thread.reactions.length > 0) reacted.set(standup.id, thread);
        found.set(standup.id, presentDayStandup(standup, thread, left >= 0));
      }
    }
    return {found, reacted, truncated: left < 0};
  }

  async function presentTeamDay(asked: Caller, team: Team, date: string): Promise<SharedDay> {
    const {run, lines} = await findDayLines(asked, team, date);
    const ids = lines.flatMap(({standups}) => standups.map(({id}) => id));
    const {found, reacted, truncated} = await readStandups(asked, ids);
    const shown = (standups: readonly ReportStandup[]) => standups.flatMap(({id}) => found.get(id) ?? []);
    const asks = lines.some(({counted}) => counted);
    const day: TeamDay = {
      object: 'team_day',
      team: team.slug,
      team_id: team.id,
      date,
      timezone: team.timezone,
      run: run === undefined ? null : presentDayRun(run),
      counts: countReportLines(lines.filter(isCountedMember), asks),
      people: lines.map(({id, name, member, status, reason, until, closes, standups}) => ({
        member: {type: 'member', id, name},
        timezone: member?.timezone ?? team.timezone,
        status,
        reason,
        until,
        closes_at: closes === undefined ? null : toInstant(closes),
        standups: shown(standups),
      })),
      truncated,
    };
    return {day, reacted};
  }

  return async (asked: Caller, reference: string, given: string): Promise<TeamDay> => {
    const team = await requireTeam(teams, asked, reference);
    const {principal} = asked;
    const member = principal.type === 'member' ? principal.id : undefined;
    const date =
      given === 'today' ? ((await standupDates.findDates(asked, [team], member)).get(team.id) ?? '') : given;
    requireDate(date, ', or today');
    const shared = await share(`${asked.workspace} ${team.id} ${team.revision} ${date}`, () =>
      presentTeamDay(asked, team, date),
    );
    return showReactions(shared, principal.id);
  };
}

/** A day for all its readers, and the threads with reactions, which each reader sees differently. */
interface SharedDay {
  readonly day: TeamDay;
  readonly reacted: ReadonlyMap<string, StoredThread>;
}

function showReactions({day, reacted}: SharedDay, reader: string): TeamDay {
  if (reacted.size === 0) return day;
  const show = (standup: DayStandup): DayStandup => {
    const thread = reacted.get(standup.id);
    return thread === undefined ? standup : {...standup, thread: presentThread(thread, reader)};
  };
  return {...day, people: day.people.map((one) => ({...one, standups: one.standups.map(show)}))};
}

/** True for a member who is expected to post, or has posted. */
function isCountedMember(line: DayLine): line is DayLine & {readonly status: RunStatus} {
  const {status}: {status: DayStatus} = line;
  return status !== 'not_expected' && (line.counted || line.standups.length > 0);
}

function presentDayRun({id, kind, state, opens_at, closes_at}: NonNullable<TeamDay['run']>) {
  return {id, kind, state, opens_at, closes_at};
}

function presentDayStandup(standup: Standup, thread: StoredThread, withContent: boolean): DayStandup {
  const {id, revision, source, late, edited, created_at, update, answers} = standup;
  const content = withContent ? {update, answers} : {update: null, answers: null};
  const format = standup.format !== undefined && {format: standup.format};
  return {
    id,
    revision,
    source,
    late,
    edited,
    created_at,
    ...format,
    ...content,
    thread: {...thread, reactions: []},
  };
}
