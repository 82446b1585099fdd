import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {type Scope, scopes} from '../../../src/domain/core/access.js';
import {suffixOf, type Id} from '../../../src/domain/core/ids.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {dumpRedis} from '../../store/dump.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestResponse,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {type ServiceProcess, startServiceProcess} from '../../support/service-process.js';
import {expectProblem} from '../http/expect-problem.js';
import {until} from '../../support/until.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make, randomName} from '../samples.js';
import {sampleUnlessDeep} from '../../support/deep.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const newDeadline = () => performance.now() + 5_000;
const create = (body: Json, options: {token?: string; headers?: Record<string, string>} = {}) =>
  workspace.request('POST', '/v1/tokens', {body, ...options});
const me = async (token: string): Promise<TestResponse> => workspace.request('GET', '/v1/me', {token});

/** A token of a new member with this role. */
async function memberToken(role: 'owner' | 'admin' | 'member', granted: readonly Scope[] = scopes) {
  const {people, tokens} = service.core.services;
  const slackUser = `U${role.toUpperCase()}${Math.random().toString(36).slice(2, 8).toUpperCase()}`;
  const email = `${slackUser.toLowerCase()}@example.test`;
  const operator = workspace.operator();
  let holder = await people.ensureSlackMember(operator, slackUser, {name: slackUser, email});
  if (role !== 'member') await setRole(holder.id, role);
  holder = await people.findMember(operator, email);
  const {value, token} = await tokens.issueToken(operator, {name: role, holder, scopes: granted});
  return {value, id: token.id, holder, email};
}

/** Changes a role as an owner does. */
async function setRole(member: Id<'member'>, role: string): Promise<void> {
  const key = workspaceKeys(workspace.id).record(suffixOf(member));
  const [json] = await sendToRedis(service.redisUrl, [['GET', key]]);
  await sendToRedis(service.redisUrl, [
    ['SET', key, String(json).replace(/"role":"\w+"/, `"role":"${role}"`)],
  ]);
}

