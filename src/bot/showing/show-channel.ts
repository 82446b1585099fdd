import {AppError} from '../../domain/core/errors.js';
import type {Id} from '../../domain/core/ids.js';
import type {Perform} from '../../domain/core/work.js';
import {type SlackItem, slackItemName} from '../../domain/slack/slack-post.js';
import {createChannelWork, type ChannelLease, storeDeadline} from './channel-work.js';
import type {ChatMessage} from './chat.js';
import {createCommentMessages} from './comments.js';
import {createCopyMessages} from './copies.js';
import {createDayMessages} from './days.js';
import {createFailures} from './failures.js';
import {createNoticeMessages} from './notices.js';
import {createPromptMessages} from './prompts.js';
import {createReconciler, type ChannelContext} from './reconcile.js';
import {createReportMessages} from './reports.js';
import {createStandupMessages} from './standups.js';
import {createWeekMessages} from './weeks.js';
import type {ShowingContext} from './context.js';
import type {UnshownItem} from '../../service/slack/slack-failures.js';

/** Does the due steps of one channel, item by item. Only one process works on a channel at a time. */
export function createShowChannelJob<M extends ChatMessage>(
  parts: ShowingContext &
    Pick<ChannelContext<M>, 'chat' | 'lookAt' | 'lookAtStatus'> & {
      /** Counts how often our own code has failed on an item since the process started. */
      readonly countError: (item: string) => number;
    },
): Perform<{kind: 'post-slack'; channel: string}> {
  const {chat, services, posts, slackTroubles, log, generateToken} = parts;
  const work = createChannelWork(parts, chat.calls);
  const failures = createFailures(chat.name, work, log);
  const {reconcile, ensure} = createReconciler(chat, work, failures);
  const context: ChannelContext<M> = {...parts, work, failures};
  const days = createDayMessages(context, {reconcile, ensure});
  const standups = createStandupMessages(context, days);
  const reports = createReportMessages(context, days);
  const weeks = createWeekMessages(context);
  const copies = createCopyMessages(context);
  const comments = createCommentMessages(context);
  const notices = createNoticeMessages(context);
  const prompts = createPromptMessages(context);

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
      case 'copy':
        return reconcile(copies, lease, item);
      case 'comment':
        return reconcile(comments, lease, item);
      case 'notice':
        return reconcile(notices, lease, item);
      case 'prompt':
        return reconcile(prompts, lease, item);
      case 'counts':
        return showCounts(lease, item);
      case 'trouble':
        return refreshTroubleNotices(lease, item);
    }
  }

  /** Asks for the edit of a standup's message, which has waited for more reactions and comments. */
  async function showCounts(lease: ChannelLease, item: SlackItem & {readonly kind: 'counts'}): Promise<void> {
    const {workspace, channel} = lease;
    const standup = {kind: 'standup', suffix: item.suffix} as const;
    await posts.refresh(workspace, [{channel, item: standup}], storeDeadline());
    await work.record(lease, item, {next: 'settled'});
  }

  /** Updates the notices about a channel's delivery problem, so that they say that it is over. */
  async function refreshTroubleNotices(lease: ChannelLease, item: SlackItem): Promise<void> {
    for (const person of await slackTroubles.refresh(lease.workspace, lease.channel, storeDeadline()))
      parts.wake(lease.workspace, {kind: 'post-slack', channel: person});
    await work.record(lease, item, {next: 'settled'});
  }

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

  /** Does the next step for an item. If our own code fails, the item is postponed and finally given up. */
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
    const report = (unshown: UnshownItem) =>
      services.slackFailures.reportUnshown(parts.jobCall(workspace), unshown, 'internal_error');
    if (item.kind === 'digest') return report(item);
    const post =
      item.kind === 'standup' ? await posts.find(workspace, item.suffix, storeDeadline()) : undefined;
    if (post === undefined || post.want === 'deleted') return;
    const {suffix, team, want: revision} = post;
    await report({kind: 'standup', suffix, revision, team});
  }
}
