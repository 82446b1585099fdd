import {isIP} from 'node:net';
import type {AddressPolicy} from './address.js';

/** The parts of a checked URL with which a request is dispatched. */
export interface RequestTarget {
  readonly origin: string;
  readonly path: string;
}

export const maxUrlLength = 2048;

/**
 * The reason why a URL may not be a webhook's target, as a sentence for the person who typed it; undefined
 * when it may. Pure: a name is not resolved here, since its addresses are checked whenever a connection is
 * opened.
 */
export function checkTarget(url: string, policy: AddressPolicy): string | undefined {
  const target = parseTarget(url, policy);
  return typeof target === 'string' ? target : undefined;
}

/** The target of a URL, or the sentence that says why it is none. */
export function parseTarget(url: string, policy: AddressPolicy): RequestTarget | string {
  if (url.length > maxUrlLength) return `The URL is longer than ${maxUrlLength} characters.`;
  // The URL parser silently drops tabs and line breaks and reads a backslash as a slash: the shown address
  // would not be the dialled one.
  if (/[\s\\\p{Cc}]/u.test(url)) return 'The URL must not contain spaces, control characters or backslashes.';
  const parsed = URL.parse(url);
  if (parsed === null) return `The URL cannot be read. ${suggestUrl(url, policy)}`;
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') {
    return `The URL must begin with https://. ${suggestUrl(url, policy)}`;
  }
  if (parsed.username !== '' || parsed.password !== '')
    return 'The URL must not contain a user name or password: send them in `headers`, such as {"authorization": "Bearer …"}.';
  if (url.includes('#')) return 'The URL must not contain a fragment (#), which is never sent.';
  const port = parsed.port === '' ? undefined : Number(parsed.port);
  if (port !== undefined && port !== 80 && port !== 443 && port < 1024) {
    return `The port must be 80, 443, or 1024 and above; it is ${port}.`;
  }
  const reason = checkHost(parsed, policy);
  return reason ?? {origin: parsed.origin, path: `${parsed.pathname}${parsed.search}`};
}

/**
 * Suggests a correction for an address without a scheme, or with another: plain http where that may be right.
 */
function suggestUrl(url: string, policy: AddressPolicy): string {
  const [, rest = ''] =
    /^(?:[a-z][a-z0-9+.-]*:)?\/*(.*)$/i.exec(url.replace(/^([\w.-]+):(?=\d)/, '//$1:')) ?? [];
  const fits = [`https://${rest}`, ...(policy.opensAny ? [`http://${rest}`] : [])].filter(
    (one) => URL.canParse(one) && typeof parseTarget(one, policy) !== 'string',
  );
  const example = 'It looks like https://example.com/standups.';
  return fits.length === 0 ? example : `Did you mean ${fits.join(' or ')}?`;
}

/**
 * The endings of names that only a private network knows (RFC 6762, RFC 8375, ICANN's .internal, and common
 * ones).
 */
const innerName =
  /^[^.]+$|\.(?:local|internal|localdomain|home\.arpa|home|lan|corp|intranet|private|svc|consul)$/;

function checkHost({protocol, hostname}: URL, policy: AddressPolicy): string | undefined {
  // The parser has already turned decimal, octal, hexadecimal and short IPv4 notations into the dotted form.
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(host) !== 0) {
    if (!policy.allows(host))
      return `The URL must lead to a public address, such as https://example.com/standups; ${host} is none.`;
    if (protocol === 'http:' && !policy.opens(host))
      return 'The URL must begin with https://, and not with http://.';
    return undefined;
  }
  // A final dot marks a complete name; with more than one, resolvers differ.
  if (/^\.|\.\./.test(host)) return 'The URL must lead to a name without empty parts.';
  if (/(^|\.)localhost\.?$/.test(host) && !policy.opens('127.0.0.1') && !policy.opens('::1')) {
    return `The URL must lead to a public address, such as https://example.com/standups; ${host} is none.`;
  }
  // With no network opened, such a name can only fail, and the kind of failure would reveal which names exist
  // inside.
  if (!policy.opensAny && innerName.test(host.replace(/\.$/, ''))) {
    return `The URL must lead to a name of the public internet, such as example.com, not to one that only a network of its own knows, as ${host}.`;
  }
  // Plain http is for opened networks. Whether a name is in one shows at the connection; with none opened it
  // cannot be.
  if (protocol === 'http:' && !policy.opensAny)
    return 'The URL must begin with https://, and not with http://.';
  return undefined;
}
