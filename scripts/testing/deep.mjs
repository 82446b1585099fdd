import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {StopError, say} from '../console.mjs';
import {listFiles} from '../files.mjs';
import {cacheFolder, root} from '../paths.mjs';
import {runJest} from './jest.mjs';
import {sayWhatIsSlow} from './total.mjs';

/**
 * Runs the deep tests, one file after the other: they measure time, and others running beside them would take
 * it. `--budget 15m`: no file starts later than that. The remaining ones are named, and come first the next
 * time.
 */
export async function runDeep(total, pattern, args, bins) {
  const budgetMs = readBudget(args);
  const startedAt = Date.now();
  const files = listFiles(path.join(root, 'test'))
    .map((file) => path.relative(root, file))
    .filter((file) => new RegExp(pattern).test(file))
    .toSorted();
  const left = leftFirst(files);
  while (left.length > 0 && Date.now() - startedAt < budgetMs) {
    await runJest(total, ['--runInBand', left.shift()], bins);
  }
  if (left.length > 0) say(`Not begun within the budget, first the next time: ${left.join(', ')}`);
  writeFileSync(leftFile, JSON.stringify(left));
  sayWhatIsSlow(total);
}

const leftFile = path.join(cacheFolder, 'deep.json');

function leftFirst(files) {
  const left = existsSync(leftFile) ? JSON.parse(readFileSync(leftFile, 'utf8')) : [];
  return [...files.filter((file) => left.includes(file)), ...files.filter((file) => !left.includes(file))];
}

function readBudget([flag, value]) {
  if (flag === undefined) return Number.POSITIVE_INFINITY;
  const [, minutes] = /^(\d+)m$/.exec(value ?? '') ?? [];
  if (flag !== '--budget' || minutes === undefined)
    throw new StopError('Usage: npm run test:deep [-- --budget 15m]');
  return Number(minutes) * 60_000;
}
