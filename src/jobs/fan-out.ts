import {createCache} from '../domain/core/cache.js';
import {type NewDelivery, createNewDelivery} from '../domain/webhooks/delivery.js';
import type {EventTeams, LogEntry} from '../domain/events/event.js';
import type {TeamDirectory} from '../domain/teams/team.js';
import {isActiveSubscriber} from '../domain/webhooks/webhook.js';
import {noSliceSpan, type SliceSpan} from '../domain/core/tracer.js';
import type {Perform} from '../domain/core/work.js';
import {callDeadline, type JobContext, standardLeaseMs, type WakeHere} from './context.js';
import type {Deliver} from './deliver.js';
import {createRecentEventCache, type KnownEvents} from './known-events.js';
import {defaultSettings} from '../domain/webhooks/webhook-settings.js';
import type {Id, IdSuffix} from '../domain/core/ids.js';
import type {FanOutResult, HandedDeliveries} from '../store/webhooks/deliveries.js';
import type {WebhookDirectory} from '../store/core/directories.js';

/**
 * The number of events read at a time, which is also roughly the number of their deliveries. While the
 * scripts of a batch run, the store does nothing else.
 */
const batch = 128;
const madePerBatch = 2_560;
/** The largest number of workspaces whose position in the log is cached, the last used ones. */
const maxCursors = 1_000;
/** The largest number of deliveries created by one script, which uses at most 200 keys. */
const madeAtOnce = 60;

const noHiddenTeams: EventTeams = {ids: [], closes: false};

/** The part of a worker that sends deliveries as soon as they are created. */
export type DeliveryTaker = Pick<Deliver, 'mayTake' | 'take'>;

const takesNothing: DeliveryTaker = {mayTake: () => false, take: () => undefined};

/** Consecutive events whose deliveries one script creates. */
interface FanOutBatch {
  readonly from: number;
  last: LogEntry;
  readonly made: NewDelivery[];
}

/**
 * Creates the deliveries of all new events for all webhooks. One script creates all deliveries of an event
 * and moves the position in the log, so this may run repeatedly and in several processes. `recent`: a cache of
 * events that is shared with the claims of this process. `taker`: gets new deliveries of webhooks for which
 * nothing waits. All other deliveries wait until a worker claims them.
 */
