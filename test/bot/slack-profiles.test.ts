// The name, the address and the role of a member follow Slack if they came from there.
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {WebClient} from '@slack/web-api';
import {createMemberProfileUpdater} from '../../src/bot/slack/core/follow-profile.js';
import {createNewcomers, createSlackAdmins} from '../../src/bot/slack/core/newcomers.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import type {MemberChange} from '../../src/domain/workspaces/workspace.js';
import {botToken, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

const home = 'T000000001';
const silent = {debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined};

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());

let people = 0;

/** A member made from Slack, with a name and a confirmed address. */
async function addFromSlack() {
  const user = `U0TOLD${++people}`;
  const email = `ada${people}@acme.example`;
  const {people: service} = slack.core.services;
  const made = await service.ensureSlackMember(slack.operator(), user, {name: 'Ada', timezone: null, email});
  return {user, email, id: made.id};
}

type AddedMember = Awaited<ReturnType<typeof addFromSlack>>;

const memberOf = ({id}: Pick<AddedMember, 'id'>) =>
  slack.core.services.members.findMember(slack.operator(), id);

const change = ({id}: Pick<AddedMember, 'id'>, what: MemberChange) =>
  slack.core.services.members.changeMember(slack.operator(), id, what);

/** A user as Slack sends it. */
const profile = (user: string, name: string, email: string, more: object = {}) => ({
  id: user,
  team_id: home,
  name: 'handle',
  is_email_confirmed: true,
  profile: {display_name: name, email},
  ...more,
});

/** Follows a profile from Slack to the end. */
async function followProfile(
  {user}: Pick<AddedMember, 'user'>,
  name: string,
  email: string,
  more: object = {},
) {
  const client = {auth: {test: async () => ({team_id: home})}} as unknown as WebClient;
  const newcomers = createNewcomers({slackAdmins: createSlackAdmins(false)});
  const follow = createMemberProfileUpdater({services: slack.core.services, newcomers, log: silent});
  const installation = {id: 'token', botToken, workspace: slack.workspace};
  await follow({installation, client}, profile(user, name, email, more));
}

test('regression: a name and an e-mail address that came from Slack change as soon as they change in Slack', async () => {
  const ada = await addFromSlack();
  const email = 'ada.king@acme.example';
  await slack.event({type: 'user_change', user: profile(ada.user, 'Ada King', email.toUpperCase())});
  await until(async () => (await memberOf(ada)).name === 'Ada King');
  expect(await memberOf(ada)).toMatchObject({name: 'Ada King', email, revision: 2});
  const {members} = slack.core.services;
  expect((await members.findMember(slack.operator(), email)).id).toBe(ada.id);
  await expect(members.findMember(slack.operator(), ada.email)).rejects.toMatchObject({code: 'not_found'});
  await followProfile(ada, 'Ada Lovelace', email);
  expect(await memberOf(ada)).toMatchObject({name: 'Ada Lovelace', email, revision: 3});
  await followProfile(ada, 'Ada Lovelace', email);
  expect((await memberOf(ada)).revision).toBe(3);
});

describe('a change of a profile in Slack', () => {
  test('does not change a name that a person has given here, but still changes the address', async () => {
    const ada = await addFromSlack();
    await change(ada, {name: 'Countess'});
    await followProfile(ada, 'Ada King', `new-${ada.email}`);
    expect(await memberOf(ada)).toMatchObject({name: 'Countess', email: `new-${ada.email}`});
  });

  test('does not change an address that a person has given here, but still changes the name', async () => {
    const ada = await addFromSlack();
    await change(ada, {email: `own-${ada.email}`});
    await followProfile(ada, 'Ada King', `new-${ada.email}`);
    expect(await memberOf(ada)).toMatchObject({name: 'Ada King', email: `own-${ada.email}`});
  });

  test('changes nothing of a member who was created here and linked to Slack', async () => {
    const email = 'gus@acme.example';
    const {members} = slack.core.services;
    const {id} = await members.createMember(slack.operator(), {name: 'Gus', email});
    const gus = {id: id as AddedMember['id'], user: 'U0LINKED'};
    const own = {name: 'Gus in Slack', timezone: null, email};
    await slack.core.services.people.ensureSlackMember(slack.operator(), gus.user, own);
    await followProfile(gus, 'Gustav', 'gustav@acme.example');
    expect(await memberOf(gus)).toMatchObject({name: 'Gus', email, slack_user_id: gus.user});
  });

  test('never gives a member an address that another member has, however it is spelled', async () => {
    const [ada, eve] = [await addFromSlack(), await addFromSlack()];
    await followProfile(eve, 'Eve', ada.email.toUpperCase());
    expect(await memberOf(eve)).toMatchObject({name: 'Eve', email: eve.email});
    expect((await memberOf(ada)).email).toBe(ada.email);
  });

  test('gives an e-mail address to only one of two members when Slack reports it for both at once', async () => {
    const both = [await addFromSlack(), await addFromSlack()];
    const wanted = 'wanted@acme.example';
    await Promise.all(both.map((one) => followProfile(one, 'Ada', wanted)));
    const emails = await Promise.all(both.map(async (one) => (await memberOf(one)).email));
    expect(emails.filter((email) => email === wanted)).toHaveLength(1);
  });

  test.each(['admin', 'owner'] as const)(
    'does not change the address of an %s, which would let another person sign in as them',
    async (role) => {
      const ada = await addFromSlack();
      await change(ada, {role});
      await followProfile(ada, 'Ada King', `new-${ada.email}`);
      expect(await memberOf(ada)).toMatchObject({name: 'Ada King', email: ada.email});
    },
  );

  test.each([
    ['a guest', {is_restricted: true}],
    ['a person of another workspace', {team_id: 'T0OTHER'}],
    ['a deactivated account', {deleted: true}],
  ])('changes neither name nor address of %s', async (_, more) => {
    const ada = await addFromSlack();
    await followProfile(ada, 'Somebody', `new-${ada.email}`, more);
    expect(await memberOf(ada)).toMatchObject({name: 'Ada', email: ada.email});
  });

  test('brings no e-mail address that Slack has not confirmed, and no name when the profile has none', async () => {
    const ada = await addFromSlack();
    const more = {is_email_confirmed: false, name: undefined};
    await followProfile(ada, '', `new-${ada.email}`, more);
    expect(await memberOf(ada)).toMatchObject({name: 'Ada', email: ada.email, revision: 1});
  });
});

test('an address copied from Slack signs no one in as an owner before an owner confirms it', async () => {
  const ada = await addFromSlack();
  const email = `new-${ada.email}`;
  await followProfile(ada, 'Ada', email);
  const owner = await slack.core.services.people.ensureOwner(slack.operator(), 'Olga');
  const call = {...slack.operator(), principal: owner};
  const {people: service, members} = slack.core.services;
  await members.changeMember(call, ada.id, {role: 'owner'});
  await expect(service.admitSlackMember(call, ada.user)).rejects.toMatchObject({
    context: {reason: 'unconfirmed_name'},
  });
  await members.changeMember(call, ada.id, {role: 'owner', email, slack_user_id: ada.user});
  expect((await service.admitSlackMember(call, ada.user))?.id).toBe(ada.id);
});

test('removing a member removes the record that their name came from Slack', async () => {
  const ada = await addFromSlack();
  await slack.core.services.members.deleteMember(slack.operator(), ada.id, {erase: false});
  const {records} = slack.core.store;
  const deadline = performance.now() + 5_000;
  for (const names of ['slack-name', 'slack-email'] as const)
    expect(await records.findName(slack.workspace, names, suffixOf(ada.id), deadline)).toBeUndefined();
});
