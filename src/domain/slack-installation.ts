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
  /** Slack's id: `T…` of a workspace, `E…` of an organisation; `token` for the one whose token stands in the environment. */
  readonly id: string;
  /** The workspace of ours that it speaks for. */
  readonly workspace: string;
  readonly botToken: string;
}
