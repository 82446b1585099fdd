import {maskSecrets} from '../domain/core/log.js';

const maxBytes = 2048;
/** A single long value must not push out all others. */
const maxValueBytes = 512;
/** A value cut shorter than this would be useless. */
const minValueBytes = 16;
/** The searched length of a value: the receiver chooses its length, and dropped text need not be searched. */
const maxSearched = 1024;

// A receiver's cookies and tokens do not help to find an error, and are as good as a password to anyone who
// sees them.
const dropped = /^set-cookie2?$/;
// `www-authenticate` gives the reason of a 401, and is no credential.
const secret =
  /auth(?!enticate)|token|secret|passw|pwd|credential|cookie|session|csrf|xsrf|jwt|bearer|assertion|private|apikey|(?:^|[-_])(?:keys?|pass|sid|sig|signature|otp|nonce|ticket)$/;

/** Addresses, which often sign people in by their query or fragment. */
const address = /^(?:location|content-location|refresh)$/;

/**
 * The stored part of a response's headers: names in lower case, at most 2 KiB of names and values in the
 * order they came. Cookies are left out, values that may be credentials read `***`, addresses lose query and
 * fragment, and a value longer than the remaining room ends with `…`.
 */
export function selectStoredHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  const kept: [string, string][] = [];
  let left = maxBytes;
  for (const name of Object.keys(headers)) {
    const given = headers[name];
    if (given === undefined || dropped.test(name)) continue;
    const nameBytes = Buffer.byteLength(name);
    const room = Math.min(left - nameBytes, maxValueBytes);
    if (room < minValueBytes) continue;
    const text = typeof given === 'string' ? given : given.join(', ');
    const value = secret.test(name) ? '***' : maskAndShorten(name, text, room);
    kept.push([name, value]);
    left -= nameBytes + Buffer.byteLength(value);
  }
  // Not by assignment: a header may be called __proto__.
  return Object.fromEntries(kept);
}

function maskAndShorten(name: string, text: string, room: number): string {
  const part = text.slice(0, maxSearched);
  const masked = maskSecrets(dropQueryOfUrl(name, part));
  return truncateToBytes(part.length < text.length ? `${masked}…` : masked, room);
}

function dropQueryOfUrl(name: string, text: string): string {
  if (name === 'link') return text.replaceAll(/[?#][^>]*/g, '');
  return address.test(name) ? text.replace(/[?#].*/s, '') : text;
}

function truncateToBytes(value: string, bytes: number): string {
  if (value.length * 3 <= bytes || Buffer.byteLength(value) <= bytes) return value;
  const ellipsis = '…';
  const part = Buffer.from(value).toString('utf8', 0, bytes - Buffer.byteLength(ellipsis));
  return part.replace(/\uFFFD$/, '') + ellipsis;
}
