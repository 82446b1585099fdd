import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {createClient} from 'redis';
import {startRedis} from '../scripts/redis-server.mjs';
import {type Closings, type Core, composeCore, createLog} from '../src/compose-core.js';
import {parseConfig} from '../src/config/config.js';
import {type Call, type Principal, scopes} from '../src/domain/core/access.js';
import {lists} from '../src/domain/core/lists.js';
import {operatorCall} from '../src/service/workspaces/workspaces.js';
import {globalKeys, workspaceKeys, type WorkspaceKeys} from '../src/store/core/keys.js';
import type {Cores} from './machine.js';
import {findFreePort, type NodeProcess, startNode, waitUntilReady, waitUntilListening} from './processes.js';
import type {Id} from '../src/domain/core/ids.js';

/** Everything that the workloads of one run share. */
export interface Bench {
  readonly redisBin: string;
  /** The build of the service in this checkout. */
  readonly build: Build;
  /** The data folder of Redis. It is on the project's disk, since a disk in memory would make fsync free. */
  readonly dataDir: string;
  readonly cores: Cores | undefined;
  /** A folder for CPU profiles of the service, if profiles are wanted. */
  readonly profiles?: string;
}

/** A compiled version of the service. */
export interface Build {
  readonly name: string;
  /** The file that `node` starts, and the options from the Procfile. */
  readonly main: string;
  readonly nodeArgs: readonly string[];
  /** True if its process answers messages (soak/probe.ts). */
  readonly talks?: boolean;
}

/** Finds a build by its folder, the `dist/` of a checkout. */
export function findBuild(name: string, dist: string): Build {
  const main = path.join(dist, 'main.js');
  if (!existsSync(main)) throw new Error(`There is no build in ${dist}.`);
  const procfile = path.join(dist, '..', 'Procfile');
  const started = existsSync(procfile) ? readFileSync(procfile, 'utf8') : '';
  const given = /^web:.*\bnode ((?:-\S+ )*)dist\/main\.js/m.exec(started)?.[1] ?? '';
  return {name, main, nodeArgs: given.split(' ').filter((arg) => arg !== '')};
}

export interface Server {
  readonly process: NodeProcess;
  readonly port: number;
}

/** A separate Redis with one workspace, one team and one token, and the measured processes that use it. */
export interface BenchStage {
  readonly redis: RedisClient;
  /** The process of the Redis server, whose CPU is measured too. */
  readonly redisPid: number;
  readonly core: Core;
  readonly workspace: Id<'workspace'>;
  readonly keys: WorkspaceKeys;
  readonly principal: Principal;
  readonly token: string;
  operator(): Call;
  /** The number of stored standups. */
  stored(): Promise<number>;
  /** The environment of the measured service, for its command. */
  readonly environment: Readonly<Record<string, string>>;
  startService(build: Build, roles: string, env?: Readonly<Record<string, string>>): Promise<Server>;
  /** Starts a peer of `peers/` that serves HTTP. */
  startPeer(name: string, env?: Readonly<Record<string, string>>): Promise<Server>;
  /** Starts a peer of `peers/` that communicates by messages. */
  startTalkingPeer(name: string, env?: Readonly<Record<string, string>>): NodeProcess;
}

export type RedisClient = ReturnType<typeof createRedisClient>;

const secretKey = 'a secret key for the benchmarks alone, 32 characters or more';
const here = path.dirname(fileURLToPath(import.meta.url));

function createRedisClient(url: string) {
  return createClient({url, RESP: 2, commandOptions: {timeout: 0}});
}

export async function openStage(
  bench: Bench,
  closings: Closings,
  appendfsync: 'always' | 'everysec' = 'always',
): Promise<BenchStage> {
  const dataDir = mkdtempSync(path.join(bench.dataDir, 'redis-'));
  closings.defer(() => rmSync(dataDir, {recursive: true, force: true}));
  const server = await startRedis({bin: bench.redisBin, dataDir, appendfsync, restart: false});
  closings.defer(() => server.stop());
  const redis = createRedisClient(server.url);
  redis.on('error', () => undefined);
  await redis.connect();
  closings.defer(() => redis.destroy());
  // Redis must not rewrite its append-only file during a measurement, since this would take CPU and disk
  // time.
  await redis.configSet('auto-aof-rewrite-percentage', '0');

  const {config, secrets} = parseConfig({REDIS_URL: server.url, SECRET_KEY: secretKey});
  const core = await composeCore({
    config,
    secrets: {...secrets, secretKey},
    log: createLog({logLevel: 'silent', logFormat: 'json'}, closings),
    closings,
    wake: () => undefined,
  });
  const {workspaces, teams, people, tokens} = core.services;
  const workspace = await workspaces.createWorkspace('Bench', createDeadline());
  const operator = (): Call => operatorCall(workspace.id, createDeadline());
  await teams.createTeam(operator(), {slug: 'platform', name: 'Platform'});
  const principal = await people.ensureServiceAccount(operator(), 'bench');
  const {value: token} = await tokens.issueToken(operator(), {name: 'bench', holder: principal, scopes});
  const keys = workspaceKeys(workspace.id);

  function stopProcessWhenStageEnds(process: NodeProcess): NodeProcess {
    closings.defer(() => process.stop());
    return process;
  }

  return {
    redis,
    redisPid: server.pid() ?? 0,
    core,
    workspace: workspace.id,
    keys,
    principal,
    token,
    operator,
    stored: () => redis.zCard(keys.list(lists.standups())),
    environment: createServiceEnvironment(server.url, 0, 'web,worker'),
    async startService({main, nodeArgs, talks = false}, roles, env = {}) {
      const port = await findFreePort();
      const {profiles, cores} = bench;
      const process = stopProcessWhenStageEnds(
        startNode({
          script: main,
          nodeArgs: [
            ...nodeArgs,
            ...(profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]),
          ],
          env: {...createServiceEnvironment(server.url, port, roles), ...env},
          cores,
          talks,
        }),
      );
      if (roles.includes('web')) await waitUntilListening(process, port);
      else await waitUntilReady(process, async () => (await redis.exists(globalKeys.scheduler())) === 1);
      return {process, port};
    },
    async startPeer(name, env = {}) {
      const port = await findFreePort();
      const process = stopProcessWhenStageEnds(
        startNode({
          script: path.join(here, 'peers', `${name}.js`),
          nodeArgs: bench.build.nodeArgs,
          env: {REDIS_URL: server.url, PORT: String(port), NODE_ENV: 'production', ...env},
          cores: bench.cores,
        }),
      );
      await waitUntilListening(process, port);
      return {process, port};
    },
    startTalkingPeer: (name, env = {}) =>
      stopProcessWhenStageEnds(
        startNode({
          script: path.join(here, 'peers', `${name}.js`),
          nodeArgs: bench.build.nodeArgs,
          env: {REDIS_URL: server.url, NODE_ENV: 'production', ...env},
          cores: bench.cores,
          talks: true,
        }),
      ),
  };
}

/**
 * The environment of a measured service, as in production. The rate limits are on, but too high to be
 * reached.
 */
function createServiceEnvironment(redisUrl: string, port: number, roles: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    REDIS_URL: redisUrl,
    SECRET_KEY: secretKey,
    ROLES: roles,
    LOG_LEVEL: 'info',
    RATE_LIMIT: '1000000',
    RATE_LIMIT_WRITES: '1000000',
    WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
  };
}

export function createDeadline(): number {
  return performance.now() + 10_000;
}
