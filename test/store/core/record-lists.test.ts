import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {
  composeId,
  type Id,
  type IdKind,
  type IdSuffix,
  suffixFromBytes,
} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import {createRecordLists} from '../../../src/store/core/record-lists.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {deep} from '../../support/deep.js';
import {type Chance, createChance} from '../../support/seeded-random.js';
import {newDeadline, openTestStore, type TestStore} from '../open-test-store.js';

let test: TestStore;
let opened = 0;

beforeAll(async () => {
  test = await openTestStore();
});
afterAll(async () => {
  await sendToRedis(test.url, [['FLUSHDB']]);
  await test.store.close();
});

interface Entry {
  readonly suffix: IdSuffix<'standup'>;
  readonly position: number;
  readonly team: number;
}

const suffixNumber = <K extends IdKind>(n: number): IdSuffix<K> => {
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(6, n);
  return suffixFromBytes(bytes);
};

/** Several lists of standups in an own workspace. Each entry is in one of them, at a position of its own. */
function createStage(chance: Chance, count: number) {
  opened += 1;
  const workspace: Id<'workspace'> = composeId('workspace', opened, suffixNumber(opened));
  const teams = Array.from({length: count}, (_, n) => composeId('team', n, suffixNumber(1_000_000 + n)));
  const keys = workspaceKeys(workspace);
  const entries: Entry[] = [];
  let made = 0;
  const listOf = (team: number) => keys.list(lists.standupsOfTeam(teams[team] ?? ('' as Id<'team'>)));
  return {
    workspace,
    lists: teams.map(lists.standupsOfTeam),
    entries,
    async add(n: number): Promise<void> {
      const added = Array.from({length: n}, (): Entry => {
        made += 1;
        // Positions near 2^53, as those of real days: no two are equal.
        const position = 2 ** 52 + chance.between(0, 60) * 2 ** 38 + made;
        return {suffix: suffixNumber(made), position, team: chance.between(0, count - 1)};
      });
      entries.push(...added);
      if (added.length === 0) return;
      await sendToRedis(
        test.url,
        added.flatMap(({suffix, position, team}) => [
          ['SET', keys.record(suffix), `{"id":"${suffix}"}`],
          ['ZADD', listOf(team), String(position), suffix],
        ]),
      );
    },
    async remove(at: number): Promise<void> {
      const [gone] = entries.splice(at, 1);
      if (gone !== undefined)
        await sendToRedis(test.url, [
          ['DEL', keys.record(gone.suffix)],
          ['ZREM', listOf(gone.team), gone.suffix],
        ]);
    },
  };
}

type Stage = ReturnType<typeof createStage>;

async function walk(
  stage: Stage,
  range: {readonly limit: number; readonly upward: boolean; readonly from?: number; readonly to?: number},
  afterPage: () => Promise<void> = () => Promise.resolve(),
): Promise<number[]> {
  const {list} = createRecordLists(test.store.connection);
  const seen: number[] = [];
  let past: number | undefined;
  do {
    const page = await list(stage.workspace, {...range, list: stage.lists, past}, newDeadline());
    expect(page.rows.length).toBeLessThanOrEqual(range.limit);
    seen.push(...page.rows.map(({position}) => position));
    past = page.next;
    await afterPage();
  } while (past !== undefined);
  return seen;
}

const inOrder = (upward: boolean, entries: readonly {readonly position: number}[]) =>
  entries.map(({position}) => position).toSorted((a, b) => (upward ? a - b : b - a));

describe.each([1, 2, 3, 10])('the pages of %d lists together', (count) => {
  const sizes = deep ? [0, 1, 7, 100, 1_000] : [0, 1, 7, 100];

  it.each([true, false])(
    'equal the sorted union, in ascending order (%s), for every size of a page',
    async (upward) => {
      const chance = createChance(count);
      for (const size of sizes) {
        const stage = createStage(chance, count);
        await stage.add(size);
        for (const limit of [1, 2, 7, 100].slice(size > 100 ? 2 : 0)) {
          const all = inOrder(upward, stage.entries);
          expect(await walk(stage, {limit, upward})).toEqual(all);
          const [from, to] = [all[chance.between(0, size)] ?? 0, all[chance.between(0, size)] ?? 2 ** 53 - 1];
          const part = all.filter((position) => position >= from && position < to);
          expect(await walk(stage, {limit, upward, from, to})).toEqual(part);
        }
      }
    },
  );

  it.each([true, false])(
    'have each entry that stays once, in ascending order (%s), while entries come and go',
    async (upward) => {
      const chance = createChance(100 + count);
      for (let round = 0; round < (deep ? 20 : 4); round += 1) {
        const stage = createStage(chance, count);
        await stage.add(60);
        const before = new Set(stage.entries.map(({position}) => position));
        const seen = await walk(stage, {limit: chance.between(1, 9), upward}, async () => {
          await stage.add(chance.between(0, 2));
          for (let n = chance.between(0, 2); n > 0; n -= 1)
            await stage.remove(chance.between(0, stage.entries.length - 1));
        });
        expect(seen).toEqual(
          inOrder(
            upward,
            seen.map((position) => ({position})),
          ),
        );
        expect(new Set(seen).size).toBe(seen.length);
        const stayed = stage.entries.filter(({position}) => before.has(position));
        expect(seen).toEqual(expect.arrayContaining(inOrder(upward, stayed)));
      }
    },
  );
});

it('several lists are read by one script, and all of its keys are named to Redis, as a cluster needs it', async () => {
  const stage = createStage(createChance(7), 3);
  await stage.add(9);
  const named: (readonly string[])[] = [];
  const {connection} = test.store;
  const {list} = createRecordLists({
    ...connection,
    run(deadline, script, keys, args) {
      named.push(keys);
      return connection.run(deadline, script, keys, args);
    },
  });
  const {rows} = await list(stage.workspace, {list: stage.lists, limit: 4}, newDeadline());
  expect(rows).toHaveLength(4);
  expect(named).toEqual([stage.lists.map(workspaceKeys(stage.workspace).list)]);
});
