import type {SlackItem} from '../../domain/slack/slack-post.js';

/** The differences between the things that a channel shows, as far as they are no more than a choice. */
export interface Policy {
  /** In the log. */
  readonly name: string;
  /**
   * Nobody can find out whether a message has arrived: it is sent again; or never, as long as its mark stands
   * (`keep-mark`); or nothing is done until it is wanted again (`give-up`).
   */
  readonly unsure: 'send-again' | 'keep-mark' | 'give-up';
  /**
   * Somebody has removed a message: it stays away, the whole gets no more messages (`stop`), or it comes
   * again.
   */
  readonly removed: 'leave' | 'stop' | 'post-again';
  /**
   * A change that is refused for good fails as a whole; or what stands there stays as it is, for good
   * (`leave`) or until it is looked at again (`try-again`).
   */
  readonly refusedEdit: 'fail' | 'leave' | 'try-again';
  /** The people who hear that it is not shown: the team, by the trouble of its channel; or nobody. */
  readonly told: 'team' | 'nobody';
  /** When the record says why it is not shown: from the first refusal on, once it is given up, or never. */
  readonly failed: 'once-refused' | 'once-lost' | 'never';
  /** Its edits and removals go behind those of others, since nobody is disturbed by them later. */
  readonly behind: boolean;
}

export type ShownKind = Exclude<SlackItem['kind'], 'trouble'> | 'welcome';

/** The one table of them. */
export const policies: Readonly<Record<ShownKind, Policy>> = {
  standup: {
    name: 'a standup',
    unsure: 'give-up',
    removed: 'leave',
    refusedEdit: 'fail',
    told: 'team',
    failed: 'once-refused',
    behind: false,
  },
  day: {
    name: 'the message of a day',
    unsure: 'keep-mark',
    removed: 'post-again',
    refusedEdit: 'try-again',
    told: 'nobody',
    failed: 'never',
    behind: false,
  },
  digest: {
    name: 'a report',
    unsure: 'keep-mark',
    removed: 'stop',
    refusedEdit: 'fail',
    told: 'team',
    failed: 'once-refused',
    behind: false,
  },
  week: {
    name: 'a summary of a week',
    unsure: 'keep-mark',
    removed: 'stop',
    refusedEdit: 'try-again',
    told: 'nobody',
    failed: 'never',
    behind: false,
  },
  // A warning that comes twice does less harm than one that never comes.
  notice: {
    name: 'a notice',
    unsure: 'send-again',
    removed: 'leave',
    refusedEdit: 'leave',
    told: 'nobody',
    failed: 'never',
    behind: false,
  },
  // As a notice, but that it must not come twice.
  welcome: {
    name: 'a notice',
    unsure: 'keep-mark',
    removed: 'leave',
    refusedEdit: 'leave',
    told: 'nobody',
    failed: 'never',
    behind: false,
  },
  // Nobody is reminded twice.
  prompt: {
    name: 'a reminder',
    unsure: 'keep-mark',
    removed: 'leave',
    refusedEdit: 'leave',
    told: 'nobody',
    failed: 'once-lost',
    behind: true,
  },
};
