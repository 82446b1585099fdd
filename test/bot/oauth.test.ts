import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import {randomBytes, randomUUID} from 'node:crypto';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {operatorCall} from '../../src/service/workspaces/workspaces.js';
import {dumpRedis} from '../store/dump.js';
import {startService, type TestService} from '../support/service.js';
import {type FailureServer, startFailureServer} from '../support/slack-failure-server.js';
import {
  type LogLine,
  manifest,
  createRecordingLog,
  sendSigned,
  signingSecret,
} from '../support/slack-harness.js';
import {type SlackWorkspaces, startSlackWorkspaces} from '../support/slack-workspaces.js';
import {until} from '../support/until.js';
import type {Id} from '../../src/domain/core/ids.js';
import {asId} from '../support/ids.js';

const publicUrl = 'https://standup.example.com';
const [client, secret] = ['123.456', 'a-client-secret-of-the-tests'];
const app = {
  app_id: 'A1',
  client_id: client,
  client_secret: secret,
  name: 'Standup',
  redirect_uris: [`${publicUrl}/slack/oauth_redirect`],
};
const channel = 'C000000001';
const admin = {id: 'U000000001', name: 'admin'};

const teams = [
  'ONE',
  'TWO',
  'ORG',
  'END',
  'BACK',
  'GONE',
  'DOORS',
  'PEOPLE',
  'GREET',
  'AGAIN',
  'LATER',
  'LOST',
].map((name) => `T0${name}`);

const lines: LogLine[] = [];
let slacks: SlackWorkspaces;
let slack: FailureServer;
let service: TestService;
beforeAll(async () => {
  slacks = await startSlackWorkspaces(teams, app);
  slack = await startFailureServer(() => slacks.url);
  service = await startService({
    log: createRecordingLog(lines),
    env: {
      SLACK_CLIENT_ID: client,
      SLACK_CLIENT_SECRET: secret,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: `${slack.url}/api/`,
      PUBLIC_URL: publicUrl,
      TRUST_PROXY: '1',
    },
  });
});
afterEach(() => expect(slack.limitViolations).toEqual([]));
afterAll(async () => {
  await service.close();
  await slack.close();
  await slacks.close();
});

const newDeadline = () => performance.now() + 5_000;

/**
 * Starts an installation in a browser with its own network address. Returns its redirect, cookie and state.
 */
let browsers = 0;
async function begin(method = 'GET', address = `10.0.0.${++browsers}`) {
  const reply = await fetch(`${service.url}/slack/install`, {
    method,
    redirect: 'manual',
    headers: {'x-forwarded-for': address},
  });
  const authorize = reply.headers.get('location') ?? '';
  const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';');
  return {reply, authorize, cookie, state: new URL(authorize || publicUrl).searchParams.get('state') ?? ''};
}

/** The bot's tokens in each Slack workspace. */
const tokensOf = new Map<string, Set<string>>();

/** The direct messages to the installer in a Slack workspace. */
const greetingsOf = (team: string) =>
  slack
    .of('chat.postMessage')
    .filter(({body, token}) => body['channel'] === admin.id && tokensOf.get(team)?.has(token) === true);

/** Number of installation states in the store. */
async function statesKept(): Promise<number> {
  const {keys} = await dumpRedis(service.redisUrl);
  return keys.filter((key) => key.includes('slack-state')).length;
}

async function comeBack(address: string, cookie?: string) {
  const {pathname, search} = new URL(address);
  const reply = await fetch(`${service.url}${pathname}${search}`, {
    headers: cookie === undefined ? {} : {cookie},
  });
  return {status: reply.status, headers: reply.headers, text: await reply.text()};
}

async function install(
  team: string,
  options: {user?: string; organisation?: string; isGreeted?: boolean} = {},
) {
  const {authorize, cookie} = await begin();
  const page = await comeBack(await slacks.allow(team, authorize, options), cookie);
  expect(page).toMatchObject({
    status: 200,
    text: expect.stringContaining('to see your next step'),
  });
  const tokens = tokensOf.get(team) ?? new Set();
  tokensOf.set(team, tokens.add(`Bearer ${slacks.tokenOf(team)}`));
  const id = await service.core.store.slackInstallations.findWorkspace(
    options.organisation ?? team,
    newDeadline(),
  );
  if (id === undefined) return asId<'workspace'>('');
  const pending = workspaceKeys(id).slackPending(admin.id);
  const isOver = async () => (await sendToRedis(service.redisUrl, [['ZCARD', pending]]))[0] === 0;
  if (options.isGreeted !== false) await until(isOver, {what: 'the greeting'});
  return id;
}

