import {isIP} from 'node:net';
import type {AddressPolicy} from './address.js';

/** The parts of a checked URL that are needed to send a request. */
export interface RequestTarget {
  readonly origin: string;
  readonly path: string;
}

export const maxUrlLength = 2048;

/**
 * Returns why a URL is not allowed for a webhook, as a sentence for people; undefined when it is allowed.
 * Names are not resolved here, because their addresses are checked at each connection.
 */
export function checkTarget(url: string, policy: AddressPolicy): string | undefined {
  const target = parseTarget(url, policy);
  return typeof target === 'string' ? target : undefined;
}

/** Parses a URL into its parts, or returns the sentence that says why it is not allowed. */
export function parseTarget(url: string, policy: AddressPolicy): RequestTarget | string {
  if (url.length > maxUrlLength) return `The URL is longer than ${maxUrlLength} characters.`;
  // The URL parser silently drops tabs and line breaks, and reads a backslash as a slash. The shown URL would
  // differ from the used one.
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

/** Suggests a correction for a URL without the right scheme: http only where it may be allowed. */
function suggestUrl(url: string, policy: AddressPolicy): string {
  const [, rest = ''] =
    /^(?:[a-z][a-z0-9+.-]*:)?\/*(.*)$/i.exec(url.replace(/^([\w.-]+):(?=\d)/, '//$1:')) ?? [];
  const fits = [`https://${rest}`, ...(policy.opensAny ? [`http://${rest}`] : [])].filter(
    (one) => URL.canParse(one) && typeof parseTarget(one, policy) !== 'string',
  );
  const example = 'It looks like https://example.com/standups.';
  return fits.length === 0 ? example : `Did you mean ${fits.join(' or ')}?`;
}

/** Matches names of private networks (RFC 6762, RFC 8375, ICANN's .internal, and common ones). */
const innerName =
  /^[^.]+$|\.(?:local|internal|localdomain|home\.arpa|home|lan|corp|intranet|private|svc|consul)$/;

function checkHost({protocol, hostname}: URL, policy: AddressPolicy): string | undefined {
  // The parser has already converted decimal, octal, hexadecimal and short IPv4 notations.
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(host) !== 0) {
    if (!policy.allows(host))
      return `The URL must lead to a public address, such as https://example.com/standups; ${host} is not public.`;
    if (protocol === 'http:' && !policy.opens(host))
      return 'The URL must begin with https://, and not with http://.';
    return undefined;
  }
  // A final dot marks a complete name. With several dots, resolvers behave differently.
  if (/^\.|\.\./.test(host)) return 'The URL must lead to a name without empty parts.';
  if (/(^|\.)localhost\.?$/.test(host) && !policy.opens('127.0.0.1') && !policy.opens('::1')) {
    return `The URL must lead to a public address, such as https://example.com/standups; ${host} is not public.`;
  }
  // A name that only exists in private networks always fails if no network is allowed. The kind of failure
  // would reveal which internal names exist, so such names are refused here.
  if (!policy.opensAny && innerName.test(host.replace(/\.$/, ''))) {
    return `The URL must lead to a name of the public internet, such as example.com, not to one that only a network of its own knows, as ${host}.`;
  }
  // Plain http is only for allowed networks. Whether a name leads to such a network is only known at the
  // connection. If no network is allowed, it never does, so the URL is refused here.
  if (protocol === 'http:' && !policy.opensAny)
    return 'The URL must begin with https://, and not with http://.';
  return undefined;
}
