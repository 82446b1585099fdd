import type {RequestContext} from '../../domain/core/access.js';
import {suffixOf, type IdSuffix} from '../../domain/core/ids.js';
import {standupText} from '../../domain/questions/answers.js';
import type {DigestContent, DigestStandup, RunOfDay} from '../../domain/runs/run-content.js';
import type {RunReport} from '../../domain/runs/run-report.js';
import type {Run} from '../../domain/runs/run.js';
import type {ServiceContext} from '../core/context.js';
import {createRunReports} from '../runs/run-reports.js';
import {findRunOn} from '../runs/run-looks.js';

/** Reads the content that a channel shows about a team's run on a date. */
export function createRunContents(context: ServiceContext) {
  const {records, teams, slackPosts, slackStatuses} = context;
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

  /** Returns what the statuses of missing members said when they were last looked at for the run. */
  async function findAwayEmoji({workspace, deadline}: RequestContext, {id}: Run, {lines}: RunReport) {
    const missing = lines.flatMap(({status, member}) => (status === 'missed' ? [member.id] : []));
    const looks = await slackStatuses.listOfRun(workspace, suffixOf(id), missing, deadline);
    return new Map([...looks].flatMap(([member, {emoji}]) => (emoji === '' ? [] : [[member, emoji]])));
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
        awayEmoji: team.names_missing ? await findAwayEmoji(call, run, report) : new Map(),
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
