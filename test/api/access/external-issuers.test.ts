import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {generateKeyPair, SignJWT} from 'jose';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {limits} from '../../../src/domain/core/limits.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {audience, type TestIdentityProvider, startIdentityProvider} from '../../support/identity-provider.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {measureTime} from '../../support/stopwatch.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {eventsOf} from '../samples.js';
import {sampleUnlessDeep} from '../../support/deep.js';

// The provider prints a warning that it is for development.
Object.assign(console, {warn: () => undefined, info: () => undefined});

let provider: TestIdentityProvider;
let service: TestService;
let workspace: TestWorkspace;
let other: TestWorkspace;

beforeAll(async () => {
  provider = await startIdentityProvider({
    robot: {},
    ada: {email: 'Ada@Example.test', email_verified: true},
    eve: {email: 'ada@example.test', email_verified: false},
    mallory: {},
  });
  service = await startService({env: {TRUSTED_ISSUERS: trusted(provider)}});
  workspace = await service.addWorkspace('Acme');
  other = await service.addWorkspace('Other');
  const {people} = service.core.services;
  await people.ensureSlackMember(workspace.operator(), 'U0ADA', {name: 'Ada', email: 'ada@example.test'});
});

afterAll(async () => {
  await service.close();
  await provider.close();
});

/** `TRUSTED_ISSUERS` for a provider that is trusted for the workspace `acme`. */
function trusted(
  {issuer, jwksUrl}: Pick<TestIdentityProvider, 'issuer' | 'jwksUrl'>,
  more: object = {},
): string {
  const rules = {
    issuer,
    audience,
    jwks_url: jwksUrl,
    workspaces: ['acme'],
    service_accounts: {robot: 'deploy bot'},
  };
  return JSON.stringify([{...rules, ...more}]);
}

const me = (token: string) => workspace.request('GET', '/v1/me', {token});
const now = () => Math.floor(Date.now() / 1_000);
/** A key that the service does not trust. */
const foreignKey = generateKeyPair('RS256');
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token issued by a real provider', () => {
  it('acts as the service account that the rules name for its subject', async () => {
    const token = await provider.fetchToken('robot');
    const {status, body} = await me(token);
    expect({status, ...body}).toEqual({
      status: 200,
      object: 'me',
      principal: {type: 'service_account', id: expect.stringMatching(/^svc_/), name: 'deploy bot'},
      workspace: {id: workspace.id, slug: 'acme', name: 'Acme', leads_invite: true},
      scopes: ['standups:read', 'standups:write'],
      expires_at: expect.stringMatching(/Z$/),
      role: 'service_account',
      timezone: null,
      teams: null,
      inbox: null,
      blockers: null,
      webhooks: null,
    });
    const minutes = (Date.parse(body.expires_at) - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(10);
    const posted = await workspace.request('POST', '/v1/standups', {
      token,
      body: {team: 'platform', update: 'Deployed.'},
      headers: {'idempotency-key': 'external'},
    });
    expect(posted.status).toBe(201);
    expect(posted.body.author).toEqual(body.principal);
    // The account stays the same, also for another token of the subject.
    expect((await me(await provider.fetchToken('robot'))).body.principal).toEqual(body.principal);
  });

  it('acts as the member who has its verified e-mail address, with the role of that member', async () => {
    const token = await provider.fetchToken('ada', {scope: 'standups:read teams:read tokens:manage'});
    const {body} = await me(token);
    expect(body.principal).toMatchObject({type: 'member', name: 'Ada'});
    const tokens = await workspace.request('GET', '/v1/tokens', {token});
    expect({status: tokens.status, data: tokens.body.data}).toEqual({status: 200, data: []});
  });

  it.each([
    ['eve', 'an address that its issuer has not verified'],
    ['mallory', 'neither a rule nor an address'],
  ])('is refused for %s, who has %s, and creates no member', async (client) => {
    const before = await eventsOf(workspace);
    const body = expectProblem(await me(await provider.fetchToken(client)), 'invalid_token');
    expect(body.detail).toContain('has an unknown subject');
    expect(await eventsOf(workspace)).toEqual(before);
  });

  it('allows what its scopes name, and nothing for unknown scopes', async () => {
    const token = await provider.fetchToken('robot', {scope: 'standups:read other:scope'});
    expect((await me(token)).body.scopes).toEqual(['standups:read']);
    expect((await workspace.request('GET', '/v1/standups', {token})).status).toBe(200);
    const body = {team: 'platform', update: 'Not allowed.'};
    expectProblem(await workspace.request('POST', '/v1/standups', {token, body}), 'insufficient_scope');
  });

  it('is refused for another audience', async () => {
    const token = await provider.fetchToken('robot', {resource: 'https://another.example.test'});
    const body = expectProblem(await me(token), 'invalid_token');
    expect(body.detail).toBe('The access token is for another audience.');
  });

  it('cannot create tokens of the service, which would outlive it', async () => {
    const token = await provider.fetchToken('ada', {scope: 'tokens:manage standups:read'});
    const body = {name: 'outliving', scopes: ['standups:read']};
    expectProblem(await workspace.request('POST', '/v1/tokens', {token, body}), 'forbidden');
  });

  it('approves no program, whose token would outlive it', async () => {
    const token = await provider.fetchToken('ada', {scope: 'standups:read tokens:manage'});
    const asked = {name: 'standup', scopes: ['standups:read'] as const};
    const {user_code: code} = await service.core.services.deviceLogins.start(asked, {
      address: '203.0.113.7',
      deadline: performance.now() + 5_000,
    });
    const path = `/v1/device-logins/${code}`;
    expectProblem(await workspace.request('GET', path, {token}), 'forbidden');
    const body = {decision: 'approve'};
    expectProblem(await workspace.request('POST', path, {token, body}), 'forbidden');
  });

  it('reaches no other workspace', async () => {
    const token = await provider.fetchToken('robot');
    const {body} = await other.request('POST', '/v1/teams', {body: {slug: 'elsewhere'}});
    expectProblem(
      await workspace.request('GET', `/v1/teams/${body.id}`, {token, headers: {}}),
      'insufficient_scope',
    );
    const readToken = await provider.fetchToken('robot', {scope: 'teams:read'});
    expectProblem(await workspace.request('GET', `/v1/teams/${body.id}`, {token: readToken}), 'not_found');
  });
});

