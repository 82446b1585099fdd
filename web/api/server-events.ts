// Reads Server-Sent Events with `fetch`: `EventSource` cannot send a token.
import {EventSourceParserStream} from 'eventsource-parser/stream';
import {forgetToken, getToken} from './session.ts';

/** Silence, in ms, after which a stream counts as dead. The service sends something at least every 15 s. */
const silence = 30_000;

/** Opens an event stream that starts after the event `last` or, without `last`, at the next event. */
export async function openStream(
  path: string,
  last: string | undefined,
  ending: AbortSignal,
): Promise<Response> {
  const token = await getToken();
  const answer = await fetch(path, {
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: 'text/event-stream',
      ...(last !== undefined && {'Last-Event-ID': last}),
    },
    cache: 'no-store',
    signal: ending,
  });
  if (answer.status === 401) forgetToken(token);
  return answer;
}

/** Parses a response body as server-sent events. Reading fails after a long silence or a cut. */
export function readServerEvents(body: ReadableStream<Uint8Array>) {
  return failWhenSilent(body)
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
}

/** Returns the wait before the next try, in ms. */
export function computeRetryDelay(failures: number): number {
  return Math.min(15_000, 250 * 2 ** Math.min(failures, 6));
}

/** Makes a stream fail after too long a silence: the laptop slept, or a proxy dropped the connection. */
function failWhenSilent(bytes: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = bytes.getReader();
  return new ReadableStream({
    async pull(controller) {
      const timer = setTimeout(() => {
        controller.error(new Error('silence'));
        void reader.cancel();
      }, silence);
      const {done, value} = await reader.read().finally(() => clearTimeout(timer));
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => reader.cancel(),
  });
}
