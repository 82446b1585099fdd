import {type Id, storedId} from '../core/ids.js';
/** The origin that a request of Slack names; its signature proves it. */
export interface SlackOrigin {
  /** Slack's id of the workspace (`T…`); an organisation's requests may be without. */
  readonly team?: string | undefined;
  /** Slack's id of the organisation (`E…`), where there is one. */
  readonly enterprise?: string | undefined;
  /** Whether the app was installed for the whole organisation. */
  readonly orgWide: boolean;
}

/** A Slack workspace, or a whole organisation, that the bot serves. */
export interface SlackInstallation {
  /**
   * Slack's id: `T…` for a workspace, `E…` for an organisation, `token` for the one whose token is in the
   * environment.
   */
  readonly id: string;
  /** Our workspace that it serves. */
  readonly workspace: Id<'workspace'>;
  readonly botToken: string;
}

/** An installation of the bot by a person, as Slack's OAuth returns it. */
export interface SlackGrant {
  /** Slack's id: `T…` of a workspace, `E…` when it is installed for a whole organisation. */
  readonly slackId: string;
  /** Slack's name of the workspace or organisation. */
  readonly name: string;
  readonly botToken: string;
  /** The person who has installed it. */
  readonly installer: {readonly slackUser: string} & SlackProfile;
}

/** A person's profile in Slack. */
export interface SlackProfile {
  readonly name: string;
  /** IANA zone. */
  readonly timezone: string | null;
  /** An address that Slack has confirmed to be theirs. */
  readonly email?: string | undefined;
  /** Whether they run the Slack workspace, and that makes them an admin here. */
  readonly runsSlack?: boolean | undefined;
  /** The address of their picture. */
  readonly picture?: string | undefined;
  /** The locale of their Slack, such as `de-DE`. */
  readonly locale?: string | undefined;
}

/** Creates and links members for Slack. No member can do this, since they do not exist yet. */
export const slackDoorkeeper = {
  type: 'service_account',
  id: storedId<'service_account'>('svc_slack'),
  name: 'Slack',
} as const;

/** Where the bot is installed, below the service's own address. */
export const installPath = '/slack/install';

/** For operators, when Slack no longer accepts the token in the environment. */
export function refusedTokenMessage(code: string): string {
  return `Slack does not take SLACK_BOT_TOKEN any more (${code}): install the app again in Slack, and set the new token.`;
}
