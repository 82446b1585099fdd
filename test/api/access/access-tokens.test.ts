import {createHash, generateKeyPairSync} from 'node:crypto';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {exportJWK, importJWK, type JWK, type JWTPayload, SignJWT} from 'jose';
import {sendToRedis} from '../../../scripts/redis-protocol.mjs';
import {createSigningKey} from '../../../src/api/access/signing-keys.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {
  type RequestOptions,
  sendRequest,
  startService,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {until} from '../../support/until.js';
import {dumpRedis} from '../../store/dump.js';
import {expectProblem} from '../http/expect-problem.js';
import {eventsOf} from '../samples.js';

let service: TestService;
let twin: TestService;
let workspace: TestWorkspace;
let privateKey: JWK;
let publicKey: JWK & {kid: string};
let claims: JWTPayload;

beforeAll(async () => {
  service = await startService();
  twin = await startService({redisUrl: service.redisUrl});
  workspace = await service.addWorkspace();
  const {store} = service.core;
  const [key] = await store.signingKeys.list(performance.now() + 5_000);
  privateKey = JSON.parse(key?.privateKey ?? '');
  publicKey = (await sendRequest(service.url, 'GET', '/.well-known/jwks.json')).body.keys[0];
  claims = JSON.parse(Buffer.from(workspace.token.split('.')[1] ?? '', 'base64url').toString());
});

afterAll(async () => {
  await twin.close();
  await service.close();
});

const me = (token: string) => workspace.request('GET', '/v1/me', {token});
const now = () => Math.floor(Date.now() / 1_000);
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with any claims and header, signed with the installation's own key. */
async function forge(
  changes: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const payload: JWTPayload = Object.fromEntries(
    Object.entries({...claims, ...changes}).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload)
    .setProtectedHeader({alg: 'EdDSA', typ: 'at+jwt', kid: publicKey.kid, ...header})
    .sign(await importJWK(privateKey, 'EdDSA'), {crit: {'urn:x': true}});
}

it('a token signed with the right key and claims is accepted, so that the refusals below are meaningful', async () => {
  expect((await me(await forge())).status).toBe(200);
});

describe('a token signed with our own key', () => {
  it.each<[string, () => Record<string, unknown>, Record<string, unknown>?]>([
    ['of another issuer', () => ({iss: 'urn:standup:another'})],
    ['for another audience', () => ({aud: 'urn:standup:another'})],
    ['that has expired', () => ({exp: now() - 60})],
    ['that is valid only later', () => ({nbf: now() + 60})],
    ['without an expiry', () => ({exp: undefined})],
    ['without a subject', () => ({sub: undefined})],
    ['without an id', () => ({jti: undefined})],
    ['without an issue date', () => ({iat: undefined})],
    ['without scopes', () => ({scope: undefined})],
    ['without a client', () => ({client_id: undefined})],
    ['without a workspace', () => ({workspace: undefined})],
    ['of a workspace that is no id', () => ({workspace: '*'})],
    ['with an id that is none', () => ({jti: 'tok_*'})],
    ['with the id of a token that was never made', () => ({jti: 'tok_01jd0000007000000000000000'})],
    ['for a subject that does not exist', () => ({sub: 'svc_01jd0000007000000000000000'})],
    ['for a subject that is no principal', () => ({sub: claims.jti ?? ''})],
    ['of another type', () => ({}), {typ: 'JWT'}],
    ['without a type', () => ({}), {typ: undefined}],
    ['with a key id that is not ours', () => ({}), {kid: 'another'}],
    ['with an extension that must be understood', () => ({}), {crit: ['urn:x'], 'urn:x': 1}],
  ])('is refused if it is a token %s', async (_, changes, header = {}) => {
    expectProblem(await me(await forge(changes(), header)), 'invalid_token');
  });

  it('a token that names another workspace than its own is refused', async () => {
    const other = await service.addWorkspace();
    expectProblem(await me(await forge({workspace: other.id})), 'invalid_token');
  });
});

