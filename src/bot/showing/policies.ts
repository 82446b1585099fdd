import type {SlackItem} from '../../domain/slack/slack-post.js';

/** The settings in which the kinds of shown items differ. */
export interface Policy {
  /** The name in the log. */
  readonly name: string;
  /**
   * A search cannot tell whether a message has arrived: it is sent again; never sent while its mark exists
   * (`keep-mark`); or left until it is wanted again (`give-up`).
   */
  readonly unsure: 'send-again' | 'keep-mark' | 'give-up';
  /**
   * When a person has removed a message: it is not posted again, the item gets no more messages (`stop`), or
   * it is posted again.
   */
  readonly removed: 'leave' | 'stop' | 'post-again';
  /**
   * When a change is refused finally: it fails as a whole, or the message is left as it is, forever (`leave`)
   * or until the item is due again (`try-again`).
   */
  readonly refusedEdit: 'fail' | 'leave' | 'try-again';
  /**
   * The recipients of a report that it is not shown: the team, by the delivery problem of its channel; or no
   * one.
   */
  readonly reportedTo: 'team' | 'none';
  /** When the record notes why it is not shown: from the first refusal on, once it is given up, or never. */
  readonly failed: 'once-refused' | 'once-lost' | 'never';
  /** Its edits and removals go behind those of others: a delay disturbs no one. */
  readonly behind: boolean;
}

export type ShownKind = Exclude<SlackItem['kind'], 'trouble'> | 'welcome';

/** The policy of each kind. */
export const policies: Readonly<Record<ShownKind, Policy>> = {
  standup: {
    name: 'a standup',
    unsure: 'give-up',
    removed: 'leave',
    refusedEdit: 'fail',
    reportedTo: 'team',
    failed: 'once-refused',
    behind: false,
  },
  day: {
    name: 'the message of a day',
    unsure: 'keep-mark',
    removed: 'post-again',
    refusedEdit: 'try-again',
    reportedTo: 'none',
    failed: 'never',
    behind: false,
  },
  digest: {
    name: 'a report',
    unsure: 'keep-mark',
    removed: 'stop',
    refusedEdit: 'fail',
    reportedTo: 'team',
    failed: 'once-refused',
    behind: false,
  },
  week: {
    name: 'a summary of a week',
    unsure: 'keep-mark',
    removed: 'stop',
    refusedEdit: 'try-again',
    reportedTo: 'none',
    failed: 'never',
    behind: false,
  },
  // A repeated warning does less harm than a missing one.
  notice: {
    name: 'a notice',
    unsure: 'send-again',
    removed: 'leave',
    refusedEdit: 'leave',
    reportedTo: 'none',
    failed: 'never',
    behind: false,
  },
  // As a notice, but never repeated.
  welcome: {
    name: 'a notice',
    unsure: 'keep-mark',
    removed: 'leave',
    refusedEdit: 'leave',
    reportedTo: 'none',
    failed: 'never',
    behind: false,
  },
  // A member is never reminded twice.
  prompt: {
    name: 'a reminder',
    unsure: 'keep-mark',
    removed: 'leave',
    refusedEdit: 'leave',
    reportedTo: 'none',
    failed: 'once-lost',
    behind: true,
  },
};
