import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {chmod, mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {ensureBrowser, findBrowser} from '../../scripts/browser.mjs';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-path-'));
});
afterEach(() => rm(folder, {recursive: true, force: true}));

/** A PATH in which only the given programs exist. */
async function pathWith(programs: Record<string, string>): Promise<string> {
  const bin = path.join(folder, 'bin');
  await mkdir(bin, {recursive: true});
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(path.join(bin, name), 0o755);
  }
  return bin;
}

const works = "echo 'Chromium 156.0.1 built on Debian'";

test('a Chromium in PATH is used, unless it does not run', async () => {
  const PATH = await pathWith({
    chromium: 'exit 1',
    'google-chrome': works.replace('Chromium', 'Google Chrome'),
  });
  expect(findBrowser({PATH})).toBe(path.join(PATH, 'google-chrome'));
});

test('CHROMIUM_BIN has priority over PATH, and a wrong CHROMIUM_BIN is an error', async () => {
  const PATH = await pathWith({chromium: works, mine: works, other: "echo 'Something 1.0'"});
  const named = (name: string) => findBrowser({PATH, CHROMIUM_BIN: path.join(PATH, name)});
  expect(named('mine')).toBe(path.join(PATH, 'mine'));
  expect(() => named('other')).toThrow('which is not a Chromium that runs here');
  expect(() => named('absent')).toThrow('which is not a Chromium that runs here');
});

test('no Chromium is installed for a user without a terminal: the message names the exact command', async () => {
  const PATH = await pathWith({brew: `touch ${folder}/ran`});
  await expect(ensureBrowser({PATH, CI: 'true'})).rejects.toThrow(
    /No Chromium was found.*\n {2}brew install --cask chromium$/s,
  );
  await expect(readFile(path.join(folder, 'ran'))).rejects.toThrow('ENOENT');
});

test('the message says which browser to install when there is no package manager', async () => {
  const PATH = await pathWith({});
  await expect(ensureBrowser({PATH, CI: 'true'})).rejects.toThrow('Install Chromium or Chrome');
});
