import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {once} from 'node:events';
import net from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {ensureRedisServer} from '../../../scripts/redis-server.mjs';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {StartupError} from '../../../src/store/core/installation.js';
import {checkQueue} from '../../../src/store/core/queue-check.js';
import {explainStoreError, type StartCauseName} from '../../../src/store/core/start-causes.js';
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

/** The password in each address that is tried. It must be in no sentence. */
const canary = 'canary-of-the-password';

beforeAll(async () => {
  redis = await startTestRedis({password: canary, appendfsync: 'no'});
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
  // A server that refuses a command is up, too.
  await until(() => sendToRedis(url, [['PING']]).then(() => true, isReply), {what: 'the server answers'});
  return url;
}

const isReply = (error: unknown) => /NOAUTH|LOADING/.test(String(error));

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

/** Returns the message if the store cannot be opened: one sentence, soon, and without the password. */
async function refusal(url: string, options: {readonly sentinelPassword?: string} = {}): Promise<string> {
  const begun = performance.now();
  const opened: unknown = await openTestStore({url, ...options}).catch((error: unknown) => error);
  if (!(opened instanceof StartupError)) throw new Error('it was opened', {cause: opened});
  expect(opened.message).not.toMatch(/\n| {4}at |undefined|canary/);
  expect(performance.now() - begun).toBeLessThan(6_000);
  return opened.message;
}

/** Opens a client that only this test uses, and returns the error of a command. */
async function errorOf(url: string, ...command: string[]): Promise<string> {
  const failed: unknown = await sendToRedis(url, [command]).then(
    () => undefined,
    (error: unknown) => error,
  );
  return (
    explainStoreError(failed, {where: 'Redis at HOST', setting: 'REDIS_URL'}) ?? `unknown: ${String(failed)}`
  );
}

const withLogin = (url: string) => url.replace('//', `//:${canary}@`);
const portOf = (url: string) => new URL(url).port;

/** Starts a cluster of one node that has all slots. */
async function startLonelyCluster(...settings: string[]): Promise<string> {
  const url = await startMode('', 'cluster-enabled yes', ...settings);
  await sendToRedis(url, [['CLUSTER', 'ADDSLOTSRANGE', 0, 16_383]]);
  await until(
    async () => String((await sendToRedis(url, [['CLUSTER', 'INFO']]))[0]).includes('cluster_state:ok'),
    {
      what: 'the cluster is ready',
    },
  );
  return url;
}

/** Makes the shared Redis refuse writes by a setting, until the test has ended. */
async function setUntilEnd(name: string, value: string, usual: string): Promise<void> {
  await sendToRedis(redis.url, [['FLUSHALL'], ['CONFIG', 'SET', name, value]]);
  cleanUps.push(() => sendToRedis(redis.url, [['CONFIG', 'SET', name, usual]]));
}

/** How each cause is brought about, and the end of its sentence after `Redis at HOST:PORT`. */
const causes: Readonly<Record<StartCauseName, readonly [provoke: () => Promise<string>, sentence: string]>> =
  {
    'node of a cluster': [
      async () => refusal(await startMode('', 'cluster-enabled yes')),
      'is a node of a cluster: write redis+cluster:// in place of redis:// in REDIS_URL.',
    ],
    'slot without a node': [
      async () => refusal((await startMode('', 'cluster-enabled yes')).replace('redis:', 'redis+cluster:')),
      'serves no keys of this part of the cluster: wait for a new master or for the end of a move, or look at CLUSTER INFO.',
    ],
    'half of a script': [
      async () =>
        errorOf(
          await startLonelyCluster(),
          'EVAL',
          `#!lua\nreturn redis.call('GET', 'another key')`,
          '1',
          'key',
        ),
      'stopped a script half-way, because keys moved to another node meanwhile.',
    ],
    'no cluster': [
      () => refusal(redis.url.replace('redis:', 'redis+cluster:')),
      'is not part of a cluster: write redis:// in place of redis+cluster:// in REDIS_URL.',
    ],
    'no Sentinel': [
      () => refusal(`${redis.url.replace('redis:', 'redis+sentinel:')}/mymaster`, {sentinelPassword: canary}),
      'is no Sentinel: write redis:// in place of redis+sentinel:// in REDIS_URL, or name the ports of the Sentinels.',
    ],
    'unknown master name': [
      async () =>
        refusal(`${withLogin(await startMode('--sentinel')).replace('redis:', 'redis+sentinel:')}/nobody`),
      'watches no master of the name that ends REDIS_URL: look at sentinel monitor in its settings.',
    ],
    'password of the Sentinels': [
      async () => {
        const url = await startMode('--sentinel', 'requirepass another-word');
        return refusal(`${withLogin(url).replace('redis:', 'redis+sentinel:')}/mymaster`);
      },
      'asks for another password than that of the store: set REDIS_SENTINEL_PASSWORD.',
    ],
    'announced address': [
      async () => {
        const url = await startLonelyCluster('cluster-announce-ip 127.0.0.1', 'cluster-announce-port 1');
        return refusal(url.replace('redis:', 'redis+cluster:'));
      },
      'names 127.0.0.1:1 as a master, which does not answer: wait for a failover, or look whether it can be reached from here by this address (cluster-announce-ip).',
    ],
    'not yet a master': [
      async () => {
        const replica = await startMode('', `replicaof 127.0.0.1 ${portOf(redis.url)}`);
        const sentinel = await startMode(
          '--sentinel',
          `sentinel monitor mymaster 127.0.0.1 ${portOf(replica)} 1`,
        );
        return refusal(`${sentinel.replace('redis:', 'redis+sentinel:')}/mymaster`);
      },
      'names a master that is none yet: wait for the end of the failover.',
    ],
    Sentinel: [
      async () => refusal(await startMode('--sentinel')),
      'is a Sentinel, which keeps no data: write redis+sentinel:// in place of redis:// in REDIS_URL, and end it with the name of the master.',
    ],
    'denied command': [
      async () => {
        await sendToRedis(redis.url, [['ACL', 'SETUSER', 'few', 'on', `>${canary}`, '~*', '+@all', '-info']]);
        return refusal(redis.url.replace('default', 'few'));
      },
      'does not let the user in REDIS_URL run INFO: give it the rules of ops/redis/users.acl.',
    ],
    'wrong password': [
      () => refusal(redis.url.replace(canary, `${canary}-of-another`)),
      'refuses the user name or password in REDIS_URL: correct them.',
    ],
    'needless password': [
      async () => refusal(withLogin(await startMode(''))),
      'has no password, and REDIS_URL has one: remove it there, or set requirepass in Redis.',
    ],
    'protected mode': [
      async () => {
        const port = Number(portOf(await startMode('')));
        // Redis takes each other address for one of another machine.
        const front = net.createServer((socket) => {
          const inner = net.connect({port, host: '127.0.0.1', localAddress: '127.0.0.2'});
          inner.on('error', () => socket.destroy());
          socket.pipe(inner).pipe(socket);
        });
        return refusal(`redis://127.0.0.1:${await listen(front)}`);
      },
      'has no password and takes no calls from other machines: set requirepass in Redis.',
    ],
    replica: [
      async () => {
        await sendToRedis(redis.url, [['FLUSHALL'], ['REPLICAOF', '127.0.0.1', '1']]);
        cleanUps.push(() => sendToRedis(redis.url, [['REPLICAOF', 'NO', 'ONE']]));
        return refusal(redis.url);
      },
      'is a replica and takes no writes: set REDIS_URL to its master.',
    ],
    loading: [
      async () => {
        const folder = await mkdtemp(path.join(tmpdir(), 'standup-mode-'));
        cleanUps.push(() => rm(folder, {recursive: true, force: true}));
        const full = await startMode('', `dir ${folder}`);
        await sendToRedis(full, [
          ['EVAL', `for i = 1, 20000 do redis.call('SET', 'key:' .. i, i) end`, '0'],
          ['SAVE'],
        ]);
        const settings = [
          `dir ${folder}`,
          'key-load-delay 1000',
          'loading-process-events-interval-bytes 1024',
        ];
        return refusal(await startMode('', ...settings));
      },
      'is still loading its data: wait for it.',
    ],
    busy: [
      async () => {
        await sendToRedis(redis.url, [['CONFIG', 'SET', 'busy-reply-threshold', '10']]);
        const looping = sendToRedis(redis.url, [['EVAL', 'while true do end', '0']], 20_000).catch(
          () => undefined,
        );
        cleanUps.push(async () => {
          await sendToRedis(redis.url, [['SCRIPT', 'KILL']]);
          await looping;
        });
        await until(async () => (await errorOf(redis.url, 'PING')).includes('busy'), {what: 'it is busy'});
        return refusal(redis.url);
      },
      'is busy with a script: wait for its end.',
    ],
    'broken disk': [
      async () => {
        const folder = await mkdtemp(path.join(tmpdir(), 'standup-mode-'));
        const url = await startMode('', `dir ${folder}`, 'save 3600 1');
        await rm(folder, {recursive: true});
        await sendToRedis(url, [['SET', 'key', '1'], ['BGSAVE']]);
        await until(async () => (await errorOf(url, 'SET', 'key', '1')).includes('disk'), {
          what: 'the save has failed',
        });
        return refusal(url);
      },
      'cannot write to its disk and takes no writes: look at the free space and the log of Redis.',
    ],
    'few replicas': [
      async () => {
        await setUntilEnd('min-replicas-to-write', '1', '0');
        return refusal(redis.url);
      },
      'takes no writes while it has fewer replicas than min-replicas-to-write: look at the replicas.',
    ],
    full: [
      async () => {
        await setUntilEnd('maxmemory', '1', '0');
        return errorOf(redis.url, 'SET', 'key', '1');
      },
      'is full: give it more maxmemory, or make room.',
    ],
    'many connections': [
      async () => {
        const operator = net.connect(Number(portOf(redis.url)), '127.0.0.1');
        const limit = async (count: number) => {
          operator.write(`CONFIG SET maxclients ${count}\r\n`);
          await once(operator, 'data');
        };
        operator.write(`AUTH ${canary}\r\n`);
        await once(operator, 'data');
        await limit(1);
        cleanUps.push(async () => {
          await limit(1_000);
          operator.destroy();
        });
        return refusal(redis.url);
      },
      'takes no more connections: raise maxclients, or end some.',
    ],
    'database number': [
      () => refusal(`${redis.url}/9999`),
      'does not have the database whose number ends REDIS_URL: choose another one.',
    ],
    certificate: [
      async () => {
        const front = await startTlsFront(Number(portOf(redis.url)));
        cleanUps.push(() => front.close());
        return refusal(redis.url.replace('redis:', 'rediss:').replace(portOf(redis.url), String(front.port)));
      },
      'has a certificate that cannot be verified (self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca). Name the authority of your own by NODE_EXTRA_CA_CERTS=FILE; REDIS_TLS_VERIFY=false takes any certificate, and so anybody in between.',
    ],
    'needless TLS': [
      async () => {
        const web = net.createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
        return refusal(`rediss://:${canary}@127.0.0.1:${await listen(web)}`);
      },
      'does not speak TLS: write redis:// in place of rediss:// in REDIS_URL.',
    ],
    'no Redis': [
      async () => {
        const web = net.createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
        return refusal(`redis://:${canary}@127.0.0.1:${await listen(web)}`);
      },
      'is no Redis, for it answers in another way: is the port in REDIS_URL right?',
    ],
    'missing TLS': [
      async () => {
        const front = await startTlsFront(Number(portOf(redis.url)));
        cleanUps.push(() => front.close());
        return refusal(redis.url.replace(portOf(redis.url), String(front.port)));
      },
      'closes the connection without an answer. If it wants TLS, write rediss:// in place of redis:// in REDIS_URL.',
    ],
    'unknown host': [
      () => refusal(`redis://:${canary}@no-such-host.invalid:6379`),
      'cannot be found by its name: is the host in REDIS_URL right?',
    ],
  };

describe('the message about a store that cannot be used', () => {
  it.each(Object.entries(causes))('names the cause: %s', async (_, [provoke, sentence]) => {
    const said = await provoke();
    expect(said.replace(/^Redis at \S+/, 'Redis')).toBe(`Redis ${sentence}`);
  });

  it('says that a server with TLS in its address alone may not speak it', async () => {
    expect(await refusal(redis.url.replace('redis:', 'rediss:'))).toMatch(
      /does not speak TLS[:,] write redis:\/\/ in place of rediss:\/\//,
    );
  });
});

describe('the check of the queue', () => {
  const setting = 'QUEUE_REDIS_URL';
  /** Returns the sentence about a server, and whether the service starts all the same. */
  async function check(url: string): Promise<readonly [starts: boolean, sentence: string | undefined]> {
    const [starts, said] = await checkQueue({url, tlsVerify: true, setting}).then(
      (sentence) => [true, sentence] as const,
      (error: unknown) => {
        if (!(error instanceof StartupError)) throw error;
        return [false, error.message] as const;
      },
    );
    expect(said ?? '').not.toMatch(/canary|\n| {4}at /);
    return [starts, said?.replace(/^Redis at \S+/, 'Redis')];
  }

  it('says nothing about a server that works', async () => {
    expect(await check(redis.url)).toEqual([true, undefined]);
  });

  it('ends the start on a wrong password, a node of a cluster, a Sentinel, and a server that is no Redis', async () => {
    expect(await check(redis.url.replace(canary, `${canary}-of-another`))).toEqual([
      false,
      'Redis refuses the user name or password in QUEUE_REDIS_URL: correct them.',
    ]);
    const plain = 'and the queue needs one plain Redis: set QUEUE_REDIS_URL to one.';
    expect(await check(await startMode('', 'cluster-enabled yes'))).toEqual([
      false,
      `Redis is a node of a cluster, ${plain}`,
    ]);
    expect(await check(await startMode('--sentinel'))).toEqual([false, `Redis is a Sentinel, ${plain}`]);
    const web = net.createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await check(`redis://:${canary}@127.0.0.1:${await listen(web)}`)).toEqual([
      false,
      'Redis is no Redis, for it answers in another way: is the port in QUEUE_REDIS_URL right?',
    ]);
  });

  it('only warns of a server that is away, since the service works without its queue, and of one that evicts', async () => {
    expect(await check(`redis://:${canary}@127.0.0.1:1`)).toEqual([
      true,
      expect.stringMatching(/^Redis cannot be reached .* is QUEUE_REDIS_URL right\?$/),
    ]);
    await setUntilEnd('maxmemory-policy', 'allkeys-lru', 'noeviction');
    expect(await check(redis.url)).toEqual([
      true,
      'Redis would delete jobs when memory is short (maxmemory-policy is "allkeys-lru"): set it to "noeviction".',
    ]);
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
    detail: 'Redis does not let the user in REDIS_URL run EVALSHA: give it the rules of ops/redis/users.acl.',
  });
  expect(explainStoreError(new Error('MOVED 3999 10.0.0.7:6381'))).toBe(
    'Redis is a node of a cluster: write redis+cluster:// in place of redis:// in REDIS_URL.',
  );
});
