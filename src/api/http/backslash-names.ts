/** Matches a JSON string, and a colon that makes it a name. An unclosed string ends with the text. */
const strings = /"([^"\\]*(?:\\[^][^"\\]*)*)(?:"[ \t\n\r]*(:)?)?/g;
/** Matches a backslash within a JSON string, written as `\\` or `\u005c`. */
const backslash = /\\(?:\\|u005c)/i;

/**
 * True for JSON in which the name of a field contains a backslash. Such a name triggers a bug in V8 13: later
 * texts, also those of other callers, may be parsed with a wrong name. So text from outside is checked before
 * it is parsed.
 */
export function hasBackslashName(text: string): boolean {
  if (!text.includes('\\') || !backslash.test(text)) return false;
  for (const [, written = '', colon] of text.matchAll(strings)) {
    if (colon !== undefined && backslash.test(written)) return true;
  }
  return false;
}

/** True for a JWT with such a name in its header or claims, which are parsed before it is verified. */
export function hasBackslashClaim(token: string): boolean {
  const [head = '', claims = ''] = token.split('.', 2);
  return [head, claims].some((part) => hasBackslashName(Buffer.from(part, 'base64url').toString()));
}
