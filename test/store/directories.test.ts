import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {lists} from '../../src/domain/lists.js';
import {renderResource} from '../../src/domain/resource.js';
import type {Connection} from '../../src/store/connection.js';
import {createTeams} from '../../src/store/directories.js';
import {workspaceKeys} from '../../src/store/keys.js';
import {openTestStore, soon, type TestStore} from './open-test-store.js';

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
  return createTeams({call, run: connection.run}, maxBytes);
}

const workspaceOf = (i: number) => `ws_${String(i).padStart(26, '0')}`;

it('regression: what many want at once is read once', async () => {
  const teams = openTeams();
  const found = await Promise.all(Array.from({length: 50}, () => teams.fresh(workspaceOf(0), soon())));
  expect(commands.filter((name) => name === 'ZRANGE')).toHaveLength(1);
  expect(new Set(found).size).toBe(1);
});

it('regression: of very many workspaces those of last use are kept', async () => {
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

/** A team as a commit leaves it, and a new version of the collection. */
async function putTeam(workspace: string, i: number, team: {name: string; revision: number}): Promise<void> {
  const {call} = test.store.connection;
  const keys = workspaceKeys(workspace);
  const drawn = String(i).padStart(16, '0');
  const at = '2026-11-23T09:00:00.000Z';
  const draft = {object: 'team', slug: `team-${i}`, name: team.name, questions_version: 0};
  const stamp = {id: `team_0000000000${drawn}`, revision: team.revision, created_at: at, updated_at: at};
  await call(soon(), ['SET', keys.record(drawn), renderResource(draft, stamp)]);
  await call(soon(), ['ZADD', keys.list(lists.teams()), String(i), drawn]);
  await call(soon(), ['HSET', keys.head(), 'version:teams', `${i} ${team.name} ${team.revision}`]);
}

it('regression: of many large teams only the one that has changed is read again', async () => {
  const workspace = workspaceOf(9_001);
  const teams = openTeams();
  for (let i = 0; i < 50; i += 1) await putTeam(workspace, i, {name: 'ä'.repeat(10), revision: 1});
  expect((await teams.fresh(workspace, soon())).teams).toHaveLength(50);
  expect(read).toHaveLength(50);
  read = [];

  await putTeam(workspace, 7, {name: 'Changed', revision: 2});
  await putTeam(workspace, 50, {name: 'New', revision: 1});
  const keys = workspaceKeys(workspace);
  await test.store.connection.call(soon(), ['ZREM', keys.list(lists.teams()), '3'.padStart(16, '0')]);
  const {teams: now} = await teams.fresh(workspace, soon());
  expect(read.map((key) => Number(key.slice(-16)))).toEqual([7, 50]);
  expect(now.map(({slug}) => slug)).toEqual(
    Array.from({length: 51}, (_, i) => `team-${i}`).filter((slug) => slug !== 'team-3'),
  );
  expect(now.find(({slug}) => slug === 'team-7')?.name).toBe('Changed');
  expect(now.find(({slug}) => slug === 'team-8')?.name).toBe('ä'.repeat(10));
});

it('regression: what is kept has a bound in bytes, and those of last use are kept', async () => {
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
