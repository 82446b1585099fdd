import type {Draft} from '../core/resource.js';
import type {Schedule} from './schedule.js';
import type {Team} from '../teams/team.js';

/** A time in which a team's runs opened by the same rules; in ms. */
export interface SchedulePeriod {
  /** Null while nothing opened, since the team had no schedule or was paused. */
  readonly schedule: Schedule | null;
  readonly timezone: string;
  readonly since: number;
  /** When something else was set; undefined of the one that goes on. */
  readonly until: number | undefined;
  /** Pausing the team has ended it: no run goes on after that. */
  readonly pausedAfter: boolean;
}

/** True when a change of a team changes when its runs open. */
export function movesRuns(before: Draft<Team>, after: Draft<Team>): boolean {
  return (
    before.paused !== after.paused ||
    before.timezone !== after.timezone ||
    JSON.stringify(before.schedule) !== JSON.stringify(after.schedule)
  );
}

/** What held from an instant (ms) on, by the revisions of a team, newest first: those since then and the one before. */
export function periodsOf(revisions: readonly Team[], from: number): SchedulePeriod[] {
  const periods: SchedulePeriod[] = [];
  for (const [i, team] of revisions.entries()) {
    const [newer, later] = [revisions[i - 1], periods[0]];
    const since = Math.max(from, Date.parse(team.updated_at));
    if (newer !== undefined && later !== undefined && !movesRuns(team, newer)) {
      periods[0] = {...later, since};
      continue;
    }
    periods.unshift({
      schedule: team.paused ? null : team.schedule,
      timezone: team.timezone,
      since,
      until: later?.since,
      pausedAfter: newer?.paused === true,
    });
  }
  return periods;
}
