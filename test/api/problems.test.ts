import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type ProblemCode, problemKinds} from '../../src/api/problems.js';
import {drawnPart} from '../../src/domain/ids.js';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {sendRequest, startService} from '../support/service.js';
import type {RequestOptions, TestResponse, TestService, TestWorkspace} from '../support/service.js';
import {expectProblem, type Place} from './expect-problem.js';
import {make} from './samples.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

interface Case {
  readonly code: ProblemCode;
  readonly when: string;
  readonly act: () => Promise<TestResponse>;
  readonly place?: Place;
  readonly headers?: Readonly<Record<string, string>>;
}

const post = (body: RequestOptions['body'], options: RequestOptions = {}) =>
  workspace.request('POST', '/v1/standups', {
    body,
    ...options,
    headers: {'content-type': 'application/json', ...options.headers},
  });
const get = (path: string, options?: RequestOptions) => workspace.request('GET', path, options);
const good = {team: 'platform', update: 'Fine.'};
const realm = 'Bearer realm="team-standup-service"';

const cases: readonly Case[] = [
  {code: 'malformed_json', when: 'the body is no JSON', act: () => post('{"team": ')},
  {
    code: 'invalid_parameter',
    when: 'a query parameter has a wrong value',
    act: () => get('/v1/standups?limit=0'),
    place: {parameter: 'limit'},
  },
  {
    code: 'invalid_parameter',
    when: 'If-Match is no entity tag',
    act: () => workspace.request('DELETE', `/v1/teams/${workspace.team}`, {headers: {'if-match': '3'}}),
    place: {header: 'If-Match'},
  },
  {
    code: 'invalid_cursor',
    when: 'a cursor was never given',
    act: () => get('/v1/standups?cursor=abc'),
    place: {parameter: 'cursor'},
  },
  {
    code: 'invalid_idempotency_key',
    when: 'the key has a space',
    act: () => post(good, {headers: {'idempotency-key': 'not good'}}),
    place: {header: 'Idempotency-Key'},
  },
  {code: 'bad_request', when: 'the path is not validly encoded', act: () => get('/v1/teams/%E0%A4')},
  {
    code: 'authentication_required',
    when: 'no credentials are sent (RFC 6750: a challenge without an error code)',
    act: () => sendRequest(service.url, 'GET', '/v1/me'),
    headers: {'www-authenticate': realm},
  },
  {
    code: 'invalid_token',
    when: 'the token is made up',
    act: () => get('/v1/me', {token: 'made.up.token'}),
    headers: {
      'www-authenticate': `${realm}, error="invalid_token", error_description="The access token is not valid here."`,
    },
  },
  {
    code: 'insufficient_scope',
    when: 'the token lacks the scope, which the challenge names',
    act: async () => {
      const {value} = await workspace.addToken({scopes: ['teams:read']});
      return get('/v1/standups', {token: value});
    },
    headers: {'www-authenticate': `${realm}, error="insufficient_scope", scope="standups:read"`},
  },
  {
    code: 'forbidden',
    when: 'somebody else changes a standup',
    act: async () => {
      const {id} = await make(workspace, '/v1/standups', good);
      const {value} = await workspace.addToken({name: 'somebody-else', scopes: ['standups:write']});
      return workspace.request('PATCH', `/v1/standups/${id}`, {body: {update: 'Mine now.'}, token: value});
    },
  },
  {
    code: 'scope_escalation',
    when: 'a token asks for one that may do more than itself',
    act: async () => {
      const {value} = await workspace.addToken({scopes: ['tokens:manage', 'teams:read']});
      const body = {name: 'wider', scopes: ['teams:read', 'teams:write']};
      return workspace.request('POST', '/v1/tokens', {body, token: value});
    },
    place: {pointer: '#/scopes'},
  },
  {code: 'not_found', when: 'an id is unknown', act: () => get('/v1/standups/std_0')},
  {
    code: 'method_not_allowed',
    when: 'the address does not know the method, and lists those it knows',
    act: () => workspace.request('DELETE', '/v1/standups'),
    headers: {allow: 'GET, HEAD, OPTIONS, POST'},
  },
  {
    code: 'not_acceptable',
    when: 'Accept does not admit JSON',
    act: () => get('/v1/me', {headers: {accept: 'text/html'}}),
    place: {header: 'Accept'},
  },
  {
    code: 'slug_taken',
    when: 'a team has the slug',
    act: () => workspace.request('POST', '/v1/teams', {body: {slug: 'platform'}}),
    place: {pointer: '#/slug'},
  },
  {
    code: 'team_not_empty',
    when: 'a team with standups is deleted without force',
    act: async () => {
      await make(workspace, '/v1/standups', good);
      return workspace.request('DELETE', '/v1/teams/platform');
    },
  },
  {
    code: 'limit_reached',
    when: 'a workspace has 20 webhooks',
    act: async () => {
      const full = await service.addWorkspace();
      const body = {url: 'https://hooks.example/', events: ['*']};
      for (let i = 0; i < 20; i++) await make(full, '/v1/webhooks', body);
      return full.request('POST', '/v1/webhooks', {body});
    },
  },
  {
    code: 'precondition_failed',
    when: 'the resource is at another revision, which ETag names',
    act: () =>
      workspace.request('PATCH', '/v1/teams/platform', {body: {name: 'New'}, headers: {'if-match': '"7"'}}),
    place: {header: 'If-Match'},
    headers: {etag: '"1"'},
  },
  {
    code: 'payload_too_large',
    when: 'the body is larger than 64 KiB',
    act: () => post(JSON.stringify({...good, update: 'x'.repeat(65_536)})),
  },
  {
    code: 'unsupported_media_type',
    when: 'the body is no JSON by its type, and Accept says what would do',
    act: () => post(JSON.stringify(good), {headers: {'content-type': 'text/plain'}}),
    headers: {accept: 'application/json, application/merge-patch+json'},
  },
  {
    code: 'validation_failed',
    when: 'a member is wrong',
    act: () => post({...good, update: 7}),
    place: {pointer: '#/update'},
  },
  {
    code: 'team_not_found',
    when: 'a standup is for a team that does not exist',
    act: () => post({...good, team: 'platfrom'}),
    place: {pointer: '#/team'},
  },
  {
    code: 'team_not_found',
    when: 'a list is filtered by a team that does not exist',
    act: () => get('/v1/standups?team=nobody'),
    place: {parameter: 'team'},
  },
  {
    code: 'date_not_allowed',
    when: 'a standup is dated far back',
    act: () => post({...good, date: '2001-01-01'}),
    place: {pointer: '#/date'},
  },
  {
    code: 'webhook_url_forbidden',
    when: 'a webhook points into our network',
    act: () => workspace.request('POST', '/v1/webhooks', {body: {url: 'https://10.0.0.1/', events: ['*']}}),
    place: {pointer: '#/url'},
  },
  {
    code: 'idempotency_key_reused',
    when: 'a key comes again with another request',
    act: async () => {
      const headers = {'idempotency-key': 'used-before'};
      await post(good, {headers});
      return post({...good, update: 'Other words.'}, {headers});
    },
    place: {header: 'Idempotency-Key'},
  },
  {
    code: 'internal_error',
    when: 'the store holds what cannot be; nothing of the cause is shown',
    act: async () => {
      const broken = await service.addWorkspace();
      const {id} = await make(broken, '/v1/standups', good);
      const key = `{${broken.id}}:r:${drawnPart(id)}`;
      await sendToRedis(service.redisUrl, [
        ['DEL', key],
        ['LPUSH', key, 'a list where a record should be'],
      ]);
      const answer = await broken.request('GET', `/v1/standups/${id}`);
      expect(answer.text).not.toMatch(/WRONGTYPE|redis|\.ts|\.js|at /i);
      return answer;
    },
  },
];

