import {spawnSync} from 'node:child_process';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {problemKinds} from '../../../src/api/http/problems.js';
import {isReadOnly, type Route} from '../../../src/api/http/route.js';
import {deliveryStateMeanings} from '../../../src/domain/webhooks/delivery.js';
import {deliveryStates} from '../../../src/domain/webhooks/delivery.js';
import {eventTypes} from '../../../src/domain/events/event.js';
import {deep, sampleUnlessDeep} from '../../support/deep.js';
import {startReceiver, type Receiver} from '../../support/receiver.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {addFixtures, type Fixtures, mutations, routes, sampleOf} from '../samples.js';

let service: TestService;
let receiver: Receiver;
let document: Json;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  document = (await sendRequest(service.url, 'GET', '/openapi.json')).body;
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

/** One operation, with its references to parameters, responses and headers resolved. */
const operationOf = ({path, method}: {path: string; method: string}): Json => {
  const operation = document.paths[path][method.toLowerCase()];
  const responses = Object.entries<Json>(operation.responses).map(([status, response]) => [
    status,
    resolve(response),
  ]);
  return {
    ...operation,
    parameters: operation.parameters.map(resolve),
    responses: Object.fromEntries(responses),
  };
};

const pathParametersOf = (path = ''): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Resolves one reference of the document. */
function resolve(schema: Json): Json {
  if (schema.$ref === undefined) return schema;
  return schema.$ref
    .slice(2)
    .split('/')
    .reduce((at: Json, part: string) => at[part], document);
}

it('the document describes every operation there is, and no other', () => {
  const documented = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.toSorted()).toEqual(routes.map(({method, path}) => `${method} ${path}`).toSorted());
  const ids = routes.map((route) => operationOf(route).operationId);
  expect(new Set(ids).size).toBe(routes.length);
});

it('the document describes every schema itself, and none of them is only a reference', () => {
  for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
    expect({name, type: schema.type}).toEqual({name, type: 'object'});
    expect({name, description: schema.description}).toEqual({
      name,
      description: expect.stringMatching(/\.$/),
    });
    for (const {properties} of schema.oneOf ?? [schema]) {
      expect(Object.keys(properties).length).toBeGreaterThan(0);
    }
  }
});

it('the document names the page length of each list', () => {
  for (const route of routes.filter(({success}) => success.list === true)) {
    const limit = operationOf(route).parameters.find(({name}: Json) => name === 'limit');
    expect(limit.schema).toEqual({type: 'integer', minimum: 1, maximum: 100, default: 25});
  }
});

it('every number in a query is accepted at both ends of the documented range, and refused beyond them', () => {
  const asked = routes.flatMap((route) =>
    operationOf(route)
      .parameters.filter(({in: location, schema}: Json) => location === 'query' && schema.type === 'integer')
      .map(({name, schema}: Json) => ({route, name, schema})),
  );
  expect(asked.map(({route}) => route.operation)).toContain('previewSchedule');
  for (const {route, name, schema} of asked) {
    const takes = (value: number) => route.query.safeParse({[name]: String(value)}).success;
    const {minimum, maximum} = schema;
    expect({
      operation: route.operation,
      taken: [minimum - 1, minimum, maximum, maximum + 1].map(takes),
    }).toEqual({operation: route.operation, taken: [false, true, true, false]});
  }
});

it('no two names in one scope of generated code differ only by case, hyphens, underscores or dots', () => {
  const {securitySchemes: _, ...components} = document.components;
  const events = Object.values<Json>(document.webhooks).map(({post}) => post);
  const operations = routes.map(operationOf);
  const spaces: Record<string, string[]> = {
    components: Object.values<Json>(components).flatMap(Object.keys),
    operations: [...operations, ...events].map(({operationId}) => operationId),
    tags: document.tags.map(({name}: Json) => name),
  };
  for (const {operationId, parameters} of operations)
    spaces[`parameters of ${operationId}`] = parameters.map(({name}: Json) => name);
  for (const [name, {properties}] of Object.entries<Json>(components['schemas']))
    spaces[`members of ${name}`] = Object.keys(properties ?? {});
  const alike = Object.entries(spaces).flatMap(([space, names]) => {
    const fold = (name: string) => name.toLowerCase().replaceAll(/[-_.]/g, '');
    const folded = names.map(fold);
    return names
      .filter((_, at) => folded.indexOf(fold(names[at] ?? '')) !== at)
      .map((name) => ({space, name}));
  });
  expect(alike).toEqual([]);
});

