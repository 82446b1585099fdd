import {mkdtemp, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {readEverything, withoutInstallation} from '../api/read-everything.js';
import {addFixtures, type Fixtures} from '../api/samples.js';
import {runStandup, spawnKillable} from '../cli/run-standup.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startTestRedis, testRedisUrl} from '../support/redis-server.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {startStoreServers} from '../support/store-kinds.js';

// A story: an installation of two workspaces is exported, and its folder is imported into other stores. With
// MOVE_TARGET_BIN, the path of another server, it moves to another engine.

const kills = 10;
const otherKey = 'the secret key of the other installation, long';
const post = {team: 'platform', update: 'Before the move.'};
const headers = {'idempotency-key': 'before-the-move'};

interface Moved {
  readonly workspace: TestWorkspace;
  readonly fixtures: Fixtures;
  /** The answer to a request that is repeated after the move. */
  readonly answer: string;
  /** The answers to every read. */
  readonly reads: object[];
}

let folder: string;
let out: string;
let service: TestService;
let receiver: Receiver;
const moved: Moved[] = [];

const source = () => ({REDIS_URL: service.redisUrl});
const protect = () => ['--passphrase-file', path.join(folder, 'passphrase')];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'standup-move-'));
  out = path.join(folder, 'all');
  await writeFile(path.join(folder, 'passphrase'), 'correct horse battery');
  receiver = await startReceiver();
  service = await startService({redisUrl: await testRedisUrl()});
  for (const name of ['Acme', 'Other']) {
    const workspace = await service.addWorkspace(name);
    const fixtures = await addFixtures(workspace, receiver.url);
    const {status, text: answer} = await workspace.request('POST', '/v1/standups', {body: post, headers});
    expect(status).toBe(201);
    expect((await runStandup(['workspace', 'freeze', workspace.id], source())).code).toBe(0);
    const read = (to: string, token?: string) => workspace.request('GET', to, {...(token && {token})});
    const reads = withoutInstallation(await readEverything(fixtures, read));
    moved.push({workspace, fixtures, answer, reads});
  }
});

afterAll(async () => {
  await service.close();
  await receiver.close();
  await rm(folder, {recursive: true, force: true});
});

/** Runs a command and kills it with -9 when it has got far enough. */
async function killWhen(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isFar: () => Promise<boolean>,
): Promise<void> {
  const {kill, ended} = spawnKillable(args, env);
  let hasEnded = false;
  void ended.finally(() => (hasEnded = true));
  while (!hasEnded && !(await isFar())) await pause(5);
  kill();
  await ended;
}

const namesIn = (where: string) => readdir(where).catch(() => []);

async function sizeOf(where: string): Promise<number> {
  const sizes = (await namesIn(where)).map((name) =>
    stat(path.join(where, name)).then(
      ({size}) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function countKeys(servers: readonly string[]): Promise<number> {
  const counts = await Promise.all(servers.map((url) => sendToRedis(url, [['DBSIZE']])));
  return counts.reduce((sum, [count]) => sum + Number(count), 0);
}

it('an export of a whole installation that is killed at ten places leaves only complete files, and a repeat finishes', async () => {
  const exportTo = (to: string) => ['workspace', 'export', '--all', '--out', to, ...protect()];
  const measured = path.join(folder, 'measured');
  expect((await runStandup(exportTo(measured), source())).code).toBe(0);
  const bytes = await sizeOf(measured);
  for (let i = 0; i < kills; i++) {
    await rm(out, {recursive: true, force: true});
    await killWhen(exportTo(out), source(), async () => (await sizeOf(out)) >= (bytes * i) / kills);
    for (const name of (await namesIn(out)).filter((one) => one.endsWith('.ndjson')))
      expect(await readFile(path.join(out, name), 'utf8')).toMatch(/\n\{"end":true[^\n]*\n$/);
  }
  const {code, stderr} = await runStandup(exportTo(out), source());
  expect({code, stderr}).toEqual({code: 0, stderr: expect.stringMatching(/^Exported acme:/)});
  expect((await namesIn(out)).toSorted()).toEqual(['acme.ndjson', 'installation.json', 'other.ndjson']);
});

/** The servers to which the installation moves, which are empty. */
interface Target {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** The addresses of its masters. */
  readonly masters: readonly string[];
  stop(): Promise<void>;
}

async function startOther(): Promise<Target> {
  const bin = process.env['MOVE_TARGET_BIN'];
  const {url, stop} = await startTestRedis(bin === undefined ? {} : {bin});
  return {url, env: {REDIS_URL: url}, masters: [url], stop};
}

async function startCluster(): Promise<Target> {
  const {url, env, servers, stop} = await startStoreServers('cluster');
  return {url, env, masters: servers.slice(0, 3).map((one) => one.url), stop};
}

it.each([
  ['another Redis', startOther],
  ['a cluster', startCluster],
])(
  'an import of a whole installation into %s that is killed at ten places is finished by a repeat, and every read is the same',
  async (_, startTarget) => {
    const target = await startTarget();
    const env = {...target.env, SECRET_KEY: otherKey};
    const importAll = ['workspace', 'import', '--all', out, ...protect()];
    try {
      const keys = await countKeys([service.redisUrl]);
      for (let i = 0; i < kills; i++)
        await killWhen(importAll, env, async () => (await countKeys(target.masters)) >= (keys * i) / kills);
      const {code, stderr} = await runStandup(importAll, env);
      expect({code, stderr}).toEqual({code: 0, stderr: ''});
      await expectSame(target.url, env);
    } finally {
      await target.stop();
    }
  },
);

/** Reads everything with the tokens of before, and repeats a request of before. */
async function expectSame(redisUrl: string, env: Readonly<Record<string, string>>): Promise<void> {
  const web = await startService({redisUrl, env: {...env, ROLES: 'web'}});
  try {
    for (const {workspace, fixtures, answer, reads} of moved) {
      const read = (to: string, token = workspace.token) => sendRequest(web.url, 'GET', to, {token});
      expect(withoutInstallation(await readEverything(fixtures, read))).toEqual(reads);
      const again = await sendRequest(web.url, 'POST', '/v1/standups', {
        token: workspace.token,
        body: post,
        headers,
      });
      expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
        201,
        answer,
        'true',
      ]);
    }
  } finally {
    await web.close();
  }
}
