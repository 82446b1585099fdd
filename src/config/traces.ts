/** Returns the address of a collector without a slash at its end; undefined if it is invalid. */
export function readCollectorUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined;
  const isBare = [url.username, url.password, url.search, url.hash].every((part) => part === '');
  return isBare ? url.href.replace(/\/+$/, '') : undefined;
}

/** Parses `name=value,name=value` with percent-encoded values (W3C Baggage); undefined if it is invalid. */
export function readNamedValues(text: string): Readonly<Record<string, string>> | undefined {
  const named: [string, string][] = [];
  for (const item of text.split(',')) {
    const [, name, value = ''] = /^\s*([^\s=]+)\s*=(.*)$/.exec(item) ?? [];
    if (name === undefined) return undefined;
    try {
      named.push([decodeURIComponent(name), decodeURIComponent(value.trim())]);
    } catch {
      return undefined;
    }
  }
  return Object.fromEntries(named);
}