it('a parameter ends in Param or Header, and the security scheme is named bearer', () => {
  const {parameters, securitySchemes} = document.components;
  for (const [name, {in: location}] of Object.entries<Json>(parameters))
    expect(name).toMatch(location === 'header' ? /^([A-Z][A-Za-z]*)Header$/ : /^([A-Z][A-Za-z]*)Param$/);
  expect(Object.keys(parameters)).toEqual(expect.arrayContaining(['TeamParam', 'WebhookIdHeader']));
  expect(Object.keys(securitySchemes)).toEqual(['bearer']);
});

it('no example opens and closes a run at the same time', () => {
  const times: Json[] = [];
  const collect = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    const {opens, closes} = value;
    if (opens?.examples !== undefined) times.push({opens: opens.examples[0], closes: closes?.examples?.[0]});
    else if (typeof opens === 'string') times.push({opens, closes});
    for (const member of Object.values<Json>(value)) collect(member);
  };
  collect(document);
  expect(times.length).toBeGreaterThan(5);
  expect(times.filter(({opens, closes}) => opens === closes)).toEqual([]);
});

it('events have a tag of their own, so that generated clients keep the operations of webhooks', () => {
  const ofOperations = new Set(routes.map(({tag}) => tag));
  const ofEvents = Object.values<Json>(document.webhooks).flatMap(({post}) => post.tags);
  expect(ofEvents.filter((tag: string) => ofOperations.has(tag))).toEqual([]);
});

it('the document contains every schema that it refers to', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target);
  expect(references.length).toBeGreaterThan(routes.length);
  for (const $ref of references)
    expect({$ref, found: resolve({$ref}) !== undefined}).toEqual({$ref, found: true});
});

it('no schema has a list of types but one type and null, which generators of clients refuse', () => {
  const lists = [...JSON.stringify(document).matchAll(/"type":\[([^\]]*)\]/g)].map(([, types]) => types);
  expect(lists.length).toBeGreaterThan(0);
  expect(lists.filter((types) => !/^"\w+","null"$/.test(types ?? ''))).toEqual([]);
});

/** The links of each operation's answer, by its name. */
const listLinks = (): [string, Json][] =>
  routes.flatMap((route) =>
    Object.values<Json>(operationOf(route).responses).flatMap(({links}) =>
      links === undefined ? [] : [[route.operation, links] as [string, Json]],
    ),
  );

it('each link of an answer names an operation, and fills every parameter of its path', () => {
  const byName = new Map(routes.map((route) => [route.operation, route]));
  const links = listLinks();
  const makers =
    'createAbsence createComment createHolidayCalendar createImport createMember createPasskey createTeam ' +
    'createToken createWebhook postStandup raiseBlocker redeliver replayWebhook testWebhook';
  expect(links.map(([operation]) => operation).toSorted()).toEqual(makers.split(' '));
  for (const [operation, targets] of links) {
    const known = pathParametersOf(byName.get(operation)?.path);
    for (const [name, {operationId, parameters}] of Object.entries<Json>(targets)) {
      expect(operationId).toBe(name);
      expect(Object.keys(parameters)).toEqual(pathParametersOf(byName.get(name)?.path));
      const values: string[] = Object.values(parameters);
      const inPath = known.map((parameter) => `$request.path.${parameter}`);
      expect(values.filter((value) => !inPath.includes(value))).toEqual(['$response.body#/id']);
    }
  }
});

it.each(mutations)('$method $path documents Idempotency-Key and its replay', (route) => {
  const {parameters, responses} = operationOf(route);
  expect(parameters.map(({name}: Json) => name)).toContain('Idempotency-Key');
  expect(Object.keys(responses[route.success.status].headers)).toContain('Idempotent-Replayed');
});

