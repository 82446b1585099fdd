import {AppError} from './errors.js';
import type {Id} from './ids.js';
import type {TraceContext} from './trace-context.js';

/**
 * Facts about a span. Traces leave the installation, so no value may be a text of people, an address, a token
 * or a URL: only our own ids, names and numbers.
 */
export type SpanAttributes = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export interface SpanOptions {
  /** `server`: answers a request. `client`: waits for another program. `consumer`: does work of the queue. */
  readonly kind: 'server' | 'client' | 'consumer';
  /** The span that contains this one; undefined for the first span of a trace. */
  readonly parent?: TraceContext | undefined;
  /** Spans that caused this one, in other traces. */
  readonly links?: readonly TraceContext[];
  readonly attributes?: SpanAttributes;
  /** The time (monotonic ms) at which it began; by default now. */
  readonly startedAt?: number;
}

/** One step of a trace. */
export interface Span {
  /** Undefined if this process makes no traces. */
  readonly context: TraceContext | undefined;
  /** Adds a span that caused this one. */
  link: (cause: TraceContext) => void;
  /** Ends the span. `failure`: a code for the reason why the step failed. */
  end: (result?: SpanResult) => void;
}

export interface SpanResult {
  readonly attributes?: SpanAttributes;
  readonly failure?: string | undefined;
}

/**
 * The standard names of samplers that need no other server. OTEL_TRACES_SAMPLER may have others, such as
 * `jaeger_remote`, which are refused.
 */
export const samplerNames = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

export type SamplerName = (typeof samplerNames)[number];

/** Makes traces of the running service. No caller waits for it, and it never throws. */
export interface Tracer {
  start: (name: string, options: SpanOptions) => Span;
}

/** A span that is not recorded. A `context` tells its children that they are not recorded, either. */
export function createUnrecordedSpan(context: TraceContext | undefined): Span {
  return {context, link: () => undefined, end: () => undefined};
}

export const noSpan = createUnrecordedSpan(undefined);

/** The tracer of a process without traces. */
export const noTracer: Tracer = {start: () => noSpan};

/** Runs a step in a span. An error is recorded by its code, since messages quote what people have written. */
export async function runInSpan<T>(
  span: Span,
  step: () => Promise<T>,
  describe: (result: T) => SpanResult = () => ({}),
): Promise<T> {
  try {
    const result = await step();
    span.end(describe(result));
    return result;
  } catch (error) {
    span.end({failure: error instanceof AppError ? error.code : 'internal_error'});
    throw error;
  }
}

/**
 * The span of one time slice of work. It begins when a step inside it needs it, or at the end if some span
 * caused the work, so that slices that find nothing to do leave no span.
 */
export interface SliceSpan {
  /** Links the slice to a span that caused its work, such as the commit of an event. */
  link: (cause: TraceContext | undefined) => void;
  /** Returns the place of the span, for the steps inside it. */
  context: () => TraceContext | undefined;
  end: (failure?: string) => void;
}

/** The span of a slice in a process without traces. */
export const noSliceSpan: SliceSpan = {link: () => undefined, context: () => undefined, end: () => undefined};

/** A link is dropped after this many: collectors take 128. */
const mostLinks = 128;

/** `work`: the kind of work. `startedAt`: the time (monotonic ms) at which the slice began. */
export function createSliceSpan(
  tracer: Tracer,
  workspace: Id<'workspace'>,
  work: string,
  startedAt: number,
): SliceSpan {
  if (tracer === noTracer) return noSliceSpan;
  const links: TraceContext[] = [];
  let span: Span | undefined;

  function start(): Span {
    const attributes = {'standup.work': work, 'standup.workspace': workspace};
    return tracer.start(`process ${work}`, {kind: 'consumer', links, attributes, startedAt});
  }

  return {
    link(cause) {
      if (cause === undefined || links.length >= mostLinks) return;
      if (links.some(({spanId}) => spanId === cause.spanId)) return;
      links.push(cause);
      span?.link(cause);
    },
    context: () => (span ??= start()).context,
    end(failure) {
      if (links.length > 0) span ??= start();
      span?.end({failure});
    },
  };
}
