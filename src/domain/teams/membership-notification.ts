import type {PromptAt} from '../schedules/schedule.js';
import type {Team} from './team.js';

/** News for a person about a team membership that another has given them. */
export interface MembershipNotification {
  readonly kind: 'added' | 'made-lead';
  readonly team: Team;
  /** Slack's id of the person. */
  readonly user: string;
  readonly leads: boolean;
  readonly observes: boolean;
  /** Slack's id of the person who did it; null when they are not in Slack. */
  readonly by: string | null;
  /** When they will be asked for their standup; null: never. */
  readonly asked: PromptAt | null;
  /** Whether they have turned that off themselves. */
  readonly turnedOff: boolean;
  /** When they may be disturbed (ms): now, or at the end of their quiet hours. */
  readonly notBefore: number;
}
