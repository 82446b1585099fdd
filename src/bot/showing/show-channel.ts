import {AppError} from '../../domain/core/errors.js';
import type {Id} from '../../domain/core/ids.js';
import type {Log} from '../../domain/core/log.js';
import type {Meter} from '../../domain/core/meter.js';
import type {Perform, Work} from '../../domain/core/work.js';
import {type SlackItem, slackItemName} from '../../domain/slack/slack-post.js';
import type {ChannelViews} from '../../service/slack/channel-views.js';
import type {Prompts} from '../../store/prompts/prompts.js';
import type {SlackPosts} from '../../store/slack/slack-posts.js';
import {createChannelWork, type ChannelLease, type Waits, storeDeadline} from './channel-work.js';
import type {Chat, ChatMessage} from './chat.js';
import {createDayMessages} from './days.js';
import {createFailures} from './failures.js';
import {createNoticeMessages} from './notices.js';
import {createPromptMessages} from './prompts.js';
import {createReconciler} from './reconcile.js';
import {createReportMessages} from './reports.js';
import {createStandupMessages} from './standups.js';
import type {Troubles} from './troubles.js';
import {createWeekMessages} from './weeks.js';

export interface ShowChannelParts<M extends ChatMessage> {
  readonly chat: Chat<M>;
  readonly views: ChannelViews;
  readonly posts: SlackPosts;
  readonly prompts: Prompts;
  readonly troubles: Troubles & {
    readonly refresh: (
      workspace: Id<'workspace'>,
      channel: string,
      deadline: number,
    ) => Promise<readonly string[]>;
  };
  /**
   * Counts how often our own code has failed on an item since the process started, and returns that number.
   */
  readonly countError: (item: string) => number;
  /** Finds out why messages to a person are no longer delivered. Never rejects. */
  readonly lookAt: (hold: Pick<ChannelLease, 'workspace'>, person: string) => Promise<void>;
  readonly meter: Pick<Meter, 'countUnshown'>;
  /** Starts posting to a channel at once, without waiting for the scheduler. */
  readonly wake: (workspace: Id<'workspace'>, work: Work) => void;
  readonly log: Log;
  /** The name of this worker process. */
  readonly holder: string;
  /** Generates a unique token for a lease or a call. */
  readonly generateToken: () => string;
  /** The store's clock (ms). */
  readonly now: () => number;
  /** The current time (ms) for comparison with times from the chat. */
  readonly slackNow: () => number;
  readonly waits?: Partial<Waits>;
}

/**
 * Makes one channel show what it should: does the due steps, item by item. Only one process works on a
 * channel at a time.
 */
export function createShowChannelJob<M extends ChatMessage>(
  parts: ShowChannelParts<M>,
): Perform<{kind: 'post-slack'; channel: string}> {
  const {chat, views, posts, troubles, log, generateToken} = parts;
  const work = createChannelWork({...parts, calls: chat.calls});
  const failures = createFailures({chatName: chat.name, work, log});
  const {reconcile, ensure} = createReconciler({chat, work, failures});
  const days = createDayMessages({posts, chat, views, work, reconciler: {reconcile, ensure}});
  const shared = {...parts, work, failures, days};
  const standups = createStandupMessages(shared);
  const reports = createReportMessages(shared);
  const weeks = createWeekMessages(shared);
  const notices = createNoticeMessages(shared);
  const prompts = createPromptMessages(shared);

  return async ({workspace, work: {channel}, until, signal}) => {
    const hold = {workspace, channel, holder: `${parts.holder}.${generateToken()}`};
    while (performance.now() < until && !signal.aborted) {
      const claim = await posts.claim(hold, work.waits.leaseMs, storeDeadline());
      if (claim.kind !== 'due') return {more: false};
      await runWhileRenewingLease(hold, () =>
        doNextStepOrPostponeItem({...hold, claimed: claim}, claim.item),
      );
    }
    return {more: await posts.release(hold, storeDeadline())};
  };

  function doNextStepForItem(lease: ChannelLease, item: SlackItem): Promise<void> {
    switch (item.kind) {
      case 'standup':
        return reconcile(standups, lease, item);
      case 'day':
        return days.show(lease, item);
      case 'digest':
        return reconcile(reports, lease, item);
      case 'week':
        return reconcile(weeks, lease, item);
      case 'notice':
        return reconcile(notices, lease, item);
      case 'prompt':
        return reconcile(prompts, lease, item);
      case 'trouble':
        return refreshTroubleNotices(lease, item);
    }
  }

  /**
   * Updates the notices that told people about a channel's delivery problem, so that they say that it is
   * over.
   */
  async function refreshTroubleNotices(lease: ChannelLease, item: SlackItem): Promise<void> {
    for (const person of await troubles.refresh(lease.workspace, lease.channel, storeDeadline()))
      parts.wake(lease.workspace, {kind: 'post-slack', channel: person});
    await work.record(lease, item, {next: 'settled'});
  }

  /** Renews the lease on the channel during a call to the chat. */
  async function runWhileRenewingLease(lease: ChannelLease, step: () => Promise<void>): Promise<void> {
    const {leaseMs} = work.waits;
    const renew = () => void posts.renew(lease, leaseMs, storeDeadline()).catch(() => {});
    const timer = setInterval(renew, leaseMs / 5);
    try {
      await step();
    } finally {
      clearInterval(timer);
    }
  }

  /**
   * Does the next step for an item. If our own code fails on it, the item is postponed, so that later items
   * continue. When all waits are used, we stop trying to show the item.
   */
  async function doNextStepOrPostponeItem(lease: ChannelLease, item: SlackItem): Promise<void> {
    try {
      await doNextStepForItem(lease, item);
    } catch (error) {
      const {workspace, channel} = lease;
      const fields = {workspace, channel, item: slackItemName(item)};
      // While the store is unavailable, a failure may have nothing to do with the item.
      const isAway = error instanceof AppError && error.code === 'service_unavailable';
      const wait = work.waits.unanswered[isAway ? 1 : parts.countError(Object.values(fields).join(' '))];
      if (isAway)
        log.warn(
          {...fields, code: error.code},
          'showing an item of a channel later: the store is unavailable',
        );
      else if (wait === undefined) log.error(fields, `an item is given up for ${chat.name}`, error);
      else log.error(fields, 'showing an item of a channel later', error);
      await work.record(lease, item, {next: wait ?? 'settled'});
      if (wait !== undefined) return;
      parts.meter.countUnshown('item');
      await reportGivenUp(workspace, item).catch(() => undefined);
    }
  }

  async function reportGivenUp(workspace: Id<'workspace'>, item: SlackItem): Promise<void> {
    if (item.kind === 'digest') return troubles.reportUnshown(workspace, item, 'internal_error');
    const post =
      item.kind === 'standup' ? await posts.find(workspace, item.suffix, storeDeadline()) : undefined;
    if (post === undefined || post.want === 'deleted') return;
    const {suffix, team, want: revision} = post;
    await troubles.reportUnshown(workspace, {kind: 'standup', suffix, revision, team}, 'internal_error');
  }
}
