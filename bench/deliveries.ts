import {createShutdownList} from '../src/compose-core.js';
import {measureCost} from './cost.js';
import {computePercentile} from './figures.js';
import type {Arm, CountedSample} from './method.js';
import {update} from './posts.js';
import {askPeer, type NodeProcess} from './processes.js';
import {type BenchReceivers, startReceivers} from './receivers.js';
import {type Bench, type Build, openStage, createDeadline, type BenchStage} from './stage.js';

export const receiverCount = 3;
const eventsAtOnce = 1_500;
const deliveriesAtOnce = eventsAtOnce * receiverCount;
const postsAtOnce = 64;

/**
 * A worker with three webhooks and a backlog of deliveries. The worker is frozen while the events are
 * created, so that afterwards it only has to send. The time counts from the first request to the last.
 */
export function createWorkerContender(bench: Bench, build: Build): Arm {
  return {
    name: build.name,
    async open(closings) {
      const stage = await openStage(bench, closings);
      const receivers = await startReceivers(receiverCount);
      closings.defer(() => receivers.close());
      await addWebhooks(stage, receivers.urls);
      const {process: worker} = await stage.startService(build, 'worker');
      return {
        async measure() {
          process.kill(worker.pid, 'SIGSTOP');
          try {
            await createEvents(stage, eventsAtOnce);
          } finally {
            process.kill(worker.pid, 'SIGCONT');
          }
          const sample = await measureDeliveries(worker, stage, receivers, async () => undefined);
          await waitUntilDelivered(stage);
          return sample;
        },
      };
    },
  };
}

/** Measures the highest delivery rate that this machine reaches, with a bare loop (peers/raw-loop.ts). */
export function createRawLoopContender(bench: Bench): Arm {
  return {
    name: 'raw loop',
    async open(closings) {
      const [body, stage] = [await getDeliveredBody(bench), await openStage(bench, closings)];
      const receivers = await startReceivers(receiverCount);
      closings.defer(() => receivers.close());
      const loop = stage.startTalkingPeer('raw-loop');
      const order = {urls: receivers.urls, body, perReceiver: eventsAtOnce};
      return {measure: () => measureDeliveries(loop, stage, receivers, () => askPeer(loop, order))};
    },
  };
}

/** Measures deliveries by the obvious first implementation (peers/job-per-delivery.ts). */
export function createJobPerDeliveryContender(bench: Bench): Arm {
  return {
    name: 'a BullMQ job per delivery',
    async open(closings) {
      const [body, stage] = [await getDeliveredBody(bench), await openStage(bench, closings)];
      const receivers = await startReceivers(receiverCount);
      closings.defer(() => receivers.close());
      const jobs = stage.startTalkingPeer('job-per-delivery');
      return {
        async measure() {
          await askPeer(jobs, {do: 'prepare', urls: receivers.urls, body, events: eventsAtOnce});
          const sample = await measureDeliveries(jobs, stage, receivers, () => askPeer(jobs, {do: 'go'}));
          await askPeer(jobs, {do: 'pause'});
          return sample;
        },
      };
    },
  };
}

async function measureDeliveries(
  process: NodeProcess,
  stage: BenchStage,
  receivers: BenchReceivers,
  begin: () => Promise<unknown>,
): Promise<CountedSample> {
  const {result, cost} = await measureCost(
    process,
    stage,
    () => Promise.all([receivers.expect(deliveriesAtOnce), begin()]),
    () => deliveriesAtOnce,
  );
  return {perSecond: result[0].perSecond, events: eventsAtOnce, ...cost};
}

/** Creates webhooks for all new standups; resolves to their ids. */
export async function addWebhooks({core, operator}: BenchStage, urls: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const url of urls) {
    const {id = ''} = await core.services.webhooks.createWebhook(operator(), {
      url,
      events: ['standup.created'],
    });
    ids.push(id);
  }
  return ids;
}

/**
 * Creates events in this process by the service's own functions, so that the worker's core stays free for it.
 */
export async function createEvents({core, principal, operator}: BenchStage, count: number): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const call = {...operator(), principal, deadline: createDeadline()};
      await core.services.standups.postStandup(call, {team: 'platform', update, source: 'api'});
    }
  };
  await Promise.all(Array.from({length: postsAtOnce}, worker));
}

let body: Promise<string> | undefined;

/** The body of a delivery of the service. The peers send the same body. */
function getDeliveredBody(bench: Bench): Promise<string> {
  body ??= findDeliveredBody(bench);
  return body;
}

async function findDeliveredBody(bench: Bench): Promise<string> {
  const closings = createShutdownList();
  try {
    const stage = await openStage(bench, closings);
    const receivers = await startReceivers(1);
    closings.defer(() => receivers.close());
    await addWebhooks(stage, receivers.urls);
    await stage.startService(bench.build, 'worker');
    return await new Promise((resolve, reject) => {
      receivers.onBody = resolve;
      createEvents(stage, 1).catch(reject);
    });
  } finally {
    await closings.run();
  }
}

/**
 * Sends posts until `count` of their deliveries have arrived. Returns for each delivery the time (ms) between
 * the commit of its event and its arrival.
 */
export async function measureDeliveryLatencies<T extends object>(
  receivers: BenchReceivers,
  count: number,
  send: () => Promise<T>,
): Promise<T & {readonly p50: number; readonly p99: number}> {
  const latencies: number[] = [];
  // The event has its commit time in whole ms, so a latency may be up to 1 ms too high.
  receivers.onBody = (body) => {
    const at = Date.parse(/"timestamp":"([^"]+)"/.exec(body)?.[1] ?? '');
    latencies.push(performance.timeOrigin + performance.now() - at);
  };
  const [sent] = await Promise.all([send(), receivers.expect(count)]);
  return {...sent, p50: computePercentile(latencies, 0.5), p99: computePercentile(latencies, 0.99)};
}

/** Waits until every delivery has ended. */
export async function waitUntilDelivered({
  redis,
  workspace,
}: Pick<BenchStage, 'redis' | 'workspace'>): Promise<void> {
  const until = performance.now() + 10_000;
  while (performance.now() < until) {
    const kept = await redis.keys(`{${workspace}}:w:*`);
    if (!kept.some((key) => /:(?:pending|inflight|tries)$/.test(key))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('Deliveries were received and are not recorded as sent.');
}
