import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import type {Scope} from '../../domain/core/access.js';
import {processBounds} from '../../domain/core/limits.js';
import {acceptsGzip} from './accept.js';
import {createGzipEtag} from './conditions.js';
import type {HandlerResponse, Route} from './route.js';

/** The minimum size for compression (bytes). Shorter answers fit into two network packets anyway. */
const leastBytes = 2 * 1024;

/**
 * Scopes whose answers may be compressed. The people who write text in such an answer may usually read the
 * rest of it, so its length reveals nothing new. See docs/security-evidence.md, “Compressed answers”.
 */
const compressedScopes: ReadonlySet<Scope | undefined> = new Set<Scope>([
  'standups:read',
  'teams:read',
  'members:read',
]);

const pack = promisify(gzip);

/** Returns the compressed content, or undefined if it should be sent uncompressed. */
export type Pack = (content: Buffer, acceptEncoding: string | undefined) => Promise<Buffer | undefined>;

/**
 * Compresses content on other threads, and keeps the result for later answers. While many compressions are
 * running, further answers stay uncompressed, because DNS look-ups use the same threads.
 */
export function createCompressor(most: number = processBounds.compressions): Pack {
  const packed = new WeakMap<Buffer, Buffer>();
  let running = 0;
  return async (content, acceptEncoding) => {
    if (content.length < leastBytes || !acceptsGzip(acceptEncoding)) return undefined;
    const known = packed.get(content);
    if (known !== undefined || running >= most) return known;
    running += 1;
    try {
      const small = await pack(content);
      packed.set(content, small);
      return small;
    } finally {
      running -= 1;
    }
  };
}

/** Compresses an operation's answer if this is allowed, and adds `Accept-Encoding` to its `Vary` header. */
export function compressReply(
  {method, scope, neverCompressed}: Pick<Route, 'method' | 'scope' | 'neverCompressed'>,
  reply: HandlerResponse,
  acceptEncoding: string | undefined,
  packed: Pack,
): HandlerResponse | Promise<HandlerResponse> {
  const {status, stream} = reply;
  const varies = status === 200 || status === 304;
  const mayCompress = method === 'GET' && neverCompressed !== true && compressedScopes.has(scope);
  if (!mayCompress || stream !== undefined || !varies) return reply;
  const headers = {...reply.headers, Vary: 'Accept-Encoding'};
  if (reply.body === undefined || !acceptsGzip(acceptEncoding)) return {...reply, headers};
  return compressBody({...reply, headers}, acceptEncoding, packed);
}

async function compressBody(
  reply: HandlerResponse,
  acceptEncoding: string | undefined,
  packed: Pack,
): Promise<HandlerResponse> {
  const {body = '', headers} = reply;
  const content = await packed(typeof body === 'string' ? Buffer.from(body) : body, acceptEncoding);
  if (content === undefined) return reply;
  const tag = headers?.['ETag'];
  return {
    ...reply,
    body: content,
    headers: {
      ...headers,
      'Content-Encoding': 'gzip',
      ...(tag !== undefined && {ETag: createGzipEtag(tag)}),
    },
  };
}
