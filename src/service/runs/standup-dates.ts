import type {PrincipalId, RequestContext} from '../../domain/core/access.js';
import {addDays} from '../../domain/core/dates.js';
import {fieldError} from '../../domain/core/errors.js';
import {type Id, suffixOf} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import type {Run} from '../../domain/runs/run.js';
import {
  type DatedAuthor,
  isRunStillOpenFor,
  findLastStandupDate,
  findYesterdaysOpenRun,
  findTeamToday,
} from '../../domain/runs/run-times.js';
import type {Team} from '../../domain/teams/team.js';
import type {ServiceContext} from '../core/context.js';
import {createFirstRetainedDateFinder} from '../workspaces/retention.js';
import {createRunUnchangedGuard, type OpenRuns, type RunDay, type StandupRuns} from './standup-runs.js';

/**
 * Chooses the date of a standup if the request names none: the date of the team's earliest run that is open
 * for the author, or else today. The time zone is the team's, or the author's if members use their own.
 * Yesterday's run counts as open if it should be, even if no process has opened it yet. All code that shows
 * or accepts "today" of a team uses this interface.
 */
export type StandupDates = ReturnType<typeof createStandupDates>;

/** A date, with the team's run on that date. */
export interface DatedDay {
  readonly date: string;
  readonly day: RunDay;
}

interface StandupDay {
  readonly date: string;
  readonly run: Run | undefined;
}

export function createStandupDates(
  context: ServiceContext,
  {standupRuns}: {readonly standupRuns: StandupRuns},
) {
  const {records, runSteps, zones, clock} = context;
  const findFirstKept = createFirstRetainedDateFinder(context);

  /** Chooses the date, and returns the open run of that date if there is one. */
  async function chooseDate(
    asked: RequestContext,
    team: Team,
    author: DatedAuthor,
    {runs}: OpenRuns,
  ): Promise<StandupDay> {
    const now = clock.now();
    const run = runs.find((one) => isRunStillOpenFor(one, author, zones, now));
    if (run !== undefined) return {date: run.date, run};
    const late = await findUnopenedYesterday(asked, team, author, now);
    return {date: late ?? findTeamToday(team, author.timezone, zones, now), run};
  }

  /** Returns yesterday's date if its run should be open and no process has opened it yet. */
  async function findUnopenedYesterday(
    asked: RequestContext,
    team: Team,
    {timezone: own}: DatedAuthor,
    now: number,
  ): Promise<string | undefined> {
    // Reads the store only at night, in the hours when yesterday's run can still be open.
    const run = findYesterdaysOpenRun(team, own, zones, now);
    if (run === undefined) return undefined;
    const look = await runSteps.findLook(asked.workspace, suffixOf(team.id), asked.deadline);
    // The run was opened or left out earlier, by rules that the team has changed since.
    if (look === undefined || run.opens < look.from) return undefined;
    const day = await standupRuns.findDay(asked, team, run.date, 1);
    return day.run === undefined ? run.date : undefined;
  }

  /** Chooses the date for a commit. Guards check what the first attempt assumes: see `StandupRuns`. */
  async function planDate(
    asked: RequestContext,
    team: Team,
    author: DatedAuthor,
    attempt: number,
  ): Promise<DatedDay> {
    const open = await standupRuns.findOpen(asked, team, attempt);
    const {date, run} = await chooseDate(asked, team, author, open);
    if (run !== undefined) return {date, day: {run, guards: [open.guard, createRunUnchangedGuard(run)]}};
    const day = await standupRuns.findDay(asked, team, date, attempt);
    return {date, day: {run: day.run, guards: [open.guard, ...day.guards]}};
  }

  /** Checks the date of a standup. Errors: `date_not_allowed`, with the first and the last date. */
  async function requireAllowedDate(asked: RequestContext, date: string, team: Team, author: DatedAuthor) {
    const kept = await findFirstKept(asked, date);
    if (kept !== undefined) {
      throw fieldError(
        'date_not_allowed',
        '#/date',
        `A standup for "${team.slug}" may be dated from ${kept.first} on: the workspace keeps what people wrote for ${kept.days} days (\`retention_days\`).`,
      );
    }
    const now = clock.now();
    const last = findLastStandupDate(team, author.timezone, zones, now);
    const isWithin = (first: string, end: string) => first <= date && date <= end;
    if (isWithin(addDays(findTeamToday(team, author.timezone, zones, now), -limits.daysBack), last)) return;
    // An open run has its own date. After a change of the team's time zone this may be the day before or
    // after today.
    const open = await standupRuns.findOpen(asked, team, 1);
    const {date: today} = await chooseDate(asked, team, author, open);
    const [first, end] = [addDays(today, -limits.daysBack), last < today ? today : last];
    if (isWithin(first, end)) return;
    throw fieldError(
      'date_not_allowed',
      '#/date',
      `A standup for "${team.slug}" may be dated from ${first} to ${end} (today there is ${today}), not ${date}.`,
    );
  }

  async function findDate(
    asked: RequestContext,
    team: Team,
    author: DatedAuthor | Promise<DatedAuthor>,
  ): Promise<string> {
    const [known, open] = await Promise.all([author, standupRuns.findOpen(asked, team, 1)]);
    return (await chooseDate(asked, team, known, open)).date;
  }

  return {
    findDate,
    /**
     * Returns the dates of standups that a member (id) would post for several teams now, by team id;
     * without a member, that anyone would post.
     */
    async findDates(
      {workspace, deadline}: RequestContext,
      teams: readonly Team[],
      member: PrincipalId | undefined,
    ): Promise<ReadonlyMap<Id<'team'>, string>> {
      const reading = member === undefined ? undefined : records.find(workspace, member, deadline);
      const author = Promise.resolve(reading).then((person) => ({
        member,
        timezone: person?.object === 'member' ? person.timezone : null,
      }));
      const dates = teams.map(async (team) => {
        const date = await findDate({workspace, deadline}, team, author);
        return [team.id, date] as const;
      });
      const [, ...found] = await Promise.all([author, ...dates]);
      return new Map(found);
    },
    planDate,
    requireAllowedDate,
  };
}
