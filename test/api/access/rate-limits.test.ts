import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {computeRequestAndMinuteCost} from '../../../src/domain/core/quota.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {measureTime} from '../../support/stopwatch.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {eventsOf} from '../samples.js';

/** Limits so low that no quota becomes free during a test: one request in 10 s, one write in 20 s. */
const env = {RATE_LIMIT: '6', RATE_LIMIT_WRITES: '3'};
let service: TestService;
/** A second process on the same store, as a client sees it. */
let twin: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService({env});
  twin = await startService({env, redisUrl: service.redisUrl});
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await twin.close();
  await service.close();
});

const good = {team: 'platform', update: 'Counted.'};
const get = (path = '/v1/me', token = workspace.token, url = service.url) =>
  sendRequest(url, 'GET', path, {token});
const post = (headers: Record<string, string> = {}, token = workspace.token, url = service.url) =>
  sendRequest(url, 'POST', '/v1/standups', {token, headers, body: good});

const statusOf = ({status}: TestResponse) => status;

/** Sends requests one after another, so that the remaining quota of each is known. */
async function repeat(times: number, send: () => Promise<TestResponse>): Promise<TestResponse[]> {
  const answers: TestResponse[] = [];
  for (let i = 0; i < times; i++) answers.push(await send());
  return answers;
}

/** The quota in an answer, checked against the grammar of the draft. */
function quotaOf({headers}: TestResponse) {
  const text = headers.get('ratelimit') ?? '';
  const match = /^"all";r=(\d+);t=(\d+), "writes";r=(\d+);t=(\d+)$/.exec(text);
  expect({text, good: match !== null}).toEqual({text, good: true});
  const [all, allIn, writes, writesIn] = (match ?? []).slice(1).map(Number);
  return {all, allIn, writes, writesIn};
}

/** The Redis key of the quota of the workspace's principal, and its value. */
const quotaKey = ({id, principal}: TestWorkspace) => workspaceKeys(id).quota(principal.id);

async function readTally(of = workspace): Promise<{all: number; writes: number}> {
  const [text] = await sendToRedis(service.redisUrl, [['GET', quotaKey(of)]]);
  const [all = 0, writes = 0] = String(text ?? '0 0')
    .split(' ')
    .map(Number);
  return {all, writes};
}

/** Number of requests that `act` used up. Exact while no used quota becomes free again. */
async function chargedBy(act: () => Promise<unknown>): Promise<{all: number; writes: number}> {
  const before = await readTally();
  await act();
  const after = await readTally();
  return {
    all: (after.all - before.all) / computeRequestAndMinuteCost(6).step,
    writes: (after.writes - before.writes) / computeRequestAndMinuteCost(3).step,
  };
}

/** Makes all used quota `ms` older. */
async function rewind(ms: number): Promise<void> {
  const {all, writes} = await readTally();
  const earlier = [all, writes].map((whole) => Math.max(0, whole - ms * 1_000)).join(' ');
  await sendToRedis(service.redisUrl, [['SET', quotaKey(workspace), earlier, 'PX', 60_000]]);
}

describe('the rate limit headers', () => {
  it('show the limits, what is left of them after this request, and when more is available', async () => {
    const read = await get();
    expect(read.headers.get('ratelimit-policy')).toBe('"all";q=6;w=60, "writes";q=3;w=60');
    expect(quotaOf(read)).toMatchObject({all: 5, writes: 3, writesIn: 0});
    expect(quotaOf(read).allIn).toBeLessThanOrEqual(10);
    expect(quotaOf(read).allIn).toBeGreaterThanOrEqual(9);
    const written = await post();
    expect(quotaOf(written)).toMatchObject({all: 4, writes: 2});
    expect(quotaOf(written).writesIn).toBeGreaterThanOrEqual(19);
  });

  it('are correct on refusals and on 304 too', async () => {
    const narrow = await workspace.addToken({scopes: ['teams:read']});
    const etag = (await get(`/v1/teams/${workspace.team}`)).headers.get('etag') ?? '';
    const headers = {'if-none-match': etag};
    const answers = [
      await workspace.request('GET', `/v1/teams/${workspace.team}`, {headers}),
      await get('/v1/standups/std_01jd0000007000000000000000'),
      await post({}, narrow.value),
      await workspace.request('POST', '/v1/standups', {body: {team: 'platform'}}),
      await workspace.request('GET', '/v1/standups?limit=0'),
      await get(),
    ];
    expect(answers.map(statusOf)).toEqual([304, 404, 403, 422, 400, 429]);
    expect(answers.map((answer) => quotaOf(answer).all)).toEqual([4, 3, 2, 1, 0, 0]);
    expect(answers.map((answer) => quotaOf(answer).writes)).toEqual([3, 3, 2, 1, 1, 1]);
  });

  it('are absent before authentication, when there is no principal', async () => {
    for (const answer of [
      await sendRequest(service.url, 'GET', '/v1/me'),
      await get('/v1/me', 'made.up.token'),
      await get('/v1/nothing'),
    ]) {
      expect([answer.headers.has('ratelimit'), answer.headers.has('ratelimit-policy')]).toEqual([
        false,
        false,
      ]);
    }
  });
});

