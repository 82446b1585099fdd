import {spawn} from 'node:child_process';
import path from 'node:path';
import {runLauncher, StopError} from './console.mjs';
import {root} from './paths.mjs';

/** `npm run faults -- --rounds N`: the fault suite alone, with N times 20 kills of the service and of Redis (N: 10), and its counts. */
await runLauncher(async () => {
  const args = process.argv.slice(2);
  const rounds = args.length === 0 ? 10 : Number(args[0] === '--rounds' ? args[1] : Number.NaN);
  if (!Number.isInteger(rounds) || rounds < 1) throw new StopError('Usage: npm run faults -- --rounds N');
  const env = {...process.env, FAULT_ROUNDS: String(rounds)};
  // One file at a time: the promises are about time too.
  const child = spawn(
    process.execPath,
    [path.join(root, 'scripts', 'test.mjs'), '--runInBand', 'test/faults'],
    {
      cwd: root,
      env,
      stdio: 'inherit',
    },
  );
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});
