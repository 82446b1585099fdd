import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {workspaceKeys} from '../../src/store/core/keys.js';
import type {Chance} from '../support/seeded-random.js';
import type {ReceivedRequest} from '../support/receiver.js';
import {type Json, sendRequest} from '../support/service.js';
import type {ServiceProcess} from '../support/service-process.js';
import {withTimeout, until} from '../support/until.js';
import type {ReceivedDelivery, WebhookStage} from './webhook-stage.js';

/**
 * A time in which a process was dead or frozen (Unix ms). Requests in progress at that time may be repeated.
 */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

export interface FailureScene {
  readonly stage: WebhookStage;
  readonly chance: Chance;
  readonly outages: Outage[];
}

/**
 * A failure that happens while standups are posted. `strike` resolves when every stopped process runs again.
 */
export interface Failure {
  readonly name: string;
  strike(scene: FailureScene): Promise<void>;
}

/** Failpoints by the moment that they mark. */
const steps: Readonly<Record<string, string>> = {
  'before the commit': 'before-commit',
  'after the commit, before its wake-up': 'after-commit',
  'after the wake-up': 'after-wake',
  'before the fan-out script': 'before-fan-out',
  'after the fan-out script': 'after-fan-out',
  'before the claim': 'before-turn',
  'after the claim': 'after-turn',
  'before the request': 'before-request',
  'after the request': 'after-request',
  'before the record': 'before-record',
  'after the record': 'after-record',
};

const replaySteps = ['before-replay', 'after-replay'];
const workSteps = Object.keys(steps).filter((name) => !/commit|wake-up/.test(name));

async function kill({outages}: FailureScene, ...services: readonly ServiceProcess[]): Promise<void> {
  const from = Date.now();
  await Promise.all(services.map((service) => service.kill()));
  outages.push({from, to: Date.now()});
}

async function dieAt(
  {outages}: FailureScene,
  service: ServiceProcess,
  name: string,
  hit: number,
): Promise<void> {
  await withTimeout(service.arm({name, hit, signal: 'SIGKILL'}), `a process dies at ${name}`);
  outages.push({from: Date.now(), to: Date.now()});
}

const restart = (services: readonly ServiceProcess[]) =>
  Promise.all(services.map((service) => service.restart()));

/** Delays the answers of fast webhooks during `strike`, which must be shorter than their timeout. */
async function whileHeld({stage, chance}: FailureScene, strike: () => Promise<void>): Promise<void> {
  const held = stage.hold();
  const enough = chance.between(1, 12);
  try {
    await until(() => held() >= enough, {what: `${enough} requests are on the wire`});
    await strike();
  } finally {
    stage.release();
  }
}

/**
 * Waits for a request to a webhook that refuses none. On a busy machine standups may be posted before the
 * first request.
 */
async function pickArrival(
  {stage, chance}: FailureScene,
  fits: (arrival: ReceivedDelivery) => boolean = () => true,
): Promise<ReceivedDelivery> {
  const list = () => stage.arrivals.filter((one) => one.hook.name !== 'failing' && fits(one));
  await until(() => list().length > 0, {what: 'a request comes'});
  return chance.pick(list());
}

/**
 * Waits until each request in progress is recorded or taken over by a later attempt. If its process is
 * frozen, that takes longer than a lease.
 */
async function untilTakenOver({stage}: FailureScene): Promise<void> {
  const before = new Set(await listLeases(stage));
  const isTakenOver = async () => (await listLeases(stage)).every((lease) => !before.has(lease));
  await until(isTakenOver, {what: 'what a frozen process held is taken over', withinMs: 30_000});
}

async function untilSucceeded({services: [{url}], token}: WebhookStage, delivery: string): Promise<void> {
  const isDone = async () =>
    (await sendRequest(url, 'GET', `/v1/deliveries/${delivery}`, {token})).body.state === 'succeeded';
  await until(isDone, {what: `${delivery} succeeds`, withinMs: 30_000, everyMs: 100});
}

