/** Only our log has Slack's reason: the form was late, or the app no longer has access. */
export const notOpened =
  'Slack did not open the form. Please try again. If it keeps failing, ask your operator to check the connection to Slack.';
