import {lists} from '../../src/domain/core/lists.js';
import {addWebhooks, receiverCount, measureDeliveryLatencies, waitUntilDelivered} from '../deliveries.js';
import type {Arm} from '../method.js';
import {commonBody, measureLatencies, type PostTarget} from '../posts.js';
import {startReceivers} from '../receivers.js';
import type {BenchRow} from '../row.js';
import {type Bench, type BenchStage, type Build, openStage} from '../stage.js';

interface DeliveryLoad {
  readonly perSecond: number;
  readonly webhooks: number;
}

/** The rate during the warm-up, which is higher so that V8 compiles the code sooner. */
const warmRate = 600;

const busy: DeliveryLoad = {perSecond: 200, webhooks: receiverCount};
const sparse: DeliveryLoad = {perSecond: 20, webhooks: 10};

/** Measures the time from the commit of an event to its arrival, while standups arrive at a fixed rate. */
export const latency: BenchRow = {
  service: (bench, build) => createLatencyContender(bench, build, busy),
  figures: [
    {metric: 'p50', work: `${describe(busy)}, p50`, unit: 'ms', aim: {atMost: 3}},
    {metric: 'p99', work: `${describe(busy)}, p99`, unit: 'ms', aim: {atMost: 10}},
    {metric: 'cpu', work: `${describe(busy)}, CPU of the process for an event`, unit: 'µs'},
    {metric: 'redisCpu', work: `${describe(busy)}, CPU of Redis for an event`, unit: 'µs'},
  ],
  method: {warmUp: 5_000, seconds: 3},
};

/** Measures what an event costs whose deliveries share nothing with those of other events. */
export const sparseEvents: BenchRow = {
  service: (bench, build) => createLatencyContender(bench, build, sparse),
  figures: [
    {metric: 'p50', work: `${describe(sparse)}, p50`, unit: 'ms'},
    {metric: 'p99', work: `${describe(sparse)}, p99`, unit: 'ms'},
    {metric: 'cpu', work: `${describe(sparse)}, CPU of the process for an event`, unit: 'µs'},
    {metric: 'redisCpu', work: `${describe(sparse)}, CPU of Redis for an event`, unit: 'µs'},
    {metric: 'scripts', work: `${describe(sparse)}, scripts for an event`, unit: ''},
    {metric: 'file', work: `${describe(sparse)}, append-only file for an event`, unit: 'bytes'},
  ],
  method: {warmUp: 5_000, seconds: 10},
};

function describe({perSecond, webhooks}: DeliveryLoad): string {
  return `commit → receiver, ${perSecond} events/s × ${webhooks} webhooks, open loop, warm`;
}

function createLatencyContender(bench: Bench, build: Build, {perSecond: rate, webhooks}: DeliveryLoad): Arm {
  return {
    name: build.name,
    async open(closings) {
      const stage = await openStage(bench, closings);
      const receivers = await startReceivers(webhooks);
      closings.defer(() => receivers.close());
      await addWebhooks(stage, receivers.urls);
      const target: PostTarget = {
        name: build.name,
        stage,
        server: await stage.startService(build, 'web,worker'),
        lists: [stage.keys.list(lists.standups())],
        next: () => ({token: stage.token, body: commonBody}),
      };
      const send = (perSecond: number, seconds: number) =>
        measureDeliveryLatencies(receivers, perSecond * seconds * webhooks, () =>
          measureLatencies(target, perSecond, seconds),
        );
      return {
        async measure(seconds) {
          const before = await readStoreCounts(stage);
          const sample = await send(rate, seconds);
          await waitUntilDelivered(stage);
          const after = await readStoreCounts(stage);
          const each = (name: 'scripts' | 'file') => (after[name] - before[name]) / (rate * seconds);
          return {...sample, scripts: each('scripts'), file: each('file')};
        },
        warm: (seconds) => send(warmRate, seconds),
      };
    },
  };
}

/** Returns the scripts that Redis has run, and the length of its append-only file. */
async function readStoreCounts({redis}: BenchStage): Promise<{scripts: number; file: number}> {
  const info = `${await redis.info('commandstats')}${await redis.info('persistence')}`;
  return {
    scripts: Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1]),
    file: Number(/aof_current_size:(\d+)/.exec(info)?.[1]),
  };
}
