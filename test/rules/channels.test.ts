import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, it} from '@jest/globals';
import {root} from '../../scripts/paths.mjs';
import {
  channels,
  findReached,
  findReasons,
  findSlackCalls,
  gaps,
  listOperations,
  slackUseCases,
  writeChannelsPage,
} from '../support/channels.js';

const operations = [...listOperations().values()].flat();
const page = path.join(root, 'docs', 'channels.md');

it.each(channels)('the channel %s reaches each operation, or has one reason why it does not', (channel) => {
  const reached = findReached()[channel];
  const reasons = findReasons(channel);
  expect(operations.filter((operation) => reached.has(operation) === reasons.has(operation))).toEqual([]);
  expect([...reached, ...reasons.keys()].filter((operation) => !operations.includes(operation))).toEqual([]);
});

it('each gap of a channel has a single reason', () => {
  const named = Object.values(gaps).map((reasons) => Object.values(reasons).flat());
  for (const ofChannel of named) expect(ofChannel).toHaveLength(new Set(ofChannel).size);
});

it('Slack calls the use case of each operation that it reaches, and calls no other operation’s', () => {
  const {isCalled, shared} = findSlackCalls();
  expect(Object.entries(slackUseCases).filter(([, useCase]) => !isCalled(useCase))).toEqual([]);
  expect(shared.length).toBeGreaterThan(10);
  expect(shared.filter((operation) => !Object.hasOwn(slackUseCases, operation))).toEqual([]);
});

it('docs/channels.md has every operation and the reason of each gap, as in the code', () => {
  const written = writeChannelsPage();
  if (process.env['CHANNELS'] === '1') writeFileSync(page, written);
  expect(readFileSync(page, 'utf8')).toBe(written);
});
