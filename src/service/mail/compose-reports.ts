import type {RequestContext} from '../../domain/core/access.js';
import type {Mail} from '../../domain/mail/mail.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {createRunReports} from '../runs/run-reports.js';
import {createTeamWeeks} from '../runs/team-week.js';
import type {MemberMail} from './compose-reminder.js';

type ComposeReport = (asked: RequestContext, mail: Mail, member: Member) => Promise<MemberMail | undefined>;

/** Compose the reports that a member chose; undefined if they are in the team no more, or want none. */
export function createReportComposers(context: ServiceContext) {
  const {records, teams, publicUrl} = context;
  const runReports = createRunReports(context);
  const {findWeek} = createTeamWeeks(context);

  async function isIn({workspace, deadline}: RequestContext, {id: team}: Team, {id: member}: Member) {
    return (await records.findMembership(workspace, team, member, deadline)) !== undefined;
  }

  const composeReport: ComposeReport = async (asked, {fact}, member) => {
    if (fact.kind !== 'report' || !member.reports.daily) return undefined;
    const {workspace, deadline} = asked;
    const run = await records.findBySuffix(workspace, fact.run, deadline);
    const team = run && (await teams.all({workspace, deadline})).byReference(run.team_id);
    if (team === undefined || run?.state !== 'closed' || !(await isIn(asked, team, member))) return undefined;
    const {counts, lines} = (await runReports.findReport(asked, run)).report;
    const posted = counts.posted + counts.late;
    if (counts.expected === 0 && posted === 0) return undefined;
    const namesOf = (...states: readonly string[]) =>
      lines.filter(({status}) => states.includes(status)).map((line) => line.member.name);
    const missing = namesOf('missed', 'unreachable');
    return {
      content: {
        kind: 'report',
        team: team.name,
        date: run.date,
        posted,
        expected: counts.expected,
        missing: team.names_missing ? missing : [],
        missingCount: missing.length,
        away: namesOf('away', 'holiday', 'skipped'),
        url: `${publicUrl}/app/t/${team.slug}?date=${run.date}`,
      },
      timezone: team.timezone,
    };
  };

  const composeWeek: ComposeReport = async (asked, {fact}, member) => {
    if (fact.kind !== 'week') return undefined;
    const {workspace, deadline} = asked;
    const principal = {type: 'member', id: member.id} as const;
    const isAsked = fact.asked !== undefined;
    // A week that its reader asked for may be that of a team that they only read.
    const seen = await (isAsked
      ? teams.of({workspace, deadline, principal, scopes: new Set()})
      : teams.all({workspace, deadline}));
    const team = seen.bySuffix(fact.team);
    if (team === undefined) return undefined;
    if (!isAsked && !(member.reports.weekly && (await isIn(asked, team, member)))) return undefined;
    const week = await findWeek(asked, fact.team, fact.monday);
    if (week === undefined) return undefined;
    const {counts, by_date: dates} = week.participation;
    return {
      content: {
        kind: 'week',
        team: team.name,
        monday: fact.monday,
        posted: counts.posted + counts.late,
        expected: counts.expected,
        runs: dates.length,
        raised: week.blockers.raised,
        resolved: week.blockers.resolved,
        open: week.blockers.open.map(({author, text}) => ({author: author.name, text})),
        trends: week.trends,
        url: `${publicUrl}/app/t/${team.slug}/weeks/${fact.monday}`,
      },
      timezone: team.timezone,
    };
  };

  return {composeReport, composeWeek};
}
