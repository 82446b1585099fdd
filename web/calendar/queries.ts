import {queryOptions} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import type {Schema} from '../api/schema.ts';

export type Absence = Schema<'Absence'>;
export type Member = Schema<'Member'>;
export type HolidayCalendar = Schema<'HolidayCalendar'>;
export type Me = Schema<'Me'>;

/** Slugs of teams; undefined for the whole workspace. */
export type TeamSlugs = readonly string[] | undefined;

/** The rows read so far, and whether there are more. */
export interface PartialList<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Maximum number of pages that are read for each team. A page has a hundred rows. */
const mostPages = 5;

export const peopleQuery = (teams: TeamSlugs) =>
  queryOptions({
    queryKey: ['listMembers', {teams}],
    queryFn: ({signal}) =>
      readRowsOfTeams<Member>(teams, (team, cursor) =>
        dataOf(api.GET('/v1/members', {params: {query: {...team, ...cursor, limit: 100}}, signal})),
      ),
  });

export const absencesQuery = (teams: TeamSlugs, from: string, until: string) =>
  queryOptions({
    queryKey: ['listAbsences', {teams, from, until}],
    queryFn: ({signal}) =>
      readRowsOfTeams<Absence>(teams, (team, cursor) => {
        const query = {...team, ...cursor, from, until, limit: 100};
        return dataOf(api.GET('/v1/absences', {params: {query}, signal}));
      }),
  });

/** A day off in the country, region or holiday calendar that the person has chosen. */
export interface Holiday {
  readonly from: string;
  readonly until: string;
  readonly name: string | null;
}

/** Loads the holidays of people by member id. The requested range has 100 days at most. */
export const holidaysQuery = (teams: TeamSlugs, from: string, until: string) =>
  queryOptions({
    queryKey: ['listDaysOff', {teams, from, until}],
    queryFn: async ({signal}) => {
      const {rows} = await readRowsOfTeams(teams, async (team, cursor) => {
        const query = {...team, ...cursor, from, until, limit: 100};
        const page = await dataOf(api.GET('/v1/days-off', {params: {query}, signal}));
        return {...page, data: page.data.map(({member, days_off: days}) => ({id: member.id, days}))};
      });
      return new Map(rows.map(({id, days}) => [id, days.flatMap(toHoliday)]));
    },
  });

function toHoliday({status, from, until, reason: name}: Schema<'TimeOff'>): Holiday[] {
  return status === 'holiday' ? [{from, until, name}] : [];
}

/** Absences of one member within a span of days. */
export const memberAbsencesQuery = (member: string, from: string, until: string | null) =>
  queryOptions({
    queryKey: ['listAbsences', {member, from, until}],
    queryFn: async ({signal}) => {
      const query = {member, from, ...(until !== null && {until}), limit: 20};
      const {data} = await dataOf(api.GET('/v1/absences', {params: {query}, signal}));
      return data;
    },
  });

export const absenceQuery = (absence: string) =>
  queryOptions({
    queryKey: ['getAbsence', {absence}],
    queryFn: ({signal}) => dataOf(api.GET('/v1/absences/{absence}', {params: {path: {absence}}, signal})),
  });

/** All holiday calendars of the workspace: at most 50, so one page. */
export const calendarsQuery = queryOptions({
  queryKey: ['listHolidayCalendars'],
  queryFn: async ({signal}) => {
    const params = {query: {limit: 50}};
    const {data} = await dataOf(api.GET('/v1/holiday-calendars', {params, signal}));
    return data;
  },
});

export const calendarQuery = (id: string) =>
  queryOptions({
    queryKey: ['getHolidayCalendar', {holiday_calendar: id}],
    queryFn: ({signal}) =>
      dataOf(
        api.GET('/v1/holiday-calendars/{holiday_calendar}', {
          params: {path: {holiday_calendar: id}},
          signal,
        }),
      ),
  });

interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly next_cursor?: string | null;
}

/** Reads the rows of all teams, without duplicates. */
async function readRowsOfTeams<Row extends {readonly id: string}>(
  teams: TeamSlugs,
  read: (team: {team?: string}, cursor: {cursor?: string}) => Promise<ListPage<Row>>,
): Promise<PartialList<Row>> {
  const each = await Promise.all(
    (teams ?? [undefined]).map((team) => readPages(team === undefined ? {} : {team}, read)),
  );
  const rows = new Map(each.flatMap(({rows}) => rows.map((row) => [row.id, row])));
  return {rows: [...rows.values()], hasMore: each.some(({hasMore}) => hasMore)};
}

async function readPages<Row>(
  team: {team?: string},
  read: (team: {team?: string}, cursor: {cursor?: string}) => Promise<ListPage<Row>>,
): Promise<PartialList<Row>> {
  const rows: Row[] = [];
  let cursor: {cursor?: string} = {};
  for (let page = 0; page < mostPages; page += 1) {
    const {data, has_more, next_cursor} = await read(team, cursor);
    rows.push(...data);
    if (!has_more || typeof next_cursor !== 'string') return {rows, hasMore: false};
    cursor = {cursor: next_cursor};
  }
  return {rows, hasMore: true};
}
