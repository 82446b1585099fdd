import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {testRedisUrl} from '../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {
  addWebhook,
  createCleanUps,
  createPerformer,
  deliveriesOf,
  fanOutOnce,
  type Hook,
  postStandups,
  soon,
  startWorker,
} from './stage.js';

const cleanUps = createCleanUps();
let service: TestService;
/** Of one origin: it hangs but where a path ends with `/healthy`. */
let shared: Receiver;

beforeEach(async () => {
  service = await startService({env: {ROLES: 'web'}});
  cleanUps.add(() => service.close());
  shared = await startReceiver();
  shared.respondWith(({path}) => (isHealthy(path) ? 204 : {fault: 'hang'}));
  cleanUps.add(() => shared.close());
});

afterEach(() => cleanUps.run());

const isHealthy = (path: string): boolean => path.endsWith('/healthy');
const hangs = () => shared.received.filter(({path}) => !isHealthy(path));
const answered = () => shared.received.filter(({path}) => isHealthy(path));

/** A workspace with hanging webhooks and deliveries that wait for each. */
async function addBacklog(
  webhooks: number,
  events: number,
): Promise<{workspace: TestWorkspace; hooks: Hook[]}> {
  const workspace = await service.addWorkspace();
  const hooks: Hook[] = [];
  for (let i = 0; i < webhooks; i++) {
    hooks.push(await addWebhook(workspace, {url: `${shared.url}/${workspace.id}/${i}`}));
  }
  await postStandups(workspace, events);
  await fanOutOnce(service, workspace);
  return {workspace, hooks};
}

it('webhooks that hang have one request each on the wire once there are very many, and one of another tenant that is answered has all of its own, at the same origin too', async () => {
  const {deliver, close} = createPerformer(service);
  cleanUps.add(close);
  const slice = (workspace: TestWorkspace, {drawn}: Hook) =>
    deliver.perform({
      workspace: workspace.id,
      work: {kind: 'deliver', webhook: drawn},
      until: soon(),
      signal: new AbortController().signal,
    });
  const {workspace, hooks} = await addBacklog(20, 16);
  for (const hook of hooks) await slice(workspace, hook);
  // The first 16 take 16 each; the other four find the process crowded.
  // Before the first of them is given up, which would make room.
  await until(() => hangs().length === 16 * 16 + 4, {withinMs: 8_000});

  const other = await service.addWorkspace();
  const hook = await addWebhook(other, {url: `${shared.url}/healthy`});
  await postStandups(other, 17);
  await fanOutOnce(service, other);
  await slice(other, hook);
  await until(() => answered().length > 0);
  await until(async () => {
    await slice(other, hook);
    return answered().length === 17;
  });
  expect(hangs()).toHaveLength(16 * 16 + 4);
});

it('events of healthy webhooks arrive as quickly beside more hanging webhooks than turns run at a time, their own workspace included', async () => {
  const beside = await addBacklog(19, 20);
  const further = await addBacklog(20, 20);
  const healthy = await startReceiver();
  cleanUps.add(() => healthy.close());
  const alone = await service.addWorkspace();
  const hooks = [
    [beside.workspace, await addWebhook(beside.workspace, healthy)],
    [alone, await addWebhook(alone, healthy)],
  ] as const;
  const worker = await startWorker(service, {queueUrl: await testRedisUrl(), timeoutMs: 4_000});
  cleanUps.add(() => worker.close());

  async function medianWait(tenants: readonly TestWorkspace[]): Promise<number> {
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      for (const tenant of tenants) {
        const before = healthy.received.length;
        await postStandups(tenant);
        const from = performance.now();
        worker.wake(tenant.id, {kind: 'fan-out'});
        await healthy.waitFor(before + 1);
        waits.push(performance.now() - from);
      }
    }
    return waits.sort((a, b) => a - b)[Math.floor(waits.length / 2)] ?? 0;
  }

  const before = await medianWait([alone]);
  for (const {workspace} of [beside, further]) worker.wake(workspace.id, {kind: 'fan-out'});
  await until(() => new Set(hangs().map(({path}) => path)).size === 39, {
    what: 'every webhook that hangs has a request on the wire',
  });
  // A turn that waited for receivers, or for slots that others hold while they wait, would take a quarter of a second more.
  expect(await medianWait([beside.workspace, alone])).toBeLessThan(2 * before + 100);
  for (const [tenant, hook] of hooks) {
    await until(async () => (await deliveriesOf(tenant, hook)).every(({state}) => state === 'succeeded'));
  }
});
