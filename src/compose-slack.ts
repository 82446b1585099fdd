import type {Config, Secrets} from './config/config.js';

export type SlackSettings = {
  /**
   * The bot token of the only Slack workspace. It is empty with a `client`, through which many workspaces
   * install the bot.
   */
  readonly botToken: string;
  readonly client?: {readonly clientId: string; readonly clientSecret: string};
  readonly apiUrl?: string | undefined;
  readonly workspace: string | undefined;
} & ({readonly signingSecret: string} | {readonly appToken: string});

/**
 * Returns the Slack settings for one workspace with a token, or for many with OAuth; undefined without Slack.
 */
export function buildSlackSettings(
  {slack: config}: Config,
  {slack: secrets}: Secrets,
): SlackSettings | undefined {
  if (config === undefined) return undefined;
  const {botToken = '', signingSecret, appToken, clientSecret} = secrets ?? {};
  const {clientId} = config;
  const common = {workspace: config.workspace, apiUrl: config.apiUrl, botToken};
  if (botToken !== '' && appToken !== undefined) return {...common, appToken};
  if (signingSecret === undefined) return undefined;
  if (botToken !== '') return {...common, signingSecret};
  if (clientId === undefined || clientSecret === undefined) return undefined;
  return {...common, signingSecret, client: {clientId, clientSecret}};
}

/**
 * Loads the bot only when it is needed. Slack's libraries take a third of the start-up time, and most
 * installations start without Slack.
 */
export async function loadBot() {
  const [{createSlackBot}, {createSlackGateway}, {createSlackJobs}] = await Promise.all([
    import('./bot/slack/bot.js'),
    import('./bot/slack/core/slack-gateway.js'),
    import('./bot/slack/slack-jobs.js'),
  ]);
  return {createSlackBot, createSlackGateway, createSlackJobs};
}
