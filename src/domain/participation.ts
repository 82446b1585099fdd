import type {ReportCounts} from './run-report.js';

/** Who has taken part in a team's closed runs between two dates, both inclusive. */
export interface Participation {
  readonly object: 'participation';
  readonly team: string;
  readonly team_id: string;
  readonly since: string;
  readonly until: string;
  readonly counts: ReportCounts;
  /** The earliest first. */
  readonly by_date: readonly {readonly date: string; readonly run: string; readonly counts: ReportCounts}[];
  /** Whoever stands in one of the runs, by name. */
  readonly by_member: readonly {
    readonly member: {readonly type: 'member'; readonly id: string; readonly name: string | null};
    readonly counts: ReportCounts;
  }[];
}

/** One row of it: of a date, or of a member. */
export type ParticipationRow =
  | ({readonly by: 'date'; readonly member?: undefined} & Participation['by_date'][number])
  | ({
      readonly by: 'member';
      readonly date?: undefined;
      readonly run?: undefined;
    } & Participation['by_member'][number]);

export function participationRows({by_date, by_member}: Participation): ParticipationRow[] {
  return [
    ...by_date.map((row) => ({by: 'date' as const, ...row})),
    ...by_member.map((row) => ({by: 'member' as const, ...row})),
  ];
}
