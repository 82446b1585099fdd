import type {Caller} from '../../../domain/core/access.js';
import {addDays} from '../../../domain/core/dates.js';
import type {Team} from '../../../domain/teams/team.js';
import {findLastWorkingDay, longestLookBack} from '../../../domain/schedules/working-days.js';
import type {SlackContext} from '../core/context.js';

/**
 * Returns the day to which "Yesterday" refers in a form, if it is not the day before: after a weekend,
 * holidays or an absence.
 */
export async function findPreviousDay(
  {services}: Pick<SlackContext, 'services'>,
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
