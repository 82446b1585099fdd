import type {EventTeams, LogEntry} from '../domain/events/event.js';
import {type Id, suffixOf, type IdSuffix} from '../domain/core/ids.js';
import {
  type EarlierDelivery,
  isSelectedForReplay,
  replayAhead,
  createReplayedDeliverySuffix,
} from '../domain/webhooks/replay.js';
import {isSubscribedTo, type Subscription} from '../domain/webhooks/webhook.js';
import type {Perform} from '../domain/core/work.js';
import type {ReplayedDelivery, ReplayLook, Replays} from '../store/webhooks/replays.js';
import {callDeadline, completeWork, type JobContext, type WakeHere} from './context.js';

/** True for an event to which the webhook subscribes. `hidden`: the private teams of the event. */
function isWanted(subscription: Subscription, entry: LogEntry, hidden: EventTeams | undefined): boolean {
  return hidden !== undefined && isSubscribedTo(subscription, entry, hidden);
}

const scannedAtOnce = 256;
/** The number of deliveries that one script creates. Each needs a key, and a script uses at most 200. */
const madeAtOnce = 60;

/** The longest wait of a replay (ms), if no result of a delivery wakes it earlier. */
const safetyMs = 15_000;
/** The time (ms) until the next check of a cancelled replay's requests, or of new events. */
const recheckMs = 1_000;

/**
 * Sends the events of a period to a webhook again, step by step. One script creates the deliveries of some
 * events and moves the replay's position, so this may run repeatedly and in several processes. The number of
 * unfinished deliveries is limited.
 */
export function createReplayPerformer(
  context: JobContext,
  wake: WakeHere,
): Perform<{kind: 'replay'; replay: IdSuffix<'replay'>}> {
  const {services, store, sha256} = context;
  const {events, subscriptions, replays, retention, teams} = store;

  /** Does one step of a replay. Returns true while more can be done at once. */
  async function performReplayStep(
    workspace: Id<'workspace'>,
    work: {kind: 'replay'; replay: IdSuffix<'replay'>},
  ): Promise<boolean> {
    const replay = await replays.look(workspace, work.replay, callDeadline());
    const {webhooks} = await subscriptions.fresh(workspace, callDeadline());
    const subscription = webhooks.find(({id}) => id === replay?.plan.webhook);
    if (replay === undefined || subscription === undefined || replay.progress.state === 'completed') {
      await completeWork(context, workspace, work);
      return false;
    }
    const {plan, progress} = replay;
    const unfinished = plan.dryRun ? 0 : progress.matched - progress.succeeded - progress.failed;
    if (progress.state === 'cancelled') {
      await replays.takeBack(workspace, replay, callDeadline());
      if (unfinished > 0) await replays.wait(workspace, replay, recheckMs, callDeadline());
      else await completeWork(context, workspace, work);
      return false;
    }
    if (progress.cursor >= plan.last && unfinished <= 0) {
      await replays.complete(workspace, replay, callDeadline());
      return false;
    }
    const isFull = unfinished > replayAhead - madeAtOnce;
    const mayMake = plan.dryRun || subscription.enabled;
    const reachable = Math.min(plan.last, replay.fannedOut);
    if (progress.cursor >= plan.last || isFull || !mayMake || progress.cursor >= reachable) {
      const ms = !isFull && mayMake && reachable < plan.last ? recheckMs : safetyMs;
      await replays.wait(workspace, replay, ms, callDeadline());
      return false;
    }
    if ((await createNextDeliveries(workspace, replay, subscription, reachable)) !== 'full') return true;
    await replays.wait(workspace, replay, safetyMs, callDeadline());
    return false;
  }

  async function createNextDeliveries(
    workspace: Id<'workspace'>,
    replay: ReplayLook,
    subscription: Subscription,
    reachable: number,
  ): Promise<Awaited<ReturnType<Replays['advance']>>> {
    const {plan, progress} = replay;
    const webhook = suffixOf(plan.webhook);
    const entries = (
      await events.listAfter(workspace, progress.cursor, scannedAtOnce, callDeadline())
    ).filter(({sequence}) => sequence <= reachable);
    // The teams are read after the events, so that they are at least as new.
    const directory = await teams.fresh(workspace, callDeadline());
    const hidden = await services.findEventTeams({workspace, deadline: callDeadline()}, entries, directory);
    // Events before the first log entry are no longer stored.
    const span = {from: entries[0]?.sequence ?? reachable, to: entries.at(-1)?.sequence ?? reachable};
    // A replay of all events ignores earlier deliveries, of which there may be very many.
    const earlier =
      plan.only === 'all'
        ? {deliveries: new Map<number, EarlierDelivery[]>(), to: span.to}
        : await replays.listEarlier(workspace, webhook, span, callDeadline());
    const chosen = entries.filter(
      (entry, i) =>
        entry.sequence <= earlier.to &&
        isWanted(subscription, entry, hidden[i]) &&
        (plan.types === null || plan.types.includes(entry.type)) &&
        entry.at > replay.now - retention.delivery * 1_000 &&
        isSelectedForReplay(plan.only, earlier.deliveries.get(entry.sequence) ?? []),
    );
    const made = plan.dryRun ? chosen : chosen.slice(0, madeAtOnce);
    const to = made.length < chosen.length ? (made.at(-1)?.sequence ?? earlier.to) : earlier.to;
    const deliveries = plan.dryRun ? [] : await prepareDeliveries(workspace, replay, made);
    const step = {to, matched: made.length, deliveries};
    const outcome = await replays.advance(workspace, replay, step, callDeadline());
    if (outcome === 'done' && deliveries.length > 0) wake(workspace, {kind: 'deliver', webhook});
    return outcome;
  }

  async function prepareDeliveries(
    workspace: Id<'workspace'>,
    {id, plan}: ReplayLook,
    entries: readonly LogEntry[],
  ): Promise<ReplayedDelivery[]> {
    const webhook = suffixOf(plan.webhook);
    const sequences = entries.map(({sequence}) => sequence);
    const numbers = await replays.findNumbers(workspace, webhook, sequences, callDeadline());
    return entries.map((entry) => ({
      suffix: createReplayedDeliverySuffix(sha256, suffixOf(id), entry, webhook),
      sequence: entry.sequence,
      team: entry.team === undefined ? undefined : suffixOf(entry.team),
      number: numbers.get(entry.sequence),
    }));
  }

  return async function workOnReplay({workspace, work, until}) {
    while (await performReplayStep(workspace, work)) {
      if (performance.now() >= until) return {more: true};
    }
    return {more: false};
  };
}
