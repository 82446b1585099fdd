import type {Call, Principal} from '../domain/access.js';
import type {EventDraft, Guard, Write} from '../domain/commit.js';
import {dayNumber, toInstant} from '../domain/dates.js';
import {fieldError} from '../domain/errors.js';
import {drawnPart} from '../domain/ids.js';
import {lists, placeOf} from '../domain/lists.js';
import {moveStandup} from '../domain/report-references.js';
import type {Run} from '../domain/run.js';
import {closingFor} from '../domain/run-times.js';
import type {Team} from '../domain/team.js';
import type {Member} from '../domain/workspace.js';
import type {Zones} from '../domain/zones.js';
import {revisePart} from './run-plans.js';
import type {RunReports} from './run-reports.js';
import type {Clock, Records} from './stores.js';

/** What a team has on a date, and what a commit that is built on it must still find true. */
export interface RunDay {
  readonly run: Run | undefined;
  readonly guards: readonly Guard[];
}

/** What a standup adds to its commit because of the run of its day. */
export interface RunPart {
  readonly guards: readonly Guard[];
  readonly writes: readonly Write[];
  readonly events: readonly EventDraft[];
}

type Asked = Pick<Call, 'workspace' | 'deadline'>;

/**
 * How standups and the runs of their days stay in step: by the commits of standups, so that neither is ever
 * seen without the other.
 */
export interface StandupRuns {
  /**
   * The first attempt takes it that a team without a schedule has no run, which the commit's guard looks
   * after.
   */
  findDay(call: Asked, team: Pick<Team, 'id' | 'schedule'>, date: string, attempt: number): Promise<RunDay>;
  /**
   * Whether a standup that is made now for that day is late. Errors: `run_closed` when the late policy of
   * the team takes it no more.
   */
  requireInTime(
    day: RunDay,
    team: Pick<Team, 'slug' | 'late_policy'>,
    date: string,
    author: Principal,
  ): boolean;
  /**
   * A standup comes to the day, changes there or leaves it (`now` null): an open run counts that, a closed
   * one is revised.
   */
  planMove(
    call: Asked,
    day: RunDay,
    standup: {
      readonly author: Principal;
      readonly drawn: string;
      readonly now: {readonly revision: number; readonly late: boolean} | null;
    },
  ): Promise<RunPart>;
}

export interface StandupRunParts {
  readonly records: Pick<Records, 'list' | 'find'>;
  readonly runReports: Pick<RunReports, 'findReferences'>;
  readonly zones: Zones;
  readonly clock: Clock;
}

const otherwise = 'Post for another date, or have a lead of the team change its late policy.';

export function createStandupRuns({records, runReports, zones, clock}: StandupRunParts): StandupRuns {
  return {
    async findDay({workspace, deadline}, team, date, attempt) {
      const list = lists.runsOfTeam(team.id);
      const day = dayNumber(date);
      const free: RunDay = {run: undefined, guards: [{check: 'day-free', list, day}]};
      if (team.schedule === null && attempt === 0) return free;
      const range = {list, from: placeOf(day, 0), to: placeOf(day + 1, 0), limit: 1};
      const [row] = (await records.list(workspace, range, deadline)).rows;
      if (row === undefined) return free;
      const run = JSON.parse(row.json) as Run;
      return {run, guards: [{check: 'revision', id: run.id, revision: run.revision}]};
    },
    requireInTime({run}, {slug, late_policy: policy}, date, {id}) {
      if (run === undefined || (run.state !== 'open' && run.state !== 'closed')) return false;
      const now = clock.now();
      const closes = closingFor(run, id, zones);
      if (run.state === 'open' && now < closes) return false;
      if (policy.accept === 'always') return true;
      const last = policy.accept === 'never' ? closes : closes + policy.minutes * 60_000;
      if (now < last) return true;
      const closed = `The run of "${slug}" for ${date} closed at ${toInstant(closes)}`;
      throw fieldError(
        'run_closed',
        '#/date',
        policy.accept === 'never'
          ? `${closed}, and the team takes no late standups (late policy: never). ${otherwise}`
          : `${closed}, and the team took late standups until ${toInstant(last)} (late policy: ${policy.minutes} minutes). ${otherwise}`,
        {date},
      );
    },
    async planMove(call, {run, guards}, {author, drawn, now}) {
      if (run === undefined || run.state === 'missed' || run.state === 'cancelled') {
        return {guards, writes: [], events: []};
      }
      const {state, report} = run;
      if (state === 'open') {
        return {guards, writes: [{do: 'count-run-post', run: drawnPart(run.id)}], events: []};
      }
      if (report === null || author.type !== 'member') return {guards, writes: [], events: []};
      const [known, member] = await Promise.all([
        runReports.findReferences(call, {...run, report}),
        records.find<Member>(call.workspace, author.id, call.deadline),
      ]);
      const named = {id: author.id, revision: member?.revision ?? 1};
      return revisePart(run, {report: moveStandup(known, {member: named, drawn, now})}, ['run.updated']);
    },
  };
}
