import {stripTypeScriptTypes} from 'node:module';
import path from 'node:path';
import {describe, expect, it} from '@jest/globals';
import {compileMessages} from '../../scripts/compile-messages.mjs';
import {createCounts} from '../../src/domain/core/counts.js';

type Messages = Readonly<Record<string, unknown>>;
type Compiled = Readonly<Record<string, (gaps: object) => string>>;

/** Compiles messages of the bot, and runs the code for one language. */
async function compile(catalogues: Readonly<Record<string, Messages>>, language: string): Promise<Compiled> {
  const given = Object.entries(catalogues).map(
    ([name, slack]) => [name, {dashboard: {}, slack, mail: {}, pages: {}}] as const,
  );
  const files = await compileMessages(new Map(given));
  const [, content = ''] =
    files.find(([file]) => file.endsWith(path.join('bot/texts/compiled', `${language}.ts`))) ?? [];
  const code = stripTypeScriptTypes(content)
    .replaceAll(/^import .*$/gm, '')
    .replace(/^export const \w+ *=/m, 'return');
  // oxlint-disable-next-line typescript/no-implied-eval -- the code was just compiled here
  return new Function('createCounts', code)(createCounts) as Compiled;
}

const compileEnglish = (slack: Messages) => compile({en: slack}, 'en');

describe('a compiled message', () => {
  it('is a string when it has no gap, also with quotes, backslashes and braces', async () => {
    const texts = await compileEnglish({
      plain: 'Use `skip` or \\ in $ order',
      braces: "Write '{name}' here",
    });
    expect(texts).toEqual({plain: 'Use `skip` or \\ in $ order', braces: 'Write {name} here'});
  });

  it('inserts the values of its gaps', async () => {
    const {of} = await compileEnglish({of: '{shown} of {all}'});
    expect(of?.({shown: 2, all: 'nine'})).toBe('2 of nine');
  });

  it('has the plural forms and the numbers of its language', async () => {
    const texts = await compile(
      {
        en: {count: '{n, plural, one {# sign} other {# signs}}'},
        pl: {count: '{n, plural, one {# znak} few {# znaki} other {# znaków}}'},
        de: {count: '{n, plural, one {# Zeichen} other {# Zeichen}}'},
      },
      'pl',
    );
    expect([1, 3, 5, 22].map((n) => texts['count']?.({n}))).toEqual([
      '1 znak',
      '3 znaki',
      '5 znaków',
      '22 znaki',
    ]);
    const english = await compileEnglish({count: '{n, plural, =0 {none} one {# sign} other {# signs}}'});
    expect([0, 1, 1_234].map((n) => english['count']?.({n}))).toEqual(['none', '1 sign', '1,234 signs']);
  });

  it.each([
    [undefined, 'by someone'],
    [null, 'by someone'],
    ['', 'by someone'],
    ['none', 'by none'],
    ['Ada', 'by Ada'],
  ])('shows the case none for a missing value: %j', async (name, text) => {
    const {by} = await compileEnglish({by: 'by {name, select, none {someone} other {{name}}}'});
    expect(by?.({name})).toBe(text);
  });

  it('chooses its form by a boolean, a code or a number', async () => {
    const texts = await compileEnglish({
      truth: '{isOwn, select, true {yours} other {theirs}}',
      code: '{state, select, open {Open} closed {Closed} other {Unknown}}',
      number: '{nth, select, 1 {first} 2 {second} other {last}}',
    });
    expect([true, false].map((isOwn) => texts['truth']?.({isOwn}))).toEqual(['yours', 'theirs']);
    expect(['open', 'closed', 'x'].map((state) => texts['code']?.({state}))).toEqual([
      'Open',
      'Closed',
      'Unknown',
    ]);
    expect([1, 2, -1].map((nth) => texts['number']?.({nth}))).toEqual(['first', 'second', 'last']);
  });
});

it('compiling names every message that is wrong, with its file and its fault', async () => {
  const de = {made: 'Erstellt von {nmae}', more: 'Mehr', broken: '{open'};
  const en = {made: 'Created by {name}', title: 'Title', broken: 'open'};
  await expect(compile({en, de: {...de, broken: 'offen'}}, 'de')).rejects.toThrow(
    [
      'messages/de.json has slack.more, which messages/en.json does not have.',
      'messages/de.json: slack.made lacks the gap {name}.',
      'messages/de.json: slack.made has the gap {nmae}, which the English message does not have.',
      'messages/de.json lacks slack.title.',
    ].join('\n'),
  );
  await expect(compile({en, de}, 'de')).rejects.toThrow('messages/de.json: slack.broken is not a message: ');
});

it.each([
  ['an ordinal', '{n, selectordinal, one {#st} other {#th}}', 'the format of the gap {n} is not supported'],
  ['an offset', '{n, plural, offset:1 one {#} other {#}}', 'the format of the gap {n} is not supported'],
  ['a style', '{n, number, percent}', 'the format of the gap {n} is not supported'],
  ['a date', '{at, date}', 'the format of the gap {at} is not supported'],
  ['the case false', '{is, select, false {a} other {b}}', 'the gap {is} has the case `false`'],
  ['a reserved name', 'A {new} one', 'slack.text is not a message'],
])('compiling refuses %s, which it does not support', async (_, text, error) => {
  await expect(compileEnglish({text})).rejects.toThrow(error);
});

it('compiling refuses a case that English does not have, such as a translated code', async () => {
  const [en, de] = ['lead {lead}', 'Leitung {Leitung}'].map((name) => ({
    role: `{role, select, ${name} other {member}}`,
  }));
  await expect(compile({en: en ?? {}, de: de ?? {}}, 'de')).rejects.toThrow(
    'messages/de.json: slack.role has the case `Leitung`, which the English message does not have.',
  );
});
