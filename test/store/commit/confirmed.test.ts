import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {type Commit, type CommitTerms, emptyCommit} from '../../../src/domain/commit/commit.js';
import {createWrite} from '../../../src/domain/commit/writes.js';
import {type Id, type IdSuffix, suffixFromBytes} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import {StartupError} from '../../../src/store/core/installation.js';
import {isStoreUnavailableError} from '../../../src/store/core/start-causes.js';
import type {Store} from '../../../src/store/store.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {startSlowRedis} from '../../support/slow-redis.js';
import {until} from '../../support/until.js';
import {newDeadline, openTestStore} from '../open-test-store.js';

let master: TestRedis;
let replica: TestRedis;
let store: Store;
let workspace: Id<'workspace'>;
const cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  const settings = ['repl-diskless-sync-delay 0'];
  const password = 'one-for-both';
  master = await startTestRedis({appendfsync: 'no', password, settings});
  replica = await startTestRedis({
    appendfsync: 'no',
    password,
    settings: [...settings, `masterauth ${password}`],
  });
  await sendToRedis(replica.url, [['REPLICAOF', '127.0.0.1', new URL(master.url).port]]);
  await until(async () => (await readInfo('replication')).includes('state=online'), {
    what: 'it has its copy',
  });
  store = await openConfirmingStore();
  const made = await store.workspaces.create({slug: 'one', name: 'One', suffix: nextSuffix()}, newDeadline());
  if (made === undefined) throw new Error('not made');
  workspace = made.id;
}, 30_000);

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

afterAll(async () => {
  await store?.close();
  await replica?.stop();
  await master?.stop();
});

/** Opens a store of new connections, which have written nothing yet. */
async function openConfirmingStore(url = master.url): Promise<Store> {
  return (await openTestStore({url, confirmReplicas: 1})).store;
}

async function openAnother(url?: string): Promise<Store> {
  const another = await openConfirmingStore(url);
  cleanUps.push(() => another.close());
  return another;
}

/** Makes the replica confirm nothing until the end of the test, or until `thaw`. */
function freezeReplica(): void {
  replica.freeze();
  cleanUps.push(() => replica.thaw());
}

async function readInfo(section: string): Promise<string> {
  return String((await sendToRedis(master.url, [['INFO', section]]))[0]);
}

/** Returns how often the master has run a command. */
async function countCalls(command: string): Promise<number> {
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await readInfo('commandstats'))?.[1] ?? 0);
}

/** Returns the number of the last event. */
async function findSequence(): Promise<number> {
  return (await store.events.findEnd(workspace, newDeadline()))?.sequence ?? 0;
}

let generated = 0;

function nextSuffix(): IdSuffix<never> {
  generated += 1;
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(6, generated);
  return suffixFromBytes(bytes);
}

function newPost(): Commit {
  const suffix: IdSuffix<'standup'> = nextSuffix();
  const of = createWrite('standup', suffix, {object: 'standup', update: 'Words.'}, [
    {list: lists.standups()},
  ]);
  return {
    guards: [],
    writes: [of],
    events: [{type: 'standup.created', about: suffix, revision: 1}],
    reply: {kind: 'resource', of},
  };
}

const within = (ms: number, key?: string): CommitTerms => ({
  workspace,
  deadline: performance.now() + ms,
  ...(key !== undefined && {idempotency: {hash: key, fingerprint: 'f'.repeat(43)}}),
});

const unconfirmed = {code: 'service_unavailable', message: expect.stringMatching(/^Too few replicas/)};

it('a change is answered only when a replica has it, and is then repeated without a second effect', async () => {
  freezeReplica();
  const before = await findSequence();
  await expect(store.commits.run(within(900, 'first'), newPost())).rejects.toMatchObject(unconfirmed);
  replica.thaw();
  expect(await store.commits.run(within(5_000, 'first'), newPost())).toMatchObject({kind: 'kept'});
  expect(await findSequence()).toBe(before + 1);
});

it('a repeat of a change that no replica has yet gets no answer, neither from this process nor another', async () => {
  freezeReplica();
  await expect(store.commits.run(within(900, 'second'), newPost())).rejects.toMatchObject(unconfirmed);
  for (const one of [store, await openAnother()]) {
    await expect(one.commits.run(within(900, 'second'), newPost())).rejects.toMatchObject(unconfirmed);
    await expect(one.commits.findReply(within(900, 'second'))).rejects.toMatchObject(unconfirmed);
  }
  replica.thaw();
  expect(await store.commits.run(within(5_000, 'second'), newPost())).toMatchObject({kind: 'kept'});
  expect(await store.commits.findReply(within(5_000, 'second'))).toMatchObject({kind: 'kept'});
});

