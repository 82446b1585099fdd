// test/rules/: tests of the project's own rules, and tests that each check can fail. Not here: tests of the
// service.
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {spawnSync} from 'node:child_process';
import {mkdir, mkdtemp, readFile, readdir, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {scanSource} from '../../scripts/import-scan.mjs';
import {checkLayers} from '../../scripts/layer-rules.mjs';
import {sampleUnlessDeep} from '../support/deep.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-layers-'));
});
afterAll(() => rm(folder, {recursive: true, force: true}));

/** Writes a small `src/` folder with one file in each layer, and the given files. */
async function plant(files: Record<string, string>): Promise<string> {
  const copy = await mkdtemp(path.join(folder, 'src-'));
  const parts = ['domain', 'service', 'store', 'webhook', 'jobs', 'api', 'bot', 'cli', 'dashboard'];
  const features = [
    'domain/slack',
    'service/runs',
    'service/teams',
    'store/webhooks',
    'api/openapi',
    'bot/slack',
  ];
  const empty = ['serve.ts', 'compose.ts', 'config/config.ts', 'store/core/records.ts'];
  const all: Record<string, string> = Object.fromEntries(empty.map((name) => [name, '']));
  for (const part of [...parts, ...features])
    all[`${part}/part.ts`] = 'export type Part = string;\nexport const part = 1;\n';
  for (const [name, text] of Object.entries({...all, ...files})) {
    await mkdir(path.dirname(path.join(copy, name)), {recursive: true});
    await writeFile(path.join(copy, name), text);
  }
  return copy;
}

test('the modules of src/ import only from the layers that they may use', () => {
  const {files, violations} = checkLayers('src');
  expect(violations).toEqual([]);
  expect(files).toBeGreaterThan(20);
});

/** Module-level caches that are allowed, because their values are the same for every caller. */
const keptForTheProcess = ['store/core/keys.ts: known'];

