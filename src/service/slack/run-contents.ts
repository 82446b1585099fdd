import type {RequestContext} from '../../domain/core/access.js';
import {suffixOf, type IdSuffix} from '../../domain/core/ids.js';
import {standupText} from '../../domain/questions/answers.js';
import type {DigestContent, DigestStandup, RunOfDay} from '../../domain/runs/run-content.js';
import type {RunReport} from '../../domain/runs/run-report.js';
import type {Run} from '../../domain/runs/run.js';
import {addDays, dayNumber} from '../../domain/core/dates.js';
import {lists} from '../../domain/core/lists.js';
import type {WeekContent} from '../../domain/runs/week-content.js';
import {findSundayOf} from '../../domain/schedules/week.js';
import {createDayRange, listRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {createRunReports} from '../runs/run-reports.js';
import {findRunOn} from '../runs/run-looks.js';
import {createParticipation} from '../runs/participation.js';
import {listOpenBlockers} from './blocker-refreshes.js';

/** Reads the content that a channel shows about a team's run on a date. */
export function createRunContents(context: ServiceContext) {
  const {records, teams, slackPosts} = context;
  const runReports = createRunReports(context);

  async function findStandups(
    {workspace, deadline}: RequestContext,
    {lines}: RunReport,
  ): Promise<Map<string, DigestStandup>> {
    const ids = lines.flatMap(({standups}) => standups.map(({id}) => id));
    const suffixes = ids.map((id) => suffixOf(id));
    const [messages, modes] = await Promise.all([
      slackPosts.listMessages(workspace, suffixes, deadline),
      slackPosts.listModes(workspace, suffixes, deadline),
    ]);
    const shownHere = suffixes.filter((_, i) => modes[i] === 'digest');
    const texts = await Promise.all(shownHere.map((one) => records.findBySuffix(workspace, one, deadline)));
    return new Map(
      ids.flatMap((id, i): [string, DigestStandup][] => {
        const permalink = messages[i]?.permalink ?? null;
        if (modes[i] !== 'digest') return [[id, {text: null, permalink}]];
        const standup = texts[shownHere.indexOf(suffixOf(id))];
        if (standup === undefined) return [];
        const {update, format} = standup;
        const text = standupText({update, answers: standup.answers ?? [], format});
        return [[id, {text, format, permalink}]];
      }),
    );
  }

  return {
    /** Returns the state of the run; undefined if no run counts on that date. */
    async findRun(call: RequestContext, team: IdSuffix<'team'>, date: string): Promise<RunOfDay | undefined> {
      const run = await findRunOn(records, call, team, date);
      if (run === undefined || (run.state !== 'open' && run.state !== 'closed')) return undefined;
      const {counts} = (await runReports.findReport(call, run)).report;
      return {
        count: {in: counts.posted + counts.late, of: counts.expected},
        closing: run.state === 'closed' ? 'closed' : Date.parse(run.closes_at),
      };
    },

    /** Returns the content of a run's report; undefined if no run has closed, or without a team. */
    async findReport(
      call: RequestContext,
      suffix: IdSuffix<'team'>,
      date: string,
    ): Promise<DigestContent | undefined> {
      const [directory, run] = await Promise.all([teams.all(call), findRunOn(records, call, suffix, date)]);
      const team = directory.bySuffix(suffix);
      if (team === undefined || run?.state !== 'closed') return undefined;
      const {report} = await runReports.findReport(call, run);
      return {
        team: suffix,
        date,
        report: {...report, blockers: report.blockers.filter(belongsToReport(run, report))},
        namesMissing: team.names_missing,
        standups: await findStandups(call, report),
      };
    },
  };
}

/**
 * True if a blocker belongs to this report. One raised after the run closed belongs to the next report,
 * unless it came with a late standup.
 */
function belongsToReport(
  {closed_at}: Run,
  {lines}: RunReport,
): (blocker: RunReport['blockers'][number]) => boolean {
  const late = new Set<string>(
    lines.flatMap(({member, standups}) => (standups.some((standup) => standup.late) ? [member.id] : [])),
  );
  return ({created_at, author}) => created_at <= (closed_at ?? '') || late.has(author.id);
}

/** The maximum number of blockers counted: in the team, and in the workspace on the days of the week. */
const counted = 1_000;

/** Returns a team's week, as far as known; undefined if no run has closed, or without a team. */
export function createWeekFinder(context: ServiceContext) {
  const {records, teams, zones} = context;
  const {findParticipationIn} = createParticipation(context);
  return async (
    call: RequestContext,
    suffix: IdSuffix<'team'>,
    monday: string,
  ): Promise<Omit<WeekContent, 'links'> | undefined> => {
    const {workspace, deadline} = call;
    const team = (await teams.all({workspace, deadline})).bySuffix(suffix);
    if (team === undefined) return undefined;
    const sunday = findSundayOf(monday);
    const participation = await findParticipationIn(team, call, {since: monday, until: sunday});
    const last = participation.by_date.at(-1)?.date;
    if (last === undefined) return undefined;
    const dayOf = (instant: string) => zones.dayIn(team.timezone, Date.parse(instant));
    const isIn = (instant: string | null) => {
      const day = instant === null ? '' : dayOf(instant);
      return monday <= day && day <= sunday;
    };
    // Blockers are listed under the UTC day, which differs from the team's day by at most one.
    const ended = createDayRange(addDays(monday, -1), addDays(sunday, 1));
    const [raised, resolved, open] = await Promise.all([
      listRecords(records, call, {list: lists.blockersOfTeam(team.id), limit: counted}),
      listRecords(records, call, {list: lists.blockersByEnd(), ...ended, limit: counted}),
      listOpenBlockers(records, call, [team]),
    ]);
    const shown = open
      .filter(({created_at}) => dayOf(created_at) <= sunday)
      .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    const names = await Promise.all(
      shown.map(({author}) => records.findBySuffix(workspace, suffixOf(author.id), deadline)),
    );
    return {
      team: suffix,
      monday,
      participation,
      namesMissing: team.names_missing,
      blockers: {
        raised: raised.filter(({created_at}) => isIn(created_at)).length,
        resolved: resolved.filter(({team_id, resolved_at}) => team_id === team.id && isIn(resolved_at))
          .length,
        open: shown.map(({author, text, created_at}, i) => {
          const since = dayOf(created_at);
          const days = Math.max(0, dayNumber(last) - dayNumber(since));
          return {author: {...author, name: names[i]?.name ?? author.name}, text, since, days};
        }),
      },
    };
  };
}
