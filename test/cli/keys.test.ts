import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {lifetimes} from '../../src/domain/core/limits.js';
import {globalKeys} from '../../src/store/core/keys.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestService,
  type TestWorkspace,
} from '../support/service.js';
import {testRedisUrl} from '../support/redis-server.js';
import {until} from '../support/until.js';
import {rowsOf, runStandup} from './run-standup.js';

let service: TestService;
let workspace: TestWorkspace;

beforeEach(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterEach(() => service.close());

const standup = (...args: string[]) => runStandup(args, {REDIS_URL: service.redisUrl});
const list = async () => rowsOf((await standup('keys', 'list')).stdout);
const kidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
const statusOf = async (token: string) => (await workspace.request('GET', '/v1/me', {token})).status;
const publishedKids = async (): Promise<string[]> => {
  const {body} = await sendRequest(service.url, 'GET', '/.well-known/jwks.json');
  return body.keys.map(({kid}: Json) => kid);
};

/** Replaces the key and returns the new one's id. */
async function rotate(): Promise<string> {
  const {code, stdout, stderr} = await standup('keys', 'rotate');
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(stdout).toMatch(/^[\w-]{43}\n$/);
  return stdout.trim();
}

describe('standup-admin keys rotate', () => {
  it('makes running processes sign new tokens with a new key, and leaves older tokens valid', async () => {
    const before = kidOf(workspace.token);
    const kid = await rotate();
    expect(kid).not.toBe(before);

    // The command signs it with a key id that the service has not seen.
    const {stdout} = await standup('token', 'create', '--name', 'after');
    expect(kidOf(stdout.trim())).toBe(kid);
    expect(await statusOf(stdout.trim())).toBe(200);
    expect(await statusOf(workspace.token)).toBe(200);
    // The service signs it.
    const answer = await workspace.request('POST', '/v1/tokens', {body: {name: 'over HTTP'}});
    expect(kidOf(answer.body.token)).toBe(kid);
    expect(await statusOf(answer.body.token)).toBe(200);
    expect(await publishedKids()).toEqual([kid, before]);
  });

  it('publishes the new key before any token signed with it is used', async () => {
    const kid = await rotate();
    await until(async () => (await publishedKids())[0] === kid, {what: 'the key was published'});
  });

  it('applies to processes that start later, and publishes no private key', async () => {
    const later = await startService({redisUrl: service.redisUrl});
    try {
      const path = '/.well-known/jwks.json';
      const [here, there] = [
        await sendRequest(service.url, 'GET', path),
        await sendRequest(later.url, 'GET', path),
      ];
      expect(there.body).toEqual(here.body);
      for (const key of there.body.keys) {
        expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
      }
      expect((await sendRequest(later.url, 'GET', '/v1/me', {token: workspace.token})).status).toBe(200);
    } finally {
      await later.close();
    }
  });

  it('leaves one signing key and loses no key when it runs several times at once', async () => {
    const before = (await list()).length;
    const deadline = performance.now() + 10_000;
    await Promise.all([1, 2, 3].map(() => service.core.signingKeys.rotate(deadline)));
    const after = await list();
    expect(after).toHaveLength(before + 3);
    expect(after.filter(([, state]) => state === 'signs')).toHaveLength(1);
    expect(new Set(after.map(([kid]) => kid)).size).toBe(before + 3);
    expect(await statusOf(workspace.token)).toBe(200);
  });
});

it('regression: a leaked key can be dropped, and its tokens are refused in running processes', async () => {
  const own = await startService({redisUrl: await testRedisUrl()});
  const env = {REDIS_URL: own.redisUrl};
  try {
    const {token, request} = await own.addWorkspace();
    const leaked = kidOf(token);
    const signing = await runStandup(['keys', 'drop', leaked], env);
    expect({code: signing.code, stderr: signing.stderr}).toEqual({
      code: 1,
      stderr: expect.stringContaining('keys rotate'),
    });
    await runStandup(['keys', 'rotate'], env);
    const after = await request('POST', '/v1/tokens', {body: {name: 'after'}});
    const {code, stdout} = await runStandup(['keys', 'drop', leaked], env);
    expect({code, stdout}).toEqual({code: 0, stdout: `${leaked}\n`});
    const refused = async () => (await request('GET', '/v1/me', {token})).body.code === 'invalid_token';
    await until(refused, {what: 'the dropped key was forgotten'});
    expect((await request('GET', '/v1/me', {token: after.body.token})).status).toBe(200);
    const again = await runStandup(['keys', 'drop', leaked], env);
    expect({code: again.code, stderr: again.stderr}).toEqual({
      code: 1,
      stderr: expect.stringContaining('no such key'),
    });
  } finally {
    await own.close();
  }
});

it('standup-admin keys list shows the signing key first, and how long every other key verifies tokens', async () => {
  for (let i = 0; i < 2; i += 1) await rotate();
  const [first, second, ...rest] = await list();
  expect(first).toEqual([await kidOfNewToken(), 'signs', expect.stringMatching(/^\d{4}-.*Z$/)]);
  expect(second?.[1]).toBe('verifies');
  const until = Date.parse(second?.[3] ?? '');
  // The old key outlives the longest token that it may have signed.
  expect(until - Date.now()).toBeGreaterThan(lifetimes.tokenMax * 1_000);
  expect(until - Date.now()).toBeLessThan((lifetimes.tokenMax + 2 * 3_600) * 1_000);
  expect(rest.length).toBeGreaterThan(0);
});

async function kidOfNewToken(): Promise<string> {
  const {body} = await workspace.request('POST', '/v1/tokens', {body: {name: 'which key?'}});
  return kidOf(body.token);
}

it('a key whose last token has expired verifies nothing, is no longer published, and is removed at the next rotation', async () => {
  const own = await startService({redisUrl: await testRedisUrl()});
  const elsewhere = {REDIS_URL: own.redisUrl};
  const {token} = await own.addWorkspace();
  const rotated = await runStandup(['keys', 'rotate'], elsewhere);
  expect(rotated.code).toBe(0);
  // Moves the end of the old key an hour into the past.
  const key = globalKeys.signingKeys();
  const fieldsIn = ({core}: TestService) =>
    core.store.connection.call<string[]>(performance.now() + 5_000, ['HKEYS', key]);
  const field = (await fieldsIn(own)).find((name) => name !== 'current') ?? '';
  await own.close();
  const [value] = await sendToRedis(own.redisUrl, [['HGET', key, field]]);
  const [since, , encrypted] = String(value).split('.');
  await sendToRedis(own.redisUrl, [['HSET', key, field, `${since}.${Date.now() - 3_600_000}.${encrypted}`]]);

  const later = await startService({redisUrl: own.redisUrl});
  try {
    const {status, body} = await sendRequest(later.url, 'GET', '/v1/me', {token});
    expect({status, code: body.code}).toEqual({status: 401, code: 'invalid_token'});
    const keys = await sendRequest(later.url, 'GET', '/.well-known/jwks.json');
    expect(keys.body.keys.map(({kid}: Json) => kid)).toEqual([rotated.stdout.trim()]);
    await later.core.signingKeys.rotate(performance.now() + 5_000);
    const fields = await fieldsIn(later);
    expect(fields).toHaveLength(2);
    expect(fields).not.toContain(field);
  } finally {
    await later.close();
  }
});
