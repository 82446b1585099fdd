import {mkdirSync, writeFileSync} from 'node:fs';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {exampleIds} from '../../../src/api/examples/ids.js';
import {createProblemExample} from '../../../src/api/examples/problems.js';
import {type ProblemCode, problemKinds} from '../../../src/api/http/problems.js';
import type {Route} from '../../../src/api/http/route.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {deadlines, limits} from '../../../src/domain/core/limits.js';
import {lists} from '../../../src/domain/core/lists.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {addRowsWithoutRecords} from '../../support/fill-list.js';
import {seedRun} from '../../support/seed-runs.js';
import {startTestRedis, type TestRedis} from '../../support/redis-server.js';
import {sendRequest, startService} from '../../support/service.js';
import type {
  Json,
  RequestOptions,
  ServiceOptions,
  TestResponse,
  TestService,
  TestWorkspace,
} from '../../support/service.js';
import {expectProblem, type ErrorSource} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {sendRaw} from '../raw.js';
import {addFixtures, make} from '../samples.js';

let service: TestService;
let receiver: Receiver;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

interface Case {
  readonly code: ProblemCode;
  readonly when: string;
  readonly act: () => Promise<TestResponse>;
  readonly source?: ErrorSource;
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
    source: {parameter: 'limit'},
  },
  {
    code: 'invalid_parameter',
    when: 'If-Match is no entity tag',
    act: () => workspace.request('DELETE', `/v1/teams/${workspace.team}`, {headers: {'if-match': '3'}}),
    source: {header: 'If-Match'},
  },
  {
    code: 'invalid_cursor',
    when: 'a cursor was never issued',
    act: () => get('/v1/standups?cursor=abc'),
    source: {parameter: 'cursor'},
  },
  {
    code: 'invalid_idempotency_key',
    when: 'the key has a space',
    act: () => post(good, {headers: {'idempotency-key': 'not good'}}),
    source: {header: 'Idempotency-Key'},
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
      'www-authenticate': `${realm}, error="invalid_token", error_description="The access token is not valid here: it is malformed, or of another installation. Create a new one."`,
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
    when: 'another member changes a standup',
    act: async () => {
      const {id} = await make(workspace, '/v1/standups', good);
      const {value} = await workspace.addToken({name: 'somebody-else', scopes: ['standups:write']});
      return workspace.request('PATCH', `/v1/standups/${id}`, {body: {update: 'Mine now.'}, token: value});
    },
  },
  {
    code: 'scope_escalation',
    when: 'a token requests one with more rights than itself',
    act: async () => {
      const {value} = await workspace.addToken({scopes: ['tokens:manage', 'teams:read']});
      const body = {name: 'wider', scopes: ['teams:read', 'teams:write']};
      return workspace.request('POST', '/v1/tokens', {body, token: value});
    },
    source: {pointer: '#/scopes'},
  },
  {code: 'not_found', when: 'an id is unknown', act: () => get(`/v1/standups/${exampleIds.standup}`)},
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
    source: {header: 'Accept'},
  },
  {
    code: 'slug_taken',
    when: 'a team has the slug',
    act: () => workspace.request('POST', '/v1/teams', {body: {slug: 'platform'}}),
    source: {pointer: '#/slug'},
  },
  {
    code: 'channel_is_public',
    when: 'a private team gets a public channel',
    act: async () => {
      const {store} = service.core;
      const body = {slug: 'hidden', visibility: 'private', slack_channel_id: 'C024BE91L'};
      await store.slackChannels.notePublic(workspace.id, body.slack_channel_id, performance.now() + 5_000);
      return workspace.request('POST', '/v1/teams', {body});
    },
    source: {pointer: '#/slack_channel_id'},
  },
  {
    code: 'team_not_empty',
    when: 'a team with standups is deleted without force',
    act: async () => {
      const full = await service.addWorkspace();
      for (const update of ['A', 'B']) await make(full, '/v1/standups', {...good, update});
      return full.request('DELETE', '/v1/teams/platform');
    },
    source: {parameter: 'force'},
  },
  {
    code: 'run_exists',
    when: 'the team has had a run today',
    act: async () => {
      const own = await service.addWorkspace();
      await make(own, '/v1/teams/platform/runs', {});
      return own.request('POST', '/v1/teams/platform/runs', {body: {minutes: 5}});
    },
  },
  {
    code: 'no_open_run',
    when: 'a reminder is requested without an open run',
    act: async () => (await service.addWorkspace()).request('POST', '/v1/teams/platform/reminders'),
  },
  {
    code: 'team_paused',
    when: 'a run is requested for a paused team',
    act: async () => {
      const own = await service.addWorkspace();
      await own.request('PATCH', '/v1/teams/platform', {body: {paused: true}});
      return own.request('POST', '/v1/teams/platform/runs');
    },
  },
  {
    code: 'import_closed',
    when: 'rows are added to a finished import',
    act: async () => {
      const own = await service.addWorkspace();
      const path = `/v1/imports/${(await make(own, '/v1/imports', {source: 'csv'})).id}`;
      await own.request('POST', `${path}/finish`);
      return own.request('POST', `${path}/rows`, {body: {rows: [{}]}});
    },
  },
  {
    code: 'edit_in_slack',
    when: 'a comment that was typed in Slack is edited here',
    act: async () => {
      const {id: standup} = (await post(good)).body;
      const {id} = await make(workspace, '/v1/comments', {standup, text: 'On it.'});
      const key = workspaceKeys(workspace.id).record(suffixOf(id));
      const [kept] = await sendToRedis(service.redisUrl, [['GET', key]]);
      const permalink = 'https://acme.slack.com/archives/C024BE91L/p1763888652351000';
      const slack = {channel_id: 'C024BE91L', message_ts: '1763888652.351000', permalink};
      const typed = JSON.stringify({...JSON.parse(String(kept)), slack});
      await sendToRedis(service.redisUrl, [['SET', key, typed]]);
      return workspace.request('PATCH', `/v1/comments/${id}`, {body: {text: 'Done.'}});
    },
  },
  {
    code: 'set_by_configuration',
    when: 'Slack is connected by a token in the environment',
    act: () =>
      elsewhere({env: {ROLES: 'web', SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'secret'}}, (there) =>
        there.request('DELETE', '/v1/slack'),
      ),
  },
  {
    code: 'limit_reached',
    when: 'a workspace has 500 webhooks',
    act: async () => {
      const full = await service.addWorkspace();
      const body = {url: 'https://hooks.example/', events: ['team.created']};
      await addRowsWithoutRecords(full, lists.webhooks(), limits.webhooksPerWorkspace);
      return full.request('POST', '/v1/webhooks', {body});
    },
  },
  {
    code: 'precondition_failed',
    when: 'the resource is at another revision, which ETag names',
    act: () =>
      workspace.request('PATCH', '/v1/teams/platform', {body: {name: 'New'}, headers: {'if-match': '"7"'}}),
    source: {header: 'If-Match'},
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
    source: {header: 'Content-Type'},
    headers: {accept: 'application/json'},
  },
  {
    code: 'validation_failed',
    when: 'a member is wrong',
    act: () => post({...good, update: 7}),
    source: {pointer: '#/update'},
  },
  {
    code: 'team_not_found',
    when: 'a standup is for a team that does not exist',
    act: () => post({...good, team: 'platfrom'}),
    source: {pointer: '#/team'},
  },
  {
    code: 'team_not_found',
    when: 'a list is filtered by a team that does not exist',
    act: () => get('/v1/standups?team=nobody'),
    source: {parameter: 'team'},
  },
  {
    code: 'date_not_allowed',
    when: 'a standup is dated far back',
    act: () => post({...good, date: '2001-01-01'}),
    source: {pointer: '#/date'},
  },
  {
    code: 'run_closed',
    when: 'a standup comes after the closing of its run, in a team that takes none then',
    act: async () => {
      const {id: team} = await make(workspace, '/v1/teams', {slug: 'punctual'});
      await workspace.request('PATCH', '/v1/teams/punctual', {body: {late_policy: {accept: 'never'}}});
      const date = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
      const closes_at = `${date}T10:00:00.000Z`;
      await seedRun(service, workspace, {team: 'punctual', team_id: team, date, closes_at});
      return post({...good, team: 'punctual', date});
    },
    source: {pointer: '#/date'},
  },
  {
    code: 'webhook_url_forbidden',
    when: 'a webhook points into our network',
    act: () => workspace.request('POST', '/v1/webhooks', {body: {url: 'https://10.0.0.1/', events: ['*']}}),
    source: {pointer: '#/url'},
  },
  {
    code: 'idempotency_key_reused',
    when: 'a key comes again with another request',
    act: async () => {
      const headers = {'idempotency-key': 'used-before'};
      await post(good, {headers});
      return post({...good, update: 'Other words.'}, {headers});
    },
    source: {header: 'Idempotency-Key'},
  },
  {
    code: 'internal_error',
    when: 'the store contains impossible data, without showing the cause',
    act: async () => {
      const broken = await service.addWorkspace();
      const {id} = await make(broken, '/v1/standups', good);
      const key = `{${broken.id}}:r:${suffixOf(id)}`;
      await sendToRedis(service.redisUrl, [
        ['DEL', key],
        ['LPUSH', key, 'a list where a record should be'],
      ]);
      const answer = await broken.request('GET', `/v1/standups/${id}`);
      expect(answer.text).not.toMatch(/WRONGTYPE|redis|\.ts|\.js|at /i);
      return answer;
    },
  },
  {
    code: 'request_timeout',
    when: 'the headers have not ended in time',
    act: async () => {
      const hasty = await startService({httpTimes: {headersMs: 500, requestMs: 1_000}});
      try {
        return await raw('GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Never-Ended: ', hasty.url);
      } finally {
        await hasty.close();
      }
    },
  },
  {
    code: 'uri_too_long',
    when: 'the address has 8,300 characters',
    act: () => get(`/v1/teams/${'x'.repeat(8_300)}`),
  },
  {
    code: 'headers_too_large',
    when: 'a header has 20,000 characters',
    act: () =>
      raw(`GET /v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`),
  },
  {
    code: 'webhook_loop',
    when: 'a delivery of our own comes back',
    act: () => post(good, {headers: {'standup-delivery': 'dlv_01'}}),
  },
  {
    code: 'email_taken',
    when: 'another member has the address',
    act: async () => {
      await make(workspace, '/v1/members', {name: 'Ada', email: 'ada@example.com'});
      return workspace.request('POST', '/v1/members', {body: {name: 'Eve', email: 'Ada@example.com'}});
    },
    source: {pointer: '#/email'},
  },
  {
    code: 'slack_user_taken',
    when: 'another member has the Slack user',
    act: async () => {
      await make(workspace, '/v1/members', {name: 'Ada', slack_user_id: 'U0ADA'});
      return workspace.request('POST', '/v1/members', {body: {name: 'Eve', slack_user_id: 'U0ADA'}});
    },
    source: {pointer: '#/slack_user_id'},
  },
  {
    code: 'last_owner',
    when: 'the only owner steps down',
    act: async () => {
      const owned = await service.addWorkspace();
      const {id, token} = await addPerson(service, owned, {name: 'Ann', role: 'owner'});
      return owned.request('PATCH', `/v1/members/${id}`, {token, body: {role: 'admin'}});
    },
  },
  {
    code: 'webhook_disabled',
    when: 'a delivery of a disabled webhook is to be sent again',
    act: async () => {
      const own = await service.addWorkspace();
      const {webhook, delivery} = await addFixtures(own, receiver.url);
      await own.request('PATCH', `/v1/webhooks/${webhook}`, {body: {enabled: false}});
      return own.request('POST', `/v1/deliveries/${delivery}/redeliver`);
    },
  },
  {
    code: 'cursor_expired',
    when: 'the events after a cursor have been dropped',
    act: async () => {
      const old = await service.addWorkspace();
      for (const update of ['A', 'B', 'C']) await make(old, '/v1/standups', {...good, update});
      const {body} = await old.request('GET', '/v1/events?limit=1');
      await sendToRedis(service.redisUrl, [['XTRIM', `{${old.id}}:events`, 'MAXLEN', '1']]);
      return old.request('GET', `/v1/events?cursor=${body.next_cursor}`);
    },
  },
  {
    code: 'endpoint_sunset',
    when: 'an operation has reached its sunset',
    act: () => elsewhere({changeRoutes: endMe}, (there) => there.request('GET', '/v1/me')),
  },
  {
    code: 'rate_limited',
    when: 'the only request of a minute is used up',
    act: () =>
      elsewhere({env: {RATE_LIMIT: '1'}}, async (there) => {
        await there.request('GET', '/v1/me');
        return there.request('GET', '/v1/me');
      }),
  },
  {
    code: 'storage_full',
    when: 'Redis has no room',
    headers: {'retry-after': '60'},
    act: () =>
      onOwnRedis(async (own, redis) => {
        await sendToRedis(redis.url, [['CONFIG', 'SET', 'maxmemory', '1']]);
        return own.request('POST', '/v1/standups', {body: good});
      }),
  },
  {
    code: 'workspace_full',
    when: 'the workspace has used up its share of the store',
    headers: {'retry-after': '3600'},
    act: () =>
      elsewhere({env: {ROLES: 'web', WORKSPACE_BYTES: '1'}}, async (there) => {
        await make(there, '/v1/teams', {slug: 'fills'}).catch(() => undefined);
        return there.request('POST', '/v1/standups', {body: good});
      }),
  },
  {
    code: 'workspace_read_only',
    when: 'the operator moves the workspace',
    headers: {'retry-after': '60'},
    act: () =>
      elsewhere({}, async (there) => {
        await there.core.store.frozen.freeze(there.id, performance.now() + 5_000);
        return there.request('POST', '/v1/standups', {body: good});
      }),
  },
  {
    code: 'service_unavailable',
    when: 'Redis does not answer',
    headers: {'retry-after': '1'},
    act: () =>
      onOwnRedis(async (own, redis) => {
        redis.freeze();
        return own.request('GET', '/v1/standups').finally(() => redis.thaw());
      }),
  },
  {
    code: 'store_lost',
    when: 'Redis has lost its data',
    headers: {'retry-after': '1'},
    act: () =>
      onOwnRedis(async (own, redis) => {
        await sendToRedis(redis.url, [['FLUSHALL']]);
        return own.request('GET', '/v1/standups');
      }),
  },
];

