/** The outcome of a reminder requested by a lead. */
export const reminders = {
  reminded: (names: string) => `Reminded: ${names}.`,
  noReminders: 'No reminders sent.',
  /** By the service's reason code; a new code has no sentence yet. */
  notReminded: {
    slack_not_connected: (names: string) =>
      `Not reminded because Slack is not connected: ${names}. Tell them yourself, or connect Slack in workspace settings.`,
    not_in_slack: (names: string) => `Not reminded because they have no linked Slack account: ${names}.`,
    reminders_off: (names: string) => `Not reminded because they turned reminders off: ${names}.`,
    quiet_hours: (names: string) => `Not reminded because their quiet hours last until it closes: ${names}.`,
    day_off: (names: string) => `Off today: ${names}.`,
  } as Readonly<Record<string, (names: string) => string>>,
  notRemindedElse: (names: string) => `Not reminded: ${names}.`,
};
