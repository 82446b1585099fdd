import type {Call} from '../../domain/core/access.js';
import {streaming} from '../../domain/core/limits.js';
import type {ServiceContext} from '../core/context.js';
import type {EventPage, EventQuery, ListEvents} from './event-list.js';
import {createLogPositionLostError} from './event-stream.js';
import type {StreamSlots} from './stream-slots.js';

/**
 * Waits until a page of the event list has a row, `withinMs` is over, or `signal` is aborted. Returns the page,
 * whose position has passed the events that do not match. The caller's right is checked again at the end.
 * Errors: those of `StreamSlots.take`, and `cursor_expired` as in `listEvents`.
 */
export function createEventAwaiter(
  {requireStillAllowed, eventTail, monotonic}: ServiceContext,
  {listEvents, streamSlots}: {readonly listEvents: ListEvents; readonly streamSlots: StreamSlots},
) {
  return async function awaitEvents(
    call: Call,
    query: EventQuery,
    {withinMs, signal}: {readonly withinMs: number; readonly signal: AbortSignal},
  ): Promise<EventPage> {
    const leave = streamSlots.take(call.workspace, call.principal.id);
    const consumer = eventTail.open(call.workspace);
    const until = monotonic() + withinMs;
    const step = (): Call => ({...call, deadline: monotonic() + streaming.step});
    let page: EventPage = {rows: [], next: query.past, more: false};
    try {
      while (!signal.aborted && monotonic() < until) {
        const {sequence} = page.next ?? {sequence: 0};
        const state = await consumer.wait(sequence, until - monotonic(), signal);
        if (state === 'shrunk') throw createLogPositionLostError();
        if (state === 'still') break;
        page = await listEvents(step(), {...query, past: page.next});
        if (page.rows.length > 0 || page.more) break;
        // Events of others must not make each waiting request read the log at each of them. No event comes
        // after position infinity: this only waits.
        await consumer.wait(Number.POSITIVE_INFINITY, streaming.retry, signal);
      }
      await requireStillAllowed(step());
      return page;
    } finally {
      consumer.close();
      leave();
    }
  };
}
