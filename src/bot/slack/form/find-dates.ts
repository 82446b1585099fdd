import type {Id} from '../../../domain/core/ids.js';
import type {Team} from '../../../domain/teams/team.js';
import type {SlackContext} from '../core/context.js';
import type {Asker} from './find-asker.js';
import {findTeamDate, type FormDates} from '../answers/form-dates.js';
import {nameTeamInRefusal} from '../core/refusals.js';
import type {Caller} from '../../../domain/core/access.js';
import {addDays} from '../../../domain/core/dates.js';
import {findLastWorkingDay, longestLookBack} from '../../../domain/schedules/working-days.js';

export type Dates = ReadonlyMap<Id<'team'>, string>;

/** Returns the date of a form for each team: the requested date, or that of a standup posted now. */
export async function findFormDates(
  {services}: SlackContext,
  {slackWorkspace: {workspace}, member, deadline}: Asker,
  teams: readonly Team[],
  given: FormDates | undefined,
): Promise<Dates> {
  const known = teams.flatMap(({id}) => {
    const date = findTeamDate(given, id);
    return date === undefined ? [] : [[id, date] as const];
  });
  const dates = new Map(known);
  const others = teams.filter(({id}) => !dates.has(id));
  if (others.length === 0) return dates;
  return new Map([...known, ...(await services.standups.findDates({workspace, deadline}, others, member))]);
}

/** Returns the date that a form shows; undefined if it is today in all of its teams. */
export function findDateToShow(
  {calendar, now}: SlackContext,
  teams: readonly Team[],
  dates: Dates,
): string | undefined {
  const named = new Set(teams.map(({id}) => dates.get(id)));
  const [date] = named;
  const isToday = teams.every(({timezone}) => calendar.dayIn(timezone, now()) === date);
  return named.size === 1 && !isToday ? date : undefined;
}

/** Refuses a form for a run that takes no more standups, before the person writes anything. */
export async function requireOpenRun(
  {services}: SlackContext,
  {access, slackWorkspace, slackRequest: request}: Asker,
  team: Team,
  date: string,
): Promise<void> {
  if (access === undefined) return;
  await services.standups.requireInTime(access, team, date).catch((error: unknown) => {
    throw nameTeamInRefusal(error, request.translation, slackWorkspace.directory);
  });
}

/** Returns the day that "Yesterday" means if not the day before: after a weekend, holidays or an absence. */
export async function findPreviousDay(
  {services}: SlackContext,
  access: Caller,
  team: Team,
  today: string,
): Promise<string | undefined> {
  const member = await services.members.findMember(access, access.principal.id);
  const time = {from: addDays(today, -longestLookBack), until: addDays(today, -1)};
  const dayOff = await services.daysOff.readDaysOff(access, [member], time);
  // A member who skips a standup still works on that day.
  const isOff = (date: string) => {
    const found = dayOff(member.id, date, team.id);
    return found !== undefined && found.status !== 'skipped';
  };
  const last = findLastWorkingDay(team.schedule, today, isOff);
  return last === time.until ? undefined : last;
}
