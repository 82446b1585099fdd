import type {RequestContext} from '../../domain/core/access.js';
import {countDaysBetween} from '../../domain/core/dates.js';
import type {Id, IdSuffix} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists} from '../../domain/core/lists.js';
import {type LeadSummary, needsLead} from '../../domain/runs/lead-summary.js';
import type {Run} from '../../domain/runs/run.js';
import type {Team} from '../../domain/teams/team.js';
import {listAllRecords, listRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import {createRunReports} from './run-reports.js';

const pageSize = 500;

/** A summary, with its team for who sends it. */
export interface FoundSummary {
  readonly summary: LeadSummary;
  readonly team: Team;
  /** False if the team wants none now, or if nothing needs a lead any more. */
  readonly isNeeded: boolean;
}

/** Finds what leads are told about a run that has closed, and who they are. */
export function createLeadSummaries(context: ServiceContext) {
  const {records, teams, zones} = context;
  const runReports = createRunReports(context);

  /** Lists the blockers that were raised before the run closed and are still open, with those who work on them. */
  async function listBlockers(asked: RequestContext, {timezone}: Team, run: Run) {
    const list = lists.openBlockersOfTeam(run.team_id);
    const open = (await listRecords(records, asked, {list, limit: limits.openBlockersPerTeam}))
      .filter(({created_at: at}) => at <= (run.closed_at ?? ''))
      .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    const owners = open.map(({acknowledged_by: by}) => by?.id);
    const ids = [...new Set(owners.flatMap((id) => id ?? []))];
    const found = await records.findMany(asked.workspace, ids, asked.deadline);
    const names = new Map<string, string | undefined>(ids.map((id, i) => [id, found[i]?.name]));
    return open.map(({id, author, text, created_at: at}, i) => ({
      id,
      author: author.name,
      text,
      days: Math.max(0, countDaysBetween(zones.dayIn(timezone, Date.parse(at)), run.date)),
      owner: names.get(owners[i] ?? '') ?? null,
    }));
  }

  /** Returns the summary of a run. A run that closed too late, because the service was down, has none. */
  async function findSummaryOfRun(
    asked: RequestContext,
    suffix: IdSuffix<'run'>,
  ): Promise<FoundSummary | undefined> {
    const {workspace, deadline} = asked;
    const run = await records.findBySuffix(workspace, suffix, deadline);
    const team = run && (await teams.all({workspace, deadline})).byReference(run.team_id);
    const isLate = run?.missed_steps.some(({step}) => step === 'close');
    if (team === undefined || run?.state !== 'closed' || isLate) return undefined;
    const [{report}, blockers] = await Promise.all([
      runReports.findReport(asked, run),
      listBlockers(asked, team, run),
    ]);
    const namesOf = (...states: readonly string[]) =>
      report.lines.filter(({status}) => states.includes(status)).map(({member}) => member.name);
    const {counts} = report;
    const summary: LeadSummary = {
      team: {id: team.id, slug: team.slug, name: team.name},
      date: run.date,
      posted: counts.posted + counts.late,
      expected: counts.expected,
      missing: namesOf('missed', 'unreachable'),
      away: namesOf('away', 'holiday', 'skipped'),
      blockers,
    };
    const {lead_summary: choice} = team;
    const isAlways = choice === 'always' && summary.expected + summary.posted > 0;
    return {summary, team, isNeeded: choice !== 'never' && (isAlways || needsLead(summary))};
  }

  return {
    findSummaryOfRun,
    /** Returns the summary of a run; undefined if its team wants none now, or if nothing needs a lead. */
    async findSummary(asked: RequestContext, suffix: IdSuffix<'run'>): Promise<FoundSummary | undefined> {
      const found = await findSummaryOfRun(asked, suffix);
      return found?.isNeeded ? found : undefined;
    },
    /** Returns the ids of the leads of a team. They read it, also if it is private. */
    async listLeads(asked: RequestContext, team: Id<'team'>): Promise<readonly Id<'member'>[]> {
      const list = lists.teamMembers(team);
      const memberships = await listAllRecords(records, asked, {list, limit: pageSize});
      return memberships.filter(({role}) => role === 'lead').map(({member}) => member.id);
    },
    async isLead({workspace, deadline}: RequestContext, team: Id<'team'>, member: Id<'member'>) {
      return (await records.findMembership(workspace, team, member, deadline))?.role === 'lead';
    },
  };
}
