import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {deadlines} from '../../src/domain/core/limits.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {script} from '../../src/store/core/script.js';
import {addWebhook} from '../jobs/stage.js';
import {newDeadline} from '../store/open-test-store.js';
import {openEvents, type EventStreamClient} from '../support/event-stream-client.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import type {TestRedis} from '../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {startStoreServers, type TestStoreServers} from '../support/store-kinds.js';
import {until} from '../support/until.js';
import {audit, report} from './audit.js';
import {type RunningLoad, startLoad} from './load.js';
import {addMaster, findWays, moveSlots, removeServer, type Way} from './reshard-stage.js';

/** Number of moves, set by `npm run faults -- reshard --rounds N`; else each way of the engine moves once. */
const rounds = Number(process.env['RESHARD_ROUNDS'] ?? 0);
/** Number of small keys that each workspace has beside its own, set by `--keys N`. */
const moreKeys = Number(process.env['RESHARD_KEYS'] ?? 0);
/** Enough that each of three masters has some. */
const workspaceCount = 6;

const addKeysScript = script(
  "for i = ARGV[2], ARGV[3] do redis.call('SET', ARGV[1] .. string.format('%d', i), 'a small value') end",
);

interface Stage {
  readonly workspace: TestWorkspace;
  readonly receiver: Receiver;
  readonly load: RunningLoad;
  readonly stream: EventStreamClient;
}

let store: TestStoreServers;
let service: TestService;
let auditor: TestService | undefined;
const stages: Stage[] = [];

beforeAll(async () => {
  store = await startStoreServers('cluster');
  service = await startService({
    redisUrl: store.url,
    env: store.env,
    requestMs: deadlines.request,
    streaming: {pulse: 1_000},
  });
}, 60_000);

afterAll(async () => {
  for (const {receiver, stream} of stages) {
    stream.cut();
    await receiver.close();
  }
  await auditor?.close();
  await service?.close();
  await store?.stop();
}, 60_000);

const ownerOf = ({workspace}: Stage) => store.masterOf(workspaceKeys(workspace.id).head());

/** Adds a workspace with standups, a receiver, a reader of its stream, and clients that post. */
async function addStage(): Promise<Stage> {
  const [workspace, receiver] = [await service.addWorkspace(), await startReceiver()];
  await addWebhook(workspace, receiver, {events: ['standup.created']});
  const prefix = `{${workspace.id}}:test:`;
  for (let from = 1; from <= moreKeys; from += 1_000) {
    const range = [prefix, String(from), String(Math.min(from + 999, moreKeys))];
    await service.core.store.connection.run(newDeadline(), addKeysScript, [`${prefix}${from}`], range);
  }
  const stream = await openEvents(service.url, {token: workspace.token});
  const load = startLoad({
    urls: [service.url],
    token: workspace.token,
    clients: 2,
    restMs: 50,
  });
  return {workspace, receiver, load, stream};
}