test('no module of src/ has state, since tests share the loaded modules', async () => {
  const found: string[] = [];
  for (const name of await readdir('src', {recursive: true})) {
    if (!name.endsWith('.ts')) continue;
    const text = await readFile(path.join('src', name), 'utf8');
    const held =
      /^(?:export )?(?:(?:let|var) (\w+)|const (\w+)[^=\n]*= new (?:(?:Weak)?(?:Map|Set)[^(]*\(\)|LRUCache))/gm;
    for (const [, changed, filled] of text.matchAll(held)) found.push(`${name}: ${changed ?? filled}`);
  }
  expect(found.toSorted()).toEqual(keptForTheProcess);
});

test('the check of layers reports nothing in the sample tree without a violation', async () => {
  expect(checkLayers(await plant({})).violations).toEqual([]);
});

describe('the check of layers, for a violation in the sample tree', () => {
  const use = (target: string) => `import {part} from '${target}';\nexport const used = part;\n`;
  const planted = [
    [
      'domain/webhooks/bad.ts',
      use('../slack/part.js'),
      'domain/webhooks must not import domain/slack/part.ts',
    ],
    [
      'service/webhooks/bad.ts',
      use('../runs/part.js'),
      'service/webhooks must not import service/runs/part.ts',
    ],
    [
      'service/absences/bad.ts',
      use('../teams/part.js'),
      'service/absences must not import service/teams/part.ts',
    ],
    ['service/core/bad.ts', use('../runs/part.js'), 'service/core must not import service/runs/part.ts'],
    ['service/runs/bad.ts', use('../part.js'), 'service/part.ts, which joins the features of service'],
    ['service/new/bad.ts', use('../runs/part.js'), 'stands in no feature of service'],
    ['store/slack/bad.ts', use('../webhooks/part.js'), 'store/slack must not import store/webhooks/part.ts'],
    ['api/runs/bad.ts', use('../openapi/part.js'), 'api/runs must not import api/openapi/part.ts'],
    ['domain/bad.ts', use('../service/part.js'), 'domain must not import service/part.ts'],
    ['domain/bad.ts', use('../store/part.js'), 'domain must not import store/part.ts'],
    ['domain/bad.ts', "import type {Part} from '../api/part.js';\n", 'domain must not import api/part.ts'],
    ['service/bad.ts', use('../store/part.js'), 'service may import only types from store'],
    ['service/bad.ts', use('../api/part.js'), 'service must not import api/part.ts'],
    ['service/bad.ts', use('../config/config.js'), 'service must not import config/config.ts'],
    ['store/bad.ts', use('../service/part.js'), 'store must not import service/part.ts'],
    ['webhook/bad.ts', use('../store/part.js'), 'webhook must not import store/part.ts'],
    ['jobs/bad.ts', use('../store/part.js'), 'jobs may import only types from store'],
    ['jobs/bad.ts', use('../service/part.js'), 'jobs may import only types from service'],
    ['api/bad.ts', use('../service/part.js'), 'api may import only types from service'],
    [
      'api/bad.ts',
      "import {type Part} from '../service/part.js';\n",
      'api may import only types from service',
    ],
    ['api/bad.ts', "export {part} from '../service/part.js';\n", 'api may import only types from service'],
    ['api/bad.ts', "export * from '../service/part.js';\n", 'api may import only types from service'],
    ['api/bad.ts', "import '../service/part.js';\n", 'api may import only types from service'],
    [
      'api/bad.ts',
      "export const late = () => import('../service/part.js');\n",
      'api may import only types from service',
    ],
    ['api/bad.ts', 'export const late = (name: string) => import(name);\n', 'computed name'],
    ['api/bad.ts', use('../bot/part.js'), 'api must not import bot/part.ts'],
    ['api/bad.ts', "import type {Part} from '../store/part.js';\n", 'api must not import store/part.ts'],
    ['api/deep/bad.ts', use('../../store/part.js'), 'api must not import store/part.ts'],
    ['bot/bad.ts', use('../api/part.js'), 'bot must not import api/part.ts'],
    [
      'bot/bad.ts',
      "import type {Part} from '../store/core/records.js';\n",
      'bot must not import store/core/records.ts: it asks a service',
    ],
    ['cli/bad.ts', use('../store/part.js'), 'cli must not import store/part.ts'],
    ['dashboard/bad.ts', use('../store/part.js'), 'dashboard must not import store/part.ts'],
    ['dashboard/bad.ts', use('../api/part.js'), 'dashboard must not import api/part.ts'],
    ['dashboard/bad.ts', use('../service/part.js'), 'dashboard may import only types from service'],
    ['bot/showing/bad.ts', use('../slack/part.js'), 'what chats share knows none of them'],
    ['bot/bad.ts', "import type {WebClient} from '@slack/web-api';\n", 'only bot/slack/ may use'],
    ['bot/bad.ts', use('../dashboard/part.js'), 'bot must not import dashboard/part.ts'],
    ['api/bad.ts', use('../compose.js'), 'joins the parts'],
    ['api/bad.ts', use('../../test/part.js'), 'no source below src/'],
    ['utils/bad.ts', 'export const part = 1;\n', 'no folder of the table'],
    ['bad.ts', 'export const part = 1;\n', 'no folder of the table'],
    ['api/bad.ts', "import {createClient} from 'redis';\n", 'only store may use'],
    ['store/bad.ts', "import {Queue} from 'bullmq';\n", 'only jobs may use'],
    ['jobs/bad.ts', "import {request} from 'undici';\n", 'only webhook may use'],
    ['bot/bad.ts', "import type {Request} from 'express';\n", 'only api may use'],
    ['bot/bad.ts', "import cors from 'cors';\n", 'only api may use'],
    ['api/bad.ts', "import {Counter} from 'prom-client';\n", 'only metrics may use'],
    ['metrics/bad.ts', use('../store/part.js'), 'metrics must not import store/part.ts'],
    ['service/bad.ts', "import {jwtVerify} from 'jose';\n", 'only api may use'],
    ['api/bad.ts', "import {WebClient} from '@slack/web-api';\n", 'only bot may use'],
    ['api/bad.ts', "import {pino} from 'pino';\n", 'only compose-core.ts may use'],
    ['serve.ts', "import {pino} from 'pino';\n", 'only compose-core.ts may use'],
    ['api/bad.ts', "import {Command} from 'commander';\n", 'only cli may use'],
    ['bot/bad.ts', "const load = () => import('openid-client');\n", 'only dashboard may use'],
    ['api/bad.ts', 'export const home = process.env.HOME;\n', 'uses `process`'],
    ['config/config.ts', 'export const home = process.env.HOME;\n', 'uses `process`'],
    ['compose.ts', 'export const where = globalThis.process;\n', 'uses `process`'],
    ['store/bad.ts', "import {env} from 'node:process';\n", 'imports the process'],
    ['domain/bad.ts', 'export const now = () => Date.now();\n', 'uses Date.now'],
    ['service/bad.ts', 'export const now = () => new Date();\n', 'uses new Date()'],
    ['service/bad.ts', 'export const dice = () => Math.random();\n', 'uses Math.random'],
    ['service/bad.ts', 'export const later = (run: () => void) => setTimeout(run, 1);\n', 'uses setTimeout'],
    ['domain/bad.ts', "import {readFileSync} from 'node:fs';\n", 'domain does no I/O'],
    ['service/bad.ts', "import {request} from 'node:http';\n", 'service does no I/O'],
  ] as const;

  test.each(sampleUnlessDeep(planted, 24))('reports, in %s: %j', async (file, text, message) => {
    const {violations} = checkLayers(await plant({[file]: text}));
    expect(violations).toEqual([{file, line: 1, message: expect.stringContaining(message)}]);
  });

  test('reports an import cycle, with its path', async () => {
    const copy = await plant({
      'domain/one.ts': "import {two} from './two.js';\nexport const one = () => two;\n",
      'domain/two.ts': "import {three} from './three.js';\nexport const two = () => three;\n",
      'domain/three.ts': "\nimport type {one} from './one.js';\nexport const three: typeof one | 3 = 3;\n",
    });
    const way = 'import cycle: domain/one.ts → domain/two.ts → domain/three.ts → domain/one.ts';
    expect(checkLayers(copy).violations).toEqual([{file: 'domain/three.ts', line: 2, message: way}]);
  });
});

describe('the check of layers, for allowed code', () => {
  test.each([
    [
      'api/good.ts',
      "import type {Part} from '../service/part.js';\nimport {part} from '../domain/part.js';\n",
    ],
    ['service/good.ts', "import {part} from '../domain/part.js';\n"],
    ['service/slack/good.ts', "import {part} from '../runs/part.js';\n"],
    ['service/absences/good.ts', "import {part} from '../runs/part.js';\n"],
    ['compose.ts', "import {part} from './store/part.js';\nimport {pino} from 'pino';\n"],
    ['cli/run.ts', "import {part} from '../compose.js';\nexport const args = process.argv;\n"],
    ['serve.ts', "import {part} from './compose.js';\nprocess.exitCode = 1;\n"],
    ['api/good.ts', "// import {part} from '../store/part.js';\n/* process.env */\n"],
    ['api/good.ts', "export const text = `import {part} from '../store/part.js'; process.env`;\n"],
    ['bot/good.ts', "import type {Part} from '../store/part.js';\n"],
    ['domain/good.ts', 'export const day = (ms: number) => new Date(ms);\n'],
  ])('reports nothing, in %s: %j', async (file, text) => {
    expect(checkLayers(await plant({[file]: text})).violations).toEqual([]);
  });
});

describe('the command that checks the layers', () => {
  const run = (target: string) =>
    spawnSync(process.execPath, ['scripts/check-layers.mjs', target], {encoding: 'utf8'});

  test('fails and names the location of a violation', async () => {
    const copy = await plant({'domain/bad.ts': "\nimport {part} from '../store/part.js';\n"});
    const {status, stderr} = run(copy);
    expect(status).toBe(1);
    expect(stderr).toContain(`${path.join(copy, 'domain/bad.ts')}:2: domain must not import store/part.ts`);
  });

  test('fails if a folder has no file to check', async () => {
    const empty = await mkdtemp(path.join(folder, 'empty-'));
    const {status, stderr} = run(empty);
    expect(status).toBe(1);
    expect(stderr).toContain('nothing was checked');
  });

  test('prints how many files it read', () => {
    const {status, stderr} = run('src');
    expect(stderr).toBe(`The layers hold in ${checkLayers('src').files} files.\n`);
    expect(status).toBe(0);
  });
});

test('the scan for imports finds every import in src/', async () => {
  for (const name of await readdir('src', {recursive: true})) {
    if (!name.endsWith('.ts')) continue;
    const text = await readFile(path.join('src', name), 'utf8');
    const plain = [...text.matchAll(/^(?:import|export|\}).* from '([^']+)';$/gm)].map((match) => match[1]);
    const found = scanSource(text).imports.map(({target}) => target);
    expect({name, found}).toEqual({name, found: expect.arrayContaining(plain)});
  }
});

describe('the scan for imports, in code with strings, comments and templates', () => {
  test.each([
    ["const a = 'it\\'s'; import {b} from './b.js';", ['./b.js']],
    ["const a = /['\"`]/; import {b} from './b.js';", ['./b.js']],
    ['const a = `${`${1}`} \\` `; import {b} from "./b.js";', ['./b.js']],
    ["const a = 4 / 2; const s = 'x'; const b = import('./b.js');", ['./b.js']],
    ["const a = `${{b: await import('./b.js')}}`;", ['./b.js']],
    ["import type from './b.js'; import type {c} from './c.js';", ['./b.js', './c.js']],
    ["const s = \"import './no.js'\"; // import './no.js'", []],
    ["import {\n  type A,\n  b,\n} from './b.js';", ['./b.js']],
  ])('finds the imports, and only those, of %j', (text, targets) => {
    expect(scanSource(text).imports.map(({target}) => target)).toEqual(targets);
  });
});
