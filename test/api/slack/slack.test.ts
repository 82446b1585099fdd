import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {scopes} from '../../../src/domain/core/access.js';
import {startFailureServer, type FailureServer} from '../../support/slack-failure-server.js';
import {botToken, signingSecret, startEmulator} from '../../support/slack-harness.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {eventsOf} from '../samples.js';
import {asId, asSuffix} from '../../support/ids.js';
import {suffixOf} from '../../../src/domain/core/ids.js';

const publicUrl = 'https://standup.example.com';
const channel = 'C024BE91L';
const newDeadline = () => performance.now() + 5_000;

const look = async (workspace: TestWorkspace) => (await workspace.request('GET', '/v1/slack')).body;
const noteTrouble = (workspace: TestWorkspace, at: string, code = 'not_in_channel') =>
  workspace.core.store.slackTroubles.note(
    workspace.id,
    at,
    {team: suffixOf(workspace.team), code},
    newDeadline(),
  );

let slack: FailureServer;
let close: () => Promise<void>;
beforeAll(async () => {
  const emulator = await startEmulator();
  slack = await startFailureServer(() => emulator.url);
  close = async () => {
    await slack.close();
    await emulator.close();
  };
});
afterAll(() => close());

describe('the Slack operations without Slack', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    service = await startService({env: {ROLES: 'web'}});
    workspace = await service.addWorkspace();
  });
  afterAll(() => service.close());

  it('answer every question clearly, and a disconnection does nothing', async () => {
    expect(await look(workspace)).toEqual({
      object: 'slack_connection',
      connected: false,
      mode: null,
      transport: null,
      slack_workspace: null,
      bot_name: null,
      connected_at: null,
      connected_by: null,
      missing_scopes: [],
      missing_optional_scopes: [],
      problem: null,
      install_url: null,
      advice: expect.stringContaining('docs/slack.md'),
    });
    for (const list of ['channels', 'troubles']) {
      expect((await workspace.request('GET', `/v1/slack/${list}`)).body.data).toEqual([]);
    }
    const before = await eventsOf(workspace);
    expect((await workspace.request('DELETE', '/v1/slack')).status).toBe(204);
    expect(await eventsOf(workspace)).toEqual(before);
    expectProblem(await workspace.request('POST', `/v1/slack/troubles/${channel}/retry`), 'not_found');
  });

  it('list channels of teams in pages, and say if something is not shown there', async () => {
    const own = await service.addWorkspace();
    const patch = (slug: string, body: object) => own.request('PATCH', `/v1/teams/${slug}`, {body});
    await own.request('POST', '/v1/teams', {body: {slug: 'design', name: 'Design'}});
    await own.request('POST', '/v1/teams', {body: {slug: 'silent'}});
    await patch('platform', {slack_channel_id: 'C0ONE'});
    await patch('design', {slack_channel_id: 'C0TWO', slack_digest: 'off'});
    await noteTrouble(own, 'C0TWO');
    const first = (await own.request('GET', '/v1/slack/channels?limit=1')).body;
    expect(first).toMatchObject({has_more: true, data: [{id: 'C0ONE', team: 'platform', trouble: false}]});
    const next = await own.request('GET', `/v1/slack/channels?limit=1&cursor=${first.next_cursor}`);
    expect(next.body).toMatchObject({
      has_more: false,
      data: [{id: 'C0TWO', team: 'design', team_name: 'Design', posts: ['standups'], trouble: true}],
    });
  });

  it('regression: list all problems of the same instant, page by page', async () => {
    const own = await service.addWorkspace();
    const channels = Array.from({length: 40}, (_, i) => `C0SAME${i}`);
    await Promise.all(channels.map((at) => noteTrouble(own, at)));
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const {body} = await own.request('GET', `/v1/slack/troubles?limit=5${cursor}`);
      seen.push(...body.data.map(({id}: {id: string}) => id));
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen.toSorted()).toEqual(channels.toSorted());
  });

  it('list problems latest first, each channel once, in pages', async () => {
    const own = await service.addWorkspace();
    for (const at of ['C0ONE', 'C0TWO', 'C0ONE']) {
      await noteTrouble(own, at);
      const noted = Date.now();
      while (Date.now() <= noted) await new Promise(setImmediate);
    }
    const first = (await own.request('GET', '/v1/slack/troubles?limit=1')).body;
    expect(first).toMatchObject({has_more: true, data: [{id: 'C0ONE', team: 'platform', state: 'open'}]});
    const next = await own.request('GET', `/v1/slack/troubles?limit=1&cursor=${first.next_cursor}`);
    expect(next.body).toMatchObject({has_more: false, data: [{id: 'C0TWO', reason: 'not_in_channel'}]});
  });
});

