import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {runLauncher, say} from './console.mjs';
import {root} from './paths.mjs';
import {ensureRunnable, isProduction, readEnvFile} from './prepare.mjs';
import {ensureRedisServer, startRedis} from './redis-server.mjs';

/** `npm start`: installs what is missing, builds, starts an embedded Redis unless REDIS_URL is set, and runs the service here. */
await runLauncher(async () => {
  readEnvFile();
  await ensureRunnable({web: true});
  const main = path.join(root, 'dist', 'main.js');
  const isLocal = !process.env.REDIS_URL && !process.env.REDIS_URL_FILE && !isProduction();
  if (isLocal) await startEmbeddedRedis();
  process.argv = [process.argv[0], main, ...(isLocal ? ['--local'] : [])];
  await import(pathToFileURL(main).href);
});

async function startEmbeddedRedis() {
  const dataDir = process.env.DATA_DIR || '.data';
  const bin = await ensureRedisServer();
  const redis = await startRedis({bin, dataDir, appendfsync: 'always', log: say});
  // After the service has shut down in its own order. A death without this event closes the pipe that Redis
  // lives by, with the same result a moment later.
  process.on('exit', () => redis.stopNow());
  process.env.REDIS_URL = redis.url;
}
