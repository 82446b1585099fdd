import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {loadavg} from 'node:os';
import path from 'node:path';
import {stripVTControlCharacters} from 'node:util';
import {say} from '../console.mjs';
import {cacheFolder, root} from '../paths.mjs';

/**
 * The largest number of failed files to run again. More failures have a common cause, so a second run is
 * useless.
 */
const mostFiles = 5;

/**
 * Runs each failed test file once more, alone. A file that passes then is reported as FLAKY and added to
 * `list`. In CI it counts as passed, so that an unrelated test blocks no change. Elsewhere the run stays red,
 * since a flaky test shows a defect of the test or of the product.
 * `runAlone(file)` resolves to the counts of its run.
 */
export async function rerunFailedFiles(
  total,
  runAlone,
  {env = process.env, list = path.join(cacheFolder, 'flaky.json')} = {},
) {
  const files = [...new Set(total.failures.map(({file}) => file))];
  // A failure without a file name is from a static step, which does not run again.
  if (files.length > mostFiles || files.includes(undefined)) return;
  for (const file of files) {
    say(`Once more, alone: ${file}`);
    const again = await runAlone(file);
    if (again.failed > 0) continue;
    const failures = total.failures.filter((failure) => failure.file === file);
    recordFlakyFile(list, file, failures);
    if (env.CI !== 'true') continue;
    total.failures = total.failures.filter((failure) => failure.file !== file);
    total.failed -= failures.length;
    total.passed += failures.length;
  }
}

function recordFlakyFile(list, file, failures) {
  say(`FLAKY ${file}: failed among the others, passed alone`);
  for (const {name, message} of failures) say(`  ${name}\n${stripVTControlCharacters(message)}`);
  const {stdout} = spawnSync('git', ['rev-parse', 'HEAD'], {cwd: root, encoding: 'utf8'});
  const before = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  const now = failures.map(({name, message}) => ({
    test: name,
    at: new Date().toISOString(),
    commit: stdout.trim(),
    node: process.version,
    load: loadavg()[0],
    message: stripVTControlCharacters(message),
  }));
  mkdirSync(path.dirname(list), {recursive: true});
  writeFileSync(list, `${JSON.stringify([...before, ...now], null, 2)}\n`);
}