describe('a token that we did not sign', () => {
  const header = () => ({alg: 'EdDSA', typ: 'at+jwt', kid: publicKey.kid});

  it.each(['none', 'None', 'NONE', ''])('is refused with the algorithm %j and no signature', async (alg) => {
    expectProblem(await me(`${encode({...header(), alg})}.${encode(claims)}.`), 'invalid_token');
  });

  it('is refused with HS256 and our public key as the secret', async () => {
    for (const secret of [publicKey.x ?? '', JSON.stringify(publicKey)]) {
      for (const encoding of ['base64url', 'utf8'] as const) {
        const token = await new SignJWT(claims)
          .setProtectedHeader({...header(), alg: 'HS256'})
          .sign(Buffer.from(secret, encoding));
        expectProblem(await me(token), 'invalid_token');
      }
    }
  });

  it.each(['jwk', 'jku', 'x5u', 'x5c'])(
    'is refused if its header %s has its own key, and no address in that header is requested',
    async (name) => {
      const own = JSON.parse(await createSigningKey()) as JWK;
      const {d: _, ...shown} = own;
      const asked: string[] = [];
      const trap = createServer((request, response) => {
        asked.push(request.url ?? '');
        response.end(JSON.stringify({keys: [{...shown, kid: publicKey.kid}]}));
      });
      await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
      const address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/keys`;
      const value = {jwk: shown, jku: address, x5u: address, x5c: ['AAAA']}[name];
      try {
        for (const kid of [publicKey.kid, 'theirs']) {
          const token = await new SignJWT(claims)
            .setProtectedHeader({...header(), kid, [name]: value})
            .sign(await importJWK(own, 'EdDSA'));
          expectProblem(await me(token), 'invalid_token');
        }
        expect(asked).toEqual([]);
      } finally {
        trap.close();
      }
    },
  );

  it('is refused if signed by an RSA or an EC key under our key id', async () => {
    const rsa = generateKeyPairSync('rsa', {modulusLength: 2_048}).privateKey;
    const ec = generateKeyPairSync('ec', {namedCurve: 'P-256'}).privateKey;
    for (const [alg, key] of [
      ['RS256', rsa],
      ['PS256', rsa],
      ['ES256', ec],
    ] as const) {
      const token = await new SignJWT(claims).setProtectedHeader({...header(), alg}).sign(key);
      expectProblem(await me(token), 'invalid_token');
    }
  });

  it('is refused if signed by the key of another installation', async () => {
    const elsewhere = await startService();
    try {
      const other = await elsewhere.addWorkspace();
      expectProblem(await me(other.token), 'invalid_token');
    } finally {
      await elsewhere.close();
    }
  });

  it('is refused with any one character changed', async () => {
    const [head = '', payload = '', signature = ''] = workspace.token.split('.');
    const spoil = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
    for (const token of [
      `${spoil(head)}.${payload}.${signature}`,
      `${head}.${spoil(payload)}.${signature}`,
      `${head}.${payload}.${spoil(signature)}`,
      `${head}.${payload}`,
      `${head}.${payload}.${signature}.${signature}`,
      workspace.token.slice(0, -4),
    ]) {
      expectProblem(await me(token), 'invalid_token');
    }
  });
});

it.each([
  'Basic dXNlcjpwYXNz',
  'Bearer',
  'Bearer ',
  'bearer two words',
  'Token abc',
  'Bearer a,b',
  `Bearer ${'x'.repeat(5_000)}`,
])('the header "Authorization: %s" is refused with invalid_token', async (authorization) => {
  const answer = await sendRequest(service.url, 'GET', '/v1/me', {headers: {authorization}});
  expectProblem(answer, 'invalid_token');
});

it('regression: a token has one spelling, and other spellings that decode to the same bytes are refused', async () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const spellings = [
    ...[...letters].map((letter) => workspace.token.slice(0, -1) + letter),
    `${workspace.token}==`,
  ];
  const answers = await Promise.all(
    spellings.map(async (token) => ({token, status: (await me(token)).status})),
  );
  expect(answers.filter(({status}) => status !== 401)).toEqual([{token: workspace.token, status: 200}]);
});

it('regression: an unsigned token does not affect how the JSON of later requests is parsed', async () => {
  const taught = Buffer.from('{"kid":{"sprint":"","gr\\\\u0":""}}').toString('base64url');
  for (let n = 0; n < 3; n++) expectProblem(await me(`${taught}.e30.abc`), 'invalid_token');

  const body = String.raw`{"team":"platform","update":"x","metadata":{"sprint":"","gr\u00f6\u00dfe":"5"}}`;
  const headers = {'Content-Type': 'application/json'};
  const posted = await workspace.request('POST', '/v1/standups', {body, headers});
  expect(posted.body.metadata).toEqual({sprint: '', größe: '5'});
});

it('the scheme Bearer may be written in any case', async () => {
  const headers = {authorization: `bearer ${workspace.token}`};
  expect((await sendRequest(service.url, 'GET', '/v1/me', {headers})).status).toBe(200);
});

it('a token in the query or a cookie is ignored', async () => {
  const headers = {cookie: `access_token=${workspace.token}`};
  const path = `/v1/me?access_token=${workspace.token}`;
  expectProblem(await sendRequest(service.url, 'GET', path, {headers}), 'authentication_required');
});

describe('revoking a token', () => {
  const requests: [string, string, RequestOptions][] = [
    ['GET', '/v1/standups', {}],
    ['GET', '/v1/me', {}],
    ['GET', '/v1/events', {}],
    ['POST', '/v1/standups', {body: {team: 'platform', update: 'Too late.'}}],
    ['PATCH', '/v1/teams/platform', {body: {name: 'Too late'}}],
    ['DELETE', '/v1/teams/platform', {}],
  ];

  it.each(requests)(
    'ends the token for %s %s in every process with the next request',
    async (method, path, options) => {
      const {value, id} = await workspace.addToken();
      // Both processes have verified the token and cached it.
      for (const {url} of [service, twin])
        expect((await sendRequest(url, 'GET', '/v1/me', {token: value})).status).toBe(200);
      await service.core.services.tokens.revokeToken(workspace.operator(), id);
      const before = await eventsOf(workspace);
      for (const {url} of [twin, service]) {
        const answer = await sendRequest(url, method, path, {...options, token: value});
        expectProblem(answer, 'invalid_token');
        expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      }
      expect(await eventsOf(workspace)).toEqual(before);
      expect((await me(workspace.token)).status).toBe(200);
    },
  );
});

it('an expired token is refused by a process that has it in memory, for reads and writes', async () => {
  const {value, id} = await workspace.addToken({lifetime: 60});
  expect((await me(value)).status).toBe(200);
  // Redis deletes the key when the token expires.
  const key = `{${workspace.id}}:t:${suffixOf(id)}`;
  const [left] = await sendToRedis(service.redisUrl, [['PTTL', key]]);
  expect(left).toBeGreaterThan(50_000);
  expect(left).toBeLessThanOrEqual(60_000);
  await sendToRedis(service.redisUrl, [['PEXPIRE', key, '1']]);
  const {admissions} = service.core.store;
  const applicant = () => ({workspace: workspace.id, token: {id}, deadline: performance.now() + 1_000});
  await until(async () => (await admissions.admit(applicant())).state === 'dead', {
    what: 'the token ran out',
  });
  expectProblem(await me(value), 'invalid_token');
  const body = {team: 'platform', update: 'Too late.'};
  expectProblem(await workspace.request('POST', '/v1/standups', {token: value, body}), 'invalid_token');
});

it('the store does not contain the value of a token', async () => {
  const digest = createHash('sha256').update(workspace.token).digest('hex');
  const dump = await dumpRedis(service.redisUrl);
  expect(dump.text).toContain(claims.jti ?? '');
  for (const secret of [workspace.token, workspace.token.split('.')[2] ?? '', digest, privateKey.d ?? '']) {
    expect(dump.text.includes(secret)).toBe(false);
  }
});

it('createSigningKey returns a new Ed25519 key each time', async () => {
  const [a, b] = [JSON.parse(await createSigningKey()), JSON.parse(await createSigningKey())];
  expect(a).toMatchObject({kty: 'OKP', crv: 'Ed25519'});
  expect(a.d).not.toBe(b.d);
  expect(await exportJWK(await importJWK(a, 'EdDSA', {extractable: true}))).toMatchObject({x: a.x});
});
