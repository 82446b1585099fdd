import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {transformSync} from '@swc/core';
import {findNamedBlock} from '../support/document-blocks.js';
import {startProcess} from '../support/service-process.js';

export const page = 'docs/webhooks.md';

type ProgramCommand = readonly [command: string, ...args: string[]];

/** A program in docs/webhooks.md, and how to run it. */
export interface Example {
  readonly language: string;
  readonly file: string;
  /** The required commands, each with arguments that show that it works. */
  readonly needs: readonly string[];
  /** Extracts the program from the page and prepares it. Returns its command. */
  prepare(folder: string): Promise<ProgramCommand>;
}

const examples: readonly Example[] = [
  {
    language: 'TypeScript',
    file: 'receiver.ts',
    needs: [process.execPath, '--version'],
    async prepare(folder) {
      const source = findNamedBlock(page, 'receiver.ts');
      const {code} = transformSync(source, {jsc: {parser: {syntax: 'typescript'}, target: 'es2022'}});
      return [process.execPath, write(folder, 'receiver.mjs', code)];
    },
  },
  {
    language: 'Python',
    file: 'receiver.py',
    needs: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))'],
    prepare: async (folder) => ['python3', write(folder, 'receiver.py', findNamedBlock(page, 'receiver.py'))],
  },
  {
    language: 'Go',
    file: 'receiver.go',
    needs: ['go', 'version'],
    async prepare(folder) {
      const program = path.join(folder, 'receiver-go');
      const source = write(folder, 'receiver.go', findNamedBlock(page, 'receiver.go'));
      const build = startProcess('go', ['build', '-o', program, source], {env: goEnv()});
      if ((await build.exited).code !== 0) throw new Error(`receiver.go does not compile: ${build.stderr()}`);
      return [program];
    },
  },
  {
    language: 'Ruby',
    file: 'receiver.rb',
    needs: ['ruby', '-e', 'require "openssl"; OpenSSL.secure_compare("a", "a")'],
    prepare: async (folder) => [
      'ruby',
      '-W',
      write(folder, 'receiver.rb', findNamedBlock(page, 'receiver.rb')),
    ],
  },
];

/**
 * The examples that can run on this machine, always including TypeScript, and the languages that it lacks.
 */
export function examplesHere(): {readonly here: readonly Example[]; readonly absent: readonly string[]} {
  const here = examples.filter(({needs}) => works(needs));
  return {here, absent: examples.filter((one) => !here.includes(one)).map(({language}) => language)};
}

/** Whether a program is installed and works. */
export function works([command = '', ...args]: readonly string[]): boolean {
  return spawnSync(command, args, {stdio: 'ignore', input: ''}).status === 0;
}

export function write(folder: string, name: string, text: string): string {
  mkdirSync(folder, {recursive: true});
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Its cache outlives a run, because compiling net/http takes as long as all the rest. Nothing is fetched. */
function goEnv(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    GOCACHE: path.resolve('.cache/go-build'),
    GOPATH: path.resolve('.cache/go'),
    GOPROXY: 'off',
  };
}