it('an answer that nothing had to change also waits for replicas, since the change before may be lost', async () => {
  const another = await openAnother();
  freezeReplica();
  await expect(store.commits.run(within(900), newPost())).rejects.toMatchObject(unconfirmed);
  await expect(another.commits.run(within(900), emptyCommit)).rejects.toMatchObject(unconfirmed);
  replica.thaw();
  expect(await another.commits.run(within(5_000), emptyCommit)).toMatchObject({kind: 'committed'});
});

it('each acknowledgement follows a write on its connection, because WAIT of newer servers counts only those', async () => {
  await store.commits.run(within(5_000, 'repeated'), newPost());
  const acknowledgements = {
    nothing: () => store.commits.run(within(5_000), emptyCommit),
    repeat: () => store.commits.run(within(5_000, 'repeated'), newPost()),
    answer: () => store.commits.findReply(within(5_000, 'repeated')),
  };
  for (const acknowledge of Object.values(acknowledgements)) {
    const before = await countCalls('hset');
    expect(await acknowledge()).toBeDefined();
    expect(await countCalls('hset')).toBe(before + 1);
  }
});

it('a refusal and a read wait for no replica', async () => {
  freezeReplica();
  const stale: Commit = {
    ...newPost(),
    guards: [{check: 'unchanged', collection: 'teams', version: 'another'}],
  };
  expect(await store.commits.run(within(500), stale)).toMatchObject({kind: 'stale'});
  expect(await store.commits.findReply(within(500, 'unknown'))).toBeUndefined();
  const waiting = store.commits.run(within(2_000), newPost());
  expect(await store.workspaces.find(workspace, performance.now() + 500)).toBeDefined();
  replica.thaw();
  expect(await waiting).toMatchObject({kind: 'committed'});
});

it('changes at the same time share the question to replicas', async () => {
  const before = await countCalls('wait');
  const made = await Promise.all(
    Array.from({length: 200}, () => store.commits.run(within(5_000), newPost())),
  );
  expect(made.every(({kind}) => kind === 'committed')).toBe(true);
  expect((await countCalls('wait')) - before).toBeLessThan(50);
});

it('a change whose connection ends before a replica has it stays unknown, also when connected again', async () => {
  const proxy = await startSlowRedis(master.url);
  cleanUps.push(() => proxy.close());
  const another = await openAnother(proxy.url);
  freezeReplica();
  const before = await findSequence();
  const failed = another.commits.run(within(2_000, 'third'), newPost()).catch((error: unknown) => error);
  await until(async () => (await findSequence()) > before, {what: 'it is made'});
  proxy.cut();
  proxy.mend();
  expect(await failed).toMatchObject({code: 'service_unavailable'});
  await expect(
    until(() => another.commits.run(within(900, 'third'), newPost()).catch(reachesStore)),
  ).rejects.toMatchObject(unconfirmed);

  /** Tries again for as long as the connection is away. */
  function reachesStore(error: Error): undefined {
    if (error.message.startsWith('Too few replicas')) throw error;
  }
});

it('a change under way is confirmed before its connection closes, as when another server takes over', async () => {
  const {store: another} = await openTestStore({url: master.url, confirmReplicas: 1});
  freezeReplica();
  const before = {sequence: await findSequence(), waits: await countCalls('wait')};
  const waiting = another.commits.run(within(5_000), newPost());
  await until(async () => (await findSequence()) > before.sequence, {what: 'it is made'});
  const closed = another.close();
  await until(async () => (await countCalls('wait')) > before.waits + 1, {
    what: 'it asks again',
    withinMs: 3_000,
  });
  replica.thaw();
  expect(await waiting).toMatchObject({kind: 'committed'});
  await closed;
});

it('nothing waits for replicas unless the setting asks for it', async () => {
  const {store: plain} = await openTestStore({url: master.url});
  cleanUps.push(() => plain.close());
  freezeReplica();
  const before = await countCalls('wait');
  for (let i = 0; i < 2; i++) await plain.commits.run(within(2_000, 'fourth'), newPost());
  expect(await countCalls('wait')).toBe(before);
});

it('regression: a server that is a replica by now is unavailable when it is asked for confirmation', async () => {
  const refused: unknown = await sendToRedis(replica.url, [['WAIT', '1', '10']]).catch(
    (error: unknown) => error,
  );
  expect(String(refused)).toContain('WAIT cannot be used');
  expect(isStoreUnavailableError(refused)).toBe(true);
});

it('a plain server without a replica is refused at the start, with one sentence', async () => {
  const alone = await startTestRedis({appendfsync: 'no'});
  cleanUps.push(() => alone.stop());
  const refused: unknown = await openConfirmingStore(alone.url).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StartupError);
  expect(String(refused)).toMatch(
    /REDIS_CONFIRM_REPLICAS is 1, but Redis has no replica: add one, or leave the setting out\.$/,
  );
});
