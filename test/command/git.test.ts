import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {createMachine, type Machine, makeRepository} from './machine.js';

let machine: Machine;
let folder: string;

beforeEach(async () => {
  machine = createMachine();
  folder = path.join(machine.home, 'own');
  await makeRepository(folder, 'ada@example.com', [['ada@example.com', 'Own work']]);
});
afterEach(() => machine.remove());

const token = `x.${Buffer.from('{"sub": "mem_1"}').toString('base64url')}.x`;
const signedIn = {STANDUP_URL: 'http://127.0.0.1', STANDUP_TOKEN: token};

/** Stands for a service without standups. */
const send = async (request: Request): Promise<Response> =>
  new URL(request.url).pathname === '/v1/standups'
    ? Response.json({object: 'list', data: [], has_more: false, next_cursor: null})
    : Response.json({object: 'team_day', date: '2026-11-23', people: []});

const draft = (env: Readonly<Record<string, string>> = {}) =>
  machine.run(['post', '--from', 'git', '--team', 'platform'], {
    cwd: folder,
    env: {...signedIn, ...env},
    send,
  });
const git = (...args: string[]) => execFileSync('git', args, {cwd: folder, encoding: 'utf8'}).trim();

it('a draft has the commits of this folder, whatever the variables of git say', async () => {
  const other = path.join(machine.home, 'other');
  await makeRepository(other, 'eve@example.com', [['eve@example.com', 'Other work']]);
  const marker = path.join(machine.home, 'ran');
  const {code, stdout} = await draft({
    GIT_DIR: path.join(other, '.git'),
    GIT_WORK_TREE: other,
    GIT_AUTHOR_EMAIL: 'eve@example.com',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'user.email',
    GIT_CONFIG_VALUE_0: 'eve@example.com',
    GIT_PAGER: `touch ${marker}`,
    GIT_TRACE: marker,
  });
  expect({code, stdout}).toEqual({code: 0, stdout: '- Own work\n'});
  expect(existsSync(marker)).toBe(false);
});

it('a draft runs no program that the repository names', async () => {
  const marker = path.join(machine.home, 'ran');
  const tree = git('rev-parse', 'HEAD^{tree}');
  const now = Math.floor(Date.now() / 1_000);
  const signed = [
    `tree ${tree}`,
    `parent ${git('rev-parse', 'HEAD')}`,
    `author Ada <ada@example.com> ${now} +0000`,
    `committer Ada <ada@example.com> ${now} +0000`,
    'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----',
    '',
    'Signed work',
    '',
  ].join('\n');
  const made = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    cwd: folder,
    input: signed,
  });
  git('reset', '--soft', made.toString().trim());
  git('config', 'log.showSignature', 'true');
  const program = path.join(machine.home, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch ${marker}\n`, {mode: 0o755});
  for (const name of ['gpg.program', 'core.fsmonitor', 'core.pager', 'core.sshCommand'])
    git('config', name, program);
  const {code, stdout} = await draft();
  expect({code, stdout}).toEqual({code: 0, stdout: '- Own work\n- Signed work\n'});
  expect(existsSync(marker)).toBe(false);
});

it('regression: a draft of an incomplete repository fetches nothing, also with an older git', async () => {
  const marker = path.join(machine.home, 'ran');
  const program = path.join(machine.home, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch ${marker}\n`, {mode: 0o755});
  git('commit', '--quiet', '--allow-empty', '--author=Ada <ada@example.com>', '-m', 'Later work');
  const parent = git('rev-parse', 'HEAD~1');
  rmSync(path.join(folder, '.git', 'objects', parent.slice(0, 2), parent.slice(2)));
  for (const [name, value] of [
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.url', folder],
    ['remote.origin.uploadpack', program],
    ['protocol.allow', 'always'],
  ] as const)
    git('config', name, value);
  // Git before 2.39.4 does not know this variable.
  const real = execFileSync('sh', ['-c', 'command -v git'], {encoding: 'utf8'}).trim();
  const bin = path.join(machine.home, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'git'), `#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec ${real} "$@"\n`, {
    mode: 0o755,
  });
  await draft({PATH: `${bin}:${process.env['PATH'] ?? ''}`});
  expect(existsSync(marker)).toBe(false);
});

it.each([
  ['whose e-mail address looks like an option', '--output=ran', 0],
  ['whose e-mail address looks like a pattern', '.*', 0],
])('a draft is empty in a repository %s', async (_, email, code) => {
  git('config', 'user.email', email);
  expect(await draft()).toMatchObject({code, stdout: '\n'});
  expect(existsSync(path.join(folder, 'ran'))).toBe(false);
});

it('a draft outside of a repository is refused', async () => {
  folder = machine.home;
  const {code, stderr} = await draft();
  expect({code, stderr}).toEqual({code: 1, stderr: expect.stringMatching(/is in no git repository/)});
});

it('a draft is cut between two commits before it is too long for a standup', async () => {
  const subject = 'x'.repeat(1_500);
  const many = ['a', 'b', 'c', 'd'].map((letter) => ['ada@example.com', letter + subject] as const);
  folder = path.join(machine.home, 'long');
  await makeRepository(folder, 'ada@example.com', many);
  const {stdout} = await draft();
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(0, 3)),
  ).toEqual(['- a', '- b']);
});
