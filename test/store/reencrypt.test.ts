import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import {Webhook} from 'standardwebhooks';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {globalKeys} from '../../src/store/core/keys.js';
import {createCipher} from '../../src/store/core/cipher.js';
import {reencryptStore} from '../../src/store/reencrypt.js';
import {runStandup} from '../cli/run-standup.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {watchRedis} from '../support/watch-redis.js';
import {dumpRedis} from './dump.js';
import {openTestStore, testSecretKey} from './open-test-store.js';

const next = 'the next secret key, also with 32 characters';
const installer = {slackUser: 'U0INSTALLER', name: 'Ines', timezone: null};
const both = {SECRET_KEY: next, SECRET_KEY_PREVIOUS: testSecretKey};

let redisUrl: string;
let workspace: TestWorkspace;
let receiver: Receiver;
let made: {webhook: string; secret: string; text: string; token: string; invites: string};
const headers = {'idempotency-key': 'before-the-change'};
const inviteHeaders = {'idempotency-key': 'of-an-invite'};
const newInvite = {emails: ['grace@example.com']};
const newWebhook = () => ({
  url: receiver.url,
  events: ['standup.*'],
  headers: {authorization: 'Bearer of-the-receiver'},
});

beforeEach(async () => {
  receiver = await startReceiver();
  const service = await startService();
  ({redisUrl} = service);
  workspace = await service.addWorkspace();
  const answer = await workspace.request('POST', '/v1/webhooks', {body: newWebhook(), headers});
  const invites = await workspace.request('POST', '/v1/invites', {body: newInvite, headers: inviteHeaders});
  const {id, secret: first} = answer.body;
  const rotated = await workspace.request('POST', `/v1/webhooks/${id}/rotate-secret`, {body: {}});
  expect(rotated.body.secret).toMatch(/^whsec_/);
  expect(rotated.body.secret).not.toBe(first);
  await service.core.services.slackConnections.connect(
    {slackId: 'T0SEALED', name: 'Sealed', botToken: 'xoxb-sealed', installer},
    performance.now() + 5_000,
  );
  await service.core.signingKeys.rotate(performance.now() + 5_000);
  made = {
    webhook: id,
    secret: rotated.body.secret,
    text: answer.text,
    token: workspace.token,
    invites: invites.text,
  };
  await service.close();
});

afterEach(() => receiver.close());

const standup = (env: Record<string, string>) =>
  runStandup(['keys', 'reencrypt'], {REDIS_URL: redisUrl, ...env});

/** Returns the lifetimes of the encrypted values of a workspace (s). */
async function lifetimes(): Promise<Map<string, number>> {
  const {keys} = await dumpRedis(redisUrl);
  const encryptedKeys = keys.filter((key) => /^\{ws_[^}]+\}:(?:[si]:|w:.*:headers$|slack-token$)/.test(key));
  const left = await sendToRedis(
    redisUrl,
    encryptedKeys.map((key) => ['TTL', key]),
  );
  return new Map(encryptedKeys.map((key, i) => [key, Number(left[i])]));
}

