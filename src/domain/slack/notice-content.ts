import type {Id} from '../core/ids.js';
import type {InboxNews} from '../inbox/inbox.js';
import type {LeadSummary} from '../runs/lead-summary.js';
import type {MembershipNotification} from '../teams/membership-notification.js';
import type {Team} from '../teams/team.js';
import type {MemberRole} from '../workspaces/workspace.js';
import type {SlackTrouble} from './slack-post.js';

/** The fields of a webhook that its messages show. */
export interface NoticeWebhook {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly disabled_reason: string | null;
  readonly disabled_at: string | null;
}

/** The message to a new member of a team, or to the channel of a new team. */
export type WelcomeContent =
  | {readonly kind: 'membership'; readonly news: MembershipNotification}
  /** `by`: the Slack user id of the person who created the team; null when that person is not in Slack. */
  | {readonly kind: 'beginning'; readonly team: Team; readonly by: string | null};

/** A person whose Slack account is deactivated, and the teams for which the reader is responsible. */
export interface GoneMember {
  readonly member: Id<'member'>;
  readonly name: string;
  readonly teams: readonly Pick<Team, 'id' | 'name'>[];
}

/** The message to the person who installed the bot. */
export interface Greeting {
  readonly kind: 'greeting';
  /** Undefined for a person who is not a member yet. */
  readonly member: {readonly name: string; readonly role: MemberRole} | undefined;
  readonly hasTeams: boolean;
}

export type NoticeContent =
  | WelcomeContent
  | Greeting
  | {readonly kind: 'inbox'; readonly news: InboxNews}
  | {readonly kind: 'gone'; readonly gone: GoneMember}
  | {readonly kind: 'lead_summary'; readonly summary: LeadSummary}
  /** A webhook that has failed since `failingSince` (ms), or that is disabled if that is undefined. */
  | {readonly kind: 'webhook'; readonly webhook: NoticeWebhook; readonly failingSince: number | undefined}
  /** `team`: the name of the team that uses the channel. */
  | {readonly kind: 'trouble'; readonly trouble: SlackTrouble; readonly team: string};

/** The id of the event of a notice, by which its message is found in Slack. A greeting has no event. */
export type NoticeEvent = Id<'event'> | 'greeting';

/** A message to a person about an event, with its current content. */
export interface Notice {
  readonly event: NoticeEvent;
  /** The content; undefined when there is nothing left to report. */
  readonly content: NoticeContent | undefined;
  /** True when the problem that the message reports is over. Then no one else is told about it. */
  readonly over?: boolean;
  /** True for a message that must not arrive twice. If its arrival is unknown, it is not sent again. */
  readonly once?: boolean;
  /** The end of the quiet hours (ms by the store's clock). Nothing is sent before it. */
  readonly notBefore?: number;
}
