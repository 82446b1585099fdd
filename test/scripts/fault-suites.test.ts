import {existsSync} from 'node:fs';
import {expect, it} from '@jest/globals';
import {kinds, listSkipped, suites} from '../../scripts/testing/fault-suites.mjs';
import {listTestsThatReach, readSources} from '../../scripts/testing/imports.mjs';

it('each test of failures runs on the store that `--store` names, or is skipped there with a reason', () => {
  const sources = readSources();
  const onAnyStore = new Set(listTestsThatReach(['test/support/test-store.ts'], sources));
  const all = [...sources.keys()].filter((file) => /^test\/faults\/[^/]+\.test\.ts$/.test(file));
  expect(all.length).toBeGreaterThan(20);
  for (const kind of kinds) {
    const skipped = listSkipped({tests: 'test/faults'}, kind).map(({tests}) => tests);
    const ignoring = all.filter(
      (file) =>
        !onAnyStore.has(file) && !sources.get(file)?.includes('FAULT_STORE') && !skipped.includes(file),
    );
    expect({kind, ignoring: ignoring.toSorted()}).toEqual({kind, ignoring: ownStores[kind] ?? []});
  }
});

/** Tests that start servers of the named kind themselves. */
const ownStores: Readonly<Record<string, string[]>> = {
  single: [
    'test/faults/first-copy.deep.test.ts',
    'test/faults/move-all.deep.test.ts',
    'test/faults/move.deep.test.ts',
    'test/faults/versions.deep.test.ts',
  ],
  cluster: ['test/faults/reshard.deep.test.ts'],
};

it('a suite of failures that makes no sense on a kind of store is skipped by name', () => {
  const list = (name: string, kind: string) =>
    listSkipped(suites[name] ?? {tests: ''}, kind).map(({tests}) => tests);
  expect(list('reshard', 'sentinel')).toEqual(['test/faults/reshard.deep.test.ts']);
  expect(list('reshard', 'cluster')).toEqual([]);
  expect(list('walk', 'cluster')).toEqual(['test/api/']);
  expect(list('store', 'cluster')).toEqual(['test/store']);
  for (const name of ['hostile', 'memory', 'bursts', 'slack', 'away', 'set-back', 'webhooks'])
    expect([name, ...kinds.flatMap((kind) => list(name, kind))]).toEqual([name]);
});

it('each suite of failures names test files that exist, and so does each reason to skip one', () => {
  const files = [...readSources().keys()];
  const named = [
    ...Object.values(suites).map(({tests}) => tests),
    ...listSkipped({tests: 'test'}, 'none').map(({tests}) => tests),
  ];
  expect(named.filter((name) => !existsSync(name) && !files.some((file) => file.startsWith(name)))).toEqual(
    [],
  );
});