const deprecated = {since: '2020-01-15', sunset: '2021-01-15', link: '/docs'};
const endMe = (table: readonly Route[]) =>
  table.map((route) => (route.operation === 'getMe' ? {...route, deprecated} : route));

/** Acts in a separate service, because it would disturb the others. */
async function elsewhere(
  options: ServiceOptions,
  act: (workspace: TestWorkspace) => Promise<TestResponse>,
): Promise<TestResponse> {
  const own = await startService(options);
  try {
    return await act(await own.addWorkspace());
  } finally {
    await own.close();
  }
}

async function onOwnRedis(
  act: (workspace: TestWorkspace, redis: TestRedis) => Promise<TestResponse>,
): Promise<TestResponse> {
  const redis = await startTestRedis();
  try {
    return await elsewhere({redisUrl: redis.url, requestMs: deadlines.request}, (own) => act(own, redis));
  } finally {
    await redis.stop();
  }
}

async function raw(text: string, url = service.url): Promise<TestResponse> {
  const {headers, ...answer} = await sendRaw(url, text);
  return {...answer, headers: new Headers([...headers]), request: text.slice(0, text.indexOf(' HTTP'))};
}

/** With `PRINT_PROBLEMS=1`: requests and answers, as a table in `.cache/problems.md`. */
const seen: string[] = [];

