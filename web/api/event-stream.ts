// The stream of events with all that they say, for the one page that shows the log.
import {openStream, pause, pauseAfter, readServerEvents} from './server-events.ts';
import {onSessionEnd} from './session.ts';

export interface EventFollower {
  /** The wire JSON of one event, as the feed has it. */
  readonly onEvent: (json: string) => void;
  /** Whether events come in as they happen; from the first `true` on none is missed. */
  readonly onOpen: (isOpen: boolean) => void;
  /** The log does not go on where it was read last. */
  readonly onMissed: () => void;
}

/**
 * Follows the log as long as the page is looked at, since a browser has six connections to an origin. It goes
 * on where it was left. Answers how to stop.
 */
export function followEvents(follower: EventFollower): () => void {
  const ending = new AbortController();
  const stop = (): void => ending.abort();
  const forget = onSessionEnd(stop);
  ending.signal.addEventListener('abort', forget);
  void follow(follower, ending.signal);
  return stop;
}

async function follow({onEvent, onOpen, onMissed}: EventFollower, ending: AbortSignal): Promise<void> {
  let last: string | undefined;
  let wasOpen = false;
  for (let failures = 0; !ending.aborted; ) {
    await untilSeen(ending);
    const leaving = leavingSignal(ending);
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
    await pause(pauseAfter(failures), ending);
  }
}

/** Aborted when the page is hidden, too. */
function leavingSignal(ending: AbortSignal): AbortSignal {
  const hiding = new AbortController();
  const signal = AbortSignal.any([ending, hiding.signal]);
  const look = (): void => {
    if (document.hidden) hiding.abort();
  };
  document.addEventListener('visibilitychange', look, {signal});
  return signal;
}

function untilSeen(ending: AbortSignal): Promise<void> {
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
