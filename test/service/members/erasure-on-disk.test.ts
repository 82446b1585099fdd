import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {addPerson} from '../../api/people.js';
import {addWebhook, deliveryIn} from '../../jobs/stage.js';
import {dumpRedis} from '../../store/dump.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {startService, type TestService} from '../../support/service.js';
import {until} from '../../support/until.js';

let redis: TestRedis;
let service: TestService;
let receiver: Receiver;

beforeAll(async () => {
  redis = await startTestRedis({appendfsync: 'everysec'});
  service = await startService({redisUrl: redis.url});
  receiver = await startReceiver();
});

afterAll(async () => {
  await service.close();
  await receiver.close();
  await redis.stop();
});

const mark = 'wordsondisk';

/** Finds the files of Redis that contain this text. */
async function filesWith(text: string): Promise<string[]> {
  const files = await readdir(redis.dataDir, {recursive: true, withFileTypes: true});
  const found: string[] = [];
  for (const file of files.filter((one) => one.isFile())) {
    const content = await readFile(path.join(file.parentPath, file.name)).catch(() => Buffer.alloc(0));
    if (content.includes(text)) found.push(file.name);
  }
  return found;
}

/** Kinds of texts that the person writes. Each has its own words, so that a remaining text shows its kind. */
const kinds = [
  'name',
  'update',
  'revision',
  'answer',
  'stuck',
  'blocker',
  'absence',
  'typed',
  'replay',
  'delivery',
] as const;
const textOf = (kind: (typeof kinds)[number]) => `${mark}-${kind}`;

async function kindsOnDisk(): Promise<string[]> {
  const found = await Promise.all(
    kinds.map(async (kind) => ((await filesWith(textOf(kind))).length > 0 ? [kind] : [])),
  );
  return found.flat();
}

it('no text of an erased member remains in the store or in its append-only file', async () => {
  const workspace = await service.addWorkspace();
  const ada = await addPerson(service, workspace, {
    name: `Ada ${textOf('name')}`,
    team: 'platform',
    slack_user_id: 'U0ADA',
  });
  const send = async (method: string, route: string, body: object, own = true, key?: string) => {
    const reply = await workspace.request(method, route, {
      body,
      ...(own && {token: ada.token}),
      ...(key !== undefined && {headers: {'idempotency-key': key}}),
    });
    if (reply.status >= 300) throw new Error(`${method} ${route}: ${reply.text}`);
    return reply.body;
  };
  // The receiver repeats the request in its answer, which is stored with the attempt.
  receiver.respondWith(({body}) => ({status: 200, body: `got ${body.toString()}`}));
  const hook = await addWebhook(workspace, receiver, {events: ['standup.created']});
  const questions = [
    {key: 'feeling', label: 'How is it?', type: 'text'},
    {key: 'stuck', label: 'What is in your way?', type: 'text', raises_blocker: true},
  ];
  await send('PATCH', '/v1/teams/platform', {questions}, false);
  await send('POST', '/v1/standups', {team: 'platform', update: 'Of somebody else.'}, false);

  const {id} = await send('POST', '/v1/standups', {team: 'platform', update: textOf('revision')});
  await send('PATCH', `/v1/standups/${id}`, {update: textOf('update')});
  const answers = [
    {question: 'feeling', value: textOf('answer')},
    {question: 'stuck', value: textOf('stuck')},
  ];
  await send('POST', '/v1/standups', {team: 'platform', answers});
  await send('POST', '/v1/blockers', {team: 'platform', text: textOf('blocker')});
  await send('POST', '/v1/absences', {reason: textOf('absence')});
  const asAda = {...workspace.operator(), principal: {type: 'member', id: ada.id, name: 'Ada'} as const};
  const heard = {kind: 'typed', key: '1.1', ts: '1.1', channel: 'D1', command: false} as const;
  await service.core.services.typing.hear(asAda, 'U0ADA', {...heard, text: textOf('typed')});
  await send('POST', '/v1/standups', {team: 'platform', update: textOf('replay')}, true, 'once');
  await send('POST', '/v1/standups', {team: 'platform', update: textOf('delivery')});
  await receiver.waitFor((received) => received.some(({body}) => body.includes(textOf('delivery'))));
  await deliveryIn(workspace, hook, 'succeeded');
  await until(async () => (await kindsOnDisk()).length === kinds.length, {what: 'all was on the disk'});

  await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  await until(async () => (await kindsOnDisk()).length === 0, {
    what: 'the words were gone from the disk',
    withinMs: 20_000,
  }).catch(async (error: unknown) => {
    throw new Error(`${String(error)}: ${(await kindsOnDisk()).join()}`);
  });
  expect((await dumpRedis(redis.url)).text).not.toContain(mark);
  // Waits, because a file cannot be read while it is being replaced.
  await until(async () => (await filesWith('Of somebody else.')).length > 0, {
    what: 'the words of somebody else stayed on the disk',
  });
});
