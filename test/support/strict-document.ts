import type {Json} from './service.js';

/**
 * Returns the OpenAPI document in a strict form for tests: an object may have only properties that its schema
 * names. Clients must ignore unknown properties, but the document must cover everything that is sent. Schemas
 * that are open on purpose stay open.
 */
export function forbidUnknownProperties(document: Json): Json {
  const {schemas, ...others} = document.components;
  const openSchemas = mapValues(schemas, (schema) => closeSchema(schema, {open: true}));
  return {
    ...document,
    paths: closeSchemasIn(document.paths),
    webhooks: closeSchemasIn(document.webhooks),
    components: {
      ...closeSchemasIn(others),
      schemas: mapValues(schemas, (schema) => closeSchema(schema)),
      openSchemas,
    },
  };
}

/** Closes every schema inside a part of the document that is not a schema itself. */
function closeSchemasIn(value: Json): Json {
  if (Array.isArray(value)) return value.map(closeSchemasIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries<Json>(value).map(([name, member]) => [
      name,
      name === 'schema' ? closeSchema(member) : closeSchemasIn(member),
    ]),
  );
}

const branches = ['allOf', 'anyOf', 'oneOf'];

/**
 * Makes a schema forbid unknown properties. `open`: leaves that to the composition of which the schema is a
 * part.
 */
function closeSchema(schema: Json, {open = false} = {}): Json {
  if (typeof schema !== 'object' || schema === null) return schema;
  const isComposition =
    schema.allOf !== undefined ||
    (schema.properties !== undefined && [...branches, '$ref'].some((name) => schema[name] !== undefined));
  const part = {open: open || isComposition};
  const closed: Json = {...schema};
  if (part.open && schema.$ref !== undefined)
    closed.$ref = schema.$ref.replace('/components/schemas/', '/components/openSchemas/');
  for (const name of branches) {
    if (schema[name] !== undefined) closed[name] = schema[name].map((one: Json) => closeSchema(one, part));
  }
  for (const name of ['items', 'additionalProperties', 'unevaluatedProperties']) {
    if (schema[name] !== undefined) closed[name] = closeSchema(schema[name]);
  }
  if (schema.prefixItems !== undefined)
    closed.prefixItems = schema.prefixItems.map((one: Json) => closeSchema(one));
  if (schema.properties !== undefined)
    closed.properties = mapValues(schema.properties, (one) => closeSchema(one));
  const isClosed = schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined;
  if ((isComposition || schema.properties !== undefined) && !open && !isClosed)
    closed.unevaluatedProperties = false;
  return closed;
}

function mapValues(members: Json, change: (value: Json) => Json): Json {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));
}
