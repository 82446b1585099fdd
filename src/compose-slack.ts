import type {Config, Secrets} from './config/config.js';

export type SlackSettings = {
  /** The token of one Slack workspace; empty with a `client`, by which many install the bot. */
  readonly botToken: string;
  readonly client?: {readonly clientId: string; readonly clientSecret: string};
  readonly apiUrl?: string | undefined;
  readonly workspace: string | undefined;
} & ({readonly signingSecret: string} | {readonly appToken: string});

/** One Slack workspace by its token, or many by OAuth; undefined when Slack is not set up. */
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

/** Slack's libraries are a third of the time to start, and most installations start without Slack first. */
export async function loadBot() {
  const [{createSlackBot}, {createSlackGateway}, {createSlackJobs}] = await Promise.all([
    import('./bot/slack/core/bot.js'),
    import('./bot/slack/core/slack-gateway.js'),
    import('./bot/slack/posting/slack-jobs.js'),
  ]);
  return {createSlackBot, createSlackGateway, createSlackJobs};
}
