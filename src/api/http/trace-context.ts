const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * Returns the caller's trace from its `traceparent` header; undefined when the header is absent or invalid.
 * W3C Trace Context, section 3.2: ids of only zeros and version `ff` are invalid, and only later versions may
 * have more fields.
 */
export function parseTraceId(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, trace, parent, more] = traceparent.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return isZeroId(trace) || isZeroId(parent) ? undefined : trace;
}

function isZeroId(id = ''): boolean {
  return /^0+$/.test(id);
}
