// Streams events with their full content, for the page that shows the event log.
import {openStream, computeRetryDelay, readServerEvents} from './server-events.ts';
import {sleep} from './sleep.ts';
import {onSessionEnd} from './session.ts';

export interface EventFollower {
  /** Called with the JSON of one event, exactly as the API's event feed sent it. */
  readonly onEvent: (json: string) => void;
  /** Called when the stream opens or closes. No event is missed after the first `true`. */
  readonly onOpen: (isOpen: boolean) => void;
  /** Called when the event log cannot be resumed after the last event read. */
  readonly onMissed: () => void;
}

/**
 * Follows the event log while the page is visible, since a browser opens only six connections to an origin.
 * Resumes after the last event read. Returns a function that stops following.
 */
export function followEvents(follower: EventFollower): () => void {
  const ending = new AbortController();
  const stop = (): void => ending.abort();
  const forget = onSessionEnd(stop);
  ending.signal.addEventListener('abort', forget);
  void keepEventStreamOpen(follower, ending.signal);
  return stop;
}

async function keepEventStreamOpen(
  {onEvent, onOpen, onMissed}: EventFollower,
  ending: AbortSignal,
): Promise<void> {
  let last: string | undefined;
  let wasOpen = false;
  for (let failures = 0; !ending.aborted; ) {
    await waitUntilVisible(ending);
    const leaving = signalUntilHidden(ending);
    const answer = await openStream('/v1/events/stream', last, leaving).catch(() => undefined);
    if (answer?.status === 410) {
      last = undefined;
      onMissed();
    }
    if (answer?.ok === true && answer.body !== null) {
      failures = 0;
      if (wasOpen && last === undefined) onMissed();
      wasOpen = true;
      onOpen(true);
      const reader = readServerEvents(answer.body);
      for (;;) {
        const read = await reader.read().catch(() => undefined);
        if (read === undefined || read.done || ending.aborted) break;
        last = read.value.id ?? last;
        if (read.value.data !== '') onEvent(read.value.data);
      }
    } else {
      await answer?.body?.cancel();
      failures += 1;
    }
    if (ending.aborted) return;
    onOpen(false);
    await sleep(computeRetryDelay(failures), ending);
  }
}

/** A signal that is aborted when following ends or when the page is hidden. */
function signalUntilHidden(ending: AbortSignal): AbortSignal {
  const hiding = new AbortController();
  const signal = AbortSignal.any([ending, hiding.signal]);
  const look = (): void => {
    if (document.hidden) hiding.abort();
  };
  document.addEventListener('visibilitychange', look, {signal});
  return signal;
}

function waitUntilVisible(ending: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const done = new AbortController();
    const look = (): void => {
      if (document.hidden && !ending.aborted) return;
      done.abort();
      resolve();
    };
    document.addEventListener('visibilitychange', look, {signal: done.signal});
    ending.addEventListener('abort', look, {signal: done.signal});
  });
}
