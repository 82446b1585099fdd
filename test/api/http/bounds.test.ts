import {describe, expect, it} from '@jest/globals';
import {z} from 'zod';
import {mostProblemBytes} from '../../../src/api/http/problem-schema.js';
import {parseJson} from '../../../src/api/http/parse-json.js';
import {presentProblem} from '../../../src/api/http/problems.js';
import {parseBody, parseQuery} from '../../../src/api/http/validate.js';
import {createRoutes} from '../../../src/api/routes.js';
import {AppError} from '../../../src/domain/core/errors.js';
import {limits} from '../../../src/domain/core/limits.js';
import type {Services} from '../../../src/service/services.js';
import {deep, sampleUnlessDeep} from '../../support/deep.js';
import type {Json} from '../../support/service.js';
import {measureCpuMs} from '../../support/stopwatch.js';

const routes = createRoutes({} as Services);
const bodies = routes.flatMap(({operation, body}) => (body === undefined ? [] : [{operation, schema: body}]));
const queries = routes.map(({operation, query}) => ({operation, schema: query}));

function jsonSchemaOf(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, {io: 'input', unrepresentable: 'any', reused: 'inline'});
}

/** A field of a body or a query, with its schema. `filled`: a body or query whose field has `value`. */
interface Field {
  readonly name: string;
  readonly schema: Json;
  readonly filled: (value: unknown) => unknown;
}

function fieldsOf(schema: z.ZodType): Field[] {
  const whole = jsonSchemaOf(schema);
  const fields: Field[] = [];

  function checkSchema({name, schema: given, filled}: Field): void {
    const found = given.$ref === undefined ? given : whole.$defs[given.$ref.replace('#/$defs/', '')];
    for (const option of found.anyOf ?? found.oneOf ?? []) checkSchema({name, schema: option, filled});
    if (found.anyOf !== undefined || found.oneOf !== undefined) return;
    fields.push({name, schema: found, filled});
    if (found.type === 'array') {
      checkSchema({name: `${name}[]`, schema: found.items, filled: (value) => filled([value])});
    }
    if (found.type !== 'object') return;
    const said = Object.entries<Json>(found.properties ?? {});
    const fixed = Object.fromEntries(said.flatMap(([member, {const: one}]) => (one ? [[member, one]] : [])));
    for (const [member, one] of said) {
      checkSchema({
        name: `${name}.${member}`,
        schema: one,
        filled: (value) => filled({...fixed, [member]: value}),
      });
    }
    if (typeof found.additionalProperties === 'object') {
      const one = {schema: found.additionalProperties, filled: (value: unknown) => filled({a: value})};
      checkSchema({name: `${name}.*`, ...one});
    }
  }
  checkSchema({name: '', schema: whole, filled: (value) => value});
  return fields;
}

/** Schemas that a test has already covered, as JSON. */
const covered = new Set<string>();

/**
 * Fields whose schema no earlier operation has: the same schema is parsed by the same code. Deep runs take
 * all.
 */
function newFieldsOf(schema: z.ZodType): Field[] {
  if (deep) return fieldsOf(schema);
  return fieldsOf(schema).filter((field) => {
    const text = JSON.stringify(field.schema);
    return field.name === '' || !(covered.has(text) || !covered.add(text));
  });
}

const small = new Set(['integer', 'number', 'boolean', 'null']);

/** The part of a schema without a bound; undefined if all is bounded. */
function unbounded({type, enum: values, const: one, ...schema}: Json): string | undefined {
  if (values !== undefined || one !== undefined) return undefined;
  switch (type) {
    case 'string':
      return schema.maxLength === undefined ? 'a text without maxLength' : undefined;
    case 'array':
      return schema.maxItems === undefined ? 'a list without maxItems' : undefined;
    case 'object':
      if (schema.additionalProperties === false) return undefined;
      if (schema.maxProperties === undefined) return 'an object without maxProperties';
      return schema.propertyNames?.maxLength === undefined ? 'names without maxLength' : undefined;
    default:
      return [type].flat().every((one) => small.has(one)) ? undefined : `a value of the type ${type}`;
  }
}

it.each([
  ['body', bodies],
  ['query', queries],
])('every list, object and text of every %s has a bound, which the document names', (_, all) => {
  const found = all.flatMap(({operation, schema}) =>
    fieldsOf(schema).flatMap((field) => {
      const error = unbounded(field.schema);
      return error === undefined ? [] : [`${operation}${field.name}: ${error}`];
    }),
  );
  expect(found).toEqual([]);
});

const entries = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({length: count}, (_, i) => make(i));
const members = (count: number, value: unknown, front = '') =>
  Object.fromEntries(entries(count, (i) => [`${front}${i}`, value]));

