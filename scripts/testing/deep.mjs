import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {StopError, say} from '../console.mjs';
import {listFiles} from '../files.mjs';
import {cacheFolder, root} from '../paths.mjs';
import {rerunFailedFiles} from './flaky.mjs';
import {listTestsThatReach, readSources} from './imports.mjs';
import {runJest} from './jest.mjs';
import {createTotal, sayWhatIsSlow} from './total.mjs';

/** Page tests that measure time. The other deep tests of pages only check more details. */
const measured = /^test\/web\/(?:budget|insights-quarter|today|webhook-outage)\./;

/**
 * Runs the deep tests. Test files that measure time run one by one. Files that use TEST_DEEP
 * (test/support/deep.ts) follow in groups. With `--budget 15m`, no file starts after that time. The remaining
 * files are printed, and run first the next time.
 */
export async function runDeep(total, pattern, args, bins) {
  const budgetMs = readBudget(args);
  const startedAt = Date.now();
  const env = {...bins, TEST_DEEP: '1'};
  const isDeep = new RegExp(pattern);
  const isAlone = (file) => isDeep.test(file) && (!file.startsWith('test/web/') || measured.test(file));
  const groups = putLeftFirst([...listAlone(isAlone).map((file) => [file]), ...groupDeepFiles(isAlone)]);
  while (groups.length > 0 && Date.now() - startedAt < budgetMs) {
    const files = groups.shift();
    const workers = files.length === 1 ? '--runInBand' : '--maxWorkers=3';
    await runJest(total, [workers, '--runTestsByPath', ...files], env);
  }
  await rerunFailedFiles(total, async (file) => {
    const again = createTotal();
    await runJest(again, ['--runInBand', '--runTestsByPath', file], env);
    return again;
  });
  const left = groups.flat();
  if (left.length > 0) say(`Not begun within the budget, first the next time: ${left.join(', ')}`);
  writeFileSync(leftFile, JSON.stringify(left));
  sayWhatIsSlow(total);
}

function listAlone(isAlone) {
  return listFiles(path.join(root, 'test'))
    .map((file) => path.relative(root, file))
    .filter(isAlone)
    .toSorted();
}

/**
 * Lists test files that import test/support/deep.ts directly or indirectly, in groups for one run of Jest
 * each.
 */
function groupDeepFiles(isAlone) {
  const found = listTestsThatReach(['test/support/deep.ts'], readSources());
  const files = found.filter((file) => !isAlone(file));
  return Array.from({length: Math.ceil(files.length / groupSize)}, (_, at) =>
    files.slice(at * groupSize, (at + 1) * groupSize),
  );
}

/** The size of a group of test files. It is small, because the time budget is only checked between groups. */
const groupSize = 6;
const leftFile = path.join(cacheFolder, 'deep.json');

/**
 * Puts the groups that the last run did not reach first. Without such groups, the commit hash decides the
 * first.
 */
function putLeftFirst(groups) {
  if (!existsSync(leftFile)) {
    const {stdout} = spawnSync('git', ['rev-parse', 'HEAD'], {cwd: root, encoding: 'utf8'});
    const start = Number.parseInt(stdout.slice(0, 8), 16) % groups.length;
    return [...groups.slice(start), ...groups.slice(0, start)];
  }
  const left = JSON.parse(readFileSync(leftFile, 'utf8'));
  const wasNotReached = (files) => files.some((file) => left.includes(file));
  return [...groups.filter(wasNotReached), ...groups.filter((files) => !wasNotReached(files))];
}

function readBudget([flag, value]) {
  if (flag === undefined) return Number.POSITIVE_INFINITY;
  const [, minutes] = /^(\d+)m$/.exec(value ?? '') ?? [];
  if (flag !== '--budget' || minutes === undefined)
    throw new StopError('Usage: npm run test:deep [-- --budget 15m]');
  return Number(minutes) * 60_000;
}
