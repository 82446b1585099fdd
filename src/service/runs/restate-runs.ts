import {createDayRange, listRecords} from '../core/paging.js';
import type {ServiceContext} from '../core/context.js';
import type {DaysOff, ReadDaysOff} from '../absences/days-off.js';
import {type Commit, emptyCommit, createDeletionCommit} from '../../domain/commit/commit.js';
import type {Call} from '../../domain/core/access.js';
import {addDays} from '../../domain/core/dates.js';
import {suffixOf, type Id} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {hasSameDayOff, updateLineDayOff} from '../../domain/runs/report-references.js';
import type {LineReference, Run} from '../../domain/runs/run.js';
import type {RestatedDays} from '../../domain/core/work.js';
import {planReviseRun} from './run-plans.js';
import type {Member} from '../../domain/workspaces/workspace.js';

/** The number of days, and of teams, whose runs one job reads at a time. */
const daysAtOnce = 3;
const teamsAtOnce = 25;

/**
 * Updates closed runs after an absence was entered, changed or deleted. Some days are updated now, and a job
 * is added for the other days. Safe to run at any time, even twice at once.
 */
export function createClosedRunUpdater(
  {records, teams, mutate}: ServiceContext,
  {daysOff}: {readonly daysOff: DaysOff},
) {
  /** Reads a member's days off between two dates; returns the function that updates report lines by them. */
  async function readReportUpdate(call: Call, member: Member, from: string, until: string): Promise<Restate> {
    return createReportLineUpdater(member.id, await daysOff.readDaysOff(call, [member], {from, until}));
  }

  async function planRunUpdate(call: Call, id: Id<'run'>, member: Member): Promise<Commit> {
    const run = await records.find(call.workspace, id, call.deadline);
    if (run === undefined) return emptyCommit;
    // Another process may be closing this run with absences that it read before the change. This write makes
    // its commit fail.
    if (run.state === 'open') return createDeletionCommit([{do: 'count-run-post', run: suffixOf(id)}]);
    const restate = await readReportUpdate(call, member, run.date, run.date);
    const report = run.report && {...run.report, lines: restate(run, run.report.lines)};
    if (report === null || isSameReport(run, report.lines)) return emptyCommit;
    return {...planReviseRun(run, {report}, ['run.updated']), reply: {kind: 'empty'}};
  }

  /** No guard covers new absences, so the run is read again to find changes made meanwhile. */
  async function updateClosedRun(call: Call, id: Id<'run'>, member: Member): Promise<void> {
    const look = {changes: false};
    await mutate(call, async () => {
      const commit = await planRunUpdate(call, id, member);
      look.changes = commit.events.length > 0;
      return commit;
    });
    if (look.changes) await updateClosedRun(call, id, member);
  }

  const listRuns = (call: Call, team: Id<'team'>, from: string, until: string): Promise<Run[]> =>
    listRecords(records, call, {
      list: lists.runsOfTeam(team),
      ...createDayRange(from, until),
      limit: daysAtOnce,
    });

  return async function restateRuns(
    call: Call,
    {member: id, from, until, asked}: RestatedDays,
  ): Promise<void> {
    const {workspace, deadline} = call;
    const end = addDays(from, daysAtOnce - 1);
    const last = end < until ? end : until;
    const member = await records.find(workspace, id, deadline);
    if (member?.object !== 'member') return;
    const restate = await readReportUpdate(call, member, from, last);
    const all = (await teams.all({workspace, deadline})).teams;
    for (let i = 0; i < all.length; i += teamsAtOnce) {
      const found = await Promise.all(
        all.slice(i, i + teamsAtOnce).map((team) => listRuns(call, team.id, from, last)),
      );
      for (const run of found.flat()) {
        const lines = run.report?.lines ?? [];
        if (run.state !== 'open' && isSameReport(run, restate(run, lines))) continue;
        await updateClosedRun(call, run.id, member);
      }
    }
    if (last === until) return;
    const rest = {kind: 'restate-runs', member: id, from: addDays(last, 1), until, asked} as const;
    await mutate(call, async () => createDeletionCommit([{do: 'begin-work', work: rest}]));
  };
}

type Restate = (run: Run, lines: readonly LineReference[]) => readonly LineReference[];

function createReportLineUpdater(member: Id<'member'>, dayOff: ReadDaysOff): Restate {
  return ({date, team_id: team}, lines) =>
    lines.map((line) => (line.member === member ? updateLineDayOff(line, dayOff(member, date, team)) : line));
}

function isSameReport({report}: Run, lines: readonly LineReference[]): boolean {
  return lines.every((line, i) => hasSameDayOff(line, report?.lines[i]));
}
