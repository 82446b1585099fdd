import type {Request, Response} from 'express';
import type {Pacer} from '../../domain/core/pacer.js';
import type {Pack} from './compress.js';

/** The number of bytes that are sent in one tick of the event loop. */
const piece = 64 * 1024;

/** Sends a document whose bytes all callers share. The calling function first sets its headers. */
export type SendDocument = (request: Request, response: Response, content: Buffer) => Promise<void>;

/** Sends a document in pieces, as `pace` allows, so that requests for large documents do not delay others. */
export function createDocumentSender(pace: Pacer, pack: Pack): SendDocument {
  async function compressIfAccepted(request: Request, response: Response, whole: Buffer): Promise<Buffer> {
    response.vary('Accept-Encoding');
    const small = await pack(whole, request.get('accept-encoding'));
    if (small === undefined) return whole;
    response.set('Content-Encoding', 'gzip');
    return small;
  }

  return async function sendDocument(request, response, whole) {
    const content = await compressIfAccepted(request, response, whole);
    response.set('Content-Length', String(content.length));
    if (request.method === 'HEAD') return void response.end();
    let at = 0;
    for (; content.length - at > piece; at += piece) {
      await pace();
      if (response.destroyed) return;
      if (!response.write(content.subarray(at, at + piece))) await waitForDrain(response);
    }
    response.end(content.subarray(at));
  };
}

function waitForDrain(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
