import {spawn} from 'node:child_process';
import {once} from 'node:events';
import path from 'node:path';
import {createInterface} from 'node:readline';
import {ensureWebBuilt} from './compile-web.mjs';
import {runLauncher, say, StopError} from './console.mjs';
import {ensureGenerated, watchGenerated} from './generated.mjs';
import {ensurePackages} from './packages.mjs';
import {root} from './paths.mjs';
import {isProduction, readEnvFile} from './prepare.mjs';
import {ensureRedisServer, startRedis} from './redis-server.mjs';

const locateInModules = (...names) => path.join(root, 'node_modules', ...names);

/**
 * `npm run dev`: runs the service from src/, restarted at each change, with the dashboard served by Vite,
 * which shows changes of web/ at once. It also reports type errors. All parts share Vite's address, so that
 * one sign-in serves them all and persists.
 */
await runLauncher(async () => {
  if (isProduction()) throw new StopError('`npm run dev` is for development: leave NODE_ENV out.');
  readEnvFile();
  await ensurePackages();
  // The service offers sign-in only if a dashboard is built. In development, pages come from Vite instead.
  await ensureGenerated();
  await ensureWebBuilt();
  watchGenerated(say);
  const port = process.env.PORT || '3000';
  const webPort = process.env.WEB_PORT || '5173';
  const local = await openRedis();
  const env = {
    ...process.env,
    PUBLIC_URL: `http://localhost:${webPort}`,
    STANDUP_URL: `http://localhost:${port}`,
    LOG_FORMAT: 'lines',
    FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
  };
  const watch = ['--watch', '--watch-preserve-output', '--import', './scripts/dev-hooks.mjs'];
  const programs = [
    startProgram('service', [...watch, 'src/main.ts', ...(local ? ['--local'] : [])], env),
    startProgram(
      'web',
      [locateInModules('vite/bin/vite.js'), '-c', 'web/vite.config.ts', '--port', webPort, '--strictPort'],
      env,
    ),
    ...['tsconfig.json', 'web'].map((project) =>
      startProgram(
        'types',
        [locateInModules('typescript/bin/tsc'), '-p', project, '--watch', '--preserveWatchOutput'],
        env,
      ),
    ),
  ];
  // In a terminal, Ctrl-C reaches all programs directly, and each shuts down by itself.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      for (const child of programs) child.kill(signal);
    });
  }
  await Promise.all(programs.map((child) => once(child, 'exit')));
});

/** Returns true when the embedded Redis is used, which ends with this process. */
async function openRedis() {
  if (process.env.REDIS_URL || process.env.REDIS_URL_FILE) return false;
  const dataDir = process.env.DATA_DIR || '.data';
  const redis = await startRedis({bin: await ensureRedisServer(), dataDir, appendfsync: 'always', log: say});
  process.on('exit', () => redis.stopNow());
  process.env.REDIS_URL = redis.url;
  return true;
}

/** Shows the welcome message at the first start, but not at each restart. */
function createWelcomeFilter() {
  let welcomes = 0;
  let isWelcome = false;
  return (line) => {
    if (line.startsWith('Team Standup Service is running.')) {
      welcomes += 1;
      isWelcome = true;
    }
    const shown = !isWelcome || welcomes === 1;
    if (line === 'Stop with Ctrl-C.') isWelcome = false;
    return shown;
  };
}

/** Starts a Node program, and prefixes each line of its output with its name. */
function startProgram(name, args, env) {
  const child = spawn(process.execPath, args, {cwd: root, env, stdio: ['ignore', 'pipe', 'pipe']});
  const isNew = createWelcomeFilter();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({input: stream}).on('line', (line) => {
      if (isNew(line)) process.stdout.write(`${name.padEnd(7)} | ${line}\n`);
    });
  }
  return child;
}
