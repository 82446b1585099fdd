import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {type ReceivedRequest, type Receiver, startReceiver, verifyWebhook} from '../support/receiver.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {
  addWebhook,
  createCleanUps,
  createPerformer,
  fanOutOnce,
  type JobWebhook,
  postStandups,
  newDeadline,
} from './stage.js';

const cleanUps = createCleanUps();
let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let hook: JobWebhook;

beforeEach(async () => {
  service = await startService();
  cleanUps.add(() => service.close());
  receiver = await startReceiver();
  cleanUps.add(() => receiver.close());
  workspace = await service.addWorkspace();
  hook = await addWebhook(workspace, receiver);
});

afterEach(() => cleanUps.run());

/** Rotates the secret and returns the new one. */
async function rotate(overlap?: number, through = workspace): Promise<string> {
  const {status, body, text} = await through.request('POST', `/v1/webhooks/${hook.id}/rotate-secret`, {
    ...(overlap !== undefined && {body: {overlap_seconds: overlap}}),
  });
  if (status !== 200) throw new Error(text);
  return body.secret;
}

/** Posts a standup and returns its delivery. */
async function nextDelivery(): Promise<ReceivedRequest> {
  const before = receiver.received.length;
  await postStandups(workspace);
  const sent = (await receiver.waitFor(before + 1))[before];
  if (sent === undefined) throw new Error('nothing came');
  return sent;
}

/** Returns the secrets with which the official library can verify a delivery. */
function verifying(delivery: ReceivedRequest, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => {
    try {
      verifyWebhook(delivery, secret);
      return true;
    } catch {
      return false;
    }
  });
}

const signatures = ({headers}: ReceivedRequest) => (headers['webhook-signature'] ?? '').split(' ');

it('during the overlap of a rotation a delivery can be verified with the new secret and with the old one', async () => {
  const next = await rotate();
  const sent = await nextDelivery();
  expect(verifying(sent, [hook.secret, next])).toEqual([hook.secret, next]);
  expect(signatures(sent)).toHaveLength(2);
  const first = {...sent, headers: {...sent.headers, 'webhook-signature': signatures(sent)[0] ?? ''}};
  expect(verifying(first, [hook.secret, next])).toEqual([next]);
});

it('a rotation with an overlap of 0 ends every earlier secret at once', async () => {
  const second = await rotate();
  const third = await rotate(0);
  const sent = await nextDelivery();
  expect(verifying(sent, [hook.secret, second, third])).toEqual([third]);
  expect(signatures(sent)).toHaveLength(1);
});

it('after the overlap of a rotation the old secret signs no more and is removed from the store', async () => {
  const next = await rotate(5);
  expect(verifying(await nextDelivery(), [hook.secret, next])).toEqual([hook.secret, next]);
  const {connection} = service.core.store;
  const [earlier] = workspaceKeys(workspace.id).earlierSecrets(hook.suffix);
  await until(async () => (await connection.call(newDeadline(), ['EXISTS', earlier])) === 0, {
    what: 'the overlap is over',
  });
  expect(verifying(await nextDelivery(), [hook.secret, next])).toEqual([next]);
});

it('a webhook signs with at most three secrets, and a further rotation drops the oldest', async () => {
  const secrets = [hook.secret, await rotate(), await rotate(), await rotate()];
  expect(verifying(await nextDelivery(), secrets)).toEqual(secrets.slice(1));
});

it('a rotation shortens the overlap of earlier secrets to its own', async () => {
  await rotate(604_800);
  await rotate(60);
  const {connection} = service.core.store;
  for (const key of workspaceKeys(workspace.id).earlierSecrets(hook.suffix)) {
    const left = await connection.call<number>(newDeadline(), ['PTTL', key]);
    expect({alive: left > 0, over: left > 60_000}).toEqual({alive: true, over: false});
  }
});

it('a rotation in one process applies at once to deliveries from another process', async () => {
  const web = await startService({env: {ROLES: 'web'}, redisUrl: service.redisUrl});
  cleanUps.add(() => web.close());
  await nextDelivery();
  const elsewhere: TestWorkspace = {
    ...workspace,
    request: (method, path, options = {}) =>
      sendRequest(web.url, method, path, {token: workspace.token, ...options}),
  };
  for (let round = 0; round < 5; round++) {
    const next = await rotate(0, elsewhere);
    expect(verifying(await nextDelivery(), [next])).toEqual([next]);
  }
});

it('regression: deliveries claimed after a rotation are signed with the new secret, even by a process that has the old one in memory', async () => {
  const web = await startService({env: {ROLES: 'web'}});
  cleanUps.add(() => web.close());
  workspace = await web.addWorkspace();
  hook = await addWebhook(workspace, receiver);
  await postStandups(workspace, 17);
  await fanOutOnce(web, workspace);
  const {deliver, close} = createPerformer(web);
  cleanUps.add(close);
  const answers: (() => void)[] = [];
  receiver.respondWith(() => new Promise((resolve) => answers.push(() => resolve(204))));
  const slice = () =>
    deliver.perform({
      workspace: workspace.id,
      work: {kind: 'deliver', webhook: hook.suffix},
      until: newDeadline(),
      signal: new AbortController().signal,
    });
  await slice();
  await receiver.waitFor(16);
  const next = await rotate(0);
  answers.shift()?.();
  await until(async () => {
    await slice();
    return receiver.received.length === 17;
  });
  const last = receiver.received[16];
  if (last === undefined) throw new Error('nothing came');
  expect(verifying(last, [hook.secret, next])).toEqual([next]);
  await until(() => answers.length === 16);
  for (const answer of answers) answer();
  await deliver.close();
});
