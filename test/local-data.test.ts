import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {findRunningStart, removeStartRecord, recordStart, readOrCreateSecretKey} from '../src/local-data.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = path.join(await mkdtemp(path.join(tmpdir(), 'standup-local-')), 'data');
});
afterEach(() => rm(path.dirname(dataDir), {recursive: true, force: true}));

test('the secret key is made once, with 256 random bits, in a file that only the owner can read', async () => {
  const key = await readOrCreateSecretKey(dataDir);
  expect(Buffer.from(key, 'base64url')).toHaveLength(32);
  expect(await readOrCreateSecretKey(dataDir)).toBe(key);
  expect((await stat(path.join(dataDir, 'secret-key'))).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(['secret-key']);
});

test('a data folder that other users could read is made private', async () => {
  await mkdir(dataDir, {mode: 0o755});
  await chmod(dataDir, 0o755);
  await readOrCreateSecretKey(dataDir);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
});

test('processes that start at the same time get the same secret key', async () => {
  const keys = await Promise.all(Array.from({length: 20}, () => readOrCreateSecretKey(dataDir)));
  expect(new Set(keys).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(['secret-key']);
});

test('a key file that was cut short is refused and not replaced', async () => {
  await readOrCreateSecretKey(dataDir);
  const file = path.join(dataDir, 'secret-key');
  await writeFile(file, 'short');
  await expect(readOrCreateSecretKey(dataDir)).rejects.toThrow('holds no usable key');
  expect(await readFile(file, 'utf8')).toBe('short');
});

const isAlive = () => true;

test('the embedded Redis is found only while it runs', async () => {
  expect(await findRunningStart(dataDir, isAlive)).toBeUndefined();
  await readOrCreateSecretKey(dataDir);
  const address = {url: 'redis://default:secret@127.0.0.1:20000', pid: 4711};
  await writeFile(path.join(dataDir, 'redis.json'), JSON.stringify(address));
  expect(await findRunningStart(dataDir, isAlive)).toEqual({...address, isLocal: true});
});

test('a service with an external Redis is found while it runs, and no longer once it ends', async () => {
  await readOrCreateSecretKey(dataDir);
  const first = {url: 'redis://:secret@127.0.0.1:20000', pid: process.pid};
  await recordStart(dataDir, first);
  expect(await findRunningStart(dataDir, isAlive)).toEqual({...first, isLocal: false});
  expect((await stat(path.join(dataDir, 'running.json'))).mode & 0o777).toBe(0o600);
  const later = {url: 'redis://127.0.0.1:20001', pid: process.pid + 1};
  await recordStart(dataDir, later);
  await removeStartRecord(dataDir, first);
  expect(await findRunningStart(dataDir, isAlive)).toEqual({...later, isLocal: false});
  await removeStartRecord(dataDir, later);
  expect(await findRunningStart(dataDir, isAlive)).toBeUndefined();
});

test('a service that was killed is not mistaken for a running one', async () => {
  await readOrCreateSecretKey(dataDir);
  await recordStart(dataDir, {url: 'redis://127.0.0.1:20000', pid: 4711});
  expect(await findRunningStart(dataDir, (pid) => pid !== 4711)).toBeUndefined();
});
