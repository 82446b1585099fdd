import {type Id, storedId} from '../core/ids.js';
/** The Slack workspace that sent a request, as proven by the request's signature. */
export interface SlackOrigin {
  /** Slack's id of the workspace (`T…`). Requests of an organisation may lack it. */
  readonly team?: string | undefined;
  /** Slack's id of the organisation (`E…`), if there is one. */
  readonly enterprise?: string | undefined;
  /** True if the app was installed for the whole organisation. */
  readonly orgWide: boolean;
}

/** A Slack workspace or organisation in which the bot is installed. */
export interface SlackInstallation {
  /** Slack's id: `T…` for a workspace, `E…` for an organisation; `token` with a configured token. */
  readonly id: string;
  /** The standup workspace to which the Slack workspace belongs. */
  readonly workspace: Id<'workspace'>;
  readonly botToken: string;
}

/** The result of an installation of the bot, as Slack's OAuth returns it. */
export interface SlackGrant {
  /** Slack's id: `T…` for a workspace, `E…` for a whole organisation. */
  readonly slackId: string;
  /** The name of the workspace or organisation in Slack. */
  readonly name: string;
  readonly botToken: string;
  readonly installer: {readonly slackUser: string} & SlackProfile;
}

export interface SlackProfile {
  readonly name: string;
  /** The IANA time zone. */
  readonly timezone: string | null;
  /** The email address, if Slack has confirmed it. */
  readonly email?: string | undefined;
  /** True if the person is an admin in Slack, and therefore becomes an admin here. */
  readonly runsSlack?: boolean | undefined;
  /** The URL of the person's picture. */
  readonly picture?: string | undefined;
  /** The locale in the person's Slack settings, such as `de-DE`. */
  readonly locale?: string | undefined;
}

/** The service account that creates and links members for Slack before they can act themselves. */
export const slackDoorkeeper = {
  type: 'service_account',
  id: storedId<'service_account'>('svc_slack'),
  name: 'Slack',
} as const;

/** The path of the page that installs the bot. */
export const installPath = '/slack/install';

/** Returns the message to operators when Slack no longer accepts the token in the environment. */
export function createRefusedTokenMessage(code: string): string {
  return `Slack does not take SLACK_BOT_TOKEN any more (${code}): install the app again in Slack, and set the new token.`;
}
