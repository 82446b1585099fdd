import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {addPerson} from '../api/people.js';
import {dumpRedis} from '../store/dump.js';
import {startTestRedis, type TestRedis} from '../support/redis-server.js';
import {startService, type TestService} from '../support/service.js';
import {until} from '../support/until.js';

let redis: TestRedis;
let service: TestService;

beforeAll(async () => {
  redis = await startTestRedis({appendfsync: 'everysec'});
  service = await startService({redisUrl: redis.url});
});

afterAll(async () => {
  await service.close();
  await redis.stop();
});

const mark = 'wordsondisk';

/** The files in which Redis has something that a person wrote. */
async function filesWith(words: string): Promise<string[]> {
  const files = await readdir(redis.dataDir, {recursive: true, withFileTypes: true});
  const found: string[] = [];
  for (const file of files.filter((one) => one.isFile())) {
    const content = await readFile(path.join(file.parentPath, file.name)).catch(() => Buffer.alloc(0));
    if (content.includes(words)) found.push(file.name);
  }
  return found;
}

it('the words of a member who is erased are gone from the store, and from the file in which it writes every change', async () => {
  const workspace = await service.addWorkspace();
  const ada = await addPerson(service, workspace, {name: `Ada ${mark}`, team: 'platform'});
  const post = (update: string, token?: string) =>
    workspace.request('POST', '/v1/standups', {
      body: {team: 'platform', update},
      ...(token !== undefined && {token}),
    });
  await post('Of somebody else.');
  for (let i = 0; i < 5; i++) await post(`${mark} ${i}`, ada.token);
  await until(async () => (await filesWith(mark)).length > 0, {what: 'the words were on the disk'});

  await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  await until(async () => (await filesWith(mark)).length === 0, {
    what: 'the words were gone from the disk',
    withinMs: 20_000,
  });
  expect((await dumpRedis(redis.url)).text).not.toContain(mark);
  expect(await filesWith('Of somebody else.')).not.toEqual([]);
});