describe('a token signed with the key of the provider', () => {
  it('is accepted unchanged, so that the refusals below are meaningful', async () => {
    expect((await me(await provider.forge())).status).toBe(200);
    for (const typ of ['at+jwt', 'application/at+jwt', 'JWT', undefined])
      expect((await me(await provider.forge({}, {typ}))).status).toBe(200);
  });

  it.each<[string, () => Record<string, unknown>, Record<string, unknown>?]>([
    ['of an issuer that is not trusted', () => ({iss: 'https://id.example.test'})],
    ['of an issuer that only looks the same', () => ({iss: `${provider.issuer}/`})],
    ['of no issuer', () => ({iss: undefined})],
    ['for our own audience', () => ({aud: `urn:standup:${service.core.store.installation.id}`})],
    ['for no audience', () => ({aud: undefined})],
    ['that has expired', () => ({iat: now() - 700, exp: now() - 60})],
    ['that is valid only later', () => ({nbf: now() + 60})],
    ['that was issued in the future', () => ({iat: now() + 60})],
    ['without an expiry', () => ({exp: undefined})],
    ['without an issue date', () => ({iat: undefined})],
    ['that was issued longer ago than a day', () => ({iat: now() - 86_410, exp: now() + 600})],
    ['without a subject', () => ({sub: undefined})],
    ['that is bound to a key of its holder', () => ({cnf: {jkt: 'thumbprint'}})],
    ['that is a logout token', () => ({}), {typ: 'logout+jwt'}],
    ['that is a proof of possession', () => ({}), {typ: 'dpop+jwt'}],
    ['with an extension that must be understood', () => ({}), {crit: ['urn:x'], 'urn:x': 1}],
    ['whose e-mail address is an id of ours', () => ({sub: 'x', email: 'U0ADA', email_verified: true})],
    [
      'whose address is verified by a text',
      () => ({sub: 'x', email: 'ada@example.test', email_verified: 'true'}),
    ],
    ['whose subject is a name of something else', () => ({sub: 'constructor'})],
  ])('is refused when it is a token %s', async (_, changes, header = {}) => {
    expectProblem(await me(await provider.forge(changes(), header)), 'invalid_token');
  });

  it('is accepted within the tolerance of 5 seconds', async () => {
    for (const changes of [{exp: now() - 2}, {nbf: now() + 3}, {iat: now() + 3}])
      expect((await me(await provider.forge(changes))).status).toBe(200);
  });

  it('is accepted for a day after it was issued, whatever expiry it names', async () => {
    const issued = now() - 3_600;
    const {body} = await me(await provider.forge({iat: issued, exp: issued + 30 * 86_400}));
    expect(Date.parse(body.expires_at)).toBe((issued + 86_400) * 1_000);
  });

  it('may name its scopes in scp, as a list or a text', async () => {
    for (const scp of [['teams:read', 'standups:read'], 'teams:read standups:read']) {
      const {body} = await me(await provider.forge({scope: undefined, scp}));
      expect(body.scopes).toEqual(['standups:read', 'teams:read']);
    }
    for (const scope of [undefined, 7, {'standups:read': true}, ''])
      expect((await me(await provider.forge({scope}))).body.scopes).toEqual([]);
  });
});

