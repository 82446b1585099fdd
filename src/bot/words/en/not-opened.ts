/** Slack says why to the log alone: the form was late, or the app is not let in any more. */
export const notOpened =
  'Slack did not open the form. Please try again. If that does not help, ask the people who run Standup for you to check its connection to Slack.';
