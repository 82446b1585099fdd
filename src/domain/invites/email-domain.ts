import {createEmailComparisonKey, isEmailAddress} from '../core/text.js';

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/** Matches a domain in ASCII. */
export const emailDomainPattern = new RegExp(`^${label}(?:\\.${label})+$`);

/**
 * Returns a domain in the form in which it is stored and compared: ASCII, with the letters of other scripts
 * in Punycode. Returns undefined for what is no domain, and for characters that only look like ASCII, such as
 * U+212A and full-width letters: they would be another spelling of somebody else's domain.
 */
export function normalizeEmailDomain(domain: string): string | undefined {
  if (!isEmailAddress(`x@${domain}`)) return undefined;
  const folded = createEmailComparisonKey(`x@${domain}`).slice('x@'.length);
  const labels = folded.split('.');
  const given = domain.split('.');
  const isSame = given.every((part, i) => isAscii(part) || labels[i]?.startsWith('xn--') === true);
  return isSame && given.length === labels.length && emailDomainPattern.test(folded) ? folded : undefined;
}

/** True if an address is in a normalized domain itself, not in one below it. */
export function isInEmailDomain(address: string, domain: string): boolean {
  if (!isEmailAddress(address)) return false;
  return normalizeEmailDomain(address.slice(address.lastIndexOf('@') + 1)) === domain;
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
