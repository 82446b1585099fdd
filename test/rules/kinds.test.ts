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

/** New entries, each added to one table and missing in the next table. */
const planted = [
  {file: 'src/domain/core/ids.ts', after: 'export const idPrefixes = {', text: "mood: 'mood',"},
  {file: 'src/store/core/cipher.ts', after: 'export type EncryptedPurpose =', text: "| 'mood'"},
  {file: 'src/store/core/keys.ts', after: '  return {', text: "moods: () => asKey<'hash'>(`${tag}moods`),"},
];

const keyOwners = 'test/service/members/key-owners.ts';

/** Returns the table of kinds without the answer to one question for blockers. */
const without = (question: string) => `import type {Kinds} from './core/kind-rules.js';
import {kinds} from './kinds.js';
const {${question}: left, ...blocker} = kinds.blocker;
export const rest = {...kinds, blocker} satisfies Kinds;
`;

/** The table of kinds with an action for the record of a kind that has no record. */
const withoutRecord = `import type {Kinds} from './core/kind-rules.js';
import {kinds} from './kinds.js';
const attempt = {...kinds.attempt, team: kinds.blocker.team};
export const all = {...kinds, attempt} satisfies Kinds;
`;

/** Copies the source of the tables to a folder, to compile it separately. */
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
  const tables = ['src/service/kinds.ts', 'src/store/encrypted-values.ts', keyOwners];
  const files = [whole, changed].flatMap((copy) => tables.map((file) => path.join(copy, file)));
  for (const left of [...questions, 'record']) files.push(path.join(whole, `src/service/without-${left}.ts`));
  const settings = {extends: path.resolve('tsconfig.json'), compilerOptions, include: [], files};
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(settings));
  errors = compile();
});

afterAll(() => rm(folder, {recursive: true, force: true}));

const errorsIn = (file: string) => errors.filter((line) => line.startsWith(`${file}(`));

describe('the compiler, for a table that lacks a kind', () => {
  it('reports each new kind missing from the table of kinds', () => {
    expect(errorsIn('changed/src/service/kinds.ts')).toEqual([
      expect.stringMatching(/Property 'mood' is missing/),
    ]);
  });

  it.each(questions)('reports a kind without an answer to “%s”', (question) => {
    expect(errorsIn(`whole/src/service/without-${question}.ts`)).toEqual([
      expect.stringContaining(`Property '${question}' is missing`),
    ]);
  });

  it('reports a kind without an action on its record', () => {
    expect(errorsIn('whole/src/service/without-record.ts')).toEqual([
      expect.stringMatching(/is not assignable to type 'UnrecordedKind'/),
    ]);
  });

  it('reports a new encryption purpose missing from the table of texts to encrypt again', () => {
    expect(errorsIn('changed/src/store/encrypted-values.ts')).toEqual([
      expect.stringMatching(/Property 'mood' is missing/),
    ]);
  });

  it('reports a new Redis key missing from the table of the data in each key', () => {
    expect(errorsIn(`changed/${keyOwners}`)).toEqual([expect.stringMatching(/Property 'moods' is missing/)]);
  });

  it('reports no other error in the changed copies of the source', () => {
    expect(errors).toHaveLength(questions.length + planted.length + 1);
  });
});

it('every export of a kind in the table of kinds is an operation of the API', () => {
  const operations = new Set(routes.map(({operation}) => operation));
  const named = Object.values(kinds).flatMap(({workspaceExport: by}) => (typeof by === 'string' ? [by] : []));
  expect(named.filter((name) => !operations.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});
