import type {Id} from '../core/ids.js';
import type {SlackOrigin} from './slack-installation.js';

/**
 * The unfinished part of a team's set-up after its form in Slack is saved: adding people, and joining the
 * channel. It contains no text that a person wrote.
 */
export interface TeamRest {
  readonly origin: SlackOrigin;
  /** The person who submitted the form. */
  readonly user: {readonly id: string; readonly name: string};
  readonly team: Id<'team'>;
  readonly did: 'made' | 'changed';
  /** True if the bot must join the team's channel. */
  readonly enters: boolean;
  /** The Slack user ids of people to add. */
  readonly add: readonly string[];
}
