import {expect, it} from '@jest/globals';
import fc from 'fast-check';
import {z} from 'zod';
import {parseBody} from '../../../src/api/http/validate.js';
import type {AppError} from '../../../src/domain/core/errors.js';
import {readDocument} from '../../support/api-document.js';
import {arbitraryForSchema} from '../../support/arbitrary-json.js';
import {getPublishedDocument} from '../../support/contract.js';
import {deep} from '../../support/deep.js';
import type {Json} from '../../support/service.js';
import {routes} from '../samples.js';

const document = readDocument(getPublishedDocument());
const withBody = routes.flatMap(({body, ...route}) => (body === undefined ? [] : [{...route, body}]));

/**
 * Rules that JSON Schema cannot express: values are compared or added, or a list of names is the service's
 * own and grows.
 */
const unspeakable = [
  /^must be an IANA time zone/,
  /^must be an event type such as/,
  /^has the same key twice$/,
  /^must be the key of a question of type "text" among these$/,
  /^must be `min` \(\d+\) or more/,
  /^must be at most \d+ minutes before closing, when the run opens$/,
  /^must differ from `opens`$/,
  /^is a header that the service sets itself/,
  /^must be one emoji, or a name/,
  /^is named twice$/,
  /^must be a Monday$/,
  // Only the description says that both are required. A schema whose only type is null would break
  // generators of clients.
  /^must have both `quiet_from` and `quiet_until`/,
  /^must have waits of \d+ seconds together at most$/,
];

const sampled = new Map<string, Json[]>();

/** Bodies that the document allows. */
function allowed({method, path}: {method: string; path: string}, count: number): Json[] {
  const known = sampled.get(`${method} ${path}`);
  if (known !== undefined) return known.slice(0, count);
  const {schema} = document.operation({method, path}).requestBody.content['application/json'];
  const values = fc.sample(arbitraryForSchema(document, schema, {}), {
    seed: 20_261_127,
    numRuns: deep ? 400 : 20,
  });
  const good = values.filter((value) => document.errors(schema, value).length === 0);
  sampled.set(`${method} ${path}`, good);
  return good.slice(0, count);
}

/** The errors of a body as the caller gets them. */
function errorsIn(body: z.ZodType, value: unknown): string[] {
  try {
    parseBody(body, value);
    return [];
  } catch (error) {
    return ((error as AppError).context.inputErrors ?? []).map(({detail}) => detail);
  }
}

it.each(withBody)(
  'the document allows no body of $operation that the service refuses for its form',
  (route) => {
    const refusals = new Set<string>();
    for (const value of allowed(route, deep ? 400 : 20)) {
      for (const {path, message} of route.body.safeParse(value).error?.issues ?? []) {
        const field = path.filter((name) => typeof name === 'string').join('.');
        if (!unspeakable.some((pattern) => pattern.test(message))) refusals.add(`${field} ${message}`);
      }
    }
    expect([...refusals].slice(0, 10)).toEqual([]);
  },
);

it.each(withBody)('a body of $operation with several errors is refused with all of them at once', (route) => {
  const hidden = new Set<string>();
  for (const value of allowed(route, deep ? 200 : 10)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const all = errorsIn(route.body, {...value, unwanted: true});
    for (const error of errorsIn(route.body, value)) if (!all.includes(error)) hidden.add(error);
  }
  expect([...hidden]).toEqual([]);
});

/** Paths in a body at which one field chooses between several forms. */
function formsIn(schema: unknown, path: readonly string[] = []): {path: readonly string[]; tag: string}[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return formsIn(schema.unwrap(), path);
  if (schema instanceof z.ZodDiscriminatedUnion) return [{path, tag: schema.def.discriminator}];
  if (schema instanceof z.ZodArray) return formsIn(schema.element, [...path, '0']);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, member]) => formsIn(member, [...path, name]));
}

const forms = withBody.flatMap(({operation, body}) =>
  formsIn(body).map((form) => ({...form, operation, body, field: form.path.join('.')})),
);

it.each(forms)(
  '$field of $operation without a known $tag is refused with all its other errors too',
  ({body, path, tag, field}) => {
    for (const given of [{unwanted: 1}, {[tag]: 'unheard-of', unwanted: 1}]) {
      const value = path
        .toReversed()
        .reduce<unknown>((inner, name) => (name === '0' ? [inner] : {[name]: inner}), given);
      const errors = errorsIn(body, value);
      expect(errors).toContainEqual(expect.stringContaining(`\`${field}.${tag}\` must be one of`));
      expect(errors).toContainEqual(expect.stringContaining(`\`${field}.unwanted\` is not a member of`));
    }
  },
);

it('a schedule of unknown frequency is refused for its days, times and clock as well', () => {
  const createTeam = withBody.find(({operation}) => operation === 'createTeam');
  const schedule = {frequency: 'daily', days: 'mon', opens: '9', closes: '11:00', clock: 'ours', nth: 9};
  const errors = errorsIn(createTeam?.body ?? z.never(), {slug: 'platform', schedule});
  expect(errors.map((error) => /^`[\w.]+`/.exec(error)?.[0])).toEqual([
    '`schedule.frequency`',
    '`schedule.days`',
    '`schedule.opens`',
    '`schedule.clock`',
    '`schedule.nth`',
  ]);
});
