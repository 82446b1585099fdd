import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {existsSync} from 'node:fs';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {type Failure, rerunFailedFiles, type Total} from '../../scripts/testing/flaky.mjs';

let folder: string;
let list: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-flaky-'));
  list = path.join(folder, 'cache/flaky.json');
});
afterEach(() => rm(folder, {recursive: true, force: true}));

const failed = (...files: string[]): Failure[] =>
  files.map((file) => ({file, name: `${file}: does it`, message: 'Error: no'}));

function totalOf(failures: Failure[]): Total {
  return {passed: 10, failed: failures.length, skipped: 0, files: [], failures};
}

/** Records the files that run again, each of which fails as often as `fails` says. */
function runner(fails: Readonly<Record<string, number>> = {}) {
  const ran: string[] = [];
  return {
    ran,
    runAlone: async (file: string) => {
      ran.push(file);
      return {failed: fails[file] ?? 0};
    },
  };
}

it('a test that fails among the others and passes alone counts as passed in CI, and is recorded as flaky', async () => {
  const total = totalOf(failed('test/a.test.ts', 'test/b.test.ts', 'test/a.test.ts'));
  const {ran, runAlone} = runner({'test/b.test.ts': 1});
  await rerunFailedFiles(total, runAlone, {env: {CI: 'true'}, list});
  expect(ran).toEqual(['test/a.test.ts', 'test/b.test.ts']);
  expect(total).toMatchObject({passed: 12, failed: 1, failures: failed('test/b.test.ts')});
  expect(JSON.parse(await readFile(list, 'utf8'))).toEqual([
    expect.objectContaining({test: 'test/a.test.ts: does it', message: 'Error: no', node: process.version}),
    expect.objectContaining({test: 'test/a.test.ts: does it'}),
  ]);
});

it('a flaky test still fails a developer’s run', async () => {
  const total = totalOf(failed('test/a.test.ts'));
  await rerunFailedFiles(total, runner().runAlone, {env: {}, list});
  await rerunFailedFiles(total, runner().runAlone, {env: {}, list});
  expect(total).toMatchObject({passed: 10, failed: 1});
  expect(JSON.parse(await readFile(list, 'utf8'))).toHaveLength(2);
});

it.each([
  ['six files failed', failed(...'abcdef')],
  ['a static step failed', [...failed('test/a.test.ts'), {name: 'lint', message: 'exit code 1'}]],
  ['nothing failed', []],
])('no test runs again when %s', async (_, failures) => {
  const total = totalOf(failures);
  const {ran, runAlone} = runner();
  await rerunFailedFiles(total, runAlone, {env: {CI: 'true'}, list});
  expect(ran).toEqual([]);
  expect([total.failed, existsSync(list)]).toEqual([failures.length, false]);
});
