import {runCommand} from './run-command.js';

// A consumer may close the pipe early, as `head` does: the rest of the output is then dropped.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 1;
    if (stream === process.stdout) process.stderr.write(`The output cannot be written (${error.code}).\n`);
  });
}

const code = await runCommand({
  args: process.argv.slice(2),
  env: process.env,
  print: (text) => void process.stdout.write(text),
  warn: (text) => void process.stderr.write(text),
  untilStopped: waitForStopSignal,
  isAlive,
});
if (code !== 0) process.exitCode = code;

/** Signal 0 only tests; EPERM means a process of another user. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    // The listeners stay: npm sends a second Ctrl-C, which must not end the clean-up.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
    process.stdout.on('error', () => resolve());
  });
}
