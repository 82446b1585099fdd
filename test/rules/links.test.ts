import {expect, it} from '@jest/globals';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {root} from '../support/service-process.js';

const listDocuments = (folder: string) =>
  readdirSync(path.join(root, folder), {withFileTypes: true})
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => path.join(folder, entry.name));

const documents = ['.', 'docs', 'docs/decisions', 'docs/explanation'].flatMap(listDocuments);

/** Reads a document without its code blocks, in which comments look like headings. */
const readText = (file: string) =>
  readFileSync(path.join(root, file), 'utf8').replaceAll(/^```[^]*?^```/gm, '');

/** Lists the link fragments of a document's headings, as GitHub creates them. */
function listFragments(file: string): string[] {
  return [...readText(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken(document: string, link: string): boolean {
  const [target = '', fragment] = link.split('#');
  const file = target === '' ? document : path.join(path.dirname(document), target);
  if (!existsSync(path.join(root, file))) return true;
  return fragment !== undefined && !listFragments(file).includes(fragment);
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

it('docs/README.md lists every document', () => {
  const map = readText('docs/README.md');
  const listed = documents.filter((file) => file !== 'docs/README.md' && !file.startsWith('docs/decisions'));
  expect(listed.filter((file) => !map.includes(path.relative('docs', file)))).toEqual([]);
});
