import {deadlines} from '../../domain/core/limits.js';
import type {SlackClaimed, SlackItem, SlackOutcome} from '../../domain/slack/slack-post.js';
import type {
  ChatCalls,
  ChatMessage,
  ChatFailure,
  ChatResult,
  MessageReference,
  ChatRefusal,
  UncertainResult,
} from './chat.js';
import {mayLookLater, isTemporaryRefusal} from './refusals.js';
import type {Id} from '../../domain/core/ids.js';
import type {SlackPosts} from '../../store/slack/slack-posts.js';

/**
 * The right of one process to work on a channel for a limited time. No other process works on that channel
 * meanwhile.
 */
export interface ChannelLease {
  readonly workspace: Id<'workspace'>;
  readonly channel: string;
  readonly holder: string;
  readonly claimed?: SlackClaimed;
}

/** The waits (ms) between attempts to post a message. When all waits are used, we stop trying to post it. */
export interface Waits {
  /** The waits after attempts that Slack did not answer, or to which it answered with an internal error. */
  readonly unanswered: readonly number[];
  /**
   * The waits after Slack refused a message because the bot is not in the channel, the channel is archived,
   * or the bot lacks a permission (scope).
   */
  readonly closed: readonly number[];
  readonly leaseMs: number;
  /**
   * The minimum time (ms) for which our own code must have failed on an event before the event is skipped.
   */
  readonly eventMs: number;
  /**
   * The minimum time between two messages to one channel, after the first two. Slack takes about one a
   * second:
   * https://docs.slack.dev/apis/web-api/rate-limits
   */
  readonly spacingMs: number;
  /**
   * The time between two edits, and between two removals, in one workspace: at most 50 a minute. The first
   * ten are not delayed. 0: no edit is delayed.
   */
  readonly editSpacingMs: number;
}

const [minute, hour] = [60_000, 3_600_000];

export const standardWaits: Waits = {
  unanswered: [5_000, 15_000, minute, 5 * minute, 30 * minute, ...Array.from({length: 22}, () => hour)],
  closed: [minute, 5 * minute, 30 * minute, ...Array.from({length: 23}, () => hour)],
  leaseMs: 5_000,
  eventMs: minute,
  spacingMs: 1_000,
  editSpacingMs: 1_500,
};

/**
 * The assumed maximum difference (ms) between our clock and Slack's. Each search for a message covers this
 * much extra time.
 */
const skewMs = 5 * minute;

/**
 * The longest time (ms) that a message may take to appear in Slack after we saved its mark (the token of the
 * call that posts it). The call itself times out much sooner.
 */
const arrivalMs = minute;

/**
 * Returns the time range (ms, Slack's clock) in which the message sent under this mark may have been posted.
 * The range is as short as possible: Slack gives some apps only 15 messages a minute, so we cannot read a
 * second page (https://docs.slack.dev/apis/web-api/rate-limits).
 */
export function computeMarkedTimeRange(token: string): {readonly sinceMs: number; readonly untilMs: number} {
  const marked = Number.parseInt(token, 10);
  return {sinceMs: marked - skewMs, untilMs: marked + arrivalMs + skewMs};
}

/** Returns the time (ms, the store's clock) of the call for which this mark was saved. */
export function readMarkTime(token: string): number {
  return Number(token.split(':')[2] ?? 0);
}

export type Settlement = Omit<SlackOutcome, 'item'>;

/** The operations shared by all items of a channel. */
export interface ChannelWork {
  readonly waits: Waits;
  /**
   * Returns the wait (ms) before a call that has failed this many times is repeated; undefined if it is not
   * repeated.
   */
  waitAfter: (failure: ChatRefusal | UncertainResult, failures: number) => number | undefined;
  /**
   * Like `waitAfter`, but for repeating a search for a message. Rate limits count as failures too: each
   * search starts from the beginning, so a search that is always rate-limited would never reach the message.
   */
  waitToLook: (failure: ChatFailure, failures: number) => number | undefined;
  /**
   * Saves a mark (a token that identifies the call), then calls `send`. Returns undefined without sending if
   * the channel has just had a message, or if another process works on the channel or may be searching for
   * the message. While Slack accepts no posts, no mark is saved, and the result has no token.
   */
  sendMarked: <T>(
    lease: ChannelLease,
    item: SlackItem,
    target: {readonly parent?: string | undefined; readonly part?: number},
    send: () => Promise<ChatResult<T>>,
  ) => Promise<{token: string | undefined; result: ChatResult<T>} | undefined>;
  /**
   * Records the outcome of a step for an item. Returns false if another process has taken over the channel.
   */
  record: (lease: ChannelLease, item: SlackItem, settlement: Settlement) => Promise<boolean>;
  /**
   * Records that a message was posted. Returns false if another process took over the channel during the
   * call, and so found this message or sent its own. If the record then names another message, this one is
   * removed. `findTs` returns the `ts` of the recorded message.
   */
  recordPosted: (
    lease: ChannelLease,
    item: SlackItem,
    settlement: Settlement,
    posted: MessageReference & {readonly findTs: () => Promise<string | undefined>},
  ) => Promise<boolean>;
}

export interface ChannelWorkParts {
  readonly calls: Pick<ChatCalls<ChatMessage>, 'findPostLimit' | 'remove'>;
  readonly posts: Pick<SlackPosts, 'begin' | 'recordOutcome'>;
  /** Generates a unique token for a lease or a call. */
  readonly generateToken: () => string;
  /** The current time (ms) for comparison with times from Slack. */
  readonly slackNow: () => number;
  /** The store's clock (ms). */
  readonly now: () => number;
  readonly waits?: Partial<Waits>;
}

export function createChannelWork({
  calls,
  posts,
  generateToken,
  slackNow,
  now,
  ...parts
}: ChannelWorkParts): ChannelWork {
  const waits = {...standardWaits, ...parts.waits};
  const record: ChannelWork['record'] = (lease, item, settlement) =>
    posts.recordOutcome(lease, {item, ...settlement}, storeDeadline());

  return {
    waits,
    waitAfter(failure, failures) {
      if (failure.kind === 'unknown') return waits.unanswered[failures];
      return isTemporaryRefusal(failure) ? waits.closed[failures] : undefined;
    },
    waitToLook(failure, failures) {
      if (failure.kind !== 'refused') return waits.unanswered[failures];
      return mayLookLater(failure) ? waits.closed[failures] : undefined;
    },
    record,
    async recordPosted(lease, item, settlement, {ts, channel, findTs}) {
      if (await record(lease, item, settlement)) return true;
      if ((await findTs()) === ts) return false;
      await calls.remove(channel, ts);
      return false;
    },
    async sendMarked(lease, item, {parent, ...part}, send) {
      const limited = await calls.findPostLimit();
      if (limited !== undefined) return {token: undefined, result: limited};
      const token = `${slackNow()}:${generateToken()}:${Math.round(now())}`;
      const before = performance.now();
      const more = {...part, spacingMs: waits.spacingMs};
      if (!(await posts.begin(lease, item, token, parent, waits.leaseMs, storeDeadline(), more)))
        return undefined;
      if (performance.now() - before > waits.leaseMs / 2) {
        await record(lease, item, {token, clear: ['sending'], next: item.kind === 'day' ? 'settled' : 0});
        return undefined;
      }
      return {token, result: await send()};
    },
  };
}

/** Returns the deadline of one call to the store. */
export function storeDeadline(): number {
  return performance.now() + deadlines.job;
}
