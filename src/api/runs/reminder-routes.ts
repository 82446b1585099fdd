import {ownReminderSchema, snoozeBounds, snoozeSchema} from '../../domain/prompts/own-reminder.js';
import type {Services} from '../../service/services.js';
import {presentAnswer} from '../http/present.js';
import {type Route, defineRoute} from '../http/route.js';
import {noQuerySchema} from '../http/shared-schemas.js';

const tag = 'Runs';

export function createReminderRoutes({ownReminders}: Services): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/reminders/own',
      operation: 'getOwnReminder',
      tag,
      summary: 'Get your reminder of the day',
      description:
        'Returns the reminder of the holder of the access token: the teams that wait for their standup, and when they are reminded. It is the same in each channel: in Slack, by mail, and in an open tab of the dashboard.',
      scope: 'members:read',
      query: noQuerySchema,
      success: {status: 200, schema: ownReminderSchema, tagged: false},
      errors: ['forbidden'],
      handle: async ({call}) => ({
        status: 200,
        body: JSON.stringify(await ownReminders.findOwnReminder(call)),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/reminders/snooze',
      operation: 'snoozeReminder',
      tag,
      summary: 'Snooze your reminder of the day',
      description:
        'Sends the reminder of the holder of the access token again later, in its channel. It comes at least five minutes before the first run closes. Another snooze moves it; a repeat with the same `Idempotency-Key` does not. `no_open_run` says that nothing waits for a standup, or not for long enough, or that you turned reminders off.',
      scope: 'members:write',
      query: noQuerySchema,
      body: snoozeSchema.optional(),
      success: {status: 200, schema: ownReminderSchema, tagged: false},
      errors: ['forbidden', 'no_open_run'],
      handle: async ({call, body = {minutes: snoozeBounds.default}}) =>
        presentAnswer(await ownReminders.snoozeReminder(call, body)),
    }),
  ];
}
