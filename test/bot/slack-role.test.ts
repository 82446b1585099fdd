import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {type SlackHarness, startSlack} from '../support/slack-harness.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack({slackAdmins: true});
});
afterAll(() => slack.close());

test('regression: a member made an admin by Slack cannot give themselves the role by hand', async () => {
  const {people, members} = slack.core.services;
  const profile = {name: 'Ada', timezone: null, runsSlack: true};
  const {id} = await people.ensureSlackMember(slack.operator(), 'U0ADMIN', profile);
  const own = {...slack.operator(), principal: {type: 'member', id, name: 'Ada'} as const};
  const findAdmin = () => people.findSlackMember(slack.operator(), 'U0ADMIN');
  await members.changeMember(own, id, {role: 'admin', name: 'Ada Lovelace'});
  expect(await findAdmin()).toMatchObject({name: 'Ada Lovelace', role: 'admin', role_source: 'slack'});
  await people.followSlackProfile(slack.operator(), 'U0ADMIN', {runsSlack: false});
  expect(await findAdmin()).toMatchObject({role: 'member'});
});
