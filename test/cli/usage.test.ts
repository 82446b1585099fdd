import {describe, expect, it} from '@jest/globals';
import {formatTable} from '../../src/domain/core/table.js';
import {parseDuration, UsageError} from '../../src/cli/usage.js';

describe('a duration in an option of a command', () => {
  it.each([
    ['90m', 5_400],
    ['12h', 43_200],
    ['30d', 2_592_000],
  ])('%s is %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each(['', '30', 'd', '-1d', '1.5h', '1w', '30 d', '1234567d', '1h30m'])('%j is invalid', (text) => {
    expect(() => parseDuration(text)).toThrow(UsageError);
  });
});

it('the table that a command prints has columns as wide as needed, and no spaces at line ends', () => {
  const rows = [
    ['a', 'long cell', ''],
    ['longer', '', 'x'],
  ];
  expect(formatTable(['ONE', 'TWO', 'THREE'], rows)).toBe(
    'ONE     TWO        THREE\na       long cell\nlonger             x\n',
  );
});

it('the table that a command prints shows control characters as codes, so that no name can fake a row', () => {
  expect(
    formatTable(
      ['NAME', 'ID'],
      [
        ['Ada\nEve', '\u001b[31m1'],
        ['Grace\u202e', '2'],
      ],
    ),
  ).toBe('NAME           ID\nAda\\u{a}Eve    \\u{1b}[31m1\nGrace\\u{202e}  2\n');
});
