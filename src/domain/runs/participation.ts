import type {LineReference, Run, RunStatus} from './run.js';
import {countReportLines, isDayOff, type ReportCounts} from './run-report.js';
import type {Id} from '../core/ids.js';

/** A member's status in a closed run. */
export interface MemberStatus {
  readonly run: Pick<Run, 'id' | 'date' | 'team_id'>;
  readonly line: LineReference;
  readonly status: RunStatus;
}

/** A member's status on the date of a team's run. */
export interface ParticipationDay {
  readonly date: string;
  readonly status: RunStatus;
  /** The reason for a day off, from the absence or the calendar. */
  readonly reason: string | null;
}

export interface ParticipationDate {
  readonly date: string;
  readonly run: Id<'run'>;
  readonly counts: ReportCounts;
}

/** Participation in a team's closed runs between two dates, both included. */
export interface Participation {
  readonly object: 'participation';
  readonly team: string;
  readonly team_id: Id<'team'>;
  readonly since: string;
  readonly until: string;
  readonly counts: ReportCounts;
  /** The dates in ascending order. */
  readonly by_date: readonly ParticipationDate[];
  /** Every member with a status in one of the runs, sorted by name. */
  readonly by_member: readonly {
    readonly member: NamedParticipant;
    readonly counts: ReportCounts;
    /** The days in ascending order, if they were requested. */
    readonly days?: readonly ParticipationDay[];
  }[];
}

interface NamedParticipant {
  readonly type: 'member';
  readonly id: Id<'member'>;
  readonly name: string | null;
}

/** The participation of one member in each of their teams. */
export interface MemberParticipation {
  readonly object: 'member_participation';
  readonly member: NamedParticipant;
  readonly since: string;
  readonly until: string;
  readonly counts: ReportCounts;
  /** The teams, sorted by name. */
  readonly by_team: readonly {
    readonly team: string;
    readonly team_id: Id<'team'>;
    readonly team_name: string;
    readonly counts: ReportCounts;
    readonly days?: readonly ParticipationDay[];
  }[];
}

/** The participation of a team, without people's names. */
export interface TeamParticipation {
  readonly object: 'team_participation';
  readonly team: string;
  readonly team_id: Id<'team'>;
  readonly team_name: string;
  readonly since: string;
  readonly until: string;
  readonly counts: ReportCounts;
  readonly by_date?: readonly ParticipationDate[];
}

/**
 * Counts statuses. All participation counts come from this function, so that a team, a day and a person have
 * matching counts.
 */
export function countStatuses(statuses: readonly MemberStatus[]): ReportCounts {
  return countReportLines(statuses);
}

export function groupStatuses<K extends string>(
  statuses: readonly MemberStatus[],
  keyOf: (status: MemberStatus) => K,
): ReadonlyMap<K, readonly MemberStatus[]> {
  const groups = new Map<K, MemberStatus[]>();
  for (const status of statuses) {
    const key = keyOf(status);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [status]);
    else group.push(status);
  }
  return groups;
}

/** Returns the runs in ascending order with their counts, including runs without people. */
export function countStatusesByDate(
  runs: readonly Pick<Run, 'id' | 'date'>[],
  statuses: readonly MemberStatus[],
): ParticipationDate[] {
  const byRun = groupStatuses(statuses, ({run}) => run.id);
  return runs.map(({id, date}) => ({date, run: id, counts: countStatuses(byRun.get(id) ?? [])}));
}

/** Lists the days of a member. `reasonOf` returns the reason of an absence. */
export function listParticipationDays(
  statuses: readonly MemberStatus[],
  reasonOf: (absence: NonNullable<LineReference['absence']>) => string | null,
): ParticipationDay[] {
  return statuses.map(({run: {date}, line: {holiday, absence}, status}) => {
    const dayOffReason = holiday ?? (absence === undefined ? null : reasonOf(absence));
    return {date, status, reason: isDayOff(status) ? dayOffReason : null};
  });
}

/** One row of a team's participation, for a date or for a member. */
export type ParticipationRow =
  | ({readonly by: 'date'; readonly member?: undefined} & Participation['by_date'][number])
  | ({
      readonly by: 'member';
      readonly date?: undefined;
      readonly run?: undefined;
    } & Participation['by_member'][number]);

export function listParticipationRows({by_date, by_member}: Participation): ParticipationRow[] {
  return [
    ...by_date.map((row) => ({by: 'date' as const, ...row})),
    ...by_member.map((row) => ({by: 'member' as const, ...row})),
  ];
}
