import {randomUUID} from 'node:crypto';
import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {lists} from '../../../src/domain/core/lists.js';
import {renderResource} from '../../../src/domain/core/resource.js';
import type {Connection} from '../../../src/store/core/connection.js';
import {createTeams} from '../../../src/store/core/directories.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {openTestStore, soon, type TestStore} from '../open-test-store.js';
import {asId, asSuffix} from '../../support/ids.js';
import type {Id} from '../../../src/domain/core/ids.js';

let test: TestStore;
let commands: string[];
/** Records that were read whole. */
let read: string[];

beforeAll(async () => {
  test = await openTestStore();
});

afterAll(() => test.store.close());

beforeEach(() => {
  commands = [];
  read = [];
});

/** As the store has them, with what they ask for written down. */
function openTeams(maxBytes?: number) {
  const {connection} = test.store;
  const call = ((deadline: number, args: readonly string[]) => {
    commands.push(args[0] ?? '');
    if (args[0] === 'MGET') read.push(...args.slice(1));
    return connection.call(deadline, args);
  }) as Connection['call'];
  const run: Connection['run'] = (...args) => {
    commands.push('EVALSHA');
    return connection.run(...args);
  };
  return createTeams({call, run}, maxBytes);
}

const workspaceOf = (i: number) => asId<'workspace'>(`ws_${String(i).padStart(26, '0')}`);

it('regression: a directory that many callers want at once is read once', async () => {
  const teams = openTeams();
  const found = await Promise.all(Array.from({length: 50}, () => teams.fresh(workspaceOf(0), soon())));
  expect(commands.filter((name) => name === 'ZRANGE')).toHaveLength(1);
  expect(new Set(found).size).toBe(1);
});

it('regression: the directories of very many workspaces stay in memory in order of last use', async () => {
  const teams = openTeams();
  for (let i = 0; i < 5_000; i += 500) {
    await Promise.all(Array.from({length: 500}, (_, n) => teams.get(workspaceOf(i + n), soon())));
  }
  await teams.get(workspaceOf(0), soon());
  await teams.get(workspaceOf(5_000), soon());
  commands = [];
  await teams.get(workspaceOf(0), soon());
  expect(commands).toEqual([]);
  await teams.get(workspaceOf(1), soon());
  expect(commands).not.toEqual([]);
});

const drawnOf = (i: number) => asSuffix(String(i).padStart(16, '0'));

/** A team as a commit leaves it, with a new version of the collection, of which all are told, or none. */
async function putTeam(
  workspace: Id<'workspace'>,
  i: number,
  team: {name: string; revision: number} | undefined,
  isTold = true,
): Promise<void> {
  const {call} = test.store.connection;
  const keys = workspaceKeys(workspace);
  const drawn = drawnOf(i);
  if (team === undefined) {
    await call(soon(), ['DEL', keys.record(drawn)]);
    await call(soon(), ['ZREM', keys.list(lists.teams()), drawn]);
  } else {
    const at = '2026-11-23T09:00:00.000Z';
    const draft = {object: 'team', slug: `team-${i}`, name: team.name, questions_version: 0};
    const stamp = {
      id: asId(`team_0000000000${drawn}`),
      revision: team.revision,
      created_at: at,
      updated_at: at,
    };
    await call(soon(), ['SET', keys.record(drawn), renderResource(draft, stamp)]);
    await call(soon(), ['ZADD', keys.list(lists.teams()), String(i), drawn]);
  }
  const before = (await call<string | null>(soon(), ['HGET', keys.head(), 'version:teams'])) ?? '';
  const after = randomUUID();
  await call(soon(), ['HSET', keys.head(), 'version:teams', after]);
  if (!isTold) return;
  await call(soon(), ['LPUSH', keys.changes('teams'), `${before} ${after} ${drawn}`]);
  await call(soon(), ['LTRIM', keys.changes('teams'), '0', '99']);
}

it('only changed teams of many large ones are read again, in one command', async () => {
  const workspace = workspaceOf(9_001);
  const teams = openTeams();
  for (let i = 0; i < 50; i += 1) await putTeam(workspace, i, {name: 'ä'.repeat(10), revision: 1});
  expect((await teams.fresh(workspace, soon())).teams).toHaveLength(50);
  expect(read).toHaveLength(50);
  [read, commands] = [[], []];

  await putTeam(workspace, 7, {name: 'Changed', revision: 2});
  await putTeam(workspace, 50, {name: 'New', revision: 1});
  await putTeam(workspace, 3, undefined);
  const {teams: now, byReference} = await teams.fresh(workspace, soon());
  expect({read, commands}).toEqual({read: [], commands: ['HGET', 'EVALSHA']});
  expect(now.map(({slug}) => slug)).toEqual(
    Array.from({length: 51}, (_, i) => `team-${i}`).filter((slug) => slug !== 'team-3'),
  );
  expect(now.find(({slug}) => slug === 'team-7')?.name).toBe('Changed');
  expect(now.find(({slug}) => slug === 'team-8')?.name).toBe('ä'.repeat(10));
  expect(byReference('team-3')).toBeUndefined();
});

it('a directory is up to date after any number of changes, with or without a notice of each', async () => {
  const workspace = workspaceOf(9_002);
  const [seen, anew] = [openTeams(), () => openTeams().fresh(workspace, soon())];
  const change = fc.record({
    i: fc.nat({max: 12}),
    stays: fc.nat({max: 3}),
    isTold: fc.nat({max: 5}),
    often: fc.constantFrom(1, 1, 1, 2, 110),
    looks: fc.boolean(),
  });
  let revision = 0;
  for (const {i, stays, isTold, often, looks} of fc.sample(change, 40)) {
    for (let n = 0; n < often; n += 1) {
      const team = stays === 0 ? undefined : {name: `Name ${n}`, revision: (revision += 1)};
      await putTeam(workspace, i + (n % 3), team, isTold > 0);
    }
    if (!looks) continue;
    const [found, whole] = [await seen.fresh(workspace, soon()), await anew()];
    expect({version: found.version, teams: found.teams, places: found.places}).toEqual({
      version: whole.version,
      teams: whole.teams,
      places: whole.places,
    });
  }
});

it('regression: directories in memory have a bound in bytes, and those used last stay', async () => {
  const teams = openTeams(20_000);
  for (let i = 0; i < 5; i += 1) {
    await putTeam(workspaceOf(9_100 + i), 0, {name: 'x'.repeat(5_000), revision: 1});
    await teams.get(workspaceOf(9_100 + i), soon());
  }
  read = [];
  for (const i of [4, 3, 2]) await teams.get(workspaceOf(9_100 + i), soon());
  expect(read).toEqual([]);
  await teams.get(workspaceOf(9_100), soon());
  expect(read).toHaveLength(1);
});
