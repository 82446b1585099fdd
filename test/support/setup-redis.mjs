import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {ensureRedisServer, startRedis} from '../../scripts/redis-server.mjs';

/**
 * Starts one private Redis for the test run; every test file uses a separate database (redis-server.ts).
 * Environment variables tell Jest's workers its address, and the files that they share: the API document and
 * counts of checks.
 */
export default async function setupRedis() {
  const bin = await ensureRedisServer();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'standup-test-'));
  const redis = await startRedis({bin, dataDir, appendfsync: 'no', databases: 4_096});
  process.env.TEST_REDIS_URL = redis.url;
  process.env.REDIS_SERVER_BIN = bin;
  process.env.TEST_CONTRACT_TALLY = path.join(dataDir, 'contract-tally');
  process.env.TEST_PAGE_REQUESTS = path.join(dataDir, 'page-requests');
  process.env.TEST_API_DOCUMENT = path.join(dataDir, 'api-document.json');
  globalThis.testRun = {redis, dataDir};
}
