// Sends a standup even after its panel is closed. Repeats the request with the same key until the service has
// answered, so that a lost response never leads to a second standup.
import {Problem} from '../api/problem.ts';
import {onSessionEnd} from '../api/session.ts';

export type SendState =
  | {readonly is: 'sending'}
  /** There was no response yet; the request is being retried. */
  | {readonly is: 'waiting'; readonly problem: Problem}
  | {readonly is: 'refused'; readonly problem: Problem; readonly body: unknown};

const deliveries = new Map<string, SendState>();
const stops = new Map<string, AbortController>();
const listeners = new Set<() => void>();

export function getSendState(draftKey: string): SendState | undefined {
  return deliveries.get(draftKey);
}

export function onSendStateChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function forgetDelivery(draftKey: string): void {
  stops.get(draftKey)?.abort();
  setSendState(draftKey, undefined);
}

// Stops all deliveries when the session ends: the next person must not send them.
onSessionEnd(() => {
  deliveries.forEach((_, draftKey) => forgetDelivery(draftKey));
});

export interface Parcel<Made> {
  readonly draftKey: string;
  readonly body: unknown;
  readonly send: () => Promise<Made>;
  readonly onMade: (made: Made) => void;
  /** Called at the first failure after which it is unknown whether the service has executed the request. */
  readonly onWaiting: () => void;
  readonly onRefused: (problem: Problem) => void;
}

/** Delivers a request until the service answers. A later one with the same draft key replaces it. */
export async function deliverRequest<Made>({
  draftKey,
  body,
  send,
  onMade,
  onWaiting,
  onRefused,
}: Parcel<Made>): Promise<void> {
  stops.get(draftKey)?.abort();
  const stop = new AbortController();
  stops.set(draftKey, stop);
  setSendState(draftKey, {is: 'sending'});
  for (let tries = 1; ; tries += 1) {
    try {
      const made = await send();
      if (stop.signal.aborted) return;
      setSendState(draftKey, undefined);
      return onMade(made);
    } catch (error) {
      if (stop.signal.aborted) return;
      const problem = error instanceof Problem ? error : undefined;
      if (problem === undefined || !hasUnknownOutcome(problem)) {
        const said = problem ?? new Problem(unexpected, {cause: error});
        setSendState(draftKey, {is: 'refused', problem: said, body});
        return onRefused(said);
      }
      if (tries === 1) onWaiting();
      setSendState(draftKey, {is: 'waiting', problem});
      await waitForRetry(
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

/** True if the outcome is unknown: the request may have succeeded, or a retry may succeed. */
function hasUnknownOutcome({status}: Problem): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** Sends a request. If an earlier version with its key has arrived, `amend` changes what it created. */
export async function sendWithoutDuplicate<Body, Made>(
  {body, earlier}: {readonly body: Body; readonly earlier: readonly Body[]},
  send: (body: Body) => Promise<Made>,
  amend: (made: Made) => Promise<Made>,
): Promise<Made> {
  try {
    return await send(body);
  } catch (error) {
    if (!isKeyReused(error)) throw error;
    for (const one of earlier) {
      try {
        return await amend(await send(one));
      } catch (again) {
        if (!isKeyReused(again)) throw again;
      }
    }
    throw error;
  }
}

function isKeyReused(error: unknown): boolean {
  return error instanceof Problem && error.code === 'idempotency_key_reused';
}

function setSendState(draftKey: string, delivery: SendState | undefined): void {
  if (delivery === undefined) deliveries.delete(draftKey);
  else deliveries.set(draftKey, delivery);
  for (const listener of listeners) listener();
}

/** Waits before a retry; ends early when the network is back. */
function waitForRetry(ms: number, stop: AbortSignal): Promise<void> {
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
