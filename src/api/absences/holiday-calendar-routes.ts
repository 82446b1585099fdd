import {limits} from '../../domain/core/limits.js';
import type {Services} from '../../service/services.js';
import {presentAnswer, presentPage, presentResource} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {holidayCalendarSchema, newHolidayCalendarSchema} from '../../domain/absences/holidays.js';
import {noQuerySchema, pageQuerySchema} from '../http/shared-schemas.js';

const collection = '/v1/holiday-calendars';
const single = `${collection}/{holiday_calendar}`;
const tag = 'Absences';
const readHolidayCalendarId = (params: Readonly<Record<string, string>>) => params['holiday_calendar'] ?? '';

export function createHolidayCalendarRoutes({holidayCalendars}: Services): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: collection,
      operation: 'createHolidayCalendar',
      tag,
      summary: 'Add a holiday calendar',
      description:
        'Reads days off from an iCalendar file. Only owners, admins and service accounts can add one. A member chooses it with `holidays.calendar`. An error in the file is returned with its line.',
      scope: 'members:write',
      query: noQuerySchema,
      body: newHolidayCalendarSchema,
      success: {status: 201, schema: holidayCalendarSchema},
      errors: ['not_found', 'forbidden', 'limit_reached'],
      handle: async ({call, body}) =>
        presentAnswer(await holidayCalendars.createCalendar(call, body), collection),
    }),
    defineRoute({
      method: 'GET',
      path: collection,
      operation: 'listHolidayCalendars',
      tag,
      summary: 'List holiday calendars',
      description: 'Returns the newest first.',
      scope: 'members:read',
      query: pageQuerySchema,
      success: {status: 200, schema: holidayCalendarSchema, list: true},
      errors: ['invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor} = input.query;
        const page = {past: input.cursors.open(cursor), limit};
        const {rows, next} = await holidayCalendars.listCalendars(input.call, page);
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: single,
      operation: 'getHolidayCalendar',
      tag,
      summary: 'Get a holiday calendar',
      scope: 'members:read',
      query: noQuerySchema,
      success: {status: 200, schema: holidayCalendarSchema},
      errors: ['not_found'],
      handle: async (input) =>
        presentResource(
          await holidayCalendars.findCalendar(input.call, readHolidayCalendarId(input.params)),
          input,
        ),
    }),
    defineRoute({
      method: 'DELETE',
      path: single,
      operation: 'deleteHolidayCalendar',
      tag,
      summary: 'Delete a holiday calendar',
      description: 'Its days are no longer days off for the members who chose it.',
      scope: 'members:write',
      query: noQuerySchema,
      success: {status: 204},
      errors: ['forbidden', 'not_found', 'precondition_failed'],
      handle: async ({call, params, expected}) =>
        presentAnswer(await holidayCalendars.deleteCalendar(call, readHolidayCalendarId(params), expected)),
    }),
  ];
}
