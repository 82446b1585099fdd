import {z} from 'zod';
import {date, id, type Infer, open, visibility} from '../core/schemas.js';
import {runCountsSchema} from './run.js';
import type {LineReference, Run, RunStatus} from './run.js';
import {type ReportCounts} from './run.js';
import {countReportLines, isDayOff} from './run-report.js';

/** A member's status in a closed run. */
export interface MemberStatus {
  readonly run: Pick<Run, 'id' | 'date' | 'team_id'>;
  readonly line: LineReference;
  readonly status: RunStatus;
}

const namedMember = z.object({
  type: z.literal('member'),
  id: id('member'),
  name: z.string().nullable().meta({description: 'The current name. Null after the member is removed.'}),
});

const teamNames = {
  team: z.string().meta({description: 'Slug of the team.'}),
  team_id: id('team'),
};

const byDateSchema = z
  .array(z.object({date, run: id('run'), counts: runCountsSchema}))
  .meta({description: 'The dates, the earliest first.'});

const daysSchema = z
  .array(
    z
      .object({
        date,
        status: open<RunStatus>({
          description: 'The status, as in a report: `posted`, `late`, `missed`, `unreachable`, `away` …',
        }),
        reason: z.string().nullable().meta({
          description:
            'The reason of a day off, from the member or the calendar. Null if only leads can read it (`reason_for` of the absence).',
        }),
      })
      .meta({id: 'ParticipationDay', description: 'The status of a member on a date.'}),
  )
  .optional()
  .meta({description: 'The days, the earliest first; only with `include=days`.'});

export const participationSchema = z
  .object({
    object: z.literal('participation'),
    ...teamNames,
    since: date,
    until: date,
    counts: runCountsSchema,
    by_date: byDateSchema,
    by_member: z
      .array(z.object({member: namedMember, counts: runCountsSchema, days: daysSchema}))
      .meta({description: 'Every member who is in one of the runs, by name.'}),
  })
  .meta({id: 'Participation', description: 'The participation in the closed runs of a team.'});

export const memberParticipationSchema = z
  .object({
    object: z.literal('member_participation'),
    member: namedMember,
    since: date,
    until: date,
    counts: runCountsSchema,
    by_team: z
      .array(z.object({...teamNames, team_name: z.string(), counts: runCountsSchema, days: daysSchema}))
      .meta({description: 'The current teams of the member, by name.'}),
  })
  .meta({
    id: 'MemberParticipation',
    description: 'The participation of a member in the closed runs of their teams.',
  });

export const teamParticipationSchema = z
  .object({
    object: z.literal('team_participation'),
    ...teamNames,
    team_name: z.string(),
    visibility,
    since: date,
    until: date,
    counts: runCountsSchema,
    by_date: byDateSchema
      .optional()
      .meta({description: 'The days, the earliest first; only with `include=days`.'}),
  })
  .meta({
    id: 'TeamParticipation',
    description: 'The participation counts of a team in its closed runs, without names.',
  });

/** Participation in a team's closed runs between two dates, both included. */
export type Participation = Infer<typeof participationSchema>;

export type ParticipationDate = Participation['by_date'][number];

/** A member's status on the date of a team's run. */
export type ParticipationDay = NonNullable<Participation['by_member'][number]['days']>[number];

/** The participation of one member in each of their teams. */
export type MemberParticipation = Infer<typeof memberParticipationSchema>;

/** The participation of a team, without people's names. */
export type TeamParticipation = Infer<typeof teamParticipationSchema>;

/** Counts statuses: the only place, so that a team, a day and a person have matching counts. */
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