afterAll(() => {
  if (process.env['PRINT_PROBLEMS'] === undefined) return;
  const head = ['| code | provoked when | request | status | detail |', '|---|---|---|---|---|'];
  mkdirSync('.cache', {recursive: true});
  writeFileSync('.cache/problems.md', [...head, ...seen, ''].join('\n'));
});

function note({code, when}: Case, {request, status, body}: TestResponse): void {
  const cell = (text: string) => text.slice(0, 160).replaceAll('|', '\\|').replaceAll('\n', ' ');
  const cells = [code, when, `\`${cell(request.slice(0, 80))}\``, String(status), cell(body.detail)];
  seen.push(`| ${cells.join(' | ')} |`);
}

/**
 * The common part of two answers of one kind: sentences without numbers and quoted values, and the source of
 * the error.
 */
function normalize({detail, errors}: Json): Json {
  const replaceValues = (text: string) => text.replaceAll(/"[^"]*"/g, '"…"').replaceAll(/\d[\d,]*/g, '0');
  return {
    detail: replaceValues(detail),
    errors: errors?.map((error: Json) => ({...error, detail: replaceValues(error.detail)})),
  };
}

const answers = new Map<Case, Promise<TestResponse>>();

/** Each problem is provoked once, by the first test that needs it. */
function answerTo(one: Case): Promise<TestResponse> {
  const answer = answers.get(one) ?? one.act();
  answers.set(one, answer);
  return answer;
}

