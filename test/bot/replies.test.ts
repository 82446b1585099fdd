// People reply in the thread of a standup's message, and their replies become comments.
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import type {Comment} from '../../src/domain/comments/comment.js';
import {AppError, fieldError} from '../../src/domain/core/errors.js';
import {parseWire} from '../../src/domain/core/resource.js';
import {type Standup, standupsOfPostResult} from '../../src/domain/standups/standup.js';
import type {TeamChange} from '../../src/domain/teams/team.js';
import type {Member} from '../../src/domain/workspaces/workspace.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {channel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
let ada = {} as Member;
let [standup, root] = [{} as Standup, ''];
beforeEach(async () => {
  slack = await startSlack();
  await setTeam({slack_post_mode: 'channel'});
  ada = await addMember('Ada', 'U0ADA');
  standup = await post('one');
  root = (await slack.parents())[0]?.ts ?? '';
  slack.slack.clear();
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
});

const newDeadline = () => performance.now() + 2_000;
const setTeam = (change: TeamChange) =>
  slack.core.services.teams.changeTeam(slack.operator(), 'platform', change);
const by = ({id, name}: Pick<Member, 'id' | 'name'>) => ({
  ...slack.operator(),
  principal: {type: 'member', id, name} as const,
});

async function addMember(name: string, user: string): Promise<Member> {
  const {members, people} = slack.core.services;
  const input = {name, role: 'member', slack_user_id: user} as const;
  const member = parseWire((await members.createMember(slack.operator(), input)).body);
  await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, member.id);
  return member;
}

async function post(update: string): Promise<Standup> {
  const {standups} = slack.core.services;
  const answer = await standups.postStandup(by(ada), {team: 'platform', update, source: 'api'});
  await finish();
  return standupsOfPostResult(answer.body)[0];
}

/** Works until nothing waits in the channel. */
async function finish(): Promise<void> {
  const pending = workspaceKeys(slack.workspace).slackPending(channel);
  await until(async () => {
    await slack.work({waits: {unanswered: [20], closed: [20], leaseMs: 1_000}});
    return (await slack.core.store.connection.call(newDeadline(), ['EXISTS', pending])) === 0;
  });
}

type Fields = Record<string, unknown>;

/** The fractions that Slack’s emulator gives to messages of the bot are small. */
let count = 500_000;
/** A reply as Slack reports it. */
const reply = (text: string, more: Fields = {}): Fields & {ts: string} => ({
  type: 'message',
  channel,
  channel_type: 'channel',
  user: 'U0GRACE',
  text,
  blocks: richText({type: 'text', text}),
  ts: `${Math.floor(Date.now() / 1_000)}.${String((count += 1)).padStart(6, '0')}`,
  thread_ts: root,
  parent_user_id: 'UBOT',
  ...more,
});

const richText = (...elements: Fields[]) => [
  {type: 'rich_text', elements: [{type: 'rich_text_section', elements}]},
];

const editOf = (before: Fields & {ts: string}, text: string, at = `${Number(before.ts) + 5}`): Fields => ({
  type: 'message',
  subtype: 'message_changed',
  channel,
  channel_type: 'channel',
  ts: at,
  message: {...before, text, blocks: richText({type: 'text', text}), edited: {user: before['user'], ts: at}},
  previous_message: before,
});

const deletionOf = (before: Fields & {ts: string}): Fields => ({
  type: 'message',
  subtype: 'message_deleted',
  channel,
  channel_type: 'channel',
  deleted_ts: before.ts,
  previous_message: before,
});

async function comments(of: Standup = standup): Promise<Comment[]> {
  const query = {standup: of.id, limit: 100};
  const {rows} = await slack.core.services.comments.listComments(slack.operator(), query);
  return rows.map((json) => parseWire(json));
}

const texts = async () => (await comments()).map(({author, text}) => `${author.name}: ${text}`);
const members = async () =>
  (await slack.core.services.members.listMembers(slack.operator(), {limit: 100})).rows.length;
const hints = () => slack.slack.of('chat.postEphemeral').map(({body}) => String(body['text']));

