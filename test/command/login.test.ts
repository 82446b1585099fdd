import {chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync} from 'node:fs';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import {createMachine, type Machine, type RunOptions} from './machine.js';

let machine: Machine;

beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.remove());

const url = 'https://standup.example.com';
const started = {
  device_code: 'a secret',
  user_code: 'WDJB-MJHT',
  verification_uri: `${url}/app/device`,
  expires_in: 600,
  interval: 3,
};
const me = {
  principal: {type: 'member', id: 'mem_1', name: 'Ada'},
  workspace: {name: 'Example Inc', slug: 'example'},
  role: 'member',
  teams: [],
  scopes: [],
  expires_at: '2027-02-26T00:00:00Z',
};

interface Sent {
  readonly path: string;
  readonly body: unknown;
  readonly headers: Headers;
}

/** Stands for the service: answers the polls in order, then always the last. */
function createService(polls: readonly (object | 'silent')[]) {
  const sent: Sent[] = [];
  let polled = 0;
  const send = async (request: Request): Promise<Response> => {
    const {pathname} = new URL(request.url);
    const text = await request.text();
    sent.push({path: pathname, body: text === '' ? null : JSON.parse(text), headers: request.headers});
    if (pathname === '/app/device') return Response.json(started);
    if (pathname === '/v1/me') return Response.json(me);
    if (pathname !== '/app/device/token') return new Response(null, {status: 204});
    const answer = polls[Math.min(polled, polls.length - 1)] ?? {};
    polled += 1;
    if (answer === 'silent') throw new TypeError('fetch failed');
    return Response.json(answer, {status: 'error' in answer ? 400 : 200});
  };
  return {sent, send};
}

const pending = {error: 'authorization_pending'};
const approved = {access_token: 'the.new.token', token_type: 'Bearer', expires_at: '2027-02-26T00:00:00Z'};
const login = (send: RunOptions['send'], now?: () => number) =>
  machine.run(['login', url], {...(send && {send}), ...(now && {now})});
const credentials = () => path.join(machine.config, 'credentials.json');

