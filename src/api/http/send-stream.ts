import type {ServerResponse} from 'node:http';
import type {Stream} from './route.js';

export interface StreamTerms {
  /** Sends status and headers. */
  readonly begin: () => void;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  /**
   * Resolves when this stream may continue: chunks that take long to make are made one per tick of the event
   * loop.
   */
  readonly pace: () => Promise<void>;
  /** How long the client may take nothing before its connection is closed, in ms. */
  readonly drainMs: number;
  /** Called with the error that broke a stream that had begun. */
  readonly onBroken: (error: unknown) => void;
}

/** Characters. Events are shorter. */
const longChunk = 16_384;

/**
 * Sends a streamed body as fast as its client takes it: at most one chunk and Node's buffer for a socket wait
 * in memory. Errors: those that the stream throws before its first chunk, while an ordinary answer can still
 * be given.
 */
export async function sendStream(
  stream: Stream,
  response: ServerResponse,
  {begin, stopping, pace, drainMs, onBroken}: StreamTerms,
): Promise<void> {
  const over = new AbortController();
  const end = (): void => over.abort();
  response.once('close', end);
  stopping.addEventListener('abort', end, {once: true});
  if (stopping.aborted || response.destroyed) end();
  try {
    await stream({
      signal: over.signal,
      async write(chunk) {
        if (response.destroyed) throw new Error('the reader has gone');
        if (!response.headersSent) {
          begin();
          response.flushHeaders();
        }
        if (chunk !== '' && !response.write(chunk)) await waitForDrain(response, drainMs);
        if (chunk.length > longChunk) await pace();
      },
    });
    if (response.destroyed) return;
    if (!response.headersSent) begin();
    response.end();
  } catch (error) {
    if (response.destroyed) return;
    if (!response.headersSent) throw error;
    // Without the chunk that ends the body, so that the client sees that it is incomplete.
    response.destroy();
    onBroken(error);
  } finally {
    response.off('close', end);
    stopping.removeEventListener('abort', end);
  }
}

/**
 * Resolves when the connection has taken all that was written. A client that takes nothing for too long is
 * disconnected.
 */
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
