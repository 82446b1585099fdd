import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {scanSource} from '../../scripts/import-scan.mjs';
import {checkWebLayers} from '../../scripts/web-layer-rules.mjs';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-web-layers-'));
});
afterAll(() => rm(folder, {recursive: true, force: true}));

/** Writes a small `web/` folder with one file in each subfolder, and the given files. */
async function plant(files: Record<string, string>): Promise<string> {
  const copy = await mkdtemp(path.join(folder, 'web-'));
  const all: Record<string, string> = {
    'main.tsx': "import './routes.tsx';\n",
    'routes.tsx': "export const later = () => import('./today/part.tsx');\n",
    'vite.config.ts': 'export default process.env;\n',
    'today/today.module.css': '',
  };
  for (const part of ['api', 'texts', 'parts', 'frame', 'today', 'history']) {
    all[`${part}/part.tsx`] = 'export type Part = string;\nexport const part = 1;\n';
  }
  for (const [name, text] of Object.entries({...all, ...files})) {
    await mkdir(path.dirname(path.join(copy, name)), {recursive: true});
    await writeFile(path.join(copy, name), text);
  }
  return copy;
}

test('the modules of web/ import only from the layers that they may use', () => {
  const {files, violations} = checkWebLayers('web');
  expect(violations).toEqual([]);
  expect(files).toBeGreaterThan(20);
});

const use = (target: string) => `import {part} from '${target}';\nexport const used = part;\n`;

describe('the check of web layers, for a violation in the sample tree', () => {
  test.each([
    ['today/bad.tsx', use('../history/part.tsx'), 'today must not import history/part.tsx'],
    [
      'history/bad.tsx',
      "import '../today/today.module.css';\n",
      'history must not import today/today.module.css',
    ],
    ['today/bad.tsx', use('../frame/part.tsx'), 'today must not import frame/part.tsx'],
    ['today/bad.tsx', use('../routes.tsx'), 'joins the features'],
    ['today/bad.tsx', use('../../src/domain/core/ids.js'), 'stands outside web/'],
    [
      'today/bad.tsx',
      "import type {paths} from '../../.cache/api-client/schema.js';\n",
      'stands outside web/',
    ],
    ['api/schema.ts', "export {paths} from '../../.cache/api-client/schema.js';\n", 'may import only types'],
    ['parts/bad.tsx', use('../../packages/import-files/src/rows.ts'), 'parts must not import'],
    ['today/bad.tsx', use('../../packages/cli/src/run.ts'), 'stands outside web/'],
    ['today/bad.tsx', use('./gone.tsx'), 'does not exist'],
    ['today/bad.tsx', 'export const late = (name: string) => import(name);\n', 'computed name'],
    ['parts/bad.tsx', use('../today/part.tsx'), 'parts must not import today/part.tsx'],
    ['texts/bad.tsx', use('../api/part.tsx'), 'texts may import only types from api'],
    ['texts/bad.tsx', use('../parts/part.tsx'), 'texts must not import parts/part.tsx'],
    ['api/bad.tsx', use('../parts/part.tsx'), 'api must not import parts/part.tsx'],
    ['bad.tsx', 'export const part = 1;\n', 'stands in no folder'],
    ['today/bad.tsx', "export const ask = () => fetch('/v1/me');\n", 'uses fetch'],
    ['parts/bad.tsx', "export const ask = () => globalThis.fetch('/v1/me');\n", 'uses fetch'],
    ['frame/bad.tsx', "export const hear = new EventSource('/v1/changes/stream');\n", 'uses EventSource'],
    ['today/bad.tsx', 'export const old = new XMLHttpRequest();\n', 'uses XMLHttpRequest'],
    ['today/bad.tsx', "export const line = new WebSocket('/');\n", 'uses WebSocket'],
    ['main.tsx', "navigator.sendBeacon('/');\n", 'uses sendBeacon'],
    ['today/bad.tsx', "export const x = <><a></a><b title={fetch('/')}></b></>;\n", 'uses fetch'],
    ['today/bad.tsx', "export const x = <p>Don't {fetch('/')}</p>;\n", 'uses fetch'],
  ])('reports, in %s: %j', async (file, text, message) => {
    const {violations} = checkWebLayers(await plant({[file]: text}));
    expect(violations).toEqual([{file, line: 1, message: expect.stringContaining(message)}]);
  });

  test('reports an import cycle, with its path', async () => {
    const copy = await plant({
      'today/one.tsx': "import {two} from './two.tsx';\nexport const one = () => two;\n",
      'today/two.tsx': "\nimport type {one} from './one.tsx';\nexport const two: typeof one | 2 = 2;\n",
    });
    const way = 'import cycle: today/one.tsx → today/two.tsx → today/one.tsx';
    expect(checkWebLayers(copy).violations).toEqual([{file: 'today/two.tsx', line: 2, message: way}]);
  });
});

describe('the check of web layers, for allowed code', () => {
  test.each([
    [
      'today/page.tsx',
      `${use('../api/part.tsx')}import './today.module.css';\nimport '../parts/part.tsx';\n`,
    ],
    ['frame/frame.tsx', use('../today/part.tsx')],
    ['parts/good.tsx', `${use('../api/part.tsx')}import '../texts/part.tsx';\n`],
    ['api/client.ts', "export const ask = () => fetch('/v1/me');\n"],
    ['api/schema.ts', "import type {paths} from '../../.cache/api-client/schema.js';\n"],
    ['today/good.tsx', 'export const again = (query: Query) => query.refetch();\n'],
    ['today/good.tsx', "import {useQuery} from '@tanstack/react-query';\n// fetch is elsewhere\n"],
  ])('reports nothing, in %s: %j', async (file, text) => {
    expect(checkWebLayers(await plant({[file]: text})).violations).toEqual([]);
  });
});

test('the scan for imports reads JSX that contains plain text', () => {
  const text = `const x = <a href="./no.js">{\`\${y}\`}</a>;\nimport {b} from './b.js';\n`;
  expect(scanSource(text).imports.map(({target}) => target)).toEqual(['./b.js']);
});
