import {z} from 'zod';
import {eventTypes} from '../domain/event.js';
import {limits} from '../domain/limits.js';
import {type ProblemCode, problemKinds} from './problems.js';
import type {Route} from './route.js';
import {eventSchema} from './schemas/events.js';
import {problemSchema} from './schemas/problems.js';

type Json = Record<string, unknown>;

/** Refusals that every operation knows, whatever it does. */
const commonErrors: readonly ProblemCode[] = [
  'authentication_required',
  'invalid_token',
  'not_acceptable',
  'invalid_parameter',
  'internal_error',
  'service_unavailable',
  'store_lost',
];
const writeErrors: readonly ProblemCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'storage_full',
];
const bodyErrors: readonly ProblemCode[] = [
  'malformed_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
];

const idempotencyRule = `Every POST, PUT, PATCH and DELETE accepts \`Idempotency-Key\` (1–255 visible ASCII characters, quoted or bare; a UUID is good). \
A key belongs to you (workspace + principal) for 24 hours. The first successful response is stored and returned unchanged, with \
\`Idempotent-Replayed: true\`, to every repeat of the same request. A different request with the same key gets 422. Failed requests do not use up \
the key. After a timeout or a 5xx, repeat with the same key.`;

/** The OpenAPI 3.1 document, made from the route table and the very schemas that validate requests. */
export function createOpenApi(
  routes: readonly Route[],
  {publicUrl, version}: {publicUrl: string; version: string},
): Json {
  const schemas = createSchemas();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const item = (paths[route.path] ??= {});
    item[route.method.toLowerCase()] = describeOperation(route, schemas);
  }
  const webhooks = Object.fromEntries(eventTypes.map((type) => [type, describeWebhook(type, schemas)]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Team Standup Service',
      version,
      description: `Short team updates: posted by API or Slack, kept once, told by signed webhooks.\n\n## Idempotency\n\n${idempotencyRule}`,
      license: {name: 'MIT', identifier: 'MIT'},
    },
    servers: [{url: publicUrl}],
    security: [{accessToken: []}],
    tags: [...new Set(routes.map(({tag}) => tag))].map((name) => ({name})),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'Made by `standup token create`.',
        },
      },
      schemas: schemas.components(),
    },
  };
}

interface Schemas {
  /** A schema as it stands in the document: a reference when it has a name. */
  of(schema: z.ZodType): Json;
  components(): Json;
}

function createSchemas(): Schemas {
  const components: Json = {};
  return {
    of(schema) {
      const {
        $schema: _,
        $defs,
        ...own
      } = z.toJSONSchema(schema, {
        io: 'input',
        target: 'draft-2020-12',
        unrepresentable: 'any',
        reused: 'inline',
      }) as Json & {$defs?: Json};
      for (const [name, definition] of Object.entries($defs ?? {})) components[name] = moved(definition);
      const name = schema.meta()?.id;
      if (name === undefined) return moved(own) as Json;
      // The definition of a named schema may itself be among `$defs`, and `own` only a reference to it.
      components[name] ??= moved(own);
      return {$ref: `#/components/schemas/${name}`};
    },
    components: () =>
      Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => a.localeCompare(b))),
  };
}

/** References of JSON Schema's own `$defs`, turned to where OpenAPI keeps them. */
function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'id')
      .map(([name, member]) =>
        name === '$ref' && typeof member === 'string'
          ? [name, member.replace('#/$defs/', '#/components/schemas/')]
          : [name, name === 'properties' ? movedProperties(member as Json) : moved(member)],
      ),
  );
}

/** In `properties`, `id` is a member's name and stays. */
function movedProperties(properties: Json): Json {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, moved(schema)]));
}

function describeOperation(route: Route, schemas: Schemas): Json {
  const {operation, tag, summary, description, scope, success} = route;
  return {
    operationId: operation,
    tags: [tag],
    summary,
    ...(description !== undefined && {description}),
    ...(scope !== undefined && {'x-required-scope': scope}),
    parameters: [...pathParameters(route), ...queryParameters(route, schemas), ...headerParameters(route)],
    ...(route.body !== undefined && {requestBody: requestBody(route, route.body, schemas)}),
    responses: {[success.status]: successResponse(route, schemas), ...errorResponses(route, schemas)},
  };
}