describe('POST /v1/tokens', () => {
  it('creates a token for the caller that works at once, with its value in this answer only', async () => {
    const before = (await eventsOf(workspace)).length;
    const answer = await create({name: 'robot', scopes: ['teams:read', 'standups:read', 'teams:read']});
    expect(answer.status).toBe(201);
    const {token, ...shown} = answer.body;
    expect(shown).toEqual({
      id: expect.stringMatching(/^tok_/),
      object: 'access_token',
      name: 'robot',
      kind: 'token',
      holder: workspace.principal,
      scopes: ['teams:read', 'standups:read'],
      expires_at: expect.stringMatching(/Z$/),
      created_by: workspace.principal,
      parent: expect.stringMatching(/^tok_/),
      client: null,
      revision: 1,
      created_at: expect.stringMatching(/Z$/),
      updated_at: shown.created_at,
      last_used_at: null,
    });
    expect(answer.headers.get('location')).toBe(`/v1/tokens/${shown.id}`);
    const {body} = await me(token);
    expect(body).toMatchObject({principal: workspace.principal, expires_at: shown.expires_at});
    expect(new Set(body.scopes)).toEqual(new Set(shown.scopes));

    const events = await eventsOf(workspace);
    expect(events).toHaveLength(before + 1);
    expect(events.at(-1)).toMatchObject({type: 'token.created', data: {id: shown.id}});
    const everything = [
      (await workspace.request('GET', `/v1/tokens/${shown.id}`)).text,
      (await workspace.request('GET', '/v1/tokens')).text,
      JSON.stringify(events),
      (await dumpRedis(service.redisUrl)).text,
    ];
    for (const text of everything) expect(text).not.toContain(token.split('.')[2]);
  });

  it('creates by default a token to read and write standups for 90 days', async () => {
    const {value} = await workspace.addToken({lifetime: 366 * 86_400});
    const {body} = await create({name: 'plain'}, {token: value});
    expect(body.scopes).toEqual(['standups:read', 'standups:write']);
    const seconds = (Date.parse(body.expires_at) - Date.parse(body.created_at)) / 1_000;
    expect(Math.abs(seconds - 90 * 86_400)).toBeLessThan(2);
  });

  it.each([60, 366 * 86_400])('accepts a lifetime of %d seconds', async (expires_in) => {
    const {value} = await workspace.addToken({lifetime: 366 * 86_400});
    const {body} = await create({name: 'timed', expires_in}, {token: value});
    const seconds = (Date.parse(body.expires_at) - Date.parse(body.created_at)) / 1_000;
    expect(Math.abs(seconds - expires_in)).toBeLessThan(2);
  });

  it.each<[Json, string]>([
    [{}, '#/name'],
    [{name: ''}, '#/name'],
    [{name: 'x'.repeat(81)}, '#/name'],
    [{name: 'a', expires_in: 59}, '#/expires_in'],
    [{name: 'a', expires_in: 366 * 86_400 + 1}, '#/expires_in'],
    [{name: 'a', expires_in: 60.5}, '#/expires_in'],
    [{name: 'a', scopes: []}, '#/scopes'],
    [{name: 'a', scopes: ['everything']}, '#/scopes/0'],
    [{name: 'a', expires_at: '2027-01-01T00:00:00.000Z'}, '#/expires_at'],
    [{name: 'a', member: 'a@example.test', service_account: 'ci'}, '#/service_account'],
    [{name: 'a', member: ''}, '#/member'],
  ])('refuses %j at %s', async (body, pointer) => {
    expectProblem(await create(body), 'validation_failed', {pointer});
  });

  it('creates a service account that does not exist yet, and uses one that does', async () => {
    const [first, second] = [
      (await create({name: 'a', service_account: 'fresh'})).body,
      (await create({name: 'b', service_account: 'fresh'})).body,
    ];
    expect(first.holder).toMatchObject({type: 'service_account', name: 'fresh'});
    expect(second.holder).toEqual(first.holder);
    expect((await me(second.token)).body.principal).toEqual(first.holder);
  });

  it('creates no more than 50 live tokens for a holder', async () => {
    await workspace.addToken({name: 'greedy'});
    // One after another, because each checks the number of the holder's tokens.
    for (let made = 1; made < 50; made += 1) await workspace.addToken({name: 'greedy'});
    expectProblem(await create({name: 'one more', service_account: 'greedy'}), 'limit_reached');
    const {body} = await workspace.request('GET', '/v1/tokens?limit=1');
    expect((await workspace.request('DELETE', `/v1/tokens/${body.data[0].id}`)).status).toBe(204);
    expect((await create({name: 'in its place', service_account: 'greedy'})).status).toBe(201);
  });
});

it('regression: a workspace has 100 service accounts, and one without a live token is removed for a new one', async () => {
  const full = await service.addWorkspace();
  const {people} = service.core.services;
  const asked = (name: string) =>
    full.request('POST', '/v1/tokens', {body: {name: 'a', service_account: name, expires_in: 600}});
  // The account `ci` has the calling token. Of the other accounts only the last has one.
  for (let made = 1; made <= 98; made += 1)
    await people.ensureServiceAccount(full.operator(), `robot ${made}`);
  const last = await asked('the hundredth');
  expect(last.status).toBe(201);
  const next = await asked('one more');
  expect(next.status).toBe(201);
  const key = workspaceKeys(full.id).names('service-account');
  const joined = `return table.concat(redis.call('HKEYS', KEYS[1]), ',')`;
  const names = String(await sendToRedis(service.redisUrl, [['EVAL', joined, '1', key]])).split(',');
  expect(names).toHaveLength(100);
  const robots = names.filter((name) => name.startsWith('robot'));
  expect(robots).toHaveLength(97);
  for (const name of robots) await full.addToken({name});
  expectProblem(await asked('too many'), 'limit_reached');
  expect((await full.request('DELETE', `/v1/tokens/${last.body.id}`)).status).toBe(204);
  expect((await asked('in its place')).status).toBe(201);
  expect((await me(next.body.token)).body.principal).toEqual(next.body.holder);
});

