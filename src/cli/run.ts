import {createInterface} from 'node:readline/promises';
import {Writable} from 'node:stream';
import {runCommand} from './run-command.js';
import {CommandError} from './usage.js';

// The reader of a pipe may close it early, as `head` does. The rest of the output is then dropped.
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
  write: writeOut,
  askSecret,
  untilStopped: waitForStopSignal,
  isAlive,
});
if (code !== 0) process.exitCode = code;

function writeOut(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) reject(new CommandError(`The output cannot be written: ${error.message}.`));
      else resolve();
    });
  });
}

async function askSecret(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  process.stderr.write(question);
  const output = new Writable({write: (_chunk, _encoding, done) => done()});
  const terminal = createInterface({input: process.stdin, output, terminal: true});
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

/** Signal 0 only tests whether a process exists. EPERM means that it exists and belongs to another user. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    // The listeners stay, because npm sends Ctrl-C a second time, which must not interrupt the clean-up.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
    process.stdout.on('error', () => resolve());
  });
}
