import type {IncomingMessage} from 'node:http';
import {AppError} from '../domain/errors.js';
import {limits} from '../domain/limits.js';

export type MediaType = 'application/json' | 'application/merge-patch+json';

/** Deeper than anything the API takes, and shallow enough for everything that walks a value. */
const maxDepth = 16;

const utf8 = new TextDecoder('utf-8', {fatal: true});

/**
 * Reads a JSON body. Undefined when there is none.
 * Errors: `payload_too_large`, `unsupported_media_type`, `malformed_json` (also for invalid UTF-8, which Express would silently replace,
 * for nesting that is too deep, and for members named `__proto__`).
 */
export async function readJson(request: IncomingMessage, accepted: readonly MediaType[]): Promise<unknown> {
  const {headers} = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return undefined;
  if (headers['content-length'] === '0') return undefined;
  if (Number(headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge();
  requireMediaType(headers['content-type'], headers['content-encoding'], accepted);
  const bytes = await readBytes(request);
  return bytes.length === 0 ? undefined : parseJson(bytes);
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limits.bodyBytes) return void chunks.push(chunk);
      request.off('data', take);
      reject(tooLarge());
    };
    request.on('data', take);
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

/** How much of a body that nobody wants is read on before the connection is given up. */
const discardedBytes = 16 * 1024 * 1024;

/**
 * Reads the rest of a body that was refused and forgets it. A connection closed while its caller is still sending is reset, and the reset
 * takes the answer with it. Resolves when the caller has ended, has gone, or has sent too much.
 */
export function discardRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let left = discardedBytes;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) resolve();
    });
    request.once('end', resolve).once('close', resolve);
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
  throw new AppError(
    'unsupported_media_type',
    known
      ? 'Send the body uncompressed and in UTF-8.'
      : `Send the body as ${accepted.join(' or ')}${contentType === undefined ? '; the request has no Content-Type' : ''}.`,
  );
}

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new AppError('malformed_json', 'The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AppError('malformed_json', `The body is not JSON: ${whereParsingStopped(error)}.`);
  }
  requireHarmless(value, 0);
  return value;
}

/** The parser's message without the piece of the body that it quotes. */
function whereParsingStopped(error: unknown): string {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined ? 'it ends too early' : `unexpected character at position ${position}`;
}

function requireHarmless(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= maxDepth) {
    throw new AppError('malformed_json', `The body is nested more than ${maxDepth} levels deep.`);
  }
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__')
      throw new AppError('malformed_json', 'The body has a member named "__proto__".');
    requireHarmless(member, depth + 1);
  }
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', `The body is larger than ${limits.bodyBytes / 1024} KiB.`);
}
