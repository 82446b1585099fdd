// test/cli/: the `standup` command as an operator runs it: a process of its own, its two streams and its exit code.
// Not here: what its commands do to the store (test/store, test/service).
import {spawn} from 'node:child_process';
import path from 'node:path';
import {testSecretKey} from '../store/open-test-store.js';

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `standup …` against a Redis. Only what is given is in its environment, besides PATH. */
export function runStandup(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = process.cwd(),
): Promise<Run> {
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

/** The cells of a printed table, without its headings. */
export function rowsOf(stdout: string): string[][] {
  const [, ...lines] = stdout.trimEnd().split('\n');
  return lines.map((line) => line.split(/ {2,}/));
}
