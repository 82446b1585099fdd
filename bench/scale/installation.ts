import {spawn} from 'node:child_process';
import {once} from 'node:events';
import path from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {createShutdownList} from '../../src/compose-core.js';
import {composeId, type Id, suffixFromBytes, suffixOf} from '../../src/domain/core/ids.js';
import {renderResource} from '../../src/domain/core/resource.js';
import {globalKeys, workspaceKeys} from '../../src/store/core/keys.js';
import {computeMedian, computePercentile} from '../figures.js';
import {readCpuMicros} from '../machine.js';
import type {NodeProcess} from '../processes.js';
import {type Bench, type BenchStage, createDeadline, openStage, type Server} from '../stage.js';

/** The measured costs of an installation, with what the table says of each. */
export const installationCosts = {
  scheduler: 'background process, share of a core (%)',
  redis: 'Redis, share of a core (%)',
  commands: 'commands a second in Redis',
  p50: 'due → done, p50 (s)',
  p99: 'due → done, p99 (s)',
  killedP50: 'the same, while the process is killed once and started again, p50 (s)',
  killedP99: 'the same, p99 (s)',
  upkeep: 'background process during upkeep, share of a core (%)',
  upkeepRedis: 'Redis during upkeep, share of a core (%)',
  start: 'start to the first answer (ms)',
  metrics: '`GET /metrics` (ms)',
  workspace: '`GET /v1/workspace` with one Slack token (ms)',
  doctor: '`standup-admin doctor`, its own start included (ms)',
  memory: 'memory of Redis (MB)',
} as const;

export type InstallationCost = keyof typeof installationCosts;

const everyMs = 10_000;
const tickMs = 100;
/** The time from the order of a piece of work to the time at which it is due. */
const aheadMs = 2_000;
/** The first upkeep begins a minute after the start of a process. */
const upkeepAfterMs = 62_000;
const metricsToken = 'a-token-for-the-metrics-of-the-benchmark';

/** Measures an installation in which all workspaces but `busy` are silent. */
export async function measureInstallation(
  bench: Bench,
  {workspaces, busy, seconds}: {readonly workspaces: number; readonly busy: number; readonly seconds: number},
): Promise<Record<InstallationCost, number>> {
  const closings = createShutdownList();
  try {
    const stage = await openStage(bench, closings, 'everysec');
    const ids = await addWorkspaces(stage, workspaces);
    const load = await startLoad(stage, ids.slice(0, busy));
    closings.defer(() => load.stop());
    const read = await measureReads(bench, stage);

    const startedAt = performance.now();
    let worker = await stage.startService(bench.build, 'worker');
    // Work has waited while no process worked.
    await load.waitUntilPrompt();
    const quiet = await measureWork(stage, worker.process, load, seconds);
    await pause(Math.max(0, upkeepAfterMs - (performance.now() - startedAt)));
    const upkeep = await measureWork(stage, worker.process, load, seconds);

    const killing = pause(seconds * 500 * Math.random()).then(async () => {
      await worker.process.stop();
      worker = await stage.startService(bench.build, 'worker');
    });
    const killed = await measureWork(stage, worker.process, load, seconds);
    await killing;
    return {
      ...read,
      scheduler: quiet.service,
      redis: quiet.redis,
      commands: quiet.commands,
      p50: computePercentile(quiet.waits, 0.5),
      p99: computePercentile(quiet.waits, 0.99),
      killedP50: computePercentile(killed.waits, 0.5),
      killedP99: computePercentile(killed.waits, 0.99),
      upkeep: upkeep.service,
      upkeepRedis: upkeep.redis,
      memory: (await readInfo(stage, 'used_memory')) / 1e6,
    };
  } finally {
    await closings.run();
  }
}

/** Adds workspaces without any data by the writes of their creation, many at a time. */
export async function addWorkspaces({redis}: BenchStage, count: number): Promise<Id<'workspace'>[]> {
  const ids: Id<'workspace'>[] = [];
  const at = new Date().toISOString();
  while (ids.length < count) {
    const some = redis.multi();
    for (const end = Math.min(count, ids.length + 1_000); ids.length < end; ) {
      const bytes = new Uint8Array(10);
      new DataView(bytes.buffer).setUint32(6, ids.length);
      const id = composeId('workspace', Date.now(), suffixFromBytes(bytes));
      const slug = `silent-${ids.length}`;
      const keys = workspaceKeys(id);
      const draft = {object: 'workspace', slug, name: slug, retention_days: null, leads_invite: true};
      some.hSet(keys.head(), {sequence: '0', 'cursor:webhooks': '0'});
      some.set(
        keys.record(suffixOf(id)),
        renderResource(draft, {id, revision: 1, created_at: at, updated_at: at}),
      );
      some.hSet(globalKeys.workspaceSlugs(), slug, id);
      some.sAdd(globalKeys.workspaces(), id);
      ids.push(id);
    }
    await some.execAsPipeline();
  }
  return ids;
}

/** A piece of work that was due, and when it was done (Unix ms). */
export interface DonePiece {
  readonly due: number;
  readonly done: number;
}

