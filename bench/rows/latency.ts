import {type Figure, interleave, percentile, single} from '../figures.js';
import {measureLatencies} from '../posts.js';
import {startReceivers} from '../receivers.js';
import {type Bench, withStage} from '../stage.js';
import {addWebhooks} from './deliveries.js';
import {startPostArm} from './post.js';

const rate = 200;
const receiverCount = 3;

/** How long after its commit an event reaches its receivers, while standups come in at a fixed rate. */
export function benchLatency(bench: Bench): Promise<Figure[]> {
  return withStage(bench, {}, async (stage) => {
    const receivers = await startReceivers(receiverCount);
    try {
      await addWebhooks(stage, receivers.urls);
      const service = await startPostArm(stage, 'web,worker');
      const [samples = []] = await interleave(bench.rounds, [
        async () => {
          const latencies: number[] = [];
          receivers.onBody = (body) => {
            // The commit's time in whole ms, by the clock of this machine: up to 1 ms too much is counted.
            const at = Date.parse(/"timestamp":"([^"]+)"/.exec(body)?.[1] ?? '');
            latencies.push(performance.timeOrigin + performance.now() - at);
          };
          const arrived = receivers.expect(rate * bench.seconds * receiverCount);
          await Promise.all([arrived, measureLatencies(service, rate, bench.seconds)]);
          return {p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99)};
        },
      ]);
      const work = `commit → receiver, ${rate} events/s × ${receiverCount} webhooks, open loop`;
      return [
        single(
          samples.map(({p50}) => p50),
          {work: `${work}, p50`, unit: 'ms', atMost: 3},
        ),
        single(
          samples.map(({p99}) => p99),
          {work: `${work}, p99`, unit: 'ms', atMost: 12},
        ),
      ];
    } finally {
      receivers.close();
    }
  });
}
