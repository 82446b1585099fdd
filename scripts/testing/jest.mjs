import {existsSync, mkdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import path from 'node:path';
import {say} from '../console.mjs';
import {cacheFolder, root} from '../paths.mjs';
import {runCommand} from '../run-command.mjs';

/** Jest may take this long to exit after it has written its report. */
const exitMs = 30_000;

/**
 * Runs Jest with `args`, and adds its counts to `total`. `bins` has environment variables with program paths.
 */
export async function runJest(total, args, bins) {
  const report = path.join(cacheFolder, `jest-${process.pid}.json`);
  mkdirSync(cacheFolder, {recursive: true});
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const overdue = new AbortController();
  const watch = setInterval(() => {
    if (!existsSync(report) || Date.now() - statSync(report).mtimeMs < exitMs) return;
    say('Jest was killed: its tests were finished, and something that a test started kept it running.');
    overdue.abort();
  }, 1_000);
  const code = await runCommand(
    process.execPath,
    [...flags, jest, '--json', `--outputFile=${report}`, ...args],
    {
      cwd: root,
      env: {...process.env, ...bins},
      signal: overdue.signal,
    },
  );
  clearInterval(watch);
  const result = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  rmSync(report, {force: true});
  addReport(total, result, code, args);
}

/** Adds the JSON report of a run to `total`. `code` is the exit code, `args` are the arguments of the run. */
export function addReport(total, result, code, args) {
  const {numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0, testResults = []} = result;
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  const skipped = (result.numPendingTests ?? 0) + (result.numTodoTests ?? 0);
  total.passed += numPassedTests;
  total.failed += failed;
  total.skipped += skipped;
  for (const file of testResults) addFile(total, file);
  // Jest can fail without a failed test: its setup threw, a worker did not end, or no test was found.
  if (failed > 0 || (code === 0 && numPassedTests + skipped > 0)) return;
  const message = code === 0 ? 'Jest found no test.' : `Jest ended with ${code}, but no test failed.`;
  total.failed += 1;
  total.failures.push({name: `jest ${args.join(' ')}`, message});
}

function addFile(total, {name, startTime, endTime, message, assertionResults}) {
  const file = path.relative(root, name);
  total.files.push({name: file, seconds: (endTime - startTime) / 1_000});
  const failed = assertionResults.filter(({status}) => status === 'failed');
  for (const {fullName, failureMessages} of failed) {
    total.failures.push({file, name: `${file}: ${fullName}`, message: failureMessages.join('\n')});
  }
  if (failed.length === 0 && message !== '') total.failures.push({file, name: file, message});
}
