import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {spawnSync} from 'node:child_process';
import {mkdtemp, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';

const source = path.resolve('src');

/**
 * Source in which each line confuses two kinds of ids, except four exports whose names begin with `right`.
 */
const planted = `import {suffixOf, type Id, type IdSuffix} from '${source}/domain/core/ids.js';
import {type ListName, lists} from '${source}/domain/core/lists.js';
import {parseWire} from '${source}/domain/core/resource.js';
import type {Work} from '${source}/domain/core/work.js';
import {workspaceKeys} from '${source}/store/core/keys.js';
import type {Records} from '${source}/store/core/records.js';
declare const [team, member, webhook]: readonly [Id<'team'>, Id<'member'>, Id<'webhook'>];
declare const [workspace, records]: readonly [Id<'workspace'>, Records];
export const right = [lists.absencesOf(member), lists.standupsOfTeam(team)];
export const rightWork: Work = {kind: 'deliver', webhook: suffixOf(webhook)};
export const rightRecord = async () => (await records.find(workspace, member, 0))?.timezone_source;
const rowsOf = async <K extends 'team' | 'member'>(list: ListName<K>) => (await records.list(workspace, {list, limit: 1}, 0)).rows;
export const rightRows = async () => (await rowsOf(lists.members())).map(({json}) => parseWire(json).email);
export const teamForMember = lists.absencesOf(team);
export const suffixForId: Id<'team'> = suffixOf(team);
export const idForSuffix: Work = {kind: 'deliver', webhook};
export const suffixOfAnother: IdSuffix<'webhook'> = suffixOf(team);
export const textForId = lists.standupsOfTeam('team_01h455vb4pex5vsknk084sn02q');
export const slugForId = workspaceKeys('acme');
export const keyOfAnother = slugForId.pending(suffixOf(team));
export const recordOfText = records.find(workspace, 'team_01h455vb4pex5vsknk084sn02q', 0);
export const recordOfAnother = async () => (await records.find(workspace, team, 0))?.timezone_source;
export const recordBySuffix = async () => (await records.findBySuffix(workspace, suffixOf(team), 0))?.email;
export const recordsOfAnother = async () => (await records.findMany(workspace, [team], 0))[0]?.email;
export const suffixOfText: IdSuffix<'team'> = suffixOf('team_01h455vb4pex5vsknk084sn02q');
export const rowsOfAnother = async () => (await rowsOf(lists.teams())).map(({json}) => parseWire(json).email);
interface TextPort {find: (workspace: Id<'workspace'>, webhook: string, deadline: number) => unknown}
export const portOfText: TextPort = {find: records.findHeaders};
`;

let folder: string;
let failing: (string | undefined)[];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-ids-'));
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(path.join(folder, 'planted.ts'), planted);
  const settings = {
    extends: path.resolve('tsconfig.json'),
    compilerOptions: {rootDir: '/'},
    include: [],
    files: ['planted.ts'],
  };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  const {stdout} = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const lines = planted.split('\n');
  failing = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error/gm)].map(([all, file, line]) =>
    file === 'planted.ts' ? lines[Number(line) - 1]?.split(/[ :=]+/)[2] : all,
  );
});
afterAll(() => rm(folder, {recursive: true, force: true}));

it('code that uses an id of one kind as another does not compile, and code with correct ids does', () => {
  expect(failing).toEqual([
    'teamForMember',
    'suffixForId',
    'idForSuffix',
    'suffixOfAnother',
    'textForId',
    'slugForId',
    'keyOfAnother',
    'recordOfText',
    'recordOfAnother',
    'recordBySuffix',
    'recordsOfAnother',
    'suffixOfText',
    'rowsOfAnother',
    'portOfText',
  ]);
});