function pathParameters({path}: Route): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'team' ? 'Id or slug of the team, in any case.' : `Id of the ${name}.`,
    schema: {type: 'string'},
  }));
}

function queryParameters({query}: Route, schemas: Schemas): Json[] {
  const {properties = {}, required = []} = schemas.of(query) as {properties?: Json; required?: string[]};
  return Object.entries(properties).map(([name, schema]) => {
    const {description, ...rest} = schema as Json;
    return {
      name,
      in: 'query',
      ...(required.includes(name) && {required: true}),
      ...(description !== undefined && {description}),
      schema:
        name === 'limit'
          ? {type: 'integer', minimum: rest['minimum'], maximum: rest['maximum'], default: limits.pageDefault}
          : rest,
    };
  });
}

function headerParameters({method, success, path}: Route): Json[] {
  const header = (name: string, description: string, schema: Json = {type: 'string'}) => ({
    name,
    in: 'header',
    description,
    schema,
  });
  const single = path.endsWith('}');
  return [
    ...(method === 'GET'
      ? []
      : [
          header('Idempotency-Key', 'Makes repeats of this request safe.', {
            type: 'string',
            minLength: 1,
            maxLength: 257,
          }),
        ]),
    ...(single && (method === 'PATCH' || method === 'DELETE')
      ? [header('If-Match', 'Only when the resource is still at this revision.')]
      : []),
    ...(single && method === 'GET' && success.list !== true
      ? [header('If-None-Match', 'Answer 304 when the revision is this one.')]
      : []),
  ];
}

function requestBody({method}: Route, body: z.ZodType, schemas: Schemas): Json {
  const schema = schemas.of(body);
  const types =
    method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];
  return {
    required: !body.safeParse(undefined).success,
    content: Object.fromEntries(types.map((type) => [type, {schema}])),
  };
}

function successResponse({success, path, method}: Route, schemas: Schemas): Json {
  const {status, schema, list} = success;
  const headers: Json = {'X-Request-Id': {schema: {type: 'string'}}};
  if (method !== 'GET')
    headers['Idempotent-Replayed'] = {description: '`true` on a repeat.', schema: {type: 'string'}};
  if (status === 201) headers['Location'] = {schema: {type: 'string'}};
  if (list === true)
    headers['Link'] = {description: 'The next page, `rel="next"`.', schema: {type: 'string'}};
  else if (schema !== undefined && path !== '/v1/me' && status !== 202)
    headers['ETag'] = {schema: {type: 'string'}};
  if (schema === undefined) return {description: 'Done; no body.', headers};
  const item = schemas.of(schema);
  return {
    description: 'Success.',
    headers,
    content: {'application/json': {schema: list === true ? listOf(item) : item}},
  };
}

function listOf(items: Json): Json {
  return {
    type: 'object',
    required: ['object', 'data', 'has_more', 'next_cursor'],
    properties: {
      object: {const: 'list'},
      data: {type: 'array', items},
      has_more: {type: 'boolean'},
      next_cursor: {type: ['string', 'null']},
    },
  };
}

function errorResponses(route: Route, schemas: Schemas): Json {
  const codes = new Set<ProblemCode>([
    ...commonErrors,
    ...(route.scope === undefined ? [] : (['insufficient_scope'] as const)),
    ...(route.method === 'GET' ? [] : writeErrors),
    ...(route.body === undefined ? [] : bodyErrors),
    ...route.errors,
  ]);
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const {status} = problemKinds[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const schema = schemas.of(problemSchema);
  const notModified = route.success.list !== true && route.method === 'GET' && route.path.endsWith('}');
  return {
    ...(notModified && {304: {description: 'The resource is still at that revision.'}}),
    ...Object.fromEntries(
      [...byStatus].map(([status, list]) => [
        status,
        {
          description: list.map((code) => `\`${code}\`: ${problemKinds[code].title}.`).join(' '),
          content: {'application/problem+json': {schema}},
        },
      ]),
    ),
  };
}

function describeWebhook(type: string, schemas: Schemas): Json {
  return {
    post: {
      summary: type,
      operationId: `on_${type.replaceAll('.', '_')}`,
      description: 'Signed as Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`.',
      requestBody: {content: {'application/json': {schema: schemas.of(eventSchema)}}},
      responses: {'2XX': {description: 'Received. Anything else is tried again.'}},
    },
  };
}
