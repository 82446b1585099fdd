import {beforeAll, expect, it} from '@jest/globals';
import {execFile} from 'node:child_process';
import path from 'node:path';
import {promisify} from 'node:util';
import {root} from '../../scripts/paths.mjs';
import {maxWordsOfSentence, unusual} from './usual-words.js';

/**
 * Groups of texts whose sentences are measured. Texts of the API and of command help may be lists instead.
 */
const channelsOfSentences = [
  'Dashboard',
  'DashboardInGerman',
  'Slack',
  'SlackInGerman',
  'Mail',
  'MailInGerman',
];
const lists = ['setup.questionsHint'];

let channels: Map<string, [key: string, text: string][]>;

beforeAll(async () => {
  const script = path.join(root, 'scripts/words.mjs');
  const {stdout} = await promisify(execFile)(process.execPath, [script], {maxBuffer: 10_000_000});
  const [, ...parts] = stdout.split(/^# (\w+): \d+ texts$/m);
  channels = new Map();
  for (let i = 0; i < parts.length; i += 2) {
    const texts = [...(parts[i + 1] ?? '').matchAll(/^(\S.*)\n((?: {4}.*\n)+)/gm)];
    channels.set(
      parts[i] ?? '',
      texts.map(([, key = '', text = '']) => [key, text.trim()]),
    );
  }
});

it.each([
  ['Dashboard', 1_800],
  ['Slack', 600],
  ['Mail', 10],
  ['Command', 30],
  ['API', 1_000],
])('the English texts of the %s use the usual words', (channel, atLeast) => {
  const texts = channels.get(channel) ?? [];
  expect(texts.length).toBeGreaterThanOrEqual(atLeast);
  expect(texts.filter(([, text]) => unusual.test(text))).toEqual([]);
});

it.each(channelsOfSentences)('no sentence of the %s has more than 25 words', (channel) => {
  const long = (channels.get(channel) ?? []).filter(
    ([key, text]) =>
      !lists.includes(key) &&
      text.split(/(?<=[.!?])\s+|\n/).some((sentence) => sentence.split(/\s+/).length > maxWordsOfSentence),
  );
  expect(long).toEqual([]);
});
