/** The link from Slack to the dashboard. */
export const web = {
  open: 'Open the dashboard',
  once: 'The link signs you in, once, within 10 minutes. Only you see it: give it to nobody.',
  here: 'This service has no public address yet (PUBLIC_URL), so the link opens on its own machine only.',
} as const;
