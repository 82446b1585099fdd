import type {Socket} from 'node:net';
import {processBounds} from '../domain/core/limits.js';

/** The state of the answers on a connection. */
export interface AnswerState {
  /** The number of requests that were written to the connection. */
  readonly requests: number;
  /** The progress of the latest answer: nothing has arrived, a part of its headers, or its status. */
  answer: 'awaited' | 'begun' | 'passed';
}

/** The error for a receiver that sends something else than an HTTP answer. */
class ReceiverAnswerError extends Error {
  readonly code: 'NO_ANSWER' | 'LEFT_OVER';

  constructor(code: 'NO_ANSWER' | 'LEFT_OVER') {
    super(`The receiver sent no answer (${code}).`);
    this.code = code;
  }
}

const beginning = 'HTTP/';
const interim = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const statusLineBytes = 'HTTP/1.1 100'.length;
const endOfHead = '\r\n\r\n';

/**
 * Filters the data that flows from a socket to undici. undici would treat an unexpected 100 as an error of
 * the whole connection, and does not report the first byte of an answer. Answers below 200 are read and
 * dropped, as RFC 9110 §15.2 demands. If a used connection brings bytes that do not start an answer, they
 * belong to an earlier answer that was too long. The connection then ends as if they had not arrived.
 */
export function filterAnswers(socket: Socket, connection: AnswerState): void {
  const read: (size?: number) => Buffer | null = socket.read.bind(socket);
  /** Bytes of an interim answer (below 200), or of an answer whose status is not yet known. */
  let held: Buffer | undefined;
  let interims = 0;

  function failConnection(code: 'NO_ANSWER' | 'LEFT_OVER'): undefined {
    socket.destroy(new ReceiverAnswerError(code));
    return undefined;
  }

  /** Returns the bytes that undici should read now; undefined while there are none. */
  function filterChunk(chunk: Buffer): Buffer | undefined {
    let bytes = dropLeadingLineEnds(held === undefined ? chunk : Buffer.concat([held, chunk]));
    held = undefined;
    while (bytes.length > 0) {
      const line = bytes.toString('latin1', 0, statusLineBytes);
      const begins = line.startsWith(beginning) || beginning.startsWith(line);
      if (!begins && interims === 0 && connection.requests > 1) return failConnection('LEFT_OVER');
      if (connection.answer === 'awaited') {
        connection.answer = 'begun';
        interims = 0;
      }
      const undecided = begins && line.length < statusLineBytes;
      if (!undecided && !interim.test(line)) {
        if (line.startsWith('101', 9)) return failConnection('NO_ANSWER');
        connection.answer = 'passed';
        return bytes;
      }
      const end = bytes.indexOf(endOfHead, 0, 'latin1');
      if (end < 0) {
        held = bytes;
        return bytes.length > processBounds.answerHeadBytes ? failConnection('NO_ANSWER') : undefined;
      }
      interims += 1;
      if (interims > processBounds.interimAnswers) return failConnection('NO_ANSWER');
      bytes = dropLeadingLineEnds(bytes.subarray(end + endOfHead.length));
    }
    return undefined;
  }

  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (chunk === null || connection.answer === 'passed') return chunk;
      const bytes = filterChunk(chunk);
      if (bytes !== undefined) return bytes;
    }
  };
}

function dropLeadingLineEnds(bytes: Buffer): Buffer {
  let from = 0;
  while (bytes[from] === 13 || bytes[from] === 10) from += 1;
  return from === 0 ? bytes : bytes.subarray(from);
}
