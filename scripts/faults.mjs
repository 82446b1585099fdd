import {spawn} from 'node:child_process';
import path from 'node:path';
import {runLauncher, StopError} from './console.mjs';
import {root} from './paths.mjs';

/** Each suite: its test files, the variable that tells them the rounds, and how many when none are named. */
const suites = {
  all: {tests: 'test/faults', variable: 'FAULT_ROUNDS', rounds: 10},
  webhooks: {tests: 'test/faults/webhooks.test.ts', variable: 'WEBHOOK_FAULT_ROUNDS', rounds: 100},
  slack: {tests: 'test/faults/slack.test.ts', variable: 'SLACK_FAULT_ROUNDS', rounds: 50},
  memory: {
    tests: 'test/faults/memory-bound.test.ts',
    variable: 'MEMORY_DELIVERIES',
    option: '--deliveries',
    rounds: 100_000,
  },
};

const usage =
  'Usage: npm run faults -- [all|webhooks|slack] [--rounds N]\n       npm run faults -- memory [--deliveries N]';

/**
 * `npm run faults -- --rounds N`: the fault tests alone, with N times 20 kills of the service and of Redis (N: 10), and their counts.
 * `npm run faults -- webhooks --rounds N`: the crash suite of webhooks with N rounds (N: 100).
 * `npm run faults -- slack --rounds N`: N messages (N: 50) whose poster is killed five times each.
 * `npm run faults -- memory --deliveries N`: what N deliveries (N: 100000) leave in memory.
 */
await runLauncher(async () => {
  const args = process.argv.slice(2);
  const name = args[0] === undefined || args[0].startsWith('--') ? 'all' : args.shift();
  const suite = Object.hasOwn(suites, name) ? suites[name] : undefined;
  const option = suite?.option ?? '--rounds';
  const rounds = args.length === 0 ? suite?.rounds : Number(args[0] === option ? args[1] : Number.NaN);
  if (suite === undefined || !Number.isInteger(rounds) || rounds < 1) throw new StopError(usage);
  const env = {...process.env, [suite.variable]: String(rounds)};
  // One file at a time: the promises are about time too.
  const child = spawn(
    process.execPath,
    [path.join(root, 'scripts', 'test.mjs'), '--runInBand', suite.tests],
    {cwd: root, env, stdio: 'inherit'},
  );
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});
