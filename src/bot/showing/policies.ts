import type {SlackItem} from '../../domain/slack/slack-post.js';

/** The settings by which the kinds of messages differ. */
export interface Policy {
  /** The kind's name in the log. */
  readonly name: string;
  /**
   * The next step if even a search cannot tell whether a message was posted:
   * - `send-again`: post it again.
   * - `keep-mark`: post nothing while the token of that call is stored.
   * - `give-up`: post it only when it is requested again.
   */
  readonly unsure: 'send-again' | 'keep-mark' | 'give-up';
  /**
   * The next step when a person has removed a message:
   * - `leave`: do not post that message again.
   * - `stop`: post no more messages of the item.
   * - `post-again`: post the message again.
   */
  readonly removed: 'leave' | 'stop' | 'post-again';
  /**
   * The next step when an edit is refused for good:
   * - `fail`: the whole item fails.
   * - `leave`: the message is never edited again.
   * - `try-again`: the edit is repeated when the item is due again.
   */
  readonly refusedEdit: 'fail' | 'leave' | 'try-again';
  /**
   * The next step when a person has removed the first message of the thread: post it again, or `leave` it, and
   * post nothing below it.
   */
  readonly rootGone: 'post-again' | 'leave';
  /** The recipient of a report that an item cannot be shown: the team, or no one. */
  readonly reportedTo: 'team' | 'none';
  /** The moment to record why an item is not shown: the first refusal, the end of all attempts, or never. */
  readonly failed: 'once-refused' | 'once-lost' | 'never';
  /** True if edits and removals of this kind have low priority, since a delay disturbs no one. */
  readonly behind: boolean;
}

export type ShownKind = Exclude<SlackItem['kind'], 'trouble' | 'counts'> | 'welcome';

const alone = {
  unsure: 'keep-mark',
  reportedTo: 'none',
  failed: 'never',
  behind: false,
  rootGone: 'post-again',
} as const;
const reported = {
  unsure: 'keep-mark',
  refusedEdit: 'fail',
  reportedTo: 'team',
  failed: 'once-refused',
  behind: false,
  rootGone: 'post-again',
} as const;

export const policies: Readonly<Record<ShownKind, Policy>> = {
  standup: {...reported, name: 'a standup', unsure: 'give-up', removed: 'leave'},
  day: {...alone, name: 'the message of a day', removed: 'post-again', refusedEdit: 'try-again'},
  digest: {...reported, name: 'a report', removed: 'stop'},
  week: {...alone, name: 'a summary of a week', removed: 'stop', refusedEdit: 'try-again'},
  // The person who posted it is told why it is not there, and may post it again.
  copy: {
    ...alone,
    name: 'a posted report',
    unsure: 'give-up',
    removed: 'stop',
    refusedEdit: 'try-again',
    failed: 'once-refused',
    rootGone: 'leave',
  },
  // A comment must never bring back a standup that somebody removed, and is read in the dashboard anyway.
  comment: {
    ...alone,
    name: 'a comment',
    unsure: 'give-up',
    removed: 'leave',
    refusedEdit: 'leave',
    failed: 'once-lost',
    rootGone: 'leave',
  },
  // A repeated warning does less harm than a missing one.
  notice: {...alone, name: 'a notice', unsure: 'send-again', removed: 'leave', refusedEdit: 'leave'},
  // A welcome is never repeated.
  welcome: {...alone, name: 'a notice', removed: 'leave', refusedEdit: 'leave'},
  // A member is never reminded twice.
  prompt: {
    ...alone,
    name: 'a reminder',
    removed: 'leave',
    refusedEdit: 'leave',
    failed: 'once-lost',
    behind: true,
  },
};
