import type {Sha256} from '../domain/webhooks/delivery.js';
import type {LogEntry} from '../domain/events/event.js';
import {type Id, drawnPart, type IdSuffix} from '../domain/core/ids.js';
import {deadlines, type Retention} from '../domain/core/limits.js';
import {type EarlierDelivery, isChosen, replayAhead, replayedDrawn} from '../domain/webhooks/replay.js';
import {asksFor, type Subscription} from '../domain/webhooks/webhook.js';
import type {Perform, Work} from '../domain/core/work.js';
import type {EventLog} from '../store/events/event-log.js';
import type {Directory, WebhookDirectory} from '../store/core/directories.js';
import type {ReplayedDelivery, ReplayLook, Replays} from '../store/webhooks/replays.js';

export interface ReplayJobParts {
  readonly events: Pick<EventLog, 'listAfter'>;
  readonly subscriptions: Pick<Directory<WebhookDirectory>, 'fresh'>;
  readonly replays: Pick<
    Replays,
    'look' | 'listEarlier' | 'findNumbers' | 'advance' | 'wait' | 'complete' | 'takeBack'
  >;
  /** Takes the work out of the ready set. */
  readonly settle: (workspace: Id<'workspace'>, work: Work) => Promise<void>;
  readonly retention: Pick<Retention, 'delivery'>;
  readonly sha256: Sha256;
  readonly wake: (workspace: Id<'workspace'>, work: Work) => void;
}

/** Events looked at by one step. */
const scannedAtOnce = 256;
/** Deliveries made by one script: a key each, and a script touches at most 200. */
const madeAtOnce = 60;

/** Whoever records a delivery of a replay wakes it; this is for when nobody does, and for one whose workspace is full. In ms. */
const safetyMs = 15_000;
/** How soon to look whether what was on the wire of a cancelled replay has ended, and whether fan-out has come further. */
const soonMs = 1_000;

/**
 * Sends events of some time to a webhook again, a step at a time: one script makes the deliveries of some events and moves the replay's
 * cursor behind them, so running this often, or in several processes, changes nothing. Only so many deliveries are unfinished at a time;
 * it goes on as they end.
 */
export function createReplay(parts: ReplayJobParts): Perform<{kind: 'replay'; replay: IdSuffix<'replay'>}> {
  const {events, subscriptions, replays, settle, retention, sha256, wake} = parts;

  /** True while there is more to do at once. */
  async function step(
    workspace: Id<'workspace'>,
    work: {kind: 'replay'; replay: IdSuffix<'replay'>},
  ): Promise<boolean> {
    const replay = await replays.look(workspace, work.replay, callDeadline());
    const {webhooks} = await subscriptions.fresh(workspace, callDeadline());
    const subscription = webhooks.find(({id}) => id === replay?.plan.webhook);
    if (replay === undefined || subscription === undefined || replay.progress.state === 'completed') {
      await settle(workspace, work);
      return false;
    }
    const {plan, progress} = replay;
    const unfinished = plan.dryRun ? 0 : progress.matched - progress.succeeded - progress.failed;
    if (progress.state === 'cancelled') {
      await replays.takeBack(workspace, replay, callDeadline());
      if (unfinished > 0) await replays.wait(workspace, replay, soonMs, callDeadline());
      else await settle(workspace, work);
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
      const ms = !isFull && mayMake && reachable < plan.last ? soonMs : safetyMs;
      await replays.wait(workspace, replay, ms, callDeadline());
      return false;
    }
    if ((await makeSome(workspace, replay, subscription, reachable)) !== 'full') return true;
    await replays.wait(workspace, replay, safetyMs, callDeadline());
    return false;
  }

  async function makeSome(
    workspace: Id<'workspace'>,
    replay: ReplayLook,
    subscription: Subscription,
    reachable: number,
  ): Promise<Awaited<ReturnType<Replays['advance']>>> {
    const {plan, progress} = replay;
    const webhook = drawnPart(plan.webhook);
    const entries = (
      await events.listAfter(workspace, progress.cursor, scannedAtOnce, callDeadline())
    ).filter(({sequence}) => sequence <= reachable);
    // Before the first there are no events any more.
    const span = {from: entries[0]?.sequence ?? reachable, to: entries.at(-1)?.sequence ?? reachable};
    // What has become of earlier deliveries does not matter to `all`; of replays there may be very many.
    const earlier =
      plan.only === 'all'
        ? {deliveries: new Map<number, EarlierDelivery[]>(), to: span.to}
        : await replays.listEarlier(workspace, webhook, span, callDeadline());
    const chosen = entries.filter(
      (entry) =>
        entry.sequence <= earlier.to &&
        asksFor(subscription, entry) &&
        (plan.types === null || plan.types.includes(entry.type)) &&
        entry.at > replay.now - retention.delivery * 1_000 &&
        isChosen(plan.only, earlier.deliveries.get(entry.sequence) ?? []),
    );
    const made = plan.dryRun ? chosen : chosen.slice(0, madeAtOnce);
    const to = made.length < chosen.length ? (made.at(-1)?.sequence ?? earlier.to) : earlier.to;
    const deliveries = plan.dryRun ? [] : await drawDeliveries(workspace, replay, made);
    const step = {to, matched: made.length, deliveries};
    const outcome = await replays.advance(workspace, replay, step, callDeadline());
    if (outcome === 'done' && deliveries.length > 0) wake(workspace, {kind: 'deliver', webhook});
    return outcome;
  }

  async function drawDeliveries(
    workspace: Id<'workspace'>,
    {id, plan}: ReplayLook,
    entries: readonly LogEntry[],
  ): Promise<ReplayedDelivery[]> {
    const webhook = drawnPart(plan.webhook);
    const sequences = entries.map(({sequence}) => sequence);
    const numbers = await replays.findNumbers(workspace, webhook, sequences, callDeadline());
    return entries.map((entry) => ({
      drawn: replayedDrawn(sha256, drawnPart(id), entry, webhook),
      sequence: entry.sequence,
      team: entry.team === undefined ? undefined : drawnPart(entry.team),
      number: numbers.get(entry.sequence),
    }));
  }

  return async function workOnReplay({workspace, work, until}) {
    while (await step(workspace, work)) {
      if (performance.now() >= until) return {more: true};
    }
    return {more: false};
  };
}

function callDeadline(): number {
  return performance.now() + deadlines.job;
}
