import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {createSlackClients} from '../../src/bot/slack/core/clients.js';
import {createMemberProfileUpdater, createProfileReader} from '../../src/bot/slack/core/follow-profile.js';
import {createNewcomers, createSlackAdmins} from '../../src/bot/slack/core/newcomers.js';
import type {Member} from '../../src/domain/workspaces/workspace.js';
import {botToken, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

const origin = {team: 'T000000001', orgWide: false};
const silent = {debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined};

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack({slackAdmins: true});
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

let users = 0;
const newUser = () => ({id: `U0RUNS${++users}`, name: `runs${users}`});

/** Sets Slack's next answer about a user. */
function say(user: {id: string; name: string}, more: object, harness = slack): void {
  const slackUser = {id: user.id, name: user.name, team_id: 'T000000001', tz: 'UTC', ...more};
  harness.slack.fail('users.info', {kind: 'replied', reply: {ok: true, user: slackUser}});
}

function memberOf({id}: {id: string}, harness = slack): Promise<Member | undefined> {
  return harness.core.services.people.findSlackMember(harness.operator(), id);
}

/** Reads a profile again, as happens once a day. */
async function read(user: {id: string; name: string}, more: object, {counts = true} = {}): Promise<void> {
  say(user, more);
  const clients = createSlackClients({apiUrl: `${slack.slack.url}/api/`, log: silent});
  const installations = {find: async () => ({id: 'token', botToken, workspace: slack.workspace})};
  const {services} = slack.core;
  const newcomers = createNewcomers({slackAdmins: createSlackAdmins(counts)});
  const followProfile = createMemberProfileUpdater({services, newcomers, log: silent});
  const ask = createProfileReader({installations, clients, followProfile});
  await ask(origin, user.id);
}

async function join(more: object) {
  const user = newUser();
  say(user, more);
  await slack.command('Fixed the importer', {user});
  return {user, roleOf: async () => (await memberOf(user))?.role};
}

describe('the setting SLACK_ADMINS_ARE_ADMINS', () => {
  test.each([['is_admin'], ['is_owner'], ['is_primary_owner']])(
    'makes a person who has %s in Slack an admin here from their first use',
    async (flag) => {
      const {user} = await join({[flag]: true});
      expect(await memberOf(user)).toMatchObject({role: 'admin', role_source: 'slack'});
    },
  );

  test('makes a member an admin for as long as they administer the Slack workspace, and events report each change', async () => {
    const {user, roleOf} = await join({});
    expect(await roleOf()).toBe('member');
    await read(user, {is_admin: true});
    expect(await memberOf(user)).toMatchObject({role: 'admin', role_source: 'slack'});
    await read(user, {is_admin: true});
    expect((await memberOf(user))?.revision).toBe(2);
    await read(user, {is_admin: false});
    expect(await memberOf(user)).toMatchObject({role: 'member', role_source: 'chosen', revision: 3});
    expect((await slack.events()).filter((type) => type === 'member.updated').length).toBeGreaterThanOrEqual(
      2,
    );
  });

  test('revokes the tokens that an admin has created for others when the admin loses that role in Slack', async () => {
    const {user} = await join({is_admin: true});
    const {id, name} = (await memberOf(user))!;
    const {tokens} = slack.core.services;
    const call = {...slack.operator(), principal: {type: 'member', id, name} as const};
    const input = {name: 'ci', scopes: ['standups:read'], service_account: 'ci'} as const;
    const {id: token = ''} = await tokens.createToken(call, input);
    expect(await tokens.findToken(slack.operator(), token)).toMatchObject({id: token});
    await read(user, {is_restricted: true, is_admin: true});
    expect(await memberOf(user)).toMatchObject({role: 'member'});
    await expect(tokens.findToken(slack.operator(), token)).rejects.toMatchObject({code: 'not_found'});
  });

  test('does not take away a role that a person has given by hand', async () => {
    const {user, roleOf} = await join({});
    const {id} = (await memberOf(user))!;
    const {members} = slack.core.services;
    await members.changeMember(slack.operator(), id, {role: 'admin'});
    await read(user, {is_admin: false});
    expect(await roleOf()).toBe('admin');
    const {user: second, roleOf: secondRole} = await join({is_owner: true});
    await members.changeMember(slack.operator(), (await memberOf(second))!.id, {role: 'admin'});
    expect(await memberOf(second)).toMatchObject({role: 'admin', role_source: 'chosen'});
    await read(second, {});
    expect(await secondRole()).toBe('admin');
    await members.changeMember(slack.operator(), id, {role: 'owner'});
    await read(user, {is_admin: true});
    await read(user, {});
    expect(await roleOf()).toBe('owner');
  });

  test('leaves the installer of the bot an owner, even if Slack had made them an admin before', async () => {
    const {user, roleOf} = await join({is_owner: true});
    const profile = {name: user.name, timezone: null, role: 'owner'} as const;
    await slack.core.services.people.ensureSlackMember(slack.operator(), user.id, profile);
    expect(await memberOf(user)).toMatchObject({role: 'owner', role_source: 'chosen'});
    await read(user, {});
    expect(await roleOf()).toBe('owner');
  });

  test('leaves a role from Slack as it is at an unrelated change of the profile', async () => {
    const {user, roleOf} = await join({is_admin: true});
    const {id} = (await memberOf(user))!;
    await slack.core.services.members.changeMember(slack.operator(), id, {name: 'Renamed'});
    expect(await memberOf(user)).toMatchObject({name: 'Renamed', role_source: 'slack'});
    await read(user, {});
    expect(await roleOf()).toBe('member');
  });

  test.each([
    ['a guest', {is_restricted: true}],
    ['a bot', {is_bot: true}],
    ['a person of another workspace', {team_id: 'T0ELSEWHERE'}],
    ['a person whose account is deactivated', {deleted: true}],
  ])('does not make %s an admin, although Slack says that they are one', async (_, more) => {
    const {user, roleOf} = await join({});
    await read(user, {is_admin: true, is_owner: true, ...more});
    expect(await roleOf()).toBe('member');
  });

  test('takes back the roles that came from Slack when the setting is removed', async () => {
    const {user, roleOf} = await join({is_admin: true});
    await read(user, {is_admin: true}, {counts: false});
    expect(await roleOf()).toBe('member');
  });
});

test('no role comes from Slack without SLACK_ADMINS_ARE_ADMINS, and an admin of Slack sees on Home what the operator can set', async () => {
  const plain = await startSlack();
  try {
    const user = newUser();
    say(user, {is_admin: true}, plain);
    await plain.command('Fixed the importer', {user});
    expect(await memberOf(user, plain)).toMatchObject({role: 'member', role_source: 'chosen'});
    const home = async () => {
      plain.slack.clear();
      await plain.event({type: 'app_home_opened', user: user.id, tab: 'home', channel: 'D1'});
      const own = () => plain.slack.of('views.publish').find(({body}) => body['user_id'] === user.id);
      return JSON.stringify((await until(own)).body['view']);
    };
    expect(await home()).toContain('SLACK_ADMINS_ARE_ADMINS=true');
    const {members} = plain.core.services;
    await members.createMember(plain.operator(), {name: 'Boss', role: 'owner', slack_user_id: 'U0BOSS'});
    expect(await home()).not.toContain('SLACK_ADMINS_ARE_ADMINS');
  } finally {
    await plain.close();
  }
});