export function createFanOutPerformer(
  {services, store, sha256, leaseMs = standardLeaseMs}: JobContext,
  wake: WakeHere,
  recent: KnownEvents = createRecentEventCache(),
  taker: DeliveryTaker = takesNothing,
): Perform<{kind: 'fan-out'}> {
  const {events, subscriptions, deliveries, teams} = store;
  const {findEventTeams} = services;
  /**
   * The position in each workspace's log up to which this process has handled events. Other processes may
   * have continued, so the script uses the stored position.
   */
  const cursors = createCache<number>(maxCursors);

  function findCursor(workspace: Id<'workspace'>): Promise<number | undefined> {
    return events.findCursor(workspace, 'webhooks', callDeadline());
  }

  /** Splits events into batches. The deliveries of an event stay together. */
  function splitIntoBatches(
    entries: readonly LogEntry[],
    {webhooks}: WebhookDirectory,
    hidden: readonly EventTeams[],
  ): FanOutBatch[] {
    const portions: FanOutBatch[] = [];
    for (const [i, entry] of entries.entries()) {
      const ofEntry = hidden[i];
      if (ofEntry === undefined) continue;
      const made = webhooks
        .filter((webhook) => isActiveSubscriber(webhook, entry, ofEntry))
        .map(({suffix}) => createNewDelivery(sha256, entry, suffix));
      const portion = portions.at(-1);
      if (portion === undefined || portion.made.length + made.length > madeAtOnce) {
        portions.push({from: entry.sequence, last: entry, made});
      } else {
        portion.last = entry;
        portion.made.push(...made);
      }
    }
    return portions;
  }

  /** Reads the data for the bodies while the deliveries are created, which are then claimed at once. */
  function readEventsAhead(
    workspace: Id<'workspace'>,
    entries: readonly LogEntry[],
    made: readonly NewDelivery[],
    results: Promise<readonly FanOutResult[]>,
  ): void {
    const wanted = new Set(made.map(({sequence}) => sequence));
    const some = entries.filter(({sequence}) => wanted.has(sequence));
    const areMade = results.then((all) => all.every(isDone));
    const read = events.prepare(workspace, some, areMade, callDeadline()).catch(() => undefined);
    recent.note(workspace, made, some, read);
  }

  /** Creates the deliveries of events in batches, and returns the result of each batch. */
  async function createEventDeliveries(
    workspace: Id<'workspace'>,
    entries: readonly LogEntry[],
    directory: WebhookDirectory,
    known: TeamDirectory | undefined,
    span: SliceSpan,
  ): Promise<readonly FanOutResult[]> {
    const asked = {workspace, deadline: callDeadline()};
    const hidden =
      known === undefined ? entries.map(() => noHiddenTeams) : await findEventTeams(asked, entries, known);
    const portions = splitIntoBatches(entries, directory, hidden);
    // The script makes nothing if the teams have changed since, so that no event of a private team gets out.
    const versions = {...directory, teams: known};
    const made = portions.flatMap((portion) => portion.made);
    const webhooks = [...new Set(made.map(({webhook}) => webhook))];
    const taken = new Set(webhooks.filter((webhook) => taker.mayTake(workspace, webhook)));
    const terms = {webhooks: taken, concurrency: defaultSettings.concurrency, leaseMs};
    const since = performance.now();
    // Deliveries are taken as soon as they exist. Later, their URL might be older than one of a claim, and the
    // failure of another batch would leave them to the end of their leases.
    const create = async (portion: FanOutBatch): Promise<FanOutResult> => {
      const result = await deliveries.fanOut(
        workspace,
        portion,
        versions,
        portion.made,
        callDeadline(),
        terms,
      );
      for (const one of result.handed) taker.take(workspace, one, since, span);
      return result;
    };
    // The batches are sent together and run in order. Each fails unless the one before has moved the
    // position.
    const results = Promise.all(portions.map(create));
    readEventsAhead(workspace, entries, made, results);
    // The new work is reported before the store has answered. Claims that are sent after the creation find
    // the new deliveries.
    const late = webhooks.filter(
      (webhook) => taken.has(webhook) || !wake(workspace, {kind: 'deliver', webhook}),
    );
    const handed = (await results).flatMap((one) => one.handed);
    const waiting = findWaitingWebhooks(made, handed);
    for (const webhook of late) if (waiting.has(webhook)) wake(workspace, {kind: 'deliver', webhook});
    return results;
  }

  return async function fanOutEvents({workspace, until, span = noSliceSpan}) {
    let directory = await subscriptions.get(workspace, callDeadline());
    let known = directory.webhooks.length === 0 ? undefined : await teams.get(workspace, callDeadline());
    let cursor = cursors.get(workspace) ?? (await findCursor(workspace));
    while (cursor !== undefined && performance.now() < until) {
      const most = Math.ceil(madePerBatch / Math.max(1, directory.webhooks.length));
      const entries = await events.listNext(workspace, cursor, Math.min(batch, most), callDeadline());
      if (entries.length === 0) {
        cursors.delete(workspace);
        return {more: await events.removeCaughtUpConsumer(workspace, 'webhooks', callDeadline())};
      }
      for (const {trace} of entries) span.link(trace);
      const results = await createEventDeliveries(workspace, entries, directory, known, span);
      if (results.some(({outcome}) => outcome === 'stale')) {
        directory = await subscriptions.fresh(workspace, callDeadline());
        known = directory.webhooks.length === 0 ? undefined : await teams.fresh(workspace, callDeadline());
      }
      if (results.every(isDone)) {
        cursor = entries.at(-1)?.sequence ?? cursor;
        cursors.set(workspace, cursor);
        if (results.at(-1)?.outcome === 'ended') return {more: false};
      } else {
        cursors.delete(workspace);
        cursor = await findCursor(workspace);
      }
    }
    return {more: cursor !== undefined};
  };
}

function isDone({outcome}: FanOutResult): boolean {
  return outcome === 'done' || outcome === 'ended';
}

/** Returns the webhooks of which some deliveries were not handed to this worker. */
function findWaitingWebhooks(
  made: readonly NewDelivery[],
  handed: readonly HandedDeliveries[],
): Set<IdSuffix<'webhook'>> {
  const held = new Set(handed.flatMap(({claims}) => claims.map(({suffix}) => suffix)));
  return new Set(made.filter(({suffix}) => !held.has(suffix)).map(({webhook}) => webhook));
}
