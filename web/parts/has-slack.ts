/** Whether the installation has a bot in Slack, as the service says in its page. */
export function hasSlack(): boolean {
  return document.querySelector('meta[name="slack"]') !== null;
}
