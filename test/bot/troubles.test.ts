import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import type {Answer} from '../../src/service/core/answers.js';
import {standupsOfPostResult, type PostResult} from '../../src/domain/standups/standup.js';
import {parseWire} from '../../src/domain/core/resource.js';
import type {MemberRole} from '../../src/domain/workspaces/workspace.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {
  botToken,
  lookingToken,
  channel,
  otherChannel,
  type SlackHarness,
  type SlackMessage,
  startSlack,
} from '../support/slack-harness.js';
import {until} from '../support/until.js';
import {asId} from '../support/ids.js';

const patient = {unanswered: [20, 20, 20], closed: [60_000, 60_000], leaseMs: 1_000};

let slack: SlackHarness;
let people: Record<string, string>;
async function begin(options?: Parameters<typeof startSlack>[0]): Promise<void> {
  slack = await startSlack(options);
  const {members} = (await slack.api('users.list', {})) as {members: {id: string; name: string}[]};
  people = Object.fromEntries(members.map(({id, name}) => [name, id]));
}
beforeEach(() => begin());
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
});

const newDeadline = () => performance.now() + 2_000;
const post = (update: string, team = 'platform') =>
  slack.core.services.standups.postStandup(slack.operator(), {team, update, source: 'api'});

async function addMember(name: string, role: MemberRole, lead = false): Promise<void> {
  const slack_user_id = people[name.toLowerCase()] ?? null;
  const {members, teamMembers} = slack.core.services;
  const answer = await members.createMember(slack.operator(), {name, role, slack_user_id});
  const {id} = parseWire(answer.body);
  if (lead) await teamMembers.setTeamMember(slack.operator(), 'platform', id, 'lead');
}

async function messagesOf(name: string): Promise<SlackMessage[]> {
  const users = people[name] ?? '';
  const {channel: direct} = (await slack.api('conversations.open', {users}, lookingToken)) as {
    channel: {id: string};
  };
  const found = await slack.api('conversations.history', {channel: direct.id, limit: '100'}, botToken);
  return (found['messages'] as SlackMessage[]).toReversed();
}

/** One round of work for the channel, then for all people who may be notified. */
async function round(): Promise<void> {
  await slack.work({waits: patient});
  await slack.read();
  for (const name of ['ada', 'grace']) await slack.postSlice({channel: people[name] ?? '', waits: patient});
}

/** Presses a button, and waits for the answer to its press. */
async function press(action_id: string): Promise<void> {
  const before = slack.slack.of('respond').length;
  await slack.action({action_id, value: channel});
  await until(() => slack.slack.of('respond').length > before);
}

async function replies(): Promise<string[]> {
  const [parent] = await slack.parents();
  return parent === undefined ? [] : (await slack.replies(parent.ts)).map(({text}) => text);
}

/** Makes Slack refuse to let the bot join, as for a private channel. */
const refuseJoins = () =>
  slack.slack.failAlways('conversations.join', {
    kind: 'refused',
    code: 'method_not_supported_for_channel_type',
  });

