import {Ajv2020} from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type {Json} from './service.js';

/** The OpenAPI document with look-ups for tests. */
export interface ApiDocument {
  readonly json: Json;
  /** Resolves a reference; returns anything else as it is. */
  resolve(node: Json): Json;
  operation(route: {path: string; method: string}): Json;
  /** Validates a value against the schema (or reference) `schema`; returns errors, empty when it is valid. */
  errors(schema: Json, value: unknown): string[];
}

export function readDocument(json: Json): ApiDocument {
  // Code that is neither inlined nor optimized is compiled in half the time, and runs as fast here.
  const ajv = new Ajv2020({strict: false, allErrors: true, inlineRefs: false, code: {optimize: false}});
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({$id: 'document', ...json});
  const compiled = new Map<string, ReturnType<Ajv2020['compile']>>();
  /** Compiled schemas by their object: serialising a schema takes longer than validating a value. */
  const known = new WeakMap<object, ReturnType<Ajv2020['compile']>>();

  const resolve = (node: Json): Json =>
    node?.$ref === undefined
      ? node
      : resolve(
          node.$ref
            .slice(2)
            .split('/')
            .reduce((at: Json, part: string) => at?.[part], json),
        );

  function compile(schema: Json): ReturnType<Ajv2020['compile']> {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate;
  }

  return {
    json,
    resolve,
    operation: ({path, method}) => json.paths[path]?.[method.toLowerCase()],
    errors(schema, value) {
      const validate = known.get(schema) ?? compile(schema);
      known.set(schema, validate);
      if (validate(value)) return [];
      return (validate.errors ?? []).map(
        ({instancePath, message, params}) =>
          `${instancePath || 'the whole'} ${message} ${JSON.stringify(params)}`,
      );
    },
  };
}
