import {writeFile, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {emptyCommit} from '../../src/domain/commit/commit.js';
import type {Id} from '../../src/domain/core/ids.js';
import type {RedisConnection} from '../../src/store/core/connection.js';
import {globalKeys, workspaceKeys} from '../../src/store/core/keys.js';
import {listWorkspaceKeys} from '../../src/store/core/workspace-scan.js';
import {importWorkspace} from '../../src/store/import-workspace.js';
import {removeMovedWorkspace} from '../../src/store/remove-workspace.js';
import {runStandup} from '../cli/run-standup.js';
import {sampleUnlessDeep} from '../support/deep.js';
import {asId, asSuffix} from '../support/ids.js';
import {dumpRedis} from './dump.js';
import {newDeadline, openTestStore, type TestStore} from './open-test-store.js';

const passphrase = 'correct horse battery';
const slackId = 'T0MOVED';
const token = {id: asId<'access_token'>(`tok_0000000000${'t'.repeat(16)}`)};
const writes = /^(?:HSET|HSETNX)$/;

let source: TestStore;
let workspace: Id<'workspace'>;
let lines: string[];
let digest: string;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-steps-'));
  source = await openTestStore();
  workspace = await createMoved(source);
  await source.store.frozen.freeze(workspace, newDeadline());
  lines = [];
  ({sha256: digest} = await source.store.exportWorkspace({
    workspace: {id: workspace, slug: 'acme'},
    passphrase,
    note: () => undefined,
    write: async (text) => void lines.push(text.trimEnd()),
  }));
  await writeFile(path.join(folder, 'acme.ndjson'), `${lines.join('\n')}\n`);
  await writeFile(path.join(folder, 'passphrase'), passphrase);
});

afterAll(async () => {
  await source.store.close();
  await rm(folder, {recursive: true, force: true});
});

/** Creates a workspace with the bot, a token and some data. */
async function createMoved({store, url}: TestStore): Promise<Id<'workspace'>> {
  const draft = {slug: 'acme', name: 'Acme', suffix: asSuffix<'workspace'>('a'.repeat(16))};
  const {id} = (await store.workspaces.create(draft, newDeadline())) ?? {};
  if (id === undefined) throw new Error('the slug is taken');
  const keys = workspaceKeys(id);
  await sendToRedis(url, [
    ['HSET', globalKeys.slackWorkspaces(), slackId, id],
    ['HSET', keys.slackInstallation(), 'id', slackId],
    ['SET', keys.credential(token.id), '1'],
    ['SET', keys.record(asSuffix('member')), '{"object":"member"}'],
    ['ZADD', keys.mails(), '1', 'one'],
    ['ZADD', keys.ready(), '1', 'fan-out'],
  ]);
  return id;
}

/** A connection that does something before each write. */
function createStepping(connection: RedisConnection, step: () => Promise<void>): RedisConnection {
  return {
    ...connection,
    async run(...args) {
      await step();
      return connection.run(...args);
    },
    async call(deadline, args) {
      if (writes.test(args[0])) await step();
      return connection.call(deadline, args);
    },
  };
}

/** A connection that dies at a write, and counts them. */
function createMortal(connection: RedisConnection, diesAt: number) {
  let count = 0;
  const mortal = createStepping(connection, async () => {
    count += 1;
    if (count >= diesAt) throw new Error('killed');
  });
  return {mortal, count: () => count};
}

/** A connection that waits before a write until it is resumed. */
function createPaused(connection: RedisConnection, pausesAt: number) {
  const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let count = 0;
  const paused = createStepping(connection, async () => {
    count += 1;
    if (count !== pausesAt) return;
    reached.resolve();
    await resumed.promise;
  });
  return {paused, reached: reached.promise, resume: resumed.resolve};
}

const readAll = async ({url}: TestStore, id = workspace) =>
  (await dumpRedis(url)).text.split('\n').filter((line) => line.includes(id) || line.includes('acme'));

async function* readLines() {
  yield* lines;
}

const importHere = ({store}: TestStore, connection: RedisConnection, slug?: string) =>
  importWorkspace({connection, cipher: store.cipher}, {readLines, passphrase, slug});

/** Takes a slug for another workspace. */
const takeSlug = async ({store}: TestStore, slug: string) =>
  (await store.workspaces.create({slug, name: slug, suffix: asSuffix('o'.repeat(16))}, newDeadline()))?.id;

/** The workspace's answers to a change and to a read. */
async function askBoth({store}: TestStore, id = workspace) {
  const {kind} = await store.commits.run({workspace: id, deadline: newDeadline()}, emptyCommit);
  const {state} = await store.admissions.admit({workspace: id, token, deadline: newDeadline()});
  return [kind, state];
}

