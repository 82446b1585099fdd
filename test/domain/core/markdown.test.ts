import {describe, expect, it} from '@jest/globals';
import {formatAnswers} from '../../../src/domain/questions/answers.js';
import {escapeMarkdown} from '../../../src/domain/core/escape-markdown.js';
import {parseMarkdown, plainText, removeMarks} from '../../../src/domain/core/markdown.js';
import {formattedTexts, hostileTexts, writeRandomText} from '../../support/formatted-texts.js';
import {createChance} from '../../support/seeded-random.js';

it.each(formattedTexts)('a formatted text is plain without its marks: %j', (text, {plain = text}) => {
  expect(plainText(text)).toBe(plain);
});

it('a plain text is never read as formatting', () => {
  for (const [text] of formattedTexts) expect(plainText(text, 'plain')).toBe(text);
});

/** Shows the pieces of a text: marks of styles, blocks and links around what is shown. */
function describeRuns(text: string): string {
  return parseMarkdown(text)
    .filter(({shown}) => shown !== undefined)
    .map(({shown, block, styles, url, mention}) => {
      const where = block.in === 'item' ? `${block.style} ${block.indent}.${block.number}` : block.in;
      const parts = [block.quoted && 'quoted', where !== 'text' && where, ...Object.keys(styles ?? {})];
      const more = [url && `→ ${url}`, mention && 'mention'];
      return [JSON.stringify(shown), ...parts, ...more].filter(Boolean).join(' ');
    })
    .join(' | ');
}

it.each([
  ['**a** _b_ ~~c~~ `d`', '"a" bold | " " | "b" italic | " " | "c" strike | " " | "d" code'],
  ['***both***', '"both" italic bold'],
  ['- a\n  1. b\n  2. c', '"a" bullet 0.1 | "b" ordered 1.1 | "c" ordered 1.2'],
  ['3. a\n9. b', '"a" ordered 0.3 | "b" ordered 0.4'],
  ['> q\n> - i', '"q" quoted | "i" quoted bullet 0.1'],
  ['```js\na *b*\n```', '"a *b*" code'],
  ['- a\n  ```\n  x\n  ```\n  b', '"a" bullet 0.1 | "x" code | "b"'],
  ['[a](https://a.example/x_y)', '"a" → https://a.example/x_y'],
  ['[*a* b](https://a.example)', '"a" italic → https://a.example | " b" → https://a.example'],
  ['https://a.example/x*y*z.', '"https://a.example/x*y*z" → https://a.example/x*y*z | "."'],
  ['[b.example](https://a.example)', '"b.example" → https://a.example | " (a.example)"'],
  ['[a.example](https://www.a.example/x)', '"a.example" → https://www.a.example/x'],
  ['[@Ada](mention:mem_01h455vb4pex5vsknk084sn02q)', '"@Ada" mention'],
  ['[@A\\_b](mention:mem_01h455vb4pex5vsknk084sn02q)', '"@A_b" mention'],
])('the pieces of %j are those that channels show', (text, pieces) => {
  expect(describeRuns(text)).toBe(pieces);
});

it.each([
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](&#106;avascript:alert(1))',
  '[a](data:text/html,x)',
  '[a](//evil.example)',
  '[a](https://user@evil.example)',
  '[a](https://evil.example\\@good.example)',
  '[a](https://еvil.example)',
  '[a](https://evil.example/\u202egpj)',
  '[a](<https://a.example>)',
  '[a](https://a.example "title")',
  '[](https://a.example)',
  '![a](https://a.example/x.png)',
  '[Ada](mention:mem_01h455vb4pex5vsknk084sn02q)',
  '[@Ada](mention:mem_1)',
  '[@Ada](mention:javascript:alert(1))',
  '<a href="https://a.example">a</a>',
  '<script>alert(1)</script>',
  '<https://a.example>',
  '[a]: https://a.example',
])('no link leads to an address that is not safe: %j is shown as typed', (text) => {
  expect(plainText(text)).toBe(text);
  expect(parseMarkdown(text).filter(({url = text}) => !text.includes(url))).toEqual([]);
  expect(parseMarkdown(text).some(({mention}) => mention !== undefined)).toBe(false);
});

describe('10,000 random texts', () => {
  const chance = createChance(38);
  const texts = Array.from({length: 10_000}, () => writeRandomText(chance));

  it('have pieces that cover them, in order', () => {
    const isCovered = (text: string) => {
      const runs = parseMarkdown(text);
      const begins = [...runs.map(({from}) => from), text.length];
      return begins[0] === 0 && runs.every(({to}, i) => to === begins[i + 1]);
    };
    expect(texts.filter((text) => !isCovered(text))).toEqual([]);
  });

  it('are shown as they are after they were escaped', () => {
    const isSame = (text: string) => {
      const escaped = escapeMarkdown(text);
      const isMarked = parseMarkdown(escaped).some(({styles, block}) => styles ?? block.in !== 'text');
      return plainText(escaped) === text && !isMarked;
    };
    expect(texts.filter((text) => !isSame(text))).toEqual([]);
  });

  it('each show something', () => {
    const isEmpty = (text: string) => parseMarkdown(text).every(({shown = ''}) => shown.trim() === '');
    expect(texts.filter((text) => text.trim() !== '' && isEmpty(text))).toEqual([]);
  });
});

it.each(Object.entries(hostileTexts))('%s is read, escaped and searched within 50 ms', (_, text) => {
  // The thread's own time counts, since other work interrupts it; and the best, since the first runs compile.
  const times = Array.from({length: 5}, () => {
    const begun = process.threadCpuUsage();
    plainText(text);
    removeMarks(text);
    return process.threadCpuUsage(begun).user / 1_000;
  });
  expect(Math.min(...times)).toBeLessThan(50);
  expect(plainText(escapeMarkdown(text))).toBe(text);
});

it('a text with more than 400 marks, or 100 links, is shown as typed', () => {
  for (const [mark, most] of [
    ['*a* ', 200],
    ['[a](https://b.example) ', 100],
    ['+ a\n', 400],
  ] as const) {
    expect(plainText(mark.repeat(most))).not.toContain(mark);
    expect(plainText(mark.repeat(most + 1))).toBe(mark.repeat(most + 1));
  }
});

it('an address stays a link in an escaped text', () => {
  expect(escapeMarkdown('See https://a.example/x_y*z, *not* bold.')).toBe(
    'See https://a.example/x_y*z, \\*not\\* bold.',
  );
});

it('labels and chosen options are escaped in Markdown, and text answers are not', () => {
  const answers = [
    {type: 'text', label: 'What *exactly*?', value: '**This**'},
    {type: 'choice', label: 'Languages', value: ['C*', '_x_']},
    {type: 'number', label: 'Hours', value: -1},
  ] as const;
  const composed = formatAnswers(answers, 'markdown');
  expect(composed).toBe('What \\*exactly\\*? **This**\nLanguages: C\\*, \\_x\\_\nHours: -1');
  expect(plainText(composed)).toBe('What *exactly*? This\nLanguages: C*, _x_\nHours: -1');
});
