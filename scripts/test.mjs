import {existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import {stripVTControlCharacters} from 'node:util';
import {ensureApiClient} from './api-client.mjs';
import {ensureBrowser} from './browser.mjs';
import {ensureWeb} from './compile-web.mjs';
import {ensureBuild, ensureModules} from './compile.mjs';
import {StopError, runLauncher, say} from './console.mjs';
import {ensurePackages} from './packages.mjs';
import {cacheFolder, root} from './paths.mjs';
import {ensureRedisServer} from './redis-server.mjs';
import {runCommand} from './run-command.mjs';

const nodeModules = path.join(root, 'node_modules');

/** What needs no running service: name, file below node_modules or scripts, arguments. */
const staticSteps = [
  ['format', path.join(nodeModules, '@biomejs/biome/bin/biome'), ['format', '--error-on-warnings', '.']],
  [
    'lint',
    path.join(nodeModules, 'oxlint/bin/oxlint'),
    ['--type-aware', '--deny-warnings', 'src', 'test', 'bench', 'demo', 'scripts', 'tools', 'web'],
  ],
  ['types', path.join(nodeModules, 'typescript/bin/tsc'), ['-p', 'tsconfig.json']],
  ['types of web', path.join(nodeModules, 'typescript/bin/tsc'), ['-p', 'web']],
  ['layers', path.join(root, 'scripts/check-layers.mjs'), []],
];

/**
 * Many files wait for timers and processes, and leave a core of two idle: three at once use both. Fault runs
 * come last: what they promise is about time too, and the other tests would take it from them. Much of their
 * time is waiting for processes to start, so two go on at once, but for those that compare times: they run
 * alone.
 */
const tight = [
  'test/faults/redis-away',
  'test/faults/slow-slack',
  'test/bot/latency',
  'test/e2e/start',
  'test/jobs/neighbours',
  'test/jobs/slow-slack',
  'test/scripts/redis-server',
];
/** Those whose generators need Java, Maven or Go: minutes from an empty clone. `npm run clients` runs them all. */
const costlyClients = ['/test/clients/(?!python-client)'];
const wholeSuite = [
  ['--maxWorkers=3', '--testPathIgnorePatterns', '/test/faults/', ...costlyClients, ...tight],
  ['test/faults', '--testPathIgnorePatterns', ...tight],
  ['--runInBand', ...tight],
];

/**
 * `npm test`: everything. `--static`: only what needs no running service. Other arguments go to Jest, which
 * then runs alone. Ends with one line `N passed, N failed`, in which each static step counts as one.
 */
await runLauncher(async () => {
  const args = process.argv.slice(2);
  const total = {passed: 0, failed: 0, skipped: 0, files: [], failures: []};
  await ensurePackages();
  if (args.length === 0 || args[0] === '--static') await runStaticSteps(total);
  if (args[0] !== '--static') {
    await countStep(total, 'build', () => Promise.all([ensureBuild(), ensureModules()]));
    await countStep(total, 'dashboard', ensureWeb);
    // Before Jest, which shows nothing while its set-up runs.
    const bins = {REDIS_SERVER_BIN: await ensureRedisServer(), CHROMIUM_BIN: await ensureBrowser()};
    for (const run of args.length === 0 ? wholeSuite : [args]) await runJest(total, run, bins);
  }
  if (args.length === 0) sayWhatIsSlow(total.files);
  sayWhatFailed(total.failures);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
  process.exitCode = total.failed > 0 ? 1 : 0;
});

async function runStaticSteps(total) {
  // Linter and compiler look into what is generated.
  await countStep(total, 'api client', ensureApiClient);
  for (const [name, program, args] of staticSteps) {
    await countStep(total, name, async () => {
      const code = await runCommand(process.execPath, [program, ...args], {cwd: root});
      if (code !== 0) throw new StopError(`exit code ${code}`);
    });
  }
}

async function countStep(total, name, run) {
  const startedAt = Date.now();
  try {
    await run();
    total.passed += 1;
    say(`✓ ${name} (${Date.now() - startedAt} ms)`);
  } catch (error) {
    if (!(error instanceof StopError)) throw error;
    total.failed += 1;
    total.failures.push({name, message: error.message});
    say(`✗ ${name}: ${error.message}`);
  }
}

/** Failed tests once more, at the end: who reads only the tail of a log learns what to mend. */
function sayWhatFailed(failures) {
  if (failures.length > 0) say('What failed:');
  for (const {name, message} of failures) {
    const lines = stripVTControlCharacters(message).split('\n').slice(0, 12);
    say([`✗ ${name}`, ...lines.map((line) => `    ${line}`)].join('\n'));
  }
}

/** The slowest files, and what each folder takes: the first to look at when the whole run is slow. */
function sayWhatIsSlow(files) {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 20);
  say('The slowest files:');
  for (const {name, seconds} of slowest) sayTime(seconds, name);
  const folders = new Map();
  for (const {name, seconds} of files) {
    const folder = name.split(path.sep)[1];
    folders.set(folder, (folders.get(folder) ?? 0) + seconds);
  }
  say('All files of a folder, one after the other:');
  for (const [folder, seconds] of [...folders].toSorted(([, a], [, b]) => b - a)) sayTime(seconds, folder);
}

function sayTime(seconds, name) {
  say(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}

async function runJest(total, args, bins) {
  const report = path.join(cacheFolder, `jest-${process.pid}.json`);
  mkdirSync(cacheFolder, {recursive: true});
  const jest = path.join(nodeModules, 'jest/bin/jest.js');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const code = await runCommand(
    process.execPath,
    [...flags, jest, '--json', `--outputFile=${report}`, ...args],
    {cwd: root, env: {...process.env, ...bins}},
  );
  const result = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
  rmSync(report, {force: true});
  const executed = (result?.numPassedTests ?? 0) + (result?.numFailedTests ?? 0);
  if (executed === 0) say('Jest executed no test.');
  total.passed += result?.numPassedTests ?? 0;
  total.failed += (result?.numFailedTests ?? 0) + (result?.numRuntimeErrorTestSuites ?? 0);
  total.skipped += (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0);
  for (const {name: file, startTime, endTime, message, assertionResults} of result?.testResults ?? []) {
    const name = path.relative(root, file);
    total.files.push({name, seconds: (endTime - startTime) / 1_000});
    const failed = assertionResults.filter(({status}) => status === 'failed');
    for (const {fullName, failureMessages} of failed) {
      total.failures.push({name: `${name}: ${fullName}`, message: failureMessages.join('\n')});
    }
    if (failed.length === 0 && message !== '') total.failures.push({name, message});
  }
  // Jest can fail without a failed test: a set-up that threw, a leaked worker, no test at all.
  if ((code !== 0 || executed === 0) && total.failed === 0) total.failed = 1;
}