describe('the Slack operations with the token of one Slack workspace', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  // Each test has a process that has not asked Slack yet.
  beforeEach(async () => {
    const SLACK_API_URL = `${slack.url}/api/`;
    const env = {SLACK_BOT_TOKEN: botToken, SLACK_SIGNING_SECRET: signingSecret, SLACK_API_URL};
    service = await startService({env: {...env, ROLES: 'web'}});
    workspace = await service.addWorkspace();
  });
  afterEach(() => service.close());

  it('show the Slack workspace and missing permissions, and no secret', async () => {
    slack.fail('auth.test', {kind: 'refused', code: 'fatal_error'});
    expect(await look(workspace)).toMatchObject({connected: true, problem: 'fatal_error'});
    const {text, body} = await workspace.request('GET', '/v1/slack');
    expect(body).toMatchObject({
      connected: true,
      mode: 'token',
      transport: 'http',
      problem: null,
      missing_scopes: [],
      slack_workspace: {id: 'T000000001', name: expect.stringMatching(/\S/)},
      bot_name: 'standup',
      advice: expect.stringContaining('SLACK_BOT_TOKEN'),
    });
    expect(text).not.toContain(botToken);
    expect(text).not.toContain(signingSecret);
  });

  it('regression: show a revoked token as no connection, with the remedy in /readyz and the API', async () => {
    slack.failAlways('auth.test', {kind: 'refused', code: 'token_revoked'});
    try {
      const ready = await until(async () => {
        const {body} = await sendRequest(service.url, 'GET', '/readyz');
        return body.slack === 'refused' ? body : undefined;
      });
      const sentence =
        /^Slack does not take SLACK_BOT_TOKEN any more \(token_revoked\): install the app again/;
      expect(ready).toMatchObject({status: 'ready', slack_detail: expect.stringMatching(sentence)});
      expect(JSON.stringify(ready)).not.toContain(botToken);
      expect(await look(workspace)).toMatchObject({
        connected: false,
        problem: 'token_revoked',
        advice: expect.stringMatching(sentence),
      });
      expect((await workspace.request('GET', '/v1/workspace')).body.slack).toEqual({connected: false});
      const before = slack.of('auth.test').length;
      for (let i = 0; i < 50; i++) await sendRequest(service.url, 'GET', '/readyz');
      expect(slack.of('auth.test')).toHaveLength(before);
    } finally {
      slack.clear();
    }
  });

  it('refuse a disconnection, and say where Slack is configured', async () => {
    const refused = expectProblem(await workspace.request('DELETE', '/v1/slack'), 'set_by_configuration');
    expect(refused.detail).toContain('SLACK_BOT_TOKEN');
    expect(await look(workspace)).toMatchObject({connected: true});
  });

  it('retry all posts that wait in a channel or were given up, and a repeat of that has the same effect', async () => {
    await workspace.request('PATCH', '/v1/teams/platform', {body: {slack_channel_id: channel}});
    const {slackTroubles} = service.core.store;
    const lost = {kind: 'standup', suffix: asSuffix('0123456789abcdef')} as const;
    await noteTrouble(workspace, channel);
    const details = {team: suffixOf(workspace.team), code: 'outcome_unknown', lost};
    await slackTroubles.note(workspace.id, channel, details, newDeadline());
    const {body} = await workspace.request('GET', '/v1/slack/troubles');
    expect(body.data).toMatchObject([{given_up: {standups: 1, reports: 0}}]);
    const lead = await addPerson(service, workspace, {team: 'platform', as: 'lead'});
    const member = await addPerson(service, workspace, {name: 'Grace', team: 'platform'});
    const retry = (token: string, key: string) =>
      workspace.request('POST', `/v1/slack/troubles/${channel}/retry`, {
        token,
        headers: {'idempotency-key': key},
      });
    expectProblem(await retry(member.token, 'a'), 'forbidden');
    expect((await slackTroubles.find(workspace.id, channel, newDeadline()))?.lost).toHaveLength(1);
    const first = await retry(lead.token, 'a');
    expect(first).toMatchObject({status: 202, body: {id: channel, given_up: {standups: 0, reports: 0}}});
    const again = await retry(lead.token, 'a');
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await retry(lead.token, 'b')).body).toEqual(first.body);
  });
});