/** Values with as many errors as fit into a body, or of the greatest length. */
const hostile: Readonly<Record<string, unknown>> = {
  'a list of texts': entries(15_000, () => 'x'),
  'a list of numbers': entries(31_000, () => 1),
  'a list of objects': entries(21_000, () => ({})),
  'a list of objects with unknown members': entries(60, () => members(80, 1)),
  '5,000 unknown members': members(5_000, 1),
  'as many unknown members as an object may have': members(100, 'x', 'k'),
  'unknown members with long names': members(99, 1, '"'.repeat(300)),
  'one very long name': {['\u0001'.repeat(10_000)]: 1},
  'names of three bytes each': members(60, 1, '語'.repeat(340)),
  'one very long text': 'x'.repeat(64_000),
  'a text of three bytes each': '語'.repeat(21_000),
  'a text of control characters': '\u0001'.repeat(10_000),
};

/** The values for nested fields in `npm test`. */
const fewKinds = new Set([
  'a list of numbers',
  'a list of objects with unknown members',
  'names of three bytes each',
]);

/** Parses a value like the body of a request. */
const read = (schema: z.ZodType, body: unknown) =>
  parseBody(schema, parseJson(Buffer.from(JSON.stringify(body))));

/** The refusal as the caller gets it. */
function refusalOf(parse: () => unknown): {readonly bytes: number; readonly problem: Json} | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const site = {publicUrl: 'https://standup.example.com', instance: '/v1/teams', requestId: 'x'.repeat(36)};
    const {body} = presentProblem(error.code, error.message, site, error);
    return {bytes: Buffer.byteLength(body), problem: JSON.parse(body)};
  }
}

function expectSmall(refusal: ReturnType<typeof refusalOf>): void {
  if (refusal === undefined) return;
  expect(refusal.bytes).toBeLessThanOrEqual(mostProblemBytes);
  expect(refusal.problem.errors?.length ?? 1).toBeLessThanOrEqual(limits.inputErrors);
}

describe('a body with an error at every byte', () => {
  it.each(bodies.map(({operation, schema}) => [operation, schema] as const))(
    'is refused by %s within 100 ms, in at most 16 KB with at most 20 errors',
    async (_, schema) => {
      for (const {name, filled} of newFieldsOf(schema)) {
        for (const [kind, value] of Object.entries(hostile)) {
          if (!deep && name !== '' && !fewKinds.has(kind)) continue;
          const bytes = Buffer.from(JSON.stringify(filled(value)));
          let refusal: ReturnType<typeof refusalOf>;
          const costOf = () =>
            measureCpuMs(() => (refusal = refusalOf(() => parseBody(schema, parseJson(bytes)))));
          // The time of one run may include other work of the process, such as compiling.
          let ms = await costOf();
          for (let again = 0; again < 3 && ms > 100; again += 1) ms = await costOf();
          expectSmall(refusal);
          expect({name, kind, dear: ms > 100}).toEqual({name, kind, dear: false});
        }
      }
    },
  );
});

it('a query with an error at every byte is refused in at most 16 KB with at most 20 errors', () => {
  const hostileQueries = [
    entries(5_000, (i) => `a${i}`).join('&'),
    entries(2_500, () => 'limit').join('&'),
    entries(2_000, (i) => `${i}&${i}`).join('&'),
    `${'%22'.repeat(5_000)}=1`,
    `limit=${'9'.repeat(15_000)}`,
  ];
  // Many operations have the same parameters.
  const distinct = new Map(queries.map(({schema}) => [JSON.stringify(jsonSchemaOf(schema)), schema]));
  for (const schema of deep
    ? queries.map((one) => one.schema)
    : sampleUnlessDeep([...distinct.values()], 12)) {
    for (const query of hostileQueries) expectSmall(refusalOf(() => parseQuery(schema, query)));
  }
});

it('a refusal says if there are more errors than it names, and names only the length of a list that is too long', () => {
  const schema = bodies.find(({operation}) => operation === 'createTeam')?.schema as z.ZodType;
  const days = entries(31_000, () => 'x');
  const schedule = {frequency: 'weekly', days, opens: '09:00', closes: '10:00'};
  const {problem} = refusalOf(() => read(schema, {slug: 'design', schedule})) ?? {};
  expect(problem?.errors).toEqual([
    {code: 'validation_failed', detail: '`schedule.days` has at most 7 days.', pointer: '#/schedule/days'},
  ]);
  // Each error names the fields that there are, so those of a request with many fields fill the answer sooner.
  const few = bodies.find(({operation}) => operation === 'createToken')?.schema as z.ZodType;
  const many = refusalOf(() => read(few, members(100, 1)))?.problem;
  expect(many?.errors).toHaveLength(limits.inputErrors);
  expect(many?.detail).toMatch(/ There are more faults than these\.$/);
});

it('a list is accepted with as many entries as allowed', () => {
  const schema = bodies.find(({operation}) => operation === 'postStandup')?.schema as z.ZodType;
  const resolved = entries(limits.openBlockersPerTeam, () => 'blk_01h455vb4pex5vsknk084sn02q');
  const body = {team: 'platform', update: 'Fine.', resolved, metadata: members(limits.metadataKeys, 'x')};
  expect(read(schema, body)).toEqual(body);
});
