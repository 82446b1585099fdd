import type {ServiceContext} from '../core/context.js';
import {type Id, isId} from '../../domain/core/ids.js';
import {type DayOff, findDayOff, type HolidayChoice} from '../../domain/absences/absence.js';
import type {RequestContext} from '../../domain/core/access.js';
import type {Team} from '../../domain/teams/team.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {listAbsencesOfEach} from './absence-list.js';

/** Finds out which members are off on which days, from absences, skips and holidays. */
export interface DaysOff {
  /** Returns which of these members are not expected on the date of a team's run, and why; by member id. */
  listDaysOff: (
    access: RequestContext,
    members: readonly Member[],
    date: string,
    team: Pick<Team, 'id'> | Id<'team'>,
  ) => Promise<Map<Id<'member'>, DayOff>>;
  /**
   * Reads all data about days off between two dates, both included. The result then answers for any of these
   * dates.
   */
  readDaysOff: (access: RequestContext, members: readonly Member[], time: Time) => Promise<ReadDaysOff>;
}

interface Time {
  readonly from: string;
  readonly until: string;
}

/**
 * Returns the reason why a member (id) is off on the date of a team's run (id); undefined if the member is
 * not off.
 */
export type ReadDaysOff = (
  member: Id<'member'>,
  date: string,
  team: Id<'team'> | undefined,
) => DayOff | undefined;

/** The names of holidays, by date. */
type DayOffNames = ReadonlyMap<string, string>;

export function createDaysOff({records, publicHolidays}: ServiceContext): DaysOff {
  /**
   * Creates a function that returns the holidays of a region or calendar, and reads each only once. A deleted
   * calendar has no holidays.
   */
  function createHolidayFinder({workspace, deadline}: RequestContext, {from, until}: Time) {
    const reading = new Map<string, Promise<DayOffNames>>();
    const once = (key: string, read: () => Promise<DayOffNames>): Promise<DayOffNames> => {
      const found = reading.get(key) ?? read();
      reading.set(key, found);
      return found;
    };
    return async function findHolidays({country, region, calendar}: HolidayChoice): Promise<DayOffNames[]> {
      const own =
        calendar === null || !isId('holiday_calendar', calendar)
          ? []
          : [
              once(calendar, async () => {
                const found = await records.find(workspace, calendar, deadline);
                return new Map((found?.days ?? []).map(({date, name}) => [date, name]));
              }),
            ];
      const ofCountry =
        country === null
          ? []
          : [once(`${country}/${region ?? ''}`, () => publicHolidays.list({country, region}, from, until))];
      return Promise.all([...own, ...ofCountry]);
    };
  }

  const readDaysOff: DaysOff['readDaysOff'] = async (access, members, time) => {
    const findHolidays = createHolidayFinder(access, time);
    const holidays = new Map<string, DayOffNames[]>();
    const [absences] = await Promise.all([
      listAbsencesOfEach(records, access, members, time),
      ...members.map(async (member) => {
        holidays.set(member.id, await findHolidays(member.holidays));
      }),
    ]);
    return (member, date, team) => {
      const holiday = holidays
        .get(member)
        ?.find((named) => named.has(date))
        ?.get(date);
      return findDayOff(absences.get(member) ?? [], holiday, date, team);
    };
  };

  return {
    readDaysOff,
    async listDaysOff(access, members, date, team) {
      const dayOff = await readDaysOff(access, members, {from: date, until: date});
      const id = typeof team === 'string' ? team : team.id;
      const found = new Map<Id<'member'>, DayOff>();
      for (const {id: member} of members) {
        const off = dayOff(member, date, id);
        if (off !== undefined) found.set(member, off);
      }
      return found;
    },
  };
}
