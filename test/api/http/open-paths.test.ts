import {readFileSync} from 'node:fs';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {calculateJwkThumbprint, createRemoteJWKSet, jwtVerify} from 'jose';
import {routes} from '../samples.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace('Open Paths');
});

afterAll(() => service.close());

const get = (path: string) => sendRequest(service.url, 'GET', path);

it('/v1/me shows the principal of the token, its workspace, its rights and its expiry', async () => {
  const {value} = await workspace.addToken({
    name: 'reader',
    scopes: ['teams:read', 'standups:read'],
    lifetime: 3_600,
  });
  const {status, body} = await workspace.request('GET', '/v1/me', {token: value});
  expect(status).toBe(200);
  expect(body).toEqual({
    object: 'me',
    principal: {type: 'service_account', id: expect.stringMatching(/^svc_/), name: 'reader'},
    workspace: {id: workspace.id, slug: 'open-paths', name: 'Open Paths', leads_invite: true},
    scopes: ['standups:read', 'teams:read'],
    expires_at: expect.stringMatching(/\.000Z$/),
    role: 'service_account',
    timezone: null,
    teams: [],
    inbox: null,
    blockers: null,
    webhooks: null,
  });
  const left = Date.parse(body.expires_at) - Date.now();
  expect(left).toBeGreaterThan(3_500_000);
  expect(left).toBeLessThanOrEqual(3_601_000);
});

it('/healthz answers while the process works', async () => {
  const {status, body, headers} = await get('/healthz');
  expect({status, body}).toEqual({status: 200, body: {status: 'ok'}});
  expect(headers.get('cache-control')).toBe('no-store');
});

it('/readyz shows the result of each check, and nothing secret', async () => {
  const {status, body, text} = await get('/readyz');
  expect(status).toBe(200);
  expect(body).toMatchObject({status: 'ready', store: 'ok', durability: 'none', slack: 'not configured'});
  expect(text).not.toContain(new URL(service.redisUrl).password);
});

it('/readyz of an installation without a workspace names the command that creates one', async () => {
  const empty = await startService();
  try {
    const {body} = await sendRequest(empty.url, 'GET', '/readyz');
    expect(body.workspaces).toContain('standup-admin workspace create NAME');
  } finally {
    await empty.close();
  }
});

it('/.well-known/jwks.json has the key that verifies access tokens, and only its public half', async () => {
  const {body, headers} = await get('/.well-known/jwks.json');
  expect(headers.get('content-type')).toMatch(/^application\/jwk-set\+json/);
  expect(body.keys).toEqual([
    {kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: expect.any(String), alg: 'EdDSA', use: 'sig'},
  ]);
  expect(body.keys[0].kid).toBe(await calculateJwkThumbprint(body.keys[0]));
  const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`));
  const {payload, protectedHeader} = await jwtVerify(workspace.token, keys);
  expect(protectedHeader).toEqual({alg: 'EdDSA', typ: 'at+jwt', kid: body.keys[0].kid});
  expect(Object.keys(payload).toSorted()).toEqual([
    'aud',
    'client_id',
    'exp',
    'iat',
    'iss',
    'jti',
    'scope',
    'sub',
    'workspace',
  ]);
  expect(payload.iss).toMatch(/^urn:standup:[a-z0-9]{12}$/);
  expect(payload.aud).toBe(payload.iss);
});

describe('/v1', () => {
  it('links the documents and each path that can be read', async () => {
    const {body} = await get('/v1');
    const reads = routes.filter(({method}) => method === 'GET');
    const {links, ...documents} = body;
    expect(documents).toEqual({
      object: 'index',
      documentation: 'http://localhost:3000/docs',
      openapi: 'http://localhost:3000/openapi.json',
      llms: 'http://localhost:3000/llms.txt',
      mcp: 'http://localhost:3000/mcp',
    });
    expect(links).toMatchObject({
      me: '/v1/me',
      teams: '/v1/teams',
      team: '/v1/teams/{team}',
      team_members: '/v1/teams/{team}/members',
      get_participation: '/v1/teams/{team}/participation',
      trends: '/v1/teams/{team}/trends',
      list_participation: '/v1/participation',
      export_standups: '/v1/export',
    });
    // Two operations of one name would be one link.
    expect(Object.keys(links)).toHaveLength(reads.length);
    expect(new Set(Object.values(links))).toEqual(new Set(reads.map(({path}) => path)));
  });

  it('has an entity tag, and answers 304 to a caller who has it', async () => {
    const {headers} = await get('/v1');
    const tag = headers.get('etag') ?? '';
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const again = await sendRequest(service.url, 'GET', '/v1', {headers: {'if-none-match': tag}});
    expect({status: again.status, text: again.text}).toEqual({status: 304, text: ''});
    const other = await sendRequest(service.url, 'GET', '/v1', {headers: {'if-none-match': '"other"'}});
    expect(other.status).toBe(200);
  });
});

describe('/docs', () => {
  const parts = ['/docs', '/docs/page.css', '/docs/start.js', '/docs/assets/swagger-ui.css'];

  it.each([...parts, '/docs/assets/swagger-ui-bundle.js'])(
    'serves %s under a strict policy',
    async (path) => {
      const {status, headers} = await get(path);
      expect(status).toBe(200);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toMatch(/https?:|\*|unsafe/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    },
  );

  it('loads nothing from other hosts', async () => {
    const page = await get('/docs');
    const linked = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, target]) => target ?? '');
    expect(linked).toContain('/docs/assets/swagger-ui-bundle.js');
    for (const target of linked) {
      expect(target).toMatch(/^\/(?!\/)/);
      expect((await get(target)).status).toBe(200);
    }
    for (const path of parts) expect((await get(path)).text).not.toMatch(/https?:\/\/(?!www\.w3\.org\/)/);
  });

  it('does not ask an external validator about the document', async () => {
    expect((await get('/docs/start.js')).text).toContain('validatorUrl: null');
  });

  it('is where / redirects to', async () => {
    const {status, headers} = await get('/');
    expect({status, location: headers.get('location')}).toEqual({status: 302, location: '/docs'});
  });

  it.each([
    '/docs/assets/../../package.json',
    '/docs/assets/%2e%2e/package.json',
    '/docs/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  ])('does not serve %s', async (path) => {
    const {text} = await get(path);
    expect(text).not.toContain(JSON.parse(readFileSync('package.json', 'utf8')).name);
  });
});
