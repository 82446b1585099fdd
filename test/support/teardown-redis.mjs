import {rmSync} from 'node:fs';

/** Ends the Redis of the run and removes its data. */
export default async function teardownRedis() {
  const {redis, dataDir} = globalThis.testRun;
  await redis.stop();
  rmSync(dataDir, {recursive: true, force: true});
}