describe('a reply in the thread of a standup’s message', () => {
  test('a reply in Slack becomes a comment of its author, with its address in Slack, and is posted nowhere again', async () => {
    const said = reply('on it');
    expect((await slack.event(said)).status).toBe(200);
    const [comment] = await comments();
    expect(comment).toMatchObject({
      standup: standup.id,
      text: 'on it',
      format: 'markdown',
      source: 'slack',
      author: {type: 'member', name: 'U0GRACE'},
      slack: {channel_id: channel, message_ts: said.ts},
    });
    await finish();
    expect(slack.slack.of('chat.postMessage')).toEqual([]);
    expect((await slack.events()).filter((type) => type === 'comment.created')).toHaveLength(1);
  });

  test('a reply in Slack becomes one comment, however often and however close together Slack reports it', async () => {
    const said = reply('on it');
    await Promise.all([slack.event(said), slack.event(said), slack.event(said, {}, {retry: 1})]);
    await slack.event(said, {}, {retry: 2});
    await slack.event(said, {}, {retry: 3});
    expect(await texts()).toEqual(['U0GRACE: on it']);
  });

  test('a reply in Slack makes its author a member of the workspace, and never of the team', async () => {
    const before = await members();
    await slack.event(reply('on it'));
    expect(await members()).toBe(before + 1);
    const {people} = slack.core.services;
    const at = {workspace: slack.workspace, deadline: newDeadline()};
    const grace = await people.findSlackMember(at, 'U0GRACE');
    const team = await slack.core.services.teams.findTeam(slack.operator(), 'platform');
    expect(await people.listTeamsOf(at, grace!.id, [team])).toEqual([]);
  });

  test('a reply in Slack follows the edits of its author in the order of Slack’s clock, and says that it was edited', async () => {
    const said = reply('on it');
    await slack.event(said);
    const [first, second] = [
      editOf(said, 'done', `${Number(said.ts) + 1}`),
      editOf(said, 'done!', `${Number(said.ts) + 2}`),
    ];
    await Promise.all([slack.event(second), slack.event(second)]);
    await slack.event(first);
    expect(await comments()).toMatchObject([{text: 'done!', edited: true, revision: 2}]);
  });

  test('a reply in Slack keeps its last text if that is also its first, and Slack reports an edit between them late', async () => {
    const said = reply('on it');
    await slack.event(said);
    const [between, last] = [
      editOf(said, 'done', `${Number(said.ts) + 1}`),
      editOf(said, 'on it', `${Number(said.ts) + 2}`),
    ];
    await slack.event(last);
    await slack.event(between);
    expect(await comments()).toMatchObject([{text: 'on it', edited: false, revision: 1}]);
  });

  test('a reply in Slack is a comment with its last text if Slack reports an edit before the reply itself', async () => {
    const said = reply('on it');
    await slack.event(editOf(said, 'done'));
    await slack.event(said);
    expect(await comments()).toMatchObject([{text: 'done', revision: 1}]);
  });

  test('a reply in Slack becomes no comment by an edit more than a week after it was typed', async () => {
    const said = reply('on it', {ts: `${Math.floor(Date.now() / 1_000) - 8 * 86_400}.000001`});
    await slack.event(editOf(said, 'done'));
    expect(await comments()).toEqual([]);
  });

  test('a reply in Slack takes its comment with it when it is deleted in Slack', async () => {
    const said = reply('on it');
    await slack.event(said);
    await Promise.all([slack.event(deletionOf(said)), slack.event(deletionOf(said))]);
    await slack.event(said, {}, {retry: 1});
    await slack.event(editOf(said, 'late'));
    expect(await comments()).toEqual([]);
    expect((await slack.events()).filter((type) => type === 'comment.deleted')).toHaveLength(1);
  });

  test('a reply in Slack makes no comment if Slack reports first that it was deleted', async () => {
    const said = reply('on it');
    await slack.event(deletionOf(said));
    await slack.event(said);
    await slack.event(editOf(said, 'done'));
    expect(await comments()).toEqual([]);
    expect(await members()).toBe(1);
  });

  test('a reply in Slack is not made a comment again by Slack after the comment was deleted here', async () => {
    const said = reply('on it');
    await slack.event(said);
    const [comment] = await comments();
    await slack.core.services.comments.deleteComment(
      {...slack.operator(), principal: comment!.author},
      comment!.id,
    );
    await slack.event(said, {}, {retry: 1});
    await slack.event(editOf(said, 'again'));
    expect(await comments()).toEqual([]);
  });

  test('a reply in Slack makes no one a member again who was removed with their comments, and edits it in Slack', async () => {
    const said = reply('on it');
    await slack.event(said);
    const [comment] = await comments();
    const {services} = slack.core;
    await services.comments.deleteComment({...slack.operator(), principal: comment!.author}, comment!.id);
    await services.members.deleteMember(slack.operator(), comment!.author.id, {erase: false});
    await slack.event(editOf(said, 'again'));
    expect(await members()).toBe(1);
  });

  test('a reply in Slack is edited only in Slack, whose address the refusal names', async () => {
    await slack.event(reply('on it'));
    const [comment] = await comments();
    const call = {...slack.operator(), principal: comment!.author};
    await expect(
      slack.core.services.comments.editComment(call, comment!.id, {text: 'no'}),
    ).rejects.toMatchObject({
      code: 'edit_in_slack',
    });
    expect(await comments()).toEqual([comment]);
  });

  test('a reply in Slack keeps its formatting, and mentions the members that it names', async () => {
    const styled = richText(
      {type: 'user', user_id: 'U0ADA'},
      {type: 'text', text: ' *not* '},
      {type: 'text', text: 'bold', style: {bold: true}},
      {type: 'broadcast', range: 'channel'},
    );
    await slack.event(reply('<@U0ADA> bold', {blocks: styled}));
    const [comment] = await comments();
    expect(comment?.text).toBe(`[@Ada](mention:${ada.id}) \\*not\\* **bold**@channel`);
    const inbox = await slack.core.services.inbox.listInbox(by(ada), {limit: 10});
    expect(JSON.stringify(inbox.rows)).toContain('mention');
  });

  test('a reply in Slack may be /me, shown in the channel too, in a private channel, or a file, whose address stands for it', async () => {
    await slack.event(reply('waves', {subtype: 'me_message', blocks: undefined}));
    await slack.event(reply('everyone', {subtype: 'thread_broadcast'}));
    await slack.event(reply('privately', {channel_type: 'group'}));
    await slack.event(reply('see this', {subtype: 'file_share', files: [{id: 'F1'}]}));
    const said = await texts();
    expect(said.slice(0, 3)).toEqual(['U0GRACE: waves', 'U0GRACE: everyone', 'U0GRACE: privately']);
    expect(said[3]).toMatch(/^U0GRACE: see this/);
  });
});

