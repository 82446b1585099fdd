import {expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {createWrite} from '../../src/domain/commit/writes.js';
import {type Id, type IdSuffix, suffixFromBytes} from '../../src/domain/core/ids.js';
import {lists} from '../../src/domain/core/lists.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import type {Store} from '../../src/store/store.js';
import {newDeadline, openTestStore} from '../store/open-test-store.js';
import {startTestRedis, type TestRedis} from '../support/redis-server.js';
import {until, withTimeout} from '../support/until.js';
import {report} from './audit.js';

/** Number of promotions in each case, set by `npm run faults -- first-copy --rounds N`. */
const rounds = Number(process.env['FIRST_COPY_ROUNDS'] ?? 1);
/** The first copy of this many keys, each with a pause, takes a second, and some on a busy machine. */
const otherKeys = 3_000;

interface Counts {
  /** Posts acknowledged before the replica began its copy, and since; each with those lost by its promotion. */
  readonly before: number;
  readonly lostOfBefore: number;
  readonly since: number;
  readonly lostOfSince: number;
}

it.each([0, 1])(
  'posts that %i replicas confirm are counted when a replica is promoted during its first copy',
  async (confirm) => {
    const sum = {before: 0, lostOfBefore: 0, since: 0, lostOfSince: 0};
    for (let round = 0; round < rounds; round++) {
      const counts = await promoteOnce(confirm);
      for (const key of Object.keys(sum) as (keyof Counts)[]) sum[key] += counts[key];
    }
    report(`promotions during the first copy, ${confirm} replicas confirm`, {rounds, ...sum});
    expect(sum.before).toBeGreaterThan(0);
    // A replica in its first copy confirms nothing, so nothing is acknowledged that it could lose.
    if (confirm > 0) expect(sum.lostOfSince).toBe(0);
  },
  30_000 + 20_000 * rounds,
);

async function promoteOnce(confirm: number): Promise<Counts> {
  const settings = ['repl-diskless-sync-delay 0', 'rdb-key-save-delay 300', 'enable-debug-command yes'];
  const password = 'one-for-both';
  const server = {appendfsync: 'no', password} as const;
  const master = await startTestRedis({...server, settings});
  const replica = await startTestRedis({...server, settings: [...settings, `masterauth ${password}`]});
  const follow = ['REPLICAOF', '127.0.0.1', new URL(master.url).port];
  let store: Store | undefined;
  let isEnded = false;
  const posters: Promise<void>[] = [];
  try {
    await sendToRedis(replica.url, [follow]);
    await until(() => isOnline(master), {what: 'the replica has the empty store'});
    ({store} = await openTestStore({url: master.url, confirmReplicas: confirm}));
    const made = await store.workspaces.create(
      {slug: 'one', name: 'One', suffix: nextSuffix()},
      newDeadline(),
    );
    if (made === undefined) throw new Error('not made');
    const posted: {before: IdSuffix[]; since: IdSuffix[]} = {before: [], since: []};
    for (let i = 0; i < 20; i++) posted.before.push(await post(store, made.id, 5_000));

    // A new replica: it has no data.
    await sendToRedis(replica.url, [['REPLICAOF', 'NO', 'ONE'], ['FLUSHALL']]);
    await sendToRedis(master.url, [['DEBUG', 'POPULATE', String(otherKeys), 'other', '100']]);
    await sendToRedis(replica.url, [follow]);
    const opened = store;
    let tries = 0;
    const postUntilEnd = async (): Promise<void> => {
      while (!isEnded) {
        tries += 1;
        const suffix = await post(opened, made.id, 300).catch(() => undefined);
        if (suffix !== undefined && !isEnded) posted.since.push(suffix);
      }
    };
    await until(async () => /^slave0:.*state=(?!online)/m.test(await readInfo(master)), {
      what: 'the copy has begun',
      everyMs: 1,
    });
    posters.push(...Array.from({length: 4}, postUntilEnd));
    // Each poster has the answer of one try at least, whether or not replicas confirm it.
    await until(() => tries > 8, {what: 'posts were tried during the copy'});
    const isCopied = await isOnline(master);
    await master.kill();
    isEnded = true;
    if (isCopied) throw new Error('the copy has ended too early');
    const promote = () => ask(replica, ['REPLICAOF', 'NO', 'ONE']).then(Boolean, () => false);
    await until(promote, {what: 'the replica is a master'});
    const list = workspaceKeys(made.id).list(lists.standups());
    const joined = `return table.concat(redis.call('ZRANGE', KEYS[1], 0, -1), ' ')`;
    const listed = await ask(replica, ['EVAL', joined, '1', list]);
    const found = new Set(String(listed).split(' '));
    const countLost = (suffixes: readonly IdSuffix[]) => suffixes.filter((one) => !found.has(one)).length;
    return {
      before: posted.before.length,
      lostOfBefore: countLost(posted.before),
      since: posted.since.length,
      lostOfSince: countLost(posted.since),
    };
  } finally {
    isEnded = true;
    await withTimeout(Promise.all(posters), 'each post has ended');
    if (store !== undefined) await withTimeout(store.close(), 'the store is closed');
    await replica.stop();
    await master.stop();
  }
}

/** Asks a server that may be busy. A longer limit would make each round of `until` as long. */
async function ask({url}: TestRedis, command: readonly string[]): Promise<unknown> {
  return (await sendToRedis(url, [command], 1_000))[0];
}

async function readInfo(server: TestRedis): Promise<string> {
  return ask(server, ['INFO', 'replication']).then(String, () => '');
}

async function isOnline(master: TestRedis): Promise<boolean> {
  return /^slave0:.*state=online/m.test(await readInfo(master));
}

let generated = 0;

function nextSuffix(): IdSuffix<never> {
  generated += 1;
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(6, generated);
  return suffixFromBytes(bytes);
}

/** Posts a standup, and returns its id suffix once it is acknowledged. */
async function post(store: Store, workspace: Id<'workspace'>, withinMs: number): Promise<IdSuffix> {
  const suffix: IdSuffix<'standup'> = nextSuffix();
  const of = createWrite('standup', suffix, {object: 'standup', update: 'Words.'}, [
    {list: lists.standups()},
  ]);
  const outcome = await store.commits.run(
    {workspace, deadline: performance.now() + withinMs},
    {
      guards: [],
      writes: [of],
      events: [{type: 'standup.created', about: suffix, revision: 1}],
      reply: {kind: 'resource', of},
    },
  );
  if (outcome.kind !== 'committed') throw new Error(outcome.kind);
  return suffix;
}
