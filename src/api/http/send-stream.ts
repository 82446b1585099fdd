import type {ServerResponse} from 'node:http';
import type {Stream} from './route.js';

export interface StreamTerms {
  /** Sends the status and the headers. */
  readonly begin: () => void;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  /** Resolves when this stream may continue: chunks that take long are made one at a time, in turn. */
  readonly pace: () => Promise<void>;
  /** The time (ms) after which a client that reads nothing is disconnected. */
  readonly drainMs: number;
  /** Called with an error that broke a stream after its start. */
  readonly onBroken: (error: unknown) => void;
}

/** A chunk with this many characters or more is long. The chunk of an event is never long. */
const longChunk = 16_384;

/**
 * Sends a streamed body as fast as the client reads it. At most one chunk and Node's socket buffer wait in
 * memory. Errors: those that the stream throws before its first chunk, while another answer can still be
 * sent.
 */
export async function sendStream(
  stream: Stream,
  response: ServerResponse,
  {begin, stopping, pace, drainMs, onBroken}: StreamTerms,
): Promise<void> {
  try {
    await runUntilClosed(response, stopping, (signal) =>
      stream({
        signal,
        async write(chunk) {
          if (response.destroyed) throw new Error('the reader has gone');
          if (!response.headersSent) {
            begin();
            response.flushHeaders();
          }
          if (chunk !== '' && !response.write(chunk)) await waitForDrain(response, drainMs);
          if (chunk.length > longChunk) await pace();
        },
      }),
    );
    if (response.destroyed) return;
    if (!response.headersSent) begin();
    response.end();
  } catch (error) {
    if (response.destroyed) return;
    if (!response.headersSent) throw error;
    // The end of the body is not sent, so that the client sees that the answer is incomplete.
    response.destroy();
    onBroken(error);
  }
}

/** Runs work that ends early when the client disconnects or the service stops: its signal is then aborted. */
export async function runUntilClosed<T>(
  response: ServerResponse,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const end = (): void => over.abort();
  response.once('close', end);
  stopping.addEventListener('abort', end, {once: true});
  if (stopping.aborted || response.destroyed) end();
  try {
    return await work(over.signal);
  } finally {
    response.off('close', end);
    stopping.removeEventListener('abort', end);
  }
}

/** Resolves when all data is taken. A client that reads nothing for too long is disconnected. */
function waitForDrain(response: ServerResponse, drainMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => response.destroy(), drainMs);
    const done = (): void => {
      clearTimeout(late);
      response.off('drain', done).off('close', done);
      if (response.destroyed) reject(new Error('the reader has gone'));
      else resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
