import {describe, expect, test} from '@jest/globals';
import {cleanName, isolateDirection, isolateName} from '../../src/bot/texts/bidi.js';
import {en} from '../../src/bot/texts/compiled/en.js';
import {plainTextBlock, richTextSentence} from '../../src/bot/slack/blocks/blocks.js';
import {findCutPositionBefore, cutText, splitText} from '../../src/bot/texts/cut-text.js';
import {decodeText, escapeText} from '../../src/bot/slack/blocks/text.js';
import {type Chance, createChance} from '../support/seeded-random.js';
import {measureCpuMs} from '../support/stopwatch.js';

const family = '👩‍👩‍👧‍👦';
const flag = '🇩🇪';
const accented = 'e\u0301';
const pieces = [
  ...'ab &<>"\\\n',
  '&amp;',
  '&lt;',
  'é',
  '漢',
  'ש',
  '😀',
  '👍🏽',
  '\r\n',
  '\u202e',
  '\u2069',
  '\u0000',
  family,
  flag,
  accented,
  'नि',
  '한',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  `a${'\u0301'.repeat(30)}`,
];

function randomText(chance: Chance, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += chance.pick(pieces);
  return text;
}

/** The lengths at which a text may be cut. */
function boundaries(text: string): Set<number> {
  const found = new Set([text.length]);
  for (const {index} of new Intl.Segmenter('en', {granularity: 'grapheme'}).segment(text)) found.add(index);
  return found;
}

