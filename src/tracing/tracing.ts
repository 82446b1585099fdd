// src/tracing/: traces for OpenTelemetry, sent to a collector by OTLP. Only this folder may use
// `@opentelemetry/*`. It is loaded only if a collector is set.
import {
  ROOT_CONTEXT,
  SpanKind,
  type SpanContext,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import {OTLPTraceExporter} from '@opentelemetry/exporter-trace-otlp-http';
import {resourceFromAttributes} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type {Log} from '../domain/core/log.js';
import type {TraceContext} from '../domain/core/trace-context.js';
import {
  createUnrecordedSpan,
  type SamplerName,
  type Span,
  type SpanAttributes,
  type SpanOptions,
  type Tracer,
} from '../domain/core/tracer.js';

export interface TracingSettings {
  /** The address of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sampler: SamplerName;
  /** The share of traces that `…traceidratio` records, from 0 to 1. */
  readonly ratio: number;
  /** Facts about this process that each trace has, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
}

/** The spans that never reached the collector: this process has dropped them, or the collector took none. */
export type LostSpans = Readonly<Record<'queue_full' | 'not_taken', number>>;

export interface Tracing {
  readonly tracer: Tracer;
  readonly readLostSpans: () => LostSpans;
  /** Sends the last spans. It takes at most 3 s, and never rejects. */
  close: () => Promise<void>;
}

const standardLimits = {
  /** The largest number of ended spans that wait for the collector. The others are dropped. */
  mostWaiting: 2_048,
  /** The time (ms) after which waiting spans are sent. */
  sendEveryMs: 5_000,
  /** The time (ms) that one request may take, with its repeats. */
  requestMs: 10_000,
  /** The time (ms) that the last spans may take at the end of the process. */
  closeWithinMs: 3_000,
};
/** The largest number of spans in one request. Its JSON is written at once, and other work waits. */
const mostInRequest = 256;

/** `limits`: shorter limits, for tests. */
export function createTracing(
  settings: TracingSettings,
  log: Log,
  limits: Partial<typeof standardLimits> = {},
): Tracing {
  const {requestMs, closeWithinMs, ...bounds} = {...standardLimits, ...limits};
  const lost = {queue_full: 0, not_taken: 0};
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: settings.headers,
    timeoutMillis: requestMs,
    concurrencyLimit: 32,
  });
  const queue = createBoundedQueue(exporter, lost, {...bounds, requestMs, log});
  const provider = new TracerProvider({
    resource: resourceFromAttributes(settings.resource),
    sampler: createSampler(settings),
    spanProcessors: [queue],
  });
  const sdk = provider.getTracer('team-standup-service');

  function start(name: string, {kind, parent, links = [], attributes, startedAt}: SpanOptions): Span {
    // Inside a trace the decision of its first span here holds, so the SDK is not asked. But the work of a
    // recorded cause is recorded, also in a time slice that is not.
    const isInUnrecorded = parent?.sampled === false && kind !== 'server';
    if (isInUnrecorded && links.length === 0) return createUnrecordedSpan(parent);
    const context =
      parent === undefined || isInUnrecorded
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, toSpanContext(parent, kind === 'server'));
    const span = sdk.startSpan(
      name,
      {
        kind: kinds[kind],
        links: links.map((link) => ({context: toSpanContext(link)})),
        ...(attributes && {attributes}),
        ...(startedAt !== undefined && {startTime: startedAt}),
      },
      context,
    );
    const {traceId, spanId, traceFlags} = span.spanContext();
    const own = {traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0};
    if (!own.sampled) return createUnrecordedSpan(own);
    return {
      context: own,
      link: (cause) => void span.addLink({context: toSpanContext(cause)}),
      end({attributes: found, failure} = {}) {
        if (found !== undefined) setAttributes(found);
        if (failure !== undefined) {
          setAttributes({'error.type': failure});
          span.setStatus({code: SpanStatusCode.ERROR});
        }
        span.end();
      },
    };

    function setAttributes(found: SpanAttributes): void {
      for (const name in found) {
        const value = found[name];
        if (value !== undefined) span.setAttribute(name, typeof value === 'object' ? [...value] : value);
      }
    }
  }

  return {
    tracer: {start},
    readLostSpans: () => lost,
    async close() {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, closeWithinMs);
      await Promise.race([provider.shutdown().catch(() => undefined), late.promise]);
      clearTimeout(timer);
    },
  };
}

const kinds = {server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER};

function toSpanContext({traceId, spanId, sampled}: TraceContext, isRemote = true): SpanContext {
  return {traceId, spanId, isRemote, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE};
}

/**
 * Creates the queue of ended spans. It is bounded here and not in the SDK's queue, which does not tell what it
 * drops.
 */
function createBoundedQueue(
  exporter: SpanExporter,
  lost: {queue_full: number; not_taken: number},
  {
    mostWaiting,
    sendEveryMs,
    requestMs,
    log,
  }: Omit<typeof standardLimits, 'closeWithinMs'> & {readonly log: Log},
): SpanProcessor {
  let waiting = 0;
  let isFailing = false;
  const inner = new BatchSpanProcessor({
    exporter: {
      export(spans, done) {
        waiting -= spans.length;
        exporter.export(spans, (result) => {
          const code: number = result.code;
          // The code of a success is 0.
          const hasFailed = code !== 0;
          if (hasFailed) lost.not_taken += spans.length;
          if (hasFailed !== isFailing) {
            isFailing = hasFailed;
            if (isFailing) log.warn({reason: describeFailure(result.error)}, 'the collector takes no traces');
            else log.info({}, 'the collector takes traces again');
          }
          done(result);
        });
      },
      shutdown: () => exporter.shutdown(),
    },
    maxQueueSize: mostWaiting,
    maxExportBatchSize: Math.min(mostWaiting, mostInRequest),
    scheduledDelayMillis: sendEveryMs,
    exportTimeoutMillis: requestMs,
  });
  return {
    onStart: () => undefined,
    onEnd(span) {
      if (waiting >= mostWaiting) {
        lost.queue_full += 1;
        return;
      }
      waiting += 1;
      inner.onEnd(span);
    },
    forceFlush: () => inner.forceFlush(),
    shutdown: () => inner.shutdown(),
  };
}

/** Returns the code of a failed request. Messages and answers may repeat the address or a header. */
function describeFailure(error: Error | undefined): string {
  const code = error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : (error?.name ?? 'unknown');
}

function createSampler({sampler, ratio}: TracingSettings): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return followCauses(new AlwaysOnSampler());
    case 'parentbased_always_off':
      return followCauses(new AlwaysOffSampler());
    case 'parentbased_traceidratio':
      return followCauses(new TraceIdRatioBasedSampler(ratio));
  }
}

/**
 * Records a span if its parent is recorded. Without a parent, it is recorded if a span that it links to is:
 * the work of a recorded request is recorded, too. `root` decides about all others.
 */
function followCauses(root: Sampler): Sampler {
  const byParent = new ParentBasedSampler({root});
  return {
    shouldSample(context, ...rest) {
      const [traceId, name, kind, attributes, links] = rest;
      const isCaused = trace.getSpanContext(context) === undefined && links.some(isRecorded);
      return isCaused
        ? {decision: SamplingDecision.RECORD_AND_SAMPLED}
        : byParent.shouldSample(context, traceId, name, kind, attributes, links);
    },
    toString: () => byParent.toString(),
  };
}

function isRecorded({context}: {readonly context: SpanContext}): boolean {
  return (context.traceFlags & TraceFlags.SAMPLED) !== 0;
}