/** Installs the app in a workspace with a team for a channel. */
async function installTeam(team: string): Promise<Id<'workspace'>> {
  const workspace = await install(team);
  await service.core.services.teams.createTeam(operatorCall(workspace, newDeadline()), {
    slug: 'platform',
    name: 'Platform',
    slack_channel_id: channel,
  });
  return workspace;
}

const command = (team: string, text: string, more: Record<string, string> = {}) =>
  sendSigned(service.url, {
    command: '/standup',
    text,
    user_id: admin.id,
    user_name: admin.name,
    team_id: team,
    channel_id: channel,
    trigger_id: randomUUID(),
    response_url: `${slack.url}/respond`,
    ...more,
  });

const event = (team: string, of: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  sendSigned(
    service.url,
    JSON.stringify({
      type: 'event_callback',
      team_id: team,
      api_app_id: 'A1',
      event_id: `Ev${randomBytes(5).toString('hex').toUpperCase()}`,
      event_time: Math.floor(Date.now() / 1_000),
      event: of,
      ...more,
    }),
    {contentType: 'application/json'},
  );

const uninstalled = {type: 'app_uninstalled'};
const revoked = {type: 'tokens_revoked', tokens: {oauth: [], bot: ['UBOT']}};

async function eventsOf(workspace: Id<'workspace'>): Promise<string[]> {
  const {events} = service.core.services;
  const {rows} = await events.listEvents(operatorCall(workspace, newDeadline()), {limit: 100});
  return rows.map((row) => (JSON.parse(row) as {type: string}).type);
}
const connections = async (workspace: Id<'workspace'>) =>
  (await eventsOf(workspace)).filter((type) => /^slack\.(?:dis)?connected$/.test(type));

async function isConnected(workspace: Id<'workspace'>): Promise<boolean> {
  const {workspaces} = service.core.services;
  return (await workspaces.findWorkspace({workspace, deadline: newDeadline()})).slack.connected;
}

/** The messages in the day's thread. */
async function thread(team: string): Promise<string[]> {
  const [parent] = await slacks.messages(team, channel);
  return parent === undefined ? [] : slacks.replies(team, channel, parent.ts);
}

async function post(workspace: Id<'workspace'>, update: string): Promise<void> {
  const {people, standups} = service.core.services;
  const principal = await people.ensureServiceAccount(operatorCall(workspace, newDeadline()), 'ci');
  await standups.postStandup(
    {...operatorCall(workspace, newDeadline()), principal},
    {team: 'platform', update, source: 'api'},
  );
}

describe('an installation', () => {
  it('regression: gives the browser a cookie for this host alone, which no other site can send', async () => {
    const {reply, authorize, cookie} = await begin();
    const confined = /^__Host-standup-oauth-state=\S+; Secure; HttpOnly; Path=\/; [^,]*; SameSite=Lax$/;
    expect(reply.headers.get('set-cookie')).toMatch(confined);
    const page = await comeBack(await slacks.allow('T0ONE', authorize), cookie);
    expect(page.headers.get('set-cookie')).toMatch(
      /^__Host-standup-oauth-state=deleted; Secure; HttpOnly; Path=\/; Expires=.*; SameSite=Lax$/,
    );
  });

  it('leads to Slack with the scopes of the manifest, and back to a page with the next step', async () => {
    const {reply, authorize, cookie} = await begin();
    expect(reply.status).toBe(302);
    const url = new URL(authorize);
    expect(`${url.origin}${url.pathname}`).toBe(`${slack.url}/oauth/v2/authorize`);
    expect(url.searchParams.get('scope')?.split(',').toSorted()).toEqual(
      manifest.oauth_config.scopes.bot.toSorted(),
    );
    expect(url.searchParams.get('redirect_uri')).toBe(`${publicUrl}/slack/oauth_redirect`);
    const page = await comeBack(await slacks.allow('T0ONE', authorize), cookie);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Standup is installed in Team T0ONE. Open Slack');
    expect(page.text).toContain('href="slack://app?team=T0ONE&amp;id=A1&amp;tab=messages"');
    expect(page.text).toContain('href="https://slack.com/app_redirect?app=A1&amp;team=T0ONE"');
    expect(page.text).toContain('href="https://standup.example.com/app"');
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    });
  });

  it('greets the installer once, says what they may do, and offers the first set-up', async () => {
    await install('T0GREET');
    const [greeting, ...more] = greetingsOf('T0GREET');
    expect(more).toEqual([]);
    expect(greeting?.body['text']).toBe(
      'Hi admin! Standup is ready. Once a day I ask your team what they’re working on, and share the answers in your channel. You’re the owner: you can change everything, and you choose who else can. https://standup.example.com/app',
    );
    const blocks = JSON.stringify(greeting?.body['blocks']);
    expect(blocks).toMatch(/"action_id":"open-setup".*Set up your first standup/);
    expect(blocks).toContain('"type":"link","url":"https://standup.example.com/app"');
  });

  it('does not greet the installer again when it is repeated', async () => {
    await install('T0AGAIN');
    expect(greetingsOf('T0AGAIN')).toHaveLength(1);
    await event('T0AGAIN', uninstalled);
    await install('T0AGAIN');
    expect(greetingsOf('T0AGAIN')).toHaveLength(1);
  });

  it('greets an installer who was never greeted at the next installation', async () => {
    slack.fail('chat.postMessage', {kind: 'refused', code: 'account_inactive'});
    await install('T0LATER', {isGreeted: false});
    await until(() => greetingsOf('T0LATER').length === 1, {what: 'the refused greeting'});
    await install('T0LATER');
    const sent = greetingsOf('T0LATER');
    expect(sent.map(({reply}) => reply !== undefined)).toEqual([false, true]);
  });

  it('can begin thirty times a minute from one network, and then shows a page that says when to come back', async () => {
    const beginFrom = (last: number) => begin('GET', `2001:db8:1:2::${last}`);
    const before = await statesKept();
    for (let i = 0; i < 30; i++) expect((await beginFrom(i)).reply.status).toBe(302);
    for (let i = 0; i < 5; i++) {
      const {reply} = await beginFrom(100 + i);
      expect(reply.status).toBe(429);
      expect(['1', '2']).toContain(reply.headers.get('retry-after'));
      expect(reply.headers.has('set-cookie')).toBe(false);
      expect(await reply.text()).toMatch(/<p>Too many installations from your network.* Wait .*\d.* s/);
    }
    expect(await statesKept()).toBe(before + 30);
    expect((await begin()).reply.status).toBe(302);
  });

  it('does not begin with a HEAD request, which leads to Slack and leaves nothing behind', async () => {
    const before = await statesKept();
    const {reply, authorize, state} = await begin('HEAD');
    expect(reply.status).toBe(302);
    expect([authorize.startsWith(slack.url), state]).toEqual([true, '']);
    expect(await statesKept()).toBe(before);
  });

  it('finishes once: a second return from Slack leads to a page that says so and offers to begin again', async () => {
    const {authorize, cookie} = await begin();
    const back = await slacks.allow('T0ONE', authorize);
    expect((await comeBack(back, cookie)).status).toBe(200);
    const again = await comeBack(back, cookie);
    expect(again.status).toBe(400);
    expect(again.text).toContain('once, within 10 minutes');
    expect(again.text).toContain('<a href="/slack/install">Start again</a>');
  });

  it('is refused to another browser, whose attempt does not use it up', async () => {
    const [{authorize, cookie}, other] = [await begin(), await begin()];
    const back = await slacks.allow('T0ONE', authorize);
    expect((await comeBack(back)).status).toBe(400);
    expect((await comeBack(back, other.cookie)).status).toBe(400);
    expect((await comeBack(back, cookie)).status).toBe(200);
  });

  it('shows a page without error details when it is cancelled or Slack refuses it', async () => {
    const {cookie, state} = await begin();
    const back = `${publicUrl}/slack/oauth_redirect`;
    const cancelled = await comeBack(`${back}?error=access_denied&state=${state}`, cookie);
    expect({status: cancelled.status, said: cancelled.text.includes('You cancelled')}).toEqual({
      status: 403,
      said: true,
    });
    const wrong = await comeBack(`${back}?code=%3Cb%3E&state=${state}`, cookie);
    expect(wrong.status).toBe(502);
    expect(wrong.text).toMatch(/Slack did not accept the installation.*Reference: [0-9a-f]{8}/);
    expect(wrong.text).not.toMatch(/invalid_code|Error|at .*\.js|<b>/);
    expect((await comeBack(back, cookie)).status).toBe(400);
  });

  it('shows a page with a reference when Slack does not answer', async () => {
    slack.fail('oauth.v2.access', {kind: 'status', status: 500});
    const {authorize, cookie} = await begin();
    const page = await comeBack(await slacks.allow('T0ONE', authorize), cookie);
    expect(page.status).toBe(500);
    expect(page.text).toMatch(/Something went wrong on our side.*Reference: /);
  });
});

