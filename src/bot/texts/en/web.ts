/** The link from Slack to the dashboard. */
export const web = {
  open: 'Open the dashboard',
  once: 'Sign-in link, valid once for 10 minutes. Don’t share it.',
  here: 'The link only works on the server itself until your operator sets PUBLIC_URL.',
} as const;
