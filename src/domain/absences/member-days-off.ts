import {z} from 'zod';
import {principalSchema} from '../core/access.js';
import {date, id, type Infer} from '../core/schemas.js';

export type MemberDaysOff = Infer<typeof memberDaysOffSchema>;

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
