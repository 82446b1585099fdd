import {setTimeout as pause} from 'node:timers/promises';
import {lifetimes} from '../domain/core/limits.js';
import type {Perform} from '../domain/core/work.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';
import {callDeadline, createSystemCall, type JobContext} from './context.js';

/** The time (ms) that a page of workspaces takes at least, so that very many of them load the store little. */
const pageMs = 250;

/**
 * Does the maintenance that limits the growth of data. It gives up expired deliveries, and removes old
 * events, their lists of deliveries, and names of workspaces that were never created. It works in small
 * steps, may stop at any point, goes on there after a restart, and may run twice at once. A failure in one
 * workspace does not affect the others.
 */
export function createUpkeep(
  {store, services, checkSlack, meter, log}: JobContext,
  catchUp: Perform<{kind: 'catch-up'; webhook: IdSuffix<'webhook'>}>,
): (signal: AbortSignal) => Promise<void> {
  const {
    workspaces,
    workspaceBytes,
    frozen,
    events,
    subscriptions,
    deliveries,
    replays,
    ready,
    clock,
    retention,
    appendOnlyFile,
    slackInstallations,
  } = store;

  /** Gives up held deliveries whose time is over. Without a next attempt, nothing else would do it. */
  async function expireDeliveries(
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    before: number,
    signal: AbortSignal,
  ): Promise<void> {
    let cursor = '0';
    do {
      const found = await deliveries.expire(workspace, webhook, {before, cursor}, callDeadline());
      if (found.expired > 0) meter.countExpired(found.expired);
      cursor = found.cursor;
    } while (cursor !== '0' && !signal.aborted);
  }

  /** True if data was deleted while the append-only file was rewritten: another rewrite must follow. */
  let owesRewrite = false;

  /**
   * Deletes expired data of a workspace. It disappears from memory at once, and from the disk when the
   * append-only file is rewritten.
   */
  async function purgeExpiredData(workspace: Id<'workspace'>, signal: AbortSignal): Promise<void> {
    let purged = 0;
    await repeatUntilNone(signal, async () => {
      const some = await services.purgeExpired(createSystemCall(workspace));
      purged += some;
      return some;
    });
    if (purged > 0 || owesRewrite) owesRewrite = (await appendOnlyFile.rewrite(callDeadline())) === 'busy';
  }

  /**
   * Removes the reader for Slack if no process reads the log for Slack any more: its position would keep the
   * log from being shortened. Its waiting work goes with it.
   */
  async function removeIdleSlackReader(workspace: Id<'workspace'>, signal: AbortSignal): Promise<void> {
    const areRead = await slackInstallations.areRead(clock.now(), callDeadline());
    if (areRead && (await slackInstallations.find(workspace, callDeadline())) !== undefined) return;
    if (await events.removeIdleConsumer(workspace, 'slack', lifetimes.idleConsumer * 1_000, callDeadline()))
      await repeatUntilNone(signal, () => ready.clearSlack(workspace, callDeadline()));
  }

  async function maintainWorkspace(workspace: Id<'workspace'>, signal: AbortSignal): Promise<void> {
    await purgeExpiredData(workspace, signal);
    await removeIdleSlackReader(workspace, signal);
    const {webhooks} = await subscriptions.fresh(workspace, callDeadline());
    const overdue = clock.now() - retention.delivery * 1_000;
    const {last} = await events.findRange(workspace, 0, overdue, callDeadline());
    for (const {suffix} of webhooks) {
      await expireDeliveries(workspace, suffix, last + 1, signal);
      const work = {kind: 'catch-up', webhook: suffix} as const;
      while ((await catchUp({workspace, work, until: performance.now(), signal})).more && !signal.aborted);
    }
    await repeatUntilNone(signal, () => events.trim(workspace, callDeadline()));
    const oldest = (await events.span(workspace, callDeadline()))?.oldest ?? 0;
    for (const {suffix} of webhooks) {
      await repeatUntilNone(signal, () => deliveries.trim(workspace, suffix, oldest, callDeadline()));
      await repeatUntilNone(signal, () => replays.trim(workspace, suffix, callDeadline()));
    }
  }

  /** Maintains the next workspaces. Returns the cursor of those after them; undefined if it stopped before. */
  async function maintainPage(cursor: string, signal: AbortSignal): Promise<string | undefined> {
    const {workspaces: page, reserved, next} = await workspaces.listPage(cursor, callDeadline());
    await workspaces.sweepClaims(reserved, callDeadline());
    for (const {id} of page) {
      if (signal.aborted || !clock.isSteady()) return undefined;
      if (await frozen.isFrozen(id, callDeadline())) continue;
      await maintainWorkspace(id, signal).catch((error: unknown) =>
        log.warn({workspace: id, reason: String(error)}, 'could not remove old data; it will be retried'),
      );
    }
    await workspaces.keepUpkeepCursor(next, callDeadline());
    return next;
  }

  return async (signal) => {
    await checkSlack?.();
    let cursor: string | undefined = await workspaces.findUpkeepCursor(callDeadline());
    do {
      const endsAt = performance.now() + pageMs;
      cursor = await maintainPage(cursor, signal);
      if (cursor === undefined || signal.aborted) return;
      if (cursor !== '0') await pause(Math.max(0, endsAt - performance.now()), undefined, {signal});
    } while (cursor !== '0');
    await workspaceBytes.measure(callDeadline, signal);
  };
}

async function repeatUntilNone(signal: AbortSignal, step: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await step()) > 0);
}