describe('the Slack operations of a service that many workspaces install', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({
      env: {
        ROLES: 'web',
        SLACK_CLIENT_ID: '123.456',
        SLACK_CLIENT_SECRET: 'a-client-secret-of-the-tests',
        SLACK_SIGNING_SECRET: signingSecret,
        SLACK_API_URL: `${slack.url}/api/`,
        PUBLIC_URL: publicUrl,
      },
    });
  });
  afterAll(() => service.close());

  async function install(token = botToken) {
    const {services} = service.core;
    const installer = {slackUser: 'U0ADA', name: 'Ada', timezone: null};
    const grant = {slackId: 'T0ACME', name: 'Acme', botToken: token, installer};
    const {id} = await services.slackConnections.connect(grant, newDeadline());
    const owner = await services.people.findSlackMember({workspace: id, deadline: newDeadline()}, 'U0ADA');
    const holder = {type: 'member', id: asId(owner?.id ?? ''), name: 'Ada'} as const;
    const operator = {...(await service.addWorkspace()).operator(), workspace: id};
    const {value} = await services.tokens.issueToken(operator, {name: 'own', holder, scopes});
    const ask = async (method: string, path: string) => {
      const {request} = await service.addWorkspace();
      return request(method, path, {token: value});
    };
    return {ask, owner: holder};
  }

  it('show the time and author of an installation, and a disconnection revokes the token', async () => {
    const {ask, owner} = await install();
    const {body} = await ask('GET', '/v1/slack');
    expect(body).toMatchObject({
      connected: true,
      mode: 'oauth',
      install_url: `${publicUrl}/slack/install`,
      connected_by: owner,
      connected_at: expect.stringMatching(/^20\d\d-/),
      slack_workspace: {id: 'T000000001'},
    });
    const revoked = slack.of('auth.revoke').length;
    expect((await ask('DELETE', '/v1/slack')).status).toBe(204);
    expect(slack.of('auth.revoke')).toHaveLength(revoked + 1);
    expect((await ask('GET', '/v1/slack')).body).toMatchObject({
      connected: false,
      connected_at: null,
      connected_by: null,
      problem: null,
      slack_workspace: {id: 'T0ACME', name: 'Acme'},
      advice: expect.stringContaining(`${publicUrl}/slack/install to connect it again`),
    });
    expect((await ask('GET', '/v1/workspace')).body.slack).toEqual({connected: false});
    const {data} = (await ask('GET', '/v1/events?limit=100')).body;
    expect(data.at(-1)).toMatchObject({type: 'slack.disconnected', actor: {type: 'member', id: owner.id}});
    // No workspace is connected any longer.
    expect((await ask('DELETE', '/v1/slack')).status).toBe(204);
    expect(slack.of('auth.revoke')).toHaveLength(revoked + 1);
  });

  it('show missing permissions of the bot, optional ones separately', async () => {
    const {ask} = await install('xoxb-narrow');
    const granted = [
      'app_mentions:read',
      'commands',
      'chat:write',
      'users:read',
      'channels:join',
      'im:history',
    ];
    const reply = {ok: true, team: 'Acme', team_id: 'T0ACME', response_metadata: {scopes: granted}};
    slack.fail('auth.test', {kind: 'replied', reply});
    expect((await ask('GET', '/v1/slack')).body).toMatchObject({
      missing_scopes: ['users:read.email'],
      missing_optional_scopes: ['channels:history', 'groups:history'],
      slack_workspace: {id: 'T0ACME', name: 'Acme', url: null},
    });
  });

  it('regression: erase a token even if Slack does not accept its revocation', async () => {
    const {ask} = await install('xoxb-of-nobody');
    expect((await ask('DELETE', '/v1/slack')).status).toBe(204);
    expect((await ask('GET', '/v1/slack')).body).toMatchObject({connected: false});
  });
});
