import {expect, test} from '@jest/globals';
import canonicalizePackage from 'canonicalize';
import fc, {type Arbitrary} from 'fast-check';
import {canonicalize} from '../../src/api/idempotency.js';
import {parseJson, requireDistinctNames} from '../../src/api/parse-json.js';
import {anyCharacter} from '../support/any-character.js';

/** Texts in which colons, quotes and escapes stand everywhere, and few names, so that many are there twice. */
const shortText = fc.string({
  unit: fc.constantFrom('a', ':', '"', '\\', '{', '}', ',', '\\u003a', 'é', '😀'),
  maxLength: 4,
});
const name = fc.oneof(fc.constantFrom('a', 'b', ':', '"', '\\', '1', '10', '9'), shortText);

/** A string as JSON, with some of its characters escaped. */
const written = (text: Arbitrary<string>): Arbitrary<string> =>
  fc.tuple(text, fc.array(fc.boolean(), {minLength: 8, maxLength: 8})).map(([plain, escaped]) => {
    const units = plain.split('').map((unit, i) => {
      const code = `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
      return escaped[i % 8] === true ? code : JSON.stringify(unit).slice(1, -1);
    });
    return `"${units.join('')}"`;
  });

const {text: jsonText} = fc.letrec<{text: string}>((tie) => ({
  text: fc.oneof(
    {maxDepth: 3},
    fc.constantFrom('null', '-1.5e3', 'true'),
    written(shortText),
    fc.array(tie('text'), {maxLength: 3}).map((items) => `[${items.join(' , ')}]`),
    fc
      .array(fc.tuple(written(name), fc.constantFrom(':', ' : ', '\n:\t'), tie('text')), {maxLength: 4})
      .map((members) => `{${members.map((parts) => parts.join('')).join(',')}}`),
  ),
}));

function refusalOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

test('a body whose colons leave no doubt has no member twice: the look at each name finds the same', () => {
  let [refused, taken] = [0, 0];
  fc.assert(
    fc.property(jsonText, (text) => {
      const found = refusalOf(() => parseJson(Buffer.from(text)));
      expect(found).toBe(refusalOf(() => requireDistinctNames(text)));
      if (found === undefined) taken += 1;
      else refused += 1;
    }),
    {numRuns: 2_000},
  );
  expect(Math.min(refused, taken)).toBeGreaterThan(50);
});

test('what a repeat is recognised by is the canonical form of RFC 8785, as ever', () => {
  const theirs = canonicalizePackage as unknown as (value: unknown) => string;
  const value = fc.jsonValue({
    maxDepth: 4,
    stringUnit: fc.oneof(anyCharacter, fc.constantFrom('1', '2', '\ud83d')),
  });
  fc.assert(
    fc.property(value, (one) => expect(canonicalize(one)).toBe(theirs(one))),
    {numRuns: 1_000},
  );
  expect(canonicalize({10: 'a', 9: 'b', é: -0, '': {b: [], a: {}}})).toBe(
    '{"":{"a":{},"b":[]},"10":"a","9":"b","é":0}',
  );
});