describe('a principal over the limit', () => {
  it('gets a 429 that says when to retry', async () => {
    expect((await repeat(6, get)).map(statusOf)).toEqual([200, 200, 200, 200, 200, 200]);
    const refused = await get();
    const {detail} = expectProblem(refused, 'rate_limited');
    const seconds = refused.headers.get('retry-after');
    expect(detail).toBe(
      `You have used up your 6 requests a minute, over all your tokens. Repeat after ${seconds} s.`,
    );
    expect(Number(seconds)).toBe(quotaOf(refused).allIn);
    expect(['9', '10']).toContain(seconds);
  });

  it('can still read when only the limit of writes is used up; a refused write changes nothing and uses up no idempotency key', async () => {
    await repeat(3, post);
    const before = await eventsOf(workspace);
    const refused = await post({'idempotency-key': 'later'});
    expectProblem(refused, 'rate_limited');
    expect(refused.body.detail).toContain('your 3 writes a minute');
    expect(quotaOf(refused)).toMatchObject({all: 2, writes: 0});
    expect(await eventsOf(workspace)).toEqual(before);
    expect((await get()).status).toBe(200);
    await rewind(60_000);
    const later = await post({'idempotency-key': 'later'});
    expect([later.status, later.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  it('uses up no quota by refused requests', async () => {
    await repeat(6, get);
    expect(await chargedBy(() => repeat(5, get))).toEqual({all: 0, writes: 0});
    await rewind(10_000);
    expect((await get()).status).toBe(200);
  });

  it('gets quota back with time, in every process', async () => {
    await repeat(6, get);
    expect((await get('/v1/me', workspace.token, twin.url)).status).toBe(429);
    await rewind(20_000);
    expect((await get()).status).toBe(200);
    expect((await get('/v1/me', workspace.token, twin.url)).status).toBe(200);
    expect((await get('/v1/me', workspace.token, twin.url)).status).toBe(429);
    expect((await get()).status).toBe(429);
  });

  it('leaves nothing in Redis after a minute', async () => {
    await repeat(3, post);
    const [left] = await sendToRedis(service.redisUrl, [['PTTL', quotaKey(workspace)]]);
    expect(left).toBeLessThanOrEqual(60_000);
    expect(left).toBeGreaterThan(40_000);
  });
});

describe('a quota of requests', () => {
  it('belongs to the principal: all tokens of one principal share a quota, and other principals have their own', async () => {
    const second = await workspace.addToken();
    const other = await workspace.addToken({name: 'somebody-else'});
    await repeat(3, get);
    await repeat(3, () => get('/v1/me', second.value));
    expectProblem(await get(), 'rate_limited');
    expectProblem(await get('/v1/me', second.value), 'rate_limited');
    expect(quotaOf(await get('/v1/me', other.value)).all).toBe(5);
    const neighbour = await service.addWorkspace();
    expect(quotaOf(await get('/v1/me', neighbour.token)).all).toBe(5);
  });

  it('is the same in two processes, for reads and writes', async () => {
    const urls = [service.url, twin.url, service.url, twin.url];
    const writes: TestResponse[] = [];
    for (const url of urls) writes.push(await post({}, workspace.token, url));
    expect(writes.map(statusOf)).toEqual([201, 201, 201, 429]);
    const reads: TestResponse[] = [];
    for (const url of urls) reads.push(await get('/v1/me', workspace.token, url));
    expect(reads.map(statusOf)).toEqual([200, 200, 200, 429]);
    expect(reads.map((answer) => quotaOf(answer).all)).toEqual([2, 1, 0, 0]);
  });

  it('serves exactly as many concurrent requests as are left', async () => {
    const answers = await Promise.all(
      Array.from({length: 40}, (_, i) =>
        get('/v1/me', workspace.token, i % 2 === 0 ? service.url : twin.url),
      ),
    );
    expect(answers.map(statusOf).toSorted()).toEqual([...Array(6).fill(200), ...Array(34).fill(429)]);
  });

  it('does not apply to the operator, who acts without a token', async () => {
    const {services} = service.core;
    for (let i = 0; i < 8; i++)
      await services.standups.postStandup(workspace.operator(), {...good, source: 'cli'});
    expect(quotaOf(await get()).all).toBe(5);
  });
});

describe('the charge of a request', () => {
  it('is made once for each repeat that is answered from the record of the first request', async () => {
    const headers = {'idempotency-key': 'again'};
    const [first, second] = await repeat(2, () => post(headers));
    expect(second?.text).toBe(first?.text);
    expect(second?.headers.get('idempotent-replayed')).toBe('true');
    expect(quotaOf(second as TestResponse)).toMatchObject({all: 4, writes: 1});
  });

  it('is made once for a request whose quota is checked before the commit', async () => {
    await repeat(3, post);
    await rewind(20_000);
    expect(await chargedBy(post)).toEqual({all: 1, writes: 1});
  });

  it('is made once for a request that is refused for another reason, early or late', async () => {
    await get();
    const bodies = [{}, {team: 'nobody', update: 'Where?'}];
    for (const body of bodies) {
      const charged = await chargedBy(() => workspace.request('POST', '/v1/standups', {body}));
      expect(charged.all).toBe(1);
    }
    expect((await chargedBy(() => get('/v1/standups?limit=0'))).all).toBe(1);
    expect((await chargedBy(() => get('/v1/standups?team=nobody'))).all).toBe(1);
  });
});

describe('the order of checks with a quota', () => {
  it('puts a revoked token (401) before the quota, and does not charge the request', async () => {
    const {value, id} = await workspace.addToken();
    await get('/v1/me', value);
    await service.core.services.tokens.revokeToken(workspace.operator(), id);
    const early = () => workspace.request('POST', '/v1/standups', {token: value, body: {}});
    const charged = await chargedBy(async () => {
      for (const send of [() => get('/v1/me', value), () => post({}, value), early])
        expectProblem(await send(), 'invalid_token');
    });
    expect(charged).toEqual({all: 0, writes: 0});
    await repeat(5, get);
    expectProblem(await get(), 'rate_limited');
    for (const url of [service.url, twin.url]) {
      for (const send of [() => get('/v1/me', value, url), () => post({}, value, url)]) {
        const answer = await send();
        expectProblem(answer, 'invalid_token');
        expect(answer.headers.has('ratelimit')).toBe(false);
      }
    }
  });

  it('puts a used-up quota (429) before scope, Accept, body, query and object, but after a wrong path (404)', async () => {
    const narrow = await workspace.addToken({scopes: ['teams:read']});
    await repeat(6, get);
    for (const url of [service.url, twin.url]) {
      const send = (method: string, path: string, options = {}) =>
        sendRequest(url, method, path, {token: workspace.token, ...options});
      const answers = [
        await send('POST', '/v1/standups', {token: narrow.value, body: good}),
        await send('GET', '/v1/standups', {token: narrow.value}),
        await send('GET', '/v1/standups', {headers: {accept: 'text/html'}}),
        await send('POST', '/v1/standups', {body: '{', headers: {'content-type': 'text/plain'}}),
        await send('POST', '/v1/standups', {body: good, headers: {'idempotency-key': 'not good'}}),
        await send('GET', '/v1/standups?limit=0'),
        await send('GET', '/v1/standups?team=nobody'),
        await send('DELETE', '/v1/standups/std_01jd0000007000000000000000'),
      ];
      for (const answer of answers) expectProblem(answer, 'rate_limited');
      expect((await send('GET', '/v1/nothing')).status).toBe(404);
      expect((await send('PUT', '/v1/standups')).status).toBe(405);
    }
  });
});

it('a single limit is shown alone, and a limit of 0 means that there is no limit', async () => {
  for (const [env, policy] of [
    [{RATE_LIMIT: '0', RATE_LIMIT_WRITES: '2'}, '"writes";q=2;w=60'],
    [{RATE_LIMIT: '2', RATE_LIMIT_WRITES: '0'}, '"all";q=2;w=60'],
    [{RATE_LIMIT: '0', RATE_LIMIT_WRITES: '0'}, null],
  ] as const) {
    const own = await startService({env, redisUrl: service.redisUrl});
    try {
      const {token} = await own.addWorkspace();
      const answers = await repeat(3, () => post({}, token, own.url));
      expect(answers.map(statusOf)).toEqual([201, 201, policy === null ? 201 : 429]);
      for (const {headers} of answers) expect(headers.get('ratelimit-policy')).toBe(policy);
      const read = await get('/v1/me', token, own.url);
      expect(read.status).toBe(env.RATE_LIMIT === '2' ? 429 : 200);
      expect(read.headers.has('ratelimit')).toBe(policy !== null);
    } finally {
      await own.close();
    }
  }
});

it('a caller that waits as long as Retry-After says is served', async () => {
  const own = await startService({env: {RATE_LIMIT: '60'}, redisUrl: service.redisUrl});
  try {
    const {token} = await own.addWorkspace();
    const send = () => get('/v1/me', token, own.url);
    const answers = await Promise.all(Array.from({length: 70}, send));
    const refused = answers.find(({status}) => status === 429);
    const [, ms] = await measureTime(() =>
      until(async () => (await send()).status === 200, {what: 'a request is served again', everyMs: 50}),
    );
    const seconds = Number(refused?.headers.get('retry-after'));
    expect(seconds).toBe(1);
    expect(ms).toBeLessThan(seconds * 1_000 + 1_000);
  } finally {
    await own.close();
  }
});

describe('a standup for several teams', () => {
  const postFor = (teams: readonly string[], headers: Record<string, string> = {}) =>
    workspace.request('POST', '/v1/standups', {headers, body: {teams, update: 'Counted.'}});

  beforeEach(async () => {
    for (const slug of ['two', 'three', 'four']) {
      const maker = await workspace.addToken({name: `makes-${slug}`});
      const body = {slug, name: slug, timezone: 'UTC'};
      const {status} = await workspace.request('POST', '/v1/teams', {body, token: maker.value});
      expect(status).toBe(201);
    }
  });

  it('is charged as one write for each team, and so is its repeat', async () => {
    const headers = {'idempotency-key': 'many-teams'};
    const posted = await postFor(['platform', 'two', 'three'], headers);
    expect(posted.status).toBe(201);
    expect(quotaOf(posted)).toMatchObject({all: 3, writes: 0});
    await rewind(60_000);
    expect(quotaOf(await postFor(['platform', 'two', 'three'], headers))).toMatchObject({writes: 0});
  });

  it('is refused as a whole if less quota is left than it needs, with the time until there is enough', async () => {
    await post();
    const before = await readTally();
    const refused = await postFor(['platform', 'two', 'three']);
    expectProblem(refused, 'rate_limited');
    expect(refused.body.detail).toContain('This one counts as 3.');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(19);
    expect(await readTally()).toEqual(before);
    expect((await postFor(['platform', 'two'])).status).toBe(201);
  });

  it('uses the whole quota of a minute if it needs more than that', async () => {
    expect((await postFor(['platform', 'two', 'three', 'four'])).status).toBe(201);
    expect((await postFor(['two'])).status).toBe(429);
  });

  it('regression: is accepted once the caller has waited as long as the answers say, although a long body is first charged as one write', async () => {
    const send = () => {
      const body = {teams: ['platform', 'two', 'three'], update: 'Gezählt. '.repeat(440)};
      return workspace.request('POST', '/v1/standups', {body});
    };
    await repeat(3, () => post());
    const answers = [await send()];
    while (answers.length < 6 && answers.at(-1)?.status === 429) {
      await rewind(1_000 * Number(answers.at(-1)?.headers.get('retry-after')));
      answers.push(await send());
    }
    expect(answers.map(statusOf)).toEqual([429, 429, 201]);
    expect(answers[1]?.body.detail).toContain('This one counts as 3.');
  });

  it('is charged for the other teams if the request was first charged as one write', async () => {
    await repeat(3, () => post());
    expect((await post()).status).toBe(429);
    await rewind(19_990);
    const answer = await postFor(['platform', 'two', 'three']);
    expect(answer.status).toBe(429);
  });
});