describe('a message in a channel', () => {
  const others: readonly (readonly [string, (fields: Fields) => Fields])[] = [
    ['that the bot posted', (fields) => ({...fields, user: 'UBOT', bot_id: 'B1'})],
    ['that another app posted', (fields) => ({...fields, app_id: 'A2'})],
    ['that Slack itself posted', (fields) => ({...fields, user: 'USLACKBOT'})],
    ['outside threads', (fields) => ({...fields, thread_ts: undefined, parent_user_id: undefined})],
    ['that starts a thread', (fields) => ({...fields, ts: root})],
    ['below a message of a person', (fields) => ({...fields, parent_user_id: 'U0ADA'})],
    ['below another message of the bot', (fields) => ({...fields, thread_ts: '1700000000.000100'})],
    ['that is a command for the bot', (fields) => ({...fields, text: '<@UBOT> today'})],
    ['that Slack wrote about a change', (fields) => ({...fields, subtype: 'channel_topic'})],
    ['that has fields of other types', (fields) => ({...fields, thread_ts: 7})],
  ];

  test.each(others)('%s makes neither a comment nor a member', async (_, change) => {
    expect((await slack.event(change(reply('on it')))).status).toBe(200);
    expect(await comments()).toEqual([]);
    expect(await members()).toBe(1);
    expect(hints()).toEqual([]);
  });

  test('regression: a message in a channel is answered with 200 whatever its fields are, so that Slack does not send it again', async () => {
    const whole = editOf(reply('on it'), 'done');
    const said = reply('on it', {edited: {ts: '1.000001'}, files: [], item: {}, subteam: {}});
    for (const value of [null, 7, true, {}, [], [null], 'x']) {
      for (const field of Object.keys(said)) {
        if (field === 'type' || field === 'ts') continue;
        const {status} = await slack.event({...said, [field]: value}, {}, {retry: 3});
        expect({field, value, status}).toEqual({field, value, status: 200});
      }
      for (const field of ['message', 'previous_message', 'channel'])
        expect((await slack.event({...whole, [field]: value}, {}, {retry: 3})).status).toBe(200);
    }
  });

  test.each([
    'app_mention',
    'app_home_opened',
    'user_change',
    'reaction_added',
    'channel_rename',
    'subteam_created',
  ])(
    'regression: a message in a channel is not the only event with empty fields: %s is answered with 200',
    async (type) => {
      const event = {type, user: null, channel: null, item: null, subteam: null, ts: '1.000001'};
      expect((await slack.event(event)).status).toBe(200);
      expect((await slack.event({type, channel: null})).status).toBe(200);
      expect((await slack.event(event, {authorizations: [null]})).status).toBe(200);
    },
  );

  test('a message in a channel below a person’s message is dropped without a look into the store', async () => {
    const {connection} = slack.core.store;
    const asked: string[] = [];
    const call = connection.call.bind(connection);
    Object.assign(connection, {
      call: (...given: Parameters<typeof call>) => {
        asked.push(given[1].join(' '));
        return call(...given);
      },
    });
    await slack.event(reply('chat', {parent_user_id: 'U0ADA'}));
    expect(asked.filter((command) => command.includes(root))).toEqual([]);
  });

  test('a message in a channel below a message of a minute ago that is not recorded yet is sent again by Slack, and no more after the last time', async () => {
    const fresh = `${Math.floor(Date.now() / 1_000)}.000009`;
    const early = reply('early', {thread_ts: fresh});
    expect((await slack.event(early)).status).toBe(503);
    expect((await slack.event(early, {}, {retry: 3})).status).toBe(200);
  });
});

