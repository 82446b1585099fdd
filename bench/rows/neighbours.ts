import {createHash} from 'node:crypto';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {scopes} from '../../src/domain/access.js';
import {lists} from '../../src/domain/lists.js';
import {createFanOut} from '../../src/jobs/fan-out.js';
import {operatorCall} from '../../src/service/workspaces.js';
import {workspaceKeys} from '../../src/store/keys.js';
import {compare, type Figure, interleave, percentile} from '../figures.js';
import {measureLatencies, type PostArm} from '../posts.js';
import {ask, type NodeProcess, startNode} from '../processes.js';
import {type Receivers, startReceivers} from '../receivers.js';
import {type Bench, soon, type Stage, withStage} from '../stage.js';

const rate = 100;
const healthyWorkspaces = 4;
/** A workspace has at most 20 webhooks; together they are more than all turns that a process takes at once (500 of the queue and 64). */
const hangingWorkspaces = 32;
const webhooksEach = 20;
const waitingEach = 1_000;
const postsAtOnce = 64;
/** Longer than the 15 s after which a request times out: both what hangs and what follows is inside. */
const seconds = 20;
const rounds = 3;

/** A workspace of the bench, with the webhooks that it has. */
interface Tenant {
  readonly id: string;
  readonly token: string;
  readonly webhooks: readonly string[];
}

/** How long events of healthy webhooks take, alone and beside webhooks whose receivers never answer, with deliveries waiting for each. */
export function benchNeighbours(bench: Bench): Promise<Figure[]> {
  return withStage(bench, {}, async (stage) => {
    const receivers = await startReceivers(healthyWorkspaces);
    const hanging = startNode({
      script: path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'peers', 'hanging.js'),
      env: {},
      // With the generator and the other receivers: on the arm's core only the service is to work.
      cores: undefined,
      talks: true,
    });
    try {
      const healthy: Tenant[] = [];
      for (const url of receivers.urls) healthy.push(await addTenant(stage, [url]));
      const urls = (await ask(hanging, {listen: hangingWorkspaces * webhooksEach})) as string[];
      const neighbours: Tenant[] = [];
      for (let i = 0; i < hangingWorkspaces; i += 1) {
        const tenant = await addTenant(stage, urls.slice(i * webhooksEach, (i + 1) * webhooksEach));
        await addBacklog(stage, tenant);
        neighbours.push(tenant);
      }
      const service = await startArm(stage, healthy);
      const measure = () => measureDeliveries(service, receivers);
      const [alone = [], beside = []] = await interleave(Math.min(rounds, bench.rounds), [
        async () => {
          await switchAll(stage, neighbours, false);
          await untilOpen(hanging, (open) => open === 0);
          return measure();
        },
        async () => {
          await switchAll(stage, neighbours, true);
          await untilOpen(hanging, (open) => open >= hangingWorkspaces * webhooksEach);
          return measure();
        },
      ]);
      const work = `commit → receiver, ${rate} events/s over ${healthyWorkspaces} workspaces, beside ${urls.length} hanging webhooks with ${waitingEach} deliveries each`;
      return [
        compare([beside, alone], ({p50}) => p50, {work: `${work}, p50`, unit: 'ms', against: 'without them'}),
        compare([beside, alone], ({p99}) => p99, {
          work: `${work}, p99`,
          unit: 'ms',
          against: 'without them',
          goal: {atMost: 1.2},
        }),
      ];
    } finally {
      receivers.close();
      await hanging.stop();
    }
  });
}

async function addTenant({core}: Stage, urls: readonly string[]): Promise<Tenant> {
  const {workspaces, teams, people, tokens, webhooks} = core.services;
  const {id} = await workspaces.createWorkspace(`Tenant ${Math.random().toString(36).slice(2)}`, soon());
  const operator = () => operatorCall(id, soon());
  await teams.createTeam(operator(), {slug: 'platform', name: 'Platform'});
  const holder = await people.ensureServiceAccount(operator(), 'bench');
  const {value: token} = await tokens.issueToken(operator(), {name: 'bench', holder, scopes});
  const made: string[] = [];
  for (const url of urls) {
    const {id: webhook = ''} = await webhooks.createWebhook(operator(), {url, events: ['standup.created']});
    made.push(webhook);
  }
  return {id, token, webhooks: made};
}

/** Deliveries for all webhooks of a workspace, made as always from events; nobody sends them yet. */
async function addBacklog({core}: Stage, {id}: Tenant): Promise<void> {
  const {standups, people} = core.services;
  const principal = await people.ensureServiceAccount(operatorCall(id, soon()), 'bench');
  let left = waitingEach;
  const post = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      const call = {...operatorCall(id, soon()), principal};
      await standups.postStandup(call, {team: 'platform', update: 'Waits for its receiver.', source: 'api'});
    }
  };
  await Promise.all(Array.from({length: postsAtOnce}, post));
  const fanOut = createFanOut({
    ...core.store,
    sha256: (text) => createHash('sha256').update(text).digest(),
    wake: () => undefined,
  });
  const slice = {workspace: id, work: {kind: 'fan-out'} as const, signal: new AbortController().signal};
  while ((await fanOut({...slice, until: soon()})).more);
}

async function switchAll({core}: Stage, tenants: readonly Tenant[], enabled: boolean): Promise<void> {
  for (const {id, webhooks} of tenants) {
    for (const webhook of webhooks) {
      await core.services.webhooks.changeWebhook(operatorCall(id, soon()), webhook, {enabled});
    }
  }
}

async function startArm(stage: Stage, tenants: readonly Tenant[]): Promise<PostArm> {
  let next = 0;
  return {
    name: 'service',
    ...(await stage.startService('web,worker')),
    token: () => tenants[next++ % tenants.length]?.token,
    async stored() {
      const counts = tenants.map(({id}) => stage.redis.zCard(workspaceKeys(id).list(lists.standups())));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
  };
}

async function measureDeliveries(
  service: PostArm,
  receivers: Receivers,
): Promise<{p50: number; p99: number}> {
  const latencies: number[] = [];
  receivers.onBody = (body) => {
    // The commit's time in whole ms, by the clock of this machine: up to 1 ms too much is counted.
    const at = Date.parse(/"timestamp":"([^"]+)"/.exec(body)?.[1] ?? '');
    latencies.push(performance.timeOrigin + performance.now() - at);
  };
  const arrived = receivers.expect(rate * seconds);
  await Promise.all([arrived, measureLatencies(service, rate, seconds)]);
  const sample = {p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99)};
  process.stderr.write(`  p50 ${sample.p50.toFixed(1)} ms, p99 ${sample.p99.toFixed(1)} ms\n`);
  return sample;
}

/** Waits until so many requests hang at the receivers. */
async function untilOpen(hanging: NodeProcess, isReached: (open: number) => boolean): Promise<void> {
  const late = performance.now() + 60_000;
  while (!isReached((await ask(hanging, {})) as number)) {
    if (performance.now() > late)
      throw new Error('The hanging receivers are not as they should be after 60 s.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
