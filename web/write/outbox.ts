// A standup that was handed in goes on when its panel is closed: repeated until the service has answered,
// with the same key, so that a lost answer never makes a second one.
import {Problem} from '../api/problem.ts';
import {onSessionEnd} from '../api/session.ts';

export type Delivery =
  | {readonly is: 'sending'}
  /** There was no answer; it is tried again. */
  | {readonly is: 'waiting'; readonly problem: Problem}
  | {readonly is: 'refused'; readonly problem: Problem; readonly body: unknown};

const deliveries = new Map<string, Delivery>();
const stops = new Map<string, AbortController>();
const listeners = new Set<() => void>();

export function deliveryOf(place: string): Delivery | undefined {
  return deliveries.get(place);
}

export function onDelivery(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function forgetDelivery(place: string): void {
  stops.get(place)?.abort();
  set(place, undefined);
}

// The next person who signs in has nothing to do with it.
onSessionEnd(() => {
  deliveries.forEach((_, place) => forgetDelivery(place));
});

export interface Parcel<Made> {
  readonly place: string;
  readonly body: unknown;
  readonly send: () => Promise<Made>;
  readonly onMade: (made: Made) => void;
  /** For the first time without an answer. */
  readonly onWaiting: () => void;
  readonly onRefused: (problem: Problem) => void;
}

/** One at a time for a place: a later one takes the place of the one under way. */
export async function deliver<Made>({
  place,
  body,
  send,
  onMade,
  onWaiting,
  onRefused,
}: Parcel<Made>): Promise<void> {
  stops.get(place)?.abort();
  const stop = new AbortController();
  stops.set(place, stop);
  set(place, {is: 'sending'});
  for (let tries = 1; ; tries += 1) {
    try {
      const made = await send();
      if (stop.signal.aborted) return;
      set(place, undefined);
      return onMade(made);
    } catch (error) {
      if (stop.signal.aborted) return;
      const problem = error instanceof Problem ? error : undefined;
      if (problem === undefined || !isUnknown(problem)) {
        const said = problem ?? new Problem(unexpected, {cause: error});
        set(place, {is: 'refused', problem: said, body});
        return onRefused(said);
      }
      if (tries === 1) onWaiting();
      set(place, {is: 'waiting', problem});
      await pause(
        Math.max((problem.retryAt ?? 0) - Date.now(), Math.min(15_000, 1_000 * 2 ** tries)),
        stop.signal,
      );
      if (stop.signal.aborted) return;
    }
  }
}

const unexpected = {
  status: -1,
  code: 'unexpected',
  title: 'Something went wrong',
  detail: 'The page met an error that it did not expect.',
};

/** It may have been done, or be done the next time. */
function isUnknown({status}: Problem): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/**
 * A request whose earlier versions, under the same key, may have arrived: what one of those has made is
 * changed.
 */
export async function sendOnce<Body, Made>(
  {body, earlier}: {readonly body: Body; readonly earlier: readonly Body[]},
  send: (body: Body) => Promise<Made>,
  amend: (made: Made) => Promise<Made>,
): Promise<Made> {
  try {
    return await send(body);
  } catch (error) {
    if (!isReused(error)) throw error;
    for (const one of earlier) {
      try {
        return await amend(await send(one));
      } catch (again) {
        if (!isReused(again)) throw again;
      }
    }
    throw error;
  }
}

function isReused(error: unknown): boolean {
  return error instanceof Problem && error.code === 'idempotency_key_reused';
}

function set(place: string, delivery: Delivery | undefined): void {
  if (delivery === undefined) deliveries.delete(place);
  else deliveries.set(place, delivery);
  for (const listener of listeners) listener();
}

/** Shorter when the network comes back. */
function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      stop.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    stop.addEventListener('abort', end);
  });
}
