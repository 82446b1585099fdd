/** Additional headers of a webhook by name in lower case. Their values are often credentials. */
export type WebhookHeaders = Readonly<Record<string, string>>;

/** A change of the headers as a merge patch. A null value removes a header. */
export type HeaderPatch = Readonly<Record<string, string | null>>;

/** Matches a header name (RFC 9110 section 5.6.2). */
export const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Matches headers that owners cannot set, because the service sets them, they frame the message, or they
 * belong to one connection (RFC 9110 section 7.6.1).
 */
const reserved =
  /^(?:webhook-|standup-|content-|proxy-)|^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect)$/;

/** Matches printable ASCII without spaces at its ends, which every server reads in the same way. */
export const headerValue = /^[!-~](?:[ -~]*[!-~])?$/;

export const headerLimits = {count: 10, name: 64, value: 1_024} as const;

/**
 * Returns the error in one header, as the rest of a sentence that begins with its name; undefined when it is
 * valid. A null `value` removes the header.
 */
export function findHeaderError(name: string, value: string | null): string | undefined {
  if (name.length > headerLimits.name) return `has a name of more than ${headerLimits.name} characters`;
  if (!headerName.test(name)) return 'is not a header name';
  if (reserved.test(name.toLowerCase()))
    return 'is a header that the service sets itself, or never sends: leave it out';
  if (value === null) return undefined;
  if (value.length > headerLimits.value) return `has at most ${headerLimits.value} characters`;
  if (!headerValue.test(value)) return 'must be printable ASCII, not empty, without space at either end';
  return undefined;
}

/** Returns the headers after a change, sorted by name. */
export function mergeHeaders(before: WebhookHeaders, patch: HeaderPatch): WebhookHeaders {
  const merged = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name.toLowerCase());
    else merged.set(name.toLowerCase(), value);
  }
  return Object.fromEntries([...merged].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns the headers that a new URL would send to another origin although the change does not set them. A
 * person who may change a webhook must not learn their values by choosing a URL. A null `patch` removes all.
 * Both URLs are valid.
 */
export function listHeadersSentToNewOrigin(
  names: readonly string[],
  patch: HeaderPatch | null | undefined,
  {from, to}: {readonly from: string; readonly to: string},
): string[] {
  if (patch === null || new URL(from).origin === new URL(to).origin) return [];
  const patched = new Set(Object.keys(patch ?? {}).map((name) => name.toLowerCase()));
  return names.filter((name) => !patched.has(name));
}