describe('a reply that is not taken', () => {
  const guest = {ok: true, user: {id: 'U0GUEST', team_id: 'T000000001', name: 'guest', is_restricted: true}};
  const stranger = {
    ok: true,
    user: {
      id: 'U0GUEST',
      team_id: 'T0OTHER',
      name: 'eve',
      is_stranger: true,
      is_email_confirmed: true,
      profile: {email: 'ada@example.com'},
    },
  };

  test.each([
    ['a guest', guest],
    ['a person of another Slack workspace in a shared channel', stranger],
  ])('stays in Slack, and %s learns why, once and privately', async (_, answer) => {
    slack.slack.failAlways('users.info', {kind: 'replied', reply: answer});
    const said = reply('on it', {user: 'U0GUEST'});
    await slack.event(said);
    await slack.event(editOf(said, 'please'));
    await slack.event(reply('hello?', {user: 'U0GUEST'}));
    expect(await comments()).toEqual([]);
    expect(await members()).toBe(1);
    expect(hints()).toEqual([expect.stringContaining('only full members of this Slack workspace')]);
    expect(slack.slack.of('chat.postEphemeral')[0]?.body).toMatchObject({user: 'U0GUEST', thread_ts: root});
  });

  test('a reply that is not taken is below a standup of a private team that its author cannot see', async () => {
    await slack.close();
    slack = await startSlack({findChannelKind: async () => 'private'});
    await setTeam({slack_post_mode: 'channel', visibility: 'private'});
    ada = await addMember('Ada', 'U0ADA');
    standup = await post('secret');
    root = (await slack.parents())[0]?.ts ?? '';
    await slack.event(reply('on it'));
    await slack.event(reply('thanks', {user: 'U0ADA'}));
    expect(await texts()).toEqual(['Ada: thanks']);
    expect(hints()).toEqual([expect.stringContaining('you can’t see this update')]);
  });

  test('a reply that is not taken is longer than a comment may be', async () => {
    await slack.event(reply('x'.repeat(4_001)));
    expect(await comments()).toEqual([]);
    expect(hints()).toEqual([expect.stringContaining('4,000')]);
  });

  test('regression: a reply that is not taken because an edit makes it too long leaves its comment as it was, and its author learns that', async () => {
    const said = reply('on it');
    await slack.event(said);
    await slack.event(editOf(said, 'x'.repeat(4_001)));
    expect(await texts()).toEqual(['U0GRACE: on it']);
    expect(hints()).toEqual([expect.stringContaining('keeps its earlier text')]);
    await slack.event(editOf(said, 'done', `${Number(said.ts) + 9}`));
    expect(await texts()).toEqual(['U0GRACE: done']);
  });

  test('regression: a reply that is not taken because a name in it makes it too long is said to be too long', async () => {
    const tooLong = fieldError('validation_failed', '#/text', '`text` is 4,010 characters long.');
    Object.assign(slack.core.services.slackReplies, {takeReply: () => Promise.reject(tooLong)});
    await slack.event(reply('ask @Ada'));
    expect(hints()).toEqual([expect.stringContaining('4,000')]);
  });

  test.each([
    [
      'has a file alone, in a workspace without an address',
      {text: '', blocks: undefined, files: [{id: 'F1'}]},
    ],
    [
      'has invisible characters alone',
      {text: '\u200b\u2060', blocks: richText({type: 'text', text: '\u200b'})},
    ],
    ['has a blank of Braille alone', {text: '\u2800', blocks: undefined}],
    ['is longer than a comment may be', {text: 'x'.repeat(4_001), blocks: undefined}],
  ])('regression: a reply that is not taken %s and makes its author no member', async (_, fields) => {
    Object.assign(slack.core.services.slackReplies, {
      findThread: async () => ({standup: standup.id, permalink: null}),
    });
    await slack.event(reply('', fields));
    expect(await comments()).toEqual([]);
    expect(await members()).toBe(1);
  });

  test.each(['out', 'off'] as const)(
    'a reply that is not taken belongs to a team with the setting %s',
    async (slack_replies) => {
      await setTeam({slack_replies});
      await slack.event(reply('on it'));
      expect(await comments()).toEqual([]);
      expect(await members()).toBe(1);
      expect(hints()).toEqual([]);
    },
  );

  test('a reply that is not taken is below a standup that was deleted', async () => {
    const {standups} = slack.core.services;
    await standups.deleteStandup(by(ada), standup.id);
    await slack.event(reply('on it'));
    expect(await members()).toBe(1);
  });

  test('a reply that is not taken is in the thread of a day, where it is not certain which standup it means', async () => {
    await setTeam({slack_post_mode: 'thread'});
    await post('two');
    const day = (await slack.parents()).find(({text}) => text.startsWith('Standup'))?.ts ?? '';
    await slack.event(reply('on it', {thread_ts: day}), {}, {retry: 3});
    expect(await comments()).toEqual([]);
  });
});

