const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The place of a span in its trace (W3C Trace Context), which is all that its children and links need. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** True if the span is recorded. */
  readonly sampled: boolean;
}

/**
 * Parses a `traceparent` header; undefined when it is absent or invalid. W3C Trace Context, section 3.2: ids
 * of only zeros and version `ff` are invalid, and only later versions may have more fields.
 */
export function parseTraceparent(header: string | string[] | undefined): TraceContext | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = traceparent.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (isZeroId(traceId) || isZeroId(spanId)) return undefined;
  return {traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1};
}

/** Returns the place of a span as a `traceparent` header. Events and mails store it in this form, too. */
export function formatTraceparent({traceId, spanId, sampled}: TraceContext): string {
  return `00-${traceId}-${spanId}-0${sampled ? 1 : 0}`;
}

function isZeroId(id: string): boolean {
  return /^0+$/.test(id);
}
