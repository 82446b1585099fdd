import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import type {Connection} from '../../src/store/connection.js';
import {createTeams} from '../../src/store/directories.js';
import {openTestStore, soon, type TestStore} from './open-test-store.js';

let test: TestStore;
let commands: string[];

beforeAll(async () => {
  test = await openTestStore();
});

afterAll(() => test.store.close());

beforeEach(() => {
  commands = [];
});

/** As the store has them, with what they ask for written down. */
function openTeams() {
  const {connection} = test.store;
  const call = ((deadline: number, args: readonly string[]) => {
    commands.push(args[0] ?? '');
    return connection.call(deadline, args);
  }) as Connection['call'];
  return createTeams({call});
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
