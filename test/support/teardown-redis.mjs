import {existsSync, readFileSync, rmSync} from 'node:fs';

/**
 * Ends the Redis of the test run and removes its data. Prints the number of checks against the OpenAPI
 * document.
 */
export default async function teardownRedis() {
  // Without workers the tests have run in this process, with its browser.
  await globalThis.workerBrowser?.close();
  const {redis, dataDir} = globalThis.testRun;
  await redis.stop();
  reportContract(process.env.TEST_CONTRACT_TALLY);
  reportPages(process.env.TEST_PAGE_REQUESTS);
  rmSync(dataDir, {recursive: true, force: true});
}

function reportContract(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const webhooks = lines.filter((line) => line.startsWith('webhook '));
  const kinds = new Set(lines);
  process.stderr.write(
    `${lines.length - webhooks.length} responses and ${webhooks.length} webhook bodies checked against the OpenAPI document ` +
      `(${kinds.size} pairs of operation and status, or event types)\n`,
  );
}

function reportPages(file) {
  if (!existsSync(file)) return;
  const kinds = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ')[0]);
  const count = (...names) => kinds.filter((kind) => names.includes(kind)).length;
  const operations = new Set(kinds.filter((kind) => !['asset', 'door', 'none'].includes(kind)));
  process.stderr.write(
    `${kinds.length} requests of pages: ${count('asset')} for assets, ${count('door')} at the door, ` +
      `${kinds.length - count('asset', 'door', 'none')} of ${operations.size} operations, ${count('none')} others\n`,
  );
}
