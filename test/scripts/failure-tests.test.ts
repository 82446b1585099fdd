import {existsSync} from 'node:fs';
import {expect, it} from '@jest/globals';
import {kinds, listSkipped, suites} from '../../scripts/testing/failure-tests.mjs';
import {readSources} from '../../scripts/testing/imports.mjs';

/** The text of a test and of its helpers, without those that only count, which start no store. */
function readWhole(sources: ReadonlyMap<string, string>, file: string): string {
  const text = sources.get(file) ?? '';
  const helpers = [...text.matchAll(/from '\.\/([\w-]+)\.js'/g)].map(([, name]) => name ?? '');
  return [text, ...helpers.filter((name) => !/^(?:audit|load)$/.test(name)).map(readHelper)].join('\n');

  function readHelper(name: string): string {
    return sources.get(`test/faults/${name}.ts`) ?? '';
  }
}

it('each test of failures runs on the store that `--store` names, or is skipped there with a reason', () => {
  const sources = readSources(['test']);
  const all = [...sources.keys()].filter((file) => /^test\/faults\/[^/]+\.test\.ts$/.test(file));
  expect(all.length).toBeGreaterThan(20);
  const ignoring = all.filter((file) => !/startTestStore\(|FAULT_STORE/.test(readWhole(sources, file)));
  for (const kind of ['sentinel', 'cluster']) {
    const skipped = listSkipped({tests: 'test/faults'}, kind).map(({tests}) => tests);
    const left = ignoring.filter((file) => !skipped.includes(file));
    expect({kind, left}).toEqual({
      kind,
      left: kind === 'cluster' ? ['test/faults/reshard.deep.test.ts'] : [],
    });
  }
});

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
