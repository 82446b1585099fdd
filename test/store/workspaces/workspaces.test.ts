import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {composeId, suffixFromBytes, suffixOf, type Id, type IdSuffix} from '../../../src/domain/core/ids.js';
import {globalKeys} from '../../../src/store/core/keys.js';
import type {Store} from '../../../src/store/store.js';
import {createWorkspaces} from '../../../src/store/workspaces/workspaces.js';
import {openTestStore, newDeadline} from '../open-test-store.js';
import {asId} from '../../support/ids.js';

let store: Store;
let url: string;
let count = 0;

beforeAll(async () => {
  ({store, url} = await openTestStore());
});

afterAll(() => store.close());

function nextSuffix(): IdSuffix<'workspace'> {
  count += 1;
  return suffixFromBytes(new Uint8Array(10).fill(count));
}

const create = (slug: string) =>
  store.workspaces.create({slug, name: slug, suffix: nextSuffix()}, newDeadline());

/** Reserves a slug like a process that died `minutesAgo`. */
async function claim(slug: string, minutesAgo: number): Promise<Id<'workspace'>> {
  const id = composeId('workspace', store.clock.now() - minutesAgo * 60_000, nextSuffix());
  await sendToRedis(url, [
    ['HSET', globalKeys.workspaceSlugs(), slug, id],
    ['SADD', globalKeys.workspaces(), id],
  ]);
  return id;
}

async function sweep({listPage, sweepClaims}: Store['workspaces']): Promise<number> {
  const {reserved} = await listPage('0', newDeadline());
  return sweepClaims(reserved, newDeadline());
}

it('only one of 20 concurrent requests to create a workspace with a slug succeeds', async () => {
  const made = await Promise.all(Array.from({length: 20}, () => create('wanted')));
  const ids = new Set(made.flatMap((workspace) => workspace?.id ?? []));
  expect(ids.size).toBe(1);
  expect(await store.workspaces.findBySlug('wanted', newDeadline())).toMatchObject({
    slug: 'wanted',
    revision: 1,
  });
});

it('the only workspace is known as such, although the creation of another one was interrupted', async () => {
  const {store: other, url: address} = await openTestStore();
  try {
    const suffix = nextSuffix();
    const only = await other.workspaces.create({slug: 'only', name: 'Only', suffix}, newDeadline());
    const id = composeId('workspace', other.clock.now(), nextSuffix());
    await sendToRedis(address, [
      ['HSET', globalKeys.workspaceSlugs(), 'half', id],
      ['SADD', globalKeys.workspaces(), id],
    ]);
    expect(await other.workspaces.count(newDeadline())).toBe(2);
    expect(await other.workspaces.listFew(newDeadline())).toEqual([only]);
  } finally {
    await other.close();
  }
});

it('a slug that is taken is refused and stays with its workspace', async () => {
  const first = await create('kept');
  expect(await create('kept')).toBeUndefined();
  expect((await store.workspaces.findBySlug('kept', newDeadline()))?.id).toBe(first?.id);
});

it('the unfinished creation of a workspace is completed by the next one, with the same id', async () => {
  const id = await claim('half-done', 0);
  expect(await store.workspaces.findBySlug('half-done', newDeadline())).toBeUndefined();
  expect((await create('half-done'))?.id).toBe(id);
});

it('a slug entry that names a workspace with another slug does not lead to that workspace', async () => {
  const honest = await create('honest');
  await sendToRedis(url, [['HSET', globalKeys.workspaceSlugs(), 'liar', honest?.id ?? '']]);
  expect(await store.workspaces.findBySlug('liar', newDeadline())).toBeUndefined();
  await sendToRedis(url, [['HDEL', globalKeys.workspaceSlugs(), 'liar']]);
});

it('only reservations of slugs that were not completed within ten minutes are removed', async () => {
  const confirmed = await create('confirmed');
  await claim('recent', 9);
  const old = await claim('old', 11);
  expect(await sweep(store.workspaces)).toBe(1);
  const [gone, recent, listed] = await sendToRedis(url, [
    ['HGET', globalKeys.workspaceSlugs(), 'old'],
    ['HGET', globalKeys.workspaceSlugs(), 'recent'],
    ['SISMEMBER', globalKeys.workspaces(), old],
  ]);
  expect([gone, listed]).toEqual([null, 0]);
  expect(recent).toMatch(/^ws_/);
  expect(await store.workspaces.find(confirmed?.id ?? asId(''), newDeadline())).toEqual(confirmed);
  expect(await create('old')).toMatchObject({slug: 'old'});
});

it('a slug reserved by a Slack installation can be taken only by that installation', async () => {
  const id = await claim('of-slack', 0);
  await store.slackInstallations.claim('T0RESERVED', id, {alone: false}, newDeadline());
  expect(await create('of-slack')).toBeUndefined();
  const resumed = {slug: 'of-slack', name: 'Of Slack', suffix: suffixOf(id), id};
  expect(await store.workspaces.create(resumed, newDeadline())).toMatchObject({id, slug: 'of-slack'});
});

it.each([
  // The operation that runs just before the script of the other operation.
  ['swept while it is resumed', 'create'],
  ['resumed while it is swept', 'sweep'],
])('a workspace whose reservation is %s is in every list', async (_, first) => {
  const slug = `late-${first}`;
  const id = await claim(slug, 11);
  const resumed = {slug, name: slug, suffix: suffixOf(id), id};
  const {connection} = store;
  let interruptions = 0;
  const interrupted = createWorkspaces(
    {
      ...connection,
      run: async (...args) => {
        interruptions += 1;
        if (first === 'create') await sweep(store.workspaces);
        else await store.workspaces.create(resumed, newDeadline());
        return connection.run(...args);
      },
    },
    {servesSlack: false},
  );
  if (first === 'create') await interrupted.create(resumed, newDeadline());
  else await sweep(interrupted);
  expect(interruptions).toBeGreaterThan(0);
  expect((await store.workspaces.findBySlug(slug, newDeadline()))?.id).toBe(id);
  expect(await sendToRedis(url, [['SISMEMBER', globalKeys.workspaces(), id]])).toEqual([1]);
});

it('workspaces are listed in the order of their creation', async () => {
  for (const slug of ['earlier', 'later']) await create(slug);
  const slugs = (await store.workspaces.list(newDeadline())).map(({slug}) => slug);
  expect(slugs.filter((slug) => slug === 'earlier' || slug === 'later')).toEqual(['earlier', 'later']);
});
