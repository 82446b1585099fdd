import type {PromptAt} from '../schedules/schedule.js';
import type {Team} from './team.js';

/** A message to a person who was added to a team, or whose membership another person changed. */
export interface MembershipNotification {
  readonly kind: 'added' | 'made-lead';
  readonly team: Team;
  /** The person's Slack user id. */
  readonly user: string;
  readonly leads: boolean;
  readonly observes: boolean;
  /** The Slack user id of the one who made the change; null when they are not in Slack. */
  readonly by: string | null;
  /** The time at which the person will be asked for a standup; null for never. */
  readonly asked: PromptAt | null;
  /** True if the person has turned reminders off. */
  readonly turnedOff: boolean;
  /** The instant at which the person may get a message (ms): now, or at the end of their quiet hours. */
  readonly notBefore: number;
}
