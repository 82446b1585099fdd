import {createCache} from '../domain/core/cache.js';
import {type NewDelivery, createNewDelivery} from '../domain/webhooks/delivery.js';
import type {EventTeams, LogEntry} from '../domain/events/event.js';
import type {TeamDirectory} from '../domain/teams/team.js';
import {isActiveSubscriber} from '../domain/webhooks/webhook.js';
import {noSliceSpan} from '../domain/core/tracer.js';
import type {Perform} from '../domain/core/work.js';
import {callDeadline, type JobContext, type WakeHere} from './context.js';
import {createRecentEventCache, type KnownEvents} from './known-events.js';
import type {Id} from '../domain/core/ids.js';
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

/** Consecutive events whose deliveries one script creates. */
interface FanOutBatch {
  readonly from: number;
  last: LogEntry;
  readonly made: NewDelivery[];
}

/**
 * Creates the deliveries of all new events for all webhooks. One script creates all deliveries of an event
 * and moves the position in the log, so this may run repeatedly and in several processes. `recent`: a cache of
 * events that is shared with the claims of this process.
 */
export function createFanOutPerformer(
  {services, store, sha256}: JobContext,
  wake: WakeHere,
  recent: KnownEvents = createRecentEventCache(),
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
    outcomes: Promise<readonly string[]>,
  ): void {
    const wanted = new Set(made.map(({sequence}) => sequence));
    const some = entries.filter(({sequence}) => wanted.has(sequence));
    const areMade = outcomes.then((all) => all.every(isDoneOutcome));
    const read = events.prepare(workspace, some, areMade, callDeadline()).catch(() => undefined);
    recent.note(workspace, made, some, read);
  }

  /** Creates the deliveries of events in batches, and returns the result of each batch. */
  async function createEventDeliveries(
    workspace: Id<'workspace'>,
    entries: readonly LogEntry[],
    directory: WebhookDirectory,
    known: TeamDirectory | undefined,
  ): Promise<readonly ('done' | 'ended' | 'moved' | 'stale')[]> {
    const asked = {workspace, deadline: callDeadline()};
    const hidden =
      known === undefined ? entries.map(() => noHiddenTeams) : await findEventTeams(asked, entries, known);
    const portions = splitIntoBatches(entries, directory, hidden);
    // The script makes nothing if the teams have changed since, so that no event of a private team gets out.
    const versions = {...directory, teams: known};
    // The batches are sent together and run in order. Each fails unless the one before has moved the
    // position.
    const outcomes = Promise.all(
      portions.map((span) => deliveries.fanOut(workspace, span, versions, span.made, callDeadline())),
    );
    const made = portions.flatMap((portion) => portion.made);
    readEventsAhead(workspace, entries, made, outcomes);
    // The new work is reported before the store has answered. Claims that are sent after the creation find
    // the new deliveries.
    const webhooks = [...new Set(made.map(({webhook}) => webhook))];
    const late = webhooks.filter((webhook) => !wake(workspace, {kind: 'deliver', webhook}));
    await outcomes;
    for (const webhook of late) wake(workspace, {kind: 'deliver', webhook});
    return outcomes;
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
      const outcomes = await createEventDeliveries(workspace, entries, directory, known);
      if (outcomes.includes('stale')) {
        directory = await subscriptions.fresh(workspace, callDeadline());
        known = directory.webhooks.length === 0 ? undefined : await teams.fresh(workspace, callDeadline());
      }
      if (outcomes.every(isDoneOutcome)) {
        cursor = entries.at(-1)?.sequence ?? cursor;
        cursors.set(workspace, cursor);
        if (outcomes.at(-1) === 'ended') return {more: false};
      } else {
        cursors.delete(workspace);
        cursor = await findCursor(workspace);
      }
    }
    return {more: cursor !== undefined};
  };
}

function isDoneOutcome(outcome: string): boolean {
  return outcome === 'done' || outcome === 'ended';
}
