// A text that looks like a command is published only after a question, and real updates are posted at once.
// PRINT_PHRASES=1 prints the table.
import {describe, expect, test} from '@jest/globals';
import {parseCommand, isUpdateTooShort} from '../../src/bot/typed/parse-command.js';
import {measureCpuMs} from '../support/stopwatch.js';
import {phrases} from './phrases.js';

function outcomeOf(text: string): string {
  const parsed = parseCommand(text);
  const behind = (more: string | undefined) => (more === undefined || more === '' ? '' : `: ${more}`);
  switch (parsed.kind) {
    case 'form':
      return parsed.kind;
    case 'run':
      return `runs ${parsed.name}${behind(parsed.rest)}`;
    case 'unclear':
      return `asks ${parsed.name}${parsed.text === undefined ? behind(parsed.rest) : `, or to post${behind(parsed.text)}`}`;
    case 'update':
      if (parsed.text === undefined && isUpdateTooShort(text)) return 'asks to post';
      return `posts${behind(parsed.text)}`;
  }
}

const rows = phrases.flatMap(([, of]) => of);

if (process.env['PRINT_PHRASES'] === '1') {
  const lines = phrases.flatMap(([group, of]) => [
    `\n## ${group}\n\n| typed after /standup | what it does |\n|---|---|`,
    ...of.map(([text]) => `| ${text.replaceAll('\n', ' ⏎ ').replaceAll('|', '\\|')} | ${outcomeOf(text)} |`),
  ]);
  process.stdout.write(`${lines.join('\n')}\n`);
}

describe.each(phrases.map(([group, of]) => ({group, of})))('typed texts: $group', ({of}) => {
  test.each(of.map(([text, expected]) => ({text, expected})))(
    '“$text” results in: $expected',
    ({text, expected}) => {
      expect(outcomeOf(text)).toBe(expected);
    },
  );
});

test('the table has at least 200 phrases without duplicates, and at least 60 updates', () => {
  expect(new Set(rows.map(([text]) => text)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(200);
  expect(rows.filter(([, expected]) => expected.startsWith('posts')).length).toBeGreaterThanOrEqual(60);
});

test('a text that is asked about is retained as it was typed', () => {
  const asked = rows.flatMap(([text]) => {
    const parsed = parseCommand(text);
    return parsed.kind === 'unclear' ? [{text, typed: parsed.typed}] : [];
  });
  expect(asked.filter(({text, typed}) => text !== typed)).toEqual([]);
});

test('long texts are read without delay', async () => {
  const texts = [
    'skip '.repeat(8_000),
    'a'.repeat(40_000),
    `ooo ${'x '.repeat(20_000)}`,
    `post ${' '.repeat(40_000)}x`,
  ];
  const ms = await measureCpuMs(() => texts.forEach((text) => parseCommand(text.trim())));
  expect(ms).toBeLessThan(500);
});