/** The work that busy workspaces get. */
export interface Load {
  /** Returns the work since the last call. Work that is late and not done counts as if it were done now. */
  readonly takePieces: () => DonePiece[];
  /** Resolves when no work is late. */
  readonly waitUntilPrompt: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Gives each workspace a piece of work every ten seconds, as a schedule does: two seconds before it is due.
 * Redis reports when it is done.
 */
export async function startLoad({core, redis}: BenchStage, busy: readonly Id<'workspace'>[]): Promise<Load> {
  const due = new Map<string, number>();
  let pieces: DonePiece[] = [];
  await redis.configSet('notify-keyspace-events', 'K$hz');
  const watcher = redis.duplicate();
  await watcher.connect();
  await watcher.pSubscribe('__keyspace@0__:*}:ready', (event, channel) => {
    const key = channel.slice(channel.indexOf(':') + 1);
    const at = due.get(key);
    if (event === 'zadd' || at === undefined) return;
    due.delete(key);
    pieces.push({due: at, done: Date.now()});
  });
  let next = 0;
  const begunAt = Date.now();
  const timer = setInterval(() => {
    for (; next < (busy.length * (Date.now() - begunAt)) / everyMs; next += 1) {
      const id = busy[next % busy.length];
      if (id === undefined || due.has(workspaceKeys(id).ready())) continue;
      const at = Date.now() + aheadMs;
      due.set(workspaceKeys(id).ready(), at);
      core.store.ready
        .reschedule(id, {kind: 'fan-out'}, at, createDeadline())
        .catch(() => due.delete(workspaceKeys(id).ready()));
    }
  }, tickMs);
  const listLate = (): DonePiece[] =>
    [...due.values()]
      .map((at) => ({due: at, done: Date.now()}))
      .filter((late) => late.done - late.due > 2_000);
  return {
    async waitUntilPrompt() {
      do await pause(3_000);
      while (listLate().length > 0);
    },
    takePieces() {
      const taken = [...pieces, ...listLate()];
      pieces = [];
      return taken;
    },
    async stop() {
      clearInterval(timer);
      watcher.destroy();
    },
  };
}

/** Measures the shares of a core, the commands a second, and the waits of the work, for some seconds. */
async function measureWork(stage: BenchStage, {pid}: NodeProcess, load: Load, seconds: number) {
  load.takePieces();
  const readAll = async () => ({
    at: performance.now(),
    service: readCpuMicros(pid),
    redis: readCpuMicros(stage.redisPid),
    commands: await readInfo(stage, 'total_commands_processed'),
  });
  const before = await readAll();
  await pause(seconds * 1_000);
  const after = await readAll();
  const ms = after.at - before.at;
  return {
    service: (after.service - before.service) / ms / 10,
    redis: (after.redis - before.redis) / ms / 10,
    commands: ((after.commands - before.commands) / ms) * 1_000,
    waits: load.takePieces().map(({due, done}) => (done - due) / 1_000),
  };
}

/** Measures what people and operators wait for. */
async function measureReads(bench: Bench, stage: BenchStage) {
  const from = performance.now();
  const web = await stage.startService(bench.build, 'web', {
    METRICS_TOKEN: metricsToken,
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_SIGNING_SECRET: 'a-signing-secret-for-the-benchmark-alone',
    SLACK_API_URL: 'http://127.0.0.1:1/api/',
  });
  const timeRequest = async (times: number, target: string, token: string): Promise<number> => {
    const spent: number[] = [];
    for (let i = 0; i < times; i += 1) spent.push(await requestOnce(web, target, token));
    return computeMedian(spent);
  };
  await requestOnce(web, '/v1/me', stage.token);
  const start = performance.now() - from;
  // The first requests are slower, because code is compiled.
  await timeRequest(50, '/v1/workspace', stage.token);
  const workspace = await timeRequest(200, '/v1/workspace', stage.token);
  await timeRequest(3, '/metrics', metricsToken);
  const metrics = await timeRequest(15, '/metrics', metricsToken);
  await web.process.stop();
  const doctor = computeMedian([
    await timeDoctor(bench, stage),
    await timeDoctor(bench, stage),
    await timeDoctor(bench, stage),
  ]);
  return {start, workspace, metrics, doctor};
}

async function requestOnce({port}: Server, target: string, token: string): Promise<number> {
  const from = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}${target}`, {
    headers: {Authorization: `Bearer ${token}`},
  });
  await answer.text();
  if (answer.status !== 200) throw new Error(`${target} answers with ${answer.status}.`);
  return performance.now() - from;
}

async function timeDoctor({build}: Bench, {environment}: BenchStage): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, [path.join(path.dirname(build.main), 'cli.js'), 'doctor'], {
    env: {PATH: process.env['PATH'] ?? '', ...environment},
    stdio: 'ignore',
  });
  await once(child, 'exit');
  return performance.now() - from;
}

async function readInfo({redis}: BenchStage, name: string): Promise<number> {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(await redis.info())?.[1]);
}
