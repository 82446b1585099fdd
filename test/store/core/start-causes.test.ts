import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import net from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {ensureRedisServer} from '../../../scripts/redis-server.mjs';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {StartupError} from '../../../src/store/core/installation.js';
import {explainStoreError} from '../../../src/store/core/start-causes.js';
import {findFreePort} from '../../support/free-port.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {startProcess} from '../../support/service-process.js';
import {sendRequest, startService} from '../../support/service.js';
import {startTlsFront} from '../../support/tls-front.js';
import {until} from '../../support/until.js';
import {rowsOf, runStandup} from '../../cli/run-standup.js';
import {openTestStore, newDeadline} from '../open-test-store.js';

let redis: TestRedis;
const cleanUps: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  redis = await startTestRedis();
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

afterAll(() => redis.stop());

/** Starts the program of Redis in a mode that the service cannot use. */
async function startMode(...lines: string[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'standup-mode-'));
  cleanUps.push(() => rm(folder, {recursive: true, force: true}));
  const port = await findFreePort();
  const conf = path.join(folder, 'redis.conf');
  const [mode, ...settings] = lines;
  await writeFile(conf, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...settings].join('\n'));
  const bin = await ensureRedisServer(process.env);
  const server = startProcess(bin, [conf, ...(mode === '' ? [] : [mode ?? ''])]);
  cleanUps.push(() => server.kill());
  const url = `redis://127.0.0.1:${port}`;
  await until(() =>
    sendToRedis(url, [['PING']]).then(
      () => true,
      () => false,
    ),
  );
  return url;
}

/** Starts a server that is not Redis, and returns its port. */
async function listen(server: net.Server): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as net.AddressInfo).port;
}

/**
 * Returns the message if the store cannot be opened. It must come before the timeout of 5 s for an absent
 * server.
 */
async function refusal(url: string): Promise<string> {
  const begun = performance.now();
  const opened: unknown = await openTestStore({url}).catch((error: unknown) => error);
  if (!(opened instanceof StartupError)) throw new Error('it was opened');
  expect(opened.message).not.toMatch(/\n| {4}at |undefined/);
  expect(performance.now() - begun).toBeLessThan(4_500);
  return opened.message;
}

describe('the message at the start about a store that cannot be used', () => {
  it('names a node of a cluster', async () => {
    const url = await startMode('', 'cluster-enabled yes');
    expect(await refusal(url)).toBe(
      'Redis is a node of a cluster: write redis+cluster:// in place of redis:// in REDIS_URL.',
    );
  });

  it('names a Sentinel', async () => {
    const url = await startMode('--sentinel');
    expect(await refusal(url)).toMatch(/^Redis at \S+ is a Sentinel, which keeps no data: .*master/);
  });

  it('names a user that may not run INFO', async () => {
    await sendToRedis(redis.url, [['ACL', 'SETUSER', 'few', 'on', '>pw', '~*', '+@all', '-info']]);
    const url = new URL(redis.url);
    Object.assign(url, {username: 'few', password: 'pw'});
    expect(await refusal(url.href)).toBe(
      `Redis at ${url.host} does not let the user in REDIS_URL run INFO: give it ~* &* +@all.`,
    );
  });

  it('names a replica that has no data yet', async () => {
    await sendToRedis(redis.url, [['FLUSHALL'], ['REPLICAOF', '127.0.0.1', '1']]);
    cleanUps.push(() => sendToRedis(redis.url, [['REPLICAOF', 'NO', 'ONE']]));
    expect(await refusal(redis.url)).toMatch(/^Redis at \S+ is a replica and takes no writes: set REDIS_URL/);
  });

  it('says that the server requires no password', async () => {
    const url = await startMode('');
    expect(await refusal(url.replace('//', '//:secret@'))).toMatch(
      /^Redis at \S+ has no password, and REDIS_URL has one/,
    );
  });

  it('says that the database number does not exist', async () => {
    expect(await refusal(`${redis.url}/9999`)).toMatch(
      /does not have the database whose number ends REDIS_URL/,
    );
  });

  it('names TLS on one side only, and a certificate that cannot be verified', async () => {
    const {port} = new URL(redis.url);
    const plain = redis.url.replace('redis:', 'rediss:');
    await expect(openTestStore({url: plain})).rejects.toThrow(/If it does not speak TLS, write redis:\/\//);
    const front = await startTlsFront(Number(port));
    cleanUps.push(() => front.close());
    const secured = front.port;
    expect(await refusal(plain.replace(port, String(secured)))).toMatch(
      /^Redis at \S+ has a certificate that cannot be verified \(self-signed certificate.*\)\. .*NODE_EXTRA_CA_CERTS/,
    );
    const late = openTestStore({url: redis.url.replace(port, String(secured))});
    await expect(late).rejects.toThrow(
      /closes the connection without an answer\. If it wants TLS, write rediss:/,
    );
  });

  it('names a server that is no Redis', async () => {
    const web = net.createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const port = await listen(web);
    expect(await refusal(`rediss://127.0.0.1:${port}`)).toMatch(/^Redis at \S+ does not speak TLS: write/);
    expect(await refusal(`redis://127.0.0.1:${port}`)).toMatch(/^Redis at \S+ is no Redis, for it answers/);
  });
});

it('doctor and /readyz report that Redis is a replica, without its address', async () => {
  const service = await startService({redisUrl: redis.url, env: {ROLES: 'web'}});
  cleanUps.push(() => service.close());
  await sendToRedis(redis.url, [['REPLICAOF', '127.0.0.1', '1']]);
  cleanUps.push(() => sendToRedis(redis.url, [['REPLICAOF', 'NO', 'ONE']]));
  const sentence = 'Redis is a replica and takes no writes: set REDIS_URL to its master.';
  const ready = await until(async () => {
    const answer = await sendRequest(service.url, 'GET', '/readyz');
    return answer.status === 503 ? answer : undefined;
  });
  expect(ready.body).toMatchObject({store: 'read-only', store_detail: sentence});
  const {stdout} = await runStandup(['doctor'], {REDIS_URL: redis.url});
  expect(rowsOf(stdout)).toContainEqual(['Store', 'read-only', sentence]);
});

it('a store is reported as unreachable, with the reason, if its user loses a right or Redis becomes a cluster', async () => {
  const {store} = await openTestStore({url: redis.url});
  cleanUps.push(() => store.close());
  await sendToRedis(redis.url, [['ACL', 'SETUSER', 'default', '-evalsha', '-eval']]);
  cleanUps.push(() => sendToRedis(redis.url, [['ACL', 'SETUSER', 'default', '+@all']]));
  expect(await store.probe(newDeadline())).toMatchObject({
    state: 'unreachable',
    detail: 'Redis does not let the user in REDIS_URL run EVALSHA: give it ~* &* +@all.',
  });
  expect(explainStoreError(new Error('MOVED 3999 10.0.0.7:6381'))).toBe(
    'Redis is a node of a cluster: write redis+cluster:// in place of redis:// in REDIS_URL.',
  );
});
