import {beforeAll, describe, expect, it} from '@jest/globals';
import {testRedisUrl} from '../support/redis-server.js';
import {rowsOf, type CommandResult, runStandup, spawnStandup} from './run-standup.js';

let env: Record<string, string>;

beforeAll(async () => {
  env = {REDIS_URL: await testRedisUrl()};
});

const standup = (...args: string[]) => runStandup(args, env);

/** A refusal is one line on stderr, without a stack, and nothing on stdout. */
function expectRefusal({code, stdout, stderr}: CommandResult, wanted: {code: 1 | 2; says: RegExp}): void {
  expect({code, stdout}).toEqual({code: wanted.code, stdout: ''});
  expect(stderr).toMatch(wanted.says);
  expect(stderr).not.toMatch(/ {4}at |Error:/);
}

it('commands create two workspaces with teams in an empty installation', async () => {
  expectRefusal(await standup('team', 'list'), {
    code: 1,
    says: /^There is no workspace yet\. Create one: standup-admin workspace create NAME --owner EMAIL\n$/,
  });
  expect(await standup('workspace', 'list')).toEqual({
    code: 0,
    stdout: 'There is no workspace yet. Create one: standup-admin workspace create NAME --owner EMAIL\n',
    stderr: '',
  });

  expect(await standup('workspace', 'create', 'Größe & Co.')).toEqual({
    code: 0,
    stdout: 'grosse-co\n',
    stderr:
      'It has no owner yet. Create one: standup-admin member create EMAIL --role owner --workspace grosse-co\n' +
      'Then print a link that signs them in: standup-admin login --workspace grosse-co\n',
  });
  expectRefusal(await standup('workspace', 'create', 'Grosse Co'), {
    code: 1,
    says: /^There is a workspace "grosse-co" already\.\n$/,
  });

  // A single workspace need not be named.
  expect(await standup('team', 'create', 'platform')).toEqual({code: 0, stdout: 'platform\n', stderr: ''});
  const berlin = ['--name', 'Daten in Berlin', '--timezone', 'Europe/Berlin'];
  expect((await standup('team', 'create', 'data', ...berlin)).code).toBe(0);
  expectRefusal(await standup('team', 'create', 'data'), {
    code: 1,
    says: /^There is a team "data" already\..*\n$/,
  });
  const teams = rowsOf((await standup('team', 'list')).stdout);
  expect(teams.map((row) => row.slice(0, 4)).toSorted()).toEqual([
    ['data', 'Daten in Berlin', 'Europe/Berlin', '-'],
    ['platform', 'platform', 'UTC', '-'],
  ]);

  const checks = async () =>
    new Map(rowsOf((await standup('doctor')).stdout).map(([name, found]) => [name, found]));
  expect((await checks()).get('Next')).toBe('invite your team (2 of 5 done)');

  // With two workspaces, one must be named.
  expect((await standup('workspace', 'create', 'Second')).stdout).toBe('second\n');
  expectRefusal(await standup('team', 'list'), {
    code: 1,
    says: /^There are several workspaces \(grosse-co, second\): say which with --workspace\.\n$/,
  });
  const [, second] = rowsOf((await standup('workspace', 'list')).stdout);
  for (const reference of ['SECOND', second?.[2] ?? '']) {
    expect((await standup('team', 'list', '--workspace', reference)).stdout).toBe(
      'There is no team yet. Create one: standup-admin team create SLUG\n',
    );
  }
  expectRefusal(await standup('team', 'list', '--workspace', 'third'), {
    code: 1,
    says: /^There is no workspace "third"\. To list them: standup-admin workspace list\n$/,
  });
});

it('regression: the commands that `workspace create` names without --owner lead to a sign-in link', async () => {
  const empty = {REDIS_URL: await testRedisUrl()};
  const {stderr} = await runStandup(['workspace', 'create', 'Without an owner'], empty);
  const named = [...stderr.matchAll(/: standup-admin (.+)$/gm)].map(([, args = '']) => args.split(' '));
  const [create = [], login = []] = named.map((args) =>
    args.map((arg) => (arg === 'EMAIL' ? 'ada@example.com' : arg)),
  );
  expect((await runStandup(create, empty)).stdout).toMatch(/^mem_\w+\n$/);
  expect((await runStandup(login, empty)).stdout).toMatch(/^http\S+\/app\/sign-in#\S+\n$/);
});

describe('an incorrect command', () => {
  it.each<[string[], RegExp]>([
    [['team', 'create', 'Not A Slug'], /^"Not A Slug" is not a slug: /],
    [['team', 'create', 'ok', '--timezone', 'Mars'], /^"Mars" is not an IANA time zone/],
    [['workspace', 'create', 'w\u001b[31mx'], /^The name must not contain control characters/],
    [['team', 'create'], /missing required argument 'slug'/],
    [['team', 'list', '--nonsense'], /unknown option '--nonsense'/],
    [['team', 'nonsense'], /unknown command 'nonsense'/],
  ])('ends with 2 and shows its usage: standup %j', async (args, says) => {
    expectRefusal(await standup(...args), {code: 2, says});
  });

  it('ends with 2 in a separate process, too', async () => {
    const says = /unknown command 'nonsense'/;
    expectRefusal(await spawnStandup(['team', 'nonsense'], env), {code: 2, says});
  });
});

it('standup-admin token create --help needs no Redis, and prints to stdout', async () => {
  const {code, stdout, stderr} = await spawnStandup(['token', 'create', '--help'], {});
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  expect(stdout).toMatch(/^Usage: standup-admin token create /);
});
