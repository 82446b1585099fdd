import {limits} from '../../domain/core/limits.js';
import {memberDaysOffSchema} from '../../domain/absences/member-days-off.js';
import type {Services} from '../../service/services.js';
import {presentPage} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {daysOffQuerySchema, holidayRegionQuerySchema, holidayRegionSchema} from './days-off-schemas.js';

const tag = 'Absences';

export function createDaysOffRoutes({listMembersOff, listHolidayRegions}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/days-off',
      operation: 'listDaysOff',
      tag,
      summary: 'List days off',
      description:
        'Returns members with the days on which they are away, skip, or have a holiday by their country, region and calendar. If a day has several reasons, away takes precedence over skip, and skip over holiday. Each row is a member, newest first. Members without days off are left out: a page can have fewer rows than `limit`, or none, while `has_more` is true.',
      scope: 'members:read',
      query: daysOffQuerySchema,
      success: {status: 200, schema: memberDaysOffSchema, list: true},
      errors: ['team_not_found', 'invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, ...query} = input.query;
        const past = input.cursors.open(cursor);
        const {rows, next} = await listMembersOff(input.call, {...query, past, limit});
        return presentPage(rows, next, input);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/holiday-regions',
      operation: 'listHolidayRegions',
      tag,
      summary: 'List countries and regions with holidays',
      description:
        'Returns the values of `holidays` of a member, by name: all countries or, with `country`, its regions.',
      query: holidayRegionQuerySchema,
      success: {status: 200, schema: holidayRegionSchema, list: true},
      errors: ['invalid_cursor'],
      handle: async (input) => {
        const {limit = limits.pageDefault, cursor, country} = input.query;
        const past = input.cursors.open(cursor);
        const {rows, next} = await listHolidayRegions(country, {past, limit});
        return presentPage(rows, next, input);
      },
    }),
  ];
}
