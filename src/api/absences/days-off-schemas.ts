import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {
  date,
  id,
  pageParameters,
  personParameter,
  personText,
  principalSchema,
  reference,
} from '../http/shared-schemas.js';

const timeOffSchema = z
  .object({
    status: z
      .string()
      .meta({description: '`away`, `skipped` or `holiday`; more may follow.', examples: ['holiday']}),
    from: date,
    until: date.meta({description: 'The last day, inclusive.'}),
    reason: z
      .string()
      .nullable()
      .meta({
        description: 'What they, or the calendar, say: the name of a holiday.',
        examples: ['Christmas Day'],
      }),
    absence: id('absence').nullable().meta({description: 'The absence that says so; null for a holiday.'}),
  })
  .meta({id: 'TimeOff', description: 'Days in a row on which somebody is off for one reason.'});

export const memberDaysOffSchema = z
  .object({
    object: z.literal('member_days_off'),
    member: principalSchema,
    days_off: z.array(timeOffSchema).meta({
      description: 'In order, and cut to the time that was asked for; each day stands in one of them.',
    }),
  })
  .meta({id: 'MemberDaysOff', description: 'When a member is off in a time, and why.'});

export const daysOffQuerySchema = z.strictObject({
  ...pageParameters,
  team: reference
    .optional()
    .meta({description: 'Only people of this team; then what counts there alone is in it, too.'}),
  member: personParameter.optional().meta({description: `Only this member: ${personText}`}),
  from: date.optional().meta({
    description: `The first day; today by UTC when left out. At most ${limits.daysOffYears} years from this one.`,
  }),
  until: date.optional().meta({
    description: `The last day, inclusive; 30 days in all when left out, and at most ${limits.daysOffSpan}.`,
  }),
});

export const holidayRegionSchema = z
  .object({
    object: z.literal('holiday_region'),
    country: z.string().meta({description: 'As in `holidays.country` of a member.', examples: ['DE']}),
    region: z
      .string()
      .nullable()
      .meta({description: 'As in `holidays.region`; null for the whole country.', examples: ['BY']}),
    name: z.string().meta({description: 'In English, or of the country.', examples: ['Bayern']}),
  })
  .meta({id: 'HolidayRegion', description: 'A country, or a part of it, with public holidays of its own.'});

export const holidayRegionQuerySchema = z.strictObject({
  ...pageParameters,
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a code of two letters, such as "DE"')
    .optional()
    .meta({maxLength: 2, description: 'The parts of this country instead of all countries.'}),
});
