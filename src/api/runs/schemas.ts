import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {addRulesToSchema, forbidBothFields} from '../../domain/core/member-rules.js';
import {id, instantMember} from '../../domain/core/schemas.js';
import {runSchema} from '../../domain/runs/run.js';

const reminderSchema = z.object({
  at: z.string().meta({
    examples: ['before_closing'],
    description:
      'The reason: `opening`, the run opened; `before_closing`, a reminder of the schedule; `asked`, a caller requested it.',
  }),
  minutes: z
    .int()
    .nullable()
    .meta({description: 'The minutes before closing. Null for `opening` and `asked`.'}),
  members: z.array(id('member')).meta({
    description:
      'The members to remind in this step: 50 at most. Only members that a channel reaches are notified.',
  }),
});

/** A run in the event `run.reminded`. */
export const remindedRunSchema = z
  .object({...runSchema.shape, reminder: reminderSchema})
  .meta({id: 'RemindedRun', description: 'A run, with the reminded members.'});

const minutes = z
  .int()
  .min(1, 'must be at least 1 minute')
  .max(limits.runMinutes, `must be at most ${limits.runMinutes} minutes`);

export const newRunSchema = addRulesToSchema(
  z.strictObject({
    closes_at: instantMember
      .optional()
      .meta({description: 'When the run closes: in the future, within 24 hours.'}),
    minutes: minutes
      .optional()
      .meta({description: 'The number of minutes it is open. The default is 60 without `closes_at`.'}),
  }),
  [forbidBothFields(['closes_at', 'minutes'], 'cannot be given together with `closes_at`')],
).meta({id: 'NewRun', description: 'The duration of a run that is opened now.'});
