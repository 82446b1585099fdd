import type {Id} from '../core/ids.js';
import type {MembershipNotification} from '../teams/membership-notification.js';
import type {Team} from '../teams/team.js';
import type {SlackTrouble} from './slack-post.js';

/** The part of a webhook that its notices show. */
export interface NoticeWebhook {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly disabled_reason: string | null;
  readonly disabled_at: string | null;
}

/** The message for a person who has become a member of a team, or for the channel of a new team. */
export type WelcomeContent =
  | {readonly kind: 'membership'; readonly news: MembershipNotification}
  /** `by`: Slack's id of the person who made the team; null when they are not in Slack. */
  | {readonly kind: 'beginning'; readonly team: Team; readonly by: string | null};

/**
 * A person whose Slack account is deactivated, and their teams, as far as the recipient is responsible for
 * them.
 */
export interface GoneMember {
  readonly member: Id<'member'>;
  readonly name: string;
  readonly teams: readonly Pick<Team, 'id' | 'name'>[];
}

/** The content of a notice about an event. */
export type NoticeContent =
  | WelcomeContent
  | {readonly kind: 'gone'; readonly gone: GoneMember}
  /** `failingSince` in ms: it fails; undefined: it is disabled. */
  | {readonly kind: 'webhook'; readonly webhook: NoticeWebhook; readonly failingSince: number | undefined}
  /** `team`: the name of the team whose channel it is. */
  | {readonly kind: 'trouble'; readonly trouble: SlackTrouble; readonly team: string};

/** A notice as it is now. */
export interface Notice {
  readonly event: Id<'event'>;
  /** Undefined when nothing is left to report. */
  readonly content: NoticeContent | undefined;
  /** It is over: people who have not been notified yet need not be. */
  readonly over?: boolean;
  /** It must not come twice: if its arrival cannot be checked, it is not sent again. */
  readonly once?: boolean;
  /** Nothing is sent before this instant (ms by the store's clock): quiet hours. */
  readonly notBefore?: number;
}
