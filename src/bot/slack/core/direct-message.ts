import type {Block, KnownBlock} from '@slack/types';
import type {WebClient} from '@slack/web-api';

/** Sends a person a direct message, for content that can be sent in no other way. Errors: those of Slack. */
export async function sendDirectMessage(
  client: WebClient,
  user: string,
  {text = '', blocks}: {readonly text?: string; readonly blocks?: (Block | KnownBlock)[]},
): Promise<void> {
  const inert = {parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false} as const;
  const message = {channel: user, text, ...inert, ...(blocks !== undefined && {blocks})};
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Slack's method, not a window's
  await client.chat.postMessage(message);
}