/** Resolves with the replay in its final state. If a process dies in between, the request is repeated. */
async function untilCompleted({services, token}: WebhookStage, {id, webhook_id: hook}: Json): Promise<Json> {
  const path = `/v1/webhooks/${hook}/replays/${id}`;
  const find = async () => {
    for (const {url} of services) {
      const reply = await sendRequest(url, 'GET', path, {token}).catch(() => undefined);
      if (reply?.status === 200 && reply.body.state === 'completed') return reply.body;
    }
    return undefined;
  };
  return until(find, {what: `${id} is completed`, withinMs: 60_000, everyMs: 200});
}

function timestampOf({body}: ReceivedRequest): string {
  return (JSON.parse(body.toString()) as {timestamp: string}).timestamp;
}

/** Lists webhook, delivery and number of each attempt in progress. */
async function listLeases({ask, workspace, hooks}: WebhookStage): Promise<string[]> {
  const keys = workspaceKeys(workspace);
  const names = hooks.flatMap(({suffix}) => [keys.inflight(suffix), keys.tries(suffix)]);
  const script = `
    local found = {}
    for i = 1, #KEYS, 2 do
      for _, one in ipairs(redis.call('ZRANGE', KEYS[i], 0, -1)) do
        found[#found + 1] = i .. ' ' .. one .. ' ' .. string.match(redis.call('HGET', KEYS[i + 1], one) or '', '^%d*')
      end
    end
    return table.concat(found, '\\n')`;
  const text = String(await ask(['EVAL', script, String(names.length), ...names]));
  return text === '' ? [] : text.split('\n');
}

/** Thaws a frozen process only after others have taken over its deliveries. */
async function thawLate(scene: FailureScene, service: ServiceProcess): Promise<void> {
  const from = Date.now();
  try {
    await untilTakenOver(scene);
  } finally {
    service.current().signal('SIGCONT');
  }
  const isAnswering = () =>
    fetch(`${service.url}/healthz`).then(
      ({ok}) => ok,
      () => false,
    );
  await until(isAnswering, {what: 'a thawed process answers'});
  scene.outages.push({from, to: Date.now()});
}

/** Waits until the workspace's data is served again, which takes seconds if the store has several servers. */
async function untilStored({ask, workspace}: WebhookStage): Promise<void> {
  const isThere = () =>
    ask(['EXISTS', workspaceKeys(workspace).head()]).then(
      (found) => found === 1,
      () => false,
    );
  await until(isThere, {what: 'the data is served', everyMs: 50});
}

async function wipeQueue({queueUrl}: WebhookStage): Promise<void> {
  const script = `
    for _, key in ipairs(redis.call('KEYS', '{standup-queue}*')) do redis.call('DEL', key) end
    return 1`;
  await sendToRedis(queueUrl, [['EVAL', script, '0']]);
}

const kills: readonly Failure[] = Object.entries(steps).map(([name, step]) => ({
  name: `kill -9 ${name}`,
  async strike(scene) {
    const service = scene.chance.pick(scene.stage.services);
    await dieAt(scene, service, step, scene.chance.between(1, 10));
    await restart([service]);
  },
}));

const freezes: readonly Failure[] = workSteps.map((name) => ({
  name: `frozen ${name}`,
  async strike(scene) {
    const service = scene.chance.pick(scene.stage.services);
    const step = steps[name] ?? '';
    const hit = scene.chance.between(1, 10);
    await withTimeout(service.arm({name: step, hit, signal: 'SIGSTOP'}), `a process freezes at ${step}`);
    await thawLate(scene, service);
  },
}));

