#!/usr/bin/env node
import {type ChildProcess, spawn, type StdioOptions} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {homedir, hostname} from 'node:os';
import {readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {Writable} from 'node:stream';
import {text} from 'node:stream/consumers';
import {setTimeout as sleep} from 'node:timers/promises';
import {styleText} from 'node:util';
import {exitCodes} from './errors.js';
import type {RunOptions, RunResult} from './outside.js';
import {runStandup} from './run.js';

// The reader of a pipe may close it early, as `head` does. The rest of the output is then dropped.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = exitCodes.refused;
  });
}
// Windows would look for git in the folder first, which may be someone else's repository.
process.env['NoDefaultCurrentDirectoryInExePath'] = '1';

/** While an editor has the terminal, Ctrl-C is for the editor. */
let hasEditor = false;
let saidIfInterrupted = '';
process.on('SIGINT', () => {
  if (hasEditor) return;
  if (saidIfInterrupted !== '') process.stderr.write(`\n${saidIfInterrupted}\n`);
  process.exit(exitCodes.interrupted);
});

process.exitCode = await runStandup({
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  hostname: hostname(),
  version: readVersion(),
  uid: process.getuid?.(),
  isInteractive: process.stdin.isTTY && process.stdout.isTTY,
  print: (said) => void process.stdout.write(said),
  warn: (said) => void process.stderr.write(said),
  readInput: async () => (process.stdin.isTTY ? undefined : text(process.stdin)),
  readLines: () => createInterface({input: process.stdin, crlfDelay: Infinity}),
  ask,
  showProgress(said) {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${said.slice(0, process.stderr.columns - 1)}`);
  },
  sayIfInterrupted: (said) => void (saidIfInterrupted = said),
  emphasize: (said, how) => styleText(how, said, {stream: process.stdout}),
  send: (request) => fetch(request),
  now: Date.now,
  createId: randomUUID,
  sleep: async (ms) => sleep(ms),
  run: runProgram,
});

/** The version is that of the package, whose file is beside this one. */
function readVersion(): string {
  const described: unknown = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
  return (described as {version: string}).version;
}

/** Asks on stderr, so that stdout has only results. */
function ask(question: string, {isSecret = false} = {}): Promise<string> {
  const hidden = new Writable({write: (_chunk, _encoding, done) => done()});
  const output = isSecret ? hidden : process.stderr;
  if (isSecret) process.stderr.write(question);
  const lines = createInterface({input: process.stdin, output, terminal: true});
  return new Promise((resolve) => {
    lines.once('SIGINT', () => process.emit('SIGINT'));
    lines.once('close', () => {
      if (isSecret) process.stderr.write('\n');
      resolve('');
    });
    lines.question(isSecret ? '' : question, (answer) => {
      resolve(answer.trim());
      lines.close();
    });
  });
}

/** Runs a program without a shell. */
function runProgram(program: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  const {cwd, env = process.env, inTerminal = false, inBackground = false} = options;
  return new Promise((resolve) => {
    const stdio: StdioOptions = inTerminal
      ? 'inherit'
      : inBackground
        ? 'ignore'
        : ['ignore', 'pipe', 'ignore'];
    const child: ChildProcess = spawn(program, args, {cwd, env, stdio, detached: inBackground});
    hasEditor = inTerminal;
    let stdout = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.once('error', () => resolve({code: 127, stdout}));
    child.once('close', (code) => {
      hasEditor = false;
      resolve({code: code ?? 128, stdout});
    });
    if (!inBackground) return;
    child.unref();
    child.once('spawn', () => resolve({code: 0, stdout}));
  });
}
