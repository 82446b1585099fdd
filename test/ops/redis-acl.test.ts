import {afterEach, describe, expect, it} from '@jest/globals';
import {readFileSync, readdirSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {createClient} from 'redis';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {ensureRedisServer} from '../../scripts/redis-server.mjs';
import {findFreePort} from '../support/free-port.js';
import {runStandup, spawnStandup} from '../cli/run-standup.js';
import {StartupError} from '../../src/store/core/installation.js';
import {checkQueue, queueCommands} from '../../src/store/core/queue-check.js';
import {commandOfConfirmation, storeCommands} from '../../src/store/core/rights-check.js';
import {openTestStore} from '../store/open-test-store.js';
import {startReceiver} from '../support/receiver.js';
import {startService} from '../support/service.js';
import {root, startProcess} from '../support/service-process.js';
import {testRedisUrl} from '../support/redis-server.js';
import {startClusterServer} from '../support/store-kinds.js';
import {until} from '../support/until.js';
import {testCertificate} from '../webhook/certificate.js';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const line =
  read('ops/redis/users.acl')
    .split('\n')
    .find((each) => each.startsWith('user standup ')) ?? '';
const [, own = '', queue = ''] = /^(.*) \((.*)\)$/.exec(line) ?? [];
const commandsIn = (rules: string) => [...rules.matchAll(/ \+([^\s)]+)/g)].map(([, name = '']) => name);

function readSources(folder: string, pattern: RegExp): string {
  return readdirSync(path.join(root, folder), {recursive: true, encoding: 'utf8'})
    .filter((name) => pattern.test(name) && !name.includes('compiled'))
    .map((name) => read(path.join(folder, name)))
    .join('\n');
}

/** Lists the commands in the scripts and in the modules of the store, without those to the queue. */
function listCalled(): Set<string> {
  const inLua = readSources('src', /\.lua$/).matchAll(/redis\.p?call\(\s*'(\w+)'(?:, '([A-Z]+)')?/g);
  const inStore = readSources('src/store', /(?<!queue-check)\.ts$/).matchAll(
    /\[\s*'([A-Z]{2,})'(?:, '(GET|SLOTS|INFO)')?/g,
  );
  const words = [...inLua, ...inStore].map(([, name = '', sub]) =>
    ['MEMORY', 'CONFIG', 'CLUSTER'].includes(name) ? `${name}|${sub}` : name,
  );
  // Arguments that begin a list of their own, and the command of a Sentinel, which is another server.
  const others = ['BYSCORE', 'EX', 'LIMIT', 'SENTINEL', 'WITHSCORES'];
  return new Set(words.filter((name) => !others.includes(name)).map((name) => name.toLowerCase()));
}

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function connectTo(url: string) {
  const client = createClient({url, RESP: 2});
  client.on('error', () => undefined);
  cleanUps.push(async () => client.destroy());
  await client.connect();
  return client;
}

/** Starts a Redis with these users. `url` has the login of the service. */
async function startServer(users: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'standup-acl-'));
  cleanUps.push(() => rm(folder, {recursive: true, force: true}));
  const file = path.join(folder, 'users.acl');
  await writeFile(file, users);
  const port = String(await findFreePort());
  const args = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--aclfile', file];
  const server = startProcess(await ensureRedisServer(process.env), args);
  cleanUps.push(() => server.kill());
  const connect = (user: string) => connectTo(`redis://${user}:CHANGE-ME@127.0.0.1:${port}`);
  const operator = await connect('operator');
  await operator.sendCommand(['CONFIG', 'SET', 'acllog-max-len', '1000']);
  return {url: `redis://standup:CHANGE-ME@127.0.0.1:${port}`, connect, operator};
}

/** Runs a web process and a worker until standups are delivered. `queue`: the operator of the queue's Redis. */
async function runServices(
  {redisUrl, env}: {redisUrl?: string; env?: Readonly<Record<string, string>>},
  queueOperator: {sendCommand: (args: string[]) => Promise<unknown>},
): Promise<void> {
  const start = (role: string) =>
    startService({...(redisUrl !== undefined && {redisUrl}), env: {...env, ROLES: role}});
  const web = await start('web');
  const worker = await startService({redisUrl: web.redisUrl, env: {...env, ROLES: 'worker'}});
  const receiver = await startReceiver();
  cleanUps.push(() => receiver.close());
  const workspace = await web.addWorkspace();
  const hook = await workspace.request('POST', '/v1/webhooks', {body: {url: receiver.url, events: ['*']}});
  expect(hook.status).toBe(201);
  for (const update of ['One', 'Two', 'Three'])
    await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update}});
  await receiver.waitFor(3, 20_000);
  const {body} = await workspace.request('GET', '/v1/standups');
  await workspace.request('DELETE', `/v1/standups/${body.data[0].id}`);
  await receiver.waitFor(4, 20_000);
  // The scripts of the queue have run as this user.
  await until(
    async () => Number(await queueOperator.sendCommand(['EXISTS', '{standup-queue}:turns:id'])) === 1,
    {what: 'the queue was used', withinMs: 5_000},
  );
  await worker.close();
  await web.close();
}

