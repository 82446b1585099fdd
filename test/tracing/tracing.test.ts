import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import type {Log} from '../../src/domain/core/log.js';
import type {TraceContext} from '../../src/domain/core/trace-context.js';
import {createSliceSpan, runInSpan, type SamplerName} from '../../src/domain/core/tracer.js';
import {AppError} from '../../src/domain/core/errors.js';
import {createTracing, type Tracing} from '../../src/tracing/tracing.js';
import {type Collector, startCollector} from '../support/collector.js';
import {asId} from '../support/ids.js';
import {until} from '../support/until.js';

let collector: Collector;
const lines: string[] = [];
const open: Tracing[] = [];

beforeEach(async () => {
  collector = await startCollector();
  lines.length = 0;
});

afterEach(async () => {
  collector.respondWith(200);
  await Promise.all(open.splice(0).map(({close}) => close()));
  await collector.close();
});

const note = (level: string) => (fields: object, message: string) =>
  void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
const log: Log = {debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error')};

interface Options {
  readonly sampler?: SamplerName;
  readonly ratio?: number;
  readonly endpoint?: string;
  readonly limits?: Parameters<typeof createTracing>[2];
}

function makeTracing({
  sampler = 'parentbased_always_on',
  ratio = 1,
  endpoint,
  limits,
}: Options = {}): Tracing {
  const settings = {
    endpoint: endpoint ?? collector.url,
    headers: {'x-api-key': 'key of the collector'},
    sampler,
    ratio,
    resource: {'service.name': 'standup-of-tests'},
  };
  const tracing = createTracing(settings, log, {
    sendEveryMs: 20,
    closeWithinMs: 500,
    requestMs: 300,
    ...limits,
  });
  open.push(tracing);
  return tracing;
}

const caller: TraceContext = {traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true};
const unrecorded = {...caller, sampled: false};

it('a span reaches the collector with its parent, links, facts, headers and service', async () => {
  const {tracer} = makeTracing();
  const request = tracer.start('GET /v1/teams', {kind: 'server', parent: caller, attributes: {first: 'one'}});
  const step = tracer.start('commit', {kind: 'client', parent: request.context, links: [caller]});
  step.end({failure: 'stale'});
  request.end({attributes: {second: 2, none: undefined, types: ['a', 'b']}});
  await until(() => collector.spans.length === 2, {what: 'both spans arrive'});
  expect(collector.spans.find(({name}) => name === 'GET /v1/teams')).toMatchObject({
    traceId: caller.traceId,
    parentSpanId: caller.spanId,
    kind: 2,
    attributes: {first: 'one', second: 2},
    resource: {'service.name': 'standup-of-tests'},
  });
  expect(collector.spans.find(({name}) => name === 'commit')).toMatchObject({
    traceId: caller.traceId,
    parentSpanId: request.context?.spanId,
    kind: 3,
    attributes: {'error.type': 'stale'},
    links: [{traceId: caller.traceId, spanId: caller.spanId}],
    status: {code: 2},
  });
  expect(collector.requests[0]).toMatchObject({
    path: '/v1/traces',
    headers: {'x-api-key': 'key of the collector'},
  });
});

describe('the sampler', () => {
  it.each<[SamplerName, boolean, boolean, boolean]>([
    ['always_on', true, true, true],
    ['always_off', false, false, false],
    ['parentbased_always_on', true, true, false],
    ['parentbased_always_off', false, true, false],
  ])(
    '%s records a first span, one in a recorded trace, and one in an unrecorded trace: %p, %p, %p',
    (sampler, ...expected) => {
      const {tracer} = makeTracing({sampler});
      const found = [undefined, caller, unrecorded].map((parent) => {
        const span = tracer.start('request', {kind: 'server', parent});
        span.end();
        return span.context?.sampled;
      });
      expect(found).toEqual(expected);
    },
  );

  it.each<SamplerName>(['traceidratio', 'parentbased_traceidratio'])(
    '%s records about its share of traces',
    (sampler) => {
      const {tracer} = makeTracing({sampler, ratio: 0.1});
      const recorded = Array.from({length: 2_000}, () => tracer.start('request', {kind: 'server'}));
      const share = recorded.filter(({context}) => context?.sampled).length / recorded.length;
      expect(share).toBeGreaterThan(0.05);
      expect(share).toBeLessThan(0.15);
    },
  );

  it('records work if a request that caused it is recorded, whatever its own share is', () => {
    const {tracer} = makeTracing({sampler: 'parentbased_traceidratio', ratio: 0});
    const slice = tracer.start('process deliver', {kind: 'consumer', links: [caller]});
    expect(slice.context?.sampled).toBe(true);
    const idle = tracer.start('process deliver', {kind: 'consumer'});
    expect(idle.context?.sampled).toBe(false);
    expect(tracer.start('commit', {kind: 'client', parent: idle.context}).context).toBe(idle.context);
    const caused = tracer.start('POST webhook', {kind: 'client', parent: idle.context, links: [caller]});
    expect(caused.context?.sampled).toBe(true);
    for (const span of [slice, caused]) span.end();
  });
});

describe('the span of a time slice', () => {
  it('does not exist if nothing happens in the slice', async () => {
    const tracing = makeTracing();
    createSliceSpan(tracing.tracer, asId('ws_1'), 'deliver', performance.now()).end();
    await tracing.close();
    expect(collector.spans).toEqual([]);
  });

  it('is linked once to each span that caused it, also to one that it meets later', async () => {
    const tracing = makeTracing();
    const slice = createSliceSpan(tracing.tracer, asId('ws_1'), 'deliver', performance.now());
    const later = {...caller, spanId: 'c'.repeat(16)};
    for (const cause of [caller, caller, undefined]) slice.link(cause);
    expect(slice.context()).toBe(slice.context());
    slice.link(later);
    slice.end('internal_error');
    await tracing.close();
    expect(collector.spans).toMatchObject([
      {
        name: 'process deliver',
        kind: 5,
        status: {code: 2},
        links: [{spanId: caller.spanId}, {spanId: later.spanId}],
      },
    ]);
  });
});

it('a step that throws fails by its code, without the words of its message', async () => {
  const {tracer} = makeTracing();
  const secret = 'words of Grace';
  for (const error of [new AppError('not_found', secret), new Error(secret)]) {
    const span = tracer.start('step', {kind: 'client'});
    await expect(runInSpan(span, () => Promise.reject(error))).rejects.toBe(error);
  }
  await until(() => collector.spans.length === 2, {what: 'both spans arrive'});
  expect(collector.spans.map(({attributes}) => attributes['error.type'])).toEqual([
    'not_found',
    'internal_error',
  ]);
  expect(collector.requests.map(({text}) => text).join('')).not.toContain(secret);
});

describe('a collector', () => {
  /** Ends spans one after the other. Returns the longest time (ms) that one took. */
  function endSpans({tracer}: Tracing, count: number): number {
    let longest = 0;
    for (let i = 0; i < count; i++) {
      const begun = performance.now();
      tracer.start('request', {kind: 'server'}).end();
      longest = Math.max(longest, performance.now() - begun);
    }
    return longest;
  }

  it('that hangs makes no one wait, and spans beyond the queue are dropped and counted', async () => {
    collector.respondWith('hang');
    const tracing = makeTracing({limits: {mostWaiting: 10, requestMs: 1_000}});
    endSpans(tracing, 10);
    await until(() => collector.requests.length === 1, {what: 'the first spans are sent'});
    endSpans(tracing, 25);
    expect(tracing.readLostSpans()).toEqual({queue_full: 15, not_taken: 0});
    const begun = performance.now();
    await tracing.close();
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it('that refuses spans is logged once, its lost spans are counted, and it gets later spans', async () => {
    collector.respondWith(400);
    const tracing = makeTracing();
    for (const lost of [1, 2]) {
      endSpans(tracing, 1);
      await until(() => tracing.readLostSpans().not_taken === lost, {what: 'the span is refused'});
    }
    collector.respondWith(200);
    endSpans(tracing, 1);
    await until(() => collector.spans.length === 1, {what: 'the last span arrives'});
    await until(() => lines.length === 2, {what: 'both lines are written'});
    expect(lines[0]).toMatch(/^warn the collector takes no traces /);
    expect(lines[1]).toBe('info the collector takes traces again {}');
    expect(lines.join('')).not.toContain('key of the collector');
  });

  it('that is gone costs its spans and nothing else', async () => {
    const tracing = makeTracing({endpoint: 'http://127.0.0.1:9'});
    endSpans(tracing, 3);
    await until(() => tracing.readLostSpans().not_taken === 3, {what: 'the spans are given up'});
    await tracing.close();
  });

  it('gets the spans that wait when the process ends', async () => {
    const tracing = makeTracing({limits: {sendEveryMs: 60_000}});
    endSpans(tracing, 600);
    await tracing.close();
    expect(collector.spans).toHaveLength(600);
  });
});
