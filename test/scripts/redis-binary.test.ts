import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {chmod, mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {ensureRedisServer, findRedisServer} from '../../scripts/redis-server.mjs';

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

const version = (number: string) =>
  `echo 'Redis server v=${number} sha=00000000:0 malloc=libc bits=64 build=0'`;

test('a Redis server in PATH is used when it is 7.0 or newer', async () => {
  const PATH = await pathWith({'redis-server': version('7.0.15')});
  expect(findRedisServer({PATH})).toEqual({bin: path.join(PATH, 'redis-server')});
});

test('an old Redis is skipped when there is a Valkey beside it', async () => {
  const PATH = await pathWith({
    'redis-server': version('6.2.6'),
    'valkey-server': version('8.0.1').replace('Redis', 'Valkey'),
  });
  expect(findRedisServer({PATH})).toEqual({bin: path.join(PATH, 'valkey-server')});
});

test('REDIS_SERVER_BIN has priority over PATH, and a wrong REDIS_SERVER_BIN is an error', async () => {
  const PATH = await pathWith({
    'redis-server': version('7.0.15'),
    mine: version('7.2.0'),
    old: version('5.0.3'),
  });
  const named = (name: string) => findRedisServer({PATH, REDIS_SERVER_BIN: path.join(PATH, name)});
  expect(named('mine')).toEqual({bin: path.join(PATH, 'mine')});
  expect(() => named('old')).toThrow('REDIS_SERVER_BIN is Redis 5.0.3');
  expect(() => named('absent')).toThrow('not a Redis server that runs here');
});

test('no Redis is installed for a user without a terminal: the message names the exact command', async () => {
  const PATH = await pathWith({brew: `touch ${folder}/ran`});
  await expect(ensureRedisServer({PATH, CI: 'true'})).rejects.toThrow(
    /No Redis server was found.*\n {2}brew install redis$/s,
  );
  await expect(readFile(path.join(folder, 'ran'))).rejects.toThrow('ENOENT');
});

test('the message names the path and the version of an old Redis', async () => {
  const PATH = await pathWith({'redis-server': version('6.0.16'), brew: 'true'});
  await expect(ensureRedisServer({PATH, CI: 'true'})).rejects.toThrow(`${PATH}/redis-server 6.0.16 is older`);
});

test('the message says which server to install when there is no package manager', async () => {
  const PATH = await pathWith({});
  await expect(ensureRedisServer({PATH, CI: 'true'})).rejects.toThrow('Install redis-server 7.0 or newer');
});
