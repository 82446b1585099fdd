import type {z} from 'zod';
import {isObject} from './schemas.js';

/** A rule about several fields of a body. It is used both to validate requests and to document them. */
interface MemberRule {
  readonly isBroken: (given: Readonly<Record<string, unknown>>) => boolean;
  /** The field at which an error is reported. `message` continues a sentence that begins with it. */
  readonly path: readonly string[];
  readonly message: string;
  /** The JSON Schema of bodies that break the rule. */
  readonly broken: Readonly<Record<string, unknown>>;
}

type MemberPair = readonly [first: string, second: string];

/** Creates a rule that forbids two fields together. The error is reported at the second one. */
export function forbidBothFields(names: MemberPair, message: string): MemberRule {
  return {
    isBroken: (given) => names.every((name) => given[name] !== undefined),
    path: [names[1]],
    message,
    broken: {required: names, properties: Object.fromEntries(names.map((name) => [name, {}]))},
  };
}

/** Creates a rule that requires one of some fields. Its error is at the first; an empty list fails too. */
export function requireAnyField(
  names: readonly [first: string, ...others: string[]],
  message: string,
): MemberRule {
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return {
    isBroken: (given) => !names.some((name) => isGiven(given[name])),
    path: [names[0]],
    message,
    broken: {
      not: {anyOf: names.map((name) => ({required: [name], properties: {[name]: {minItems: 1}}}))},
    },
  };
}

/** Creates a rule that requires a field beside another one. The error is reported at the required one. */
export function requireFieldWith(given: string, required: string, message: string): MemberRule {
  return {
    isBroken: (body) => body[given] !== undefined && body[required] === undefined,
    path: [required],
    message,
    broken: {
      required: [given],
      properties: {[given]: {}},
      not: {required: [required], properties: {[required]: {}}},
    },
  };
}

/**
 * Adds rules to a schema. They are checked even if other fields are wrong. The document expresses them with
 * `not`, since client generators would turn `anyOf` and `oneOf` into other types.
 */
export function addRulesToSchema<T extends z.ZodObject>(schema: T, rules: readonly MemberRule[]): T {
  const ruled = rules.reduce(
    (all, {isBroken, path, message}) =>
      all.refine((given) => !isBroken(given), {path: [...path], message, when: isObject}),
    schema,
  );
  const [first, ...more] = rules.map(({broken}) => broken);
  return ruled.meta({not: more.length === 0 ? first : {anyOf: [first, ...more]}});
}