describe('the command `standup-admin keys reencrypt`', () => {
  it('leaves no text that needs the earlier key, and changes no expiry', async () => {
    const before = await lifetimes();
    expect(before.size).toBeGreaterThanOrEqual(5);
    const {code, stdout, stderr} = await standup(both);
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    // Encrypted values: the check value, two signing keys, the webhook's current and previous secret, its
    // headers, two stored replies, and the token of a Slack workspace.
    expect(stdout).toMatch(/^(?:9|10|11) encrypted again; /);
    for (const [key, seconds] of await lifetimes()) {
      expect({key, difference: Math.abs(seconds - (before.get(key) ?? 0)) < 60}).toEqual({
        key,
        difference: true,
      });
    }
    expect((await standup(both)).stdout).toMatch(/^0 encrypted again; /);
    expect((await standup({SECRET_KEY: next})).stdout).toMatch(/^0 encrypted again; /);
  });

  it('makes all data usable with the new key alone: tokens, repeated requests and signed deliveries', async () => {
    await standup(both);
    const service = await startService({redisUrl, env: {SECRET_KEY: next}});
    try {
      const request = (method: string, path: string, options: object = {}) =>
        workspaceAt(service, method, path, options);
      expect((await request('GET', '/v1/me')).status).toBe(200);
      const again = await request('POST', '/v1/webhooks', {body: newWebhook(), headers});
      expect(again.text).toBe(made.text);
      const invited = await request('POST', '/v1/invites', {body: newInvite, headers: inviteHeaders});
      expect(invited.text).toBe(made.invites);
      const posted = await request('POST', '/v1/standups', {
        body: {team: 'platform', update: 'Under a new key.'},
      });
      expect(posted.status).toBe(201);
      const [delivery] = await until(() => receiver.received.length > 0 && receiver.received, {
        what: 'a delivery',
      });
      const event = new Webhook(made.secret).verify(
        String(delivery?.body),
        delivery?.headers as Record<string, string>,
      );
      expect(delivery?.headers).toMatchObject({authorization: 'Bearer of-the-receiver'});
      expect(event).toMatchObject({type: 'standup.created', data: {update: 'Under a new key.'}});
    } finally {
      await service.close();
    }
  });

  it('makes the store refuse to open with the earlier key alone', async () => {
    await standup(both);
    await expect(openTestStore({url: redisUrl})).rejects.toThrow(/SECRET_KEY is not the one/);
    const {code, stderr} = await standup({SECRET_KEY: testSecretKey});
    expect({code, says: stderr.startsWith('SECRET_KEY is not the one')}).toEqual({code: 1, says: true});
  });

  it('reads the names of all keys once for all kinds of secrets', async () => {
    await standup(both);
    const {store} = await openTestStore({url: redisUrl, secretKey: next});
    try {
      const commands = await watchRedis(redisUrl, () => store.reencrypt());
      expect(commands.filter((one) => one.startsWith('SCAN'))).toHaveLength(1);
      expect(commands.filter((one) => one.startsWith('GET')).length).toBeGreaterThanOrEqual(5);
    } finally {
      await store.close();
    }
  });

  it('regression: encrypts a secret that moved to a master which a search had passed already', async () => {
    const {keys} = await dumpRedis(redisUrl);
    const moves = keys.find((key) => key.endsWith(':slack-token')) ?? '';
    const [earlier] = await sendToRedis(redisUrl, [['GET', moves]]);
    await standup(both);
    await sendToRedis(redisUrl, [['SET', moves, String(earlier)]]);
    const {store} = await openTestStore({url: redisUrl, secretKey: next, secretKeyPrevious: testSecretKey});
    const {connection, cipher} = store;
    const [only] = await connection.nodes('masters', performance.now() + 5_000);
    if (only === undefined) throw new Error('there is no master');
    let looks = 0;
    const moving: Parameters<typeof reencryptStore>[0] = {
      ...connection,
      kind: 'cluster',
      nodes: async () => {
        looks += 1;
        const isPassed = looks === 1;
        return [
          {
            ...only,
            async call(deadline, args) {
              const [cursor, found] = await only.call<[string, string[]]>(deadline, args);
              return [cursor, found.filter((key) => key !== moves || !isPassed)] as never;
            },
          },
        ];
      },
    };
    try {
      expect(await reencryptStore(moving, cipher)).toEqual({rewritten: 1, unreadable: 0});
    } finally {
      await store.close();
    }
  });

  it('reports a secret that neither key decrypts, and encrypts the others', async () => {
    await standup(both);
    const lost = createCipher('a key between them, of 32 or more characters');
    await sendToRedis(redisUrl, [
      [
        'HSET',
        globalKeys.signingKeys(),
        'retired:7',
        `7.9999999999999.${lost.encrypt('signing-key', 'retired', '{}')}`,
      ],
    ]);
    const {store} = await openTestStore({url: redisUrl, secretKey: next});
    try {
      expect(await store.reencrypt()).toEqual({rewritten: 0, unreadable: 1});
    } finally {
      await store.close();
    }
  });
});

async function workspaceAt(
  {url}: TestService,
  method: string,
  path: string,
  options: {body?: object; headers?: Record<string, string>},
) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${made.token}`,
      'content-type': 'application/json',
      ...options.headers,
    },
    ...(options.body && {body: JSON.stringify(options.body)}),
  });
  return {status: response.status, text: await response.text()};
}
