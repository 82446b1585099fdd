import {enableCompileCache} from 'node:module';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {runLauncher, say} from './console.mjs';
import {cacheFolder, root} from './paths.mjs';
import {ensureRunnable, isProduction, readEnvFile} from './prepare.mjs';
import {ensureRedisServer, startRedis} from './redis-server.mjs';

/**
 * `npm start`: installs missing packages, builds, starts an embedded Redis unless REDIS_URL is set, and runs
 * the service in this process.
 */
await runLauncher(async () => {
  readEnvFile();
  const main = path.join(root, 'dist', 'main.js');
  const isLocal = !process.env.REDIS_URL && !process.env.REDIS_URL_FILE && !isProduction();
  await Promise.all([loadService(), isLocal && startEmbeddedRedis()]);
  process.argv = [process.argv[0], main, ...(isLocal ? ['--local'] : [])];
  await import(pathToFileURL(main).href);
});

/**
 * Builds if necessary, and loads most of the service while Redis starts. Later, main.js starts the service.
 */
async function loadService() {
  await ensureRunnable({web: true});
  enableCompileCache(path.join(cacheFolder, 'compiled'));
  await import(pathToFileURL(path.join(root, 'dist', 'compose.js')).href);
}

async function startEmbeddedRedis() {
  const dataDir = process.env.DATA_DIR || '.data';
  const bin = await ensureRedisServer();
  const redis = await startRedis({bin, dataDir, appendfsync: 'always', log: say});
  // Ends Redis after the service has shut down. If this process dies without an 'exit' event, its pipe to
  // Redis closes, which also ends Redis.
  process.on('exit', () => redis.stopNow());
  process.env.REDIS_URL = redis.url;
}
