import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, it} from '@jest/globals';
import {scanSource} from '../../scripts/import-scan.mjs';

const folder = path.resolve('packages/cli/src');
const allowed = [
  /^node:/,
  /^commander$/,
  /^\.\/[\w-]+\.js$/,
  /^\.\.\/\.\.\/\.\.\/src\/domain\/(?:core|typed)\/[\w-]+\.js$/,
  /^\.\.\/\.\.\/client-ts\/src\/(?:api-client|schema)\.js$/,
  /^\.\.\/\.\.\/import-files\/src\/[\w-]+\.js$/,
];

it('the command for people imports only pure rules of the domain and the typed client', () => {
  const files = readdirSync(folder);
  const found = files.flatMap((file) => {
    const {imports} = scanSource(readFileSync(path.join(folder, file), 'utf8'));
    return imports.map(({target = ''}) => ({file, target}));
  });
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter(({target}) => !allowed.some((one) => one.test(target)))).toEqual([]);
});

it('the functions that the command and the dashboard share import only each other', () => {
  const shared = path.resolve('packages/import-files/src');
  const targets = readdirSync(shared).flatMap((file) =>
    scanSource(readFileSync(path.join(shared, file), 'utf8')).imports.map(({target = ''}) => target),
  );
  expect(targets.length).toBeGreaterThan(5);
  expect(targets.filter((target) => !/^\.\/[\w-]+\.js$/.test(target))).toEqual([]);
});