describe('a token with fewer scopes than the requested one', () => {
  it.each(sampleUnlessDeep(scopes, 4))('cannot create a token with %s if it lacks that', async (scope) => {
    const granted = scopes.filter((one) => one !== scope || one === 'tokens:manage');
    const {value} = await workspace.addToken({scopes: granted});
    const answer = await create({name: 'wider', scopes: [scope]}, {token: value});
    if (scope === 'tokens:manage') expect(answer.status).toBe(201);
    else expectProblem(answer, 'scope_escalation', {pointer: '#/scopes'});
  });

  it('cannot create a token with default scopes that it lacks itself', async () => {
    const {value} = await workspace.addToken({scopes: ['tokens:manage']});
    expectProblem(await create({name: 'default'}, {token: value}), 'scope_escalation');
  });

  it('leaves nothing behind when it is refused', async () => {
    const {value} = await workspace.addToken({scopes: ['tokens:manage']});
    const before = await eventsOf(workspace);
    const body = {name: 'wider', scopes: ['teams:write'], service_account: 'never-made'};
    expectProblem(await create(body, {token: value}), 'scope_escalation');
    expect(await eventsOf(workspace)).toEqual(before);
    expect((await dumpRedis(service.redisUrl)).text).not.toContain('never-made');
  });
});

describe('the right to create a token for a principal', () => {
  type TokenMaker = 'owner' | 'admin' | 'member' | 'service account';
  type TokenHolder = 'self' | 'owner' | 'admin' | 'member' | 'service account';
  const allowed: Record<TokenMaker, readonly TokenHolder[]> = {
    owner: ['self', 'owner', 'admin', 'member', 'service account'],
    admin: ['self', 'admin', 'member', 'service account'],
    member: ['self'],
    'service account': ['self', 'service account'],
  };
  const holders = ['self', 'owner', 'admin', 'member', 'service account'] as const;
  const cases = (Object.keys(allowed) as TokenMaker[]).flatMap((maker) =>
    holders.map((holder) => ({maker, holder, may: allowed[maker].includes(holder)})),
  );

  it.each(sampleUnlessDeep(cases, 10))(
    'is decided for $maker and $holder: $may',
    async ({maker, holder, may}) => {
      const {value} = maker === 'service account' ? await workspace.addToken() : await memberToken(maker);
      const request =
        holder === 'self'
          ? {}
          : holder === 'service account'
            ? {service_account: 'somebody'}
            : {member: (await memberToken(holder)).email};
      const answer = await create({name: 'for', ...request}, {token: value});
      if (!may) return void expectProblem(answer, 'forbidden');
      expect(answer.status).toBe(201);
      const self = (await me(value)).body.principal;
      if (holder === 'self') expect(answer.body.holder).toEqual(self);
      else expect(answer.body.holder).not.toEqual(self);
      expect((await me(answer.body.token)).body.principal).toEqual(answer.body.holder);
    },
  );

  it('includes members who name themselves, by id or by e-mail address', async () => {
    const {value, holder, email} = await memberToken('member');
    for (const member of [holder.id, email, email.toUpperCase()]) {
      const answer = await create({name: 'mine', member}, {token: value});
      expect({status: answer.status, holder: answer.body.holder}).toEqual({status: 201, holder});
    }
  });

  it('is refused for an unknown member, and only callers who may choose a member learn that no such member exists', async () => {
    const owner = await memberToken('owner');
    const body = {name: 'x', member: 'nobody@example.test'};
    expectProblem(await create(body, {token: owner.value}), 'validation_failed', {pointer: '#/member'});
    const member = await memberToken('member');
    expectProblem(await create(body, {token: member.value}), 'forbidden');
    const other = await service.addWorkspace();
    const foreign = await service.core.services.people.ensureOwner(other.operator(), 'Foreign');
    const named = await create({name: 'x', member: foreign.id}, {token: owner.value});
    expectProblem(named, 'validation_failed', {pointer: '#/member'});
  });
});

