import type {z} from 'zod';
import {pathParameters} from '../examples/ids.js';
import {isReadOnly, type Route} from '../http/route.js';
import type {Components, JsonObject} from './components.js';
import {type AnswerHeader, describeHeaderParameter, describeHeaders, quotaHeaders} from './headers.js';
import {describeLinks} from './links.js';
import {describeRefusals} from './refusals.js';

/** Describes one operation of the route table. */
export function describeOperation(
  route: Route,
  routes: readonly Route[],
  components: Components,
  publicUrl: string,
): JsonObject {
  const {operation, tag, summary, deprecated, scope, body, success} = route;
  const links = describeLinks(route, routes);
  return {
    operationId: operation,
    ...(deprecated !== undefined && {deprecated: true}),
    tags: [tag],
    summary,
    description: createDescription(route),
    // OpenAPI 3.1 allows required scopes with any security scheme, not only with OAuth 2.
    security: [{bearer: scope === undefined ? [] : [scope]}],
    ...(scope !== undefined && {'x-required-scope': scope}),
    parameters: [
      ...describePathParameters(route, components),
      ...describeQueryParameters(route, components),
      ...describeHeaderParameters(route, components),
    ],
    ...(body !== undefined && {requestBody: describeRequestBody(route, body, components)}),
    responses: {
      ...(success.creates === true && {201: describeSuccess(route, components, 201)}),
      [success.status]: {...describeSuccess(route, components), ...(links && {links})},
      ...(isConditional(route) && {304: describeNotModified(components)}),
      ...describeRefusals(route, components, publicUrl),
    },
  };
}

function createDescription({description, scope, deprecated}: Route): string {
  return [
    ...(deprecated === undefined
      ? []
      : [
          `**Deprecated** since ${deprecated.since}; answered 410 from ${deprecated.sunset}. [What to use instead](${deprecated.link}).`,
        ]),
    ...(description === undefined ? [] : [description]),
    scope === undefined ? 'Any valid access token can use it.' : `Needs the scope \`${scope}\`.`,
  ].join('\n\n');
}

function describePathParameters({path}: Route, components: Components): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    components.referParameter({
      name,
      in: 'path',
      required: true,
      schema: {type: 'string'},
      ...pathParameters[name],
    }),
  );
}

function describeQueryParameters({query, example: shown}: Route, components: Components): JsonObject[] {
  const {properties = {}, required = []} = components.schema(query) as {
    properties?: JsonObject;
    required?: string[];
  };
  const given = shown?.query ?? {};
  return Object.entries(properties).map(([name, schema]) => {
    const {description, examples: _, ...rest} = schema as JsonObject;
    const example = given[name];
    return {
      name,
      in: 'query',
      ...(required.includes(name) && {required: true}),
      ...(description !== undefined && {description}),
      // A list is one parameter: its values have commas between them.
      ...(rest['type'] === 'array' && {style: 'form', explode: false}),
      schema: rest,
      ...(example !== undefined && {example: readExample(rest['type'], example)}),
    };
  });
}

function readExample(type: unknown, example: string): unknown {
  if (type === 'array') return example.split(',');
  return type === 'integer' ? Number(example) : example;
}

function describeHeaderParameters(route: Route, components: Components): JsonObject[] {
  const {errors} = route;
  const names = [
    ...(isReadOnly(route) ? [] : (['Idempotency-Key'] as const)),
    ...(errors.includes('precondition_failed') ? (['If-Match'] as const) : []),
    ...(isConditional(route) ? (['If-None-Match'] as const) : []),
    ...(route.headers ?? []),
  ];
  return names.map((name) => describeHeaderParameter(name, components));
}

/** True for the path of a single resource: one item of a collection, or the caller's workspace. */
function isSingleResource(path: string): boolean {
  return path.endsWith('}') || path === '/v1/workspace';
}

