// The parts of the OpenAPI document, one file for each: components, operations, refusals, webhooks, texts.
// Not here: schemas and examples themselves (schemas.ts and examples.ts of each feature).
import {z} from 'zod';

export type JsonObject = Record<string, unknown>;

/** The section of a named thing in the document. */
export type ComponentKind = 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers';

/**
 * Ends the name of a component that is no schema. Generators put the types of all components in one
 * namespace, often in a spelling of their own, so a parameter `team` would collide with the schema `Team`.
 */
const endings = {
  responses: '_response',
  parameters: '_parameter',
  examples: '_example',
  headers: '_header',
} as const satisfies Record<Exclude<ComponentKind, 'schemas'>, string>;

/** The shared parts of the document: each is once in `components`, and referred to elsewhere. */
export interface Components {
  /** A schema for use in the document: a reference if it has a name. */
  schema: (schema: z.ZodType) => JsonObject;
  /** A reference to a named component, which `describe` makes if it does not exist yet. */
  refer: (kind: Exclude<ComponentKind, 'schemas'>, name: string, describe: () => JsonObject) => JsonObject;
  /** Everything named so far, in alphabetical order. */
  all: () => JsonObject;
}

export function createComponents(): Components {
  const named: Record<ComponentKind, JsonObject> = {
    schemas: {},
    responses: {},
    parameters: {},
    examples: {},
    headers: {},
  };
  return {
    schema(schema) {
      const {
        $schema: _,
        $defs,
        ...own
      } = z.toJSONSchema(schema, {
        io: 'input',
        target: 'draft-2020-12',
        unrepresentable: 'any',
        reused: 'inline',
        // Zod drops a default beside a transformation.
        override: ({zodSchema, jsonSchema}) => {
          const otherwise = z.globalRegistry.get(zodSchema)?.['default'];
          if (otherwise !== undefined) jsonSchema.default = otherwise;
        },
      }) as JsonObject & {$defs?: JsonObject};
      for (const [name, definition] of Object.entries($defs ?? {}))
        named.schemas[name] = rewriteReferences(definition);
      const name = schema.meta()?.id;
      if (name === undefined) return rewriteReferences(own) as JsonObject;
      // The definition of a named schema may itself be among `$defs`, and `own` only a reference to it.
      named.schemas[name] ??= rewriteReferences(own);
      return {$ref: `#/components/schemas/${name}`};
    },
    refer(kind, name, describe) {
      const own = `${name}${endings[kind]}`;
      named[kind][own] ??= describe();
      return {$ref: `#/components/${kind}/${own}`};
    },
    all: () =>
      Object.fromEntries(Object.entries(named).map(([kind, members]) => [kind, sortMembers(members)])),
  };
}

function sortMembers(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Rewrites references to JSON Schema's own `$defs` as OpenAPI's component references. */
function rewriteReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewriteReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'id')
      .map(([name, member]) =>
        name === '$ref' && typeof member === 'string'
          ? [name, member.replace('#/$defs/', '#/components/schemas/')]
          : [
              name,
              name === 'properties'
                ? rewritePropertyReferences(member as JsonObject)
                : rewriteReferences(member),
            ],
      ),
  );
}

/** In `properties`, `id` is a member's name and stays. */
function rewritePropertyReferences(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, rewriteReferences(schema)]),
  );
}