describe('a repeat with the same Idempotency-Key', () => {
  const headers = (key: string) => ({'idempotency-key': key});

  it('gets the same bytes, with the value of the token, even after a rotation of the signing keys', async () => {
    const body = {name: 'again', scopes: ['standups:read']};
    const first = await create(body, {headers: headers('rotated')});
    const again = async () => {
      const answer = await create(body, {headers: headers('rotated')});
      expect({status: answer.status, text: answer.text}).toEqual({status: 201, text: first.text});
      expect(answer.headers.get('idempotent-replayed')).toBe('true');
    };
    await again();
    await service.core.signingKeys.rotate(newDeadline());
    await again();
    // A process that has never verified a token of the old key.
    const twin = await startService({redisUrl: service.redisUrl});
    try {
      const options = {token: workspace.token, body, headers: headers('rotated')};
      expect((await sendRequest(twin.url, 'POST', '/v1/tokens', options)).text).toBe(first.text);
    } finally {
      await twin.close();
    }
    expect((await me(first.body.token)).status).toBe(200);
    const fresh = await create(body);
    const kidOf = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
    expect(kidOf(fresh.body.token)).not.toBe(kidOf(first.body.token));
  });

  it('gets the same bytes even if the created token has been revoked since; the token in them stays invalid', async () => {
    const body = {name: 'gone'};
    const first = await create(body, {headers: headers('revoked')});
    await workspace.request('DELETE', `/v1/tokens/${first.body.id}`);
    expect((await create(body, {headers: headers('revoked')})).text).toBe(first.text);
    expectProblem(await me(first.body.token), 'invalid_token');
  });
});

describe('the list of tokens', () => {
  it('shows live tokens, newest first, in pages', async () => {
    const own = await service.addWorkspace();
    const made: string[] = [];
    for (let i = 0; i < 7; i++) made.unshift((await own.addToken({name: `t${i}`})).id);
    await service.core.services.tokens.revokeToken(own.operator(), made[3] ?? '');
    const wanted = made.filter((_, i) => i !== 3);
    const seen: string[] = [];
    let path = '/v1/tokens?limit=3';
    for (;;) {
      const {body} = await own.request('GET', path);
      seen.push(...body.data.map(({id}: Json) => id));
      if (!body.has_more) break;
      expect(body.data).toHaveLength(3);
      path = `/v1/tokens?limit=3&cursor=${body.next_cursor}`;
    }
    // The last one is the calling token.
    expect(seen).toEqual([...wanted, expect.stringMatching(/^tok_/)]);
  });

  it('leaves out expired tokens, which are then answered 404', async () => {
    const own = await service.addWorkspace();
    const {id} = await own.addToken({name: 'short'});
    const key = workspaceKeys(own.id).record(suffixOf(id));
    const [json] = await sendToRedis(service.redisUrl, [['GET', key]]);
    const past = String(json).replace(/"expires_at":"[^"]+"/, '"expires_at":"2020-01-01T00:00:00.000Z"');
    await sendToRedis(service.redisUrl, [['SET', key, past]]);
    const {body} = await own.request('GET', '/v1/tokens?limit=1');
    expect(body).toMatchObject({has_more: false, next_cursor: null});
    expect(body.data[0].id).not.toBe(id);
    for (const method of ['GET', 'DELETE'])
      expectProblem(await own.request(method, `/v1/tokens/${id}`), 'not_found');
  });

  it('contains all tokens of the workspace for its managers, and for members only their own', async () => {
    const [owner, member] = [await memberToken('owner'), await memberToken('member')];
    const second = (await create({name: 'second'}, {token: member.value})).body.id;
    const idsOf = async (token: string) => {
      const {body} = await workspace.request('GET', '/v1/tokens?limit=100', {token});
      return body.data.map(({id}: Json) => id);
    };
    expect(await idsOf(member.value)).toEqual([second, member.id]);
    for (const token of [owner.value, workspace.token]) {
      expect(await idsOf(token)).toEqual(expect.arrayContaining([owner.id, member.id, second]));
    }
  });
});

