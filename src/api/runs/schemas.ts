import {z} from 'zod';
import {limits} from '../../domain/core/limits.js';
import {addRulesToSchema, forbidBothFields} from '../../domain/core/member-rules.js';
import {date, id, instantMember} from '../../domain/core/schemas.js';
import {runSchema} from '../../domain/runs/run.js';

export const reminderSchema = z.object({
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
      'The members to remind in this step: 50 at most. The bot notifies only those who are in Slack.',
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

export const askedReminderSchema = z
  .object({
    object: z.literal('reminder'),
    run: id('run').meta({description: 'The open run, or the latest of several.'}),
    team: z.string().meta({description: 'Slug of the team.'}),
    team_id: id('team'),
    date: date.meta({description: 'The date of the run.'}),
    members: z.array(id('member')).meta({
      description:
        'The members who get a reminder in Slack: they have not posted in an open run, are not off, and have reminders on.',
    }),
    not_reminded: z
      .array(
        z.object({
          member: id('member'),
          reason: z.string().meta({
            description:
              'The reason. `slack_not_connected`: the bot does not serve this workspace. `not_in_slack`: the member is linked to no Slack user. `reminders_off`: the member has turned reminders off. `quiet_hours`: their quiet hours last until the run closes. `day_off`: the member is away, has a holiday, or skips the day. More values may be added.',
          }),
        }),
      )
      .meta({
        description: 'The other members who have not posted, with the reason why they get no reminder.',
      }),
  })
  .meta({id: 'AskedReminder', description: 'The members reminded of a run by this request.'});
