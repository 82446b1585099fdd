import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {id, text, resourceEnd} from '../../domain/core/schemas.js';

const day = z.string().meta({format: 'date'});

export const holidayCalendarSchema = z
  .object({
    id: id('holiday_calendar'),
    object: z.literal('holiday_calendar'),
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
    ...resourceEnd,
  })
  .meta({
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
