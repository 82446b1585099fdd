/** The outcome of a reminder requested by a lead. */
export const reminders = {
  reminded: (names: string) => `Reminded: ${names}.`,
  nobodyReminded: 'Nobody is reminded.',
  /** By the service's reason code; a new code has no sentence yet. */
  notReminded: {
    slack_not_connected: (names: string) =>
      `Not reminded, as Slack is not connected: ${names}. Tell them yourself, or connect Slack in the settings of the workspace.`,
    not_in_slack: (names: string) => `Not reminded, as they are not linked to anybody in Slack: ${names}.`,
    reminders_off: (names: string) => `Not reminded, as they want no reminders: ${names}.`,
    quiet_hours: (names: string) => `Not reminded, as their quiet hours last until it closes: ${names}.`,
    day_off: (names: string) => `Off today: ${names}.`,
  } as Readonly<Record<string, (names: string) => string>>,
  notRemindedElse: (names: string) => `Not reminded: ${names}.`,
};