it.each(routes)('$method $path documents its parameters and its refusals', (route) => {
  const {parameters, responses, description} = operationOf(route);
  const inPath = pathParametersOf(route.path);
  expect(parameters.filter((one: Json) => one.in === 'path').map(({name}: Json) => name)).toEqual(inPath);
  for (const code of route.errors) {
    expect(responses[problemKinds[code].status].description).toContain(`\`${code}\``);
  }
  for (const status of ['401', '500', '503']) {
    expect(responses[status].content['application/problem+json'].schema.$ref).toMatch(/Problem$/);
  }
  expect(description === undefined || description.length > 10).toBe(true);
});

it.each(['postStandup', 'createWebhook', 'raiseBlocker', 'replayWebhook'])(
  'the links of %s lead to answers about what it made',
  async (operation) => {
    const own = await service.addWorkspace();
    const route = routes.find((one) => one.operation === operation) as Route;
    const {path, body} = sampleOf(route, await addFixtures(own, receiver.url, route));
    const {status, body: made} = await own.request(route.method, path, {body});
    const {links} = operationOf(route).responses[status];
    const followed = routes.filter((one) => isReadOnly(one) && links[one.operation] !== undefined);
    expect(followed.length).toBeGreaterThan(0);
    for (const target of followed) {
      const {parameters} = links[target.operation];
      const address = target.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        parameters[name] === '$response.body#/id' ? made.id : path.split('/')[3],
      );
      const answer = await own.request('GET', address);
      expect({operation: target.operation, status: answer.status}).toEqual({
        operation: target.operation,
        status: 200,
      });
    }
  },
);

describe('the documented answers of an operation', () => {
  /** Shared by read operations. */
  let shared: {readonly own: TestWorkspace; readonly ids: Fixtures};

  beforeAll(async () => {
    const own = await service.addWorkspace();
    shared = {own, ids: await addFixtures(own, receiver.url)};
  });

  // examples.test.ts checks an answer of every operation against the document.
  it.each(deep ? routes : sampleUnlessDeep(routes.filter(isReadOnly), 8))(
    'match the answers it gives: $operation',
    async (route) => {
      const own = isReadOnly(route) ? shared.own : await service.addWorkspace();
      const ids = own === shared.own ? shared.ids : await addFixtures(own, receiver.url, route);
      const {path, body, token} = sampleOf(route, ids);
      const answer = await own.request(route.method, path, {body, ...(token && {token})});
      const response = operationOf(route).responses[answer.status];
      expect(response).toBeDefined();
      for (const name of Object.keys(response.headers)) {
        const conditional = name === 'Link' || name === 'Idempotent-Replayed';
        expect({name, sent: conditional || answer.headers.has(name)}).toEqual({name, sent: true});
      }
      if (response.content === undefined) return expect(answer.text).toBe('');
      const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
      expect(Object.keys(response.content)).toContain(type);
      if (route.success.mediaTypes !== undefined) return;
      const either = resolve(response.content[type].schema);
      // If an answer is either one resource or a list, the first form is the single resource.
      const schema = either.oneOf === undefined ? either : resolve(either.oneOf[0]);
      const rows =
        schema.properties.data === undefined || route.success.list !== true
          ? [answer.body]
          : answer.body.data;
      const item = route.success.list === true ? resolve(schema.properties.data.items) : schema;
      // A service account has no inbox. Items are checked where they are made (inbox.test.ts).
      if (route.operation === 'listInbox') return expect(rows).toEqual([]);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        const known = Object.keys(item.properties);
        expect(Object.keys(row).filter((name) => !known.includes(name))).toEqual([]);
        expect(item.required.filter((name: string) => !(name in row))).toEqual([]);
        expect(route.success.schema?.safeParse(row).error).toBeUndefined();
      }
    },
  );
});

it('the document refers to nothing outside itself', () => {
  const targets = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target);
  expect(targets.length).toBeGreaterThan(100);
  expect(targets.filter((target) => !target?.startsWith('#/'))).toEqual([]);
});

