/** The schedule that the form offers first, as Slack does: `test/web/plain/new-team.test.ts` holds the two to each other. */
export const newSchedule = {
  interval: 1,
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:00',
  closes: '11:00',
  clock: 'team',
  reminders: [15],
} as const;
