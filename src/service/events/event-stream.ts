import type {Call} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';
import {type LogPosition, matchesEventType} from '../../domain/events/event.js';
import {streaming} from '../../domain/core/limits.js';
import type {TailEvent, TailConsumer} from '../../store/events/event-tail.js';
import type {ServiceContext} from '../core/context.js';
import type {CallerRole} from '../core/authority.js';
import type {EventSight} from './event-sight.js';
import type {StreamSlots} from './stream-slots.js';

/** The next events of a stream, in order. A batch without events is a heartbeat. */
export interface Batch {
  readonly events: readonly TailEvent[];
  /** The id of the last event that was read and not sent, if it is later than those in `events`. */
  readonly passed?: string;
  /** The reason why the stream ends with this batch. */
  readonly farewell?: string;
}

export type FollowEvents = ReturnType<typeof createEventFollower>;

/**
 * Follows a workspace's events from a position on: each event once and in order. A consumer keeps only its
 * position and reads page by page. Before a page is read, the caller's right must have been checked within
 * `streaming.recheck`. Which private teams the caller may see is looked up for each page.
 * The stream ends in these cases: `signal` is aborted, the caller's right has ended, the log has dropped
 * unread events, or the store stays unavailable.
 * Errors at the first step: `limit_reached` for too many streams of a principal or a workspace,
 * `service_unavailable` for too many in the process.
 */
export function createEventFollower(
  {requireStillAllowed, eventTail, monotonic, pulse}: ServiceContext,
  {sight, streamSlots}: {readonly sight: EventSight; readonly streamSlots: StreamSlots},
) {
  return async function* followEvents(
    call: Call,
    start: LogPosition,
    {
      types,
      shows,
      signal,
    }: {
      types?: readonly string[] | undefined;
      /** Selects the events that the caller may see, by the role at the last check; by default all. */
      shows?: ((event: TailEvent, role: CallerRole) => boolean) | undefined;
      signal: AbortSignal;
    },
  ): AsyncGenerator<Batch, void, void> {
    const leave = streamSlots.take(call.workspace, call.principal.id);
    const consumer = eventTail.open(call.workspace);
    let position = start;
    let yieldedAt = monotonic();
    let checkedAt = monotonic();
    let awaySince: number | undefined;
    let passed: string | undefined;
    /** The caller's role is read before the first event, but only if `shows` depends on it. */
    let role: CallerRole | undefined;
    /** Checks the caller's right again if the last check is more than `age` ms old. */
    const recheckAfter = async (age: number): Promise<void> => {
      const now = monotonic();
      if (now - checkedAt < age && (shows === undefined || role !== undefined)) return;
      role = await requireStillAllowed({...call, deadline: now + streaming.step});
      checkedAt = now;
    };
    const isWanted = (event: TailEvent): boolean =>
      (types === undefined || matchesEventType(types, event.type)) &&
      (shows === undefined || (role !== undefined && shows(event, role)));
    try {
      yield {events: [], ...(start.id !== undefined && {passed: start.id})};
      while (!signal.aborted) {
        let page: readonly TailEvent[] = [];
        let seen: readonly boolean[] = [];
        try {
          await recheckAfter(pulse);
          const dueIn = Math.min(yieldedAt, checkedAt) + pulse - monotonic();
          const state = await consumer.wait(position.sequence, Math.max(0, dueIn), signal);
          if (state === 'shrunk') throw createLogPositionLostError();
          if (state === 'grown') {
            await recheckAfter(Math.min(pulse, streaming.recheck));
            const next = await readNextPage(consumer, position);
            seen = await sight.select({...call, deadline: monotonic() + streaming.step}, next);
            page = next;
          }
          awaySince = undefined;
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          awaySince ??= monotonic();
          const comesBack = error.code === 'service_unavailable' && monotonic() - awaySince < streaming.away;
          if (!comesBack) return yield {events: [], farewell: error.message};
          // No event comes after position infinity, so this call only waits.
          await consumer.wait(Number.POSITIVE_INFINITY, streaming.retry, signal);
        }
        const events = page.filter((event, i) => seen[i] === true && isWanted(event));
        const last = page.at(-1);
        if (last !== undefined) {
          position = last;
          passed = events.at(-1) === last ? undefined : last.id;
        }
        if (events.length === 0 && monotonic() - yieldedAt < pulse) continue;
        yield {events, ...(passed !== undefined && {passed})};
        passed = undefined;
        yieldedAt = monotonic();
      }
    } finally {
      consumer.close();
      leave();
    }
  };
}

/** Reads the next page. If the log had grown but the page is empty, the log has dropped events meanwhile. */
async function readNextPage(consumer: TailConsumer, position: LogPosition): Promise<readonly TailEvent[]> {
  const page = await consumer.read(position, streaming.page);
  if (page !== undefined && page.length > 0) return page;
  throw createLogPositionLostError();
}

/** Returns the error for a consumer whose position the log no longer contains. */
export function createLogPositionLostError(): AppError {
  return new AppError(
    'cursor_expired',
    'The log does not continue from this cursor: the next event is no longer kept, or the store was restored to an earlier state. Start again without it.',
  );
}
