import type {Id} from '../core/ids.js';
import type {HolidayChoice} from './absence.js';
import type {Resource} from '../core/resource.js';

/**
 * Days off that a workspace imported from an iCalendar file. An imported calendar never changes; a new file
 * becomes a new calendar.
 */
export interface HolidayCalendar extends Resource<'holiday_calendar'> {
  readonly object: 'holiday_calendar';
  readonly name: string;
  /**
   * The first day of the period for which the file was read. Both ends are included. Whether days outside the
   * period are off is unknown.
   */
  readonly from: string;
  readonly until: string;
  readonly days: readonly HolidayDay[];
}

export interface HolidayDay {
  readonly date: string;
  readonly name: string;
}

/** A country, or a region of it. */
export type HolidayRegion = Pick<HolidayChoice, 'country' | 'region'>;

/** A region with the name that people see when they choose it. */
export interface NamedRegion {
  readonly country: string;
  readonly region: string | null;
  /** The name in English. */
  readonly name: string;
}

/** Public holidays from published calendars. */
export interface PublicHolidays {
  /** Loads the data. Resolves to the time this took (ms). */
  load: () => Promise<number>;
  /**
   * Returns the names of the days off between two dates, both included. Names are in English if possible.
   * Unknown countries have none.
   */
  list: (region: HolidayRegion, from: string, until: string) => Promise<ReadonlyMap<string, string>>;
  /** Lists all countries, or all regions of `country` with their own holidays, sorted by name. */
  listRegions: (country: string | null) => Promise<readonly NamedRegion[]>;
  /** Returns why a region is invalid, with a suggestion; undefined for a valid region. */
  findRegionError: (
    region: HolidayRegion,
  ) => Promise<{readonly member: 'country' | 'region'; readonly detail: string} | undefined>;
}

/**
 * Reads the days off in a period from an iCalendar file, both ends included. `error` says what is wrong, and
 * in which line.
 */
export type ReadCalendarFile = (
  file: string,
  time: {readonly from: string; readonly until: string},
) => Promise<{readonly days: readonly HolidayDay[]} | {readonly error: string}>;

/**
 * Waits for the workspace's turn, and then reads one of its calendar files. Errors: `service_unavailable`
 * when too many files wait.
 */
export type ReadWorkspaceCalendarFile = (
  workspace: Id<'workspace'>,
  ...about: Parameters<ReadCalendarFile>
) => ReturnType<ReadCalendarFile>;
