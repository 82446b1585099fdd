import fc, {type Arbitrary} from 'fast-check';
import type {ApiDocument} from '../support/api-document.js';
import {hostileText, arbitraryInvalidJson, arbitraryForSchema} from '../support/arbitrary-json.js';
import type {Json} from '../support/service.js';

/**
 * A request with placeholders: `@name` is the id of a resource of the run, `@foreign.name` that of another
 * workspace.
 */
export interface RandomRequest {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; undefined without one. */
  readonly body: string | undefined;
  readonly token: TokenChoice;
  /** True if no part was made wrong on purpose. */
  readonly isGood: boolean;
}

export const tokenChoices = ['good', 'foreign', 'narrow', 'revoked', 'garbage', 'none'] as const;
export type TokenChoice = (typeof tokenChoices)[number];

/** Values of fields with these names, besides those in the document's examples. */
const hints: Readonly<Record<string, readonly Json[]>> = {
  team: ['@slug', '@team', 'platform', 'PLATFORM', '@foreign.slug', '@foreign.team'],
  // A longer wait would be a slow test.
  wait: [1],
  teams: ['@slug', '@team', 'platform', '@foreign.team'],
  date: ['@today', '@today', '@today', '@today'],
  author: ['@foreign.member', '@principal'],
  member: ['@member', '@foreign.member'],
  slug: ['@slug', 'fresh-slug'],
  events: ['*', 'standup.*', 'standup.created'],
  // Random URLs must not lead to a real server.
  url: [
    '@receiver',
    '@receiver',
    '@receiver',
    'https://hooks.example/x',
    'http://127.0.0.1:1/',
    'https://10.0.0.1/',
    'ftp://hooks.example/',
  ],
  scopes: ['standups:read', 'standups:write'],
};

