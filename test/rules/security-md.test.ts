import {existsSync, readFileSync} from 'node:fs';
import {describe, expect, it} from '@jest/globals';

const text = readFileSync('docs/security-evidence.md', 'utf8').replaceAll(/\s+(?=“)/g, ' ');
const named = [...text.matchAll(/`(test\/[\w./-]+\.test\.ts)` “([^”]+)”/g)].map(
  ([, file = '', title = '']) => ({
    file,
    title,
  }),
);

/** The rows of a table, by its heading. */
function rowsBelow(heading: string): string[] {
  const section = text.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.filter((row) => !/^\| (risk|section) \|/.test(row));
}

/** Whether a source contains the text as a complete string. */
function hasString(source: string, title: string): boolean {
  return [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted));
}

describe('every test that the security evidence names exists', () => {
  it.each(named)('$file contains the title: $title', ({file, title}) => {
    expect({file, exists: existsSync(file)}).toEqual({file, exists: true});
    expect({title, found: hasString(readFileSync(file, 'utf8'), title)}).toEqual({title, found: true});
  });

  it('has a title for every test file that is named', () => {
    // The document names this file once, without a title.
    const files = [...text.matchAll(/`test\/[\w./-]+\.test\.ts`/g)].length;
    expect(named).toHaveLength(files - 1);
    expect(named.length).toBeGreaterThan(40);
    // A merge conflict must not be committed.
    expect(text).not.toMatch(/^(?:<{7}|={7}|>{7})/m);
  });
});

describe('each row names its test, or says that there is none yet', () => {
  const rows = [...rowsBelow('OWASP API Security'), ...rowsBelow('OWASP ASVS')];

  it.each(rows)('names a test or says so: %s', (row) => {
    const [requirement = '', measure = '', shown = ''] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    expect(requirement).toMatch(/^(API|V)\d/);
    expect(measure.length).toBeGreaterThan(5);
    expect(shown).toMatch(/^(`test\/|not yet$)/);
  });

  it('leaves out none of the ten risks', () => {
    const risks = rowsBelow('OWASP API Security').map((row) => /API(\d+)/.exec(row)?.[1]);
    expect(risks).toEqual(Array.from({length: 10}, (_, i) => String(i + 1)));
  });

  it('leaves out no chapter of the standard', () => {
    const section = text.split(/^## /m).find((part) => part.startsWith('OWASP ASVS')) ?? '';
    for (let chapter = 1; chapter <= 17; chapter += 1)
      expect(section).toMatch(new RegExp(`\\bV${chapter}\\b`));
  });
});

it('a part of a title does not count as the title of a test', () => {
  expect(hasString("it('a promise that is kept', …)", 'a promise')).toBe(false);
  expect(hasString("it('a promise that is kept', …)", 'a promise that is kept')).toBe(true);
});
