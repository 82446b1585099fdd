import type {WebClient} from '@slack/web-api';

const defaultBotName = 'Standup';

/** Returns the name by which people invite the bot; without an answer of Slack, the manifest's. */
export async function findBotName(client: WebClient | undefined): Promise<string> {
  try {
    return (await client?.auth.test())?.user ?? defaultBotName;
  } catch {
    return defaultBotName;
  }
}
