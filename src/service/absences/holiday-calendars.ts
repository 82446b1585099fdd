import type {Commit} from '../../domain/commit/commit.js';
import {createWrite} from '../../domain/commit/writes.js';
import type {Call, Caller} from '../../domain/core/access.js';
import {addDays} from '../../domain/core/dates.js';
import {AppError, fieldError, notFound, createParameterError} from '../../domain/core/errors.js';
import type {HolidayCalendar} from '../../domain/absences/holidays.js';
import {suffixOf, isId} from '../../domain/core/ids.js';
import {limits} from '../../domain/core/limits.js';
import {lists, type Page, type PageQuery} from '../../domain/core/lists.js';
import type {Draft, WireJson} from '../../domain/core/resource.js';
import type {ServiceContext} from '../core/context.js';
import type {Answer} from '../core/answers.js';
import {readPage} from '../core/paging.js';
import {type Precondition, requireRevision} from '../core/precondition.js';

export function createHolidayCalendars({
  mutate,
  records,
  zones,
  clock,
  generateSuffix,
  authority,
  readCalendarFile,
}: ServiceContext) {
  async function requireCalendar({workspace, deadline}: Caller, id: string): Promise<HolidayCalendar> {
    const found = isId('holiday_calendar', id) ? await records.find(workspace, id, deadline) : undefined;
    if (found === undefined) throw notFound('holiday calendar');
    return found;
  }

  async function planCreateCalendar(call: Call, {name, ics}: {name: string; ics: string}): Promise<Commit> {
    const proof = await authority.requireAdmin(call, 'add holiday calendars');
    const list = lists.holidayCalendars();
    if ((await records.count(call.workspace, list, call.deadline)) >= limits.holidayCalendars) {
      throw new AppError(
        'limit_reached',
        `A workspace has at most ${limits.holidayCalendars} holiday calendars. Delete one first.`,
      );
    }
    const year = Number(zones.dayIn('UTC', clock.now()).slice(0, 4));
    const [from, until] = [`${year - 1}-01-01`, addDays(`${year + limits.holidayYears}-01-01`, -1)];
    const read = await readCalendarFile(call.workspace, ics, {from, until});
    if ('error' in read) throw fieldError('validation_failed', '#/ics', `\`ics\` ${read.error}.`);
    const draft: Draft<HolidayCalendar> = {object: 'holiday_calendar', name, from, until, days: read.days};
    const suffix = generateSuffix();
    const created = createWrite('holiday_calendar', suffix, draft, [{list}]);
    return {
      guards: [...proof, {check: 'length', list, below: limits.holidayCalendars}],
      writes: [created],
      events: [{type: 'holiday_calendar.created', about: suffix, revision: 1}],
      reply: {kind: 'resource', of: created},
    };
  }

  async function planDeleteCalendar(call: Call, id: string, expected?: Precondition): Promise<Commit> {
    const found = await requireCalendar(call, id);
    const guards = await authority.requireAdmin(call, 'delete holiday calendars');
    requireRevision(expected, found.revision);
    const {revision} = found;
    return {
      effect: 'release',
      guards,
      writes: [{do: 'remove', id: found.id, from: revision, lists: [lists.holidayCalendars()], names: []}],
      events: [{type: 'holiday_calendar.deleted', about: suffixOf(found.id), revision}],
      reply: {kind: 'empty'},
    };
  }

  return {
    /**
     * Creates a calendar with the days off of six years from an iCalendar file. Errors: `forbidden`,
     * `validation_failed` for an invalid file, `limit_reached`.
     */
    createCalendar: (
      call: Call,
      input: {readonly name: string; readonly ics: string},
    ): Promise<Answer<HolidayCalendar>> => mutate(call, () => planCreateCalendar(call, input)),
    findCalendar: requireCalendar,
    /** Lists calendars, newest first. */
    listCalendars: (access: Caller, page: PageQuery): Promise<Page<WireJson<HolidayCalendar>>> =>
      readPage(records, access, {list: lists.holidayCalendars(), ...page}),
    /** Deletes a calendar. Members who have chosen it no longer get its days off. Errors: `forbidden`. */
    deleteCalendar: (call: Call, id: string, expected?: Precondition): Promise<Answer<void>> =>
      mutate(call, () => planDeleteCalendar(call, id, expected)),
  };
}

/**
 * Lists the values for a member's `holidays`, sorted by name: all countries, or the regions of one country.
 * Errors: `invalid_parameter` for a country without holidays.
 */
export function createHolidayRegionLister({publicHolidays}: ServiceContext) {
  return async function listHolidayRegions(
    named: string | undefined,
    {past: start = 0, limit}: PageQuery,
  ): Promise<Page> {
    const country = named ?? null;
    const error =
      country === null ? undefined : await publicHolidays.findRegionError({country, region: null});
    if (error !== undefined) throw createParameterError('country', error.detail);
    const all = await publicHolidays.listRegions(country);
    const shown = all.slice(start, start + limit);
    return {
      rows: shown.map((region) => JSON.stringify({object: 'holiday_region', ...region})),
      next: start + limit < all.length ? start + limit : undefined,
    };
  };
}
