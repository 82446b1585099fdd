import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {spawnSync} from 'node:child_process';
import {cp, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {kinds} from '../../src/service/kinds.js';
import {routes} from '../api/samples.js';

let folder: string;
let errors: readonly string[];

const questions = Object.keys(kinds.blocker);

/** Entries added to one table and forgotten in the next. */
const planted = [
  {file: 'src/domain/core/ids.ts', after: 'export const idPrefixes = {', text: "mood: 'mood',"},
  {file: 'src/store/core/cipher.ts', after: 'export type EncryptedPurpose =', text: "| 'mood'"},
  {file: 'src/store/core/keys.ts', after: '  return {', text: "moods: () => asKey<'hash'>(`${tag}moods`),"},
];

const keyOwners = 'test/service/members/key-owners.ts';

/** The table of kinds without the entry of blockers for one question. */
const without = (question: string) => `import type {Kinds} from './core/kind-rules.js';
import {kinds} from './kinds.js';
const {${question}: left, ...blocker} = kinds.blocker;
export const rest = {...kinds, blocker} satisfies Kinds;
`;

/** The table of kinds, in which a kind without a record has an action. */
const withoutRecord = `import type {Kinds} from './core/kind-rules.js';
import {kinds} from './kinds.js';
const attempt = {...kinds.attempt, team: kinds.blocker.team};
export const all = {...kinds, attempt} satisfies Kinds;
`;

/** Copies the sources of the tables into a folder, to be compiled separately. */
async function copySource(name: string): Promise<string> {
  const copy = path.join(folder, name);
  for (const part of ['src/domain', 'src/service', 'src/store', keyOwners])
    await cp(part, path.join(copy, part), {recursive: true});
  return copy;
}

function compile(): string[] {
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  const {stdout} = spawnSync(process.execPath, [tsc, '-p', folder], {cwd: folder, encoding: 'utf8'});
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-kinds-'));
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const whole = await copySource('whole');
  for (const question of questions)
    await writeFile(path.join(whole, `src/service/without-${question}.ts`), without(question));
  await writeFile(path.join(whole, 'src/service/without-record.ts'), withoutRecord);
  const changed = await copySource('changed');
  for (const {file, after, text} of planted) {
    const before = await readFile(path.join(changed, file), 'utf8');
    await writeFile(path.join(changed, file), before.replace(after, `${after}\n  ${text}`));
  }
  const compilerOptions = {rootDir: '.'};
  const tables = ['src/service/kinds.ts', 'src/store/reencrypt.ts', keyOwners];
  const files = [whole, changed].flatMap((copy) => tables.map((file) => path.join(copy, file)));
  for (const left of [...questions, 'record']) files.push(path.join(whole, `src/service/without-${left}.ts`));
  const settings = {extends: path.resolve('tsconfig.json'), compilerOptions, include: [], files};
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(settings));
  errors = compile();
});

afterAll(() => rm(folder, {recursive: true, force: true}));

const errorsIn = (file: string) => errors.filter((line) => line.startsWith(`${file}(`));

describe('an incomplete table does not compile', () => {
  it('asks for each new kind in the table of kinds', () => {
    expect(errorsIn('changed/src/service/kinds.ts')).toEqual([
      expect.stringMatching(/Property 'mood' is missing/),
    ]);
  });

  it.each(questions)('asks for the answer to “%s” for each kind', (question) => {
    expect(errorsIn(`whole/src/service/without-${question}.ts`)).toEqual([
      expect.stringContaining(`Property '${question}' is missing`),
    ]);
  });

  it('asks for an action on the record of each kind', () => {
    expect(errorsIn('whole/src/service/without-record.ts')).toEqual([
      expect.stringMatching(/is not assignable to type 'UnrecordedKind'/),
    ]);
  });

  it('asks for each new purpose in the table of what is encrypted again', () => {
    expect(errorsIn('changed/src/store/reencrypt.ts')).toEqual([
      expect.stringMatching(/Property 'mood' is missing/),
    ]);
  });

  it('asks for each new key of Redis in the table of whose data each key contains', () => {
    expect(errorsIn(`changed/${keyOwners}`)).toEqual([expect.stringMatching(/Property 'moods' is missing/)]);
  });

  it('reports no other error in the copies', () => {
    expect(errors).toHaveLength(questions.length + planted.length + 1);
  });
});

it('every function that returns all of a kind is an operation', () => {
  const operations = new Set(routes.map(({operation}) => operation));
  const named = Object.values(kinds).flatMap(({workspaceExport: by}) => (typeof by === 'string' ? [by] : []));
  expect(named.filter((name) => !operations.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});
