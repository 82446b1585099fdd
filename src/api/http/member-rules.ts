import type {z} from 'zod';
import {isObject} from './shared-schemas.js';

/**
 * A rule about several members of a body, stated once: the validator refuses by it, and the document shows
 * it.
 */
interface MemberRule {
  readonly isBroken: (given: Readonly<Record<string, unknown>>) => boolean;
  /** The member at which the error is reported, and the rest of a sentence that begins with its name. */
  readonly path: readonly string[];
  readonly message: string;
  /** JSON Schema of the bodies that break the rule. */
  readonly broken: Readonly<Record<string, unknown>>;
}

type MemberPair = readonly [first: string, second: string];

/** Refuses both together, at the second. */
export function forbidBoth(names: MemberPair, message: string): MemberRule {
  return {
    isBroken: (given) => names.every((name) => given[name] !== undefined),
    path: [names[1]],
    message,
    broken: {required: names, properties: Object.fromEntries(names.map((name) => [name, {}]))},
  };
}

/** Refuses a body with neither, at the first; an empty list does not count as given. */
export function requireEither(names: MemberPair, message: string): MemberRule {
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

/**
 * An object that keeps these rules, whatever else is wrong with it. The document expresses them with `not`:
 * client generators take `anyOf` and `oneOf` beside members for other types.
 */
export function withRules<T extends z.ZodObject>(schema: T, rules: readonly MemberRule[]): T {
  const ruled = rules.reduce(
    (all, {isBroken, path, message}) =>
      all.refine((given) => !isBroken(given), {path: [...path], message, when: isObject}),
    schema,
  );
  const [first, ...more] = rules.map(({broken}) => broken);
  return ruled.meta({not: more.length === 0 ? first : {anyOf: [first, ...more]}});
}
