import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {ProblemCode} from '../../../src/api/http/problems.js';
import type {Route} from '../../../src/api/http/route.js';
import {scopes} from '../../../src/domain/core/access.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {
  type RequestOptions,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {expectProblem} from './expect-problem.js';
import {sendRaw} from '../raw.js';
import {
  addFixtures,
  eventsOf,
  make,
  mutations,
  randomName,
  type SampleRequest,
  sampleOf,
} from '../samples.js';
import {deep} from '../../support/deep.js';

let service: TestService;
/** A second process, as the store sees it. */
let twin: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService();
  twin = await startService({redisUrl: service.redisUrl});
  receiver = await startReceiver();
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await twin.close();
  await service.close();
  await receiver.close();
});

function send(
  route: Pick<Route, 'method'>,
  {path, body}: SampleRequest,
  key: string,
  options: RequestOptions = {},
) {
  return workspace.request(route.method, path, {
    ...(body !== undefined && {body}),
    ...options,
    headers: {'idempotency-key': key, ...options.headers},
  });
}

function expectReplay(again: TestResponse, first: TestResponse): void {
  expect({status: again.status, text: again.text}).toEqual({status: first.status, text: first.text});
  for (const name of ['etag', 'location', 'content-type']) {
    expect(again.headers.get(name)).toBe(first.headers.get(name));
  }
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
}

const post = {method: 'POST'} as const;
const standup = (update: string): SampleRequest => ({path: '/v1/standups', body: {team: 'platform', update}});

/** These operations change no resource, so they have no event. */
const withoutEvent = new Set([
  'readInbox',
  'redeliver',
  'tryWebhook',
  'replayWebhook',
  'cancelReplay',
  // The import of the samples is a dry run.
  'createImport',
  'addImportRows',
  'finishImport',
  'cancelImport',
  'setDraftPart',
  'deleteDraftParts',
  'remindTeam',
  'snoozeReminder',
  'disconnectSlack',
  'retrySlackTrouble',
]);

/** Refused requests with a key, one for each reason. */
async function failingRequests(
  own: TestWorkspace,
  route: Route,
  sample: SampleRequest,
  key: string,
): Promise<[ProblemCode, () => Promise<TestResponse>][]> {
  const {token = own.token} = sample;
  const others = await own.addToken({scopes: scopes.filter((scope) => scope !== route.scope)});
  const and = sample.path.includes('?') ? '&' : '?';
  const failing: [ProblemCode, () => Promise<TestResponse>][] = [
    ['insufficient_scope', () => send(route, sample, key, {token: others.value})],
    ['not_acceptable', () => send(route, sample, key, {token, headers: {accept: 'text/html'}})],
    [
      'invalid_parameter',
      () => send(route, {...sample, path: `${sample.path}${and}mood=good`}, key, {token}),
    ],
  ];
  if (route.body !== undefined) {
    const body = {...sample.body, mood: 'good'};
    failing.push(['validation_failed', () => send(route, {...sample, body}, key, {token})]);
  }
  if (route.errors.includes('precondition_failed')) {
    const stale = {token, headers: {'if-match': '"99"'}};
    failing.push(['precondition_failed', () => send(route, sample, key, stale)]);
  }
  if (route.path.includes('{')) {
    const path = sample.path
      .replace(/_[0-9a-z]{26}/, '_01jd0000007000000000000000')
      .replace(/troubles\/\w+/, 'troubles/C0NOBODY')
      .replace(/device-logins\/[\w-]+/, 'device-logins/BBBB-BBBB');
    failing.push(['not_found', () => send(route, {...sample, path}, key, {token})]);
  }
  return failing;
}

/** The number of events that a sample causes. Who accepts an invite joins a team, too. */
function countEvents(operation: string): number {
  if (operation === 'acceptInvite') return 2;
  return withoutEvent.has(operation) ? 0 : 1;
}

