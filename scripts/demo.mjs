import {existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {ensureBrowser} from './browser.mjs';
import {ensureModules, modulesFolder} from './compile.mjs';
import {ensureWebBuilt} from './compile-web.mjs';
import {StopError, runLauncher, say} from './console.mjs';
import {hashFiles, listFiles} from './files.mjs';
import {ensurePackages} from './packages.mjs';
import {cacheFolder, root} from './paths.mjs';
import {isProduction} from './prepare.mjs';
import {ensureRedisServer, startRedis} from './redis-server.mjs';
import {runCommand} from './run-command.mjs';

const output = path.join(cacheFolder, 'demo-build');
const usage = 'Usage: npm run demo [-- --fresh]\n       npm run pictures';

/**
 * `npm run demo`: starts the service with a made-up company, in a Redis and a folder of its own. It does not
 * use the data of `npm start` or the settings in `.env`. `--fresh` creates the company again. `--pictures`
 * takes the pictures of README and docs instead.
 */
await runLauncher(async () => {
  const args = process.argv.slice(2);
  if (args.some((one) => !['--fresh', '--pictures'].includes(one))) throw new StopError(usage);
  if (isProduction()) throw new StopError('The demonstration does not run in production.');
  await ensurePackages();
  await Promise.all([ensureModules(), ensureWebBuilt()]);
  await compileDemo();
  const folder = path.join(cacheFolder, args.includes('--pictures') ? 'demo-pictures' : 'demo');
  const redis = await startRedis({bin: await ensureRedisServer(), dataDir: folder, log: say});
  process.on('exit', () => redis.stopNow());
  if (args.includes('--pictures')) {
    process.env.CHROMIUM_BIN = await ensureBrowser();
    const {takePictures} = await importCompiled('pictures.js');
    await takePictures({redisUrl: redis.url, folder: path.join(root, 'docs', 'pictures'), say});
    process.exit(0);
  }
  const {startDemo} = await importCompiled('main.js');
  const port = Number(process.env.PORT || 3000);
  const fresh = args.includes('--fresh');
  const starting = startDemo({redisUrl: redis.url, folder, port, fresh, say}).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new StopError(`Port ${error.port} is taken: stop what listens there, or set PORT.`);
  });
  // While the weeks are played, there is no data to save, so a signal ends the process at once.
  let stop = () => process.exit(0);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop());
  const demo = await starting;
  stop = () => {
    stop = () => process.exit(1);
    demo.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.stdout.write(demo.welcome);
});

/**
 * Compiles demo/ into .cache/, since no installation needs it. Its imports from src/ are compiled already.
 */
async function compileDemo() {
  const stampFile = path.join(output, '.source');
  const sources = ['demo', 'src'].flatMap((name) => listFiles(path.join(root, name)));
  const hash = hashFiles(sources);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash) return;
  say('Building the demonstration …');
  rmSync(output, {recursive: true, force: true});
  mkdirSync(output, {recursive: true});
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const compiled = await runCommand(process.execPath, [compiler, '-p', 'demo/tsconfig.json'], {cwd: root});
  if (compiled !== 0) throw new StopError('The demonstration could not be built, see above.');
  rmSync(path.join(output, 'src'), {recursive: true});
  symlinkSync(modulesFolder, path.join(output, 'src'));
  symlinkSync(path.join(root, 'scripts'), path.join(output, 'scripts'));
  writeFileSync(stampFile, hash);
}

function importCompiled(name) {
  return import(pathToFileURL(path.join(output, 'demo', name)).href);
}
