import {z} from 'zod';
import {date, id, type Infer, instant} from '../core/schemas.js';

/** The bounds of a snooze that a request asks for, in minutes. */
export const snoozeBounds = {default: 30, min: 5, max: 240};

/** The reminder of the day, as the person it reminds sees it. */
export type OwnReminder = Infer<typeof ownReminderSchema>;

export const ownReminderSchema = z
  .object({
    object: z.literal('own_reminder'),
    date: date.nullable().meta({
      description: 'The day of the reminder, in the zone of the member. Null if nothing waits for them.',
    }),
    teams: z
      .array(
        z.object({
          id: id('team'),
          team: z.string().meta({description: 'Slug of the team.'}),
          name: z.string(),
          date: date.meta({description: 'The date of the run.'}),
          closes_at: instant.meta({description: 'When the run closes for the member.'}),
        }),
      )
      .meta({description: 'The teams that wait for their standup, the run that closes first at the top.'}),
    remind_at: instant.nullable().meta({
      description:
        'When the member is reminded: the end of a snooze or of quiet hours, or the last time that has passed. Null if nothing waits for them, or if they have turned reminders off.',
    }),
    snoozed_until: instant.nullable().meta({description: 'The end of the snooze; null without one.'}),
  })
  .meta({
    id: 'OwnReminder',
    description:
      'The reminder of the day, for the holder of the access token. It is one for all their teams.',
  });

export const snoozeSchema = z
  .strictObject({
    minutes: z
      .int()
      .min(snoozeBounds.min)
      .max(snoozeBounds.max)
      .default(snoozeBounds.default)
      .meta({description: 'The minutes until the next reminder.'}),
  })
  .meta({id: 'Snooze', description: 'How long a reminder waits.'});
