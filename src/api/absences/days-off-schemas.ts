import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {principalSchema} from '../../domain/core/access.js';
import {date, id, reference} from '../../domain/core/schemas.js';
import {pageParameters, personParameter, personText} from '../http/shared-schemas.js';

const timeOffSchema = z
  .object({
    status: z.string().meta({
      description: 'The status: `away`, `skipped` or `holiday`. More values may be added.',
      examples: ['holiday'],
    }),
    from: date,
    until: date.meta({description: 'The last day, inclusive.'}),
    reason: z
      .string()
      .nullable()
      .meta({
        description: 'The reason from the member or the calendar, such as the name of a holiday.',
        examples: ['Christmas Day'],
      }),
    absence: id('absence').nullable().meta({description: 'The absence of these days. Null for a holiday.'}),
  })
  .meta({id: 'TimeOff', description: 'Consecutive days off of a member for one reason.'});

export const memberDaysOffSchema = z
  .object({
    object: z.literal('member_days_off'),
    member: principalSchema,
    days_off: z.array(timeOffSchema).meta({
      description: 'The days off in order, limited to the requested period. Each day is in one of them.',
    }),
  })
  .meta({id: 'MemberDaysOff', description: 'The days off of a member in a period, with their reasons.'});

export const daysOffQuerySchema = z.strictObject({
  ...pageParameters,
  team: reference.optional().meta({
    description: 'Only members of this team. Absences that apply to this team alone are then included.',
  }),
  member: personParameter.optional().meta({description: `Only this member, ${personText}`}),
  from: date.optional().meta({
    description: `The first day, at most ${limits.daysOffYears} years from this year. The default is today in UTC.`,
  }),
  until: date.optional().meta({
    description: `The last day, inclusive, at most ${limits.daysOffSpan} days in all. The default is 30 days in all.`,
  }),
});

export const holidayRegionSchema = z
  .object({
    object: z.literal('holiday_region'),
    country: z.string().meta({
      description: 'The code of the country, as in `holidays.country` of a member.',
      examples: ['DE'],
    }),
    region: z
      .string()
      .nullable()
      .meta({
        description: 'The code of the region, as in `holidays.region`. Null for the whole country.',
        examples: ['BY'],
      }),
    name: z
      .string()
      .meta({description: 'The name, in English or in the language of the country.', examples: ['Bayern']}),
  })
  .meta({id: 'HolidayRegion', description: 'A country or region with its own public holidays.'});

export const holidayRegionQuerySchema = z.strictObject({
  ...pageParameters,
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a code of two letters, such as "DE"')
    .optional()
    .meta({maxLength: 2, description: 'A country: its regions are returned instead of all countries.'}),
});
