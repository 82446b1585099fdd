import {createHash} from 'node:crypto';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {scopes} from '../../src/domain/core/access.js';
import {lists} from '../../src/domain/core/lists.js';
import type {JobContext} from '../../src/jobs/context.js';
import {createFanOutPerformer} from '../../src/jobs/fan-out.js';
import {operatorCall} from '../../src/service/workspaces/workspaces.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {measureDeliveryLatencies} from '../deliveries.js';
import type {Arm} from '../method.js';
import {commonBody, measureLatencies, type PostTarget} from '../posts.js';
import {askPeer, type NodeProcess, startNode} from '../processes.js';
import {startReceivers} from '../receivers.js';
import type {BenchRow} from '../row.js';
import {type Bench, type Build, openStage, createDeadline, type BenchStage} from '../stage.js';
import type {Id} from '../../src/domain/core/ids.js';

const rate = 100;
const healthyWorkspaces = 4;
/**
 * The number of workspaces whose webhooks together are more than one process handles at once (500 queued and
 * 64 in use).
 */
const hangingWorkspaces = 32;
/** The maximum number of webhooks in a workspace. */
const webhooksEach = 20;
const waitingEach = 500;
const postsAtOnce = 64;
/** The duration of a measurement (s). It exceeds 15 s, after which hanging requests time out. */
const seconds = 20;

const neighbourhood = `${hangingWorkspaces * webhooksEach} hanging webhooks with ${waitingEach} deliveries each`;
const work = `commit → receiver, ${rate} events/s over ${healthyWorkspaces} workspaces, beside ${neighbourhood}`;

/**
 * Measures deliveries to healthy webhooks: first alone, then while the receivers of other webhooks never
 * answer.
 */
export const neighbours: BenchRow = {
  service: createNeighboursContender,
  figures: [
    {metric: 'p50', work: `${work}, p50`, unit: 'ms'},
    {metric: 'p99', work: `${work}, p99`, unit: 'ms'},
    {metric: 'times', work: 'the same p99 against that without them', unit: '×', aim: {atMost: 1.2}},
  ],
  method: {processes: 1, rounds: 4, warmUp: 2_500},
};

/** A workspace of the bench, with its webhooks. */
interface Tenant {
  readonly id: Id<'workspace'>;
  readonly token: string;
  readonly webhooks: readonly string[];
}

function createNeighboursContender(bench: Bench, build: Build): Arm {
  return {
    name: build.name,
    async open(closings) {
      const stage = await openStage(bench, closings);
      const receivers = await startReceivers(healthyWorkspaces);
      closings.defer(() => receivers.close());
      const hanging = startNode({
        script: path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'peers', 'hanging.js'),
        env: {},
        // The hanging receivers share a core with the load generator, because the service has its core for
        // itself.
        cores: undefined,
        talks: true,
      });
      closings.defer(() => hanging.stop());
      const healthy: Tenant[] = [];
      for (const url of receivers.urls) healthy.push(await addWorkspaceWithWebhooks(stage, [url]));
      const urls = (await askPeer(hanging, {listen: hangingWorkspaces * webhooksEach})) as string[];
      const neighbours: Tenant[] = [];
      for (let i = 0; i < hangingWorkspaces; i += 1) {
        const tenant = await addWorkspaceWithWebhooks(
          stage,
          urls.slice(i * webhooksEach, (i + 1) * webhooksEach),
        );
        await addBacklog(stage, tenant);
        neighbours.push(tenant);
      }
      await switchAllWebhooks(stage, neighbours, false);
      const posts = healthy.map(({token}) => ({token, body: commonBody}));
      let next = 0;
      const target: PostTarget = {
        name: build.name,
        stage,
        server: await stage.startService(build, 'web,worker'),
        lists: healthy.map(({id}) => workspaceKeys(id).list(lists.standups())),
        next: () => posts[next++ % posts.length],
      };
      const send = (perSecond: number, during: number) =>
        measureDeliveryLatencies(receivers, perSecond * during, () =>
          measureLatencies(target, perSecond, during),
        );
      return {
        warm: (during) => send(500, during),
        async measure() {
          await switchAllWebhooks(stage, neighbours, false);
          await waitUntilRequestsHang(hanging, (open) => open === 0);
          const alone = await send(rate, seconds);
          await switchAllWebhooks(stage, neighbours, true);
          await waitUntilRequestsHang(hanging, (open) => open >= hangingWorkspaces * webhooksEach);
          const {p50, p99, events} = await send(rate, seconds);
          return {events, p50, p99, times: p99 / alone.p99};
        },
      };
    },
  };
}

async function addWorkspaceWithWebhooks({core}: BenchStage, urls: readonly string[]): Promise<Tenant> {
  const {workspaces, teams, people, tokens, webhooks} = core.services;
  const {id} = await workspaces.createWorkspace(
    `Tenant ${Math.random().toString(36).slice(2)}`,
    createDeadline(),
  );
  const operator = () => operatorCall(id, createDeadline());
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

/** Creates deliveries for all webhooks of a workspace. No worker sends them yet. */
async function addBacklog({core}: BenchStage, {id}: Tenant): Promise<void> {
  const {standups, people} = core.services;
  const principal = await people.ensureServiceAccount(operatorCall(id, createDeadline()), 'bench');
  let left = waitingEach;
  const post = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      const call = {...operatorCall(id, createDeadline()), principal};
      await standups.postStandup(call, {team: 'platform', update: 'Waits for its receiver.', source: 'api'});
    }
  };
  await Promise.all(Array.from({length: postsAtOnce}, post));
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  const fanOut = createFanOutPerformer({...core, sha256} as unknown as JobContext, () => undefined);
  const slice = {workspace: id, work: {kind: 'fan-out'} as const, signal: new AbortController().signal};
  while ((await fanOut({...slice, until: createDeadline()})).more);
}

async function switchAllWebhooks(
  {core}: BenchStage,
  tenants: readonly Tenant[],
  enabled: boolean,
): Promise<void> {
  for (const {id, webhooks} of tenants) {
    for (const webhook of webhooks) {
      await core.services.webhooks.changeWebhook(operatorCall(id, createDeadline()), webhook, {enabled});
    }
  }
}

/** Waits until enough requests are open at the receivers that never answer. */
async function waitUntilRequestsHang(
  hanging: NodeProcess,
  isReached: (open: number) => boolean,
): Promise<void> {
  const late = performance.now() + 60_000;
  while (!isReached((await askPeer(hanging, {})) as number)) {
    if (performance.now() > late)
      throw new Error('The hanging receivers are not as they should be after 60 s.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
