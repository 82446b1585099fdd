import {createNewDelivery} from '../domain/webhooks/delivery.js';
import type {LogEntry} from '../domain/events/event.js';
import {type Subscription, isActiveSubscriber} from '../domain/webhooks/webhook.js';
import type {Perform} from '../domain/core/work.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';
import type {Lag} from '../store/webhooks/deliveries.js';
import {callDeadline, type JobContext, type WakeHere} from './context.js';

/** The number of events read, and of deliveries created by one script with a key for each. */
const readAtOnce = 256;
const madeAtOnce = 120;

/** Consecutive events, and their effect on the webhook. */
interface CatchUpBatch {
  readonly to: number;
  /** The event at `to`; undefined when the log has no event in the range. */
  readonly last: LogEntry | undefined;
  readonly revision: number;
  readonly chosen: readonly LogEntry[];
}

/**
 * Creates the deliveries of a webhook that has fallen behind, from the event log, as space becomes available.
 * The webhook's revision at the time of an event decides whether the webhook gets it. So events from a time
 * when it was disabled are left out, however late they are read. An event that the log is about to delete
 * counts as missed. One script creates deliveries and moves the position, so this may run repeatedly and in
 * several processes.
 */
export function createCatchUpPerformer(
  {services, store, sha256}: JobContext,
  wake: WakeHere,
): Perform<{kind: 'catch-up'; webhook: IdSuffix<'webhook'>}> {
  const {events, records, deliveries, clock, retention, teams} = store;

  async function readCatchUpBatch(
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    lag: Lag,
  ): Promise<CatchUpBatch & {isOld: boolean}> {
    const found = await events.listAfter(workspace, lag.cursor, readAtOnce, callDeadline());
    const entries = found.filter(({sequence}) => sequence <= lag.fannedOut);
    const tooOld = clock.now() - retention.events * 1_000;
    // A jump of the clock must not make events look old.
    const firstYoung = clock.isSteady() ? entries.findIndex(({at}) => at > tooOld) : 0;
    const isOld = entries.length > 0 && firstYoung !== 0;
    // Only events before the first recent one are dropped. After an event with a wrong time, recent events
    // may look old.
    const old = firstYoung < 0 ? entries : entries.slice(0, firstYoung);
    return {isOld, ...(await chooseSubscribedEvents(workspace, webhook, lag, isOld ? old : entries))};
  }

  /**
   * Returns the webhook at this revision, or the current webhook if that revision is unknown. Events from
   * before the webhook's creation never come here.
   */
  async function findSubscription(
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    revision: number,
  ): Promise<Subscription | undefined> {
    const found =
      (await records.findRevision(workspace, webhook, revision, callDeadline())) ??
      (await records.findBySuffix(workspace, webhook, callDeadline()));
    return found && {...found, since: 0};
  }

  /** Returns the events to which the webhook subscribed when they happened, as many as one script handles. */
  async function chooseSubscribedEvents(
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
    lag: Lag,
    entries: readonly LogEntry[],
  ): Promise<CatchUpBatch> {
    let {revision} = lag;
    let subscription = await findSubscription(workspace, webhook, revision);
    const chosen: LogEntry[] = [];
    // The teams are read after the events, so that they are at least as new.
    const directory = await teams.fresh(workspace, callDeadline());
    const hidden = await services.findEventTeams({workspace, deadline: callDeadline()}, entries, directory);
    for (const [i, entry] of entries.entries()) {
      const ofEntry = hidden[i];
      if (entry.about === webhook && entry.revision !== revision) {
        revision = entry.revision;
        subscription = await findSubscription(workspace, webhook, revision);
      }
      if (
        subscription !== undefined &&
        ofEntry !== undefined &&
        isActiveSubscriber(subscription, entry, ofEntry)
      )
        chosen.push(entry);
      if (chosen.length === madeAtOnce) return {to: entry.sequence, last: entry, revision, chosen};
    }
    const last = entries.at(-1);
    return {to: last?.sequence ?? lag.fannedOut, last, revision, chosen};
  }

  /** Does one batch. Returns whether there is more to do, and whether deliveries were created. */
  async function catchUpOneBatch(
    workspace: Id<'workspace'>,
    webhook: IdSuffix<'webhook'>,
  ): Promise<{more: boolean; made: boolean}> {
    const lag = await deliveries.findLag(workspace, webhook, callDeadline());
    // The work remains in the list of due work, so the scheduler finds it again later.
    if (lag === undefined || (lag.isHeld && lag.cursor >= lag.fannedOut)) return {more: false, made: false};
    const {to, last, revision, chosen, isOld} = await readCatchUpBatch(workspace, webhook, lag);
    const made = isOld ? [] : chosen.map((entry) => createNewDelivery(sha256, entry, webhook));
    const outcome = await deliveries.catchUp(
      workspace,
      webhook,
      {from: lag.cursor, to, last, revision, missed: isOld ? chosen.length : 0, deliveries: made},
      callDeadline(),
    );
    const isDone = outcome === 'done' || outcome === 'abreast';
    return {more: outcome === 'done' || outcome === 'moved', made: isDone && made.length > 0};
  }

  return async function catchUpWebhook({workspace, work: {webhook}, until}) {
    for (;;) {
      const {more, made} = await catchUpOneBatch(workspace, webhook);
      if (made) wake(workspace, {kind: 'deliver', webhook});
      if (!more || performance.now() >= until) return {more};
    }
  };
}