it('the document is compressed for clients that accept gzip, and is the same', async () => {
  const headers = {'accept-encoding': 'gzip'};
  const packed = await sendRequest(service.url, 'HEAD', '/openapi.json', {headers});
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(packed.headers.get('vary')).toContain('Accept-Encoding');
  const unpacked: unknown = await (await fetch(`${service.url}/openapi.json`, {headers})).json();
  expect(unpacked).toEqual(document);
  expect(Number(packed.headers.get('content-length'))).toBeLessThan(JSON.stringify(document).length / 5);
});

it('the document describes every event type as a webhook', () => {
  expect(Object.keys(document.webhooks).toSorted()).toEqual([...eventTypes].toSorted());
});

it('the document names the fields that a standup needs, and their limits', () => {
  const {properties, required, additionalProperties} = resolve(
    operationOf({path: '/v1/standups', method: 'POST'}).requestBody.content['application/json'].schema,
  );
  // The descriptions say that a team or teams, and an update or answers, are needed.
  expect({required, additionalProperties}).toEqual({required: undefined, additionalProperties: false});
  for (const name of ['team', 'teams', 'update', 'answers']) expect(properties).toHaveProperty(name);
  expect(properties.update).toMatchObject({type: 'string', minLength: 1, maxLength: 4000});
});

it('the document explains the rule of idempotency in full', () => {
  expect(document.info.description).toContain(
    'A key belongs to you (workspace + principal) for 24 hours. The first successful response is stored and returned unchanged, with `Idempotent-Replayed: true`, to every repeat of the same request. A different request with the same key gets 422. Failed requests do not use up the key. After a timeout or a 5xx, repeat with the same key.',
  );
});

it('regression: the document says that a webhook for some teams also gets events of no team', () => {
  for (const name of ['NewWebhook', 'WebhookChange'])
    expect(document.components.schemas[name].properties.teams.description).toMatch(/belong to no team/);
});

it('regression: the document says that a cursor works only with parameters spelled the same way', () => {
  expect(document.info.description).toMatch(/the same parameters, spelled the same way/);
});

it.each(deliveryStates)('the document describes the delivery state %s as the guide does', (state) => {
  const meaning = deliveryStateMeanings[state];
  expect(document.info.description).toContain(`| \`${state}\` | ${meaning} |`);
  expect(document.components.schemas.Delivery.properties.state.description).toContain(
    `\`${state}\`: ${meaning}`,
  );
});

it('regression: the document gives the waits of retries in seconds, as the settings of a webhook do', () => {
  const {description} = document.components.schemas.NewWebhook.properties.retry_schedule;
  expect(description).toContain('5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400.');
});

it('regression: the document gives no default to a field of a merge patch, since a field left out is unchanged', () => {
  const patches = routes.filter(({method}) => method === 'PATCH');
  expect(patches.length).toBeGreaterThan(3);
  for (const route of patches) {
    const {properties} = resolve(operationOf(route).requestBody.content['application/json'].schema);
    expect(JSON.stringify(properties)).not.toContain('"default":');
  }
});

it.each(routes)(
  'regression: the document lists If-Match for $operation only if a wrong If-Match is refused',
  (route) => {
    const {parameters, responses} = operationOf(route);
    const isTaken = parameters.some(({name}: Json) => name === 'If-Match');
    expect(isTaken).toBe(responses['412'] !== undefined);
  },
);

describe('published patterns', () => {
  const patternsIn = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, member]) =>
      name === 'pattern' && typeof member === 'string' ? [member] : patternsIn(member),
    );
  };
  const patterns = () => [...new Set(patternsIn(document))];

  it('regression: mean the same with and without Unicode mode', () => {
    expect(patterns().length).toBeGreaterThan(20);
    const escapes = patterns().filter((pattern) => /\\[pPuk]\{?|\(\?<|\(\?[a-z]/.test(pattern));
    expect(escapes).toEqual([]);
    for (const pattern of patterns()) for (const flags of ['', 'u']) RegExp(pattern, flags);
  });

  it('regression: compile in Python, if that is installed', () => {
    const script = 'import json, re, sys\nfor p in json.load(sys.stdin): re.compile(p)';
    const run = spawnSync('python3', ['-c', script], {input: JSON.stringify(patterns()), encoding: 'utf8'});
    if (run.error !== undefined) return;
    expect(run.stderr).toBe('');
  });
});
