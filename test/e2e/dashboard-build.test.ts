import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {brotliDecompressSync, gunzipSync} from 'node:zlib';
import {expect, it} from '@jest/globals';
import {root} from '../support/service-process.js';

// The dashboard that `npm test` has just built. The ways of building it: dashboard-build.deep.test.ts.

const built = path.join(root, 'dist/web');

it('the build of the dashboard leaves a stamp, the manifest, assets and the service worker, and nothing else', async () => {
  expect((await readdir(built)).toSorted()).toEqual(['.source', '.vite', 'assets', 'worker.js']);
});

it('each dashboard asset except fonts has compressed forms with the same content', async () => {
  const names = await readdir(path.join(built, 'assets'));
  const plain = names.filter((name) => !/\.(?:br|gz|woff2)$/.test(name));
  expect(plain.length).toBeGreaterThan(3);
  const read = (name: string) => readFile(path.join(built, 'assets', name));
  for (const name of plain) {
    const whole = await read(name);
    const brotli = brotliDecompressSync(await read(`${name}.br`));
    const gzip = gunzipSync(await read(`${name}.gz`));
    expect([name, whole.equals(brotli), whole.equals(gzip)]).toEqual([name, true, true]);
  }
  expect(names.filter((name) => /\.woff2\.(?:br|gz)$/.test(name))).toEqual([]);
});
