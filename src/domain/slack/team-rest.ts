import type {Id} from '../core/ids.js';
import type {SlackOrigin} from './slack-installation.js';

/**
 * The rest of a team's set-up, once its form in Slack is saved: people, and the way into its channel. Holds
 * no text of anybody.
 */
export interface TeamRest {
  readonly origin: SlackOrigin;
  /** The person that handed the form in. */
  readonly user: {readonly id: string; readonly name: string};
  readonly team: Id<'team'>;
  readonly did: 'made' | 'changed';
  /** Whether the bot has to get into the team's channel. */
  readonly enters: boolean;
  /** Slack's ids. */
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /**
   * Those who are to lead the team from now on, and no longer; left out of what was kept before there was a
   * choice.
   */
  readonly lead?: readonly string[];
  readonly unlead?: readonly string[];
}
