import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {testRedisUrl} from '../support/redis-server.js';
import {smtpLogin, startSmtp} from '../support/smtp.js';
import {startTlsFront} from '../support/tls-front.js';
import {testCertificate} from '../webhook/certificate.js';
import {rowsOf, runStandup, spawnStandup} from './run-standup.js';

/** The store of these tests has no worker. */
const withoutWorker = 'Fix these first: no worker.\n';

/** An address without a listener. */
const silent = 'http://127.0.0.1:1/api/';

let url: string;
let folder: string;

beforeAll(async () => {
  url = await testRedisUrl();
  folder = await mkdtemp(path.join(tmpdir(), 'standup-cli-'));
  // Data belongs to the SECRET_KEY of the first process that opens it.
  expect((await runStandup(['workspace', 'list'], {REDIS_URL: url})).code).toBe(0);
});

afterAll(() => rm(folder, {recursive: true}));

it('standup-admin doctor shows its findings with advice, and exits with 1 without a worker', async () => {
  const {code, stdout, stderr} = await runStandup(['doctor'], {REDIS_URL: url});
  expect({code, stderr}).toEqual({code: 1, stderr: withoutWorker});
  const rows = new Map(rowsOf(stdout).map(([name = '', ...rest]) => [name, rest]));
  expect(rows.get('Redis')).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/), 'reachable, not evicting']);
  expect(rows.get('Durability')?.[0]).toBe('none');
  expect(rows.get('Durability')?.[1]).toContain('appendfsync always');
  expect(rows.get('Worker')).toEqual(['none', expect.stringMatching(/^start a process with ROLES=worker/)]);
  expect(rows.get('Workspaces')).toEqual(['0', 'standup-admin workspace create NAME --owner EMAIL']);
  expect(rows.get('Slack')).toEqual(['not configured', expect.stringContaining('docs/slack.md')]);
  expect(stdout).not.toContain(new URL(url).password);
});

it.each<[string, Record<string, string>, string, RegExp]>([
  [
    'by token, at an address that Slack does not reach',
    {SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'shh'},
    'one workspace, by its token',
    /not http:\/\/localhost:3000: set SLACK_APP_TOKEN/,
  ],
  [
    'by token',
    {SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'shh', PUBLIC_URL: 'https://standup.example.com'},
    'one workspace, by its token',
    /https:\/\/standup\.example\.com\/slack\/events/,
  ],
  [
    'by Socket Mode',
    {SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1'},
    'one workspace, by Socket Mode',
    /readyz/,
  ],
  [
    'by OAuth',
    {
      SLACK_CLIENT_ID: '1.2',
      SLACK_CLIENT_SECRET: 'client',
      SLACK_SIGNING_SECRET: 'shh',
      PUBLIC_URL: 'https://standup.example.com',
    },
    'many workspaces, by OAuth',
    /https:\/\/standup\.example\.com\/slack\/install/,
  ],
])(
  'standup-admin doctor shows for Slack %s what to do next, and no secret',
  async (_, env, found, advice) => {
    const {stdout, stderr} = await runStandup(['doctor'], {REDIS_URL: url, SLACK_API_URL: silent, ...env});
    expect(stderr).toBe(withoutWorker);
    const [, ...row] = rowsOf(stdout).find(([name]) => name === 'Slack') ?? [];
    expect(row).toEqual([found, expect.stringMatching(advice)]);
    for (const secret of ['xoxb-1', 'xapp-1', 'shh', 'client ']) expect(stdout).not.toContain(secret);
  },
);

describe('standup-admin doctor', () => {
  const rowOf = async (SMTP_URL: string) => {
    const env = {REDIS_URL: url, SMTP_URL, MAIL_FROM: 'standup@example.com'};
    const {stdout, stderr} = await runStandup(['doctor'], env);
    expect(stdout + stderr).not.toContain(smtpLogin.password);
    const [, ...row] = rowsOf(stdout).find(([name]) => name === 'Mail') ?? [];
    return [...row, stderr];
  };

  it('shows that mail is off, and how to turn on mail', async () => {
    const {stdout} = await runStandup(['doctor'], {REDIS_URL: url});
    const row = ['Mail', 'off', 'no codes, invites or reminders by mail: set SMTP_URL and MAIL_FROM'];
    expect(rowsOf(stdout)).toContainEqual(row);
  });

  it('shows the ways to sign in, and those that are off', async () => {
    const {stdout} = await runStandup(['doctor'], {REDIS_URL: url, SIGN_IN: 'passkey,link,mail'});
    const off = 'off by SIGN_IN, or not set up: mail, slack, provider';
    expect(rowsOf(stdout)).toContainEqual(['Sign-in', 'passkey, link', off]);
  });

  it('shows that the mail server accepts mails, after a log-in that sends none', async () => {
    const server = await startSmtp({login: true});
    try {
      const name = `127.0.0.1:${server.port}`;
      expect(await rowOf(server.url)).toEqual([name, 'takes mails: connected and logged in', withoutWorker]);
      expect(server.steps).toEqual(['connect', 'login']);
    } finally {
      await server.close();
    }
  });

  it('shows the step at which the mail server fails, and exits with 1', async () => {
    const server = await startSmtp({login: true});
    const broken = 'Fix these first: no worker, the mail server.\n';
    try {
      const wrong = server.url.replace(/:[^:@/]+@/, ':wrong@');
      const name = `127.0.0.1:${server.port}`;
      const refused = expect.stringMatching(/^it refuses the user name or password in SMTP_URL \(.*535/);
      expect(await rowOf(wrong)).toEqual([`${name}: cannot log in`, refused, broken]);
      const unencrypted = server.url.replace('smtp:', 'smtps:').replace('?tls=off', '');
      const untrusted = expect.stringMatching(/^it offers no encryption/);
      expect(await rowOf(unencrypted)).toEqual([`${name}: cannot encrypt`, untrusted, broken]);
    } finally {
      await server.close();
    }
    const silentMail = 'smtp://127.0.0.1:1?tls=off';
    const unreachable = expect.stringMatching(/^it does not answer/);
    expect(await rowOf(silentMail)).toEqual(['127.0.0.1:1: cannot connect', unreachable, broken]);
  });
});

it.each<[string, Record<string, string>, RegExp]>([
  [
    'incomplete Slack settings',
    {SLACK_BOT_TOKEN: 'xoxb-1'},
    /SLACK_SIGNING_SECRET: is missing.*SLACK_APP_TOKEN for Socket Mode/,
  ],
  [
    'a wrong SECRET_KEY',
    {SECRET_KEY: 'another key, also of 32 characters!'},
    /^SECRET_KEY is not the one .*\n$/,
  ],
  ['a short SECRET_KEY', {SECRET_KEY: 'short'}, /SECRET_KEY: must have at least 32 characters/],
  ['an invalid REDIS_URL', {REDIS_URL: 'http://127.0.0.1/'}, /REDIS_URL: must be an address like/],
  [
    'production without settings',
    {NODE_ENV: 'production', REDIS_URL: '', SECRET_KEY: ''},
    /REDIS_URL[^]*SECRET_KEY/,
  ],
])('standup-admin doctor reports %s in one clear message, and exits with 1', async (_, env, says) => {
  const {code, stdout, stderr} = await runStandup(['doctor'], {REDIS_URL: url, ...env});
  expect({code, stdout}).toEqual({code: 1, stdout: ''});
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(/ {4}at /);
});

it('standup-admin doctor reports a wrong Redis password in one line without the password', async () => {
  const wrong = new URL(url);
  wrong.password = 'not-the-password';
  const {code, stderr} = await runStandup(['doctor'], {REDIS_URL: wrong.href});
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Redis at \S+ refuses the user name or password in REDIS_URL: correct them\.\n$/);
});

it('a command without REDIS_URL finds the Redis that a running `npm start` has recorded in DATA_DIR', async () => {
  const none = await runStandup(['doctor'], {DATA_DIR: folder});
  expect(none).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No running service was found: start one with `npm start`, or set REDIS_URL.\n',
  });
  await writeFile(path.join(folder, 'redis.json'), JSON.stringify({url, pid: process.pid}));
  const found = await spawnStandup(['workspace', 'list'], {DATA_DIR: folder});
  expect(found).toMatchObject({code: 0, stderr: ''});
});

