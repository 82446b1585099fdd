import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {standupsOfPostResult} from '../../src/domain/standups/standup.js';
import {parseWire} from '../../src/domain/core/resource.js';
import {
  channel,
  lookingToken,
  manifest,
  type SlackHarness,
  type SlackMessage,
  startSlack,
} from '../support/slack-harness.js';
import {until} from '../support/until.js';

const quick = {unanswered: [20, 20, 20], closed: [20, 20], leaseMs: 1_000};
const {bot, bot_optional: optional} = manifest.oauth_config.scopes;

let slack: SlackHarness;
let ada: string;
beforeEach(async () => {
  slack = await startSlack({scopes: bot.filter((scope) => !optional.includes(scope))});
  const {members} = (await slack.api('users.list', {})) as {members: {id: string; name: string}[]};
  ada = members.find(({name}) => name === 'ada')?.id ?? '';
  const {services} = slack.core;
  const input = {name: 'Ada', slack_user_id: ada};
  const {body} = await services.members.createMember(slack.operator(), input);
  const {id} = parseWire(body);
  await services.teamMembers.setTeamMember(slack.operator(), 'platform', id, 'lead');
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
});

const post = (update: string) =>
  slack.core.services.standups.postStandup(slack.operator(), {team: 'platform', update, source: 'api'});

async function round(): Promise<void> {
  await slack.work({waits: quick});
  await slack.read();
  await slack.postSlice({channel: ada, waits: quick});
}

async function directMessages(): Promise<SlackMessage[]> {
  const {channel: direct} = (await slack.api('conversations.open', {users: ada}, lookingToken)) as {
    channel: {id: string};
  };
  const found = await slack.api('conversations.history', {channel: direct.id, limit: '100'}, lookingToken);
  return (found['messages'] as SlackMessage[]).toReversed();
}

/** Number of messages with a text in the channel, threads included. */
async function countMessages(text: string): Promise<number> {
  const parents = await slack.parents();
  const replies = await Promise.all(parents.map(({ts}) => slack.replies(ts)));
  return [...parents, ...replies.flat()].filter((one) => one.text.includes(text)).length;
}

test('standups are shown, edited and removed as usual without the optional scopes', async () => {
  const {body} = await post('first');
  await round();
  const {id, author} = standupsOfPostResult(body)[0];
  const by = {...slack.operator(), principal: author} as never;
  await slack.core.services.standups.editStandup(by, id, {update: 'second'});
  await round();
  expect([await countMessages('first'), await countMessages('second')]).toEqual([0, 1]);
  await slack.core.services.standups.retractStandup(by, id);
  await round();
  expect(await countMessages('second')).toBe(0);
});

test.each([
  ['arrived', {kind: 'lost'}, 1],
  ['not arrived', {kind: 'status', status: 500}, 0],
] as const)(
  'without the optional scopes, a standup that may have %s is reported to the lead and reposted only with "Post again"',
  async (_, failure, there) => {
    await post('before');
    await round();
    slack.slack.fail('chat.postMessage', failure);
    await post('one that is lost');
    await until(async () => {
      await round();
      return (await directMessages()).length === 1;
    });
    for (let i = 0; i < 3; i += 1) await round();
    expect(await countMessages('one that is lost')).toBe(there);
    const [notice] = await directMessages();
    expect(JSON.stringify(notice?.blocks)).toContain('Post again');
    expect(await slack.events()).toContain('slack.post_failed');
    await slack.action({action_id: 'post-again', value: channel});
    await until(() => slack.slack.of('respond').length > 0);
    await until(async () => {
      await round();
      return (await directMessages())[0]?.text.startsWith('Solved. I posted 1 standup');
    });
    expect(await countMessages('one that is lost')).toBe(there + 1);
  },
);

test('without the optional scopes, a message of the day whose posting got no answer delays only its first standup', async () => {
  slack.slack.fail('chat.postMessage', {kind: 'lost'});
  await post('one that is lost');
  // The next standup has to be reported, so the lost one must be the one that waits.
  await until(async () => {
    await round();
    return (await directMessages()).length === 1;
  });
  await post('after');
  await until(async () => {
    await round();
    return (await countMessages('after')) === 1;
  });
  expect(await countMessages('one that is lost')).toBe(0);
  expect(JSON.stringify((await directMessages())[0]?.blocks)).toContain('Post again');
});