describe('a token that the provider has not signed', () => {
  const claims = () => ({
    iss: provider.issuer,
    aud: audience,
    sub: 'robot',
    scope: 'standups:read',
    iat: now(),
    exp: now() + 600,
  });

  it.each(['none', 'None', ''])('is refused with the algorithm %j and no signature', async (alg) => {
    const header = {alg, typ: 'at+jwt', kid: provider.publicKey().kid};
    expectProblem(await me(`${encode(header)}.${encode(claims())}.`), 'invalid_token');
  });

  it("is refused with HS256 and the provider's public key as the secret", async () => {
    const key = provider.publicKey();
    for (const secret of [key.n ?? '', JSON.stringify(key)]) {
      for (const encoding of ['base64url', 'utf8'] as const) {
        const token = await new SignJWT(claims())
          .setProtectedHeader({alg: 'HS256', typ: 'at+jwt', kid: String(key.kid)})
          .sign(Buffer.from(secret, encoding));
        expectProblem(await me(token), 'invalid_token');
      }
    }
  });

  it('is refused if it is signed by another key under the key id of the provider, or by our own key', async () => {
    const {privateKey} = await foreignKey;
    const {kid} = provider.publicKey();
    const token = await new SignJWT(claims())
      .setProtectedHeader({alg: 'RS256', typ: 'at+jwt', kid: String(kid)})
      .sign(privateKey);
    expectProblem(await me(token), 'invalid_token');
    const [ours] = await service.core.signingKeys.published();
    const mixed = await new SignJWT(claims())
      .setProtectedHeader({alg: 'EdDSA', typ: 'at+jwt', kid: ours?.kid ?? ''})
      .sign(ours?.sign as never);
    expectProblem(await me(mixed), 'invalid_token');
  });

  it('is refused if it is a token of our own with the issuer changed', async () => {
    const [head = '', payload = '', signature = ''] = workspace.token.split('.');
    const own = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const changed = encode({...own, iss: provider.issuer, aud: audience});
    expectProblem(await me(`${head}.${changed}.${signature}`), 'invalid_token');
  });
});

