import {spawn} from 'node:child_process';
import {availableParallelism} from 'node:os';
import {ensureApiClient} from './api-client.mjs';
import {ensureBrowser} from './browser.mjs';
import {ensureWebBuilt} from './compile-web.mjs';
import {ensureBuild, ensureModules} from './compile.mjs';
import {StopError, runLauncher, say} from './console.mjs';
import {ensureGenerated} from './generated.mjs';
import {ensurePackages} from './packages.mjs';
import {ensureRedisServer} from './redis-server.mjs';
import {chooseTests, listChanged} from './testing/changed.mjs';
import {runDeep} from './testing/deep.mjs';
import {rerunFailedFiles} from './testing/flaky.mjs';
import {readSources} from './testing/imports.mjs';
import {runJest} from './testing/jest.mjs';
import {runStaticSteps} from './testing/static-steps.mjs';
import {countStep, createTotal, sayTotal, sayWhatFailed, sayWhatIsSlow} from './testing/total.mjs';

/** Tests that compare times and need the whole machine. `npm run test:deep` runs them. */
const deep = '\\.deep\\.test\\.ts$';
/**
 * Tests of generated API clients. They need Java, Maven or Go, and take minutes in a new clone. `npm run
 * clients -- --check` runs them.
 */
const costlyClients = '/test/clients/';
/** Tests that measure time, such as the return of Redis within a second. They run alone, after all others. */
const timed = ['test/faults/redis-away', 'test/scripts/redis-server'];

/**
 * The number of workers. It exceeds the number of cores, because a test file spends half of its time waiting.
 */
const workers = `--maxWorkers=${availableParallelism() + 2}`;

/** The smoke tests: one test file for each entry point. */
const smoke = [
  'api/openapi/examples',
  'bot/whole-service',
  'dashboard/shell',
  'cli/usage',
  'webhook/signature',
  'jobs/fan-out',
].map((name) => `test/${name}.test.ts`);
/** The tests of `--fast`, which need no browser and end within a minute. */
const fast = [
  ...['domain', 'calendar', 'config', 'rules/layers', 'service', 'web/plain'].map((name) => `test/${name}`),
  ...smoke,
];

const modes = {
  '--static': async (total) => {
    await countStep(total, 'api client', ensureApiClient);
    await runStaticSteps(total);
  },
  '--changed': runChanged,
  '--fast': async (total) => runJest(total, [workers, ...fast], await prepareTests(total)),
  '--deep': async (total, args) => runDeep(total, deep, args, await prepareTests(total)),
  '--repeat': repeatTests,
};

/**
 * `npm test`: runs all tests except the deep ones. `npm test -- FILE …`: runs those files; other arguments go
 * to Jest. `--static`: only checks without a running service. `--changed [REF]`: tests that uncommitted
 * changes, or changes since REF, may break. `--fast`: tests that end within a minute. `--deep`: tests that
 * take long or need the whole machine. `--repeat N [--busy]`: all tests N times, with a busy loop for each
 * core beside them. The last line is `N passed, N failed`; each static step counts as one test.
 */
await runLauncher(async () => {
  const args = process.argv.slice(2);
  const total = createTotal();
  await ensurePackages();
  const mode = modes[args[0]];
  if (mode !== undefined) await mode(total, args.slice(1));
  else if (args.length > 0) await runJest(total, args, await prepareTests(total));
  else await runAll(total);
  sayWhatFailed(total);
  sayTotal(total);
  process.exitCode = total.failed > 0 ? 1 : 0;
});

/**
 * Runs all static steps and tests. The static steps run beside the build and the first tests, to keep two
 * cores busy.
 */
async function runAll(total) {
  // The linter and the compiler need the generated files.
  await countStep(total, 'api client', ensureApiClient);
  const [bins] = await Promise.all([
    prepareTests(total).then(async (ready) => {
      const ignored = [deep, costlyClients, ...timed].flatMap((pattern) => [
        '--testPathIgnorePatterns',
        pattern,
      ]);
      await runJest(total, [workers, ...ignored], ready);
      return ready;
    }),
    runStaticSteps(total),
  ]);
  await runJest(total, ['--runInBand', ...timed], bins);
  await rerunFailedFiles(total, async (file) => {
    const again = createTotal();
    await runJest(again, ['--runInBand', file], bins);
    return again;
  });
  sayWhatIsSlow(total);
}

async function runChanged(total, [ref]) {
  await ensureGenerated();
  const {all, tests} = chooseTests(listChanged(ref), readSources());
  if (all) return runAll(total);
  const files = [...new Set([...tests, ...smoke])];
  say(`${tests.length} files for the change, and ${files.length - tests.length} to see that all still works`);
  await runJest(total, [workers, '--runTestsByPath', ...files], await prepareTests(total));
}

/**
 * Installs and builds everything the tests need before Jest starts, since Jest prints nothing during its
 * setup.
 */
async function prepareTests(total) {
  await Promise.all([
    countStep(total, 'build', () => Promise.all([ensureBuild(), ensureModules()])),
    countStep(total, 'dashboard', ensureWebBuilt),
  ]);
  return {REDIS_SERVER_BIN: await ensureRedisServer(), CHROMIUM_BIN: await ensureBrowser()};
}

async function repeatTests(total, [times, busy]) {
  if (!/^[1-9]\d*$/.test(times ?? '')) throw new StopError('Usage: npm test -- --repeat N [--busy]');
  const loops = busy === '--busy' ? availableParallelism() : 0;
  const busyLoops = Array.from({length: loops}, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], {stdio: 'ignore'}),
  );
  try {
    for (let round = 1; round <= Number(times); round++) {
      const own = createTotal();
      await runAll(own);
      say(`Round ${round} of ${times}: ${own.passed} passed, ${own.failed} failed`);
      for (const name of ['passed', 'failed', 'skipped']) total[name] += own[name];
      total.failures.push(...own.failures);
    }
  } finally {
    for (const loop of busyLoops) loop.kill();
  }
}