describe('a single token', () => {
  it('can be read and revoked by its holder and by managers of the workspace, and is forbidden to others', async () => {
    const [owner, one, two] = [
      await memberToken('owner'),
      await memberToken('member'),
      await memberToken('member'),
    ];
    const path = `/v1/tokens/${one.id}`;
    for (const method of ['GET', 'DELETE'])
      expectProblem(await workspace.request(method, path, {token: two.value}), 'forbidden');
    for (const token of [one.value, owner.value, workspace.token]) {
      const {body} = await workspace.request('GET', path, {token});
      expect(body).toMatchObject({id: one.id, holder: one.holder});
      expect(body.token).toBeUndefined();
    }
    expect((await workspace.request('DELETE', path, {token: owner.value})).status).toBe(204);
    expectProblem(await me(one.value), 'invalid_token');
    expectProblem(await workspace.request('GET', path, {token: owner.value}), 'not_found');
  });

  it('may revoke itself, once', async () => {
    const {value, id} = await workspace.addToken();
    const path = `/v1/tokens/${id}`;
    expect((await workspace.request('DELETE', path, {token: value})).status).toBe(204);
    expectProblem(await workspace.request('DELETE', path, {token: value}), 'invalid_token');
    expect((await eventsOf(workspace)).at(-1)).toMatchObject({type: 'token.revoked', data: {id}});
  });

  it('is revoked only at the revision that If-Match names', async () => {
    const {id} = await workspace.addToken();
    const revoke = (tag: string) =>
      workspace.request('DELETE', `/v1/tokens/${id}`, {headers: {'if-match': tag}});
    expectProblem(await revoke('"2"'), 'precondition_failed');
    expect((await revoke('"1"')).status).toBe(204);
  });
});

describe('the last use of a token', () => {
  const minute = (instant: string) => Math.floor(Date.parse(instant) / 60_000);

  it('is shown to the minute, and changes the entity tag but not the revision', async () => {
    const {value, id} = await workspace.addToken();
    const get = (headers: Record<string, string> = {}) =>
      workspace.request('GET', `/v1/tokens/${id}`, {headers});
    const unused = await get();
    expect(unused.body.last_used_at).toBeNull();
    expect(unused.headers.get('etag')).toBe('"1"');
    expect((await get({'if-none-match': '"1"'})).status).toBe(304);

    await me(value);
    const used = await get({'if-none-match': '"1"'});
    expect(used.status).toBe(200);
    expect(used.body).toEqual({...unused.body, last_used_at: expect.stringMatching(/:00\.000Z$/)});
    expect(Math.abs(minute(used.body.last_used_at) - minute(new Date().toISOString()))).toBeLessThanOrEqual(
      1,
    );
    const tag = used.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"1\.\w+"$/);
    expect((await get({'if-none-match': tag})).status).toBe(304);
    const listed = (await workspace.request('GET', '/v1/tokens?limit=1')).body.data[0];
    expect(listed).toEqual(used.body);
    // The earlier tag still satisfies the precondition, although the token has been used since.
    const answer = await workspace.request('DELETE', `/v1/tokens/${id}`, {headers: {'if-match': tag}});
    expect(answer.status).toBe(204);
  });

  it('is seen by other processes once it is written, is not stored for revoked tokens, and costs a request no write', async () => {
    const twin = await startService({redisUrl: service.redisUrl});
    const [kept, revoked] = [await workspace.addToken(), await workspace.addToken()];
    for (const {value} of [kept, revoked])
      expect((await sendRequest(twin.url, 'GET', '/v1/me', {token: value})).status).toBe(200);
    const key = workspaceKeys(workspace.id).tokenUse();
    const written = async () =>
      sendToRedis(
        service.redisUrl,
        [kept, revoked].map(({id}) => ['HGET', key, suffixOf(id)]),
      );
    expect(await written()).toEqual([null, null]);
    await workspace.request('DELETE', `/v1/tokens/${revoked.id}`);
    await twin.close();
    expect(await written()).toEqual([expect.stringMatching(/^\d+$/), null]);
    const {body} = await workspace.request('GET', `/v1/tokens/${kept.id}`);
    expect(body.last_used_at).toMatch(/:00\.000Z$/);
    await workspace.request('DELETE', `/v1/tokens/${kept.id}`);
    expect(await written()).toEqual([null, null]);
  });
});

