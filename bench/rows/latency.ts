import {lists} from '../../src/domain/core/lists.js';
import {addWebhooks, receiverCount, measureDeliveryLatencies} from '../deliveries.js';
import type {Arm} from '../method.js';
import {commonBody, measureLatencies, type PostTarget} from '../posts.js';
import {startReceivers} from '../receivers.js';
import type {BenchRow} from '../row.js';
import {type Bench, type Build, openStage} from '../stage.js';

const rate = 200;
/** The rate during the warm-up, which is higher so that V8 compiles the code sooner. */
const warmRate = 600;

const work = `commit → receiver, ${rate} events/s × ${receiverCount} webhooks, open loop, warm`;

/** Measures the time from the commit of an event to its arrival, while standups arrive at a fixed rate. */
export const latency: BenchRow = {
  service: createLatencyContender,
  figures: [
    {metric: 'p50', work: `${work}, p50`, unit: 'ms', aim: {atMost: 3}},
    {metric: 'p99', work: `${work}, p99`, unit: 'ms', aim: {atMost: 10}},
    {metric: 'cpu', work: `${work}, CPU of the process for an event`, unit: 'µs'},
    {metric: 'redisCpu', work: `${work}, CPU of Redis for an event`, unit: 'µs'},
  ],
  method: {warmUp: 5_000, seconds: 3},
};

function createLatencyContender(bench: Bench, build: Build): Arm {
  return {
    name: build.name,
    async open(closings) {
      const stage = await openStage(bench, closings);
      const receivers = await startReceivers(receiverCount);
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
        measureDeliveryLatencies(receivers, perSecond * seconds * receiverCount, () =>
          measureLatencies(target, perSecond, seconds),
        );
      return {
        measure: (seconds) => send(rate, seconds),
        warm: (seconds) => send(warmRate, seconds),
      };
    },
  };
}
