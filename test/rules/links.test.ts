import {expect, it} from '@jest/globals';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {listFragments, withoutCode} from '../support/document-links.js';
import {root} from '../../scripts/paths.mjs';

const listDocuments = (folder: string) =>
  readdirSync(path.join(root, folder), {withFileTypes: true})
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => path.join(folder, entry.name));

const documents = ['.', 'docs', 'docs/decisions', 'docs/explanation', 'docs/operating'].flatMap(
  listDocuments,
);

/** Reads a document without its code blocks. */
const readText = (file: string) => withoutCode(readFileSync(path.join(root, file), 'utf8'));

function isBroken(document: string, link: string): boolean {
  const [target = '', fragment] = link.split('#');
  const file = target === '' ? document : path.join(path.dirname(document), target);
  if (!existsSync(path.join(root, file))) return true;
  return fragment !== undefined && !listFragments(readText(file)).includes(fragment);
}

it.each(documents)('every link of %s leads to a file and a heading that exist', (document) => {
  const links = [...readText(document).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => isBroken(document, link))).toEqual([]);
});

it('the check of links reports a link to a missing file or heading', () => {
  expect(isBroken('README.md', 'docs/missing.md')).toBe(true);
  expect(isBroken('README.md', 'docs/operating.md#missing')).toBe(true);
  expect(isBroken('README.md', 'docs/operating.md#install')).toBe(false);
});

/** Whether a path does not exist. docs/design.md omits `src/` and writes `store/core/keys.ts`. */
function isMissing(document: string, named: string): boolean {
  const folders = document === 'docs/design.md' ? ['', 'src', 'src/bot/slack'] : [''];
  return !folders.some((folder) => existsSync(path.join(root, folder, named)));
}

it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/security-evidence.md', 'docs/design.md'])(
  'every path that %s names exists',
  (document) => {
    const paths = /`((?:src|test|scripts|web|bench|demo|docs)\/[\w./-]+\.\w+)`/g;
    const belowSrc = /`([\w-]+\/[\w./-]*)`/g;
    const pattern = document === 'docs/design.md' ? belowSrc : paths;
    const named = [...readText(document).matchAll(pattern)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => isMissing(document, name))).toEqual([]);
  },
);

it.each([
  ['docs/README.md', /^docs\/(?:decisions|operating)\/(?!README)/],
  ['docs/operating/README.md', /^(?!docs\/operating\/)/],
])('%s lists every document below it', (map, isElsewhere) => {
  const text = readText(map);
  const listed = documents.filter((file) => file !== map && !isElsewhere.test(file));
  expect(listed.length).toBeGreaterThan(10);
  expect(listed.filter((file) => !text.includes(`(${path.relative(path.dirname(map), file)}`))).toEqual([]);
});