/** Other requests than the sample, of the same operation. */
function otherRequests(route: Route, sample: SampleRequest, key: string, token: string) {
  const others = [() => send(route, sample, key, {token, headers: {'if-match': '*'}})];
  if (route.body !== undefined && sample.body !== undefined) {
    const body = changeBody(sample.body);
    others.push(() => send(route, {...sample, body}, key, {token}));
  }
  if (sample.path.includes('force=true')) {
    const path = sample.path.replace('true', 'false');
    others.push(() => send(route, {...sample, path}, key, {token}));
  }
  return others;
}

describe('the idempotency key of an operation that changes something', () => {
  it.each(mutations)(
    'is accepted by $operation, survives a failure, repeats the answer, and is refused for another request',
    async (route) => {
      const own = await service.addWorkspace();
      const sample = sampleOf(route, await addFixtures(own, receiver.url, route));
      const {token = own.token} = sample;
      const key = `key-of-${route.operation}`;
      const all = await failingRequests(own, route, sample, key);
      // Each operation is tested with one reason, since the same code handles the keys of all operations.
      const failing = deep ? all : all.slice(mutations.indexOf(route) % all.length).slice(0, 1);
      const before = await eventsOf(own);
      const failed = await Promise.all(failing.map(([, fail]) => fail()));
      for (const [at, [code]] of failing.entries()) expectProblem(failed[at] as TestResponse, code);
      expect(await eventsOf(own)).toEqual(before);

      const first = await send(route, sample, key, {token});
      expect(first.status).toBe(route.success.status);
      const after = await eventsOf(own);
      expect(after.length - before.length).toBe(countEvents(route.operation));

      const [again, ...others] = await Promise.all([
        send(route, sample, key, {token}),
        ...otherRequests(route, sample, key, token)
          .slice(deep ? 0 : -1)
          .map((ask) => ask()),
      ]);
      expectReplay(again, first);
      for (const other of others) expectProblem(other, 'idempotency_key_reused', {header: 'Idempotency-Key'});
      expect(await eventsOf(own)).toEqual(after);
    },
  );
});

/** The same body with another text in its first text field. */
function changeBody(body: Record<string, unknown>): object {
  if ('emails' in body) return {...body, emails: ['another@example.com']};
  if ('source' in body) return {...body, source: 'another'};
  if ('add' in body) return {...body, add: ['🎉']};
  if ('rows' in body) return {rows: [{}]};
  if ('decision' in body) return {decision: 'deny'};
  if ('detail' in body) return {detail: 'Another reason.'};
  if ('link' in body) return {link: 'another'};
  if ('standups' in body) return {...body, until: 1};
  if ('minutes' in body) return {...body, minutes: 20};
  if ('role' in body) return {...body, role: 'member'};
  if ('monday' in body) return {...body, monday: '2026-11-16'};
  if ('only' in body) return {...body, only: 'missed'};
  if ('state' in body) return {...body, state: 'resolved'};
  if ('until' in body) return {...body, reason: 'Another'};
  if (Object.keys(body).join() === 'member') return {};
  const name =
    ['update', 'name', 'description', 'slug', 'url', 'text', 'reason'].find((member) => member in body) ?? '';
  return {...body, [name]: `${String(body[name])}2`};
}

it('an idempotency key may be quoted, and means the same as without quotes', async () => {
  const first = await send(post, standup('Quoted.'), '"quoted-key"');
  expectReplay(await send(post, standup('Quoted.'), 'quoted-key'), first);
});

it.each(['', '""', 'a b', 'ä', 'x'.repeat(256)])('the key %j is refused', async (key) => {
  const answer = await send(post, standup('Never.'), Buffer.from(key).toString('latin1'));
  expectProblem(answer, 'invalid_idempotency_key', {header: 'Idempotency-Key'});
});

it('an idempotency key of 255 characters is accepted, in quotes too', async () => {
  const first = await send(post, standup('Long key.'), `"${'k'.repeat(255)}"`);
  expect(first.status).toBe(201);
  expectReplay(await send(post, standup('Long key.'), 'k'.repeat(255)), first);
});

