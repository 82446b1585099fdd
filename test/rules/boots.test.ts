import {expect, it} from '@jest/globals';
import {listTestsThatReach, readSources} from '../../scripts/testing/imports.mjs';

/**
 * Test modules that start a service, a process or an emulated Slack. Each start takes 50 ms and opens
 * connections.
 */
const starting = ['service', 'service-process', 'slack-harness'].map((name) => `test/support/${name}.ts`);

/**
 * Allowed number of files. Raise it only for a new operation, screen or process, and test rules without a
 * service.
 */
const most = 368;

it(`at most ${most} test files of npm test import modules that start a service, a process or Slack`, () => {
  const sources = readSources();
  const inEachRun = listTestsThatReach(starting, sources).filter((file) => !file.endsWith('.deep.test.ts'));
  expect(inEachRun.length).toBeLessThanOrEqual(most);
  expect(inEachRun.length).toBeGreaterThan(100);
});