describe('an installer whose profile Slack does not return', () => {
  it('gets a page that says to try again, and no owner is made from a bare user id', async () => {
    slack.fail('users.info', {kind: 'limited', seconds: 30});
    const {authorize, cookie} = await begin();
    const page = await comeBack(await slacks.allow('T0DOORS', authorize), cookie);
    expect(page.status).toBe(503);
    expect(page.text).toMatch(/Slack is not responding.*Reference: [0-9a-f]{8}/);
    expect(
      await service.core.store.slackInstallations.findWorkspace('T0DOORS', newDeadline()),
    ).toBeUndefined();
  });
});

describe('two Slack workspaces in one process', () => {
  it('regression: make every call with the token of its own workspace, and show each standup in its own channel', async () => {
    const [one, two] = [await installTeam('T0ONE'), await installTeam('T0TWO')];
    expect(one).not.toBe(two);
    slack.clear();
    const [first, second] = [slacks.tokenOf('T0ONE'), slacks.tokenOf('T0TWO')];
    expect(new Set([first, second, '']).size).toBe(3);
    for (const round of [1, 2]) {
      for (const team of ['T0ONE', 'T0TWO']) {
        const reply = await command(team, `round ${round} of ${team}`, {
          user_id: 'U000000002',
          user_name: 'ada',
        });
        expect(JSON.stringify(reply.body)).toContain('✅ Posted in <#C000000001>');
        await command(team, '', {trigger_id: await slacks.trigger(team, admin.id)});
      }
    }
    await Promise.all([post(one, 'by API of T0ONE'), post(two, 'by API of T0TWO')]);
    for (const team of ['T0ONE', 'T0TWO']) {
      await until(async () => (await thread(team)).length === 3, {what: `three standups in ${team}`});
      const texts = (await thread(team)).join('\n');
      expect([texts.includes('T0ONE'), texts.includes('T0TWO')]).toEqual([
        team === 'T0ONE',
        team === 'T0TWO',
      ]);
    }
    const tokens = new Map([
      ['T0ONE', `Bearer ${first}`],
      ['T0TWO', `Bearer ${second}`],
    ]);
    // Other tests may have left work for their teams.
    const elsewhere = teams
      .filter((team) => !tokens.has(team))
      .map((team) => `Bearer ${slacks.tokenOf(team)}`);
    for (const {method, token, body} of slack.calls) {
      const [, named] = /\b(T0ONE|T0TWO)\b/.exec(JSON.stringify(body)) ?? [];
      if (method !== 'respond') expect([...tokens.values(), ...elsewhere]).toContain(token);
      if (method !== 'respond' && named !== undefined)
        expect({method, token}).toEqual({method, token: tokens.get(named)});
    }
    const counted = (method: string) =>
      [...tokens.values()].map((token) => slack.of(method).filter((call) => call.token === token).length);
    expect(counted('views.open')).toEqual([2, 2]);
    // The parent message and three standups in each workspace.
    expect(counted('chat.postMessage')).toEqual([4, 4]);
  });

  it('leave no token, secret or state unencrypted in the store or in the log', async () => {
    for (const team of ['T0ONE', 'T0TWO']) await install(team);
    const {state} = await begin();
    const {text} = await dumpRedis(service.redisUrl);
    const log = JSON.stringify(lines);
    for (const clear of [slacks.tokenOf('T0ONE'), slacks.tokenOf('T0TWO'), secret, signingSecret, state]) {
      expect(clear.length).toBeGreaterThan(10);
      expect({inStore: text.includes(clear), inLog: log.includes(clear)}).toEqual({
        inStore: false,
        inLog: false,
      });
    }
  });
});

