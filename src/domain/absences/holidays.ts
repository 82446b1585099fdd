import type {Id} from '../core/ids.js';
import type {HolidayChoice} from './absence.js';
import type {Resource} from '../core/resource.js';

/** Days off that a workspace has made from an iCalendar file. It never changes: another file is another calendar. */
export interface HolidayCalendar extends Resource<'holiday_calendar'> {
  readonly object: 'holiday_calendar';
  readonly name: string;
  /** The time that was read from the file, both inclusive: days before and after are not known. */
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

/** As people choose it. */
export interface NamedRegion {
  readonly country: string;
  readonly region: string | null;
  /** In English. */
  readonly name: string;
}

/** Public holidays as published calendars have them. */
export interface PublicHolidays {
  /** Resolves when they can be asked without waiting; with how long that took (ms). */
  load: () => Promise<number>;
  /** What each day off between two dates, both inclusive, is called in English where that is known; nothing where the country is not known. */
  list: (region: HolidayRegion, from: string, until: string) => Promise<ReadonlyMap<string, string>>;
  /** All countries, or with one the parts of it that have holidays of their own, by name. */
  listRegions: (country: string | null) => Promise<readonly NamedRegion[]>;
  /** Why there is no calendar of a region, with what was probably meant. */
  findFault: (
    region: HolidayRegion,
  ) => Promise<{readonly member: 'country' | 'region'; readonly detail: string} | undefined>;
}

/** Reads the days off of a time, both ends inclusive, from an iCalendar file; `fault`: what is wrong with it, and where. */
export type ReadCalendarFile = (
  file: string,
  time: {readonly from: string; readonly until: string},
) => Promise<{readonly days: readonly HolidayDay[]} | {readonly fault: string}>;

/** The same when it is the turn of a workspace's file. Errors: `service_unavailable` where too many wait. */
export type ReadCalendarInTurn = (
  workspace: Id<'workspace'>,
  ...about: Parameters<ReadCalendarFile>
) => ReturnType<ReadCalendarFile>;
