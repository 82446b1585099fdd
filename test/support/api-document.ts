import {Ajv2020} from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type {Json} from './service.js';

/** The OpenAPI document, with functions that look up its parts for tests. */
export interface ApiDocument {
  readonly json: Json;
  /** Resolves a reference to a part of the document; returns any other value unchanged. */
  resolve(node: Json): Json;
  operation(route: {path: string; method: string}): Json;
  /**
   * Validates a value against the schema (or reference) `schema`. Returns the errors; empty when the value is
   * valid.
   */
  errors(schema: Json, value: unknown): string[];
}

export function readDocument(json: Json): ApiDocument {
  // Ajv compiles the schemas twice as fast without inlining and optimization, and validates the values of
  // tests no more slowly.
  const ajv = new Ajv2020({strict: false, allErrors: true, inlineRefs: false, code: {optimize: false}});
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({$id: 'document', ...json});
  const compiled = new Map<string, ReturnType<Ajv2020['compile']>>();
  /**
   * Compiled schemas by schema object, since serialising a schema again takes longer than validating a value.
   */
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

  function compileSchema(schema: Json): ReturnType<Ajv2020['compile']> {
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
      const validate = known.get(schema) ?? compileSchema(schema);
      known.set(schema, validate);
      if (validate(value)) return [];
      return (validate.errors ?? []).map(
        ({instancePath, message, params}) =>
          `${instancePath || 'the whole'} ${message} ${JSON.stringify(params)}`,
      );
    },
  };
}
