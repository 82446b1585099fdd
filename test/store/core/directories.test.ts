import {randomUUID} from 'node:crypto';
import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {lists} from '../../../src/domain/core/lists.js';
import {renderResource} from '../../../src/domain/core/resource.js';
import type {RedisCommand, RedisConnection} from '../../../src/store/core/connection.js';
import {createTeamDirectories} from '../../../src/store/core/directories.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {openTestStore, newDeadline, type TestStore} from '../open-test-store.js';
import {asId, asSuffix} from '../../support/ids.js';
import type {Id} from '../../../src/domain/core/ids.js';

let test: TestStore;
let commands: string[];
/** Ids of records that were read in full. */
let read: string[];

beforeAll(async () => {
  test = await openTestStore();
});

afterAll(() => test.store.close());

beforeEach(() => {
  commands = [];
  read = [];
});

/** Opens the team directories of the store, and records their commands. */
function openTeams(maxBytes?: number) {
  const {connection} = test.store;
  const call = ((deadline: number, args: RedisCommand) => {
    commands.push(args[0] ?? '');
    if (args[0] === 'MGET') read.push(...args.slice(1));
    return connection.call(deadline, args);
  }) as RedisConnection['call'];
  const run: RedisConnection['run'] = (...args) => {
    commands.push('EVALSHA');
    return connection.run(...args);
  };
  return createTeamDirectories({call, run}, maxBytes);
}

const workspaceOf = (i: number) => asId<'workspace'>(`ws_${String(i).padStart(26, '0')}`);

it('regression: the team directory of a workspace is read once for many callers at once', async () => {
  const teams = openTeams();
  const found = await Promise.all(Array.from({length: 50}, () => teams.fresh(workspaceOf(0), newDeadline())));
  expect(commands.filter((name) => name === 'ZRANGE')).toHaveLength(1);
  expect(new Set(found).size).toBe(1);
});

it('regression: the least recently used of very many team directories are dropped from memory', async () => {
  const teams = openTeams();
  for (let i = 0; i < 5_000; i += 500) {
    await Promise.all(Array.from({length: 500}, (_, n) => teams.get(workspaceOf(i + n), newDeadline())));
  }
  await teams.get(workspaceOf(0), newDeadline());
  await teams.get(workspaceOf(5_000), newDeadline());
  commands = [];
  await teams.get(workspaceOf(0), newDeadline());
  expect(commands).toEqual([]);
  await teams.get(workspaceOf(1), newDeadline());
  expect(commands).not.toEqual([]);
});

const suffixAt = (i: number) => asSuffix(String(i).padStart(16, '0'));

/**
 * Writes a team as a commit does, with a new version of the list. `isAnnounced`: whether the change is
 * announced to the directories.
 */
async function putTeam(
  workspace: Id<'workspace'>,
  i: number,
  team: {name: string; revision: number} | undefined,
  isAnnounced = true,
): Promise<void> {
  const {call} = test.store.connection;
  const keys = workspaceKeys(workspace);
  const suffix = suffixAt(i);
  if (team === undefined) {
    await call(newDeadline(), ['DEL', keys.record(suffix)]);
    await call(newDeadline(), ['ZREM', keys.list(lists.teams()), suffix]);
  } else {
    const at = '2026-11-23T09:00:00.000Z';
    const draft = {object: 'team', slug: `team-${i}`, name: team.name, questions_version: 0};
    const stamp = {
      id: asId(`team_0000000000${suffix}`),
      revision: team.revision,
      created_at: at,
      updated_at: at,
    };
    await call(newDeadline(), ['SET', keys.record(suffix), renderResource(draft, stamp)]);
    await call(newDeadline(), ['ZADD', keys.list(lists.teams()), String(i), suffix]);
  }
  const before = (await call<string | null>(newDeadline(), ['HGET', keys.head(), 'version:teams'])) ?? '';
  const after = randomUUID();
  await call(newDeadline(), ['HSET', keys.head(), 'version:teams', after]);
  if (!isAnnounced) return;
  await call(newDeadline(), ['LPUSH', keys.changes('teams'), `${before} ${after} ${suffix}`]);
  await call(newDeadline(), ['LTRIM', keys.changes('teams'), '0', '99']);
}

it('only the changed teams of a directory are read again, in one command', async () => {
  const workspace = workspaceOf(9_001);
  const teams = openTeams();
  for (let i = 0; i < 50; i += 1) await putTeam(workspace, i, {name: 'ä'.repeat(10), revision: 1});
  expect((await teams.fresh(workspace, newDeadline())).teams).toHaveLength(50);
  expect(read).toHaveLength(50);
  [read, commands] = [[], []];

  await putTeam(workspace, 7, {name: 'Changed', revision: 2});
  await putTeam(workspace, 50, {name: 'New', revision: 1});
  await putTeam(workspace, 3, undefined);
  const {teams: now, byReference} = await teams.fresh(workspace, newDeadline());
  expect({read, commands}).toEqual({read: [], commands: ['HGET', 'EVALSHA']});
  expect(now.map(({slug}) => slug)).toEqual(
    Array.from({length: 51}, (_, i) => `team-${i}`).filter((slug) => slug !== 'team-3'),
  );
  expect(now.find(({slug}) => slug === 'team-7')?.name).toBe('Changed');
  expect(now.find(({slug}) => slug === 'team-8')?.name).toBe('ä'.repeat(10));
  expect(byReference('team-3')).toBeUndefined();
});

it('a team directory is up to date after any number of changes, even if some were not announced', async () => {
  const workspace = workspaceOf(9_002);
  const [seen, fresh] = [openTeams(), () => openTeams().fresh(workspace, newDeadline())];
  const change = fc.record({
    i: fc.nat({max: 12}),
    stays: fc.nat({max: 3}),
    isAnnounced: fc.nat({max: 5}),
    often: fc.constantFrom(1, 1, 1, 2, 110),
    looks: fc.boolean(),
  });
  let revision = 0;
  for (const {i, stays, isAnnounced, often, looks} of fc.sample(change, 40)) {
    for (let n = 0; n < often; n += 1) {
      const team = stays === 0 ? undefined : {name: `Name ${n}`, revision: (revision += 1)};
      await putTeam(workspace, i + (n % 3), team, isAnnounced > 0);
    }
    if (!looks) continue;
    const [found, whole] = [await seen.fresh(workspace, newDeadline()), await fresh()];
    expect({version: found.version, teams: found.teams, positions: found.positions}).toEqual({
      version: whole.version,
      teams: whole.teams,
      positions: whole.positions,
    });
  }
});

it('regression: team directories in memory have a limit in bytes, and the most recently used ones stay', async () => {
  const teams = openTeams(20_000);
  for (let i = 0; i < 5; i += 1) {
    await putTeam(workspaceOf(9_100 + i), 0, {name: 'x'.repeat(5_000), revision: 1});
    await teams.get(workspaceOf(9_100 + i), newDeadline());
  }
  read = [];
  for (const i of [4, 3, 2]) await teams.get(workspaceOf(9_100 + i), newDeadline());
  expect(read).toEqual([]);
  await teams.get(workspaceOf(9_100), newDeadline());
  expect(read).toHaveLength(1);
});
