import {deadlines} from '../../domain/core/limits.js';
import type {SlackClaimed, SlackItem, SlackOutcome} from '../../domain/slack/slack-post.js';
import type {ChatCalls, ChatMessage, Failure, Outcome, Posted, Refused, Unknown} from './chat.js';
import {mayLookLater, mayPass} from './refusals.js';
import type {Id} from '../../domain/core/ids.js';
import type {SlackPosts} from '../../store/slack/slack-posts.js';

/** One holder's grip on a channel: nobody else works on it meanwhile. */
export interface Hold {
  readonly workspace: Id<'workspace'>;
  readonly channel: string;
  readonly holder: string;
  readonly claimed?: SlackClaimed;
}

/** How long to wait after each failure in a row; after the last one the message is given up. */
export interface Waits {
  /** Nobody answered, or Slack is out of order. */
  readonly unanswered: readonly number[];
  /**
   * Slack refuses what it may take later: the bot is not in the channel, it is archived, a scope is
   * missing.
   */
  readonly closed: readonly number[];
  readonly leaseMs: number;
  /** How long an event on which we fail ourselves holds up those behind it, at the least. */
  readonly eventMs: number;
  /**
   * Between two messages to one channel, after the first two. Slack takes about one a second:
   * https://docs.slack.dev/apis/web-api/rate-limits
   */
  readonly spacingMs: number;
  /**
   * Between two edits, and two removals, of one workspace, after the first ten: never more than 50 in a
   * minute. 0: not paced.
   */
  readonly turnMs: number;
}

const [minute, hour] = [60_000, 3_600_000];

export const standardWaits: Waits = {
  unanswered: [5_000, 15_000, minute, 5 * minute, 30 * minute, ...Array.from({length: 22}, () => hour)],
  closed: [minute, 5 * minute, 30 * minute, ...Array.from({length: 23}, () => hour)],
  leaseMs: 5_000,
  eventMs: minute,
  spacingMs: 1_000,
  turnMs: 1_500,
};

/** How far our clock and Slack's may differ when a message is looked for. */
const skewMs = 5 * minute;

/** How long after its mark a message may still come to stand in Slack: the call is given up much sooner. */
const arrivalMs = minute;

/**
 * Between which instants (ms, by Slack's clock) the message under this mark may have been posted. No wider
 * than needed: Slack gives some apps 15 messages a minute, so that they never see a second page
 * (https://docs.slack.dev/apis/web-api/rate-limits).
 */
export function markedWithin(token: string): {readonly sinceMs: number; readonly untilMs: number} {
  const marked = Number.parseInt(token, 10);
  return {sinceMs: marked - skewMs, untilMs: marked + arrivalMs + skewMs};
}

/** When the call under this mark was made, by the store's clock (ms). */
export function markedAt(token: string): number {
  return Number(token.split(':')[2] ?? 0);
}

export type Settlement = Omit<SlackOutcome, 'item'>;

/** The parts that work on every item of a channel. */
export interface ChannelWork {
  readonly waits: Waits;
  /** In how many ms a call that has failed so many times before is made again; undefined when it is not. */
  waitAfter: (failure: Refused | Unknown, failures: number) => number | undefined;
  /**
   * The same of a look for a message, where what Slack limits counts, too: each look begins at the start, and
   * may never get as far.
   */
  waitToLook: (failure: Failure, failures: number) => number | undefined;
  /**
   * Sends under a mark. Undefined when the channel is no longer ours, or has just had a message, or so much
   * of the lease has gone by (a frozen process) that somebody else may be about to look for the message:
   * then nothing is sent. Where Slack takes no posts nothing is marked either: no token.
   */
  sendMarked: <T>(
    hold: Hold,
    item: SlackItem,
    place: {readonly parent?: string | undefined; readonly part?: number},
    send: () => Promise<Outcome<T>>,
  ) => Promise<{token: string | undefined; result: Outcome<T>} | undefined>;
  /** False when somebody else has taken over. */
  record: (hold: Hold, item: SlackItem, settlement: Settlement) => Promise<boolean>;
  /**
   * Records that a message has been posted. False when somebody else has taken over while the call was
   * under way: they have found this message or sent their own, and one that nobody knows of is removed.
   * `findTs`: the message that is known by then.
   */
  recordPosted: (
    hold: Hold,
    item: SlackItem,
    settlement: Settlement,
    posted: Posted & {readonly findTs: () => Promise<string | undefined>},
  ) => Promise<boolean>;
}

export interface ChannelWorkParts {
  readonly calls: Pick<ChatCalls<ChatMessage>, 'findPostLimit' | 'remove'>;
  readonly posts: Pick<SlackPosts, 'begin' | 'settle'>;
  /** Draws what tells one holder, or one call, from all others. */
  readonly drawToken: () => string;
  /** Wall time (ms), compared with what Slack's clock says. */
  readonly slackNow: () => number;
  /** The store's clock (ms). */
  readonly now: () => number;
  readonly waits?: Partial<Waits>;
}

export function createChannelWork({
  calls,
  posts,
  drawToken,
  slackNow,
  now,
  ...parts
}: ChannelWorkParts): ChannelWork {
  const waits = {...standardWaits, ...parts.waits};
  const record: ChannelWork['record'] = (hold, item, settlement) =>
    posts.settle(hold, {item, ...settlement}, within());

  return {
    waits,
    waitAfter(failure, failures) {
      if (failure.kind === 'unknown') return waits.unanswered[failures];
      return mayPass(failure) ? waits.closed[failures] : undefined;
    },
    waitToLook(failure, failures) {
      if (failure.kind !== 'refused') return waits.unanswered[failures];
      return mayLookLater(failure) ? waits.closed[failures] : undefined;
    },
    record,
    async recordPosted(hold, item, settlement, {ts, channel, findTs}) {
      if (await record(hold, item, settlement)) return true;
      if ((await findTs()) === ts) return false;
      await calls.remove(channel, ts);
      return false;
    },
    async sendMarked(hold, item, {parent, ...part}, send) {
      const limited = await calls.findPostLimit();
      if (limited !== undefined) return {token: undefined, result: limited};
      const token = `${slackNow()}:${drawToken()}:${Math.round(now())}`;
      const before = performance.now();
      const more = {...part, spacingMs: waits.spacingMs};
      if (!(await posts.begin(hold, item, token, parent, waits.leaseMs, within(), more))) return undefined;
      if (performance.now() - before > waits.leaseMs / 2) {
        await record(hold, item, {token, clear: ['sending'], next: item.kind === 'day' ? 'settled' : 0});
        return undefined;
      }
      return {token, result: await send()};
    },
  };
}

/** Deadline of one call to the store. */
export function within(): number {
  return performance.now() + deadlines.job;
}
