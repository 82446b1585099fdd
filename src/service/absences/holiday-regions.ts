import type {ServiceContext} from '../core/context.js';
import type {Page, PageQuery} from '../../domain/core/lists.js';
import {createParameterError} from '../../domain/core/errors.js';

/**
 * Lists the values for a member's `holidays`, sorted by name: all countries, or the regions of one country.
 * Errors: `invalid_parameter` for a country without holidays.
 */
export type ListHolidayRegions = (country: string | undefined, query: PageQuery) => Promise<Page>;

export function createHolidayRegionLister({publicHolidays}: ServiceContext): ListHolidayRegions {
  return async function listHolidayRegions(named, {past: start = 0, limit}) {
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