describe('a channel that refuses messages', () => {
  test('is reported once to the team’s leads with the fix; Try again retries at once, and the message shows the result', async () => {
    await addMember('Ada', 'member', true);
    await addMember('Grace', 'owner');
    refuseJoins();
    slack.slack.failAlways('chat.update', {kind: 'refused', code: 'not_in_channel'});
    slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'not_in_channel'});
    for (const text of ['one', 'two', 'three']) await post(text);
    await round();
    await round();
    slack.slack.clear();
    const [notice, ...others] = await messagesOf('ada');
    expect(others).toEqual([]);
    expect(notice?.text).toContain(`I can’t post Platform standups and reports in <#${channel}>`);
    const {user} = (await slack.api('auth.test', {}, botToken)) as {user: string};
    expect(user).not.toBe('Standup');
    expect(notice?.text).toContain(`/invite @${user} there`);
    expect(JSON.stringify(notice?.blocks)).toContain('Try again');
    expect(await messagesOf('grace')).toEqual([]);
    const {rows} = await slack.core.services.events.listEvents(slack.operator(), {limit: 100});
    const failed = rows.filter((row) => row.includes('"type":"slack.post_failed"'));
    expect(failed).toEqual([expect.stringContaining('"reason":"not_in_channel"')]);

    await press('try-again');
    await until(async () => {
      await round();
      return (await messagesOf('ada'))[0]?.text.startsWith('Solved');
    });
    expect(await messagesOf('ada')).toMatchObject([
      {text: `Solved. I posted 3 standups of Platform in <#${channel}>.`},
    ]);
    expect(await replies()).toHaveLength(3);

    slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'is_archived'});
    await post('four');
    await until(async () => {
      await round();
      return (await messagesOf('ada')).length === 2;
    });
    expect((await messagesOf('ada'))[1]?.text).toContain('Unarchive it');
  });

  test('regression: is not tried again for a person who has become a guest', async () => {
    await addMember('Ada', 'member', true);
    slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'is_archived'});
    await post('one');
    await round();
    slack.slack.clear();
    const user = {id: people['ada'] ?? '', name: 'ada'};
    const reply = {ok: true, user: {id: user.id, team_id: 'T000000001', is_restricted: true}};
    slack.slack.failAlways('users.info', {kind: 'replied', reply});
    await slack.action({action_id: 'try-again', value: channel}, {}, {user});
    const {body} = await until(() => slack.slack.of('respond')[0]);
    expect(body['text']).toMatch(/^Guests can’t post/);
    const {rows} = await slack.core.services.slackTroubles.listTroubles(slack.operator(), {limit: 10});
    expect(rows.map((row) => (JSON.parse(row) as {state: string}).state)).toEqual(['open']);
  });

  test.each([
    ['', [60_000, 60_000]],
    [' for the last time', [60_000]],
  ])(
    'regression: is tried again at once if it refuses a message%s while Try again is pressed',
    async (_, closed) => {
      await addMember('Ada', 'member', true);
      const waits = {...patient, closed};
      slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'is_archived'});
      await post('one');
      await slack.work({waits});
      await slack.read();
      const tries = slack.slack.of('chat.postMessage').length;
      const {promise: released, resolve: release} = Promise.withResolvers<void>();
      slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'is_archived', until: released});
      await press('try-again');
      const working = slack.work({waits});
      await until(() => slack.slack.of('chat.postMessage').length > tries);
      await press('try-again');
      release();
      await working;
      await until(async () => {
        await slack.work({waits});
        return (await replies()).length === 1;
      });
      const {slackTroubles} = slack.core.store;
      expect(await slackTroubles.find(slack.workspace, channel, newDeadline())).toMatchObject({
        state: 'done',
        lost: [],
      });
    },
  );

  test('is shown in the same message with the time of the retry if it still refuses messages', async () => {
    await addMember('Ada', 'member', true);
    slack.slack.failAlways('chat.postMessage', {kind: 'refused', code: 'is_archived'});
    await post('one');
    await slack.work({waits: patient});
    await slack.read();
    slack.slack.clear();
    await slack.postSlice({channel: people['ada'] ?? '', waits: patient});
    const [first] = await messagesOf('ada');
    // Slack's instants are in whole seconds.
    const started = Date.now();
    await until(() => Date.now() - started > 1_000);
    refuseJoins();
    slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'not_in_channel'});
    await press('try-again');
    await round();
    const [second, ...more] = await messagesOf('ada');
    expect(more).toEqual([]);
    expect(second).toMatchObject({ts: first!.ts, text: expect.stringContaining('/invite @standup there')});
    expect(await replies()).toEqual([]);
  });

  test('regression: remains a problem after the bot has given up changing the message of the day', async () => {
    await addMember('Ada', 'member', true);
    await post('one');
    await round();
    for (const method of ['chat.postMessage', 'chat.update'])
      slack.slack.failAlways(method, {kind: 'refused', code: 'is_archived'});
    await post('two');
    await addMember('Grace', 'member', true);
    const pending = workspaceKeys(slack.workspace).slackPending(channel);
    await until(async () => {
      await slack.work({waits: {...patient, closed: [20, 20]}});
      return (await slack.core.store.connection.call(newDeadline(), ['EXISTS', pending])) === 0;
    });
    const {slackTroubles} = slack.core.store;
    expect(await slackTroubles.find(slack.workspace, channel, newDeadline())).toMatchObject({
      state: 'open',
      code: 'is_archived',
    });
  });

  test('regression: is resolved once the bot can change the message of the day, while the standup that was given up is still reported', async () => {
    await addMember('Ada', 'member', true);
    await post('one');
    await round();
    slack.slack.failAlways('chat.postMessage', {kind: 'refused', code: 'is_archived'});
    await post('two');
    const {slackTroubles} = slack.core.store;
    const find = () => slackTroubles.find(slack.workspace, channel, newDeadline());
    await until(async () => {
      await slack.work({waits: {...patient, closed: [20, 20]}});
      return ((await find())?.lost.length ?? 0) > 0;
    });
    slack.slack.clear();
    await addMember('Grace', 'member', true);
    await until(async () => {
      await round();
      return (await find())?.code === undefined;
    });
    expect(await find()).toMatchObject({state: 'open', lost: [{kind: 'standup'}]});
    await until(async () => {
      await round();
      return (await messagesOf('ada'))[0]?.text.startsWith('1 standup of Platform may be missing');
    });
  });

  test('is reported to owners and admins where the team has no lead', async () => {
    await addMember('Grace', 'owner');
    slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'channel_not_found'});
    await post('one');
    await round();
    await round();
    expect(await messagesOf('grace')).toMatchObject([
      {text: expect.stringContaining('choose another channel')},
    ]);
  });
});