describe('a token over two real processes', () => {
  let a: ServiceProcess;
  let b: ServiceProcess;

  beforeAll(async () => {
    [a, b] = await Promise.all([
      startServiceProcess({redisUrl: service.redisUrl}),
      startServiceProcess({redisUrl: service.redisUrl}),
    ]);
  }, 60_000);

  afterAll(async () => {
    await Promise.all([a.kill(), b.kill()]);
  });

  it('is refused by process B on its next request once process A has revoked it', async () => {
    const {status, body: made} = await sendRequest(a.url, 'POST', '/v1/tokens', {
      token: workspace.token,
      body: {name: 'between processes', scopes: ['standups:read', 'standups:write']},
    });
    expect(status).toBe(201);
    const standup = {team: 'platform', update: 'From B.'};
    const inB = (method: string, path: string, body?: Json) =>
      sendRequest(b.url, method, path, {token: made.token, ...(body && {body})});
    // B has verified the token and cached it.
    expect((await inB('GET', '/v1/standups')).status).toBe(200);
    expect((await inB('POST', '/v1/standups', standup)).status).toBe(201);
    const revoked = await sendRequest(a.url, 'DELETE', `/v1/tokens/${made.id}`, {token: workspace.token});
    expect(revoked.status).toBe(204);
    expectProblemOf(await inB('POST', '/v1/standups', standup));
    expectProblemOf(await inB('GET', '/v1/standups'));
    const again = await sendRequest(a.url, 'GET', '/v1/me', {token: made.token});
    expectProblemOf(again);
  });

  it('is accepted by process B at once if process A has signed it with a new key, and earlier tokens remain valid', async () => {
    const make201 = async (): Promise<string> => {
      const answer = await sendRequest(a.url, 'POST', '/v1/tokens', {
        token: workspace.token,
        body: {name: 'k'},
      });
      expect(answer.status).toBe(201);
      return answer.body.token;
    };
    const before = await make201();
    await service.core.signingKeys.rotate(newDeadline());
    const after = await make201();
    expect(after.split('.')[0]).not.toBe(before.split('.')[0]);
    for (const token of [before, after, workspace.token]) {
      for (const {url} of [a, b]) expect((await sendRequest(url, 'GET', '/v1/me', {token})).status).toBe(200);
    }
  });
});

/** Like `expectProblem`, for a process with another public address. */
function expectProblemOf({status, body, headers}: TestResponse): void {
  expect({status, code: body.code}).toEqual({status: 401, code: 'invalid_token'});
  expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
}

it('tokens of another workspace are neither listed nor counted', async () => {
  const other = await service.addWorkspace();
  const {body} = await make(other, '/v1/tokens', {name: 'theirs'}).then(() =>
    other.request('GET', '/v1/tokens'),
  );
  expect(body.data.map(({name}: Json) => name)).toEqual(['theirs', 'ci']);
});

