/** Whether the installation has a Slack bot, from a meta tag that the service adds to the page. */
export function hasSlack(): boolean {
  return document.querySelector('meta[name="slack"]') !== null;
}
