import {chmodSync, existsSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from '@jest/globals';
import {parseDays} from '../../src/domain/typed/parse-days.js';
import {createMachine, type Machine, type RunOptions} from './machine.js';

let machine: Machine;

beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.remove());

const tokenOf = (subject: string) =>
  `x.${Buffer.from(JSON.stringify({sub: subject})).toString('base64url')}.x`;
const env = {STANDUP_URL: 'https://standup.example.com', STANDUP_TOKEN: tokenOf('mem_1')};
const teams = [
  {slug: 'platform', name: 'Platform'},
  {slug: 'mobile', name: 'Mobile \u001b[2J'},
];
const blockers = [{id: 'blk_1', text: 'No access\nto staging.'}];

/** Stands for a service with two teams and a blocker. */
const serve =
  (ofMe: readonly object[] = teams) =>
  async (request: Request): Promise<Response> =>
    Response.json(
      new URL(request.url).pathname === '/v1/me'
        ? {teams: ofMe}
        : {object: 'list', data: blockers, has_more: false, next_cursor: null},
    );
const unexpected = async (): Promise<Response> => {
  throw new Error('a completion sends nothing');
};

const refresh = (send = serve(), options: RunOptions = {}) =>
  machine.run(['refresh-completion'], {env, send, ...options});
const complete = async (words: readonly string[], options: RunOptions = {}) => {
  const {code, stdout, stderr} = await machine.run(['complete', '--', ...words], {
    env,
    send: unexpected,
    ...options,
  });
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  return stdout.split('\n').filter((line) => line !== '');
};
const valuesOf = async (words: readonly string[], options?: RunOptions) =>
  (await complete(words, options)).map((line) => line.split('\t')[0] ?? '');
const refreshes = () => machine.started.filter(({program}) => program === 'standup');
const fileOfValues = () => path.join(machine.state, 'completion-default.json');

