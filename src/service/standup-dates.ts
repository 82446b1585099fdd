import type {Call} from '../domain/access.js';
import {addDays} from '../domain/dates.js';
import {fieldError} from '../domain/errors.js';
import {drawnPart} from '../domain/ids.js';
import {limits} from '../domain/limits.js';
import {lists} from '../domain/lists.js';
import type {Run} from '../domain/run.js';
import {type Dated, goesOnFor, lastStandupDate, runOfYesterday, teamToday} from '../domain/run-times.js';
import type {Team} from '../domain/team.js';
import type {Zones} from '../domain/zones.js';
import type {FindFirstKept} from './kept-dates.js';
import {listPeriods, listRuns} from './run-looks.js';
import type {RunDay, StandupRuns} from './standup-runs.js';
import type {Clock, Records, RunSteps} from './stores.js';

type Asked = Pick<Call, 'workspace' | 'deadline'>;

/**
 * For which date a standup is that names none: that of the earliest run of the team that is open for its author; or else today by the team's
 * clocks, or its author's where people go by their own. A run of yesterday that should be open by the schedule, and that nobody has opened
 * yet, counts as open. Whatever shows or takes "today" of a team asks here.
 */
export interface StandupDates {
  findDate(asked: Asked, team: Team, author: Dated | Promise<Dated>): Promise<string>;
  /** The same for a commit. The first attempt takes it that a team without a schedule has no run, which the guards look after. */
  planDate(
    asked: Asked,
    team: Team,
    author: Dated,
    attempt: number,
  ): Promise<{readonly date: string; readonly day: RunDay}>;
  /** Errors: `date_not_allowed`, which names the first and the last date. */
  requireAllowedDate(asked: Asked, date: string, team: Team, author: Dated): Promise<void>;
}

export interface StandupDateParts {
  readonly records: Pick<Records, 'list' | 'listRevisions'>;
  readonly runSteps: Pick<RunSteps, 'findLook'>;
  readonly standupRuns: Pick<StandupRuns, 'findDay'>;
  readonly zones: Zones;
  readonly clock: Clock;
  readonly findFirstKept: FindFirstKept;
}

/** Longer than any run from its opening on, whatever clocks do in between. */
const longestRunMs = 2 * 24 * 3_600_000;

export function createStandupDates(parts: StandupDateParts): StandupDates {
  const {records, runSteps, standupRuns, zones, clock, findFirstKept} = parts;

  /** With the run, where one is open. */
  async function find(
    asked: Asked,
    team: Team,
    given: Dated | Promise<Dated>,
  ): Promise<{date: string; run: Run | undefined}> {
    const [open, author] = await Promise.all([
      listRuns(records, asked, lists.openRunsOfTeam(team.id)),
      given,
    ]);
    const now = clock.now();
    const run = open.find((one) => goesOnFor(one, author, zones, now));
    if (run !== undefined) return {date: run.date, run};
    const date = (await findLate(asked, team, author, now)) ?? teamToday(team, author.timezone, zones, now);
    return {date, run: undefined};
  }

  /** The date of yesterday's run, where that should be open by what held when it was to open, and nobody has opened it yet. */
  async function findLate(
    asked: Asked,
    team: Team,
    {timezone: own}: Dated,
    now: number,
  ): Promise<string | undefined> {
    // Mostly it is not the middle of a night that could have a run, by a schedule that has held for longer than a run goes on.
    const {revision, updated_at: updatedAt} = team;
    const hasHeld = revision === 1 || Date.parse(updatedAt) < now - longestRunMs;
    if (hasHeld && runOfYesterday(team, own, zones, now) === undefined) return undefined;
    const look = await runSteps.findLook(asked.workspace, drawnPart(team.id), asked.deadline);
    if (look === undefined) return undefined;
    for (const period of await listPeriods(records, asked, team, look.from)) {
      const {schedule, timezone, since, until = now, pausedAfter} = period;
      const run = runOfYesterday({schedule, timezone, paused: false}, own, zones, now);
      if (run === undefined || run.opens < since || run.opens > until) continue;
      // A pause that it has run into cancels it.
      if (pausedAfter && until < run.closes) continue;
      if ((await standupRuns.findDay(asked, team, run.date, 1)).run === undefined) return run.date;
    }
    return undefined;
  }

  return {
    findDate: async (asked, team, author) => (await find(asked, team, author)).date,
    async planDate(asked, team, author, attempt) {
      const now = clock.now();
      const isLate = async () => (await findLate(asked, team, author, now)) !== undefined;
      if (team.schedule === null && attempt === 0 && !(await isLate())) {
        const date = teamToday(team, author.timezone, zones, now);
        const noneOpen = {check: 'shorter', list: lists.openRunsOfTeam(team.id), than: 1} as const;
        const day = await standupRuns.findDay(asked, team, date, attempt);
        return {date, day: {...day, guards: [...day.guards, noneOpen]}};
      }
      const {date, run} = await find(asked, team, author);
      if (run === undefined) return {date, day: await standupRuns.findDay(asked, team, date, 1)};
      return {date, day: {run, guards: [{check: 'revision', id: run.id, revision: run.revision}]}};
    },
    async requireAllowedDate(asked, date, team, author) {
      const kept = await findFirstKept(asked, date);
      if (kept !== undefined) {
        throw fieldError(
          'date_not_allowed',
          '#/date',
          `A standup for "${team.slug}" may be dated from ${kept.first} on: the workspace keeps what people wrote for ${kept.days} days (\`retention_days\`).`,
        );
      }
      const now = clock.now();
      const last = lastStandupDate(team, author.timezone, zones, now);
      const isWithin = (first: string, end: string) => first <= date && date <= end;
      if (isWithin(addDays(teamToday(team, author.timezone, zones, now), -limits.daysBack), last)) return;
      // An open run has a day of its own, which may be the day before, or after, where the team has moved.
      const {date: today} = await find(asked, team, author);
      const [first, end] = [addDays(today, -limits.daysBack), last < today ? today : last];
      if (isWithin(first, end)) return;
      throw fieldError(
        'date_not_allowed',
        '#/date',
        `A standup for "${team.slug}" may be dated from ${first} to ${end} (today there is ${today}), not ${date}.`,
      );
    },
  };
}
