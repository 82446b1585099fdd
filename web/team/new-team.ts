/**
 * A team begins as one that is set up in Slack does: asked at the opening, and a quarter of an hour before closing.
 * `test/web/plain/new-team.test.ts` holds the two to each other.
 */
export const newTeam = {prompt_at: 'both', slack_weekly_summary: true} as const;

/** The schedule that the form offers first. */
export const newSchedule = {
  interval: 1,
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:00',
  closes: '11:00',
  clock: 'team',
  reminders: [15],
} as const;
