// `npm run bench -- soak`: mixed load at a share of the capacity for an hour. It judges whether memory and the
// time of requests stay flat.
import {spawnSync} from 'node:child_process';
import {appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {findRedisServer} from '../scripts/redis-server.mjs';
import {createShutdownList} from '../src/compose-core.js';
import {computePercentile} from './figures.js';
import {describeMachine, readCpuMicros} from './machine.js';
import {askPeer} from './processes.js';
import {createActs, signingSecret} from './soak/acts.js';
import {createClient, type Observe} from './soak/client.js';
import {startSoakReceivers} from './soak/receivers.js';
import {countKeysByKind, processNames, type Sample, takeSample} from './soak/samples.js';
import {followStreams} from './soak/streams.js';
import {addTenants} from './soak/tenants.js';
import {type CpuUser, cpuUsers, judge, readHeap, type Window} from './soak/verdict.js';
import {type Bench, type Build, findBuild, openStage} from './stage.js';

const {values} = parseArgs({
  options: {
    minutes: {type: 'string', default: '60'},
    share: {type: 'string', default: '0.3'},
    /** Acts a second at full capacity. Without it, a closed loop finds them. */
    capacity: {type: 'string'},
    window: {type: 'string', default: '5'},
    sample: {type: 'string', default: '10'},
    /** A folder for heap snapshots at the end. They would raise resident memory earlier. */
    snapshots: {type: 'string'},
  },
});
const minutes = Number(values.minutes);
const windowMs = Number(values.window) * 60_000;
const sampleMs = Number(values.sample) * 1_000;
const warmUpSeconds = 15;
const loopSeconds = 20;
const loopWidth = 32;
/** While so many acts wait for their answers, further ones are left out: the machine is busy otherwise. */
const mostUnderWay = 500;
const botToken = 'xoxb-soak';
const botScopes =
  'app_mentions:read,commands,chat:write,users:read,users:read.email,channels:history,groups:history,channels:join,im:history';

const root = process.cwd();
const redisBin = findRedisServer().bin ?? '';
const dataDir = path.join(root, '.cache', `bench-data-${process.pid}`);
mkdirSync(dataDir, {recursive: true});
process.once('exit', () => rmSync(dataDir, {recursive: true, force: true}));
const samplesFile = path.join(root, '.cache', 'soak-samples.ndjson');
rmSync(samplesFile, {force: true});

// Somebody may build again within the hour, so the measured processes run a copy.
cpSync(path.join(root, 'dist'), path.join(dataDir, 'copy', 'dist'), {recursive: true});
for (const file of ['package.json', 'Procfile'])
  cpSync(path.join(root, file), path.join(dataDir, 'copy', file));
const plain = findBuild('the service', path.join(dataDir, 'copy', 'dist'));
const probe = path.join(path.dirname(fileURLToPath(import.meta.url)), 'soak', 'probe.js');
const probed: Build = {
  ...plain,
  nodeArgs: [...plain.nodeArgs, '--expose-gc', '--import', probe],
  talks: true,
};
const bench: Bench = {redisBin, build: plain, dataDir, cores: undefined};
const redisVersion = spawnSync(redisBin, ['--version'], {encoding: 'utf8'}).stdout;
const machine = describeMachine(dataDir, /v=([\d.]+)/.exec(redisVersion)?.[1] ?? 'unknown', false);

const closings = createShutdownList();
const stage = await openStage(bench, closings, 'everysec');
const receivers = await startSoakReceivers(closings);
const {tenants, minuteTeams, firstMinute} = await addTenants(stage, receivers.urls, minutes + 2);

const slack = stage.startTalkingPeer('slack', {TOKEN: botToken, SCOPES: botScopes});
const slackUrl = (await askPeer(slack, {})) as string;
const env = {
  SLACK_BOT_TOKEN: botToken,
  SLACK_SIGNING_SECRET: signingSecret,
  SLACK_API_URL: `${slackUrl}/api/`,
  SLACK_WORKSPACE: stage.workspace,
  WORKSPACE_BYTES: '0',
};
const web = await stage.startService(probed, 'web', env);
const worker = await stage.startService(probed, 'worker', env);
const processes = {web: web.process, worker: worker.process};
const pids: Record<CpuUser, number> = {
  web: web.process.pid,
  worker: worker.process.pid,
  redis: stage.redisPid,
};
const controlFile = path.join(dataDir, 'control.json');
writeFileSync(controlFile, JSON.stringify({status: 200, headers: [], body: 'x'.repeat(1_000)}));
const control = await stage.startPeer('static', {ANSWER: controlFile});

let [served, controlled]: [number[], number[]] = [[], []];
let [failed, writes, leftOut] = [0, 0, 0];
let underWay = 0;
const refusals = new Map<string, number>();
const observe: Observe = (ms, status, {method, path: asked}, body) => {
  served.push(ms);
  const isFine = (status >= 200 && status < 300) || status === 304;
  if (isFine && method !== 'GET') writes += 1;
  if (isFine) return;
  failed += 1;
  const kind = `${method} ${asked.replaceAll(/\w+_[\da-z]{20,}/g, '…').split('?')[0]} ${status}`;
  if (!refusals.has(kind)) process.stderr.write(`${kind}: ${body.slice(0, 300)}\n`);
  refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
};
const client = createClient(web.port, observe);
const controlClient = createClient(control.port, (ms) => controlled.push(ms));
const act = createActs(client, {
  tenants,
  minuteTeams,
  firstMinute,
  publicUrl: `http://localhost:${web.port}`,
  responseUrl: receivers.urls[0] ?? '',
});
const streams = followStreams(web.port, tenants);

const capacity = values.capacity === undefined ? await findCapacity() : Number(values.capacity);
const rate = capacity * Number(values.share);
process.stderr.write(`capacity ${capacity.toFixed(0)} acts/s, load ${rate.toFixed(0)} acts/s\n`);

const begun = performance.now();
const sinceBegun = (): number => (performance.now() - begun) / 60_000;
const pace = startPace(rate);
const windows: Window[] = [];
let samples: Sample[] = [];
let keys: Record<string, number> = {};
for (let end = windowMs; end <= minutes * 60_000; end += windowMs) {
  resetCounts();
  const cpuBefore = cpuUsers.map((name) => readCpuMicros(pids[name]));
  while (performance.now() - begun < end) {
    await pause(Math.min(sampleMs, Math.max(0, end - (performance.now() - begun))));
    const sample = await takeSample(stage, processes, sinceBegun());
    samples.push(sample);
    appendFileSync(samplesFile, `${JSON.stringify(sample)}\n`);
  }
  const [forWeb = 0, forWorker = 0, forRedis = 0] = cpuUsers.map(
    (name, i) => (readCpuMicros(pids[name]) - (cpuBefore[i] ?? 0)) / served.length,
  );
  const window: Window = {
    cpu: {web: forWeb, worker: forWorker, redis: forRedis},
    minute: sinceBegun(),
    requests: served.length,
    failed,
    leftOut,
    writes,
    service: {p50: computePercentile(served, 0.5), p99: computePercentile(served, 0.99)},
    control: {p50: computePercentile(controlled, 0.5), p99: computePercentile(controlled, 0.99)},
    samples,
    collected: await takeSample(stage, processes, sinceBegun(), {collect: true}),
  };
  windows.push(window);
  if (windows.length === 1) keys = await countKeysByKind(stage);
  if (windows.length === 1) process.stdout.write(`${renderHead()}\n`);
  process.stdout.write(`${renderWindow(window)}\n`);
}
clearInterval(pace);
const shown = await client.send({
  method: 'GET',
  path: '/v1/standups?source=slack&order=asc&limit=1',
  token: stage.token,
});
const isShown = /"permalink":"/.test(shown.body);

const keysAtEnd = await countKeysByKind(stage);
const grown = Object.entries(keysAtEnd)
  .map(([kind, count]) => ({kind, from: keys[kind] ?? 0, to: count}))
  .sort((a, b) => b.to - b.from - (a.to - a.from));
if (values.snapshots !== undefined) {
  mkdirSync(values.snapshots, {recursive: true});
  await takeSample(stage, processes, sinceBegun(), {snapshot: path.join(values.snapshots, 'end')});
}
const verdicts = judge(windows.slice(1));
const lines = verdicts.map(
  ({promise, measured, kept}) => `| ${promise} | ${measured} | ${kept ? 'kept' : 'not kept'} |`,
);
process.stdout.write(`\n| promise | measured | |\n| --- | --- | --- |\n${lines.join('\n')}\n`);
process.stdout.write(`\n${JSON.stringify(Object.fromEntries(refusals))}\n`);
process.stdout.write(
  `${JSON.stringify({streams: streams.counts, webhooks: Object.fromEntries(receivers.answers), isShown})}\n`,
);
writeFileSync(
  path.join(root, 'bench', 'results', 'soak.json'),
  `${JSON.stringify(
    {
      date: new Date().toISOString().slice(0, 10),
      machine,
      minutes,
      capacity: Math.round(capacity),
      rate: Math.round(rate),
      windows: [renderHead(), ...windows.map(renderWindow)].join('\n').split('\n'),
      verdicts,
      refusals: Object.fromEntries(refusals),
      webhooks: Object.fromEntries(receivers.answers),
      streams: streams.counts,
      keys: grown.slice(0, 40),
    },
    null,
    2,
  )}\n`,
);
streams.stop();
client.close();
controlClient.close();
await closings.run();
process.exit(0);

/** Returns the acts a second that are done when each caller begins its next one after each answer. */
async function findCapacity(): Promise<number> {
  const loop = async (seconds: number): Promise<number> => {
    const [from, until] = [performance.now(), performance.now() + seconds * 1_000];
    let done = 0;
    await Promise.all(
      Array.from({length: loopWidth}, async () => {
        for (; performance.now() < until; done += 1) await act();
      }),
    );
    return (done / (performance.now() - from)) * 1_000;
  };
  await loop(warmUpSeconds);
  return loop(loopSeconds);
}

/** Begins acts at a fixed rate, however fast the answers come, and a request to the control between them. */
function startPace(perSecond: number): NodeJS.Timeout {
  const from = performance.now();
  let issued = 0;
  return setInterval(() => {
    for (;;) {
      const due = from + (issued * 500) / perSecond;
      if (due > performance.now()) return;
      if (issued % 2 === 0) beginAct(due);
      else void controlClient.send({method: 'GET', path: '/', due});
      issued += 1;
    }
  }, 1);
}

function beginAct(due: number): void {
  if (underWay >= mostUnderWay) {
    leftOut += 1;
    return;
  }
  underWay += 1;
  act(due)
    .catch(countFailure)
    .finally(() => {
      underWay -= 1;
    });
}

/** An answer that cannot be read is a failure, and does not end the hour. */
function countFailure(error: unknown): void {
  failed += 1;
  process.stderr.write(`${String(error)}\n`);
}

function resetCounts(): void {
  [served, controlled, samples] = [[], [], []];
  [failed, writes, leftOut] = [0, 0, 0];
}

function renderHead(): string {
  const names = [
    'minute',
    'requests',
    'failed',
    'left out',
    'p50 (ms)',
    'p99 (ms)',
    'control p50',
    'control p99',
    'p99 ratio',
    ...cpuUsers.map((name) => `CPU of ${name} (µs a request)`),
    ...processNames.flatMap((name) => [
      `${name}: heap (MB)`,
      'resident (MB)',
      'files',
      'handles',
      'loop delay p99 (ms)',
    ]),
    'Redis (MB)',
    'keys',
    'load',
  ];
  return `| ${names.join(' | ')} |\n|${' --- |'.repeat(names.length)}`;
}

function renderWindow(window: Window): string {
  const {minute, requests, service, control: beside, collected} = window;
  const cells = [
    minute.toFixed(0),
    requests.toLocaleString('en'),
    window.failed,
    window.leftOut,
    service.p50.toFixed(2),
    service.p99.toFixed(2),
    beside.p50.toFixed(2),
    beside.p99.toFixed(2),
    (service.p99 / beside.p99).toFixed(2),
    ...cpuUsers.map((name) => window.cpu[name].toFixed(0)),
    ...processNames.flatMap((name) => {
      const own = window.samples.map((sample) => sample.processes[name]);
      return [
        (readHeap(collected, name) / 1e6).toFixed(1),
        (
          computePercentile(
            own.map(({rss}) => rss),
            0.5,
          ) / 1e6
        ).toFixed(0),
        computePercentile(
          own.map(({files}) => files),
          0.5,
        ).toFixed(0),
        computePercentile(
          own.map(({resources}) => resources),
          0.5,
        ).toFixed(0),
        computePercentile(
          own.map(({delayP99}) => delayP99),
          0.5,
        ).toFixed(1),
      ];
    }),
    (collected.store.memory / 1e6).toFixed(1),
    collected.store.keys.toLocaleString('en'),
    computePercentile(
      window.samples.map(({load}) => load),
      0.5,
    ).toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}