test('a reply that cannot be stored is sent again by Slack, and then becomes one comment', async () => {
  const said = reply('on it');
  const {slackReplies} = slack.core.services;
  const take = slackReplies.takeReply;
  let fails = true;
  Object.assign(slackReplies, {
    takeReply: async (...given: Parameters<typeof take>) => {
      await take(...given);
      if (fails) throw new Error('the answer was lost');
    },
  });
  expect((await slack.event(said)).status).toBe(503);
  fails = false;
  expect((await slack.event(said, {}, {retry: 1})).status).toBe(200);
  expect(await texts()).toEqual(['U0GRACE: on it']);
});

test('a reply whose process died before it was stored is taken if Slack sends it again within the same second', async () => {
  const said = reply('on it');
  const {slackReplies} = slack.core.services;
  const take = slackReplies.takeReply;
  let reached = (): void => undefined;
  const dead = new Promise<void>((resolve) => (reached = resolve));
  const never = new Promise<void>(() => undefined);
  Object.assign(slackReplies, {takeReply: () => (reached(), never)});
  const timestamp = Math.floor(Date.now() / 1_000);
  const sent = {event_id: 'Ev1', event_time: timestamp};
  slack.event(said, sent, {timestamp}).catch(() => undefined);
  await dead;
  Object.assign(slackReplies, {takeReply: take});
  expect((await slack.event(said, sent, {timestamp, retry: 1})).status).toBe(200);
  expect(await texts()).toEqual(['U0GRACE: on it']);
});

test('a reply that could not be stored at all stays in Slack, and its author learns why after the last time', async () => {
  const {slackReplies} = slack.core.services;
  Object.assign(slackReplies, {takeReply: () => Promise.reject(new AppError('storage_full', 'Full.'))});
  const said = reply('on it');
  for (const retry of [1, 2]) expect((await slack.event(said, {}, {retry})).status).toBe(503);
  expect(hints()).toEqual([]);
  expect((await slack.event(said, {}, {retry: 3})).status).toBe(200);
  expect(hints()).toEqual([expect.stringContaining('out of space')]);
});

test('comments from Slack and comments from the dashboard are in one thread, each once', async () => {
  await slack.event(reply('from Slack'));
  const input = {standup: standup.id, text: 'from here'};
  await slack.core.services.comments.createComment(by(ada), input);
  await finish();
  const posted = (await slack.replies(root)).map(({ts, text}) => ({ts, text}));
  expect(posted.map(({text}) => text)).toEqual(['Ada: from here']);
  // Slack reports what the bot has posted, as it reports what people type.
  await slack.event(reply('Ada: from here', {ts: posted[0]?.ts, user: 'UBOT', bot_id: 'B1', app_id: 'A1'}));
  await finish();
  expect(await texts()).toEqual(['U0GRACE: from Slack', 'Ada: from here']);
  expect(await slack.replies(root)).toHaveLength(1);
});
