import type {z} from 'zod';
import type {Components, JsonObject} from '../api/openapi/components.js';

const prefix = '#/components/schemas/';

/** An enumeration longer than this is left out of a list of tools. The API names the values when it refuses one. */
const longestEnumeration = 12;

/**
 * Returns a schema without references, which several model APIs refuse, and without details that cost a model
 * more than they tell it. The API checks them. No schema of a tool contains itself.
 */
export function inlineSchema(schema: z.ZodType, components: Components): JsonObject {
  const described = components.schema(schema);
  const {schemas} = components.all() as {readonly schemas: Readonly<Record<string, JsonObject>>};
  const inline = (value: JsonObject): JsonObject => {
    const {$ref, examples: _, pattern: __, ...own} = value;
    if (Array.isArray(own['enum']) && own['enum'].length > longestEnumeration) delete own['enum'];
    const named = typeof $ref === 'string' ? schemas[$ref.slice(prefix.length)] : undefined;
    return mapSchemas({...(named && inline(named)), ...own}, inline);
  };
  return inline(described);
}

/** The keywords that say which members a result has, and of which type they are. */
const typeKeywords: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'items', 'anyOf']);

/** Returns a schema with types alone. The names are those of the API, and lists of tools stay short. */
export function keepTypes(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([keyword]) => typeKeywords.has(keyword));
  return mapSchemas(Object.fromEntries(kept), keepTypes);
}

/** Applies a function to the schemas directly in a schema. */
function mapSchemas(schema: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject {
  const {properties, items, anyOf} = schema;
  return {
    ...schema,
    ...(isSchema(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, isSchema(value) ? change(value) : value]),
      ),
    }),
    ...(isSchema(items) && {items: change(items)}),
    ...(Array.isArray(anyOf) && {
      anyOf: anyOf.map((value: unknown) => (isSchema(value) ? change(value) : value)),
    }),
  };
}

function isSchema(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
