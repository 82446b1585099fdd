const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * The trace that the caller says the request belongs to; undefined when the header is absent or not valid.
 * W3C Trace Context, section 3.2: zeros are no ids, `ff` is no version, and only versions after 00 may add
 * more.
 */
export function traceIdOf(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, trace, parent, more] = traceparent.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return isZero(trace) || isZero(parent) ? undefined : trace;
}

function isZero(id = ''): boolean {
  return /^0+$/.test(id);
}