/** True for operations whose answers have an entity tag. A caller who has the content already gets 304. */
function isConditional({method, path, success: {list, tagged}}: Route): boolean {
  return method === 'GET' && (list === true ? tagged === true : isSingleResource(path) && tagged !== false);
}

function describeRequestBody(
  {method, example: shown}: Route,
  body: z.ZodType,
  components: Components,
): JsonObject {
  const schema = components.schema(body);
  const example = shown?.body;
  const content = {schema, ...(example !== undefined && {example})};
  const types =
    method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];
  return {
    required: !body.safeParse(undefined).success,
    content: Object.fromEntries(types.map((type) => [type, content])),
  };
}

function describeSuccess(
  route: Route,
  components: Components,
  status: number = route.success.status,
): JsonObject {
  const {success, example: given} = route;
  const lacking =
    success.alsoList === true || success.locates === true ? (['Location', 'ETag'] as const) : [];
  const headers = describeHeaders(listSuccessHeaders(route, status), components, lacking);
  if (success.mediaTypes !== undefined) {
    const shown = success.mediaTypes.map((type) => {
      const example = given?.streams?.[type];
      return [type, {schema: {type: 'string'}, ...(example !== undefined && {example})}];
    });
    return {description: 'Success. The response is a stream.', headers, content: Object.fromEntries(shown)};
  }
  if (success.schema === undefined) return {description: 'Done. The response has no body.', headers};
  const item = components.schema(success.schema);
  const example = given?.answer;
  return {
    description: describeStatus(route, status),
    headers,
    content: {
      'application/json': {
        schema: describeBody(success, item),
        ...(example !== undefined && {example}),
      },
    },
  };
}

function describeBody({list, alsoList}: Route['success'], item: JsonObject): JsonObject {
  if (alsoList === true) return {oneOf: [item, describeList(item)]};
  return list === true ? describeList(item) : item;
}

/** Describes a successful answer in one sentence. */
function describeStatus(route: Route, status: number): string {
  const {success} = route;
  if (success.alsoList === true)
    return 'Created. `Location` is the path of a standup that was created alone.';
  if (success.list === true) return 'One page of the list.';
  if (status === 201 && success.tagged === false) return 'Created. The response has all that was created.';
  if (status === 201) return 'Created. `Location` is the path of the new resource.';
  if (status === 202) return 'Accepted. The work continues in the background.';
  return isReadOnly(route) ? 'The current state.' : 'Changed. The response has the current state.';
}

function listSuccessHeaders(route: Route, status: number): AnswerHeader[] {
  const {path, success, deprecated} = route;
  const {schema, list, tagged} = success;
  const single = list !== true && schema !== undefined;
  const hasRevision = single && tagged !== false && path !== '/v1/me' && status !== 202;
  return [
    'X-Request-Id',
    ...quotaHeaders,
    ...(isReadOnly(route) ? [] : (['Idempotent-Replayed'] as const)),
    ...((status === 201 && tagged !== false) || success.locates === true ? (['Location'] as const) : []),
    ...(list === true || deprecated !== undefined ? (['Link'] as const) : []),
    ...(hasRevision || (list === true && tagged === true) ? (['ETag'] as const) : []),
    ...(deprecated === undefined ? [] : (['Deprecation', 'Sunset'] as const)),
  ];
}

function describeNotModified(components: Components): JsonObject {
  return components.refer('responses', 'NotModified', () => ({
    description: 'Not modified. The response has no body.',
    headers: describeHeaders(['X-Request-Id', ...quotaHeaders, 'ETag'], components),
  }));
}

function describeList(items: JsonObject): JsonObject {
  return {
    type: 'object',
    required: ['object', 'data', 'has_more', 'next_cursor'],
    properties: {
      object: {type: 'string', const: 'list'},
      data: {type: 'array', items},
      has_more: {type: 'boolean', description: 'Whether another page exists now.'},
      next_cursor: {
        type: ['string', 'null'],
        description: 'The cursor of the next page, to send as `cursor`. It is null after the last page.',
      },
    },
  };
}