it(
  'no post is lost or doubled, and no stream misses one, while all slots of a master move to a new one',
  async () => {
    for (let i = 0; i < workspaceCount; i++) stages.push(await addStage());
    const [first] = store.servers;
    if (first === undefined) throw new Error('there is no server');
    const {engine, ways: all} = await findWays(first);
    const ways = all.filter((way) => (process.env['RESHARD_WAY'] ?? way) === way);
    const results = new Map<Way, Result[]>(ways.map((way) => [way, []]));
    try {
      await until(() => stages.every(({load}) => load.acknowledged.length > 20), {what: 'there are keys'});
      for (let round = 0; round < (rounds || ways.length); round++) {
        const victim = stages[round % stages.length];
        const way = ways[round % ways.length];
        if (victim === undefined || way === undefined) throw new Error('there is no workspace');
        results.get(way)?.push(await moveOnce(way, await ownerOf(victim)));
      }
    } finally {
      for (const {load} of stages) await load.stop();
    }
    // The audit may take longer than a request of a client.
    auditor = await startService({redisUrl: store.url, env: {...store.env, ROLES: 'web'}});
    let [posts, repeats] = [0, 0];
    for (const {workspace, receiver, load, stream} of stages) {
      const {acknowledged, refusals} = load;
      const received = receiver.received;
      const counts = await audit({url: auditor.url, token: workspace.token, acknowledged, received});
      posts += acknowledged.length;
      repeats += counts.repeats;
      expect(refusals.filter(({status}) => status !== 503)).toEqual([]);
      expect(load.unanswered()).toBe(0);
      const findSent = () => stream.events.filter(({event}) => event === 'standup.created');
      await until(() => findSent().length >= acknowledged.length, {what: 'the stream has told all'});
      expect(new Set(findSent().map(({id}) => id)).size).toBe(acknowledged.length);
      expect(findSent()).toHaveLength(acknowledged.length);
    }
    expect((await service.core.store.readServers(newDeadline())).brokenScripts).toBe(0);
    for (const [way, found] of results) {
      report(`slots of ${engine} moved ${way === 'keys' ? 'key by key' : 'atomically'}`, {
        moves: found.length,
        'keys a move': summarize(found.map(({keys}) => keys)),
        'ms a move': summarize(found.map(({ms}) => ms)),
        '503 of moved workspaces': sum(found.map(({refused}) => refused)),
        '503 of others': sum(found.map(({refusedElsewhere}) => refusedElsewhere)),
        'late of others': sum(found.map(({lateElsewhere}) => lateElsewhere)),
        'worst post of moved (ms)': summarize(found.map(({worst}) => worst)),
        'worst post of others (ms)': summarize(found.map(({worstElsewhere}) => worstElsewhere)),
      });
    }
    report(`all moves of ${engine}`, {posts, lost: 0, doubled: 0, 'deliveries repeated': repeats});
    expect(sum([...results.values()].flat().map(({refusedElsewhere}) => refusedElsewhere))).toBe(0);
  },
  300_000 * (rounds + 1),
);

interface Result {
  readonly keys: number;
  readonly ms: number;
  readonly refused: number;
  readonly refusedElsewhere: number;
  /** The 503s of other workspaces that a busy machine explains, since the whole time of a request was over. */
  readonly lateElsewhere: number;
  readonly worst: number;
  readonly worstElsewhere: number;
}

/** Adds a master, moves all slots of another one to it, and removes that one. */
async function moveOnce(way: Way, from: TestRedis): Promise<Result> {
  const owners = await Promise.all(stages.map(ownerOf));
  const added = await addMaster(store);
  const [keys] = await sendToRedis(from.url, [['DBSIZE']]);
  const before = stages.map(({load}) => [load.acknowledged.length, load.refusals.length]);
  const begun = performance.now();
  await moveSlots(way, from, added);
  const ms = performance.now() - begun;
  // Requests that were under way at the end belong to the move, too.
  const served = stages.map(({load}) => load.acknowledged.length);
  await until(() => stages.every(({load}, i) => load.acknowledged.length > (served[i] ?? 0) + 2), {
    what: 'every workspace is served after the move',
  });
  const counted = stages.map(({load}, i) => ({
    isMoved: owners[i] === from,
    refused: load.refusals.length - (before[i]?.[1] ?? 0),
    late: load.refusals.slice(before[i]?.[1]).filter((one) => one.ms >= deadlines.request).length,
    worst: Math.max(...load.acknowledged.slice(before[i]?.[0]).map((one) => one.ms ?? 0)),
  }));
  const [moved, others] = [counted.filter(({isMoved}) => isMoved), counted.filter(({isMoved}) => !isMoved)];
  await removeServer(store, from);
  return {
    keys: Number(keys),
    ms,
    refused: sum(moved.map(({refused}) => refused)),
    refusedElsewhere: sum(others.map(({refused, late}) => refused - late)),
    lateElsewhere: sum(others.map(({late}) => late)),
    worst: Math.max(...moved.map(({worst}) => worst)),
    worstElsewhere: Math.max(0, ...others.map(({worst}) => worst)),
  };
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

/** Returns the least, the median and the most of some counts. */
function summarize(counts: readonly number[]): string {
  const sorted = counts.map(Math.round).toSorted((a, b) => a - b);
  return [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].join('/');
}
