// test/command/: the command `standup` for people, in this process or as its packed file.
// Not here: the command of the operator (test/cli).
import {execFile} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {Outside, RunResult} from '../../packages/cli/src/outside.js';
import {runStandup} from '../../packages/cli/src/run.js';

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** The text that is piped in; without it, stdin is a terminal. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Writes the file that an editor would save, from its text before. */
  readonly edit?: (before: string) => string;
  readonly now?: () => number;
  readonly send?: Outside['send'];
  /** By default no time passes. */
  readonly sleep?: Outside['sleep'];
  readonly isInteractive?: boolean;
  /** The answers to the questions of the command, in order. */
  readonly answers?: readonly string[];
}

/** A user's machine with an empty home. Each `run` is one command. */
export interface Machine {
  readonly home: string;
  /** The folder in which the command keeps its settings. */
  readonly config: string;
  readonly state: string;
  /** The programs that were started, apart from git. */
  readonly started: {program: string; args: readonly string[]}[];
  run(args: readonly string[], options?: RunOptions): Promise<Output>;
  remove(): void;
}

export function createMachine(): Machine {
  const home = mkdtempSync(path.join(tmpdir(), 'standup-home-'));
  const started: Machine['started'] = [];
  return {
    home,
    config: path.join(home, '.config', 'standup'),
    state: path.join(home, '.local', 'state', 'standup'),
    started,
    async run(args, options = {}) {
      const {input, env = {}, cwd = home, edit, now = Date.now, send = fetch, isInteractive} = options;
      const answers = [...(options.answers ?? [])];
      let stdout = '';
      let stderr = '';
      const code = await runStandup({
        args,
        env: {PATH: process.env['PATH'], ...env},
        cwd,
        home,
        hostname: 'lovelace',
        version: '1.2.3',
        uid: process.getuid?.(),
        isInteractive: isInteractive ?? (input === undefined && edit !== undefined),
        print: (text) => void (stdout += text),
        warn: (text) => void (stderr += text),
        readInput: async () => (edit === undefined ? (input ?? '') : undefined),
        async *readLines() {
          yield* (input ?? '').split('\n');
        },
        async ask(question) {
          stderr += `${question}\n`;
          return answers.shift() ?? '';
        },
        showProgress: () => undefined,
        sayIfInterrupted: () => undefined,
        emphasize: (text) => text,
        send: (request) => send(request),
        now,
        createId: randomUUID,
        sleep: options.sleep ?? (async () => undefined),
        async run(program, given, {cwd: folder, env: own, inTerminal = false}) {
          if (inTerminal && edit !== undefined) {
            const {readFileSync, writeFileSync} = await import('node:fs');
            const file = given.at(-1) ?? '';
            writeFileSync(file, edit(readFileSync(file, 'utf8')));
          }
          if (program === 'git') return execute(program, given, folder, own);
          started.push({program, args: given});
          return {code: 0, stdout: ''};
        },
      });
      return {code, stdout, stderr};
    },
    remove: () => rmSync(home, {recursive: true, force: true}),
  };
}

function execute(
  program: string,
  args: readonly string[],
  cwd: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<RunResult> {
  return new Promise((resolve) => {
    execFile(program, args, {cwd, env}, (error, stdout) => {
      const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 127;
      resolve({code, stdout});
    });
  });
}

/** Makes a repository with commits, each as the e-mail address of its author and its subject. */
export async function makeRepository(
  folder: string,
  email: string,
  commits: readonly (readonly [author: string, subject: string])[],
): Promise<void> {
  const {mkdirSync} = await import('node:fs');
  mkdirSync(folder, {recursive: true});
  const env = {PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1'};
  const git = (...args: string[]) => execute('git', args, folder, env);
  await git('init', '--quiet');
  await git('config', 'user.email', email);
  await git('config', 'user.name', 'Ada');
  for (const [author, subject] of commits) {
    await git('commit', '--quiet', '--allow-empty', `--author=Someone <${author}>`, '-m', subject);
  }
}
