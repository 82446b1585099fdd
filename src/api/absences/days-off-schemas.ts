import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {date, reference} from '../../domain/core/schemas.js';
import {pageParameters, personParameter, personText} from '../http/shared-schemas.js';

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
