/** Only our log has Slack's reason: the form was late, or the app no longer has access. */
export const notOpened =
  'Slack did not open the form. Please try again. If that does not help, ask the people who run Standup for you to check its connection to Slack.';
