import {expect, it} from '@jest/globals';
import {listTestsThatReach, readSources} from '../../scripts/testing/imports.mjs';

/** These start a service, a process or an emulated Slack, each in some 50 ms and with connections of its own. */
const starting = ['service', 'service-process', 'slack-harness'].map((name) => `test/support/${name}.ts`);

/**
 * A rule belongs in a plain test where it can be tested without a service. Raise this only for an operation,
 * a screen or a process that is new.
 */
const most = 320;

it(`no more than ${most} files of npm test import what starts a service, a process or Slack`, () => {
  const sources = readSources();
  const inEachRun = listTestsThatReach(starting, sources).filter((file) => !file.endsWith('.deep.test.ts'));
  expect(inEachRun.length).toBeLessThanOrEqual(most);
  expect(inEachRun.length).toBeGreaterThan(100);
});
