import {readFileSync} from 'node:fs';
import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {parse} from 'yaml';
import {startService, type TestService} from '../support/service.js';
import {
  installSuite,
  playEarlierSession,
  runSuite,
  startTokenProxy,
  suiteVersion,
} from './conformance-suite.js';
import {addSuiteFixtures} from './suite-fixtures.js';

/** The scenarios of each revision that fail, with the reason. One that succeeds must leave the file. */
const baseline = parse(readFileSync('test/mcp/conformance-baseline.yml', 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

const lack = await installSuite();
const runOrSkip = lack === undefined ? it : it.skip;
const reason = lack === undefined ? '' : ` (skipped: ${lack})`;
let proxy: Awaited<ReturnType<typeof startTokenProxy>>;
let service: TestService;

beforeAll(async () => {
  proxy = await startTokenProxy();
  // The suite sends this address as Origin and Host.
  const env = {PUBLIC_URL: proxy.url, RATE_LIMIT: '0', RATE_LIMIT_WRITES: '0'};
  service = await startService({env, changeMcpServer: addSuiteFixtures});
  const {token} = await service.addWorkspace();
  proxy.leadTo(service.url, token);
});

afterAll(async () => {
  await service.close();
  await proxy.close();
});

runOrSkip.each([
  ['2026-07-28', 37],
  ['2025-11-25', 30],
] as const)(
  `the conformance suite ${suiteVersion} finds in %s only the gaps of the baseline${reason}`,
  async (revision, required) => {
    const gaps = baseline[revision] ?? {};
    const report = await runSuite(`${proxy.url}/mcp`, revision, Object.keys(gaps));
    // The exit code says the same, unless the suite has run nothing.
    const ran = [...report.matchAll(/^[✓✗] ([\w-]+): /gmu)].map(([, name]) => name);
    expect(ran).toEqual(
      expect.arrayContaining([...Object.keys(gaps), 'tools-list', 'dns-rebinding-protection']),
    );
    expect(ran.length).toBeGreaterThanOrEqual(required);
  },
  600_000,
);

runOrSkip(
  `the conformance suite refuses a baseline with a scenario that succeeds${reason}`,
  async () => {
    const gaps = [...Object.keys(baseline['2025-11-25'] ?? {}), 'ping'];
    await expect(runSuite(`${proxy.url}/mcp`, '2025-11-25', gaps)).rejects.toThrow(/Stale[\s\S]*ping/);
  },
  600_000,
);

runOrSkip(`the official client of the earlier generation lists, posts once and reads${reason}`, async () => {
  expect(await playEarlierSession(`${proxy.url}/mcp`)).toEqual({
    server: 'team-standup',
    posts: true,
    source: 'mcp',
    once: true,
    resources: expect.any(Number),
    refused: true,
  });
});