function longest(text: string): number {
  const starts = [...boundaries(text)].toSorted((a, b) => a - b);
  return Math.max(0, ...starts.map((start, i) => start - (starts[i - 1] ?? 0)));
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('text generated from letters, emoji with parts, flags, marks, entities and controls', () => {
  const chance = createChance(20_261_124);
  const texts = Array.from({length: 300}, () => randomText(chance, chance.between(0, 60)));

  test('is unchanged after it is escaped and decoded', () => {
    for (const text of texts) expect(decodeText(escapeText(text, Infinity))).toBe(text);
  });

  test('is complete when split into pieces within the limit, and no character that fits into a piece is cut', () => {
    for (const text of texts) {
      const max = chance.between(2, 80);
      const cut = splitText(text, max);
      expect(cut.join('')).toBe(text);
      expect(cut.every((piece) => piece.length <= max && piece.length > 0)).toBe(true);
      if (longest(text) > max) continue;
      const allowed = boundaries(text);
      let at = 0;
      for (const piece of cut) expect(allowed.has((at += piece.length))).toBe(true);
    }
  });

  test('keeps its beginning within the limit when cut, escaped or not, and no character that fits is cut', () => {
    for (const text of texts) {
      const max = chance.between(2, 80);
      const short = cutText(text, max);
      const safe = escapeText(text, max);
      expect(short.length).toBeLessThanOrEqual(max);
      expect(safe.length).toBeLessThanOrEqual(max);
      expect(safe.replaceAll(/&(amp|lt|gt);/g, '')).not.toMatch(/[&<>]/);
      const beginnings = [
        ...(short === text ? [] : [short.slice(0, -1)]),
        ...(decodeText(safe) === text ? [] : [decodeText(safe.slice(0, -1))]),
      ];
      const allowed = boundaries(text);
      for (const beginning of beginnings) {
        expect(text.startsWith(beginning)).toBe(true);
        expect(beginning).not.toMatch(/\p{Surrogate}/u);
        if (longest(text) <= max - 8) expect(allowed.has(beginning.length)).toBe(true);
      }
    }
  });

  test('stays within the bytes of a message when put into blocks, and has a note if only its beginning fits', () => {
    for (let i = 0; i < 30; i++) {
      const text = randomText(chance, chance.between(200, 4_000));
      const block = plainTextBlock(text, {cutNote: en.cutNote});
      const [part] = block.elements as {elements: {text: string}[]}[];
      const shown = (part?.elements ?? []).map((element) => element.text).join('');
      expect(bytesOf([block])).toBeLessThanOrEqual(12_000);
      if (shown === text) continue;
      expect(shown).toMatch(/… \(too long to show in full here\)$/);
      expect(boundaries(text).has(shown.indexOf('… (too long'))).toBe(true);
    }
  });
});

describe('one character of several parts', () => {
  test.each([
    ['a family', family],
    ['a flag', flag],
    ['a letter with a mark', accented],
    ['a line break of two', '\r\n'],
    ['an emoji', '😀'],
  ])('is not split when it is %s', (_, character) => {
    const text = character.repeat(3);
    expect(cutText(text, text.length - 1)).toBe(`${character.repeat(character.length > 1 ? 2 : 1)}…`);
    expect(splitText(text, character.length + 1)).toEqual([character, character, character]);
  });

  test('is split only between code points, and only when it alone is too long', () => {
    expect(splitText(`a${'\u0301'.repeat(5)}`, 3)).toEqual([`a\u0301\u0301`, '\u0301\u0301\u0301']);
    expect(splitText(family, 4).join('')).toBe(family);
    expect(splitText(family, 4).join('|')).not.toMatch(/\p{Surrogate}/u);
  });
});

test.each([
  ['letters', 'x'],
  ['families', family],
  ['flags', flag],
  ['one letter with endless marks', '\u0301'],
])(
  'forty thousand characters of %s are cut, split and fitted into blocks without delay',
  async (_, character) => {
    const text = character.repeat(40_000 / character.length);
    const ms = await measureCpuMs(() => {
      splitText(text, 2_000);
      cutText(text, 3_000);
      escapeText(text, 4_000);
      findCutPositionBefore(text, 20_001);
      plainTextBlock(text, {cutNote: en.cutNote});
    });
    expect(ms).toBeLessThan(500);
  },
);

describe('right-to-left text beside our text', () => {
  test('is isolated, while other text is left as it is', () => {
    expect(isolateDirection('שלום!')).toBe('\u2068שלום!\u2069');
    expect(isolateDirection('Ada & 漢')).toBe('Ada & 漢');
    expect(isolateName('فريق المنصة')).toBe('\u2068فريق المنصة\u2069');
  });

  test('cannot end early the isolation that we add, and ends each isolation that it begins', () => {
    expect(isolateDirection('a\u2069b')).toBe('\u2068ab\u2069');
    expect(isolateDirection('\u2067a')).toBe('\u2068\u2067a\u2069\u2069');
    expect(isolateDirection('\u202eevil')).toBe('\u2068\u202eevil\u2069');
  });

  test('has as many beginnings as ends of isolation when generated at random', () => {
    const chance = createChance(7);
    for (let i = 0; i < 200; i++) {
      const text = Array.from({length: 12}, () =>
        chance.pick(['a', 'ש', '\u2066', '\u2067', '\u2068', '\u2069', '\u202e', '\u202c']),
      ).join('');
      let open = 0;
      for (const char of isolateDirection(text)) {
        if (/[\u2066-\u2068]/.test(char)) open++;
        if (char === '\u2069') open--;
        expect(open).toBeGreaterThanOrEqual(0);
      }
      expect(open).toBe(0);
    }
  });
});

describe('a name', () => {
  test.each([
    ['breaks no line', 'Ada\r\nOwner: Eve', 'Ada Owner: Eve'],
    ['has no direction controls', 'Ada\u202eevE\u2066', 'Ada evE'],
    ['has no control characters', 'A\u0007d\u001ba', 'A d a'],
    ['has no hidden characters', 'Pay\u200broll\ufeff', 'Pay roll'],
    ['retains the joiners that its script needs', 'علی‌رضا', 'علی‌رضا'],
    ['retains emoji with parts', `Ada ${family} ${flag}`, `Ada ${family} ${flag}`],
    ['is visible even when all of it would be invisible', '\u200b\u200d\u200e', '?'],
  ])('%s', (_, name, clean) => {
    expect(cleanName(name)).toBe(clean);
  });
});

describe('a sentence with gaps', () => {
  test('has its gaps filled with elements, whatever they contain', () => {
    const name = {type: 'text', text: '0<!channel>'} as const;
    expect(
      richTextSentence((gap) => `Posted for ${gap(name)}: ${gap({type: 'emoji', name: 'tada'})}`),
    ).toEqual([
      {type: 'text', text: 'Posted for '},
      name,
      {type: 'text', text: ': '},
      {type: 'emoji', name: 'tada'},
    ]);
  });

  test('may use its gaps in another order, or twice', () => {
    const gap = {type: 'text', text: 'x'} as const;
    const say = (a: string, b: string) => `${b} ${a} ${b}`;
    expect(
      richTextSentence((fill) => say(fill(gap), fill({...gap, text: 'y'}))).map((e) => 'text' in e && e.text),
    ).toEqual(['y', ' ', 'x', ' ', 'y']);
  });
});
