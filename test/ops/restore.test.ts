import {afterEach, expect, it} from '@jest/globals';
import {execFile} from 'node:child_process';
import {copyFile, link, mkdir, mkdtemp, readdir, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {findInPath} from '../../scripts/paths.mjs';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {ensureRedisServer} from '../../scripts/redis-server.mjs';
import {startLoad} from '../faults/load.js';
import {findFreePort} from '../support/free-port.js';
import {startTestRedis, type TestRedis} from '../support/redis-server.js';
import {type Json, sendRequest, startService, type TestService} from '../support/service.js';
import {root, startProcess} from '../support/service-process.js';
import {until} from '../support/until.js';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function readPersistence(url: string, field: string): Promise<string | undefined> {
  const [info] = await sendToRedis(url, [['INFO', 'persistence']]);
  return new RegExp(`^${field}:(.*)\r?$`, 'm').exec(String(info))?.[1]?.trim();
}

async function copyFiles(from: string, to: string, copy: typeof copyFile | typeof link): Promise<void> {
  await mkdir(to, {recursive: true});
  for (const name of await readdir(from)) await copy(path.join(from, name), path.join(to, name));
}

/** Loads dump.rdb without the append-only file, then turns that on, as docs/operating/restore.md says. */
async function convertToAppendOnlyFile(dataDir: string): Promise<void> {
  const port = String(await findFreePort());
  const url = `redis://127.0.0.1:${port}`;
  const args = ['--dir', dataDir, '--port', port, '--bind', '127.0.0.1', '--appendonly', 'no', '--save', ''];
  const server = startProcess(await ensureRedisServer(process.env), args);
  cleanUps.push(() => server.kill());
  await until(
    () =>
      sendToRedis(url, [['PING']]).then(
        () => true,
        () => false,
      ),
    {what: 'Redis has loaded'},
  );
  await sendToRedis(url, [['CONFIG', 'SET', 'appendonly', 'yes']]);
  await until(async () => (await readPersistence(url, 'aof_rewrite_in_progress')) === '0');
  expect(await readPersistence(url, 'aof_enabled')).toBe('1');
  expect(await readPersistence(url, 'aof_last_bgrewrite_status')).toBe('ok');
  server.signal('SIGTERM');
  await server.exited;
}

/** The ways to make a backup. Each returns how to put it into an empty folder of Redis. */
type Backup = (redis: TestRedis, folder: string) => Promise<(dataDir: string) => Promise<void>>;

const backups: Readonly<Record<string, Backup>> = {
  async 'redis-cli --rdb'({url}, folder) {
    const file = path.join(folder, 'standup.rdb');
    await sendToRedis(url, [['CONFIG', 'SET', 'repl-diskless-sync-delay', '0']]);
    await promisify(execFile)('redis-cli', ['-u', url, '--rdb', file]);
    return async (dataDir) => {
      await copyFile(file, path.join(dataDir, 'dump.rdb'));
      await convertToAppendOnlyFile(dataDir);
    };
  },
  async 'a copy of the append-only file'({dataDir: from}, folder) {
    const source = path.join(from, 'appendonlydir');
    await copyFiles(source, path.join(folder, 'links'), link);
    await copyFiles(path.join(folder, 'links'), path.join(folder, 'backup'), copyFile);
    // Redis is started here with the repair that `redis-check-aof --fix` does.
    return (dataDir) => copyFiles(path.join(folder, 'backup'), path.join(dataDir, 'appendonlydir'), copyFile);
  },
};

/** Reads a whole collection through the API. */
async function readAll(service: TestService, token: string, collection: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor = ''; ; ) {
    const {status, body} = await sendRequest(service.url, 'GET', `${collection}?limit=100${cursor}`, {token});
    expect(status).toBe(200);
    rows.push(...body.data);
    if (!body.has_more) return rows;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

for (const [name, makeBackup] of Object.entries(backups)) {
  const isPossible = !name.startsWith('redis-cli') || findInPath('redis-cli') !== undefined;

  (isPossible ? it : it.skip)(
    `everything that was acknowledged before a backup is back after its restore: ${name}${isPossible ? '' : ' (skipped: this machine has no redis-cli)'}`,
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'standup-backup-'));
      cleanUps.push(() => rm(folder, {recursive: true, force: true}));
      const redis = await startTestRedis();
      cleanUps.push(() => redis.stop());
      const service = await startService({redisUrl: redis.url});
      let isClosed = false;
      cleanUps.push(async () => isClosed || service.close());
      const workspace = await service.addWorkspace();
      const {token} = workspace;
      await workspace.request('POST', '/v1/webhooks', {
        body: {url: 'https://hooks.example.com/', events: ['*']},
      });

      const load = startLoad({urls: [service.url], token, clients: 8, restMs: 0});
      await until(() => load.acknowledged.length > 100, {what: 'the load runs'});
      const before = load.acknowledged.map(({id}) => id);
      const putBack = await makeBackup(redis, folder);
      const during = load.acknowledged.length;
      await until(() => load.acknowledged.length > during + 50, {what: 'the load goes on'});
      await load.stop();
      const [standups, events, teams, webhooks] = await Promise.all(
        ['/v1/standups', '/v1/events', '/v1/teams', '/v1/webhooks'].map((each) =>
          readAll(service, token, each),
        ),
      );
      await service.close();
      isClosed = true;

      const dataDir = await mkdtemp(path.join(tmpdir(), 'standup-restored-'));
      await putBack(dataDir);
      const restoredRedis = await startTestRedis({dataDir});
      cleanUps.push(() => restoredRedis.stop());
      const restored = await startService({redisUrl: restoredRedis.url});
      cleanUps.push(() => restored.close());

      const restoredEvents = await readAll(restored, token, '/v1/events');
      expect(restoredEvents.length).toBeLessThan(events?.length ?? 0);
      expect(restoredEvents).toEqual(events?.slice(0, restoredEvents.length));
      const restoredStandups = await readAll(restored, token, '/v1/standups');
      const found = new Set(restoredStandups.map(({id}) => id));
      expect(before.filter((id) => !found.has(id))).toEqual([]);
      expect(restoredStandups).toEqual(standups?.filter(({id}) => found.has(id)));
      expect(await readAll(restored, token, '/v1/teams')).toEqual(teams);
      expect(await readAll(restored, token, '/v1/webhooks')).toEqual(webhooks);
      const posted = await sendRequest(restored.url, 'POST', '/v1/standups', {
        token,
        body: {team: 'platform', update: 'After the restore.'},
      });
      expect(posted.status).toBe(201);
    },
  );
}

it('Redis with an append-only file ignores a dump, which is why the restore loads it without', async () => {
  expect(await readFile(path.join(root, 'docs/operating/restore.md'), 'utf8')).toContain('--appendonly no');
  const redis = await startTestRedis();
  cleanUps.push(() => redis.stop());
  await sendToRedis(redis.url, [['SET', 'a', '1'], ['SAVE']]);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'standup-restored-'));
  await copyFile(path.join(redis.dataDir, 'dump.rdb'), path.join(dataDir, 'dump.rdb'));
  const empty = await startTestRedis({dataDir});
  cleanUps.push(() => empty.stop());
  expect(await sendToRedis(empty.url, [['DBSIZE']])).toEqual([0]);
});
