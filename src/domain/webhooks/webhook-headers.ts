/**
 * Headers that a webhook's owner wants sent besides ours, by name in lower case. Their values are often
 * credentials.
 */
export type WebhookHeaders = Readonly<Record<string, string>>;

/** A change of the headers as a merge patch: null removes one. */
export type HeaderPatch = Readonly<Record<string, string | null>>;

/** RFC 9110 section 5.6.2. */
export const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Headers that we set, that frame the message, or that are for one connection only (RFC 9110 section 7.6.1).
 */
const reserved =
  /^(?:webhook-|standup-|content-|proxy-)|^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect)$/;

/** Printable ASCII without space at either end, which every server reads alike. */
export const headerValue = /^[!-~](?:[ -~]*[!-~])?$/;

export const headerLimits = {count: 10, name: 64, value: 1_024} as const;

/**
 * The error of one header, as the rest of a sentence that begins with its name; undefined when there is none.
 * A null `value` removes it.
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

/** Headers after a change, in the order of their names. */
export function mergeHeaders(before: WebhookHeaders, patch: HeaderPatch): WebhookHeaders {
  const merged = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name.toLowerCase());
    else merged.set(name.toLowerCase(), value);
  }
  return Object.fromEntries([...merged].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The headers that a change would send to another origin without naming them again; none when the origin
 * stays. A person who may change a webhook need not know its values, and an address of their choice would
 * reveal them. A null `patch` removes all. Both URLs are valid.
 */
export function headersSentToNewOrigin(
  names: readonly string[],
  patch: HeaderPatch | null | undefined,
  {from, to}: {readonly from: string; readonly to: string},
): string[] {
  if (patch === null || new URL(from).origin === new URL(to).origin) return [];
  const patched = new Set(Object.keys(patch ?? {}).map((name) => name.toLowerCase()));
  return names.filter((name) => !patched.has(name));
}
