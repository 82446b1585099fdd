import {type Id, isId} from '../../domain/core/ids.js';
import {type DayOff, findDayOff, type HolidayChoice} from '../../domain/absences/absence.js';
import type {RequestContext, Caller} from '../../domain/core/access.js';
import type {Member} from '../../domain/workspaces/workspace.js';
import {parseWire} from '../../domain/core/resource.js';
import {addDays, countDaysBetween, toInstant} from '../../domain/core/dates.js';
import {createParameterError} from '../../domain/core/errors.js';
import {limits} from '../../domain/core/limits.js';
import {lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import type {MemberDaysOff} from '../../domain/absences/member-days-off.js';
import type {ServiceContext} from '../core/context.js';
import {resolveMember} from '../core/member-references.js';
import {findNamedTeam} from '../core/named-team.js';
import {listAbsencesOfEach} from './absence-list.js';

/** Finds out which members are off on which days, from absences, skips and holidays. */
export type DaysOff = ReturnType<typeof createDaysOff>;

interface Time {
  readonly from: string;
  readonly until: string;
}

/** Returns why a member (id) is off on the date of a team's run (id); undefined if they are not. */
export type ReadDaysOff = (
  member: Id<'member'>,
  date: string,
  team: Id<'team'> | undefined,
) => DayOff | undefined;

/** The names of holidays, by date. */
type DayOffNames = ReadonlyMap<string, string>;

export function createDaysOff({records, publicHolidays}: ServiceContext) {
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

  /** Reads all data about days off between two dates, both included, for questions about these dates. */
  async function readDaysOff(
    access: RequestContext,
    members: readonly Member[],
    time: Time,
  ): Promise<ReadDaysOff> {
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
  }

  return {
    readDaysOff,
    /** Returns which of these members are not expected on the date of a team's run, and why; by member id. */
    async listDaysOff(
      access: RequestContext,
      members: readonly Member[],
      date: string,
      team: Id<'team'>,
    ): Promise<Map<Id<'member'>, DayOff>> {
      const dayOff = await readDaysOff(access, members, {from: date, until: date});
      const found = new Map<Id<'member'>, DayOff>();
      for (const {id: member} of members) {
        const off = dayOff(member, date, team);
        if (off !== undefined) found.set(member, off);
      }
      return found;
    },
  };
}

interface DaysOffQuery extends PageQuery {
  /** The id or slug of a team: only its members, and absences that apply in this team. */
  readonly team?: string | undefined;
  /** The member: an id, an e-mail address, a Slack user or `me`. */
  readonly member?: string | undefined;
  /** The first and the last day, both included. By default 30 days from today in UTC. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

const defaultDays = 30;

/** Lists the members who are off, page by page. Errors: `team_not_found`, `invalid_parameter`. */
export function createMembersOffLister(context: ServiceContext) {
  const {records, teams, clock} = context;
  const {readDaysOff} = createDaysOff(context);

  async function listRequestedMembers(access: Caller, team: Id<'team'> | undefined, query: DaysOffQuery) {
    const {workspace, deadline} = access;
    const {past, limit} = query;
    const id = await resolveMember(records, access, query.member);
    if (id === undefined) {
      const list = team === undefined ? lists.members() : lists.teamMembers(team);
      const {rows, next} = await records.list(workspace, {list, past, limit}, deadline);
      const read = rows.map(({json}) => parseWire(json));
      const ids = read.flatMap((one) => (one.object === 'member' ? [] : [one.member.id]));
      const found = ids.length > 0 ? await records.findMany(workspace, ids, deadline) : read;
      // A deleted member's membership is listed until a job removes it.
      const people = found.flatMap((one) => (one?.object === 'member' ? [one] : []));
      return {people, next};
    }
    const [found, membership] = await Promise.all([
      records.find(workspace, id, deadline),
      team === undefined ? undefined : records.findMembership(workspace, team, id, deadline),
    ]);
    const isThere = found !== undefined && (team === undefined || membership !== undefined);
    return {people: isThere ? [found] : [], next: undefined};
  }

  return async function listMembersOff(access: Caller, query: DaysOffQuery): Promise<Page> {
    const time = chooseDateRange(query, toInstant(clock.now()).slice(0, 10));
    const team = (await findNamedTeam(teams, access, query.team))?.id;
    const {people, next} = await listRequestedMembers(access, team, query);
    const dayOff = await readDaysOff(access, people, time);
    const rows = people.flatMap(({id, name}) => {
      const found = mergeDaysOff(time, (date) => dayOff(id, date, team));
      const row: MemberDaysOff = {
        object: 'member_days_off',
        member: {type: 'member', id, name},
        days_off: found,
      };
      return found.length === 0 ? [] : [JSON.stringify(row)];
    });
    return {rows, next};
  };
}

function chooseDateRange(
  {from: first, until: last}: DaysOffQuery,
  today: string,
): {from: string; until: string} {
  const from = first ?? (last === undefined || today < last ? today : last);
  const until = last ?? addDays(from, defaultDays - 1);
  if (until < from) throw createParameterError('until', '`until` must not be before `from`.');
  const isFar = (date: string) =>
    Math.abs(Number(date.slice(0, 4)) - Number(today.slice(0, 4))) > limits.daysOffYears;
  if (isFar(from) || isFar(until)) {
    throw createParameterError(
      isFar(from) ? 'from' : 'until',
      `The days asked for may be at most ${limits.daysOffYears} years from this one.`,
    );
  }
  if (countDaysBetween(from, until) < limits.daysOffSpan) return {from, until};
  throw createParameterError(
    'until',
    `\`from\` and \`until\` may be at most ${limits.daysOffSpan} days apart.`,
  );
}

/** Merges consecutive days off with the same reason. */
function mergeDaysOff(
  {from, until}: {from: string; until: string},
  dayOff: (date: string) => ReturnType<ReadDaysOff>,
): MemberDaysOff['days_off'] {
  const found: MemberDaysOff['days_off'][number][] = [];
  // The loop counts days instead of comparing dates, since the last possible date has no next day.
  for (let i = 0; i <= countDaysBetween(from, until); i++) {
    const date = addDays(from, i);
    const off = dayOff(date);
    if (off === undefined) continue;
    const {status, reason, absence: {id: absence} = {id: null}} = off;
    const last = found.at(-1);
    const goesOn =
      last !== undefined &&
      last.absence === absence &&
      last.status === status &&
      last.reason === reason &&
      addDays(last.until, 1) === date;
    if (goesOn) found[found.length - 1] = {...last, until: date};
    else found.push({status, from: date, until: date, reason, absence});
  }
  return found;
}