describe('regression: a channel problem where neither a lead nor an owner or admin is in Slack', () => {
  const quick = {unanswered: [20], closed: Array.from({length: 5_000}, () => 20), leaseMs: 1_000};
  const say = (name: string, text: string) =>
    slack.command(`post: ${text}`, {user: {id: people[name] ?? '', name}});

  /** Sends direct messages first, because a trouble that has ended is not reported. */
  async function quickRound(): Promise<void> {
    for (const name of ['ada', 'grace']) await slack.postSlice({channel: people[name] ?? '', waits: quick});
    await slack.work({waits: quick});
    await slack.read();
  }

  test('is reported once to each author, as is its end', async () => {
    slack.slack.failAlways('chat.postMessage', {kind: 'refused', code: 'is_archived'});
    await say('ada', 'from Ada');
    await slack.work({waits: quick});
    await slack.read();
    await say('grace', 'from Grace');
    await say('ada', 'once more');
    const failed = async () => (await slack.events()).filter((type) => type === 'slack.post_failed').length;
    await until(async () => {
      await slack.work({waits: quick});
      await slack.read();
      return (await failed()) === 3;
    });
    slack.slack.clear();
    await until(async () => {
      await quickRound();
      return (await messagesOf('grace'))[0]?.text.startsWith('Solved') === true;
    });
    await until(async () => {
      await quickRound();
      return (await messagesOf('ada'))[0]?.text.startsWith('Solved') === true;
    });
    expect([await messagesOf('ada'), await messagesOf('grace')].map(({length}) => length)).toEqual([1, 1]);
    expect((await replies()).toSorted()).toEqual(['ada: from Ada', 'ada: once more', 'grace: from Grace']);
  });

  test('is explained in the API at a standup of a program that is not shown, and at a later standup that waits for that one', async () => {
    const show = async ({body}: Answer<PostResult>) => {
      const [{id}] = standupsOfPostResult(body);
      return slack.core.services.standups.findShownStandup(slack.operator(), id);
    };
    slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'is_archived'});
    const [first, second] = [await post('first'), await post('second')];
    expect((await show(first)).slack).toBeNull();
    await round();
    const expected = {channel_id: channel, message_ts: null, permalink: null, problem: 'is_archived'};
    expect([(await show(first)).slack, (await show(second)).slack]).toEqual([expected, expected]);
    await press('try-again');
    await until(async () => {
      await round();
      return (await replies()).length === 2;
    });
    for (const made of [first, second])
      expect((await show(made)).slack).toMatchObject({message_ts: expect.any(String), problem: null});
  });
});

test('a standup whose posting is uncertain is reported, and is posted again when a person says so', async () => {
  await addMember('Ada', 'member', true);
  await post('before');
  await round();
  slack.slack.fail('chat.postMessage', {kind: 'status', status: 500});
  slack.slack.fail('conversations.replies', {kind: 'refused', code: 'missing_scope'});
  await post('who knows');
  await until(async () => {
    await round();
    return (await messagesOf('ada')).length === 1;
  });
  expect(await replies()).toEqual(['operator: before']);
  expect(JSON.stringify((await messagesOf('ada'))[0]?.blocks)).toContain('Post again');
  await press('post-again');
  await until(async () => {
    await round();
    return (await messagesOf('ada'))[0]?.text.startsWith('Solved. I posted 1 standup');
  });
  expect(await replies()).toEqual(['operator: before', 'operator: who knows']);
});