describe('an address in a token', () => {
  it.each(['jku', 'x5u', 'jwk'])('is never requested if it is in the header %s', async (name) => {
    const asked: string[] = [];
    const trap = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{"keys":[]}');
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/keys`;
    const {privateKey} = await foreignKey;
    const value = name === 'jwk' ? provider.publicKey() : address;
    try {
      for (const iss of [provider.issuer, address, `urn:standup:${service.core.store.installation.id}`]) {
        const token = await new SignJWT({iss, aud: audience, sub: 'robot', iat: now(), exp: now() + 600})
          .setProtectedHeader({alg: 'RS256', typ: 'at+jwt', kid: 'theirs', [name]: value})
          .sign(privateKey);
        expectProblem(await me(token), 'invalid_token');
      }
      expect(asked).toEqual([]);
    } finally {
      trap.close();
    }
  });

  it('is never requested if the issuer of the token is not trusted', async () => {
    expect((await me(await provider.forge())).status).toBe(200);
    const before = provider.asked.length;
    for (const iss of ['https://id.example.test', `${provider.issuer}/`, undefined]) {
      expectProblem(await me(await provider.forge({iss}, {kid: 'unknown'})), 'invalid_token');
    }
    expectProblem(await me('a.b.c'), 'invalid_token');
    expect(provider.asked).toHaveLength(before);
  });
});

describe('/mcp', () => {
  const ping = (token?: string) =>
    fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token !== undefined && {authorization: `Bearer ${token}`}),
      },
      body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/list'}),
    });

  it('names the trusted issuers to an assistant without a token, as RFC 9728 describes', async () => {
    const refused = await ping();
    expect(refused.status).toBe(401);
    const [, address = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    expect(await (await fetch(`${service.url}${new URL(address).pathname}`)).json()).toEqual({
      resource: expect.stringMatching(/\/mcp$/),
      authorization_servers: [provider.issuer],
      scopes_supported: expect.arrayContaining(['standups:read', 'standups:write']),
      bearer_methods_supported: ['header'],
    });
  });

  it('accepts tokens for itself, which /v1 refuses, and asks for a scope that is missing', async () => {
    const {resource} = (await (
      await fetch(`${service.url}/.well-known/oauth-protected-resource/mcp`)
    ).json()) as {resource: string};
    const own = await provider.forge({aud: resource, scope: 'standups:read'});
    expect((await ping(own)).status).toBe(200);
    expectProblem(await me(own), 'invalid_token');
    expect((await ping(await provider.forge({aud: 'https://other.example/mcp'}))).status).toBe(401);
    const refused = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${own}`,
      },
      body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: 'standup_post'}}),
    });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toMatch(
      /error="insufficient_scope", scope="standups:write", resource_metadata=/,
    );
  });
});

