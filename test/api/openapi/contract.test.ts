import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {checkExchange, type ContractExchange, findWebhookViolations} from '../../support/contract.js';
import {forbidUnknownProperties} from '../../support/strict-document.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {eventsOf, make} from '../samples.js';

// This checker gets every answer of the suite, so the tests prove that it finds errors.

let service: TestService;
let workspace: TestWorkspace;
/** Valid exchanges by name, which the wrong ones below change. */
let good: Record<
  'created' | 'made' | 'read' | 'list' | 'refused' | 'challenged' | 'absent',
  ContractExchange
>;
let event: Json;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  const body = {team: 'platform', update: 'As documented.'};
  const exchange = async (method: string, path: string, options = {}): Promise<ContractExchange> => {
    const {status, headers, text} = await workspace.request(method, path, options);
    return {method, path, status, headers, text};
  };
  const {id} = await make(workspace, '/v1/standups', body);
  good = {
    created: await exchange('POST', '/v1/standups', {body}),
    made: await exchange('POST', '/v1/teams', {body: {slug: 'made'}}),
    read: await exchange('GET', `/v1/standups/${id}`),
    list: await exchange('GET', '/v1/standups?limit=1'),
    refused: await exchange('POST', '/v1/standups', {body: {}}),
    challenged: await exchange('GET', '/v1/me', {token: 'made.up.token'}),
    absent: await exchange('GET', '/v1/nothing'),
  };
  [event] = await eventsOf(workspace);
});

afterAll(() => service.close());

type Plant = Partial<ContractExchange> & {
  readonly set?: object;
  readonly drop?: string;
  readonly header?: readonly [string, string | undefined];
};

function planted(exchange: ContractExchange, {set, drop, header, ...rest}: Plant): ContractExchange {
  const body = {...JSON.parse(exchange.text), ...set};
  if (drop !== undefined) delete body[drop];
  const get = (name: string) => (name.toLowerCase() === header?.[0] ? header[1] : exchange.headers.get(name));
  return {...exchange, text: JSON.stringify(body), headers: {get}, ...rest};
}

describe('an answer that is not as documented', () => {
  const plants: [string, keyof typeof good, Plant, RegExp][] = [
    ['an undocumented member', 'created', {set: {mood: 'good'}}, /mood/],
    ['an undocumented member of a member', 'read', {set: {author: {mood: 'good'}}}, /mood/],
    ['a missing member', 'created', {drop: 'update'}, /required property 'update'/],
    ['a wrong type', 'created', {set: {late: 'no'}}, /\/late must be boolean/],
    ['an instant that is none', 'created', {set: {created_at: 'today'}}, /\/created_at must match format/],
    ['an id of another kind', 'created', {set: {id: 'team_01jd0000007000000000000000'}}, /\/id must match/],
    ['an item of a list', 'list', {set: {data: [{}]}}, /\/data\/0 must have/],
    ['an undocumented status', 'created', {status: 200}, /200 is not documented/],
    ['another media type', 'created', {header: ['content-type', 'text/html']}, /text\/html is not/],
    ['no Location', 'made', {header: ['location', undefined]}, /header Location is missing/],
    ['no ETag', 'read', {header: ['etag', undefined]}, /header ETag is missing/],
    ['an undocumented header', 'list', {header: ['location', '/']}, /Location is not documented/],
    ['no X-Request-Id', 'read', {header: ['x-request-id', undefined]}, /X-Request-Id is/],
    [
      'an answer that may be cached',
      'list',
      {header: ['cache-control', 'public']},
      /Cache-Control is public/,
    ],
    ['sniffing', 'list', {header: ['x-content-type-options', undefined]}, /X-Content-Type-Options/],
    ['more pages and no Link', 'list', {header: ['link', undefined]}, /has_more is true/],
    ['an unknown code', 'refused', {set: {code: 'bad_mood'}}, /bad_mood is not known/],
    ['a code of another operation', 'refused', {set: {code: 'webhook_url_forbidden'}}, /not documented for/],
    ['a code of another status', 'refused', {set: {code: 'slug_taken'}}, /slug_taken is 409/],
    ['a request_id of another request', 'refused', {set: {request_id: 'other-id'}}, /request_id is not/],
    ['a refusal as plain JSON', 'refused', {header: ['content-type', 'application/json']}, /of the type/],
    ['a 401 without a challenge', 'challenged', {header: ['www-authenticate', undefined]}, /WWW-Auth/],
    ['an answer at an undocumented address', 'absent', {status: 200}, /address is not documented/],
    ['an undocumented method', 'read', {method: 'PUT'}, /method is not documented here/],
  ];

  it.each(plants)('fails the test that received it: %s', (_, name, plant, message) => {
    expect(() => checkExchange(good[name])).not.toThrow();
    expect(() => checkExchange(planted(good[name], plant))).toThrow(message);
  });

  it('fails the test that received it as a webhook or an item of the feed', () => {
    expect(findWebhookViolations(JSON.stringify(event))).toEqual([]);
    expect(findWebhookViolations(JSON.stringify({...event, mood: 'good'}))).not.toEqual([]);
    expect(findWebhookViolations(JSON.stringify({...event, type: 'mood.changed'}))).not.toEqual([]);
    expect(findWebhookViolations('no JSON')).not.toEqual([]);
  });
});

it('a schema made of several parts forbids unknown fields as a whole, and not in each part', () => {
  const schemas = {A: {properties: {a: {}}}};
  const schema = {allOf: [{$ref: '#/components/schemas/A'}, {properties: {b: {properties: {c: {}}}}}]};
  const closed = forbidUnknownProperties({paths: {x: {schema}}, webhooks: {}, components: {schemas}});
  expect(closed.paths.x.schema).toEqual({
    allOf: [
      {$ref: '#/components/openSchemas/A'},
      {properties: {b: {properties: {c: {}}, unevaluatedProperties: false}}},
    ],
    unevaluatedProperties: false,
  });
  expect(closed.components).toEqual({
    schemas: {A: {properties: {a: {}}, unevaluatedProperties: false}},
    openSchemas: {A: {properties: {a: {}}}},
  });
});

it('answers of a service are checked against its own route table only until it closes, since ports are reused', async () => {
  const other = await startService({
    changeRoutes: (table) => table.filter(({operation}) => operation !== 'postStandup'),
  });
  const exchange = {...good.created, service: other.url};
  expect(() => checkExchange(exchange)).toThrow('Not as documented');
  await other.close();
  checkExchange(exchange);
});
