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
   * Deletes some data of a workspace that is older than its retention. Returns the number of deleted
   * resources; 0 when none is left.
   */
  readonly purgeExpired: (workspace: Id<'workspace'>) => Promise<number>;
  /**
   * Skips events that are too old for a webhook that has fallen behind. Otherwise its position would keep the
   * log from being shortened.
   */
  readonly catchUp: Perform<{kind: 'catch-up'; webhook: IdSuffix<'webhook'>}>;
  /** Checks whether Slack still accepts the token in the environment. It never throws. */
  readonly checkSlack?: () => Promise<void>;
  readonly meter: Pick<Meter, 'countExpired'>;
  readonly log: Log;
}

/**
 * Does the maintenance that limits the growth of data. It gives up expired deliveries, and removes old
 * events, their lists of deliveries, and names of workspaces that were never created. It works in small
 * steps, may stop at any point, and may run twice at once. A failure in one workspace does not affect the
 * others.
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

  /**
   * True if data was deleted while the append-only file was being rewritten, so that another rewrite must
   * follow.
   */
  let owesRewrite = false;

  /**
   * Deletes expired data of a workspace. It disappears from memory at once, and from the disk when the
   * append-only file is rewritten.
   */
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
    // If no process reads the log for Slack any more, the position of this reader would keep the log from
    // being shortened. The reader is removed together with its waiting work.
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

/** Repeats a step until it finds nothing to do. */
async function repeatUntilNone(signal: AbortSignal, step: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await step()) > 0);
}

function callDeadline(): number {
  return performance.now() + deadlines.job;
}
