import type {WebClient} from '@slack/web-api';
import {errorCodeOf} from '../core/clients.js';
import {isRefusal} from '../core/slack-errors.js';

/**
 * Whether the bot can post in a channel now: `closed` needs an invitation by a person, `unknown` may be
 * either.
 */
export type Entrance = 'joined' | 'closed' | 'archived' | 'unknown';

/**
 * Joins a public channel, where Slack lets a bot in by itself. Source:
 * https://docs.slack.dev/reference/methods/conversations.join
 */
export async function joinChannel(
  client: WebClient,
  channel: string,
  notePublic: (channel: string) => Promise<void>,
): Promise<Entrance> {
  try {
    await client.conversations.join({channel});
    // A failure here only means that the channel's team is not listed to others.
    await notePublic(channel).catch(() => undefined);
    return 'joined';
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'is_archived') return 'archived';
    // A private channel answers with one of several codes, depending on whether the bot is in it: only people
    // can add it.
    return isRefusal(code) ? 'closed' : 'unknown';
  }
}

const defaultBotName = 'Standup';

/** The name by which the bot is invited: that of its manifest when Slack does not return it. */
export async function findBotName(client: WebClient | undefined): Promise<string> {
  try {
    return (await client?.auth.test())?.user ?? defaultBotName;
  } catch {
    return defaultBotName;
  }
}
