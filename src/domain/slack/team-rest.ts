import type {Id} from '../core/ids.js';
import type {SlackOrigin} from './slack-installation.js';

/**
 * The rest of a team's set-up after its form in Slack is saved: its people, and joining its channel. Holds no
 * text that a person wrote.
 */
export interface TeamRest {
  readonly origin: SlackOrigin;
  /** The person who handed the form in. */
  readonly user: {readonly id: string; readonly name: string};
  readonly team: Id<'team'>;
  readonly did: 'made' | 'changed';
  /** Whether the bot must join the team's channel. */
  readonly enters: boolean;
  /** Slack's ids. */
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /**
   * Members who lead the team from now on, and members who no longer do; absent in records from before there
   * was a choice.
   */
  readonly lead?: readonly string[];
  readonly unlead?: readonly string[];
}