describe('an installation for a whole organisation', () => {
  it('connects all Slack workspaces of the organisation to one workspace of the service', async () => {
    const workspace = await install('T0ORG', {organisation: 'E0ORG'});
    const {services} = service.core;
    const shown = await services.workspaces.findWorkspace({workspace, deadline: newDeadline()});
    expect(shown).toMatchObject({name: 'Big Org', slug: 'big-org', slack: {connected: true}});
    const call = operatorCall(workspace, newDeadline());
    await services.teams.createTeam(call, {slug: 'platform', name: 'Platform', slack_channel_id: channel});
    for (const team of ['T0SALES', 'T0LABS']) {
      const more = {enterprise_id: 'E0ORG', enterprise_name: 'Big Org', is_enterprise_install: 'true'};
      const reply = await command(team, `post: from ${team}`, more);
      expect(JSON.stringify(reply.body)).toContain('✅ Posted in <#C000000001>');
    }
    const authorizations = [
      {enterprise_id: 'E0ORG', team_id: null, user_id: 'UBOT', is_bot: true, is_enterprise_install: true},
    ];
    await event('T0SALES', uninstalled, {enterprise_id: 'E0ORG', authorizations});
    await until(async () => !(await isConnected(workspace)));
  });
});

describe('an installation for a whole organisation, for people of another one', () => {
  it.each([
    ['of another organisation', {enterprise_user: {enterprise_id: 'E0OTHER'}}],
    ['of no organisation', {enterprise_user: undefined, team_id: 'T0ELSEWHERE'}],
  ])('refuses people %s', async (_, described) => {
    await install('T0ORG', {organisation: 'E0ORG'});
    const id = `U0${randomBytes(4).toString('hex').toUpperCase()}`;
    slacks.describe('T0ORG', id, described);
    const more = {enterprise_id: 'E0ORG', is_enterprise_install: 'true', user_id: id};
    expect((await command('T0SALES', 'post: my words', more)).body.text).toContain(
      'You belong to another Slack workspace',
    );
  });
});

