import {afterEach, expect, it} from '@jest/globals';
import {randomInt} from 'node:crypto';
import {createChance} from '../support/seeded-random.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {sendRequest, startService} from '../support/service.js';
import {type ServiceProcess, startServiceProcess} from '../support/service-process.js';
import {startTestStore, type TestStore} from '../support/test-store.js';
import {until} from '../support/until.js';
import {listAll, report} from './audit.js';
import {type RunningLoad, startLoad} from './load.js';
import {rounds} from './stage.js';

const seed = Number(process.env['LEASE_FAULT_SEED'] ?? randomInt(2 ** 31));
const chance = createChance(seed);
const leaseMs = 2_000;
/**
 * Times of outages and of receivers' answers, all longer than a lease. `npm run faults` varies them in each
 * round.
 */
const times = Array.from({length: 1 + Math.floor(rounds / 3)}, (_, i) => ({
  awayMs: i === 0 ? 3_000 : chance.between(2_500, 5_000),
  answerMs: i === 0 ? 3_500 : chance.between(2_500, 5_000),
}));
/** A workspace with one webhook that gets every standup. */
interface LoadTenant {
  readonly token: string;
  readonly webhook: string;
}

const closings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (let next = closings.pop(); next !== undefined; next = closings.pop()) await next();
});

/**
 * `most`: the allowed number of requests for one event. A single process keeps its leases and repeats no
 * request.
 */
const failures = times.flatMap((time) => [
  {what: 'Redis is killed', ...time, tenants: 2, processes: 1, most: 1},
  {what: 'the process is frozen', ...time, tenants: 4, processes: 1, most: 1},
  {what: 'Redis is frozen', ...time, tenants: 4, processes: 1, most: 3},
  {what: 'Redis is killed', ...time, tenants: 8, processes: 2, most: 3},
  {what: 'one process of two is frozen', ...time, tenants: 12, processes: 2, most: 3},
]);

it.each(failures.slice(0, rounds > 0 ? failures.length : 2))(
  'regression: no event is sent more than $most times while $what for $awayMs ms (receivers take $answerMs ms, $tenants workspaces)',
  async ({what, awayMs, answerMs, tenants: count, processes, most}) => {
    const store = await startTestStore();
    closings.push(() => store.stop());
    const receiver = await startReceiver();
    closings.push(() => receiver.close());
    let quickFrom = Number.POSITIVE_INFINITY;
    receiver.respondWith(async () => {
      // Later requests are answered at once. Otherwise the test would wait for each of them.
      if (Date.now() < quickFrom) await new Promise((resolve) => setTimeout(resolve, answerMs));
      return 204;
    });
    const tenants = await addTenants(store, receiver, count);
    const services: ServiceProcess[] = [];
    for (let i = 0; i < processes; i++) {
      const service = await startServiceProcess({redisUrl: store.url, env: store.env, composed: {leaseMs}});
      closings.push(() => service.kill());
      services.push(service);
    }
    const urls = services.map(({url}) => url);
    const loads = tenants.map(({token}, i) => {
      const home = urls[i % urls.length] ?? '';
      return startLoad({urls: [home, ...urls], token, clients: 1, restMs: 400});
    });
    try {
      await until(() => hasAll(receiver, tenants.length), {what: 'requests of all are on the wire'});
      await strike(what, awayMs, store, services);
      await until(() => loads.every(({acknowledged}) => acknowledged.length >= 3), {what: 'all are served'});
    } finally {
      await Promise.all(loads.map((load) => load.stop()));
      quickFrom = Date.now() + answerMs;
    }
    await audit(what, {url: urls[0] ?? '', tenants, loads, receiver, most});
  },
);

async function addTenants({url, env}: TestStore, receiver: Receiver, count: number): Promise<LoadTenant[]> {
  const web = await startService({redisUrl: url, env: {...env, ROLES: 'web'}});
  try {
    const made: LoadTenant[] = [];
    for (let i = 0; i < count; i++) {
      const {token} = await web.addWorkspace(`tenant-${i}`);
      const reply = await sendRequest(web.url, 'POST', '/v1/webhooks', {
        token,
        body: {
          url: `${receiver.url}/${i}`,
          events: ['standup.created'],
          ...(i % 2 === 1 && {ordering: 'per_team'}),
        },
      });
      made.push({token, webhook: String(reply.body.id)});
    }
    return made;
  } finally {
    await web.close();
  }
}

function hasAll(receiver: Receiver, tenants: number): boolean {
  return new Set(receiver.received.map(({path}) => path)).size === tenants;
}

async function strike(
  what: string,
  ms: number,
  store: TestStore,
  [service]: readonly ServiceProcess[],
): Promise<void> {
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > ms;
  const passed = () => until(isOver, {what: 'the absence', withinMs: ms + 5_000});
  if (what === 'Redis is killed') {
    await store.kill();
    await passed();
    await store.restart();
  } else if (what === 'Redis is frozen') {
    store.freeze();
    await passed().finally(() => store.thaw());
  } else {
    service?.current().signal('SIGSTOP');
    await passed().finally(() => service?.current().signal('SIGCONT'));
  }
}

interface LoadAuditOptions {
  readonly url: string;
  readonly tenants: readonly LoadTenant[];
  readonly loads: readonly RunningLoad[];
  readonly receiver: Receiver;
  readonly most: number;
}

async function audit(what: string, {url, tenants, loads, receiver, most}: LoadAuditOptions): Promise<void> {
  const asked = new Map<string, number>();
  const listUnfinished = async () => {
    const all = await Promise.all(
      tenants.map(({token, webhook}) => listAll(url, `/v1/webhooks/${webhook}/deliveries`, token)),
    );
    for (const [i, {acknowledged}] of loads.entries())
      expect(all[i]?.length).toBeLessThanOrEqual(acknowledged.length);
    const rows = all.flat();
    const missing = loads.reduce((sum, {acknowledged}) => sum + acknowledged.length, 0) - rows.length;
    return {missing, open: rows.filter(({state}) => state !== 'succeeded')};
  };
  await until(
    async () => {
      asked.clear();
      for (const {path, id} of receiver.received)
        asked.set(`${path} ${id}`, (asked.get(`${path} ${id}`) ?? 0) + 1);
      // Fails at once, because waiting cannot undo an extra request.
      expect([...asked].filter(([, times]) => times > most)).toEqual([]);
      const {missing, open} = await listUnfinished();
      return missing === 0 && open.length === 0;
    },
    {what: 'everything is recorded as succeeded', withinMs: 60_000, everyMs: 250},
  ).catch(async (error: unknown) => {
    const {missing, open} = await listUnfinished();
    throw new Error(`${String(error)}: ${missing} not made, open: ${JSON.stringify(open.slice(0, 3))}`);
  });
  report(what, {
    seed,
    events: asked.size,
    requests: receiver.received.length,
    'most requests of one event': Math.max(...asked.values()),
  });
}
