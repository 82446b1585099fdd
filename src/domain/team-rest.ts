import type {SlackOrigin} from './slack-installation.js';

/** What is left to do when a team has been saved from a form in Slack: people, and the way into its channel. Holds nothing that anybody wrote. */
export interface TeamRest {
  readonly origin: SlackOrigin;
  /** Who handed the form in. */
  readonly user: {readonly id: string; readonly name: string};
  /** Its id. */
  readonly team: string;
  readonly did: 'made' | 'changed';
  /** Whether the bot has to get into the team's channel. */
  readonly enters: boolean;
  /** Slack's ids. */
  readonly add: readonly string[];
  readonly remove: readonly string[];
}
