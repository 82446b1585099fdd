import {isEmailAddress} from '../core/text.js';

/** Characters at which a URL parser would end the name of a host. */
const notOfNames = /[/?#\\:%]/;

/**
 * Returns an address as mail servers take it, with its domain in Punycode; undefined for one that needs a
 * server with SMTPUTF8. It is one address only: no quotes, commas, brackets or spaces.
 */
export function toAsciiAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (!isEmailAddress(address) || !/^[\x21-\x7e]+$/.test(local) || notOfNames.test(domain)) return undefined;
  const host = URL.parse(`https://${domain}`)?.hostname;
  return host ? `${local}@${host}` : undefined;
}
