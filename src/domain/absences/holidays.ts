import {z} from 'zod';
import type {Id} from '../core/ids.js';
import type {HolidayChoice} from './absence.js';
import {limits} from '../core/limits.js';
import {type Infer, resource, text} from '../core/schemas.js';

const day = z.string().meta({format: 'date'});

export const holidayCalendarSchema = resource('holiday_calendar', {
  name: z.string(),
  from: day.meta({
    format: 'date',
    description:
      'The first day of the period that was read from the file. Both `from` and `until` are inclusive.',
  }),
  until: day,
  days: z
    .array(z.object({date: day, name: z.string()}))
    .meta({description: 'The days off in that period, in order.'}),
}).meta({
  id: 'HolidayCalendar',
  description:
    'Days off that were read from an iCalendar file, for members to choose (`holidays.calendar`). A calendar never changes: create another one from a newer file.',
});

export const newHolidayCalendarSchema = z
  .strictObject({
    name: text(limits.name).meta({examples: ['Company holidays']}),
    ics: z
      .string()
      .min(1, 'must not be empty')
      .max(limits.calendarFile, `has at most ${limits.calendarFile} characters`)
      .meta({
        description: `The text of an iCalendar file (RFC 5545, \`text/calendar\`). Whole-day events count, with their yearly repetitions. An event with times counts for each day that it covers from midnight to midnight (times in UTC by \`X-WR-TIMEZONE\`). A file is rejected if a part that affects days is not understood, or if it has no day off to keep. The days kept are from the beginning of last year to the end of the ${limits.holidayYears - 1}th year after this one, at most ${limits.holidayDays}.`,
      }),
  })
  .meta({id: 'NewHolidayCalendar', description: 'The fields of a new holiday calendar.'});

/** Days off that a workspace imported from an iCalendar file. A new file becomes a new calendar. */
export type HolidayCalendar = Infer<typeof holidayCalendarSchema>;

export type HolidayDay = HolidayCalendar['days'][number];

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

/** Reads the days off in a period, both ends included. `error` names the problem and its line. */
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