describe('the sign-in by a code', () => {
  it('shows the code, waits for the approval, and keeps the token for this address', async () => {
    const {sent, send} = createService([pending, 'silent', {error: 'slow_down'}, approved]);
    expect(await login(send)).toEqual({
      code: 0,
      stdout: `Open ${url}/app/device and enter this code:\n\n  WDJB-MJHT\n\nYou are signed in to Example Inc as Ada. Post with: standup post\n`,
      stderr: '',
    });
    expect(sent.map(({path: asked}) => asked)).toEqual([
      '/app/device',
      ...Array.from({length: 4}, () => '/app/device/token'),
      '/v1/me',
    ]);
    expect(sent[0]?.body).toEqual({
      name: 'standup on lovelace',
      scopes: ['standups:read', 'standups:write', 'teams:read', 'members:read', 'members:write'],
    });
    expect(sent[1]?.body).toEqual({device_code: 'a secret'});
    expect(
      sent.slice(0, 5).filter(({headers}) => headers.has('authorization') || headers.has('origin')),
    ).toEqual([]);
    expect(JSON.parse(readFileSync(credentials(), 'utf8'))).toEqual({[`default@${url}`]: 'the.new.token'});
  });

  it.each([
    ['declined', {error: 'access_denied'}, 5, 'The sign-in was declined in the dashboard.\n'],
    ['expired', {error: 'expired_token'}, 1, 'The code is no longer valid. Run `standup login` again.\n'],
  ])('ends when it is %s, and keeps no token', async (_, answer, code, stderr) => {
    const {send} = createService([pending, answer]);
    expect(await login(send)).toMatchObject({code, stderr});
    expect(existsSync(credentials())).toBe(false);
  });

  it('ends by itself when no one enters the code', async () => {
    let time = 0;
    const {sent, send} = createService([pending]);
    const {code} = await login(send, () => (time += 100_000));
    expect({code, polls: sent.length - 1}).toEqual({code: 1, polls: 3});
  });

  it.each<[string, unknown, number[]]>([
    ['none', undefined, [5, 5, 10, 10]],
    ['0', 0, [3, 3, 8, 8]],
    ['a negative number', -60, [3, 3, 8, 8]],
    ['a text', 'soon', [5, 5, 10, 10]],
    ['a million seconds', 1_000_000, [60, 60, 65, 65]],
  ])(
    'regression: pauses before each question when the service asks for a pause of %s',
    async (_, interval, expected) => {
      const {send} = createService([pending, {error: 'slow_down'}, pending, approved]);
      const own = async (request: Request): Promise<Response> =>
        new URL(request.url).pathname === '/app/device'
          ? Response.json({...started, interval})
          : send(request);
      const pauses: number[] = [];
      const sleep = async (ms: number) => void pauses.push(ms / 1_000);
      const {code} = await machine.run(['login', url], {send: own, sleep});
      expect({code, pauses}).toEqual({code: 0, pauses: expected});
    },
  );

  it.each<[string, unknown]>([
    ['is for ever', 1e300],
    ['is a text', 'long'],
    ['is negative', -1],
  ])('regression: asks no longer than half an hour when the life of the code %s', async (_, expires) => {
    const {sent, send} = createService([pending]);
    const own = async (request: Request): Promise<Response> =>
      new URL(request.url).pathname === '/app/device'
        ? Response.json({...started, expires_in: expires})
        : send(request);
    let time = 0;
    const sleep = async (ms: number) => void (time += ms);
    const {code} = await machine.run(['login', url], {send: own, sleep, now: () => time});
    expect(code).toBe(1);
    expect(sent.length).toBeGreaterThan(0);
    expect(time).toBeLessThanOrEqual(1_800_000);
  });

  it('regression: does not lead to the page of another service unseen, which would sign this one in there', async () => {
    const {send} = createService([approved]);
    const relay = async (request: Request): Promise<Response> =>
      new URL(request.url).pathname === '/app/device'
        ? Response.json({...started, verification_uri: 'https://victim.example/app/device'})
        : send(request);
    const {code, stderr} = await machine.run(['login', url], {send: relay, isInteractive: true});
    expect(code).toBe(0);
    expect(stderr).toBe(
      `This page is not of ${url}, but of victim.example. If you enter the code there, the people who run ${url} can use it in your name.\n`,
    );
    expect(machine.started).toEqual([]);
  });

  it('opens the page of the service in the browser', async () => {
    const {send} = createService([approved]);
    await machine.run(['login', url], {send, isInteractive: true});
    expect(machine.started).toEqual([{program: 'xdg-open', args: [`${url}/app/device`]}]);
  });

  it('names the sign-in with a token where the service has no codes', async () => {
    const send = async () =>
      Response.json({status: 404, code: 'not_found', detail: 'No page.\u001b[2J'}, {status: 404});
    const {code, stderr} = await login(send);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${url} does not offer this sign-in: No page.\\u{1b}[2J\nUse a token from the dashboard: standup login ${url} --with-token < FILE\n`,
    );
  });

  it('is revoked at its service by logout', async () => {
    const {sent, send} = createService([approved]);
    await login(send);
    expect(await machine.run(['logout'], {send})).toEqual({
      code: 0,
      stdout: 'You are signed out.\n',
      stderr: '',
    });
    expect(sent.at(-1)).toMatchObject({path: '/app/device/revoke', body: {token: 'the.new.token'}});
    expect(JSON.parse(readFileSync(credentials(), 'utf8'))).toEqual({});
  });

  it('is kept in profiles of their own', async () => {
    const {send} = createService([approved]);
    await login(send);
    await machine.run(['login', 'http://127.0.0.1:3000/', '--profile', 'own'], {send});
    const {profiles} = JSON.parse(readFileSync(path.join(machine.config, 'config.json'), 'utf8'));
    expect(profiles).toEqual({default: {url}, own: {url: 'http://127.0.0.1:3000'}});
    expect((await machine.run(['whoami', '--profile', 'own'], {send})).code).toBe(0);
    expect((await machine.run(['whoami', '--profile', 'third'], {send})).code).toBe(4);
  });

  it('regression: may be kept in a folder to which a link leads', async () => {
    const {send} = createService([approved]);
    const folder = path.join(machine.home, 'dotfiles');
    mkdirSync(folder, {mode: 0o700});
    mkdirSync(path.dirname(machine.config));
    symlinkSync(folder, machine.config);
    await login(send);
    expect(await machine.run(['whoami'], {send})).toMatchObject({code: 0, stderr: ''});
    chmodSync(folder, 0o777);
    expect((await machine.run(['whoami'], {send})).code).toBe(1);
  });

  it('warns of an address without encryption, and refuses what is no address', async () => {
    const {send} = createService([approved]);
    const open = await machine.run(['login', 'http://standup.example.com'], {send});
    expect(open.stderr).toMatch(
      /^The connection to http:\S+ is not encrypted: others can read your token\.\n$/,
    );
    for (const address of ['ftp://example.com', 'https://user:password@example.com', 'a b'])
      expect((await machine.run(['login', address], {send})).code).toBe(2);
  });

  it('does not follow a redirect, which would take the token elsewhere', async () => {
    const {send} = createService([approved]);
    await login(send);
    const asked: string[] = [];
    const redirect = async ({url: address, redirect: how}: Request) => {
      asked.push(`${address} ${how}`);
      return new Response(null, {status: 308, headers: {location: 'https://evil.example/'}});
    };
    const {code, stderr} = await machine.run(['whoami'], {send: redirect});
    expect({code, asked}).toEqual({code: 6, asked: [`${url}/v1/me manual`]});
    expect(stderr).toContain('leads to https://evil.example/.');
  });
});

describe('the command', () => {
  it('has completions of commands and options for each shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await machine.run(['completion', shell])).stdout).toContain('standup complete --');
    const {stdout} = await machine.run(['complete', '--', 'blockers', '']);
    expect(stdout).toMatch(/^raise\t.+\nack\t.+\nresolve\t.+\n$/);
    expect((await machine.run(['complete', '--', 'post', '--'])).stdout).toContain('--blocker\t');
  });

  it('answers an option of the operator with the operator’s command', async () => {
    const {code, stderr} = await machine.run(['login', '--member', 'ada@example.com']);
    expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining('run `standup-admin login`')});
  });
});
