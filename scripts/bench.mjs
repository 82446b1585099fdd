import {spawn} from 'node:child_process';
import {readFileSync, rmSync, symlinkSync} from 'node:fs';
import path from 'node:path';
import {StopError, runLauncher, say} from './console.mjs';
import {ensureBuild} from './compile.mjs';
import {ensureGenerated} from './generated.mjs';
import {ensurePackages} from './packages.mjs';
import {cacheFolder, root} from './paths.mjs';
import {ensureRedisServer} from './redis-server.mjs';
import {runCommand} from './run-command.mjs';

/** The programs, each with its options. Those with a placeholder take a value. */
const programs = {
  run: {
    only: 'ROW,ROW',
    quick: '',
    against: 'DIST',
    processes: 'N',
    rounds: 'N',
    seconds: 'N',
    profile: '',
  },
  scale: {workspaces: 'N', busy: 'N', seconds: 'N', only: 'installation,workspace', kill: '', kills: 'N'},
  soak: {minutes: 'N', share: 'N', capacity: 'N', window: 'MINUTES', sample: 'SECONDS', snapshots: 'FOLDER'},
};

/** Reads the names of the rows from their table, because bench/ is not built yet. */
function listRows() {
  const table = readFileSync(path.join(root, 'bench', 'rows.ts'), 'utf8');
  const [, body = ''] = /export const rows[^{]*\{([^}]+)\}/.exec(table) ?? [];
  return body.split(',').flatMap((line) => /^\s*'?([\w-]+)/.exec(line)?.[1] ?? []);
}

const usage = Object.entries(programs)
  .map(([name, options]) => {
    const some = Object.entries(options).map(([option, value]) => ` [${`--${option} ${value}`.trim()}]`);
    return `npm run bench --${name === 'run' ? '' : ` ${name}`}${some.join('')}`;
  })
  .join('\n       ');

const help = `Without options it measures all rows, for about twelve minutes, and rewrites docs/performance.md.
--only     measures these rows: ${listRows().join(', ')}
--quick    measures one row within 90 seconds, and writes no page
--against  measures another build beside this one, named by its dist/ folder
--profile  writes CPU profiles of the service into .cache/profiles
scale      measures how costs grow with workspaces and their sizes, for about ten minutes
soak       measures an hour of mixed load`;

/**
 * `npm run bench`: compiles bench/ into .cache/bench and runs it on the built service.
 * `npm run bench -- scale`: measures how each cost grows (bench/scale.ts).
 * `npm run bench -- soak`: measures an hour of mixed load (bench/soak.ts).
 */
await runLauncher(async () => {
  const args = process.argv.slice(2);
  if (args.includes('--help')) return void process.stdout.write(`${usage}\n\n${help}\n`);
  const name = args[0] === undefined || args[0].startsWith('--') ? 'run' : args.shift();
  const options = Object.hasOwn(programs, name) ? programs[name] : undefined;
  const isUnknown = (arg) => arg.startsWith('--') && options?.[arg.slice(2).split('=')[0]] === undefined;
  if (options === undefined || args.some(isUnknown)) throw new StopError(`Usage: ${usage}`);
  await ensurePackages();
  await ensureBuild();
  await ensureGenerated();
  const bin = await ensureRedisServer();
  say('Building the benchmarks …');
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const compiled = await runCommand(process.execPath, [compiler, '-p', 'bench/tsconfig.json'], {cwd: root});
  if (compiled !== 0) throw new StopError('The benchmarks could not be built, see above.');
  // The compiler copies bench/ and src/ into the output, but not scripts/, which bench/ imports too. A link
  // takes its place.
  const launchers = path.join(cacheFolder, 'bench', 'scripts');
  rmSync(launchers, {recursive: true, force: true});
  symlinkSync(path.join(root, 'scripts'), launchers);
  process.exitCode = await run([path.join(cacheFolder, 'bench', 'bench', `${name}.js`), ...args], bin);
});

function run(args, bin) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {...process.env, REDIS_SERVER_BIN: bin},
    stdio: 'inherit',
  });
  // Ctrl-C also reaches the child process, which must end before this one.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill());
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
