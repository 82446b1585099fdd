import {type Id, storedId} from '../core/ids.js';
/** Where a request of Slack says that it comes from; its signature vouches for that. */
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
   * Slack's id: `T…` of a workspace, `E…` of an organisation; `token` for the one whose token stands in the
   * environment.
   */
  readonly id: string;
  /** The workspace of ours that it speaks for. */
  readonly workspace: Id<'workspace'>;
  readonly botToken: string;
}

/** That somebody has installed the bot, as Slack's OAuth answers it. */
export interface SlackGrant {
  /** Slack's id: `T…` of a workspace, `E…` when it is installed for a whole organisation. */
  readonly slackId: string;
  /** Slack's name of the workspace or organisation. */
  readonly name: string;
  readonly botToken: string;
  /** Who has installed it. */
  readonly installer: {readonly slackUser: string} & SlackProfile;
}

/** What Slack tells of a person. */
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
}

/** Making and linking members for Slack is nobody's own act: they are not there yet. */
export const slackDoorkeeper = {
  type: 'service_account',
  id: storedId<'service_account'>('svc_slack'),
  name: 'Slack',
} as const;

/** Where the bot is installed, below the service's own address. */
export const installPath = '/slack/install';

/** For whoever runs the service, where Slack takes the token in the environment no longer. */
export function refusedToken(code: string): string {
  return `Slack does not take SLACK_BOT_TOKEN any more (${code}): install the app again in Slack, and set the new token.`;
}
