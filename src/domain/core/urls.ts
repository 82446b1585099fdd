/**
 * The URL that a text is; undefined for none. Never `URL.canParse`: once Node 20 has optimized it, it refuses
 * every address with a letter such as ü.
 */
export function readUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
