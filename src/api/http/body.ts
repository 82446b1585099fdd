import type {IncomingMessage} from 'node:http';
import {AppError} from '../../domain/core/errors.js';
import {limits} from '../../domain/core/limits.js';
import {parseJson} from './parse-json.js';

export type MediaType = 'application/json' | 'application/merge-patch+json';

/**
 * Reads a JSON body. Returns undefined when there is none.
 * Errors: `payload_too_large`, `unsupported_media_type`, `malformed_json` (also for a body that is cut off).
 */
export async function readJson(request: IncomingMessage, accepted: readonly MediaType[]): Promise<unknown> {
  const {headers} = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return undefined;
  if (headers['content-length'] === '0') return undefined;
  if (Number(headers['content-length'] ?? 0) > limits.bodyBytes) throw createPayloadTooLargeError();
  requireMediaType(headers['content-type'], headers['content-encoding'], accepted);
  const bytes = await readBytes(request);
  return bytes.length === 0 ? undefined : parseJson(bytes);
}

function readBytes(request: IncomingMessage): Buffer | Promise<Buffer> {
  // Most bodies arrive together with their headers, and can be read at once. An aborted request has no body.
  const whole: unknown = request.complete ? request.read() : null;
  if (!Buffer.isBuffer(whole)) return awaitBytes(request);
  if (whole.length > limits.bodyBytes) throw createPayloadTooLargeError();
  return whole;
}

function awaitBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limits.bodyBytes) return void chunks.push(chunk);
      request.off('data', take);
      reject(createPayloadTooLargeError());
    };
    request.on('data', take);
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => reject(new AppError('malformed_json', 'The body breaks off.')));
  });
}

/** The limits, in bytes and in time, for reading an unwanted body before the connection is closed. */
const discardedBytes = 16 * 1024 * 1024;
const discardingMs = 10_000;

/**
 * Reads and discards the rest of a refused body. If the connection were closed while the client still sends,
 * the client would lose the answer. Resolves when the client has finished, has disconnected, or has exceeded
 * a limit.
 */
export function discardRestOfBody(request: IncomingMessage): Promise<void> {
  if (request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let left = discardedBytes;
    const late = setTimeout(finishDiscardingBody, discardingMs);
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) finishDiscardingBody();
    });
    request.once('end', finishDiscardingBody).once('close', finishDiscardingBody);

    function finishDiscardingBody(): void {
      clearTimeout(late);
      resolve();
    }
  });
}

function requireMediaType(
  contentType: string | undefined,
  encoding: string | undefined,
  accepted: readonly MediaType[],
): void {
  if (contentType === 'application/json' && encoding === undefined) return;
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  const known = (accepted as readonly string[]).includes(type);
  const utf = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  const plain = encoding === undefined || encoding === 'identity';
  if (known && utf && plain) return;
  const code = 'unsupported_media_type';
  const detail = known
    ? 'Send the body uncompressed and in UTF-8.'
    : `Send the body as JSON, with \`Content-Type: ${accepted.join('` or `Content-Type: ')}\`; ${contentType === undefined ? 'the request has no Content-Type' : `it is ${JSON.stringify(type.slice(0, 60))}`}.`;
  const header = known && utf ? 'Content-Encoding' : 'Content-Type';
  throw new AppError(code, detail, {inputErrors: [{code, detail, header}], accepts: accepted});
}

function createPayloadTooLargeError(): AppError {
  return new AppError('payload_too_large', `The body is larger than ${limits.bodyBytes / 1024} KiB.`);
}
