import {compare, type Figure, interleave} from '../figures.js';
import {cpuSeconds} from '../machine.js';
import {ask, type NodeProcess} from '../processes.js';
import {type Receivers, startReceivers} from '../receivers.js';
import {type Bench, soon, type Stage, withStage} from '../stage.js';

const receiverCount = 3;
const eventsPerRound = 2_000;
const deliveriesPerRound = eventsPerRound * receiverCount;
const postsAtOnce = 64;
const update = 'Reviewed the storage design and wrote down what is left to decide before Thursday. '
  .repeat(4)
  .slice(0, 300);

interface DeliverySample {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

/** A backlog of events for three webhooks, sent as fast as it goes: by the service, by a raw loop, and by a job for each delivery. */
export function benchDeliveries(bench: Bench): Promise<Figure[]> {
  return withStage(bench, {}, async (stage) => {
    const receivers = await startReceivers(receiverCount);
    try {
      await addWebhooks(stage, receivers.urls);
      const {process: worker} = await stage.startService('worker');
      const body = await firstBody(stage, receivers);
      const raw = stage.startTalkingPeer('raw-loop');
      const jobs = stage.startTalkingPeer('job-per-delivery');
      const [ours = [], theirs = [], queued = []] = await interleave(bench.rounds, [
        () => deliverBacklog(stage, worker, receivers),
        () =>
          timed(raw, receivers, async () => {
            await ask(raw, {urls: receivers.urls, body, perReceiver: eventsPerRound});
          }),
        async () => {
          await ask(jobs, {do: 'prepare', urls: receivers.urls, body, events: eventsPerRound});
          const sample = await timed(jobs, receivers, async () => {
            await ask(jobs, {do: 'go'});
          });
          await ask(jobs, {do: 'pause'});
          return sample;
        },
      ]);
      const work = 'deliveries, signed, recorded, durable, 3 receivers × 16 connections';
      return [
        compare([ours, theirs], ({perSecond}) => perSecond, {
          work,
          unit: '/s',
          against: 'raw loop',
          goal: {atLeast: 0.6},
        }),
        compare([ours, theirs], ({cpuMicros}) => cpuMicros, {
          work: 'the same, CPU per delivery',
          unit: 'µs',
          against: 'raw loop',
        }),
        compare([ours, queued], ({perSecond}) => perSecond, {
          work: 'deliveries, 3 webhooks',
          unit: '/s',
          against: 'a BullMQ job per delivery',
          goal: {atLeast: 3},
        }),
      ];
    } finally {
      receivers.close();
    }
  });
}

/**
 * The worker is frozen while the events are made, so that a warm process meets a backlog: a fresh one would be measured while it compiles
 * itself. What makes the deliveries of each event (fan-out) is inside the time. Throws unless every delivery has been recorded.
 */
async function deliverBacklog(
  stage: Stage,
  worker: NodeProcess,
  receivers: Receivers,
): Promise<DeliverySample> {
  process.kill(worker.pid, 'SIGSTOP');
  try {
    await postEvents(stage, eventsPerRound);
  } finally {
    process.kill(worker.pid, 'SIGCONT');
  }
  const sample = await timed(worker, receivers, async () => undefined);
  await untilRecorded(stage);
  return sample;
}

async function timed(
  worker: NodeProcess,
  receivers: Receivers,
  begin: () => Promise<void>,
): Promise<DeliverySample> {
  const before = cpuSeconds(worker.pid) ?? Number.NaN;
  const [{perSecond}] = await Promise.all([receivers.expect(deliveriesPerRound), begin()]);
  const used = (cpuSeconds(worker.pid) ?? Number.NaN) - before;
  return {perSecond, cpuMicros: (used * 1e6) / deliveriesPerRound};
}

export async function addWebhooks({core, operator}: Stage, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    await core.services.webhooks.createWebhook(operator(), {url, events: ['standup.created']});
  }
}

/** Events by the service's own functions, in this process: nothing but the worker is to work on the arm's core. */
async function postEvents({core, principal, operator}: Stage, count: number): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const call = {...operator(), principal, deadline: soon()};
      await core.services.standups.postStandup(call, {team: 'platform', update, source: 'api'});
    }
  };
  await Promise.all(Array.from({length: postsAtOnce}, lane));
}

/** What the service sends, for the others to send the same. */
async function firstBody(stage: Stage, receivers: Receivers): Promise<string> {
  let body = '';
  receivers.onBody = (text) => {
    body = text;
  };
  const [arrived] = [receivers.expect(receiverCount)];
  await postEvents(stage, 1);
  await arrived;
  receivers.onBody = undefined;
  return body;
}

/** Nothing waits, nothing is on the wire, and nothing is unfinished. */
async function untilRecorded({redis, workspace}: Stage): Promise<void> {
  const until = performance.now() + 10_000;
  while (performance.now() < until) {
    const kept = await redis.keys(`{${workspace}}:w:*`);
    if (!kept.some((key) => /:(?:pending|inflight|tries)$/.test(key))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('Deliveries were received and are not recorded as sent.');
}