describe('each problem is answered with its status, its place and its headers', () => {
  it.each(cases)('$code when $when', async ({code, act, place, headers = {}}) => {
    const answer = await act();
    expectProblem(answer, code, place);
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value);
  });
});

/** Codes whose conditions need more than a request; each file has the code in a title or a call of `expectProblem`. */
const elsewhere: Partial<Record<ProblemCode, string>> = {
  request_timeout: 'transport.test.ts',
  uri_too_long: 'transport.test.ts',
  headers_too_large: 'transport.test.ts',
  webhook_disabled: 'webhooks.test.ts',
  cursor_expired: 'events.test.ts',
  service_unavailable: '../store/away.test.ts',
  store_lost: '../store/away.test.ts',
  storage_full: '../store/full.test.ts',
  endpoint_sunset: 'deprecation.test.ts',
};

it('no problem of the contract is without a test', () => {
  const tested = [...new Set([...cases.map(({code}) => code), ...Object.keys(elsewhere)])];
  expect(tested.toSorted()).toEqual(Object.keys(problemKinds).toSorted());
});

it('all problems are listed, for people and for programs', async () => {
  const index = await sendRequest(service.url, 'GET', '/problems', {headers: {accept: 'text/html'}});
  const links = [...index.text.matchAll(/href="\/problems\/(\w+)"/g)].map(([, code]) => code);
  expect(links).toEqual(Object.keys(problemKinds));
  const list = await sendRequest(service.url, 'GET', '/problems', {headers: {accept: 'application/json'}});
  expect(list.headers.get('vary')).toContain('Accept');
  expect(list.body.data.map(({code}: {code: string}) => code)).toEqual(links);
});

it('a problem is explained as JSON to a program that asks for it', async () => {
  const {headers, body} = await sendRequest(service.url, 'GET', '/problems/not_found', {
    headers: {accept: 'application/json'},
  });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body).toEqual({
    code: 'not_found',
    ...problemKinds.not_found,
    type: expect.stringMatching(/\/problems\/not_found$/),
  });
});

it.each(Object.entries(problemKinds))(
  'the type of %s leads to a page that explains it',
  async (code, kind) => {
    const page = await sendRequest(service.url, 'GET', `/problems/${code}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain(`<code>${code}</code> · HTTP ${kind.status}`);
    expect(page.text).toContain(kind.title);
  },
);

it('the page of a code that does not exist is a 404', async () => {
  expectProblem(await sendRequest(service.url, 'GET', '/problems/toString'), 'not_found');
});

it('an unknown team is answered with what was probably meant', async () => {
  const {body} = await post({...good, team: 'platfrom'});
  expect(body.detail).toBe('There is no team "platfrom" in this workspace. Did you mean "platform"?');
});

it('every wrong member is named at once, the unknown and the missing too', async () => {
  const answer = await post({update: '', 'a/b~c': 1, metadata: {k: 1}});
  const body = expectProblem(answer, 'validation_failed');
  expect(body.errors.map(({pointer}: {pointer: string}) => pointer).toSorted()).toEqual([
    '#/a~1b~0c',
    '#/metadata/k',
    '#/team',
    '#/update',
  ]);
});