/** The file for the Redis of the queue alone, as docs/operating/redis-acl.md describes it. */
const usersOfQueue = (rules = queue) =>
  read('ops/redis/users.acl').replace(
    /^user standup .*$/m,
    `user standup on >CHANGE-ME resetchannels -@all +info (${rules})`,
  );

describe('the user of ops/redis/users.acl', () => {
  it('may run each command of the store, and no other', () => {
    // The client sends these by itself; `asking` while a slot of a cluster moves.
    const ofClient = ['asking', 'ping', 'quit', 'select'];
    expect(new Set(commandsIn(own))).toEqual(new Set([...listCalled(), ...ofClient]));
  });

  it('is checked at the start for each command but those that the start runs itself, and those that may be missing', () => {
    const atStart = ['eval', 'evalsha', 'info', 'ping', 'quit', 'role', 'select'];
    const inCluster = ['asking', 'cluster|info', 'cluster|slots'];
    // Without these Redis' file is not rewritten, its settings are unknown, and commands for operators fail.
    const dispensable = ['bgrewriteaof', 'config|get', 'memory|usage', 'scan', 'xinfo', 'xsetid'];
    const all = new Set([...storeCommands, commandOfConfirmation, ...atStart, ...inCluster, ...dispensable]);
    expect(new Set(commandsIn(own))).toEqual(all);
  });

  it('lets no store open without one of these commands or one kind of keys, and the start names it', async () => {
    const {url, operator} = await startServer(read('ops/redis/users.acl'));
    const keys = '~{ws_* ~{global}:* ~{code:*';
    const refusal = async (rules: string, confirmReplicas = 0): Promise<string> => {
      await operator.sendCommand(['ACL', 'SETUSER', 'standup', 'reset']);
      await operator.sendCommand(['ACL', 'SETUSER', 'standup', 'on', '>CHANGE-ME', ...rules.split(' ')]);
      const opened: unknown = await openTestStore({url, confirmReplicas}).catch((error: unknown) => error);
      if (!(opened instanceof StartupError)) throw new Error('it was opened', {cause: opened});
      expect(opened.message).not.toContain('CHANGE-ME');
      return opened.message;
    };
    const where = `Redis at ${new URL(url).host} does not let the user in REDIS_URL`;
    const advice = 'give it the rules of ops/redis/users.acl.';
    for (const command of storeCommands.filter((name) => name !== 'time')) {
      const sentence = `${where} run ${command.toUpperCase()} on {ws_*: ${advice}`;
      expect(await refusal(`${keys} +@all -${command}`)).toBe(sentence);
    }
    expect(await refusal(`${keys} +@all -wait`, 1)).toBe(`${where} run WAIT on {ws_*: ${advice}`);
    expect(await refusal(`${keys} +@all -time`)).toBe(
      `${where} run TIME: give it the rules of ops/redis/users.acl.`,
    );
    for (const kind of keys.split(' ')) {
      const others = keys.replace(kind, '~other');
      expect(await refusal(`${others} +@all`)).toContain(`${where} do what the service needs`);
    }
  });

  it('may run in the queue each command of the scripts of BullMQ that the service uses, and no other', () => {
    const used = [
      'addStandardJob',
      'moveToActive',
      'moveToFinished',
      'extendLocks?',
      'moveStalledJobsToWait',
      'getCounts',
    ];
    const scripts = readSources(
      'node_modules/bullmq/dist/esm/scripts',
      new RegExp(`^(?:${used.join('|')})-\\d+\\.js$`),
    );
    const inScripts = [...scripts.matchAll(/call\(["'](\w+)["']/g)].map(([, name = '']) =>
      name.toLowerCase(),
    );
    const ofClient = ['bzpopmin', 'client|setname', 'evalsha', 'script|load'];
    expect(new Set(commandsIn(queue))).toEqual(new Set([...inScripts, ...ofClient]));
    // The start runs the last two, and asks Redis whether the user may run the others.
    const checked = new Set([...queueCommands, 'evalsha', 'script|load']);
    expect(new Set(commandsIn(queue))).toEqual(checked);
  });

  it('lets a web process and a worker do their work, and is refused nothing', async () => {
    const {url, connect, operator} = await startServer(read('ops/redis/users.acl'));
    await runServices({redisUrl: url}, operator);
    expect(await operator.sendCommand(['ACL', 'LOG'])).toEqual([]);

    const standup = await connect('standup');
    for (const forbidden of [
      ['FLUSHALL'],
      ['KEYS', '*'],
      ['CONFIG', 'SET', 'maxmemory', '1'],
      ['GET', 'other'],
      ['ACL', 'LIST'],
    ])
      await expect(standup.sendCommand(forbidden)).rejects.toThrow(/NOPERM/);
  });

  it('lets a service and doctor work in a cluster over TLS with a checked certificate, and is refused nothing', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'standup-acl-'));
    cleanUps.push(() => rm(folder, {recursive: true, force: true}));
    const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
    await writeFile(cert, testCertificate.cert);
    await writeFile(key, testCertificate.key);
    const rules = line.replace('user standup', '').trim().split(' ');
    const startNode = async (first: number, last: number) => {
      const port = await findFreePort();
      const node = await startClusterServer([
        `tls-port ${port}`,
        `tls-cert-file ${cert}`,
        `tls-key-file ${key}`,
        `tls-ca-cert-file ${cert}`,
        'tls-auth-clients no',
        'tls-cluster yes',
      ]);
      cleanUps.push(() => node.stop());
      await sendToRedis(node.url, [
        ['ACL', 'SETUSER', 'standup', ...rules],
        ['CLUSTER', 'ADDSLOTSRANGE', first, last],
      ]);
      return {...node, port};
    };
    const nodes = [await startNode(0, 8_191), await startNode(8_192, 16_383)] as const;
    await sendToRedis(nodes[1].url, [['CLUSTER', 'SET-CONFIG-EPOCH', 2]]);
    await sendToRedis(nodes[1].url, [['CLUSTER', 'MEET', '127.0.0.1', nodes[0].port]]);
    for (const {url} of nodes)
      await until(async () => {
        const [info] = await sendToRedis(url, [['CLUSTER', 'INFO']]);
        return /cluster_state:ok[^]*cluster_slots_ok:16384/.test(String(info));
      });
    const redisUrl = `rediss+cluster://standup:CHANGE-ME@127.0.0.1:${nodes[0].port}`;
    const queue = {QUEUE_REDIS_URL: await testRedisUrl()};
    const service = await startService({redisUrl, env: {...queue, REDIS_TLS_VERIFY: 'false'}});
    cleanUps.push(() => service.close());
    for (let i = 0; i < 4; i++) {
      const workspace = await service.addWorkspace();
      const body = {team: 'platform', update: 'Over TLS.'};
      expect((await workspace.request('POST', '/v1/standups', {body})).status).toBe(201);
    }
    const args = ['doctor'];
    const refused = await runStandup(args, {...queue, REDIS_URL: redisUrl});
    expect(refused).toMatchObject({code: 1, stderr: expect.stringContaining('NODE_EXTRA_CA_CERTS=FILE')});
    const env = {...queue, REDIS_URL: redisUrl, NODE_EXTRA_CA_CERTS: cert};
    expect(await spawnStandup(args, env)).toMatchObject({code: 0, stderr: ''});
    expect((await runStandup(['doctor', '--slots'], {...env, REDIS_TLS_VERIFY: 'false'})).code).toBe(0);
    for (const {url} of nodes) expect(await (await connectTo(url)).sendCommand(['ACL', 'LOG'])).toEqual([]);
  }, 30_000);

  it('lets a web process and a worker use a queue on a server of its own, and is refused nothing', async () => {
    const {url, operator} = await startServer(usersOfQueue());
    await runServices({env: {QUEUE_REDIS_URL: url}}, operator);
    expect(await operator.sendCommand(['ACL', 'LOG'])).toEqual([]);
  });

  it('is checked at the start: the service does not start if the queue lacks a right, and names the command', async () => {
    const {url, operator} = await startServer(usersOfQueue());
    const refusal = async (rules: string): Promise<string> => {
      await operator.sendCommand(['ACL', 'SETUSER', 'standup', 'reset']);
      await operator.sendCommand(['ACL', 'SETUSER', 'standup', 'on', '>CHANGE-ME', ...rules.split(' ')]);
      const checked = checkQueue({url, tlsVerify: true, setting: 'QUEUE_REDIS_URL'});
      const error: unknown = await checked.then(
        () => new Error('it starts'),
        (refused: unknown) => refused,
      );
      expect(error).toBeInstanceOf(StartupError);
      expect((error as Error).message).not.toContain('CHANGE-ME');
      return (error as Error).message;
    };
    const where = `Redis at ${new URL(url).host} does not let the user in QUEUE_REDIS_URL`;
    expect(await refusal('~* &* +@all -info')).toBe(
      `${where} run INFO: give it the rules of ops/redis/users.acl.`,
    );
    const ofQueue = 'on {standup-queue}:*: give it the rules of the queue in ops/redis/users.acl.';
    for (const command of queueCommands) {
      const shown = command.replace('|', ' ').toUpperCase();
      expect(await refusal(`~* &* +@all -${command}`)).toBe(`${where} run ${shown} ${ofQueue}`);
    }
    expect(await refusal('~bull:* &* +@all')).toContain(`${where} do what the service needs`);
    for (const command of ['evalsha', 'script|load'])
      expect(await refusal(`~* &* +@all -${command}`)).toContain(
        `run ${command.replace('|', ' ').toUpperCase()}`,
      );
  });
});
