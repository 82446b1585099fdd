import {isIP} from 'node:net';
import type {AddressPolicy} from './address.js';

/** What a request to a checked URL is dispatched with. */
export interface Target {
  readonly origin: string;
  readonly path: string;
}

export const maxUrlLength = 2048;

/**
 * Why a URL may not be a webhook's target, as a sentence for the person who typed it; undefined when it may.
 * Pure: a name is not resolved here, since what it leads to is checked whenever a connection is opened.
 */
export function checkTarget(url: string, policy: AddressPolicy): string | undefined {
  const target = parseTarget(url, policy);
  return typeof target === 'string' ? target : undefined;
}

/** The target of a URL, or the sentence that says why it is none. */
export function parseTarget(url: string, policy: AddressPolicy): Target | string {
  if (url.length > maxUrlLength) return `The URL is longer than ${maxUrlLength} characters.`;
  // The URL parser silently drops tabs and line breaks and reads a backslash as a slash: what is shown would not be what is dialled.
  if (/[\s\\\p{Cc}]/u.test(url)) return 'The URL must not contain spaces, control characters or backslashes.';
  if (!URL.canParse(url)) return 'The URL cannot be read.';
  const parsed = new URL(url);
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return 'The URL must begin with https://.';
  if (parsed.username !== '' || parsed.password !== '')
    return 'The URL must not contain a user name or password.';
  if (url.includes('#')) return 'The URL must not contain a fragment (#), which is never sent.';
  const port = parsed.port === '' ? undefined : Number(parsed.port);
  if (port !== undefined && port !== 80 && port !== 443 && port < 1024) {
    return 'The port must be 80, 443, or 1024 and above.';
  }
  const reason = checkHost(parsed, policy);
  return reason ?? {origin: parsed.origin, path: `${parsed.pathname}${parsed.search}`};
}

/** What names end with that only a network of its own knows (RFC 6762, RFC 8375, ICANN's .internal, and what is in wide use). */
const innerName =
  /^[^.]+$|\.(?:local|internal|localdomain|home\.arpa|home|lan|corp|intranet|private|svc|consul)$/;

function checkHost({protocol, hostname}: URL, policy: AddressPolicy): string | undefined {
  // The parser has already turned decimal, octal, hexadecimal and short IPv4 notations into the dotted form.
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(host) !== 0) {
    if (!policy.allows(host)) return 'The URL must lead to a public address.';
    if (protocol === 'http:' && !policy.opens(host)) return 'The URL must begin with https://.';
    return undefined;
  }
  // A final dot says that a name is whole; of more than one nobody knows what a resolver makes.
  if (/^\.|\.\./.test(host)) return 'The URL must lead to a name without empty parts.';
  if (/(^|\.)localhost\.?$/.test(host) && !policy.opens('127.0.0.1') && !policy.opens('::1')) {
    return 'The URL must lead to a public address.';
  }
  // Where nothing is opened such a name can only fail, and how it fails would tell its owner which names there are inside.
  if (!policy.opensAny && innerName.test(host.replace(/\.$/, ''))) {
    return 'The URL must lead to a name of the public internet, not to one that only a network of its own knows.';
  }
  // Plain http is for opened networks. Whether a name lies in one shows at the connection; with none opened it cannot.
  if (protocol === 'http:' && !policy.opensAny) return 'The URL must begin with https://.';
  return undefined;
}
