// bench/: the project's own benchmarks: rows, the generator, and what the rows are compared with (peers/).
// Not here: anything that the service or its tests need.
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {spawnSync} from 'node:child_process';
import {findRedisServer} from '../scripts/redis-server.mjs';
import type {Figure} from './figures.js';
import {chooseCores, describeMachine, pinSelf} from './machine.js';
import {type Report, renderPage, renderTable} from './report.js';
import {benchDeliveries} from './rows/deliveries.js';
import {benchLatency} from './rows/latency.js';
import {benchNeighbours} from './rows/neighbours.js';
import {benchNewTokens} from './rows/new-tokens.js';
import {benchFsync, benchObvious, benchOpenLoop, benchPost, benchPostAndWork} from './rows/post.js';
import {benchStart} from './rows/start.js';
import type {Bench} from './stage.js';

const rows: Readonly<Record<string, (bench: Bench) => Promise<Figure[]>>> = {
  post: benchPost,
  'post-and-work': benchPostAndWork,
  'open-loop': benchOpenLoop,
  'new-tokens': benchNewTokens,
  obvious: benchObvious,
  fsync: benchFsync,
  deliveries: benchDeliveries,
  latency: benchLatency,
  neighbours: benchNeighbours,
  start: benchStart,
};

/** The folder of package.json: scripts/bench.mjs begins there. */
const root = process.cwd();

const {values} = parseArgs({
  options: {
    only: {type: 'string'},
    rounds: {type: 'string', default: '5'},
    seconds: {type: 'string', default: '2'},
    profile: {type: 'boolean', default: false},
  },
});
const chosen = values.only?.split(',') ?? Object.keys(rows);
const unknown = chosen.filter((id) => rows[id] === undefined);
if (unknown.length > 0) {
  throw new Error(`There is no row ${unknown.join(', ')}; there are ${Object.keys(rows).join(', ')}.`);
}

const redisBin = findRedisServer().bin ?? '';
const dataDir = path.join(root, '.cache', 'bench-data');
rmSync(dataDir, {recursive: true, force: true});
mkdirSync(dataDir, {recursive: true});
const cores = chooseCores();
if (cores !== undefined) pinSelf(cores);

const bench: Bench = {
  redisBin,
  root,
  dataDir,
  cores,
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  ...(values.profile && {profiles: path.join(root, '.cache', 'profiles')}),
};
const machine = describeMachine(dataDir, redisVersion(redisBin), cores !== undefined);
const figures: Figure[] = [];
for (const id of chosen) {
  const from = performance.now();
  figures.push(...((await rows[id]?.(bench)) ?? []));
  process.stderr.write(`${id}: ${((performance.now() - from) / 1_000).toFixed(0)} s\n`);
}
rmSync(dataDir, {recursive: true, force: true});

const {rounds, seconds} = bench;
const report: Report = {
  date: new Date().toISOString().slice(0, 10),
  rounds,
  seconds,
  machine,
  figures,
};
process.stdout.write(`\n${renderTable(figures)}`);
if (values.only === undefined) {
  mkdirSync(path.join(root, 'bench', 'results'), {recursive: true});
  mkdirSync(path.join(root, 'docs'), {recursive: true});
  writeFileSync(path.join(root, 'bench', 'results', 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(path.join(root, 'docs', 'performance.md'), renderPage(report));
}
if (figures.some(({failed}) => failed === true)) {
  process.stderr.write('A ratio has fallen below its floor.\n');
  process.exitCode = 1;
}

function redisVersion(bin: string): string {
  return /v=([\d.]+)/.exec(spawnSync(bin, ['--version'], {encoding: 'utf8'}).stdout)?.[1] ?? 'unknown';
}
