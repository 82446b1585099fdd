import {setImmediate as nextTurn} from 'node:timers/promises';
import type {Request, Response} from 'express';

/** Bytes that one caller is sent in a turn of the event loop, so that many who ask for large documents hold nobody else up. */
const piece = 64 * 1024;

/** Answers with a document that is the same for everybody: all share its bytes. The headers that say what it is are set before. */
export async function sendDocument(request: Request, response: Response, content: Buffer): Promise<void> {
  response.set('Content-Length', String(content.length));
  if (request.method === 'HEAD') return void response.end();
  let at = 0;
  for (; content.length - at > piece; at += piece) {
    if (!response.write(content.subarray(at, at + piece))) await drained(response);
    await nextTurn();
    if (response.destroyed) return;
  }
  response.end(content.subarray(at));
}

function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}