const others: readonly Failure[] = [
  {
    name: 'kill -9 during the request',
    async strike(scene) {
      const service = scene.chance.pick(scene.stage.services);
      await whileHeld(scene, () => kill(scene, service));
      await restart([service]);
    },
  },
  {
    name: 'kill -9 of all during the request',
    async strike(scene) {
      await whileHeld(scene, () => kill(scene, ...scene.stage.services));
      await restart(scene.stage.services);
    },
  },
  {
    name: 'frozen during the request',
    async strike(scene) {
      const service = scene.chance.pick(scene.stage.services);
      await whileHeld(scene, async () => service.current().signal('SIGSTOP'));
      await thawLate(scene, service);
    },
  },
  {
    name: 'kill -9 with a redelivery',
    async strike(scene) {
      const {stage, chance} = scene;
      const {delivery} = await pickArrival(scene, (one) => !stage.again.has(one.delivery));
      await untilSucceeded(stage, delivery);
      stage.again.set(delivery, Date.now());
      const dying = chance.pick(stage.services);
      const death = dieAt(scene, dying, steps[chance.pick(workSteps)] ?? '', chance.between(1, 3));
      await Promise.all([death, stage.mutate(`/v1/deliveries/${delivery}/redeliver`)]);
      await restart([dying]);
    },
  },
  {
    name: 'kill -9 with a replay',
    async strike(scene) {
      const {stage, chance} = scene;
      const {id} = (await pickArrival(scene)).hook;
      const own = stage.arrivals.filter(({hook}) => hook.id === id).slice(-30);
      const times = own.map(({request}) => timestampOf(request)).sort();
      const [dying] = stage.services;
      const step = chance.pick([...replaySteps, ...workSteps.map((name) => steps[name] ?? '')]);
      const death = dying.arm({name: step, hit: 1, signal: 'SIGKILL'}).then(() => kill(scene, dying));
      const body = {since: times[0], until: times.at(-1), only: 'all'};
      const replay = await stage.mutate(`/v1/webhooks/${id}/replay`, body);
      // The other process may have completed the whole replay.
      await Promise.race([death, untilCompleted(stage, replay)]);
      await kill(scene, dying);
      await restart([dying]);
      stage.replays.push(await untilCompleted(stage, replay));
    },
  },
  {
    name: 'kill -9 of both at two steps',
    async strike(scene) {
      const {services} = scene.stage;
      const deaths = services.map((service) =>
        dieAt(scene, service, steps[scene.chance.pick(workSteps)] ?? '', scene.chance.between(1, 10)),
      );
      await Promise.all(deaths);
      await restart(services);
    },
  },
  {
    name: 'kill -9 of Redis',
    async strike({stage, outages}) {
      const from = Date.now();
      const master = await stage.findMaster();
      await master.kill();
      await master.restart();
      await untilStored(stage);
      await stage.store.waitForReplicas();
      outages.push({from, to: Date.now()});
    },
  },
  {
    name: 'Redis away for longer than a lease, with requests on the wire',
    async strike(scene) {
      const {stage} = scene;
      const from = Date.now();
      await whileHeld(scene, async () => {
        await stage.store.kill();
        await until(() => Date.now() - from > 5_000, {what: 'a lease has ended'});
        await stage.store.restart();
      });
      await untilStored(stage);
      scene.outages.push({from, to: Date.now()});
    },
  },
  {
    name: 'Redis shut down and started',
    async strike({stage, outages}) {
      const from = Date.now();
      await (await stage.findMaster()).restart();
      await untilStored(stage);
      outages.push({from, to: Date.now()});
    },
  },
  {
    name: 'a replica in the place of a master that was killed',
    async strike({stage, outages}) {
      // One Redis has no replica; then it is another kill -9 of it.
      const from = Date.now();
      const master = await stage.findMaster();
      await master.kill();
      if (stage.store.kind !== 'single') await untilStored(stage);
      await master.restart();
      await stage.store.waitForReplicas();
      outages.push({from, to: Date.now()});
    },
  },
  {name: "queue's data wiped", strike: ({stage}) => wipeQueue(stage)},
  {
    name: "queue's data wiped while no process runs",
    async strike(scene) {
      await kill(scene, ...scene.stage.services);
      await wipeQueue(scene.stage);
      await restart(scene.stage.services);
    },
  },
  {
    name: 'SIGTERM',
    async strike({stage, chance}) {
      const service = chance.pick(stage.services);
      const {code, signal} = await service.stop();
      if (code !== 0) throw new Error(`it ended with ${code ?? signal}: ${service.current().stderr()}`);
      await service.restart();
    },
  },
];

/**
 * Chooses each kind of kill and loss once, and only a few freezes, which take long, in random order. `only`:
 * pattern of the names.
 */
export function pickFailures(chance: Chance, only = /(?:)/): Failure[] {
  const dealt = [...kills, ...others, ...chance.shuffle(freezes).slice(0, 3)];
  return chance.shuffle(dealt.filter(({name}) => only.test(name)));
}