it('a Redis certificate from a private authority is accepted with NODE_EXTRA_CA_CERTS, and refused without it', async () => {
  const {port} = new URL(url);
  const front = await startTlsFront(Number(port));
  try {
    const REDIS_URL = url.replace('redis:', 'rediss:').replace(`:${port}`, `:${front.port}`);
    const refused = await runStandup(['doctor'], {REDIS_URL});
    expect(refused).toMatchObject({code: 1, stderr: expect.stringContaining('NODE_EXTRA_CA_CERTS=FILE')});
    const authority = path.join(folder, 'ca.pem');
    await writeFile(authority, testCertificate.cert);
    const verified = await spawnStandup(['doctor'], {REDIS_URL, NODE_EXTRA_CA_CERTS: authority});
    expect(verified).toMatchObject({code: 1, stderr: withoutWorker});
  } finally {
    await front.close();
  }
});

it('regression: standup-admin doctor asks Slack whether it accepts the bot token, and reports a refusal', async () => {
  const slack = createServer((request, response) => {
    const refused = request.headers.authorization !== 'Bearer xoxb-good';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(refused ? {ok: false, error: 'token_revoked'} : {ok: true, team_id: 'T1'}));
  });
  await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve));
  const {port} = slack.address() as AddressInfo;
  const rowOf = async (SLACK_BOT_TOKEN: string, SLACK_API_URL = `http://127.0.0.1:${port}/api/`) => {
    const env = {SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET: 'shh', SLACK_API_URL};
    const {stdout, stderr} = await runStandup(['doctor'], {REDIS_URL: url, ...env});
    return [...(rowsOf(stdout).find(([name]) => name === 'Slack token') ?? []), stderr];
  };
  try {
    expect(await rowOf('xoxb-good')).toEqual(['Slack token', 'accepted', withoutWorker]);
    expect(await rowOf('xoxb-old')).toEqual([
      'Slack token',
      'rejected',
      expect.stringMatching(
        /^Slack does not take SLACK_BOT_TOKEN any more \(token_revoked\): install the app again/,
      ),
      'Fix these first: no worker, the Slack token.\n',
    ]);
    expect(await rowOf('xoxb-good', silent)).toEqual([
      'Slack token',
      'no answer',
      expect.any(String),
      withoutWorker,
    ]);
  } finally {
    await new Promise((resolve) => slack.close(resolve));
  }
});
