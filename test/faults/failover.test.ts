import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {deadlines} from '../../src/domain/core/limits.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {addWebhook} from '../jobs/stage.js';
import {openEvents, type EventStreamClient} from '../support/event-stream-client.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import type {TestRedis} from '../support/redis-server.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {startStoreServers, storeKinds, type TestStoreServers} from '../support/store-kinds.js';
import {until} from '../support/until.js';
import {audit, listAll, report} from './audit.js';
import {type AcknowledgedStandup, startLoad} from './load.js';

/** Number of failovers, set by `npm run faults -- failover --rounds N`; 0 in `npm test`, which plays one. */
const rounds = Number(process.env['FAILOVER_ROUNDS'] ?? 0);
/** Number of replicas that confirm each change, set by `--confirm N`. A single server has none. */
const confirm = Number(process.env['FAILOVER_CONFIRM'] ?? 0);
const kinds = storeKinds
  .filter((kind) => (process.env['FAULT_STORE'] ?? kind) === kind)
  .filter((kind) => confirm === 0 || kind !== 'single');
/** Enough that each of three shards has some. */
const workspaceCount = 6;

describe.each(kinds)('on a store of the kind %s', (kind) => {
  let servers: TestStoreServers;
  let service: TestService;
  const auditors: TestService[] = [];
  let stages: {workspace: TestWorkspace; receiver: Receiver; posted: AcknowledgedStandup[]}[];

  beforeAll(async () => {
    servers = await startStoreServers(kind);
    service = await startService({
      redisUrl: servers.url,
      env: {...servers.env, REDIS_CONFIRM_REPLICAS: String(confirm)},
      requestMs: deadlines.request,
      streaming: {pulse: 1_000},
    });
    stages = [];
    for (let i = 0; i < (kind === 'cluster' ? workspaceCount : 2); i++) {
      const [workspace, receiver] = [await service.addWorkspace(), await startReceiver()];
      await addWebhook(workspace, receiver, {events: ['standup.created']});
      stages.push({workspace, receiver, posted: []});
    }
  }, 60_000);

  afterAll(async () => {
    for (const one of [...auditors, service]) await one?.close();
    for (const {receiver} of stages ?? []) await receiver.close();
    await servers?.stop();
  }, 60_000);

  it('posts are stored, delivered, retried when due, and listed in each workspace', async () => {
    for (const {workspace, receiver, posted} of stages) {
      let attempts = 0;
      receiver.respondWith(() => ((attempts += 1) === 1 ? 500 : 204));
      const update = `On ${kind}.`;
      const {status, body} = await workspace.request('POST', '/v1/standups', {
        body: {team: 'platform', update},
      });
      expect(status).toBe(201);
      posted.push({id: body.id, update});
      await receiver.waitFor(1);
      const list = await workspace.request('GET', '/v1/standups');
      expect(list.body.data.map(({id}: {id: string}) => id)).toEqual([body.id]);
    }
    // The scheduler finds the second attempts by the index, since nobody wakes it.
    for (const {receiver} of stages) await receiver.waitFor(2, 30_000);
    for (const {receiver} of stages) receiver.respondWith(() => 204);
  }, 60_000);

  it(
    'no post is lost or doubled, and no stream misses one, when a master is killed under load',
    async () => {
      const streams = new Map<TestWorkspace, EventStreamClient>();
      const loads = new Map<TestWorkspace, ReturnType<typeof startLoad>>();
      for (const {workspace} of stages) {
        streams.set(workspace, await openEvents(service.url, {token: workspace.token}));
        loads.set(
          workspace,
          startLoad({urls: [service.url], token: workspace.token, clients: 2, restMs: rounds > 0 ? 0 : 20}),
        );
      }
      const away: Record<'killed' | 'frozen', number[]> = {killed: [], frozen: []};
      const ofOthers: string[] = [];
      const outages: {from: number; until: number}[] = [];
      const msOfOthers: number[] = [];
      try {
        for (let round = 0; round < (rounds || 1); round++) {
          const victim = stages[round % stages.length];
          if (victim === undefined) throw new Error('there is no workspace');
          const load = loads.get(victim.workspace);
          await until(() => (load?.acknowledged.length ?? 0) > 20 * (round + 1), {
            what: 'clients are served',
          });
          const head = workspaceKeys(victim.workspace.id).head();
          const master = await servers.masterOf(head);
          const unharmed = await findUnharmed(master.url);
          const before = listRefusals(unharmed).length;
          const failedAt = performance.now();
          const isFrozen = round % 2 === 1;
          if (isFrozen) master.freeze();
          else await master.kill();
          const ready = kind === 'cluster' ? await sendRequest(service.url, 'GET', '/readyz') : undefined;
          if (kind === 'single') await bringBack(master, isFrozen);
          if (confirm > 0) {
            // The new master has no other replica, and so takes no change until this one is back. One that thaws
            // before the service has left it may show its readers a change that is lost afterwards.
            await until(async () => isFollowed(await servers.masterOf(head).catch(() => master), master), {
              what: 'the service has found another master',
            });
            await bringBack(master, isFrozen);
          }
          const enough = (load?.acknowledged.length ?? 0) + 5;
          await until(() => (load?.acknowledged.length ?? 0) > enough, {
            what: 'its workspace is served again',
            withinMs: 30_000,
          });
          away[isFrozen ? 'frozen' : 'killed'].push(performance.now() - failedAt);
          ofOthers.push(...listRefusals(unharmed).slice(before));
          msOfOthers.push(...listTimes(unharmed, (at) => at >= failedAt));
          if (kind !== 'single' && confirm === 0) await bringBack(master, isFrozen);
          await servers.waitForReplicas();
          outages.push({from: failedAt, until: performance.now()});
          if (ready !== undefined) expect([ready.status, ready.body.store]).toEqual([200, 'degraded']);
        }
      } finally {
        for (const load of loads.values()) await load.stop();
      }

      /** True if a server is another master than before, and the service sends to it. */
      async function isFollowed(server: TestRedis, before: TestRedis): Promise<boolean> {
        const masters = await service.core.store.connection.nodes('masters', performance.now() + 1_000);
        return server !== before && masters.some(({name}) => name === new URL(server.url).host);
      }

      /** Finds the workspaces on other masters. */
      async function findUnharmed(url: string): Promise<TestWorkspace[]> {
        const found = await Promise.all(
          stages.map(async ({workspace}) => {
            const owner = await servers.masterOf(workspaceKeys(workspace.id).head());
            return owner.url === url ? [] : [workspace];
          }),
        );
        return found.flat();
      }

      function listRefusals(workspaces: readonly TestWorkspace[]): string[] {
        return workspaces
          .flatMap((workspace) => loads.get(workspace)?.refusals ?? [])
          .toSorted((a, b) => a.at - b.at)
          .map(({detail}) => detail);
      }

      /** Lists the times (ms) of posts that were sent at certain instants, and answered at the first try. */
      function listTimes(workspaces: readonly TestWorkspace[], isWanted: (at: number) => boolean): number[] {
        return workspaces.flatMap((workspace) =>
          (loads.get(workspace)?.acknowledged ?? []).flatMap(({askedAt = 0, ms = 0}) =>
            isWanted(askedAt) ? [ms] : [],
          ),
        );
      }

      // The audit may take longer than a request of a client.
      const auditor = await startService({redisUrl: servers.url, env: {...servers.env, ROLES: 'web'}});
      auditors.push(auditor);
      const all = stages.map(({workspace}) => workspace);
      const isCalm = (at: number) => !outages.some(({from, until: to}) => at >= from - 1_000 && at <= to);
      const counted = {posts: 0, lost: 0, doubled: 0, refusals: 0};
      for (const {workspace, posted} of stages) {
        const load = loads.get(workspace);
        const standups = await listAll(auditor.url, '/v1/standups', workspace.token);
        const ids = new Set(standups.map(({id}) => id));
        counted.posts += load?.acknowledged.length ?? 0;
        counted.lost += [...posted, ...(load?.acknowledged ?? [])].filter(({id}) => !ids.has(id)).length;
        counted.doubled += standups.length - new Set(standups.map(({update}) => update)).size;
        counted.refusals += load?.refusals.length ?? 0;
      }
      report(`failover of a store of the kind ${kind}, ${confirm} replicas confirm`, {
        killed: away.killed.length,
        frozen: away.frozen.length,
        posts: counted.posts,
        lost: counted.lost,
        doubled: counted.doubled,
        'answers 503': counted.refusals,
        'answers 503 of others': ofOthers.length,
        'reasons of others': countReasons(ofOthers),
        'ms away, killed': summarize(away.killed),
        'ms away, frozen': summarize(away.frozen),
        'ms of posts before and after, p50/p99': showPercentiles(listTimes(all, isCalm)),
        'ms of posts to others during it, p50/p99': showPercentiles(msOfOthers),
      });
      for (const {workspace, receiver, posted} of stages) {
        const load = loads.get(workspace);
        if (load === undefined) continue;
        const {repeats} = await audit({
          url: auditor.url,
          token: workspace.token,
          acknowledged: [...posted, ...load.acknowledged],
          received: receiver.received,
        });
        report(`workspace ${workspace.id}`, {'deliveries repeated': repeats});
        expect(load.refusals.filter(({status}) => status !== 503)).toEqual([]);
        const stream = streams.get(workspace);
        const findSent = () => (stream?.events ?? []).filter(({event}) => event === 'standup.created');
        const findFarewell = () => stream?.comments.find((comment) => comment.startsWith('The log does not'));
        await until(() => findFarewell() !== undefined || findSent().length >= load.acknowledged.length, {
          what: () =>
            `${load.acknowledged.length} events of the stream, of which ${findSent().length} came ("${stream?.comments.at(-1) ?? ''}"),`,
        });
        const sent = findSent().map(({id}) => id);
        const events = await listAll(auditor.url, '/v1/events', workspace.token);
        const since = new Set(load.acknowledged.map(({id}) => id));
        const kept = events.flatMap(({id, type, data}) =>
          type === 'standup.created' && since.has(data.id) ? [id] : [],
        );
        if (findFarewell() !== undefined) {
          // The stream had sent a change that no replica had, and the failover lost it. That was its last event.
          const lost = sent.findIndex((id) => !kept.includes(id));
          expect(lost).toBeGreaterThanOrEqual(0);
          report(`stream of ${workspace.id} ended`, {sent: lost, lost: sent.length - lost});
          sent.splice(lost);
          kept.splice(lost);
        }
        expect(sent).toEqual(kept);
        stream?.cut();
      }
      expect(ofOthers).toEqual([]);
    },
    120_000 + 30_000 * rounds,
  );
});

/** Ends the outage of a server, which is a replica from now on if another one took its place. */
async function bringBack(server: TestRedis, isFrozen: boolean): Promise<void> {
  if (isFrozen) server.thaw();
  else await server.restart();
}

/** Counts the answers with each sentence. */
function countReasons(sentences: readonly string[]): string {
  const counts = Object.entries(Object.groupBy(sentences, (sentence) => sentence));
  return counts.map(([sentence, same = []]) => `${same.length} “${sentence}”`).join(' ') || 'none';
}

function showPercentiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return [0.5, 0.99].map((part) => sorted[Math.floor(sorted.length * part)]?.toFixed(1) ?? '-').join('/');
}

/** Returns the least, the median and the most of some times (ms). */
function summarize(times: readonly number[]): string {
  const sorted = times.map(Math.round).sort((a, b) => a - b);
  return [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].join('/');
}
