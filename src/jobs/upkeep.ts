import {deadlines, lifetimes, type Retention} from '../domain/core/limits.js';
import type {Log} from '../domain/core/log.js';
import type {Meter} from '../domain/core/meter.js';
import type {Perform} from '../domain/core/work.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';
import type {EventLog} from '../store/events/event-log.js';
import type {Deliveries} from '../store/webhooks/deliveries.js';
import type {Directory, WebhookDirectory} from '../store/core/directories.js';
import type {Replays} from '../store/webhooks/replays.js';
import type {Ready} from '../store/core/ready.js';
import type {WorkspaceBytes} from '../store/workspaces/workspace-bytes.js';
import type {Workspaces} from '../store/workspaces/workspaces.js';
import type {AppendOnlyFile} from '../store/core/append-only-file.js';

export interface UpkeepStore {
  readonly workspaces: Pick<Workspaces, 'list' | 'sweepClaims'>;
  readonly workspaceBytes: Pick<WorkspaceBytes, 'measure'>;
  readonly events: Pick<EventLog, 'removeIdleConsumer' | 'trim' | 'span' | 'findRange'>;
  readonly subscriptions: Pick<Directory<WebhookDirectory>, 'fresh'>;
  readonly deliveries: Pick<Deliveries, 'expire' | 'trim'>;
  readonly replays: Pick<Replays, 'trim'>;
  readonly ready: Pick<Ready, 'clearSlack'>;
  readonly clock: {now: () => number; isSteady: () => boolean};
  readonly retention: Pick<Retention, 'delivery'>;
  readonly appendOnlyFile: Pick<AppendOnlyFile, 'rewrite'>;
}

export interface UpkeepParts {
  readonly store: UpkeepStore;
  /**
   * Erases some of a workspace's data that is past its retention period; returns how many standups and other
   * resources, 0 when there are no more.
   */
  readonly purgeExpired: (workspace: Id<'workspace'>) => Promise<number>;
  /**
   * Skips events that are too old for a webhook that has fallen behind: its position in the log keeps that
   * from being trimmed.
   */
  readonly catchUp: Perform<{kind: 'catch-up'; webhook: IdSuffix<'webhook'>}>;
  /** Checks whether Slack still accepts the token in the environment. Never throws. */
  readonly checkSlack?: () => Promise<void>;
  readonly meter: Pick<Meter, 'countExpired'>;
  readonly log: Log;
}

/**
 * Limits all growth. Gives up deliveries that are still held when their time is over. Removes old events, the
 * lists of their deliveries, and the names of workspaces that were never created. Works in bounded steps, so
 * that a large amount delays no other work; safe to stop anywhere, and to run twice at once. A failure in one
 * workspace does not affect the others.
 */
export function createUpkeep({
  store,
  catchUp,
  purgeExpired,
  checkSlack,
  meter,
  log,
}: UpkeepParts): (signal: AbortSignal) => Promise<void> {
  const {
    workspaces,
    workspaceBytes,
    events,
    subscriptions,
    deliveries,
    replays,
    ready,
    clock,
    retention,
    appendOnlyFile,
  } = store;

  /** A held delivery has no next attempt at which it could be given up, so it is given up here. */
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

  /** Data was erased while the file was being rewritten. */
  let owesRewrite = false;

  /** Erased data is gone from memory at once; from the disk once the append-only file has been rewritten. */
  async function purgeExpiredData(workspace: Id<'workspace'>, signal: AbortSignal): Promise<void> {
    let purged = 0;
    await repeatUntilNone(signal, async () => {
      const some = await purgeExpired(workspace);
      purged += some;
      return some;
    });
    if (purged > 0 || owesRewrite) owesRewrite = (await appendOnlyFile.rewrite(callDeadline())) === 'busy';
  }

  async function maintainWorkspace(workspace: Id<'workspace'>, signal: AbortSignal): Promise<void> {
    await purgeExpiredData(workspace, signal);
    // A consumer that no process runs any more keeps the log from being trimmed. Then no process will ever do
    // the work that waits for Slack.
    if (await events.removeIdleConsumer(workspace, 'slack', lifetimes.idleConsumer * 1_000, callDeadline()))
      await repeatUntilNone(signal, () => ready.clearSlack(workspace, callDeadline()));
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

  return async (signal) => {
    await checkSlack?.();
    const all = await workspaces.list(callDeadline());
    for (const {id} of all) {
      if (signal.aborted || !clock.isSteady()) return;
      await maintainWorkspace(id, signal).catch((error: unknown) =>
        log.warn({workspace: id, reason: String(error)}, 'could not remove old data; it will be retried'),
      );
    }
    await workspaces.sweepClaims(callDeadline());
    const ids = all.map(({id}) => id);
    await workspaceBytes.measure(ids, callDeadline, signal);
  };
}

/** Repeats the step until it finds nothing to do. */
async function repeatUntilNone(signal: AbortSignal, step: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await step()) > 0);
}

function callDeadline(): number {
  return performance.now() + deadlines.job;
}
