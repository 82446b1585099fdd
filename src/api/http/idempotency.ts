import {hash as digest} from 'node:crypto';
import type {IdempotencyKey, PrincipalId} from '../../domain/core/access.js';
import {AppError} from '../../domain/core/errors.js';

const bare = /^[\x21-\x7e]{1,255}$/;

/** Returns the unquoted idempotency key of the client. Errors: `invalid_idempotency_key`. */
export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const quoted = header.length >= 2 && header.startsWith('"') && header.endsWith('"');
  const key = quoted ? header.slice(1, -1) : header;
  if (bare.test(key)) return key;
  const detail =
    '`Idempotency-Key` must be 1 to 255 visible ASCII characters without spaces, such as a UUID.';
  throw new AppError('invalid_idempotency_key', detail, {
    inputErrors: [{code: 'invalid_idempotency_key', detail, header: 'Idempotency-Key'}],
  });
}

export interface RequestIdentity {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly ifMatch: string | undefined;
  readonly body: unknown;
}

/**
 * Identifies repeats of a request. The key belongs to its caller. The fingerprint covers method, path, sorted
 * query, `If-Match` and the body in the canonical form of RFC 8785.
 */
export function identifyRequest(
  principal: PrincipalId,
  key: string,
  request: RequestIdentity,
): IdempotencyKey {
  const {method, path, search, ifMatch} = request;
  const body = request.body === undefined ? '' : canonicalizeJson(request.body);
  return {
    hash: sha256(`${principal}\0${key}`),
    fingerprint: sha256(`${method}\0${path}\0${sortQuery(search)}\0${ifMatch ?? ''}\0${body}`),
  };
}

/** Writes JSON as in RFC 8785: like `JSON.stringify`, but with names sorted by their UTF-16 code units. */
export function canonicalizeJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalizeJson).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  if (!names.every((name, i) => i === 0 || (names[i - 1] ?? '') < name)) names.sort();
  let text = '';
  for (const name of names) {
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalizeJson(members[name])}`;
  }
  return `{${text}}`;
}

function sortQuery(search: string): string {
  if (search === '') return '';
  const query = new URLSearchParams(search);
  query.sort();
  return query.toString();
}

function sha256(text: string): string {
  return digest('sha256', text, 'base64url');
}
