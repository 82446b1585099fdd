import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {examples} from '../../../src/api/routes.js';
import {exampleIds} from '../../../src/api/examples/ids.js';
import {replayedSince} from '../../../src/api/webhooks/replay-examples.js';
import {problemKinds} from '../../../src/api/http/problems.js';
import {isReadOnly} from '../../../src/api/http/route.js';
import {eventTypes} from '../../../src/domain/events/event.js';
import {getStrictDocument} from '../../support/contract.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {addFixtures, type Fixtures, routes} from '../samples.js';

let service: TestService;
let receiver: Receiver;
const document = getStrictDocument();

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

const names = routes.map(({operation}) => operation);
const withAnswer = routes.filter(
  ({success}) => success.schema !== undefined || success.mediaTypes !== undefined,
);
const withBody = routes.filter(({body}) => body !== undefined && !body.safeParse(undefined).success);

/** The example with ids of existing resources, and recent dates where old ones are refused. */
function withRealIds<T>(example: T, fixtures: Fixtures): T {
  let text = JSON.stringify(example);
  for (const [name, id] of Object.entries(exampleIds)) {
    const real = fixtures[name as keyof Fixtures];
    if (real !== undefined) text = text.replaceAll(id, real);
  }
  text = text.replaceAll(replayedSince, new Date(Date.now() - 3_600_000).toISOString());
  return JSON.parse(text) as T;
}

it('there is an example for every operation, and for no other', () => {
  expect(Object.keys(examples).toSorted()).toEqual(names.toSorted());
});

it('every path parameter is described and has an example', () => {
  for (const {path, method} of routes) {
    for (const parameter of document.operation({path, method}).parameters.map(document.resolve)) {
      if (parameter.in === 'query') continue;
      expect({path, ...parameter}).toMatchObject({
        description: expect.stringMatching(/\S/),
        example: expect.stringMatching(/\S/),
      });
    }
  }
});

it.each(withBody)('$operation shows a body that it accepts', (route) => {
  for (const content of Object.values<Json>(document.operation(route).requestBody.content)) {
    expect(content.example).toBeDefined();
    expect(document.errors(content.schema, content.example)).toEqual([]);
  }
});

it.each(withAnswer)('$operation shows an answer that is as documented', (route) => {
  const {content} = document.resolve(document.operation(route).responses[route.success.status]);
  for (const {schema, example} of Object.values<Json>(content)) {
    expect(example).toBeDefined();
    if (typeof example === 'string') continue;
    expect(document.errors(schema, example)).toEqual([]);
    if (route.success.list === true) expect(example.data.length).toBeGreaterThan(0);
  }
});

it.each(routes)('$operation shows examples of its parameters that are as documented', (route) => {
  const shown = document.operation(route).parameters.map(document.resolve);
  for (const {name, schema, example} of shown) {
    if (example !== undefined)
      expect({name, errors: document.errors(schema, example)}).toEqual({name, errors: []});
  }
  const query = Object.keys(examples[route.operation]?.query ?? {});
  expect(shown.map(({name}: Json) => name)).toEqual(expect.arrayContaining(query));
});

describe('the documented example sent to a running service', () => {
  /** Shared by read operations. */
  let shared: {readonly own: TestWorkspace; readonly fixtures: Fixtures};

  beforeAll(async () => {
    const own = await service.addWorkspace();
    shared = {own, fixtures: await addFixtures(own, receiver.url)};
  });

  it.each(routes)('gets the documented success with the documented shape: $operation', async (route) => {
    const own = isReadOnly(route) ? shared.own : await service.addWorkspace();
    const fixtures = own === shared.own ? shared.fixtures : await addFixtures(own, receiver.url, route);
    const {parameters, requestBody, responses} = document.operation(route);
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => {
      const shown = parameters
        .map(document.resolve)
        .find((one: Json) => one.in === 'path' && one.name === name);
      return encodeURIComponent(withRealIds(shown.example, fixtures));
    });
    const query = new URLSearchParams(withRealIds(examples[route.operation]?.query ?? {}, fixtures));
    const body = requestBody?.content['application/json'].example;
    const answer = await own.request(route.method, `${path}?${query}`, {
      ...(body && {body: withRealIds(body, fixtures)}),
      ...(['createSignInLink', 'createCalendarFeed', 'createShareLink', 'acceptInvite'].includes(
        route.operation,
      ) && {
        token: fixtures.owner,
      }),
      ...(route.tag === 'Device logins' && {token: fixtures.owner}),
      ...(route.tag === 'Passkeys' && {token: fixtures.session}),
      ...(route.path.startsWith('/v1/reminders/') && {token: fixtures.reminded}),
    });
    expect({status: answer.status, text: answer.text}).toMatchObject({status: route.success.status});
    if (route.success.schema === undefined) return;
    const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const {example} = document.resolve(responses[route.success.status]).content[type];
    if (typeof example === 'string') return;
    expect(Object.keys(example)).toEqual(Object.keys(answer.body));
    const [row] = route.success.list === true ? answer.body.data : [];
    const [shown] = route.success.list === true ? example.data : [];
    if (row !== undefined) expect(Object.keys(row)).toEqual(expect.arrayContaining(Object.keys(shown)));
  });
});

it.each(eventTypes)('the event %s shows a body that is as documented', (type) => {
  const {content} = document.json.webhooks[type].post.requestBody;
  const {schema, example} = content['application/json'];
  expect(example.type).toBe(type);
  expect(document.errors(schema, example)).toEqual([]);
});

it('every refusal of every operation shows a problem for each of its codes', () => {
  // Most operations refer to the same examples.
  const seen = new Map<Json, string>();
  for (const route of routes) {
    const refusals = Object.entries<Json>(document.operation(route).responses).filter(
      ([status]) => Number(status) >= 400,
    );
    for (const [status, response] of refusals) {
      const {schema, examples: shown} = document.resolve(response).content['application/problem+json'];
      expect(Object.keys(shown).length).toBeGreaterThan(0);
      for (const [code, example] of Object.entries<Json>(shown)) {
        const {value} = document.resolve(example);
        if (seen.get(value) === `${status} ${code}`) continue;
        seen.set(value, `${status} ${code}`);
        expect(value).toMatchObject({code, status: Number(status)});
        expect(problemKinds).toHaveProperty(code);
        expect(document.errors(schema, value)).toEqual([]);
      }
    }
  }
});
