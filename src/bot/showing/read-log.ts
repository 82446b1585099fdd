import type {RequestContext} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {type Id, storedSuffix} from '../../domain/core/ids.js';
import {deadlines} from '../../domain/core/limits.js';
import {noSliceSpan} from '../../domain/core/tracer.js';
import type {Perform} from '../../domain/core/work.js';
import type {LogEntry} from '../../domain/events/event.js';
import type {ShowingContext} from './context.js';
import {standardWaits} from './waits.js';

const batch = 100;

/** The maximum number of refreshes in one Redis script, which takes two keys for each. */
const refreshesAtOnce = 80;

/** The time (ms) after a run's opening at which statuses are looked at. Reminders look first, each at one. */
const statusesAfterMs = 60_000;

/**
 * The minimum number of failed attempts before an event is skipped, which must take `eventMs` too. While the
 * store is unavailable, that time is multiplied by `awayFactor`.
 */
const eventTries = 5;
const awayFactor = 30;

/** Reads events in order. One store operation records an event's effects and moves the position past it. */
export function createReadLogJob(context: ShowingContext): Perform<{kind: 'read-slack'}> {
  const {posts, events, slackTroubles} = context;
  const {channelViews: views, slackFailures} = context.services;
  const {eventMs} = {...standardWaits, ...context.waits};
  const within = () => performance.now() + deadlines.job;
  const job = (workspace: Id<'workspace'>): RequestContext => ({workspace, deadline: within()});

  /** Requests an update of the reminders that an event may change. Returns the Slack ids of their members. */
  async function refreshPrompts(workspace: Id<'workspace'>, entry: LogEntry): Promise<readonly string[]> {
    const found = await views.listPromptRefreshes(job(workspace), entry);
    context.noteCause?.(
      workspace,
      found.map(({user}) => user),
      entry.trace,
    );
    if (found.length > 0) await context.prompts.ask(workspace, found, within());
    return found.map(({user}) => user);
  }

  async function askForStatuses(workspace: Id<'workspace'>, {type, about}: LogEntry): Promise<void> {
    if (type !== 'run.opened') return;
    const work = {kind: 'look-at-statuses', run: storedSuffix<'run'>(about)} as const;
    await context.ready.reschedule(workspace, work, context.now() + statusesAfterMs, within());
  }

  /** Records what channels should show after an event. Returns those with work; undefined if not first. */
  async function recordEventForSlack(
    workspace: Id<'workspace'>,
    entry: LogEntry,
  ): Promise<readonly string[] | undefined> {
    const {recipients, troubled} = await views.findRecipients(job(workspace), entry);
    const hasRecipients = recipients.length > 0;
    context.noteCause?.(workspace, recipients, entry.trace);
    if (hasRecipients && troubled !== undefined) {
      const trouble = {channel: troubled, notify: recipients};
      return (await slackTroubles.read(workspace, entry, trouble, within())) ? recipients : undefined;
    }
    const [standup, refreshes] = await Promise.all([
      views.findStandupRefresh(job(workspace), entry),
      views.listRefreshes(workspace, entry),
    ]);
    const channels = refreshes.map(({channel}) => channel);
    context.noteCause?.(
      workspace,
      standup === undefined ? channels : [standup.channel, ...channels],
      entry.trace,
    );
    // The script takes a limited number of refreshes; others are requested before the position moves.
    let [asked, left] = [0, refreshes.length];
    for (; left > (hasRecipients ? 0 : refreshesAtOnce); asked += refreshesAtOnce, left -= refreshesAtOnce)
      await posts.refresh(workspace, refreshes.slice(asked, asked + refreshesAtOnce), within());
    if (hasRecipients) {
      const passed = await posts.readNotice(workspace, entry, recipients, within());
      return passed ? [...recipients, ...channels] : undefined;
    }
    const passed = await posts.read(workspace, entry, standup, within(), refreshes.slice(asked));
    if (!passed) return undefined;
    return [...(standup === undefined ? [] : [standup.channel]), ...channels];
  }

  /** Handles one event and its reminders. After repeated failures the event is skipped. */
  async function passOrSkipEvent(
    workspace: Id<'workspace'>,
    entry: LogEntry,
  ): Promise<readonly string[] | undefined> {
    try {
      // Both are requested before the position moves: after a crash, a second request does no harm.
      await askForStatuses(workspace, entry);
      const people = await refreshPrompts(workspace, entry);
      const channels = await recordEventForSlack(workspace, entry);
      return channels && [...people, ...channels];
    } catch (error) {
      const {sequence, type} = entry;
      const {tries, forMs} = await events.noteFailure(workspace, 'slack', sequence, within());
      const isAway = error instanceof AppError && error.code === 'service_unavailable';
      if (tries < eventTries || forMs < eventMs * (isAway ? awayFactor : 1)) throw error;
      context.log.error({workspace, event: entry.id, type, tries}, 'skipped an event for Slack', error);
      context.meter.countUnshown('event');
      if (!(await posts.read(workspace, entry, undefined, within(), []))) return undefined;
      await slackFailures.reportPassed(context.jobCall(workspace), entry).catch(() => undefined);
      return [];
    }
  }

  return async ({workspace, until, signal, span = noSliceSpan}) => {
    const woken = new Set<string>();
    try {
      let cursor = await events.findCursor(workspace, 'slack', within());
      while (cursor !== undefined && performance.now() < until && !signal.aborted) {
        const entries = await events.listAfter(workspace, cursor, batch, within());
        if (entries.length === 0) break;
        for (const entry of entries) {
          if (performance.now() >= until || signal.aborted) break;
          span.link(entry.trace);
          const channels = await passOrSkipEvent(workspace, entry);
          if (channels === undefined) return {more: false};
          for (const channel of channels) woken.add(channel);
          cursor = entry.sequence;
        }
      }
      return {more: await events.removeCaughtUpConsumer(workspace, 'slack', within())};
    } finally {
      for (const channel of woken) context.wake(workspace, {kind: 'post-slack', channel});
    }
  };
}
