import {z} from 'zod';

export type JsonObject = Record<string, unknown>;

/** The section of a named component in the document. */
export type ComponentKind = 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers';

/**
 * The ending of the name of a component that is not a schema. Client generators put all components in one
 * namespace, where a header `Link` and a schema `Link` would collide.
 */
const endings = {
  responses: '_response',
  examples: '_example',
  headers: '_header',
} as const satisfies Record<Exclude<ComponentKind, 'schemas' | 'parameters'>, string>;

/** Collects the shared parts of the document, each defined once and referred to elsewhere. */
export type Components = ReturnType<typeof createComponents>;

export function createComponents() {
  const named: Record<ComponentKind, JsonObject> = {
    schemas: {},
    responses: {},
    parameters: {},
    examples: {},
    headers: {},
  };
  return {
    /** Returns a schema for the document. A schema that has a name becomes a reference. */
    schema(schema: z.ZodType): JsonObject {
      const {
        $schema: _,
        $defs,
        ...own
      } = z.toJSONSchema(schema, {
        io: 'input',
        target: 'draft-2020-12',
        unrepresentable: 'any',
        reused: 'inline',
        // Zod omits the default of a schema with a transformation, so it is added here.
        override: ({zodSchema, jsonSchema}) => {
          const otherwise = z.globalRegistry.get(zodSchema)?.['default'];
          if (otherwise !== undefined) jsonSchema.default = otherwise;
        },
      }) as JsonObject & {$defs?: JsonObject};
      for (const [name, definition] of Object.entries($defs ?? {}))
        named.schemas[name] = rewriteReferences(definition);
      const name = schema.meta()?.id;
      if (name === undefined) return rewriteReferences(own) as JsonObject;
      // A named schema may already be defined in `$defs`. Then `own` is only a reference to it.
      named.schemas[name] ??= rewriteReferences(own);
      return {$ref: `#/components/schemas/${name}`};
    },
    /** Returns a reference to a named component. `describe` creates the component when it is first used. */
    refer(kind: keyof typeof endings, name: string, describe: () => JsonObject): JsonObject {
      const own = `${name}${endings[kind]}`;
      named[kind][own] ??= describe();
      return {$ref: `#/components/${kind}/${own}`};
    },
    /** Returns a reference to a parameter, named apart from schemas: `TeamParam`, `WebhookIdHeader`. */
    referParameter(parameter: JsonObject & {name: string; in: 'path' | 'header'}): JsonObject {
      const own = `${toPascalCase(parameter.name)}${parameter.in === 'header' ? 'Header' : 'Param'}`;
      named.parameters[own] ??= parameter;
      return {$ref: `#/components/parameters/${own}`};
    },
    /** Returns all named components in alphabetical order. */
    all: (): JsonObject =>
      Object.fromEntries(Object.entries(named).map(([kind, members]) => [kind, sortMembers(members)])),
  };
}

/** Returns `webhook-id` as `WebhookId`. */
function toPascalCase(name: string): string {
  return name.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function sortMembers(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Changes references to JSON Schema's `$defs` into references to OpenAPI's components. */
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

/** Changes references inside `properties`. An `id` there is the name of a field and must stay. */
function rewritePropertyReferences(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, rewriteReferences(schema)]),
  );
}
