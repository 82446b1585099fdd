import {expect, it} from '@jest/globals';
import {listTestsThatReach, readSources} from '../../scripts/testing/imports.mjs';

/** Files that start a service, a process or an emulated Slack. Each start takes 50 ms and connections. */
const starting = ['service', 'service-process', 'slack-harness'].map((name) => `test/support/${name}.ts`);

/** Raise this only for a new operation, screen or process: test a rule without a service where possible. */
const most = 320;

it(`no more than ${most} files of npm test import what starts a service, a process or Slack`, () => {
  const sources = readSources();
  const inEachRun = listTestsThatReach(starting, sources).filter((file) => !file.endsWith('.deep.test.ts'));
  expect(inEachRun.length).toBeLessThanOrEqual(most);
  expect(inEachRun.length).toBeGreaterThan(100);
});
