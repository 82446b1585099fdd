import {afterAll, afterEach, beforeAll, expect, test} from '@jest/globals';
import {admin, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
const ada = {id: '', name: 'ada'};
beforeAll(async () => {
  slack = await startSlack();
  const {members} = await slack.api('users.list', {});
  ada.id = (members as (typeof ada)[]).find(({name}) => name === 'ada')!.id;
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

async function home(user: {id: string}): Promise<string> {
  slack.slack.clear();
  await slack.event({type: 'app_home_opened', user: user.id, tab: 'home', channel: 'D1'});
  const own = () => slack.slack.of('views.publish').findLast(({body}) => body['user_id'] === user.id);
  return JSON.stringify((await until(own, {what: 'a Home'})).body['view']);
}

const makeTeam = (name: string, slack_channel_id: string | null) =>
  slack.core.services.teams.createTeam(slack.operator(), {slug: name.toLowerCase(), name, slack_channel_id});

test('regression: the team of a private channel appears on the Home of only its members and those who run the workspace', async () => {
  await makeTeam('Secret', 'G0SECRET');
  await makeTeam('Unknown', 'C0UNKNOWN');
  await makeTeam('Loose', null);
  const shown = await home(ada);
  expect(shown).toContain('Platform');
  expect(shown).toContain('Loose');
  expect(shown).not.toMatch(/Secret|Unknown|G0SECRET|C0UNKNOWN/);
  await slack.command('to be a member', {user: ada});
  const {people, members} = slack.core.services;
  const member = (await people.findSlackMember(slack.operator(), ada.id))!;
  expect(await home(ada)).not.toContain('Secret');
  await members.changeMember(slack.operator(), member.id, {role: 'admin'});
  // The Home is shown again after the command, possibly later than its answer.
  await until(async () => (await home(ada)).includes('Secret'), {what: 'the private team'});
  await members.changeMember(slack.operator(), member.id, {role: 'member'});
});

test('a channel that the bot could join by itself counts as public, and its team is listed from then on', async () => {
  const {id = ''} = await makeTeam('Joined', otherChannel);
  expect(await home(ada)).not.toContain('Joined');
  const {people} = slack.core.services;
  const boss = (await people.ensureSlackMember(slack.operator(), admin.id, {name: 'admin', timezone: null}))
    .id;
  const team = await slack.core.services.teams.findTeam(slack.operator(), id);
  await people.joinTeam(slack.operator(), team, boss);
  slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'not_in_channel'});
  slack.slack.fail('conversations.join', {kind: 'replied', reply: {ok: true, channel: {}}});
  await slack.command('post: first', {user: admin, channel: otherChannel});
  while ((await slack.read()).more);
  while ((await slack.postSlice({channel: otherChannel})).more);
  expect(await home(ada)).toContain('Joined');
});