describe('the end of an installation', () => {
  it.each([
    ['uninstalled, then revoked', [uninstalled, revoked]],
    ['revoked, then uninstalled', [revoked, uninstalled]],
  ])('%s, is reported once, and every command is answered with a sentence', async (_, events) => {
    const workspace = await install('T0END');
    const before = (await connections(workspace)).length;
    for (const of of events) expect((await event('T0END', of)).status).toBe(200);
    await until(async () => (await connections(workspace)).length > before);
    const reply = await command('T0END', 'post: to nobody');
    expect(reply.status).toBe(200);
    expect(reply.body.text).toContain('Standup is not installed in this workspace');
    expect(reply.body.text).toContain(`${publicUrl}/slack/install`);
    expect((await connections(workspace)).slice(before)).toEqual(['slack.disconnected']);
    expect(await isConnected(workspace)).toBe(false);
  });

  it('changes nothing when Slack reports it after another installation; nor does a revoked token of a person', async () => {
    const workspace = await install('T0END');
    const before = await connections(workspace);
    await event('T0END', uninstalled, {event_time: Math.floor(Date.now() / 1_000) - 3_600});
    await event('T0END', {type: 'tokens_revoked', tokens: {oauth: ['U1'], bot: []}});
    expect(JSON.stringify((await command('T0END', 'help')).body)).toContain('/standup');
    expect(await connections(workspace)).toEqual(before);
    expect(await isConnected(workspace)).toBe(true);
  });

  it('retains what waits for Slack without retrying constantly, and shows it after the next installation', async () => {
    const workspace = await installTeam('T0BACK');
    await event('T0BACK', uninstalled);
    await until(async () => !(await isConnected(workspace)));
    slack.clear();
    await post(workspace, 'while it was away');
    const {ready} = service.core.store;
    const look = {side: 'slack', from: 0, perWorkspace: 50, mostOfOne: 500, atMost: 500} as const;
    const due = async () =>
      (await ready.listDue(look, newDeadline())).due.filter((work) => work.workspace === workspace);
    const cursor = () => service.core.store.events.findCursor(workspace, 'slack', newDeadline());
    const end = await service.core.store.events.span(workspace, newDeadline());
    await until(async () => (await cursor()) === end?.newest && (await due()).length === 0);
    // Messages of other workspaces may come in the meantime.
    const texts = slack.of('chat.postMessage').map(({body}) => String(body['text']));
    expect(texts.filter((text) => text.includes('while it was away'))).toEqual([]);
    await install('T0BACK');
    await until(async () => (await thread('T0BACK')).length === 1);
    expect(await thread('T0BACK')).toEqual(['ci: while it was away']);
  });

  it('is noticed at the first call that Slack refuses', async () => {
    const workspace = await installTeam('T0GONE');
    slacks.revoke('T0GONE');
    await post(workspace, 'into the void');
    await until(async () => (await connections(workspace)).includes('slack.disconnected'));
    expect(await isConnected(workspace)).toBe(false);
    expect((await command('T0GONE', 'post: x')).body.text).toContain('not installed in this workspace');
  });
});

