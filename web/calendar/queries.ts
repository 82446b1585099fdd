import {queryOptions} from '@tanstack/react-query';
import {readQuery, readRows, readRowsQuery} from '../api/read.ts';
import type {Absence, Member, Schema} from '../api/schema.ts';

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
      readRowsOfTeams<Member>(teams, (team) =>
        readRows('/v1/members', {team, limit: 100}, signal, {mostPages}),
      ),
  });

export const absencesQuery = (teams: TeamSlugs, from: string, until: string) =>
  queryOptions({
    queryKey: ['listAbsences', {teams, from, until}],
    queryFn: ({signal}) =>
      readRowsOfTeams<Absence>(teams, (team) =>
        readRows('/v1/absences', {team, from, until, limit: 100}, signal, {mostPages}),
      ),
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
      const {rows} = await readRowsOfTeams(teams, async (team) => {
        const given = {team, from, until, limit: 100};
        const {rows: found, next} = await readRows('/v1/days-off', given, signal, {mostPages});
        return {rows: found.map(({member, days_off: days}) => ({id: member.id, days})), next};
      });
      return new Map(rows.map(({id, days}) => [id, days.flatMap(toHoliday)]));
    },
  });

function toHoliday({status, from, until, reason: name}: Schema<'TimeOff'>): Holiday[] {
  return status === 'holiday' ? [{from, until, name}] : [];
}

export const memberAbsencesQuery = (member: string, from: string, until: string | null) =>
  readRowsQuery('listAbsences', '/v1/absences', {member, from, until: until ?? undefined, limit: 20});

export const absenceQuery = (absence: string) => readQuery('getAbsence', '/v1/absences/{absence}', {absence});

/** All holiday calendars of the workspace: at most 50, so one page. */
export const calendarsQuery = readRowsQuery('listHolidayCalendars', '/v1/holiday-calendars', {limit: 50});

export const calendarQuery = (id: string) =>
  readQuery('getHolidayCalendar', '/v1/holiday-calendars/{holiday_calendar}', {holiday_calendar: id});

/** Reads the rows of all teams, without duplicates. */
async function readRowsOfTeams<Row extends {readonly id: string}>(
  teams: TeamSlugs,
  readTeam: (team: string | undefined) => Promise<{rows: readonly Row[]; next: string | undefined}>,
): Promise<PartialList<Row>> {
  const each = await Promise.all((teams ?? [undefined]).map(readTeam));
  const rows = new Map(each.flatMap(({rows}) => rows.map((row) => [row.id, row])));
  return {rows: [...rows.values()], hasMore: each.some(({next}) => next !== undefined)};
}