describe('regression: a repeated request', () => {
  let own: TestWorkspace;

  beforeAll(async () => {
    own = await service.addWorkspace();
  });

  const repeatable = (token: string, path: string, body: Json) => {
    const headers = {'idempotency-key': randomName()};
    return (as: string = token) => own.request('POST', path, {token: as, headers, body});
  };

  const addTokenOf = async ({id, name}: Person, scopes: readonly Scope[], lifetime?: number) => {
    const holder = {type: 'member', id, name} as const;
    const input = {name: 'another', holder, scopes, lifetime};
    return (await service.core.services.tokens.issueToken(own.operator(), input)).value;
  };

  it('does not return the value of a token with more scopes that was created with the same key', async () => {
    const narrow = await own.addToken({scopes: ['tokens:manage']});
    const create = repeatable(own.token, '/v1/tokens', {name: 'wide', scopes: ['members:write']});
    const made = await create();
    expect(made.status).toBe(201);
    const refused = await create(narrow.value);
    expectProblem(refused, 'scope_escalation');
    expect(refused.text).not.toContain(made.body.token);
    expect((await create()).text).toBe(made.text);
  });

  it('does not return a sign-in link that another token of the person created with the same key', async () => {
    const lin = await addPerson(service, own, {name: 'Lin', role: 'admin'});
    const narrow = await addTokenOf(lin, ['tokens:manage']);
    const create = repeatable(lin.token, '/v1/sign-in-links', {});
    const made = await create();
    expect(made.body.scopes).toContain('workspace:manage');
    const refused = await create(narrow);
    expectProblem(refused, 'forbidden');
    expect(refused.text).not.toContain(made.body.url);
    expect((await create()).text).toBe(made.text);
  });

  it('does not return a token that would outlive the token of the caller', async () => {
    const lea = await addPerson(service, own, {name: 'Lea', role: 'admin'});
    const brief = await addTokenOf(lea, ['tokens:manage', 'standups:read'], 60);
    const create = repeatable(lea.token, '/v1/tokens', {name: 'long', scopes: ['standups:read']});
    const made = await create();
    const refused = await create(brief);
    expectProblem(refused, 'forbidden');
    expect(refused.text).not.toContain(made.body.token);
    expect((await create()).text).toBe(made.text);
  });

  it('does not return a standup posted for another member to a token that may not post for others', async () => {
    const ada = await addPerson(service, own, {name: 'Ada', team: 'platform'});
    const plain = await own.addToken({scopes: ['standups:write']});
    const post = repeatable(own.token, '/v1/standups', {
      team: 'platform',
      update: 'For Ada.',
      author: ada.id,
    });
    expect((await post()).status).toBe(201);
    expectProblem(await post(plain.value), 'insufficient_scope');
  });

  it('returns no secrets to a former manager of the own, but returns other answers', async () => {
    const admin = await addPerson(service, own, {name: 'Eve', role: 'admin', team: 'platform'});
    const secrets = [
      repeatable(admin.token, '/v1/tokens', {
        name: 'robot',
        service_account: 'robot',
        scopes: ['teams:read'],
      }),
      repeatable(admin.token, '/v1/invites', {emails: ['new@example.com']}),
      repeatable(admin.token, '/v1/webhooks', {url: 'https://hooks.example/eve', events: ['*']}),
    ];
    const post = repeatable(admin.token, '/v1/members', {name: 'Somebody'});
    for (const ask of [...secrets, post]) expect((await ask()).status).toBe(201);
    const demoted = await own.request('PATCH', `/v1/members/${admin.id}`, {body: {role: 'member'}});
    expect(demoted.status).toBe(200);
    for (const ask of secrets) expectProblem(await ask(), 'forbidden');
    const {status, headers} = await post();
    expect({status, replayed: headers.get('idempotent-replayed')}).toEqual({status: 201, replayed: 'true'});
  });

  it('returns secrets of deleted resources only to callers who may still read them', async () => {
    const admin = await addPerson(service, own, {name: 'Eli', role: 'admin', team: 'platform'});
    const hook = {url: 'https://hooks.example/eli', events: ['*']};
    const create = repeatable(admin.token, '/v1/webhooks', hook);
    const webhook = (await create()).body;
    const rotate = repeatable(admin.token, `/v1/webhooks/${webhook.id}/rotate-secret`, {});
    const token = repeatable(admin.token, '/v1/tokens', {name: 'eli', service_account: 'eli'});
    const made = [await create(), await rotate(), await token()];
    expect(made.map(({status}) => status)).toEqual([201, 200, 201]);
    expect((await own.request('DELETE', `/v1/webhooks/${webhook.id}`)).status).toBe(204);
    expect((await own.request('DELETE', `/v1/tokens/${made[2]?.body.id}`)).status).toBe(204);
    const repeats = [create, rotate, token];
    for (const [i, ask] of repeats.entries()) expect((await ask()).text).toBe(made[i]?.text);
    await own.request('PATCH', `/v1/members/${admin.id}`, {body: {role: 'member'}});
    for (const ask of repeats) expectProblem(await ask(), 'forbidden');
  });

  it('says as documented that the sign-in link of a member who is erased by now is gone', async () => {
    const owner = await addPerson(service, own, {name: 'Olga', role: 'owner'});
    const ada = await addPerson(service, own, {name: 'Ada'});
    const link = repeatable(owner.token, '/v1/sign-in-links', {member: ada.id});
    expect((await link()).status).toBe(201);
    await own.request('DELETE', `/v1/members/${ada.id}?erase=true`);
    await until(async () => (await link()).status === 404, {what: 'the end of the erasure'});
    expectProblem(await link(), 'not_found');
  });
});
