import fc, {type Arbitrary} from 'fast-check';
import {anyCharacter} from './any-character.js';
import type {ApiDocument} from './api-document.js';
import type {Json} from './service.js';

/** Texts that have broken programs before. */
const hostileTexts = [
  '',
  ' ',
  '\n',
  'a\u0000b',
  '\u0001\u001f\u007f',
  '\u202Eabc\u202C',
  '\uD83D',
  '\uDE00 alone',
  'e\u0301'.repeat(20),
  '👩‍👩‍👧‍👦'.repeat(30),
  '__proto__',
  'constructor',
  'toString',
  'null',
  '0',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  "'; FLUSHALL; --",
  '{{7*7}}${7*7}%s',
  '*',
  'x'.repeat(501),
  'x'.repeat(4_001),
];

const hostileValues: Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  Number.MAX_SAFE_INTEGER + 2,
  [],
  {},
  [[]],
  [null],
  {a: {b: {c: {}}}},
  ...hostileTexts,
];

export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({unit: anyCharacter, maxLength: 40}),
  fc.string({unit: 'grapheme', maxLength: 40}),
);

export const hostileValue: Arbitrary<Json> = fc.oneof(
  fc.constantFrom(...hostileValues),
  hostileText,
  fc.jsonValue({maxDepth: 3}),
);

/** Generates values that a schema of the document allows. `hints`: generators for properties, by name. */
export function arbitraryForSchema(
  document: ApiDocument,
  schema: Json,
  hints: Readonly<Record<string, readonly Json[]>>,
  name = '',
): Arbitrary<Json> {
  const own = document.resolve(schema);
  const of = (inner: Json, member = name) => arbitraryForSchema(document, inner, hints, member);
  const union = own.anyOf ?? own.oneOf;
  if (own.const !== undefined) return fc.constant(own.const);
  if (own.enum !== undefined) return fc.constantFrom(...own.enum);
  if (union !== undefined) return fc.oneof(...union.map((one: Json) => of(one)));
  if (Array.isArray(own.type)) return fc.oneof(...own.type.map((type: string) => of({...own, type})));
  switch (own.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.integer({min: own.minimum ?? 0, max: own.maximum ?? 1_000});
    case 'array':
      return fc.array(of(own.items ?? {}), {
        minLength: own.minItems ?? 0,
        maxLength: Math.min(own.maxItems ?? 3, 3),
      });
    case 'object':
      return arbitraryObjectForSchema(own, of);
    case 'string':
      return arbitraryTextForSchema(own, hints[name] ?? []);
    default:
      return fc.jsonValue({maxDepth: 1});
  }
}

function arbitraryObjectForSchema(
  schema: Json,
  of: (inner: Json, member?: string) => Arbitrary<Json>,
): Arbitrary<Json> {
  const members = Object.entries<Json>(schema.properties ?? {});
  const named = fc.record(Object.fromEntries(members.map(([name, inner]) => [name, of(inner, name)])), {
    requiredKeys: schema.required ?? [],
  });
  if (typeof schema.additionalProperties !== 'object') return named;
  return fc.dictionary(fc.string({minLength: 1, maxLength: 40}), of(schema.additionalProperties), {
    maxKeys: 3,
  });
}

function arbitraryTextForSchema(schema: Json, hints: readonly Json[]): Arbitrary<Json> {
  const shown = [...(schema.examples ?? []), ...hints];
  const {minLength = 0, maxLength = 40} = schema;
  const long = fc.string({
    unit: 'grapheme',
    minLength,
    maxLength: Math.max(minLength, Math.min(maxLength, 60)),
  });
  const made =
    schema.pattern !== undefined
      ? fc.stringMatching(new RegExp(schema.pattern))
      : schema.format === 'date'
        ? fc.constantFrom('2026-11-23', '2026-02-29', '2026-13-01', '1999-12-31', '2999-01-01')
        : schema.format === 'date-time'
          ? fc.constantFrom('2026-11-23T09:00:00Z', '2026-11-23T09:00:00.000+02:00', '2999-01-01T00:00:00Z')
          : fc.oneof(
              {weight: 4, arbitrary: long},
              {weight: 1, arbitrary: fc.constant('é'.repeat(maxLength))},
            );
  return shown.length === 0
    ? made
    : fc.oneof({weight: 3, arbitrary: fc.constantFrom(...shown)}, {weight: 1, arbitrary: made});
}

/** Generates JSON texts with an error: a valid value with one wrong part, or malformed JSON. */
export function arbitraryInvalidJson(good: Arbitrary<Json>): Arbitrary<string> {
  const inAMember = fc.tuple(good, fc.nat(), hostileValue).map(([value, at, bad]) => {
    const names = Object.keys(value ?? {});
    return names.length === 0 ? bad : {...value, [names[at % names.length] ?? '']: bad};
  });
  const without = fc.tuple(good, fc.nat()).map(([value, at]) => {
    const names = Object.keys(value ?? {});
    return Object.fromEntries(
      Object.entries(value ?? {}).filter(([name]) => name !== names[at % names.length]),
    );
  });
  const withMore = fc
    .tuple(good, hostileText, hostileValue)
    .map(([value, name, bad]) => ({...value, [name]: bad}));
  const asJson = fc
    .oneof(inAMember, without, withMore, hostileValue)
    .map((value) => JSON.stringify(value) ?? '');
  const asText = fc
    .tuple(good, fc.constantFrom(...brokenTexts))
    .map(([value, breakIt]) => breakIt(JSON.stringify(value) ?? ''));
  return fc.oneof({weight: 4, arbitrary: asJson}, {weight: 1, arbitrary: asText});
}

const brokenTexts: ((text: string) => string)[] = [
  (text) => text.slice(0, -1),
  (text) => `${text}${text}`,
  (text) => `\uFEFF${text}`,
  (text) => text.replace('{', '{"__proto__":{"admin":true},'),
  (text) => text.replace('{', '{"constructor":{"prototype":{}},'),
  (text) => text.replace('{', `{"deep":${'['.repeat(200)}${']'.repeat(200)},`),
  (text) => text.replace('}', `,"long":"${'x'.repeat(70_000)}"}`),
  (text) => text.replaceAll('"', "'"),
  (text) => text.replace(/("[^"]*":)/, '$1$1'),
  () => '',
  () => 'NaN',
  () => '[1,2,',
];