describe('the keys of a workspace', () => {
  const keys = () => [workspaceKeys(workspace).head(), workspaceKeys(workspace).ready()];

  /** Two masters, of which the keys move from the second to the first between the looks at both. */
  function createMoving() {
    let looks = 0;
    const answer = async (isFirst: boolean) => {
      looks += 1;
      return ['0', isFirst === looks > 1 ? keys() : []] as never;
    };
    const moving: Parameters<typeof listWorkspaceKeys>[0] = {
      kind: 'cluster',
      call: async () => 1 as never,
      nodes: async () =>
        [true, false].map((isFirst) => ({name: '', isMaster: true, call: () => answer(isFirst)})),
    };
    return moving;
  }

  it('are all found while their slot moves to a master that was searched before', async () => {
    expect(await listWorkspaceKeys(createMoving(), workspace)).toEqual(keys());
  });
});

describe('the removal of a moved workspace', () => {
  /** Creates a workspace that was exported with this digest. */
  async function createExported(target: TestStore): Promise<Id<'workspace'>> {
    const id = await createMoved(target);
    const head = workspaceKeys(id).head();
    await sendToRedis(target.url, [['HSET', head, 'frozen', '1', 'exported', digest]]);
    return id;
  }

  it.each(['slug', 'id'])(
    'finishes on a repeat wherever it was killed, and serves nothing from its first step on: by its %s',
    async (by) => {
      const target = await openTestStore();
      const {connection} = target.store;
      let died = 'killed';
      for (let diesAt = 1; died === 'killed'; diesAt++) {
        const id = await createExported(target);
        const name = by === 'slug' ? 'acme' : id;
        const {mortal} = createMortal(connection, diesAt);
        died = await removeMovedWorkspace(mortal, name, digest).then(
          () => 'alive',
          (error: Error) => error.message,
        );
        if (diesAt > 1)
          expect([diesAt, ...(await askBoth(target, id))]).toEqual([diesAt, 'store-lost', 'lost']);
        if (died === 'alive') expect(diesAt).toBeGreaterThan(10);
        else await removeMovedWorkspace(connection, name, digest);
        expect([diesAt, ...(await readAll(target, id))]).toEqual([diesAt]);
      }
      expect(died).toBe('alive');
      await target.store.close();
    },
  );

  it('is finished by a repeat although `standup-admin workspace thaw` ran in the meantime', async () => {
    const target = await openTestStore();
    const id = await createExported(target);
    const {mortal} = createMortal(target.store.connection, 2);
    await expect(removeMovedWorkspace(mortal, 'acme', digest)).rejects.toThrow('killed');
    expect(await target.store.frozen.thaw(id, newDeadline())).toBe('removing');
    await removeMovedWorkspace(target.store.connection, 'acme', digest);
    expect(await readAll(target, id)).toEqual([]);
    await target.store.close();
  });

  it('refuses another digest even if a moving slot hides every key from the search', async () => {
    const target = await openTestStore();
    const id = await createExported(target);
    const before = await readAll(target, id);
    const blind: RedisConnection = {...target.store.connection, nodes: async () => []};
    await expect(removeMovedWorkspace(blind, 'acme', 'f'.repeat(64))).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect(await readAll(target, id)).toEqual(before);
    await target.store.close();
  });

  it('refuses another digest, also after it was interrupted', async () => {
    const target = await openTestStore();
    await createExported(target);
    for (const diesAt of [1, 4]) {
      const {mortal} = createMortal(target.store.connection, diesAt);
      await expect(removeMovedWorkspace(mortal, 'acme', digest)).rejects.toThrow('killed');
      await expect(removeMovedWorkspace(target.store.connection, 'acme', 'x')).rejects.toThrow(
        /^acme is not read-only, or this is not the digest of its last export\./,
      );
    }
    await target.store.close();
  });
});

