import type {WebClient} from '@slack/web-api';
import {errorCodeOf} from '../core/clients.js';
import {isKnownRefusal} from '../core/slack-errors.js';

/**
 * Whether the bot can post in a channel now. `closed`: a person must invite the bot. `unknown`: the bot may
 * or may not be able to post.
 */
export type Entrance = 'joined' | 'closed' | 'archived' | 'unknown';

/**
 * Lets the bot join a public channel, for which it needs no invitation. Source:
 * https://docs.slack.dev/reference/methods/conversations.join
 */
export async function joinChannel(
  client: WebClient,
  channel: string,
  notePublic: (channel: string) => Promise<void>,
): Promise<Entrance> {
  try {
    await client.conversations.join({channel});
    // If this fails, the only effect is that the channel's team is not listed to others.
    await notePublic(channel).catch(() => undefined);
    return 'joined';
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'is_archived') return 'archived';
    // For a private channel Slack answers with one of several codes, whether or not the bot is in it. Only
    // people can add the bot there.
    return isKnownRefusal(code) ? 'closed' : 'unknown';
  }
}

const defaultBotName = 'Standup';

/**
 * Finds the name by which people invite the bot; the name in the app manifest if Slack does not return one.
 */
export async function findBotName(client: WebClient | undefined): Promise<string> {
  try {
    return (await client?.auth.test())?.user ?? defaultBotName;
  } catch {
    return defaultBotName;
  }
}