/** Requests for every operation of the document, valid and invalid in every part. */
export function randomRequests(document: ApiDocument): Arbitrary<RandomRequest> {
  const operations = Object.entries<Json>(document.json.paths).flatMap(([template, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({template, method, operation})),
  );
  return fc.oneof(
    ...operations.map(({template, method, operation}) => {
      const parameters: Json[] = operation.parameters.map(document.resolve);
      return fc
        .record({
          path: pathOf(template),
          query: queryOf(document, parameters),
          headers: headersOf(method, parameters),
          body: bodyOf(document, method, operation),
          token: fc.oneof(
            {weight: 9, arbitrary: fc.constant('good' as const)},
            {weight: 1, arbitrary: fc.constantFrom(...tokenChoices)},
          ),
          head: method === 'get' ? fc.nat(9).map((n) => n === 0) : fc.constant(false),
        })
        .map(
          ({path, query, headers, body, token, head}): RandomRequest => ({
            operation: operation.operationId,
            method: head ? 'HEAD' : method.toUpperCase(),
            path: `${path.text}${query.text}`,
            headers: {...body.headers, ...headers.values},
            body: body.text,
            token,
            isGood: path.isGood && query.isGood && headers.isGood && body.isGood && token === 'good',
          }),
        );
    }),
  );
}

interface RequestPart {
  readonly text: string;
  readonly isGood: boolean;
}

const kinds = ['slug', 'team', 'standup', 'webhook', 'delivery', 'token', 'event', 'member'];

function pathOf(template: string): Arbitrary<RequestPart> {
  const parts = template.split('/').map((part): Arbitrary<RequestPart> => {
    if (!part.startsWith('{')) return fc.constant({text: part, isGood: true});
    const bad = fc.oneof(
      fc.constantFrom(...kinds.flatMap((kind) => [`@${kind}`, `@foreign.${kind}`])),
      fc.constantFrom('x', '%00', '%E0%A4', '%2F', '@', '%20', 'std_0', 'a'.repeat(3_000)),
      hostileText.map(segment),
    );
    const name = part.slice(1, -1);
    return fc.oneof(
      {weight: 5, arbitrary: fc.constant({text: `@${name}`, isGood: true})},
      {weight: 1, arbitrary: bad.map((text) => ({text, isGood: false}))},
    );
  });
  return fc.tuple(...parts).map((all) => ({
    text: all.map(({text}) => text).join('/'),
    isGood: all.every(({isGood}) => isGood),
  }));
}

/** A text as one segment of a path: not empty, and not one that clients resolve before sending. */
function segment(text: string): string {
  const encoded = encodeText(text).replaceAll('.', '%2E');
  return /^(?:|(?:%2E){1,2})$/.test(encoded) ? '%21' : encoded;
}

/** Percent-encoded; half of a surrogate pair is replaced, as in every client. */
function encodeText(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function queryOf(document: ApiDocument, parameters: readonly Json[]): Arbitrary<RequestPart> {
  const known = parameters.filter((one) => one.in === 'query');
  const good = fc.record<Json, string>(
    Object.fromEntries(
      known.map(({name, schema}) => [name, arbitraryForSchema(document, schema, hints, name)]),
    ),
    {requiredKeys: known.filter(({required}) => required === true).map(({name}) => name)},
  );
  const names = [...known.map(({name}) => String(name)), 'force', 'mood', '__proto__', 'limit', ''];
  const extra = fc.array(fc.tuple(fc.constantFrom(...names), hostileText), {minLength: 1, maxLength: 2});
  const one = (name: string, value: Json) =>
    `${encodeURIComponent(name)}=${encodeText(String(value)).replaceAll('%40', '@')}`;
  const write = (values: object, more: readonly (readonly [string, string])[]) => {
    const pairs = [...Object.entries<Json>(values), ...more].map(([name, value]) => one(name, value));
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  };
  const nothing = fc.constant({});
  return fc.oneof(
    {
      weight: 4,
      arbitrary: nothing.map(() => ({text: '', isGood: known.every(({required}) => required !== true)})),
    },
    {weight: 3, arbitrary: good.map((values) => ({text: write(values, []), isGood: true}))},
    {
      weight: 2,
      arbitrary: fc.tuple(good, extra).map(([values, more]) => ({text: write(values, more), isGood: false})),
    },
  );
}

const tags = ['*', '"1"', '"2"', '"99"', 'W/"1"', '"1", "2"', '3', '""', '"a', ','];

/** Possible values of each header. The good ones are valid for every operation. */
const headerValues: Readonly<Record<string, {good: string[]; bad: string[]}>> = {
  'if-match': {good: ['*'], bad: tags},
  'if-none-match': {good: [], bad: tags},
  'idempotency-key': {
    good: [],
    bad: ['key-1', '"key-1"', 'key-2', '', '""', 'two words', 'k'.repeat(300), '\u00e4', '{}'],
  },
  accept: {
    good: ['*/*'],
    bad: [
      'text/html',
      'application/json;q=0',
      'application/*',
      ',,',
      ';',
      'text/csv',
      'application/x-ndjson',
      'text/event-stream',
      'a'.repeat(500),
    ],
  },
  'x-request-id': {good: ['random-request-1'], bad: ['short', 'a b c d e f', 'x'.repeat(200)]},
  'last-event-id': {good: [], bad: ['@event', '@foreign.event', 'evt_0', '\u00e4', '']},
  'content-encoding': {good: [], bad: ['gzip', 'identity', 'br']},
  'if-modified-since': {good: ['Mon, 23 Nov 2026 09:00:00 GMT'], bad: ['never']},
  range: {good: [], bad: ['bytes=0-1']},
  traceparent: {good: [], bad: ['00-0', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`]},
  expect: {good: [], bad: []},
};

function headersOf(
  method: string,
  parameters: readonly Json[],
): Arbitrary<{values: Record<string, string>; isGood: boolean}> {
  const own = parameters.filter((one) => one.in === 'header').map(({name}) => String(name).toLowerCase());
  const always = [
    'accept',
    'x-request-id',
    'if-modified-since',
    'range',
    'traceparent',
    'if-match',
    'if-none-match',
  ];
  const names = [...new Set([...own, ...always, ...(method === 'get' ? [] : ['content-encoding'])])];
  const pick = names.map((name) => {
    const {good = [], bad = []} = headerValues[name] ?? {};
    const weight = own.includes(name) ? 3 : 1;
    return fc.oneof(
      {weight: 40, arbitrary: fc.constant(undefined)},
      ...(good.length > 0
        ? [{weight, arbitrary: fc.constantFrom(...good).map((value) => ({name, value, isGood: true}))}]
        : []),
      ...(bad.length > 0
        ? [{weight, arbitrary: fc.constantFrom(...bad).map((value) => ({name, value, isGood: false}))}]
        : []),
    );
  });
  return fc.tuple(...pick).map((picked) => {
    const given = picked.filter((one) => one !== undefined);
    return {
      values: Object.fromEntries(given.map(({name, value}) => [name, value])),
      isGood: given.every(({isGood}) => isGood),
    };
  });
}

interface RandomBody {
  readonly text: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly isGood: boolean;
}

const otherTypes = [
  'text/plain',
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'application/merge-patch+json',
  'application/xml',
  'json',
  '',
];

function bodyOf(document: ApiDocument, method: string, {requestBody}: Json): Arbitrary<RandomBody> {
  const none: RandomBody = {text: undefined, headers: {}, isGood: true};
  if (method === 'get') return fc.constant(none);
  const json = {'content-type': 'application/json'};
  const unwanted = fc.constantFrom<RandomBody>(none, none, none, {
    text: '{"unwanted":true}',
    headers: json,
    isGood: false,
  });
  if (requestBody === undefined) return unwanted;
  const {schema} = requestBody.content['application/json'];
  const value = arbitraryForSchema(document, schema, hints);
  const good = value.map((it): RandomBody => ({text: JSON.stringify(it), headers: json, isGood: true}));
  const bad = fc.oneof(
    {
      weight: 6,
      arbitrary: arbitraryInvalidJson(value).map(
        (text): RandomBody => ({text, headers: json, isGood: false}),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(value, fc.constantFrom(...otherTypes)).map(
        ([it, type]): RandomBody => ({
          text: JSON.stringify(it),
          headers: {'content-type': type},
          isGood: false,
        }),
      ),
    },
    {weight: 1, arbitrary: fc.constant({...none, isGood: requestBody.required !== true})},
  );
  return fc.oneof({weight: 1, arbitrary: good}, {weight: 1, arbitrary: bad});
}
