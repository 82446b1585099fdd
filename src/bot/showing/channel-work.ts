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

/** One holder's lease on a channel: no other process works on it meanwhile. */
export interface ChannelLease {
  readonly workspace: Id<'workspace'>;
  readonly channel: string;
  readonly holder: string;
  readonly claimed?: SlackClaimed;
}

/** The waits after consecutive failures; after the last one the message is given up. */
export interface Waits {
  /** Slack did not answer, or is out of order. */
  readonly unanswered: readonly number[];
  /** Slack refuses for now: the bot is not in the channel, the channel is archived, or a scope is missing. */
  readonly closed: readonly number[];
  readonly leaseMs: number;
  /** The minimum time for which an event that our own code fails on holds up those behind it. */
  readonly eventMs: number;
  /**
   * The time between two messages to one channel, after the first two. Slack takes about one a second:
   * https://docs.slack.dev/apis/web-api/rate-limits
   */
  readonly spacingMs: number;
  /**
   * The time between two edits, and between two removals, in one workspace, after the first ten: never more
   * than 50 a minute. 0: not paced.
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

/** The tolerance between our clock and Slack's in a search for a message. */
const skewMs = 5 * minute;

/**
 * The time after its mark within which a message may still arrive in Slack: the call is given up much sooner.
 */
const arrivalMs = minute;

/**
 * Returns the range of instants (ms, by Slack's clock) in which the message under this mark may have been
 * posted. It is no wider than needed: Slack gives some apps 15 messages a minute, so they never see a second
 * page (https://docs.slack.dev/apis/web-api/rate-limits).
 */
export function markedTimeRange(token: string): {readonly sinceMs: number; readonly untilMs: number} {
  const marked = Number.parseInt(token, 10);
  return {sinceMs: marked - skewMs, untilMs: marked + arrivalMs + skewMs};
}

/** Returns the time of the call under this mark, by the store's clock (ms). */
export function markedAt(token: string): number {
  return Number(token.split(':')[2] ?? 0);
}

export type Settlement = Omit<SlackOutcome, 'item'>;

/** The operations shared by all items of a channel. */
export interface ChannelWork {
  readonly waits: Waits;
  /**
   * Returns the wait (ms) before a call that has failed so many times is made again; undefined when it is
   * not.
   */
  waitAfter: (failure: ChatRefusal | UncertainResult, failures: number) => number | undefined;
  /**
   * As `waitAfter`, for a search for a message. Rate limits count as failures too: each search begins at the
   * start, and may never get as far as the message.
   */
  waitToLook: (failure: ChatFailure, failures: number) => number | undefined;
  /**
   * Sends under a mark. Sends nothing and returns undefined when another holder has the channel, or when the
   * channel has just had a message. The same when so much of the lease has passed (a frozen process) that
   * another holder may search for the message. While Slack takes no posts nothing is marked: the result has
   * no token.
   */
  sendMarked: <T>(
    lease: ChannelLease,
    item: SlackItem,
    target: {readonly parent?: string | undefined; readonly part?: number},
    send: () => Promise<ChatResult<T>>,
  ) => Promise<{token: string | undefined; result: ChatResult<T>} | undefined>;
  /** False when another holder has taken over. */
  record: (lease: ChannelLease, item: SlackItem, settlement: Settlement) => Promise<boolean>;
  /**
   * Records that a message has been posted. False when another holder has taken over during the call: it has
   * found this message or sent its own; a message that no record mentions is removed. `findTs`: returns the
   * message recorded by then.
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
  /** Generates a unique token for a holder or a call. */
  readonly generateToken: () => string;
  /** Wall time (ms), compared with times from Slack's clock. */
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

/** Deadline of one call to the store. */
export function storeDeadline(): number {
  return performance.now() + deadlines.job;
}
