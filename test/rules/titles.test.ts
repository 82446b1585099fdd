import {expect, it} from '@jest/globals';
import {readSources} from '../../scripts/testing/imports.mjs';

/** Unusual words, and words that reviewers found unclear in titles. */
const privateWords = [
  'any more',
  'anew',
  'as before',
  'comes? to',
  'doors?',
  'drawn',
  '(?<!Block )kits?',
  'lanes?',
  'nobody(?!@)',
  'patience',
  'pumps?',
  '(?<!screen )readers?',
  'seal(?:s|ed)?',
  'settle[sd]?',
  'somebody',
  'stand(?:s|ing)?(?! for)',
  'tells? of',
  'told',
  'troubles?',
  'turns?(?! (?:into|of the year|off|on|out))',
  'visit(?:s|ed)?',
  'whoever',
  'whom',
  'wording',
];
const privateWord = new RegExp(`(?<![$\\w/.{-])(?:${privateWords.join('|')})(?![\\w/:-])`, 'i');
/** Words with which a title is a fragment or depends on the previous title. */
const fragment = /^(?:regression:? )?(?:also|and|in|not|of|or|those|what|who|whose|with)(?=\s)/i;

interface Title {
  readonly file: string;
  readonly text: string;
  /** False if the text is a table cell that only completes a title. */
  readonly isWhole: boolean;
}

const text = String.raw`(['"\`])((?:\\.|(?!QUOTE)[^\\\n])*)QUOTE`;
const textAs = (quote: number) => text.replaceAll('QUOTE', `\\${quote}`);
/** Finds the titles of tests, of groups and of tables of tests. */
const heads = new RegExp(
  String.raw`(?:\b(?:it|test|describe|\w+It)|\))\(\s*${textAs(1)},\s*(?:async\b|\(|function\b|\w+\s*=>)`,
  'g',
);
/** Finds a call of `each` with its table, or with the name of a table. */
const tables = new RegExp(
  String.raw`\.each(?:<[^()]*?>)?\(\s*(?:\[([^]*?)\]|(?:\w+\()?(?:Object\.keys\()?(\w+)[^\n]*?)\)\(\s*${textAs(3)}`,
  'g',
);
const firstCells = new RegExp(String.raw`(?:^|[[,\n])\s*\[\s*${textAs(1)},`, 'g');
const keys = new RegExp(String.raw`^ {2,4}${textAs(1)}: `, 'gm');

function titlesIn(file: string, source: string): Title[] {
  const found = [...source.matchAll(heads)].map(([, , title = '']) => ({file, text: title, isWhole: true}));
  for (const [, rows, name = '', , frame = ''] of source.matchAll(tables)) {
    const named = new RegExp(String.raw`const ${name}\b[^]*?\n[\]}]`).exec(source)?.[0];
    const table = rows ?? named ?? '';
    const isWhole = frame.startsWith('%s');
    for (const cells of [firstCells, keys])
      for (const [, , cell = ''] of table.matchAll(cells)) found.push({file, text: cell, isWhole});
  }
  return found;
}

const unclear = ({text: title, isWhole}: Title): boolean =>
  privateWord.test(title) || (isWhole && fragment.test(title));

const tests = [...readSources(['test'])].filter(([file]) => file.endsWith('.test.ts'));
const titles = tests.flatMap(([file, source]) => titlesIn(file, source));

it('a test title is complete by itself and uses usual words', () => {
  expect(titles.length).toBeGreaterThan(6_000);
  expect(titles.filter(unclear)).toEqual([]);
});

it('the check of titles finds an unclear title in a test, in a group, in a table and in the keys of a table', () => {
  const [test, group] = ['it', 'describe'];
  const source = [
    `${test}('a lead is told at once', async () => {`,
    `${group}('and when it ends', () => {`,
    `${test}.each([\n  ['a pump', 1],\n  ['with a name', 2],\n])('%s is refused', (_, count) => {`,
    `const acts = {\n  'a change anew': 1,\n};`,
    `${test}.each(Object.keys(acts))('is refused after %s', (act) => {`,
    `${test}('refuses a name with a space', () => {`,
  ].join('\n');
  const found = titlesIn('x', source).filter(unclear);
  expect(found.map(({text: title}) => title)).toEqual([
    'a lead is told at once',
    'and when it ends',
    'a pump',
    'with a name',
    'a change anew',
  ]);
});
