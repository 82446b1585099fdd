import {createJobPerDeliveryContender, createRawLoopContender, createWorkerContender} from '../deliveries.js';
import type {BenchRow} from '../row.js';

const work = 'deliveries, signed, recorded, durable, 3 webhooks';

/** Measures how fast a backlog of events is delivered. */
export const deliveries: BenchRow = {
  service: createWorkerContender,
  peers: (bench) => [createRawLoopContender(bench), createJobPerDeliveryContender(bench)],
  figures: [
    {
      metric: 'perSecond',
      work,
      unit: '/s',
      against: 'raw loop',
      aim: {atLeast: 0.5},
    },
    {metric: 'cpu', work: `${work}, CPU of the process`, unit: 'µs', against: 'raw loop'},
    {metric: 'redisCpu', work: `${work}, CPU of Redis`, unit: 'µs', against: 'a BullMQ job per delivery'},
    {
      metric: 'perSecond',
      work,
      unit: '/s',
      against: 'a BullMQ job per delivery',
      aim: {atLeast: 3},
    },
  ],
  method: {rounds: 2, warmUp: 8_000},
};
