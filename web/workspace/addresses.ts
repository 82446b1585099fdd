/** The URL of a channel in Slack (https://docs.slack.dev/interactivity/deep-linking). */
export function buildSlackChannelUrl(channel: string, team: string | undefined): string {
  const query = new URLSearchParams({channel, ...(team !== undefined && {team})});
  return `https://slack.com/app_redirect?${query}`;
}
