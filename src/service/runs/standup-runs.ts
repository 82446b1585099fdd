import {LRUCache} from 'lru-cache';
import type {CommitPart, Guard} from '../../domain/commit/commit.js';
import type {Principal, RequestContext} from '../../domain/core/access.js';
import {processBounds} from '../../domain/core/limits.js';
import {dayNumber, toInstant} from '../../domain/core/dates.js';
import {fieldError} from '../../domain/core/errors.js';
import {suffixOf, type Id, type IdSuffix} from '../../domain/core/ids.js';
import {lists} from '../../domain/core/lists.js';
import {applyStandupMove} from '../../domain/runs/report-references.js';
import type {ReportReferences, Run} from '../../domain/runs/run.js';
import {findClosingTimeFor} from '../../domain/runs/run-times.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {createRunReports} from './run-reports.js';
import {findRunOn, listRuns} from './run-looks.js';
import {planReviseRun} from './run-plans.js';

/** A team's run on a date, if any, with guards for a commit that depends on it. */
export interface RunDay {
  readonly run: Run | undefined;
  readonly guards: readonly Guard[];
}

/**
 * Keeps runs consistent with standups: one commit changes the standup and the run of its day, so that no
 * reader sees only half of it.
 */
export type StandupRuns = ReturnType<typeof createStandupRuns>;

/** A standup that is added to a day, changed there, or removed. */
interface DayStandupChange {
  readonly author: Principal;
  readonly suffix: IdSuffix<'standup'>;
  readonly now: {readonly revision: number; readonly late: boolean} | null;
}

export interface OpenRuns {
  readonly runs: readonly Run[];
  readonly guard: Guard;
}

const otherwise = 'Post for another date, or have a lead of the team change its late policy.';

export function createStandupRuns(context: ServiceContext) {
  const {records, zones, clock} = context;
  const runReports = createRunReports(context);
  const open = new LRUCache<string, OpenRuns>({
    maxSize: processBounds.openRunBytes,
    sizeCalculation: ({runs}) => runs.reduce(addRunSize, 200),
  });

  async function readOpenRuns(asked: RequestContext, team: Id<'team'>, key: string): Promise<OpenRuns> {
    const list = lists.openRunsOfTeam(team);
    const runs = await listRuns(records, asked, list);
    const found = {runs, guard: {check: 'listed', list, suffixes: runs.map(({id}) => suffixOf(id))}} as const;
    open.set(key, found);
    return found;
  }

  async function planReportUpdate(
    call: RequestContext,
    run: Run & {readonly report: ReportReferences},
    {author, suffix, now}: DayStandupChange & {readonly author: Principal<'member'>},
  ): Promise<CommitPart> {
    const [known, member] = await Promise.all([
      runReports.findReferences(call, run),
      records.find(call.workspace, author.id, call.deadline),
    ]);
    const named = {id: author.id, revision: member?.revision ?? 1};
    return planReviseRun(run, {report: applyStandupMove(known, {member: named, suffix, now})}, [
      'run.updated',
    ]);
  }

  return {
    /**
     * Returns the open runs of a team, earliest first. The first attempt of a mutation uses the cache, and
     * assumes that a team without a schedule has no run. If that is wrong, the returned guard makes the
     * commit fail.
     */
    async findOpen(asked: RequestContext, team: Team, attempt: number): Promise<OpenRuns> {
      const key = `${asked.workspace} ${team.id}`;
      const known = attempt === 0 ? open.get(key) : undefined;
      if (known !== undefined) return known;
      if (team.schedule !== null || attempt > 0) return readOpenRuns(asked, team.id, key);
      return {runs: [], guard: {check: 'listed', list: lists.openRunsOfTeam(team.id), suffixes: []}};
    },
    /** Returns a team's run on a date. The first attempt of a mutation assumes the same as in `findOpen`. */
    async findDay(asked: RequestContext, team: Team, date: string, attempt: number): Promise<RunDay> {
      // A team without a schedule usually has no run.
      const isAssumedFree = team.schedule === null && attempt === 0;
      const run = isAssumedFree ? undefined : await findRunOn(records, asked, team.id, date);
      if (run !== undefined) return {run, guards: [createRunUnchangedGuard(run)]};
      const free = {check: 'day-free', list: lists.runsOfTeam(team.id), day: dayNumber(date)} as const;
      return {run, guards: [free]};
    },
    /**
     * Returns true if a standup created now for that day is late. Errors: `run_closed` if the team's late
     * policy no longer accepts a standup.
     */
    requireInTime(
      {run}: RunDay,
      {id: team, slug, late_policy: policy}: Team,
      date: string,
      {id}: Principal,
    ): boolean {
      if (run === undefined || (run.state !== 'open' && run.state !== 'closed')) return false;
      const now = clock.now();
      const closes = findClosingTimeFor(run, id, zones);
      if (run.state === 'open' && now < closes) return false;
      if (policy.accept === 'always') return true;
      const last = policy.accept === 'never' ? closes : closes + policy.minutes * 60_000;
      if (now < last) return true;
      const closed = `The run of "${slug}" for ${date} closed at ${toInstant(closes)}`;
      throw fieldError(
        'run_closed',
        '#/date',
        policy.accept === 'never'
          ? `${closed}, and the team accepts no late standups (late policy: never). ${otherwise}`
          : `${closed}, and the team took late standups until ${toInstant(last)} (late policy: ${policy.minutes} minutes). ${otherwise}`,
        {date, team},
      );
    },
    /**
     * Plans the effect of a standup that is added to a day, changed, or removed (`now` is null). An open run
     * counts the change; a closed run gets a new revision.
     */
    async planMove(
      call: RequestContext,
      {run, guards}: RunDay,
      standup: DayStandupChange,
    ): Promise<CommitPart> {
      if (run === undefined || run.state === 'missed' || run.state === 'cancelled') {
        return {guards, writes: [], events: []};
      }
      if (run.state === 'open') {
        return {guards, writes: [{do: 'count-run-post', run: suffixOf(run.id)}], events: []};
      }
      const {report} = run;
      const {author} = standup;
      return report !== null && author.type === 'member'
        ? planReportUpdate(call, {...run, report}, {...standup, author})
        : {guards, writes: [], events: []};
    },
  };
}

function addRunSize(sum: number, {participants}: Run): number {
  return sum + 1_500 + 120 * participants.length;
}

/** Guards that the run is still at the revision that was read. */
export function createRunUnchangedGuard({id, revision, created_at, updated_at}: Run): Guard {
  return {check: 'as-read', id, revision, created_at, updated_at};
}
