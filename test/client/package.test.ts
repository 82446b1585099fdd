import {execFile} from 'node:child_process';
import {cp, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {root} from '../../scripts/paths.mjs';
import {addPerson} from '../api/people.js';
import {findBlockContaining} from '../support/document-blocks.js';
import {startService, type TestService} from '../support/service.js';
import {packClient} from './pack-client.js';
import {createEvent, createKilledReceiver, deliverThroughKills, readCounts} from './killed-receiver.js';

const run = promisify(execFile);
const sources = ['calls.ts', 'faults.ts', 'receiver.ts', 'samples.ts'];
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');

let folder: string;
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-client-'));
  const packed = await packClient(folder);
  await writeFile(path.join(folder, 'package.json'), '{"private": true, "type": "module"}');
  const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, ...packed], {cwd: folder});
  await cp(path.join(root, 'test/client/calls/twenty-calls.ts.txt'), path.join(folder, 'calls.ts'));
  await cp(path.join(root, 'test/client/calls/faults.ts.txt'), path.join(folder, 'faults.ts'));
  await cp(path.join(root, 'examples/receivers/ts/receiver.ts'), path.join(folder, 'receiver.ts'));
  await writeFile(path.join(folder, 'samples.ts'), readSamples());
  service = await startService();
});

afterAll(async () => {
  await service.close();
  await rm(folder, {recursive: true});
});

/** The samples of the document in one program, with what they leave out. */
function readSamples(): string {
  const read = (part: string) => findBlockContaining('docs/clients.md', 'ts', part);
  return `${read('createClient')}
    import {followEvents, verifyWebhook} from 'team-standup-client';
    declare const body: string, request: {headers: Headers}, signal: AbortSignal;
    declare function readCursor(): string | undefined;
    declare function saveCursor(cursor: string): void;
    declare function save(standup: {readonly update: string} | null): void;
    {${read('followEvents(')}}
    {${read('verifyWebhook(')}}`;
}

/** Compiles the calls as a user does: strict, with the declarations of the package checked too. */
async function compile(...options: readonly string[]): Promise<string> {
  const types = ['--typeRoots', path.join(root, 'node_modules/@types'), '--types', 'node'];
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const target = ['--target', 'es2024', '--ignoreConfig'];
  const args = [compiler, ...sources, ...strict, ...target, ...types, ...options];
  const {stdout} = await run(process.execPath, args, {cwd: folder}).catch((error: {stdout: string}) => error);
  return stdout;
}

it('the packed client has code, declarations, a readme and a license, and one dependency', async () => {
  const installed = path.join(folder, 'node_modules/team-standup-client');
  const described = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as object;
  expect(described).toMatchObject({
    name: 'team-standup-client',
    sideEffects: false,
    dependencies: {'openapi-fetch': expect.stringMatching(/^\d/)},
  });
  expect(Object.keys(described)).not.toContain('private');
  for (const name of ['index.js', 'index.d.ts', 'generated.d.ts', 'README.md', 'LICENSE'])
    expect(await readFile(path.join(installed, name), 'utf8')).not.toContain('.cache/');
});

it('the packed client, its receiver and the samples of its document compile with the module resolution of bundlers', async () => {
  expect(await compile('--noEmit', '--module', 'esnext', '--moduleResolution', 'bundler')).toBe('');
});

it('the packed client compiles with the module resolution of Node, and makes the twenty calls', async () => {
  expect(await compile('--module', 'nodenext')).toBe('');
  const workspace = await service.addWorkspace();
  const owner = await addPerson(service, workspace, {name: 'Olga', role: 'owner'});
  const {value: reader} = await workspace.addToken({scopes: ['teams:read'], name: 'reader'});
  const env = {
    ...process.env,
    STANDUP_URL: service.url,
    STANDUP_TOKEN: owner.token,
    READER_TOKEN: reader,
  };
  const {stdout} = await run(process.execPath, ['calls.js'], {cwd: folder, env});
  expect(JSON.parse(stdout)).toEqual({
    1: 'me',
    2: 'crew',
    3: ['crew', 'platform'],
    4: true,
    5: 'Shipped the importer.',
    6: true,
    7: 'Shipped the importer.',
    8: ['Shipped the importer and its tests.', 2],
    9: [412, 'precondition_failed'],
    10: ['Fixed the retry page.', 'Reviewed the retry page.', 'Shipped the importer and its tests.'],
    11: ['Reviewed the retry page.'],
    12: ['team_day', true],
    13: 'raised',
    14: 'resolved',
    15: ['away', 'Vacation'],
    16: {v1: 'Told by a webhook.', v1a: 'Told by a webhook.', changed: true, old: true},
    17: ['standup.created'],
    18: [['standup.created', true]],
    19: [
      [422, 'validation_failed', '#/update', 'string'],
      [403, 'insufficient_scope'],
    ],
    20: 'not_found',
  });
});

/** Bundles a program that imports the client, for browsers. */
async function bundle(program: string) {
  const input = path.join(folder, 'bundled.js');
  await writeFile(input, program);
  const {rolldown} = await import('rolldown');
  const build = await rolldown({input, platform: 'browser'});
  const {output} = await build.generate({format: 'esm'});
  await build.close();
  return output[0];
}

it('a bundler leaves out what a program does not import', async () => {
  const {code} = await bundle("import {verifyWebhook} from 'team-standup-client';\nverifyWebhook({});\n");
  expect(code).toContain('webhook-signature');
  expect(code).not.toMatch(/idempotency-key|baseUrl|retry-after/);
});

it('the whole client is bundled for browsers, without a module of Node', async () => {
  const {code, imports} = await bundle("export * from 'team-standup-client';\n");
  expect(imports).toEqual([]);
  expect(code).toMatch(/idempotency-key/);
  expect(code).not.toMatch(/node:|\bBuffer\b|\brequire\(/);
});

it('the receiver of the examples counts each event once, though it is killed 20 times', async () => {
  const database = path.join(folder, 'standups.db');
  const receiver = createKilledReceiver(folder, database);
  const outcome = await deliverThroughKills(receiver, {events: 300, kills: 20, database});
  expect(outcome).toMatchObject({killed: 20, left: 0});
  // The kills after the transaction: the answer was lost, so the event came again.
  expect(outcome.keptUnanswered).toBeGreaterThanOrEqual(6);
  expect(readCounts(database)).toEqual({received: 300, posted: 300});
});

it('the receiver of the examples refuses a forged request, and answers a repeat without counting it', async () => {
  const database = path.join(folder, 'forged.db');
  const receiver = createKilledReceiver(folder, database);
  await receiver.start();
  const event = createEvent(1);
  expect(await receiver.deliver(event, {forged: true})).toBe(400);
  expect(await receiver.deliver(event, {at: Date.now() - 301_000})).toBe(400);
  expect(await receiver.deliver(event)).toBe(204);
  expect(await receiver.deliver(event)).toBe(204);
  await receiver.end({itself: false});
  expect(readCounts(database)).toEqual({received: 1, posted: 1});
});
