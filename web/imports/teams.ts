import type {FileRow} from './report.ts';

/** Rows that are not sent at all. */
export interface UnsentRows {
  /** The number of rows of teams that the person leaves out. */
  readonly ofOtherTeams: number;
  /** The number of rows with an id that an earlier row has: only one of them could be created. */
  readonly repeated: number;
}

/** Puts teams of this workspace in place of those of the file. Rows of a team that has none are left out. */
export function assignTeams(
  rows: readonly FileRow[],
  teams: ReadonlyMap<string, string | null>,
): {readonly rows: readonly FileRow[]; readonly unsent: UnsentRows} {
  const assigned = new Map<string, FileRow>();
  let ofOtherTeams = 0;
  let repeated = 0;
  for (const {line, row} of rows) {
    const team = teams.get(row.team) ?? null;
    if (team === null) ofOtherTeams += 1;
    else if (assigned.has(row.external_id)) repeated += 1;
    else assigned.set(row.external_id, {line, row: {...row, team}});
  }
  return {rows: [...assigned.values()], unsent: {ofOtherTeams, repeated}};
}