describe('the keys of the provider', () => {
  it('are fetched once for many requests, even for invented key ids', async () => {
    const own = await startService({env: {TRUSTED_ISSUERS: trusted(provider)}});
    try {
      const acme = await own.addWorkspace('acme');
      const tokens = await Promise.all(Array.from({length: 20}, () => provider.forge()));
      const before = provider.asked.length;
      const answers = await Promise.all(tokens.map((token) => acme.request('GET', '/v1/me', {token})));
      expect(new Set(answers.map(({status}) => status))).toEqual(new Set([200]));
      for (let i = 0; i < 20; i++) {
        const made = await provider.forge({}, {kid: `made-up-${i}`});
        expectProblem(await acme.request('GET', '/v1/me', {token: made}), 'invalid_token');
      }
      expect(provider.asked.slice(before)).toEqual(['/jwks']);
    } finally {
      await own.close();
    }
  });

  it('are fetched again after a rotation, and the old key is refused from then on', async () => {
    const old = await provider.forge();
    expect((await me(old)).status).toBe(200);
    await provider.rotate();
    const token = await provider.fetchToken('robot');
    // Unknown key ids are looked up again after a few seconds.
    await until(async () => (await me(token)).status === 200, {what: 'the new key is known', everyMs: 200});
    expectProblem(await me(old), 'invalid_token');
  });

  it('remain valid while the provider is down, if they were fetched before', async () => {
    const token = await provider.fetchToken('robot');
    expect((await me(token)).status).toBe(200);
    await provider.pause();
    try {
      expect((await me(token)).status).toBe(200);
      // The provider's key cannot be fetched, so the token is neither valid nor invalid.
      const {privateKey} = await foreignKey;
      const unknown = await new SignJWT({
        iss: provider.issuer,
        aud: audience,
        sub: 'robot',
        iat: now(),
        exp: now() + 600,
      })
        .setProtectedHeader({alg: 'RS256', typ: 'at+jwt', kid: 'not seen yet'})
        .sign(privateKey);
      const answer = await until(
        async () => {
          const given = await me(unknown);
          expect([401, 503]).toContain(given.status);
          return given.status === 503 ? given : undefined;
        },
        {what: 'the keys are looked up', everyMs: 200},
      );
      expectProblem(answer, 'service_unavailable');
      expect(answer.headers.get('retry-after')).toBe('1');
    } finally {
      await provider.resume();
    }
  });

  const troubles: [string, (own: TestIdentityProvider) => Promise<void> | void][] = [
    ['cannot be reached', (own) => own.pause()],
    ['answers with an error', (own) => own.pretend((_, response) => response.writeHead(500).end())],
    [
      'answers with a redirect',
      (own) => own.pretend((_, response) => response.writeHead(302, {location: '/elsewhere'}).end()),
    ],
    ['answers with no JSON', (own) => own.pretend((_, response) => response.end('<html>'))],
    ['answers with no key set', (own) => own.pretend((_, response) => response.end('{"keys":7}'))],
    ['answers without an end', (own) => own.pretend((_, response) => void response.write('{"keys":['))],
    [
      'answers with far too much',
      (own) => own.pretend((_, response) => response.end('[' + ' '.repeat(2_000_000))),
    ],
  ];

  async function expectWayBack(spoil: (own: TestIdentityProvider) => Promise<void> | void): Promise<void> {
    const own = await startIdentityProvider({robot: {}});
    const fresh = await startService({env: {TRUSTED_ISSUERS: trusted(own)}});
    try {
      const acme = await fresh.addWorkspace('acme');
      const token = await own.forge();
      await spoil(own);
      const [requests, ms] = await measureTime(() =>
        Promise.all([1, 2, 3].map(() => acme.request('GET', '/v1/me', {token}))),
      );
      for (const answer of requests) expectProblem(answer, 'service_unavailable');
      expect(ms).toBeLessThan(5_000);
      expect(own.asked.filter((path) => path !== '/jwks')).toEqual([]);
      expect(own.asked.length).toBeLessThanOrEqual(1);
      // The service's own tokens need no provider.
      expect((await acme.request('GET', '/v1/me')).status).toBe(200);
      if (own.asked.length === 0) await own.resume();
      own.pretend();
      await until(async () => (await acme.request('GET', '/v1/me', {token})).status === 200, {
        what: 'the keys have come',
        everyMs: 200,
      });
    } finally {
      await fresh.close();
      await own.close();
    }
  }

  const asked = sampleUnlessDeep(troubles, 3);

  // Each of them waits for seconds, so they run side by side.
  it(`tokens get a 503 while the provider's address ${asked.map(([name]) => name).join(', or ')}, and are accepted afterwards`, async () => {
    const settled = await Promise.allSettled(asked.map(([, spoil]) => expectWayBack(spoil)));
    const failed = asked.flatMap(([name], at) => {
      const one = settled[at];
      return one?.status === 'rejected' ? [`${name}: ${one.reason}`] : [];
    });
    expect(failed).toEqual([]);
  });
});

describe('the workspace of a token of a trusted issuer', () => {
  let many: TestService;
  let named: TestWorkspace;
  let second: TestWorkspace;
  let foreign: TestWorkspace;

  beforeAll(async () => {
    const rules = {workspace_claim: 'https://standup.example.test/workspace', workspaces: ['acme', 'Second']};
    many = await startService({env: {TRUSTED_ISSUERS: trusted(provider, rules)}});
    named = await many.addWorkspace('acme');
    second = await many.addWorkspace('second');
    foreign = await many.addWorkspace('foreign');
  });

  afterAll(() => many.close());

  const ask = async (workspaceClaim: unknown) =>
    named.request('GET', '/v1/me', {
      token: await provider.forge({'https://standup.example.test/workspace': workspaceClaim}),
    });

  it('is the one that the claim names, by slug or id', async () => {
    for (const claim of ['acme', 'ACME', named.id])
      expect((await ask(claim)).body.workspace.id).toBe(named.id);
    for (const claim of ['second', second.id]) expect((await ask(claim)).body.workspace.id).toBe(second.id);
  });

  it('is answered as if it did not exist if the issuer may not use it', async () => {
    const answers = await Promise.all(
      ['foreign', foreign.id, 'nobody', 'ws_01jd0000007000000000000000'].map((claim) => ask(claim)),
    );
    const bodies = answers.map((answer) => expectProblem(answer, 'invalid_token').detail);
    expect(new Set(bodies).size).toBe(1);
  });

  it.each([[undefined], [7], [['acme']], [null], ['']])('is none if the claim names %j', async (claim) => {
    expectProblem(await ask(claim), 'invalid_token');
  });
});

