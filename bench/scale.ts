// `npm run bench -- scale`: how each cost grows with the number of workspaces, and with the size of one.
import {spawnSync} from 'node:child_process';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {parseArgs} from 'node:util';
import {findRedisServer} from '../scripts/redis-server.mjs';
import {describeMachine} from './machine.js';
import {installationCosts, measureInstallation} from './scale/installation.js';
import {killCosts, measureKills} from './scale/kill.js';
import {measureWorkspace, workspaceCosts} from './scale/workspace.js';
import {type Bench, findBuild} from './stage.js';

interface Table {
  readonly title: string;
  readonly lines: readonly string[];
}

const {values} = parseArgs({
  options: {
    workspaces: {type: 'string', default: '100000'},
    busy: {type: 'string', default: '1000'},
    seconds: {type: 'string', default: '30'},
    only: {type: 'string', default: 'installation,workspace'},
    /** Measures kills of the only background process alone, in less than five minutes. */
    kill: {type: 'boolean', default: false},
    kills: {type: 'string', default: '8'},
  },
});
const parts = values.kill ? ['kill'] : values.only.split(',');
const root = process.cwd();
const redisBin = findRedisServer().bin ?? '';
const dataDir = path.join(root, '.cache', `bench-data-${process.pid}`);
mkdirSync(dataDir, {recursive: true});
process.once('exit', () => rmSync(dataDir, {recursive: true, force: true}));

// Nothing is pinned: the worker and Redis work at the same time, and their shares of a core are counted.
const bench: Bench = {
  redisBin,
  build: findBuild('the service', path.join(root, 'dist')),
  dataDir,
  cores: undefined,
};
const redisVersion = spawnSync(redisBin, ['--version'], {encoding: 'utf8'});
const machine = describeMachine(dataDir, /v=([\d.]+)/.exec(redisVersion.stdout)?.[1] ?? 'unknown', false);

const most = Number(values.workspaces);
const busy = Math.min(Number(values.busy), most / 100);
const tables: Table[] = [];

if (parts.includes('installation')) {
  const sizes = [most / 100, most / 10, most];
  const measured = [];
  for (const workspaces of sizes) {
    process.stderr.write(`${workspaces} workspaces\n`);
    measured.push(await measureInstallation(bench, {workspaces, busy, seconds: Number(values.seconds)}));
  }
  const title = `Workspaces, of which ${busy} have one piece of work every 10 s`;
  showTable({title, lines: renderTable(sizes.map(String), installationCosts, measured)});
}
if (parts.includes('workspace')) {
  const measured = [];
  for (const times of [1, 10, 100]) {
    process.stderr.write(`one workspace, ${times} times\n`);
    measured.push(await measureWorkspace(bench, times));
  }
  const title =
    'One workspace: 50 members, 4 teams, 1 webhook and 200 standups, and 10 and 100 times as many';
  showTable({title, lines: renderTable(['1 ×', '10 ×', '100 ×'], workspaceCosts, measured)});
}
if (parts.includes('kill')) {
  const kills = Number(values.kills);
  const measured = await measureKills(bench, {
    workspaces: most,
    busy,
    seconds: Math.min(Number(values.seconds), 20),
    kills,
  });
  const title = `${most} workspaces, ${busy} of them busy, and ${kills} kills of the only background process`;
  showTable({title, lines: renderTable([`${kills} kills`], killCosts, [measured])});
}

const file = path.join(root, 'bench', 'results', values.kill ? 'kill.json' : 'scale.json');
writeFileSync(
  file,
  `${JSON.stringify({date: new Date().toISOString().slice(0, 10), machine, tables}, null, 2)}\n`,
);
process.exit(0);

/** Keeps a table, and prints it at once: the next one takes minutes. */
function showTable(table: Table): void {
  tables.push(table);
  process.stdout.write(`\n${table.title}\n\n${table.lines.join('\n')}\n`);
}

function renderTable<Cost extends string>(
  sizes: readonly string[],
  costs: Readonly<Record<Cost, string>>,
  measured: readonly Readonly<Record<Cost, number>>[],
): string[] {
  const rows = (Object.entries(costs) as [Cost, string][]).map(([cost, name]) => [
    name,
    ...measured.map((figures) => formatFigure(figures[cost])),
  ]);
  return [['cost', ...sizes], sizes.map(() => '---').concat('---'), ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
}

/** Formats a figure with about three digits. */
function formatFigure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return Number(value.toPrecision(3)).toLocaleString('en');
}