describe('a limit from Slack', () => {
  test('applies in all channels of the workspace, for that method alone', async () => {
    const {teams} = slack.core.services;
    await teams.createTeam(slack.operator(), {slug: 'other', slack_channel_id: otherChannel});
    const {body} = await post('one');
    await slack.work();
    slack.slack.fail('chat.postMessage', {kind: 'limited', seconds: 1});
    await post('two');
    await slack.work();
    const posted = slack.slack.of('chat.postMessage').length;
    await post('elsewhere', 'other');
    await slack.core.services.standups.editStandup(slack.operator(), standupsOfPostResult(body)[0].id, {
      update: 'one, better',
    });
    await slack.work({channel: otherChannel});
    await slack.work();
    expect(slack.slack.of('chat.postMessage')).toHaveLength(posted);
    expect(await replies()).toEqual(['operator: one, better']);
    await until(async () => {
      await slack.work({channel: otherChannel});
      await slack.work();
      return (await replies()).length === 2 && (await slack.parents(otherChannel)).length === 1;
    });
  });

  test('is not lifted by trying again', async () => {
    slack.slack.fail('chat.postMessage', {kind: 'limited', seconds: 30});
    await post('one');
    await slack.work();
    await press('try-again');
    await slack.work();
    expect(slack.slack.of('chat.postMessage')).toHaveLength(1);
  });

  test('lets two messages at once into one channel, then one each interval', async () => {
    for (const text of ['one', 'two', 'three']) await post(text);
    await slack.work({waits: {spacingMs: 800}});
    expect(slack.slack.of('chat.postMessage')).toHaveLength(2);
    const started = performance.now();
    await until(async () => {
      await slack.work({waits: {spacingMs: 800}});
      return slack.slack.of('chat.postMessage').length === 4;
    });
    expect(performance.now() - started).toBeGreaterThan(800);
    expect(await replies()).toEqual(['operator: one', 'operator: two', 'operator: three']);
  });
});

test('a private team whose channel has become public is posted there again only when the channel is private', async () => {
  let kind: 'public' | 'private' = 'private';
  await slack.close();
  await begin({findChannelKind: async () => kind});
  await addMember('Ada', 'member', true);
  const {standups, teams} = slack.core.services;
  await teams.changeTeam(slack.operator(), 'platform', {visibility: 'private'});
  const {body} = await post('while private');
  await until(async () => {
    await round();
    return (await replies()).length === 1;
  });
  kind = 'public';
  await post('a secret');
  await standups.editStandup(slack.operator(), standupsOfPostResult(body)[0].id, {update: 'another secret'});
  await until(async () => {
    await round();
    return (await messagesOf('ada')).length > 0;
  });
  expect((await messagesOf('ada'))[0]?.text).toContain('Make the channel private');
  expect(await replies()).toEqual(['operator: while private']);
  kind = 'private';
  await press('try-again');
  await until(async () => {
    await round();
    return (await replies()).length === 2 && (await replies())[0] !== 'operator: while private';
  });
  expect(await replies()).toEqual(['operator: another secret', 'operator: a secret']);
});

test('two processes share one limit of Slack, and the longer of two waits applies', async () => {
  const {posts, workspace} = slack;
  await posts.limit(workspace, 'chat.update', 5_000, newDeadline());
  await posts.limit(workspace, 'chat.update', 100, newDeadline());
  const another = slack.core.store.slackPosts;
  expect(await another.findLimit(workspace, 'chat.update', newDeadline())).toBeGreaterThan(4_000);
  expect(await another.findLimit(workspace, 'chat.postMessage', newDeadline())).toBe(0);
  expect(await another.findLimit(asId('ws_00000000000000000000000000'), 'chat.update', newDeadline())).toBe(
    0,
  );
  const key = workspaceKeys(workspace).slackThrottle('chat.update');
  expect(await slack.core.store.connection.call<number>(newDeadline(), ['PTTL', key])).toBeGreaterThan(0);
});