it('a removed member is refused with tokens of the provider too, from the next request on', async () => {
  const {people} = service.core.services;
  const address = 'gone@example.test';
  const {id} = await people.ensureSlackMember(workspace.operator(), 'U0GONE', {name: 'Gone', email: address});
  const token = await provider.forge({
    sub: 'gone',
    email: address,
    email_verified: true,
    scope: 'standups:write',
  });
  expect((await me(token)).body.principal.id).toBe(id);
  await sendToRedis(service.redisUrl, [['DEL', workspaceKeys(workspace.id).record(suffixOf(id))]]);
  expectProblem(await me(token), 'invalid_token');
  // A commit in progress is refused too: its script looks up the principal itself.
  const {services} = service.core;
  const call = {
    ...workspace.operator(),
    token: {id, expiresAt: Date.now() + 60_000, issuer: provider.issuer},
  };
  await expect(services.teams.createTeam(call, {slug: 'too-late'})).rejects.toMatchObject({
    code: 'invalid_token',
  });
});

it("regression: a verified address that equals a member's only by Unicode case acts as no member", async () => {
  const {people} = service.core.services;
  const address = 'kim@example.test';
  const {id} = await people.ensureSlackMember(workspace.operator(), 'U0KIM', {name: 'Kim', email: address});
  const forge = (email: string) => provider.forge({sub: 'somebody', email, email_verified: true});
  expect((await me(await forge('KIM@Example.test'))).body.principal.id).toBe(id);
  const other = '\u212aim@example.test';
  expectProblem(await me(await forge(other)), 'invalid_token');
  const found = await workspace.request('GET', `/v1/members?email=${encodeURIComponent(other)}`);
  expect(found.body.data).toEqual([]);
  // The holder of that address may become a member beside Kim.
  const made = await workspace.request('POST', '/v1/members', {body: {name: 'Another', email: other}});
  expect({status: made.status, email: made.body.email}).toEqual({status: 201, email: other});
  expect((await me(await forge(other))).body.principal.id).toBe(made.body.id);
});

it('regression: unsigned claims do not affect how the JSON of later requests is parsed', async () => {
  const taught = Buffer.from('{"sub":{"sprint":"","gr\\\\u0":""}}').toString('base64url');
  for (let n = 0; n < 3; n++) expectProblem(await me(`e30.${taught}.abc`), 'invalid_token');

  const body = String.raw`{"team":"platform","update":"x","metadata":{"sprint":"","gr\u00f6\u00dfe":"5"}}`;
  const headers = {'Content-Type': 'application/json'};
  const posted = await workspace.request('POST', '/v1/standups', {body, headers});
  expect(posted.body.metadata).toEqual({sprint: '', größe: '5'});
});

it('no other issuer is accepted or requested without TRUSTED_ISSUERS', async () => {
  const closed = await startService();
  try {
    const own = await closed.addWorkspace('acme');
    const before = provider.asked.length;
    expectProblem(await own.request('GET', '/v1/me', {token: await provider.forge()}), 'invalid_token');
    expect(provider.asked).toHaveLength(before);
  } finally {
    await closed.close();
  }
});

it('regression: a workspace has room for the service account that the rules name, however many others it has', async () => {
  const own = await startService({env: {TRUSTED_ISSUERS: trusted(provider)}});
  try {
    const acme = await own.addWorkspace('Acme');
    const oneMore = () => own.core.services.people.ensureServiceAccount(acme.operator(), 'one more');
    const token = await provider.fetchToken('robot');
    for (let made = 1; made < limits.serviceAccountsPerWorkspace; made += 1)
      await acme.addToken({name: `busy ${made}`});
    const {body} = await acme.request('GET', '/v1/me', {token});
    expect(body.principal.name).toBe('deploy bot');
    await expect(oneMore()).rejects.toMatchObject({code: 'limit_reached'});
    expect((await acme.request('GET', '/v1/me', {token})).body.principal).toEqual(body.principal);
  } finally {
    await own.close();
  }
});