it('two idempotency keys in one request are refused', async () => {
  const body = JSON.stringify(standup('Which?').body);
  const answer = await sendRaw(
    service.url,
    `POST /v1/standups HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${workspace.token}\r\nContent-Type: application/json\r\nIdempotency-Key: one\r\nIdempotency-Key: two\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  expect(answer.body.code).toBe('invalid_idempotency_key');
});

it('requests with one key are the same if their bodies differ only in white space and in the order of fields', async () => {
  const options = {headers: {'content-type': 'application/json'}};
  const first = await send(
    post,
    {path: '/v1/standups', body: '{"team":"platform","update":"Same."}'},
    'order',
    options,
  );
  expect(first.status).toBe(201);
  const again = '{ "update" : "\\u0053ame.",\n "team" : "platform" }';
  expectReplay(await send(post, {path: '/v1/standups', body: again}, 'order', options), first);
});

it('one of 30 equal concurrent requests over two processes takes effect, and all get the answer of that one', async () => {
  const before = await eventsOf(workspace);
  const options = {
    token: workspace.token,
    body: {team: 'platform', update: 'At once.'},
    headers: {'idempotency-key': 'at-once'},
  };
  const answers = await Promise.all(
    Array.from({length: 30}, (_, i) =>
      sendRequest(i % 2 === 0 ? service.url : twin.url, 'POST', '/v1/standups', options),
    ),
  );
  expect(new Set(answers.map(({status, text}) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(answers.filter(({headers}) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  expect(await eventsOf(workspace)).toHaveLength(before.length + 1);
  const list = await workspace.request('GET', '/v1/standups?limit=100');
  expect(list.text.split('At once.')).toHaveLength(2);
});

it('one of 15 different concurrent requests with one key takes effect, and the others are rejected', async () => {
  const before = await eventsOf(workspace);
  const answers = await Promise.all(
    Array.from({length: 15}, (_, i) => send(post, standup(`Different ${i}`), 'different-at-once')),
  );
  expect(answers.filter(({status}) => status === 201)).toHaveLength(1);
  expect(answers.filter(({body}) => body.code === 'idempotency_key_reused')).toHaveLength(14);
  expect(await eventsOf(workspace)).toHaveLength(before.length + 1);
});

describe('an idempotency key of a failed request', () => {
  it.each<[string, SampleRequest]>([
    ['was invalid', {path: '/v1/standups', body: {team: 'platform', update: ''}}],
    ['named no team', {path: '/v1/standups', body: {team: 'nobody', update: 'A'}}],
    [
      'was dated too far back',
      {path: '/v1/standups', body: {team: 'platform', update: 'A', date: '2001-01-01'}},
    ],
    ['wanted a slug that is taken', {path: '/v1/teams', body: {slug: 'platform'}}],
  ])('remains unused if it %s', async (reason, failing) => {
    const key = `failed-${reason.replaceAll(' ', '-')}`;
    expect((await send(post, failing, key)).status).toBeGreaterThanOrEqual(400);
    const good = await send(post, standup(`After it ${reason}`), key);
    expect({status: good.status, replayed: good.headers.get('idempotent-replayed')}).toEqual({
      status: 201,
      replayed: null,
    });
  });

  it('remains unused if the precondition failed', async () => {
    const {id} = await make(workspace, '/v1/standups', standup('Before.').body);
    const patch = {path: `/v1/standups/${id}`, body: {update: 'After.'}};
    const stale = await send({method: 'PATCH'}, patch, 'failed-412', {headers: {'if-match': '"9"'}});
    expectProblem(stale, 'precondition_failed');
    const good = await send({method: 'PATCH'}, patch, 'failed-412', {headers: {'if-match': '"1"'}});
    expect(good.body).toMatchObject({update: 'After.', revision: 2});
  });
});

describe('a repeated answer', () => {
  it('is the first one even if the standup has been edited and deleted since', async () => {
    const first = await send(post, standup('First words.'), 'deleted-since');
    const path = `/v1/standups/${first.body.id}`;
    const edit = {path, body: {update: 'Second words.'}};
    const edited = await send({method: 'PATCH'}, edit, 'edited-since');
    await workspace.request('PATCH', path, {body: {update: 'Third words.'}});
    expect((await workspace.request('DELETE', path)).status).toBe(204);

    expectReplay(await send(post, standup('First words.'), 'deleted-since'), first);
    expectReplay(await send({method: 'PATCH'}, edit, 'edited-since'), edited);
    expectProblem(await workspace.request('GET', path), 'not_found');
  });

  it('is the first one even if If-Match would fail by now, because the request changed the revision', async () => {
    const {id} = await make(workspace, '/v1/standups', standup('One.').body);
    const patch = {path: `/v1/standups/${id}`, body: {update: 'Two.'}};
    const options = {headers: {'if-match': '"1"'}};
    const first = await send({method: 'PATCH'}, patch, 'if-match', options);
    expect(first.status).toBe(200);
    expectReplay(await send({method: 'PATCH'}, patch, 'if-match', options), first);
  });

  it('is the first one even if the team has been deleted since', async () => {
    const slug = randomName();
    const {id} = await make(workspace, '/v1/teams', {slug});
    const sample = {path: '/v1/standups', body: {team: slug, update: 'For a team.'}};
    const first = await send(post, sample, 'team-deleted');
    await workspace.request('DELETE', `/v1/teams/${id}?force=true`);
    expectReplay(await send(post, sample, 'team-deleted'), first);
    expectProblem(await send(post, sample, 'team-deleted-2'), 'team_not_found');
  });

  it('is the first one for a webhook, with the secret that the webhook was created with', async () => {
    const sample = {path: '/v1/webhooks', body: {url: receiver.url, events: ['team.deleted']}};
    const first = await send(post, sample, 'secret');
    expect(first.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expectReplay(await send(post, sample, 'secret'), first);
  });

  it('is the first one for a change without effect', async () => {
    const {id} = await make(workspace, '/v1/standups', standup('Same.').body);
    const patch = {path: `/v1/standups/${id}`, body: {update: 'Same.'}};
    const first = await send({method: 'PATCH'}, patch, 'no-effect');
    expect(first.body.revision).toBe(1);
    await workspace.request('PATCH', patch.path, {body: {update: 'Changed.'}});
    expectReplay(await send({method: 'PATCH'}, patch, 'no-effect'), first);
  });
});

describe('an idempotency key', () => {
  it('works with another token of the same principal', async () => {
    const first = await send(post, standup('Mine.'), 'principal');
    const {value} = await workspace.addToken();
    expectReplay(await send(post, standup('Mine.'), 'principal', {token: value}), first);
  });

  it('may be used by another principal for another request', async () => {
    const mine = await send(post, standup('Mine.'), 'shared');
    const {value} = await workspace.addToken({name: 'another'});
    const theirs = await send(post, standup('Theirs.'), 'shared', {token: value});
    expect({status: theirs.status, author: theirs.body.author.name}).toEqual({
      status: 201,
      author: 'another',
    });
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it('belongs to one workspace', async () => {
    const other = await service.addWorkspace();
    const mine = await send(post, standup('Mine.'), 'two-workspaces');
    const theirs = await send(post, standup('Mine.'), 'two-workspaces', {token: other.token});
    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it('gives no answer to a revoked token', async () => {
    const {value, id} = await workspace.addToken();
    const first = await send(post, standup('Soon revoked.'), 'revoked', {token: value});
    await twin.core.services.tokens.revokeToken(workspace.operator(), id);
    const again = await send(post, standup('Soon revoked.'), 'revoked', {token: value});
    expectProblem(again, 'invalid_token');
    expectReplay(await send(post, standup('Soon revoked.'), 'revoked'), first);
  });
});
