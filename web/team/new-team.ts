/** The schedule that forms suggest: the service's `suggestedSchedule`, as new-team.test.ts checks. */
export const newSchedule = {
  interval: 1,
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:00',
  closes: '11:00',
  clock: 'team',
  reminders: [30],
} as const;
