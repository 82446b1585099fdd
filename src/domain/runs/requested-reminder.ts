import {z} from 'zod';
import {date, id, type Infer} from '../core/schemas.js';

/** The members who will be reminded of a team's open runs after a request. */
export type RequestedReminder = Infer<typeof requestedReminderSchema>;

export const requestedReminderSchema = z
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