describe('the completion of values', () => {
  it('knows teams and blockers from the last hour, and sends nothing itself', async () => {
    expect(await complete(['today', ''])).toEqual([]);
    expect(refreshes()).toEqual([{program: 'standup', args: ['refresh-completion']}]);
    expect((await refresh()).code).toBe(0);
    expect(await complete(['today', ''])).toEqual(['platform\tPlatform', 'mobile\tMobile \\u{1b}[2J']);
    expect(await complete(['blockers', 'resolve', 'blk'])).toEqual(['blk_1\tNo access to staging.']);
    expect(statSync(fileOfValues()).mode & 0o777).toBe(0o600);
    const later = (minutes: number) => ({now: () => Date.now() + minutes * 60_000});
    expect(await valuesOf(['today', 'p'], later(59))).toEqual(['platform']);
    expect(await valuesOf(['today', 'p'], later(61))).toEqual([]);
  });

  it.each([
    ['after an option', ['post', '--team', ''], ['platform', 'mobile']],
    ['after an option and a text', ['post', 'Fixed it.', '--team', 'mob'], ['mobile']],
    ['after a comma, without those that are named', ['post', '--team', 'mobile,'], ['mobile,platform']],
    ['after an equals sign in zsh and fish', ['post', '--team=mo'], ['--team=mobile']],
    ['after an equals sign in bash', ['post', '--team', '=', 'mo'], ['mobile']],
    ['directly after an equals sign in bash', ['post', '--team', '='], ['platform', 'mobile']],
    ['after another option', ['today', '--json', '--date', '2026-11-23', 'p'], ['platform']],
    ['but not where a text is expected', ['post', 'p'], []],
    ['but not after the only team', ['today', 'platform', ''], []],
  ])('offers teams %s', async (_, words, expected) => {
    await refresh();
    expect(await valuesOf(words)).toEqual(expected);
  });

  it('offers days, sources and profiles without a sign-in', async () => {
    const away = {env: {}};
    expect(await valuesOf(['post', '--from', ''], away)).toEqual(['git', 'draft']);
    const now = () => new Date(2026, 10, 23, 12).getTime();
    expect(await complete(['today', '--date', ''], {...away, now})).toEqual([
      '2026-11-22\tyesterday',
      '2026-11-23\ttoday',
      '2026-11-24\ttomorrow',
    ]);
    expect(await complete(['today', ''], away)).toEqual([]);
    await machine.run(['login', env.STANDUP_URL, '--with-token', '--profile', 'own'], {
      input: env.STANDUP_TOKEN,
      send: async () => Response.json({workspace: {name: 'Example'}, principal: {name: 'Ada'}}),
    });
    expect(await valuesOf(['today', '--profile', ''], away)).toEqual(['own']);
  });

  it('offers only words for days off that are understood', async () => {
    const first = await valuesOf(['ooo', '']);
    expect(first).toEqual(expect.arrayContaining(['today', 'until', 'next', 'friday']));
    const texts = [
      ...first.filter((word) => !['until', 'next'].includes(word)),
      ...(await valuesOf(['ooo', 'until', ''])).map((word) => `until ${word}`),
      ...(await valuesOf(['ooo', 'next', ''])).map((word) => `next ${word}`),
    ];
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text) => 'error' in parseDays(text, '2026-11-23'))).toEqual([]);
  });

  it('is answered within 300 ms while the service is silent', async () => {
    await refresh();
    const silent = () => new Promise<Response>(() => undefined);
    const startedAt = performance.now();
    expect(await valuesOf(['today', ''], {send: silent})).toEqual(['platform', 'mobile']);
    expect(performance.now() - startedAt).toBeLessThan(300);
  });

  it('asks for new values at most once a minute', async () => {
    const start = Date.now();
    for (const seconds of [0, 1, 59, 61, 62])
      await complete(['today', ''], {now: () => start + seconds * 1_000});
    expect(refreshes()).toHaveLength(2);
    await complete(['today', '', '--json']);
    await complete(['today', '--profile', 'own', '']);
    expect(refreshes().at(-1)?.args).toEqual(['refresh-completion', '--profile', 'own']);
  });

  it('offers nothing that a shell would run, whatever the service says', async () => {
    const names = ['$(touch ran)', '`touch ran`', 'a;b', 'a b', "a'b", 'a\nb', 'a\tb', 'a\u202eb', ''];
    await refresh(serve(names.map((slug) => ({slug, name: 'x'}))));
    expect(await valuesOf(['today', ''])).toEqual([]);
  });

  it('keeps the values of a sign-in for itself, and deletes them with logout', async () => {
    await refresh();
    const other = {env: {...env, STANDUP_TOKEN: tokenOf('mem_2')}};
    expect(await valuesOf(['today', ''], other)).toEqual([]);
    const elsewhere = {env: {...env, STANDUP_URL: 'https://other.example.com'}};
    expect(await valuesOf(['today', ''], elsewhere)).toEqual([]);
    const send = async (request: Request) =>
      new URL(request.url).pathname === '/v1/me'
        ? Response.json({workspace: {name: 'Example'}, principal: {name: 'Ada'}, teams})
        : new Response(null, {status: 204});
    await machine.run(['login', env.STANDUP_URL, '--with-token'], {input: env.STANDUP_TOKEN, send});
    await complete(['today', ''], {env: {}});
    expect(readdirSync(machine.state)).toContain(path.basename(fileOfValues()));
    await machine.run(['logout'], {send});
    expect(readdirSync(machine.state)).not.toContain(path.basename(fileOfValues()));
  });

  it('keeps no values of a person who signed out while they were fetched', async () => {
    const login = async () => Response.json({workspace: {name: 'Example'}, principal: {name: 'Ada'}});
    await machine.run(['login', env.STANDUP_URL, '--with-token'], {input: env.STANDUP_TOKEN, send: login});
    const signOut = async (request: Request) => {
      if (new URL(request.url).pathname === '/v1/blockers')
        await machine.run(['logout'], {send: async () => new Response(null, {status: 204})});
      return serve()(request);
    };
    expect((await refresh(signOut, {env: {}})).code).toBe(4);
    expect(existsSync(fileOfValues())).toBe(false);
  });

  it('keeps a small file, however much a service sends', async () => {
    const many = Array.from({length: 5_000}, (_, i) => ({slug: `team-${i}`, name: 'n'.repeat(1_000)}));
    await refresh(serve([{slug: 's'.repeat(1_000_000), name: 'Long'}, ...many]));
    expect(statSync(fileOfValues()).size).toBeLessThan(50_000);
    expect(await valuesOf(['today', 'team-1'])).toContain('team-1');
  });

  it.each(['no JSON', '{"url": 1}', '[]'])('replaces a file of values that has %s in it', async (text) => {
    await refresh();
    writeFileSync(fileOfValues(), text);
    expect(await valuesOf(['today', ''])).toEqual([]);
    await refresh();
    expect(await valuesOf(['today', ''])).toEqual(['platform', 'mobile']);
  });

  it('does not use values that others can read', async () => {
    await refresh();
    chmodSync(fileOfValues(), 0o644);
    expect(await valuesOf(['today', ''])).toEqual([]);
    expect(statSync(fileOfValues()).mode & 0o777).toBe(0o600);
  });
});
