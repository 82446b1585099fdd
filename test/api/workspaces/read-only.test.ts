import {afterAll, afterEach, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {isReadOnly} from '../../../src/api/http/route.js';
import {readTimeAt, type RedisCommand} from '../../../src/store/core/connection.js';
import {globalKeys, workspaceKeys} from '../../../src/store/core/keys.js';
import {rowsOf, runStandup} from '../../cli/run-standup.js';
import {addWebhook, deliveriesOf, postStandups} from '../../jobs/stage.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addFixtures, eventsOf, routes, sampleOf} from '../samples.js';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
  receiver = await startReceiver();
});

afterEach(async () => {
  await standup('thaw');
  await receiver.close();
});

afterAll(() => service.close());

const standup = (command: 'freeze' | 'thaw') =>
  runStandup(['workspace', command, workspace.id], {REDIS_URL: service.redisUrl});
const redisCall = (...command: RedisCommand): Promise<Json> =>
  service.core.store.connection.call<string | string[]>(performance.now() + 5_000, command);
const post = (update: string, key?: string) =>
  workspace.request('POST', '/v1/standups', {
    body: {team: 'platform', update},
    ...(key !== undefined && {headers: {'idempotency-key': key}}),
  });

it('a read-only workspace answers every read and refuses every change with workspace_read_only', async () => {
  const fixtures = await addFixtures(workspace, receiver.url);
  await workspace.request('POST', '/v1/teams/platform/runs');
  const {code, stdout, stderr} = await standup('freeze');
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(stdout).toMatch(
    /^\S+ is read-only since 20\S+Z\. End this with: standup-admin workspace thaw \S+\n$/,
  );
  const before = await eventsOf(workspace);
  for (const route of routes) {
    const {path, body, token} = sampleOf(route, fixtures);
    const ofOpenRun = route.operation === 'remindTeam' ? '/v1/teams/platform/reminders' : path;
    const answer = await workspace.request(route.method, ofOpenRun, {body, ...(token && {token})});
    if (isReadOnly(route))
      expect({...answer, status: answer.status < 300}).toEqual({...answer, status: true});
    else {
      expectProblem(answer, 'workspace_read_only');
      expect(answer.headers.get('retry-after')).toBe('60');
    }
  }
  expect(await eventsOf(workspace)).toEqual(before);
  const list = rowsOf((await runStandup(['workspace', 'list'], {REDIS_URL: service.redisUrl})).stdout);
  expect(list.map(([, , id, , state]) => [id, state])).toContainEqual([workspace.id, 'read-only']);
});

it('a repeat of an earlier request gets its answer from a read-only workspace', async () => {
  const made = await post('Before it was read-only.', 'made-before');
  await standup('freeze');
  const again = await post('Before it was read-only.', 'made-before');
  expect([again.status, again.text]).toEqual([201, made.text]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expectProblem(await post('Before it was read-only.', 'another'), 'workspace_read_only');
});

it('a read-only workspace records the delivery in progress, begins none, and sends the others once after its end', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<number>((resolve) => (answer = () => resolve(204)));
  receiver.respondWith(() => answered);
  const hook = await addWebhook(workspace, receiver, {concurrency: 1});
  await postStandups(workspace);
  await until(() => receiver.received.length === 1, {what: 'the first delivery is being sent'});
  await postStandups(workspace, 3);
  await until(async () => (await deliveriesOf(workspace, hook)).length === 4, {what: 'four deliveries'});
  await standup('freeze');
  answer();
  await until(async () => (await deliveriesOf(workspace, hook)).some(({state}) => state === 'succeeded'), {
    what: 'the result of the first delivery',
  });
  // The index has put the workspace off, so that it costs one look every few seconds.
  await until(
    async () => {
      const now = await readTimeAt(
        service.core.store.connection,
        globalKeys.due(),
        performance.now() + 5_000,
      );
      return Number(await redisCall('ZSCORE', globalKeys.due(), workspace.id)) > now + 2_000;
    },
    {what: 'the workspace is put off'},
  );
  expect(receiver.received).toHaveLength(1);
  expect((await standup('thaw')).stdout).toMatch(/^\S+ works again\n$/);
  expect((await standup('thaw')).stdout).toMatch(/^\S+ was not read-only\n$/);
  await until(async () => (await deliveriesOf(workspace, hook)).every(({state}) => state === 'succeeded'), {
    what: 'all deliveries',
  });
  expect(receiver.received.map(({id}) => id).toSorted()).toEqual(
    [...new Set(receiver.received.map(({id}) => id))].toSorted(),
  );
  expect(receiver.received).toHaveLength(4);
});

const exportTo = (write: (text: string) => Promise<void>, note: (sentence: string) => void, waitMs: number) =>
  service.core.store.exportWorkspace({
    workspace: {id: workspace.id, slug: 'acme'},
    passphrase: 'correct horse battery',
    write,
    note,
    waitMs,
  });

it('an export waits for what is being sent, and says what it waits for', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<number>((resolve) => (answer = () => resolve(204)));
  receiver.respondWith(() => answered);
  const hook = await addWebhook(workspace, receiver);
  await postStandups(workspace);
  await until(() => receiver.received.length === 1, {what: 'the delivery is being sent'});
  await standup('freeze');
  const written: string[] = [];
  const write = async (text: string) => void written.push(text);
  await expect(exportTo(write, () => undefined, 300)).rejects.toThrow(
    /^acme is read-only, but still in progress: 1 delivery\. Nothing was exported/,
  );
  expect(written).toEqual([]);
  setTimeout(answer, 200);
  const {keys} = await exportTo(write, () => undefined, 30_000);
  expect(JSON.parse(written.at(-1) ?? '')).toMatchObject({end: true, keys});
  expect((await deliveriesOf(workspace, hook)).map(({state}) => state)).toEqual(['succeeded']);
  // Both copies would go on.
  expect((await standup('thaw')).stderr).toMatch(/^It was exported in the meantime\./);
});

it('an export of a workspace that changes meanwhile has no end, and says so', async () => {
  await standup('freeze');
  const written: string[] = [];
  const head = workspaceKeys(workspace.id).head();
  const write = async (text: string) => {
    written.push(text);
    if (written.length === 2) await redisCall('HINCRBY', head, 'sequence', '1');
  };
  await expect(exportTo(write, () => undefined, 1_000)).rejects.toThrow(
    /^acme has changed while it was exported/,
  );
  expect(written.join('')).not.toContain('"end"');
  // Also if it was thawed and is read-only again.
  written.length = 0;
  const thawed = async (text: string) => {
    written.push(text);
    if (written.length !== 2) return;
    await standup('thaw');
    await standup('freeze');
  };
  await expect(exportTo(thawed, () => undefined, 1_000)).rejects.toThrow(
    /^acme has changed while it was exported/,
  );
});
