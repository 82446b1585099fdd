/** Matches a string, to the end of the text if it is never closed, and the colon that makes it a name. */
const strings = /"([^"\\]*(?:\\[^][^"\\]*)*)(?:"[ \t\n\r]*(:)?)?/g;
/** A backslash within a string, in either spelling. */
const backslash = /\\(?:\\|u005c)/i;

/**
 * True for JSON with a member whose name has a backslash. Once V8 13 has read one, it reads other names as
 * that one, also in other callers' texts: names that are spelled with an escape and begin with the same
 * characters. So text from outside is checked for this before it is parsed.
 */
export function hasBackslashName(text: string): boolean {
  if (!text.includes('\\') || !backslash.test(text)) return false;
  for (const [, written = '', colon] of text.matchAll(strings)) {
    if (colon !== undefined && backslash.test(written)) return true;
  }
  return false;
}

/**
 * True when the head or the claims of a JWT have such a name: they are parsed before the signature is
 * checked.
 */
export function hasBackslashClaim(token: string): boolean {
  const [head = '', claims = ''] = token.split('.', 2);
  return [head, claims].some((part) => hasBackslashName(Buffer.from(part, 'base64url').toString()));
}
