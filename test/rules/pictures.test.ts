import {expect, it} from '@jest/globals';
import {readdirSync, readFileSync, statSync} from 'node:fs';
import path from 'node:path';
import {pictures} from '../../demo/picture-list.js';
import {root} from '../../scripts/paths.mjs';

const folder = path.join(root, 'docs/pictures');
const documents = [
  'README.md',
  ...readdirSync(path.join(root, 'docs'))
    .filter(isText)
    .map((name) => `docs/${name}`),
];

function isText(name: string): boolean {
  return name.endsWith('.md');
}

const shown = documents.flatMap((document) => {
  const text = readFileSync(path.join(root, document), 'utf8');
  return [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, alt = '', at = '']) => ({
    alt,
    file: path.join(root, path.dirname(document), at),
  }));
});

it('every picture of README and docs has a text alternative, and is made by `npm run pictures`', () => {
  expect(shown.filter(({alt}) => alt.length < 20)).toEqual([]);
  const taken = pictures.map(({name}) => path.join(folder, `${name}.png`));
  expect([...new Set(shown.map(({file}) => file))].toSorted()).toEqual(taken.toSorted());
  expect(readdirSync(folder).toSorted()).toEqual(pictures.map(({name}) => `${name}.png`).toSorted());
});

it('every picture is 1280 pixels wide, at most as high as two windows, and at most 150 kB in size', () => {
  for (const {file} of shown) {
    const header = readFileSync(file).subarray(16, 24);
    expect(header.readUInt32BE(0)).toBe(1280);
    expect(header.readUInt32BE(4)).toBeGreaterThanOrEqual(800);
    expect(header.readUInt32BE(4)).toBeLessThanOrEqual(1600);
    expect(statSync(file).size).toBeLessThanOrEqual(150_000);
  }
});
