import {afterAll, afterEach, beforeAll, expect, test} from '@jest/globals';
import {buildFormMetadata} from '../support/slack-form.js';
import {admin, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

/** A submitted form with a team that the person has changed. */
function chosen(id: string, team: string) {
  const values = {
    today: {value: {type: 'plain_text_input', value: 'by naming a team'}},
    team: {'choose-team': {type: 'static_select', selected_option: {value: team}}},
  };
  return {
    id,
    callback_id: 'standup-form',
    private_metadata: buildFormMetadata({form: 'choose', dates: {}}),
    blocks: [{block_id: 'team'}, {block_id: 'today'}],
    state: {values},
    hash: 'h',
  };
}

const refusal = /Not saved\. You’re not in (?:Mobile|Platform)\./;

test('naming a team does not add a Slack user to it: the rule of the API refuses the post', async () => {
  const {teams} = slack.core.services;
  const other = await teams.createTeam(slack.operator(), {slug: 'mobile', name: 'Mobile'});
  await slack.command('to be a member');
  const before = await slack.standups();
  const {body} = await slack.submit(chosen('V_OTHER', other.id ?? ''));
  expect(JSON.stringify(body)).toMatch(refusal);
  expect(await slack.standups()).toEqual(before);
});

test('a member taken out of a team cannot post for it by naming it, and joins again in its channel', async () => {
  await slack.command('to be a member');
  const member = (await slack.standups())[0]!.author;
  await slack.core.services.teamMembers.removeTeamMember(slack.operator(), 'platform', member.id);
  const {body} = await slack.submit(chosen('V_LEFT', slack.team));
  expect(JSON.stringify(body)).toMatch(refusal);
  expect((await slack.command('post: from elsewhere', {channel: otherChannel})).body.text).toMatch(
    /^Not posted/,
  );
  expect((await slack.command('Back at my desk')).body.text).toContain('✅ Posted in <#C000000001>');
});

test('a removed member who uses Slack again is a new person without the earlier rights', async () => {
  const {members, people} = slack.core.services;
  const reply = await slack.command('to be a member');
  expect(reply.body.text).toContain('✅ Posted in <#C000000001>');
  const first = (await slack.standups())[0]!.author;
  await members.changeMember(slack.operator(), first.id, {role: 'admin'});
  await members.deleteMember(slack.operator(), first.id, {erase: false});
  expect(await people.findSlackMember(slack.operator(), admin.id)).toBeUndefined();
  await slack.command('my first words');
  const again = await people.findSlackMember(slack.operator(), admin.id);
  expect(again?.id).not.toBe(first.id);
  expect(again?.role).toBe('member');
});

test('a Slack user who is no longer an admin cannot correct what others have posted', async () => {
  const {members, people, standups} = slack.core.services;
  await slack.command('work of another', {user: {id: 'U_OTHER', name: 'other'}});
  const theirs = (await slack.standups())[0]!;
  await slack.command('to be a member');
  const member = (await people.findSlackMember(slack.operator(), admin.id))!;
  const principal = {type: 'member', id: member.id, name: member.name} as const;
  const edit = (update: string) =>
    standups.editStandup({...slack.operator(), principal}, theirs.id, {update});
  await expect(edit('One')).rejects.toMatchObject({code: 'forbidden'});
  await members.changeMember(slack.operator(), member.id, {role: 'admin'});
  expect((await edit('Two')).outcome).toBe('changed');
  await members.changeMember(slack.operator(), member.id, {role: 'member'});
  await expect(edit('Three')).rejects.toMatchObject({code: 'forbidden'});
});
