// test/cli/: the `standup-admin` command for operators: its arguments, its two streams and its exit code.
// Not here: the effects of its commands on the store (test/store, test/service).
import {spawn} from 'node:child_process';
import path from 'node:path';
import {runCommand} from '../../src/cli/run-command.js';
import type {DataFormats} from '../../src/store/core/installation.js';
import {testSecretKey} from '../store/open-test-store.js';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running `standup-admin …` in this process. */
export interface RunningStandup {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with the exit code. */
  readonly exited: Promise<number>;
  /** Ends it like Ctrl-C, and waits for its end. */
  stop(): Promise<number>;
}

type Env = Readonly<Record<string, string>>;

/** Starts `standup-admin …` in this process. `env` is its whole environment. */
export function startStandup(args: readonly string[], env: Env, formats?: DataFormats): RunningStandup {
  let stdout = '';
  let stderr = '';
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const exited = runCommand({
    args,
    env: {SECRET_KEY: testSecretKey, ...env},
    print: (text) => void (stdout += text),
    warn: (text) => void (stderr += text),
    write: async (text) => void (stdout += text),
    askSecret: async () => undefined,
    untilStopped: () => stopped,
    isAlive,
    ...(formats && {formats}),
  });
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
    stop() {
      stop();
      return exited;
    },
  };
}

/**
 * Runs `standup-admin …` in this process against a Redis. `env` is its whole environment; `formats` are the data
 * formats of another version.
 */
export async function runStandup(
  args: readonly string[],
  env: Env,
  formats?: DataFormats,
): Promise<CommandResult> {
  const running = startStandup(args, env, formats);
  return {code: await running.exited, stdout: running.stdout(), stderr: running.stderr()};
}

/** Runs `standup-admin …` as a process. `env` and PATH are its whole environment. */
export function spawnStandup(args: readonly string[], env: Env, cwd = process.cwd()): Promise<CommandResult> {
  const main = path.resolve('dist/cli.js');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd,
      env: {PATH: process.env['PATH'], SECRET_KEY: testSecretKey, ...env},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({code, stdout, stderr}));
  });
}

/** Starts `standup-admin …` as a process that a test may kill with -9. `ended`: true if it ended well before. */
export function spawnKillable(args: readonly string[], env: Env) {
  const child = spawn(process.execPath, [path.resolve('dist/cli.js'), ...args], {
    env: {PATH: process.env['PATH'], SECRET_KEY: testSecretKey, ...env},
    stdio: 'ignore',
  });
  const ended = new Promise<boolean>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });
  return {kill: () => void child.kill('SIGKILL'), ended};
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The cells of a printed table, without its headings. */
export function rowsOf(stdout: string): string[][] {
  const [, ...lines] = stdout.trimEnd().split('\n');
  return lines.map((line) => line.split(/ {2,}/));
}