describe('an import', () => {
  it('is finished by a repeat wherever it was killed, and only then can be seen', async () => {
    const complete = await openTestStore();
    const counting = createMortal(complete.store.connection, Number.POSITIVE_INFINITY);
    await importHere(complete, counting.mortal);
    const whole = await readAll(complete);
    await complete.store.close();
    const positions = Array.from({length: counting.count()}, (_, i) => i + 1);
    for (const diesAt of sampleUnlessDeep(positions, 4)) {
      const target = await openTestStore();
      const {mortal} = createMortal(target.store.connection, diesAt);
      await expect(importHere(target, mortal)).rejects.toThrow('killed');
      const isVisible = (await askBoth(target))[0] === 'committed';
      const found = await target.store.workspaces.findBySlug('acme', newDeadline());
      if (found === undefined) expect([diesAt, isVisible]).toEqual([diesAt, false]);
      await importHere(target, target.store.connection);
      expect([diesAt, ...(await readAll(target))]).toEqual([diesAt, ...whole]);
      expect(await askBoth(target)).toEqual(['committed', 'live']);
      await target.store.close();
    }
  });

  it('regression: stops when a second one begins under another slug, and the workspace has one slug and all data', async () => {
    const complete = await openTestStore();
    const counting = createMortal(complete.store.connection, Number.POSITIVE_INFINITY);
    await importHere(complete, counting.mortal);
    const whole = await readAll(complete);
    await complete.store.close();
    const positions = Array.from({length: counting.count()}, (_, i) => i + 1);
    for (const pausesAt of sampleUnlessDeep(positions, 5)) {
      const target = await openTestStore();
      const {connection} = target.store;
      const {paused, reached, resume} = createPaused(connection, pausesAt);
      const first = importHere(target, paused, 'first').then(
        ({kind}) => kind,
        (error: Error) => error.message,
      );
      await reached;
      const second = await importHere(target, connection, 'second');
      resume();
      expect([pausesAt, await first]).toEqual([
        pausesAt,
        expect.stringMatching(/^(?:imported|Another import of this workspace has taken over, so this one)/),
      ]);
      const slugs = await connection.call<string[]>(newDeadline(), ['HGETALL', globalKeys.workspaceSlugs()]);
      const [slug = ''] = slugs;
      expect([pausesAt, ...slugs]).toEqual([pausesAt, slug, workspace]);
      expect([pausesAt, second]).toEqual([pausesAt, expect.objectContaining({kind: 'imported', slug})]);
      const found = (await readAll(target)).map((line) => line.replaceAll(slug, 'acme'));
      expect([pausesAt, ...found]).toEqual([pausesAt, ...whole]);
      expect(await askBoth(target)).toEqual(['committed', 'live']);
      await target.store.close();
    }
  });

  it('names the option that helps if its slug is taken, and uses it', async () => {
    const target = await openTestStore();
    const other = await takeSlug(target, 'acme');
    const file = path.join(folder, 'acme.ndjson');
    const args = ['workspace', 'import', file, '--passphrase-file', path.join(folder, 'passphrase')];
    const env = {REDIS_URL: target.url};
    expect(await runStandup(args, env)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'There is another workspace "acme" here. Nothing was written. Import under another slug: --slug NEW.\n',
    });
    const {stderr} = await runStandup([...args, '--slug', 'Not A Slug'], env);
    expect(stderr).toContain('--slug: use small letters, digits and single hyphens');
    const {code, stdout} = await runStandup([...args, '--slug', 'acme-2'], env);
    expect({code, stdout}).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Imported acme-2 \(ws_[^]*remove --moved acme --digest [0-9a-f]+\n$/),
    });
    expect((await target.store.workspaces.findBySlug('acme-2', newDeadline()))?.id).toBe(workspace);
    expect((await target.store.workspaces.findBySlug('acme', newDeadline()))?.id).toBe(other);
    expect(await askBoth(target)).toEqual(['committed', 'live']);
    await target.store.close();
  });

  it('continues under another slug if its own was taken in the meantime, and keeps no other', async () => {
    const target = await openTestStore();
    const {connection} = target.store;
    let hasTaken = false;
    const slow: RedisConnection = {
      ...connection,
      async run(deadline, script, keys, args) {
        // Right before the import claims the slug itself.
        if (!hasTaken && args[0] === 'HSETNX') {
          hasTaken = true;
          await takeSlug(target, 'acme');
        }
        return connection.run(deadline, script, keys, args);
      },
    };
    await expect(importHere(target, slow)).rejects.toThrow(
      'Another workspace has taken the slug "acme" in the meantime. Continue under another slug: --slug NEW.',
    );
    expect(await target.store.workspaces.find(workspace, newDeadline())).toBeUndefined();
    // This try dies after it has claimed its slug.
    let written = 0;
    const dying: RedisConnection = {
      ...connection,
      async run(deadline, script, keys, args) {
        if (keys[0] === workspaceKeys(workspace).head()) throw new Error('killed');
        const isPart = keys[0] !== workspaceKeys(workspace).importProgress();
        if (isPart && keys[0]?.startsWith(`{${workspace}}`)) written += 1;
        return connection.run(deadline, script, keys, args);
      },
    };
    await expect(importHere(target, dying, 'acme-2')).rejects.toThrow('killed');
    // The repeat does not write again what the first try has written.
    expect(written).toBe(0);
    expect(await importHere(target, connection, 'acme-3')).toEqual(
      expect.objectContaining({kind: 'imported', slug: 'acme-3', slugBefore: 'acme'}),
    );
    const slugs = await connection.call<string[]>(newDeadline(), ['HKEYS', globalKeys.workspaceSlugs()]);
    expect(slugs.toSorted()).toEqual(['acme', 'acme-3']);
    const json = (await target.store.workspaces.find(workspace, newDeadline())) as object;
    const before = (await source.store.workspaces.find(workspace, newDeadline())) as object;
    expect(json).toEqual({...before, slug: 'acme-3'});
    await target.store.close();
  });
});
