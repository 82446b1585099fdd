import {describe, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {measureCpuMs} from '../../support/stopwatch.js';
import {anyCharacter} from '../../support/any-character.js';
import {
  countCodePoints,
  createEmailComparisonKey,
  createSearchTextNormalizer,
  normalizeEmail,
  isSlug,
  findNearMatches,
  createSlugFromName,
  findTextError,
} from '../../../src/domain/core/text.js';

it('the length of a text is counted in code points, as the published limits say', () => {
  fc.assert(
    fc.property(fc.array(fc.string({unit: anyCharacter, minLength: 1, maxLength: 1})), (characters) => {
      expect(countCodePoints(characters.join(''))).toBe(characters.length);
    }),
  );
  expect(countCodePoints('👩‍👩‍👧')).toBe(5);
});

describe('the text of a field', () => {
  it('may be as long as the limit, and contain line breaks and tabs', () => {
    for (const text of ['a', '🚀'.repeat(10), ' a\r\n\tb ', '\u00e9\u0301', 'a\u2028b', 'a\u00a0b']) {
      expect(findTextError(text, 10)).toBeUndefined();
    }
  });

  it.each([
    ['', 'must not be empty or only white space'],
    [' \t\n\u3000\ufeff', 'must not be empty or only white space'],
    ['🚀'.repeat(11), 'is 11 characters long; at most 10 are allowed'],
    ['a\u0000', 'must not contain control characters other than newline, return and tab'],
    ['a\u0080', 'must not contain control characters other than newline, return and tab'],
    ['a\u0085b', 'must not contain control characters other than newline, return and tab'],
    ['a\u009f', 'must not contain control characters other than newline, return and tab'],
    ['a\u007f', 'must not contain control characters other than newline, return and tab'],
    ['\u3164\u00ad', 'must have a visible character'],
    ['\udc00a', 'must be well-formed Unicode (it has half of a surrogate pair)'],
  ])('is refused with a reason: %j', (text, error) => {
    expect(findTextError(text, 10)).toBe(error);
  });
});

describe('a slug', () => {
  it.each([
    ['Platform', 'platform'],
    ['Team Größe 1', 'team-grosse-1'],
    ['  --A & B--  ', 'a-b'],
    ['Ünïcödé', 'unicode'],
    ['日本 team', 'team'],
    ['x'.repeat(50), 'x'.repeat(40)],
    [`${'x'.repeat(39)} y`, 'x'.repeat(39)],
  ])('is made from the name %j: %j', (name, slug) => {
    expect(createSlugFromName(name, 40)).toBe(slug);
  });

  it('cannot be made from a name without letters or digits', () => {
    expect(createSlugFromName('日本', 40)).toBeUndefined();
    expect(createSlugFromName('---', 40)).toBeUndefined();
  });

  it('is always valid if it was made from a name', () => {
    fc.assert(
      fc.property(fc.string({unit: anyCharacter}), (name) => {
        const slug = createSlugFromName(name, 40);
        expect(slug === undefined || isSlug(slug, 40)).toBe(true);
      }),
    );
  });
});

describe('a suggestion for a mistyped name', () => {
  const teams = ['platform', 'payments', 'data', 'design', 'dashboard'];

  it.each([
    ['platfrom', ['platform']],
    ['PLATFORM', ['platform']],
    ['dat', ['data']],
    ['pay', ['payments']],
    ['zzzzzz', []],
    ['', []],
  ])('is right for %j: %j', (typed, meant) => {
    expect(findNearMatches(typed, teams)).toEqual(meant);
  });

  it('lists at most three names, and is quick for a very long name', () => {
    const many = Array.from({length: 500}, (_, i) => `team-${i}`);
    expect(findNearMatches('team-1', many)).toHaveLength(3);
    expect(findNearMatches('x'.repeat(65_000), many)).toEqual([]);
  });

  it('regression: compares only as many long names as take a few milliseconds', () => {
    const long = (i: number) => `${i}`.padStart(4, '0').padEnd(40, 'q');
    const typed = 'platform'.repeat(5);
    const others = (count: number) => Array.from({length: count}, (_, i) => long(i));
    const meant = typed.replace('rm', 'mm');
    expect(findNearMatches(typed, [...others(250), meant])).toEqual([meant]);
    expect(findNearMatches(typed, [meant, ...others(500)])).toEqual([meant]);
    expect(findNearMatches(typed, [...others(500), meant])).toEqual([]);
  });
});

describe('an e-mail address', () => {
  it('is normalized by changing A to Z to lower case and nothing else', () => {
    expect(normalizeEmail('Ada.LOVELACE+x@Example.TEST')).toBe('ada.lovelace+x@example.test');
  });

  it('has one comparison key for all spellings: composed or decomposed, upper or lower case, Unicode or Punycode domain', () => {
    const spellings = [
      'jörg@exämple.test',
      'JÖRG@EXÄMPLE.TEST',
      'jo\u0308rg@exa\u0308mple.test',
      'Jörg@xn--exmple-cua.test',
    ];
    expect(new Set(spellings.map(createEmailComparisonKey))).toEqual(new Set(['jörg@xn--exmple-cua.test']));
    expect(createEmailComparisonKey('\u212Aim@example.test')).not.toBe('kim@example.test');
    expect(createEmailComparisonKey('\u0130da@example.test')).not.toBe(
      createEmailComparisonKey('ida@example.test'),
    );
    fc.assert(
      fc.property(fc.string({unit: anyCharacter}), (address) => {
        const key = createEmailComparisonKey(address);
        expect(createEmailComparisonKey(key)).toBe(key);
        if (/^\p{ASCII}*$/u.test(key.split('@')[0] ?? ''))
          expect(address.split('@')[0]).toMatch(/^\p{ASCII}*$/u);
      }),
    );
  });

  it.each(['/ö.evil.test', '/.ö', '?ö.evil.test', '#ö.evil.test', '\\ö.evil.test', ':443', '%2Eö'])(
    'regression: has another comparison key if %s follows the domain',
    (end) => {
      for (const local of ['ada', 'jörg']) {
        const address = `${local}@corp.test`;
        expect(createEmailComparisonKey(`${address}${end}`)).not.toBe(createEmailComparisonKey(address));
      }
    },
  );

  it('regression: keeps every character besides A to Z when it is normalized', () => {
    for (const address of ['\u212aim@example.test', '\u0130da@example.test', 'É@exämple.test', 'ſ@a.test']) {
      expect(normalizeEmail(address)).toBe(address);
    }
    fc.assert(
      fc.property(fc.string({unit: anyCharacter}), (address) => {
        const folded = normalizeEmail(address);
        expect(normalizeEmail(folded)).toBe(folded);
        expect(folded.replaceAll(/[a-z]/g, '')).toBe(address.replaceAll(/[a-z]/gi, ''));
      }),
    );
  });
});

describe('folding a text for searches', () => {
  it('gives the same result as decomposing the whole text', () => {
    const whole = (text: string) =>
      text
        .toLowerCase()
        .normalize('NFKD')
        .replaceAll(/\p{Mark}/gu, '');
    const fold = createSearchTextNormalizer();
    fc.assert(
      fc.property(fc.string({unit: anyCharacter}), (text) => {
        fc.pre(!/[ßæœøłđðþı]/i.test(whole(text)));
        expect(fold(text)).toBe(whole(text));
      }),
    );
  });

  it.each([
    ['letters with accents', 'é'],
    ['syllables', '각'],
    ['letters of which each stands for 18', '\uFDFA'],
    ['marks in an order of their own', '\u0301\u0323'],
    ['letters that become two', 'ß'],
  ])('regression: takes little time for a hundred updates with %s', async (_, letters) => {
    const text = letters.repeat(4_000 / letters.length);
    const fold = createSearchTextNormalizer();
    const foldAll = () => {
      for (let i = 0; i < 100; i += 1) fold(text);
    };
    expect(await measureCpuMs(foldAll)).toBeLessThan(300);
  });
});
