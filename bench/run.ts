// bench/: the project's own benchmarks, with their workloads (rows), the load generator, and peers for
// comparison. Nothing here is needed by the service or its tests.
import {spawnSync} from 'node:child_process';
import {mkdirSync, rmSync} from 'node:fs';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {findRedisServer} from '../scripts/redis-server.mjs';
import type {Figure} from './figures.js';
import {chooseCores, describeMachine, pinThisProcess} from './machine.js';
import type {Method} from './method.js';
import {writePage} from './page.js';
import {renderTable} from './report.js';
import {compareBuilds, measureRow, type BenchRow} from './row.js';
import {quickRows, rows} from './rows.js';
import {type Bench, findBuild} from './stage.js';

/** The folder of package.json, in which scripts/bench.mjs starts this program. */
const root = process.cwd();

const {values} = parseArgs({
  options: {
    only: {type: 'string'},
    quick: {type: 'boolean', default: false},
    against: {type: 'string'},
    processes: {type: 'string'},
    rounds: {type: 'string'},
    seconds: {type: 'string'},
    profile: {type: 'boolean', default: false},
  },
});
const chosen = values.only?.split(',') ?? (values.quick ? quickRows : Object.keys(rows));
const unknown = chosen.filter((id) => rows[id] === undefined);
if (unknown.length > 0) {
  throw new Error(`There is no row ${unknown.join(', ')}; there are ${Object.keys(rows).join(', ')}.`);
}

const redisBin = findRedisServer().bin ?? '';
const dataDir = path.join(root, '.cache', `bench-data-${process.pid}`);
mkdirSync(dataDir, {recursive: true});
process.once('exit', () => rmSync(dataDir, {recursive: true, force: true}));
const cores = chooseCores();
if (cores !== undefined) pinThisProcess(cores);

const bench: Bench = {
  redisBin,
  build: findBuild('the service', path.join(root, 'dist')),
  dataDir,
  cores,
  ...(values.profile && {profiles: path.join(root, '.cache', 'profiles')}),
};
const machine = describeMachine(dataDir, readRedisVersion(redisBin), cores !== undefined);
process.stdout.write(`Node ${machine.node}\n`);
const figures: Figure[] = [];
for (const id of chosen) {
  const row = rows[id];
  if (row === undefined) continue;
  const from = performance.now();
  process.stderr.write(`${id}\n`);
  const measured = await measureRows(row);
  figures.push(...measured);
  process.stderr.write(`  ${((performance.now() - from) / 1_000).toFixed(0)} s\n`);
  process.stdout.write(`${renderTable(measured)}\n`);
}
if (values.only === undefined && !values.quick && values.against === undefined) {
  writePage(root, {date: new Date().toISOString().slice(0, 10), machine, figures});
}

function measureRows(row: BenchRow): Promise<Figure[]> {
  const method: Partial<Method> = Object.fromEntries(
    (['processes', 'rounds', 'seconds'] as const).flatMap((name) =>
      values[name] === undefined ? [] : [[name, Number(values[name])]],
    ),
  );
  if (values.against === undefined) return measureRow(bench, row, method);
  const other = findBuild('the other build', path.resolve(values.against));
  return compareBuilds(bench, row, other, method);
}

function readRedisVersion(bin: string): string {
  return /v=([\d.]+)/.exec(spawnSync(bin, ['--version'], {encoding: 'utf8'}).stdout)?.[1] ?? 'unknown';
}
