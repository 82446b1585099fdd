import type {Id} from '../core/ids.js';
import type {HolidayChoice} from './absence.js';
import type {Resource} from '../core/resource.js';

/**
 * Days off that a workspace imported from an iCalendar file. It never changes: another file makes another
 * calendar.
 */
export interface HolidayCalendar extends Resource<'holiday_calendar'> {
  readonly object: 'holiday_calendar';
  readonly name: string;
  /** The period read from the file, both days inclusive. Days outside it are unknown. */
  readonly from: string;
  readonly until: string;
  readonly days: readonly HolidayDay[];
}

export interface HolidayDay {
  readonly date: string;
  readonly name: string;
}

/** A country, or a part of it. */
export type HolidayRegion = Pick<HolidayChoice, 'country' | 'region'>;

/** A region with the name that people choose it by. */
export interface NamedRegion {
  readonly country: string;
  readonly region: string | null;
  /** In English. */
  readonly name: string;
}

/** Public holidays from published calendars. */
export interface PublicHolidays {
  /** Resolves when calls no longer have to wait for the data, with the time that took (ms). */
  load: () => Promise<number>;
  /**
   * The names of the days off between two dates, both inclusive, in English where that name is known. Empty
   * for an unknown country.
   */
  list: (region: HolidayRegion, from: string, until: string) => Promise<ReadonlyMap<string, string>>;
  /** All countries, or the parts of `country` that have holidays of their own, by name. */
  listRegions: (country: string | null) => Promise<readonly NamedRegion[]>;
  /** The reason why a region has no calendar, with the value that was probably meant. */
  findRegionError: (
    region: HolidayRegion,
  ) => Promise<{readonly member: 'country' | 'region'; readonly detail: string} | undefined>;
}

/**
 * Reads the days off of a period, both ends inclusive, from an iCalendar file. `error` says what is wrong
 * with it, and where.
 */
export type ReadCalendarFile = (
  file: string,
  time: {readonly from: string; readonly until: string},
) => Promise<{readonly days: readonly HolidayDay[]} | {readonly error: string}>;

/**
 * The same, when the queue reaches the file of the workspace. Errors: `service_unavailable` when too many
 * wait.
 */
export type ReadWorkspaceCalendarFile = (
  workspace: Id<'workspace'>,
  ...about: Parameters<ReadCalendarFile>
) => ReturnType<ReadCalendarFile>;
