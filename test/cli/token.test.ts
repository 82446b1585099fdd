import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {rowsOf, runStandup, spawnStandup} from './run-standup.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace('Only One');
});

afterAll(() => service.close());

const standup = (...args: string[]) => runStandup(args, {REDIS_URL: service.redisUrl});

const tokenLine = /^[\w-]+\.[\w-]+\.[\w-]+\n$/;

/** Creates a token with the command and returns its value. */
async function create(...args: string[]): Promise<string> {
  const {code, stdout, stderr} = await standup('token', 'create', ...args);
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(stdout).toMatch(tokenLine);
  return stdout.trim();
}

describe('standup-admin token create', () => {
  it('prints only the token, which works at once', async () => {
    const args = ['token', 'create', '--name', 'robot'];
    const {stdout, ...rest} = await spawnStandup(args, {REDIS_URL: service.redisUrl});
    expect(rest).toEqual({code: 0, stderr: ''});
    expect(stdout).toMatch(tokenLine);
    const token = stdout.trim();
    const {status, body} = await workspace.request('GET', '/v1/me', {token});
    expect({status, name: body.principal.name, scopes: body.scopes}).toEqual({
      status: 200,
      name: 'robot',
      scopes: ['standups:read', 'standups:write'],
    });
    const days = (Date.parse(body.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    const posted = await workspace.request('POST', '/v1/standups', {
      token,
      body: {team: 'platform', update: 'Hi.'},
    });
    expect(posted.body.author).toMatchObject({type: 'service_account', name: 'robot'});
  });

  it('accepts scopes and a lifetime, and reuses the service account with the given name', async () => {
    const args = [
      '--name',
      'robot',
      '--scope',
      'events:read standups:read',
      '--expires',
      '30d',
      '--workspace',
      'only-one',
    ];
    const me = async (token: string) => (await workspace.request('GET', '/v1/me', {token})).body;
    const [first, second] = [await me(await create('--name', 'robot')), await me(await create(...args))];
    expect(second.principal).toEqual(first.principal);
    expect(second.scopes).toEqual(['standups:read', 'events:read']);
    expect(Math.round((Date.parse(second.expires_at) - Date.now()) / 86_400_000)).toBe(30);
  });

  it('makes a token that acts for a member', async () => {
    const {people} = service.core.services;
    const owner = await people.ensureOwner(workspace.operator(), 'Ada');
    const token = await create('--name', 'ada', '--member', owner.id);
    const {body} = await workspace.request('GET', '/v1/me', {token});
    expect(body.principal).toEqual({type: 'member', id: owner.id, name: 'Ada'});
    const unknown = await standup('token', 'create', '--name', 'x', '--member', 'nobody@example.test');
    expect(unknown).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no member "nobody@example.test". To list them: standup-admin member list\n',
    });
  });

  it.each<[string[], 1 | 2, RegExp]>([
    [[], 2, /required option '--name <name>' not specified/],
    [
      ['--name', 'a', '--scope', 'standups:read nonsense'],
      2,
      /^"nonsense" is not a scope\. Scopes: standups:read /,
    ],
    [['--name', 'a', '--expires', 'soon'], 2, /^"soon" is not a duration: use 30d, 12h or 90m\./],
    [['--name', 'a', '--expires', '367d'], 1, /^A token lives for 1 minute to 366 days\.\n$/],
    [
      ['--name', 'a', '--workspace', 'nowhere'],
      1,
      /^There is no workspace "nowhere"\. To list them: standup-admin workspace list\n$/,
    ],
  ])('refuses %j with exit code %d', async (args, code, says) => {
    const run = await standup('token', 'create', ...args);
    expect({code: run.code, stdout: run.stdout}).toEqual({code, stdout: ''});
    expect(run.stderr).toMatch(says);
    expect(run.stderr).not.toMatch(/ {4}at /);
  });

  it('makes at most 50 valid tokens for one holder', async () => {
    for (let i = 0; i < 50; i++) await workspace.addToken({name: 'greedy'});
    const {code, stderr} = await standup('token', 'create', '--name', 'greedy');
    expect({code, stderr}).toEqual({
      code: 1,
      stderr: 'greedy has 50 live tokens already. Revoke one first.\n',
    });
  });
});

it('standup-admin token list shows each token with its holder, expiry and scopes, but without its value', async () => {
  const token = await create('--name', 'listed', '--scope', 'teams:read', '--expires', '12h');
  const {code, stdout, stderr} = await standup('token', 'list');
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  const row = rowsOf(stdout).find(([, name]) => name === 'listed');
  expect(row).toEqual([
    expect.stringMatching(/^tok_/),
    'listed',
    'listed (service_account)',
    'operator',
    expect.stringMatching(/^\d{4}-.*Z$/),
    'token',
    'teams:read',
  ]);
  for (const part of token.split('.').slice(1)) expect(stdout).not.toContain(part);
});

it('standup-admin token revoke ends a token in the running service at its next request', async () => {
  const token = await create('--name', 'short-lived');
  expect((await workspace.request('GET', '/v1/me', {token})).status).toBe(200);
  const [id = ''] =
    rowsOf((await standup('token', 'list')).stdout).find(([, name]) => name === 'short-lived') ?? [];
  expect(await standup('token', 'revoke', id)).toEqual({code: 0, stdout: `revoked ${id}\n`, stderr: ''});
  expect((await workspace.request('GET', '/v1/me', {token})).body.code).toBe('invalid_token');
  expect((await standup('token', 'list')).stdout).not.toContain(id);
  for (const unknown of [id, 'tok_x']) {
    expect(await standup('token', 'revoke', unknown)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no such token. To list them: standup-admin token list\n',
    });
  }
});
