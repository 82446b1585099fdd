import {deadlines} from '../../domain/core/limits.js';
import type {SlackClaimed, SlackItem, SlackOutcome} from '../../domain/slack/slack-post.js';
import {
  type ChatCalls,
  type ChatMessage,
  type ChatFailure,
  type ChatResult,
  type MessageReference,
  type ChatRefusal,
  type UncertainResult,
  mayLookLater,
  isTemporaryRefusal,
} from './chat.js';
import type {Id} from '../../domain/core/ids.js';
import type {ShowingContext} from './context.js';
import {standardWaits} from './waits.js';

/** The right of one process to work on a channel for a limited time, in which no other process does. */
export interface ChannelLease {
  readonly workspace: Id<'workspace'>;
  readonly channel: string;
  readonly holder: string;
  readonly claimed?: SlackClaimed;
}

/** The assumed maximum difference (ms) between our clock and Slack's, by which each search is extended. */
const skewMs = 300_000;

/** The longest time (ms) until a message appears in Slack after we saved its mark. Its call ends sooner. */
const arrivalMs = 60_000;

/**
 * Returns the time range (ms, Slack's clock) for the message of this mark, as short as possible: Slack gives
 * some apps 15 messages a minute (https://docs.slack.dev/apis/web-api/rate-limits).
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

export type ChannelWork = ReturnType<typeof createChannelWork>;

export function createChannelWork<M extends ChatMessage>(context: ShowingContext, calls: ChatCalls<M>) {
  const {posts, generateToken, slackNow, now} = context;
  const waits = {...standardWaits, ...context.waits};

  /** Records the outcome of a step for an item. Returns false if another process has taken over the channel. */
  const record = (lease: ChannelLease, item: SlackItem, settlement: Settlement): Promise<boolean> =>
    posts.recordOutcome(lease, {item, ...settlement}, storeDeadline());

  return {
    waits,
    record,
    /** Like `record`. If another process has taken over the channel, that process does the rest. */
    async recordOutcome(lease: ChannelLease, item: SlackItem, settlement: Settlement): Promise<void> {
      await record(lease, item, settlement);
    },
    /** Returns the wait (ms) after a call failed this often; undefined if the call is not repeated. */
    waitAfter(failure: ChatRefusal | UncertainResult, failures: number): number | undefined {
      if (failure.kind === 'unknown') return waits.unanswered[failures];
      return isTemporaryRefusal(failure) ? waits.closed[failures] : undefined;
    },
    /** Like `waitAfter`, for a search. Rate limits count too: otherwise a search might never end. */
    waitToLook(failure: ChatFailure, failures: number): number | undefined {
      if (failure.kind !== 'refused') return waits.unanswered[failures];
      return mayLookLater(failure) ? waits.closed[failures] : undefined;
    },
    /** Records a posted message. False: another process took over, and an unrecorded message is removed. */
    async recordPosted(
      lease: ChannelLease,
      item: SlackItem,
      settlement: Settlement,
      {ts, channel, findTs}: MessageReference & {readonly findTs: () => Promise<string | undefined>},
    ): Promise<boolean> {
      if (await record(lease, item, settlement)) return true;
      if ((await findTs()) === ts) return false;
      await calls.remove(channel, ts);
      return false;
    },
    /**
     * Saves a mark, then calls `send`. Undefined: nothing is sent, since the channel has just had a message
     * or another process works on it. No token: the chat accepts no posts, and no mark is saved.
     */
    async sendMarked<T>(
      lease: ChannelLease,
      item: SlackItem,
      {parent, ...part}: {readonly parent?: string | undefined; readonly part?: number},
      send: () => Promise<ChatResult<T>>,
    ): Promise<{token: string | undefined; result: ChatResult<T>} | undefined> {
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

export function storeDeadline(): number {
  return performance.now() + deadlines.job;
}