describe('each problem has its status, its location and its headers', () => {
  it.each(cases)('$code is returned when $when', async (one) => {
    const {code, source, headers = {}} = one;
    const answer = await answerTo(one);
    expectProblem(answer, code, source);
    note(one, answer);
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value);
  });
});

it.each(Object.keys(problemKinds) as ProblemCode[])(
  'regression: the example of %s shows a real answer',
  async (code) => {
    // The example shows the answer to the first request with this code.
    const [first] = cases.filter((one) => one.code === code);
    const answered = first && (await answerTo(first)).body;
    expect(normalize(createProblemExample(code, service.url))).toEqual(normalize(answered));
  },
);

it('every problem of the contract is provoked by a request', () => {
  expect([...new Set(cases.map(({code}) => code))].toSorted()).toEqual(Object.keys(problemKinds).toSorted());
});

it('all problems are listed, for humans and for programs', async () => {
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

it('the page of an unknown problem code is a 404', async () => {
  expectProblem(await sendRequest(service.url, 'GET', '/problems/toString'), 'not_found');
});

it('an unknown team is answered with a suggestion', async () => {
  const {body} = await post({...good, team: 'platfrom'});
  expect(body.detail).toBe('There is no team "platfrom" in this workspace. Did you mean "platform"?');
});

it('regression: a mistyped name of a member is answered with the ways to name a member reliably', async () => {
  await make(workspace, '/v1/members', {name: 'Grace Hopper', email: 'amazing@example.com'});
  const {body} = await workspace.request('GET', '/v1/standups?author=Grace%20Hoper');
  expect(body.detail).toMatch(/ Did you mean "amazing@example\.com"\?$/);
});

it('regression: a field of the wrong type is reported as having the wrong type, and not as missing', async () => {
  expect((await post({...good, update: 7})).body.detail).toMatch('`update` must be of type string');
  expect((await post({team: 'platform'})).body.detail).toMatch('`update` is required (string');
});

it('every wrong field is named in one answer, unknown and missing fields too', async () => {
  const answer = await post({update: '', 'a/b~c': 1, metadata: {k: 1}});
  const body = expectProblem(answer, 'validation_failed');
  expect(body.errors.map(({pointer}: {pointer: string}) => pointer).toSorted()).toEqual([
    '#/a~1b~0c',
    '#/metadata/k',
    '#/team',
    '#/update',
  ]);
});
