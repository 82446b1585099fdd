import {maskSecrets} from '../domain/core/log.js';

const maxBytes = 2048;
/** The longest stored value of a header, so that one long value does not push out all others. */
const maxValueBytes = 512;
/** The minimum space (bytes) for a value. With less, the header is left out. */
const minValueBytes = 16;
/** The length up to which a value is searched for secrets; most of a longer one is dropped. */
const maxSearched = 1024;

// Cookies and tokens of a receiver are as good as a password, and do not help to find an error.
const dropped = /^set-cookie2?$/;
// `www-authenticate` explains a 401, and contains no credential.
const secret =
  /auth(?!enticate)|token|secret|passw|pwd|credential|cookie|session|csrf|xsrf|jwt|bearer|assertion|private|apikey|(?:^|[-_])(?:keys?|pass|sid|sig|signature|otp|nonce|ticket)$/;

/** Headers with URLs, whose query or fragment is often a credential. */
const address = /^(?:location|content-location|refresh)$/;

/**
 * Returns the stored part of a response's headers: names in lower case, at most 2 KiB in the order of
 * arrival. Cookies are left out, possible credentials are replaced by `***`, URLs lose their query and
 * fragment, and a value that is too long ends with `…`.
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
  // `fromEntries` is used because a header may be called __proto__.
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
