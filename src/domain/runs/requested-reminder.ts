import {z} from 'zod';
import {date, id, type Infer, open} from '../core/schemas.js';
import type {ReminderChannel} from '../workspaces/workspace.js';

/** The members who will be reminded of a team's open runs after a request. */
export type RequestedReminder = Infer<typeof requestedReminderSchema>;

export const requestedReminderSchema = z
  .object({
    object: z.literal('reminder'),
    run: id('run').meta({description: 'The open run, or the latest of several.'}),
    team: z.string().meta({description: 'Slug of the team.'}),
    team_id: id('team'),
    date: date.meta({description: 'The date of the run.'}),
    members: z
      .array(
        z.object({
          id: id('member'),
          channel: open<ReminderChannel>({
            examples: ['mail'],
            description: 'The channel of the reminder: `slack` or `mail`. More values may be added.',
          }),
        }),
      )
      .meta({
        description:
          'The members who get a reminder: they have not posted in an open run, are not off, have reminders on, and a channel reaches them.',
      }),
    unreachable: z
      .array(
        z.object({
          id: id('member'),
          reason: open<string>({
            examples: ['no_slack_no_email'],
            description:
              'The reason. `no_slack_no_email`: the member is linked to no Slack user and has no address. `address_refused`: a mail server refused their address. `no_email`: they have no address, and Slack is not connected or not their choice. `not_in_slack`: they are linked to no Slack user, and mail is off or not their choice. `slack_not_connected`: the bot does not serve this workspace. `mail_off`: they chose mail alone, which is not set up. More values may be added.',
          }),
        }),
      )
      .meta({description: 'The members who should get a reminder, but that no channel reaches.'}),
    not_reminded: z
      .array(
        z.object({
          member: id('member'),
          reason: z.string().meta({
            description:
              'The reason. `reminders_off`: the member has turned reminders off. `quiet_hours`: their quiet hours last until the run closes. `day_off`: the member is away, has a holiday, or skips the day. More values may be added.',
          }),
        }),
      )
      .meta({
        description: 'The other members who have not posted, with the reason why they get no reminder.',
      }),
  })
  .meta({id: 'AskedReminder', description: 'The members reminded of a run by this request.'});
