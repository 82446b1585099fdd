import {existsSync, readFileSync} from 'node:fs';
import {describe, expect, it} from '@jest/globals';

const read = (document: string) => readFileSync(document, 'utf8').replaceAll(/\s+(?=“)/g, ' ');
const text = read('docs/security-evidence.md');
/** A title stands right after its file, or after a semicolon that follows another title of the file. */
const listNamed = (document: string) =>
  [...document.matchAll(/`(test\/[\w./-]+\.test\.ts)`((?:;? “[^”]+”)+)/g)].flatMap(
    ([, file = '', titles = '']) =>
      [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({file, title})),
  );
const named = listNamed(text);
const compared = listNamed(read('docs/explanation/compared.md'));

/** Returns the rows of the tables below a heading. */
function rowsBelow(heading: string): string[] {
  const section = text.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.filter((row) => !/^\| (risk|section) \|/.test(row));
}

/** Whether a source contains the text as a complete string literal. */
function hasString(source: string, title: string): boolean {
  return [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted));
}

describe('the list of tests in the security evidence and the comparison with others', () => {
  it.each([...named, ...compared])('names an existing test in $file: $title', ({file, title}) => {
    expect({file, exists: existsSync(file)}).toEqual({file, exists: true});
    expect({title, found: hasString(readFileSync(file, 'utf8'), title)}).toEqual({title, found: true});
  });

  it('names a title for each test file', () => {
    // Mentions of test files. One of them, this file, has no title.
    const files = [...text.matchAll(/`test\/[\w./-]+\.test\.ts`/g)].length;
    expect(new Set(named.map(({file}) => file)).size).toBeLessThanOrEqual(files - 1);
    expect([...text.matchAll(/`test\/[\w./-]+\.test\.ts` “/g)]).toHaveLength(files - 1);
    expect(named.length).toBeGreaterThan(40);
    expect(compared.length).toBeGreaterThan(30);
    // Conflict markers of a merge must not be committed.
    expect(text).not.toMatch(/^(?:<{7}|={7}|>{7})/m);
  });
});

describe('the tables of the security evidence', () => {
  const rows = [...rowsBelow('OWASP API Security'), ...rowsBelow('OWASP ASVS')];

  it.each(rows)('name a test, or say “not yet”, in the row: %s', (row) => {
    const [requirement = '', measure = '', shown = ''] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    expect(requirement).toMatch(/^(API|V)\d/);
    expect(measure.length).toBeGreaterThan(5);
    expect(shown).toMatch(/^(`test\/|not yet$)/);
  });

  it('contain each of the ten risks of OWASP API Security', () => {
    const risks = rowsBelow('OWASP API Security').map((row) => /API(\d+)/.exec(row)?.[1]);
    expect(risks).toEqual(Array.from({length: 10}, (_, i) => String(i + 1)));
  });

  it('contain each chapter of OWASP ASVS', () => {
    const section = text.split(/^## /m).find((part) => part.startsWith('OWASP ASVS')) ?? '';
    for (let chapter = 1; chapter <= 17; chapter += 1)
      expect(section).toMatch(new RegExp(`\\bV${chapter}\\b`));
  });
});

it('a part of a test’s title does not count as the title', () => {
  expect(hasString("it('a promise that is kept', …)", 'a promise')).toBe(false);
  expect(hasString("it('a promise that is kept', …)", 'a promise that is kept')).toBe(true);
});