describe('a Slack workspace without an installation', () => {
  const team = 'T0DOORS';

  it.each([
    ['a text', 'post: something'],
    ['the help', 'help'],
    ['what there is today', 'today'],
  ])('answers %s with a sentence, not with an error', async (_, text) => {
    const reply = await command(team, text);
    expect(reply.status).toBe(200);
    expect(reply.text.length).toBeGreaterThan(20);
  });

  it.each([
    ['the form', ''],
    ['editing', 'edit'],
  ])('answers %s, which opens a view, with the sentence', async (_, text) => {
    slack.clear();
    expect((await command(team, text)).status).toBe(200);
    await until(() => slack.of('respond').length > 0);
    expect(JSON.stringify(slack.of('respond')[0]?.body)).toContain(
      'Standup is not installed in this workspace',
    );
  });
});

describe('a new person from Slack', () => {
  it.each([
    ['a guest', {is_restricted: true}, 'Guests can’t post'],
    ['a guest of one channel', {is_ultra_restricted: true, is_restricted: true}, 'Guests can’t post'],
    ['a person of another workspace', {is_stranger: true}, 'You belong to another Slack workspace'],
    [
      'a person of another workspace, by its id',
      {team_id: 'T0ELSEWHERE'},
      'You belong to another Slack workspace',
    ],
    ['an app', {is_bot: true}, 'Apps can’t post'],
  ])(
    'is refused when they are %s, since only people of this workspace can post',
    async (_, described, sentence) => {
      const workspace = await install('T0PEOPLE');
      const id = `U0${randomBytes(4).toString('hex').toUpperCase()}`;
      slacks.describe('T0PEOPLE', id, described);
      const reply = await command('T0PEOPLE', 'post: my words', {user_id: id, user_name: 'grace'});
      expect(reply.body.text).toContain('post');
      expect(reply.body.text).toContain(sentence);
      const {people} = service.core.services;
      expect(await people.findSlackMember({workspace, deadline: newDeadline()}, id)).toBeUndefined();
    },
  );

  it('becomes the member with the same e-mail address if Slack has confirmed it; an unconfirmed address has no effect', async () => {
    const workspace = await installTeam('T0PEOPLE');
    const {members, people} = service.core.services;
    const email = 'ada@acme.example';
    const made = await members.createMember(operatorCall(workspace, newDeadline()), {
      name: 'Ada L.',
      email,
    });
    const asked = () => ({workspace, deadline: newDeadline()});
    slacks.describe('T0PEOPLE', 'U000000003', {name: 'grace', profile: {email}, is_email_confirmed: false});
    await command('T0PEOPLE', 'as somebody new', {user_id: 'U000000003', user_name: 'grace'});
    expect((await people.findSlackMember(asked(), 'U000000003'))?.id).not.toBe(made.id);
    slacks.describe('T0PEOPLE', 'U000000002', {name: 'ada', profile: {email}, is_email_confirmed: true});
    await command('T0PEOPLE', 'post: as Ada', {user_id: 'U000000002', user_name: 'ada'});
    expect(await people.findSlackMember(asked(), 'U000000002')).toMatchObject({id: made.id, name: 'Ada L.'});
  });
});
