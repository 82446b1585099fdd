import type {Batch} from '../../service/events/event-stream.js';
import {streaming} from '../../domain/core/limits.js';
import type {Sink, Stream} from '../http/route.js';

export const eventStreamType = 'text/event-stream';

/**
 * The headers of an event stream. Caches must not keep it, and proxies must not compress or buffer it,
 * because events would arrive late. The last header is for nginx.
 */
export const eventStreamHeaders = {
  'Content-Type': eventStreamType,
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** A text of this length is sent at once, so that little is buffered for a slow client. */
const chunkLength = 32 * 1024;

/** Writes events as Server-Sent Events (WHATWG HTML, section 9.2); without events, a comment. */
export function streamEvents(follow: (signal: AbortSignal) => AsyncIterable<Batch>): Stream {
  return async function writeEvents(sink) {
    let first = true;
    for await (const batch of follow(sink.signal)) {
      await formatEventBatch(sink, batch, first ? `retry: ${streaming.reconnect}\n` : '');
      first = false;
    }
  };
}

async function formatEventBatch(
  sink: Sink,
  {events, passed, farewell}: Batch,
  opening: string,
): Promise<void> {
  let text = opening;
  for (const {id, type, json} of events) {
    text += `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
    if (text.length < chunkLength) continue;
    await sink.write(text);
    text = '';
  }
  // An id without data only moves the position from which the client will resume. The client sees no event.
  if (passed !== undefined) text += `id: ${passed}\n\n`;
  if (farewell !== undefined) text += `: ${farewell}\n\n`;
  else if (events.length === 0) text += ': alive\n\n';
  if (text !== '') await sink.write(text);
}
