import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import type {Comment} from '../../src/domain/comments/comment.js';
import {parseWire} from '../../src/domain/core/resource.js';
import {type Standup, standupsOfPostResult} from '../../src/domain/standups/standup.js';
import type {TeamChange} from '../../src/domain/teams/team.js';
import type {Member} from '../../src/domain/workspaces/workspace.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {botToken, channel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
let [ada, grace] = [{} as Member, {} as Member];
beforeEach(async () => {
  slack = await startSlack();
  await setTeam({slack_post_mode: 'channel'});
  ada = await addMember('Ada');
  grace = await addMember('Grace');
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  expect(slack.unshown).toEqual([]);
  await slack.close();
});

const newDeadline = () => performance.now() + 2_000;
const setTeam = (change: TeamChange) =>
  slack.core.services.teams.changeTeam(slack.operator(), 'platform', change);
const by = ({id, name}: Pick<Member, 'id' | 'name'>) => ({
  ...slack.operator(),
  principal: {type: 'member', id, name} as const,
});

async function addMember(name: string): Promise<Member> {
  const {members, people} = slack.core.services;
  const member = parseWire((await members.createMember(slack.operator(), {name, role: 'member'})).body);
  await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, member.id);
  return member;
}

async function post(member: Member, update: string): Promise<Standup> {
  const input = {team: 'platform', update, source: 'api'} as const;
  return standupsOfPostResult((await slack.core.services.standups.postStandup(by(member), input)).body)[0];
}

async function comment(
  member: Member,
  {id: standup}: Standup,
  text: string,
  format?: 'markdown',
): Promise<Comment> {
  const {comments} = slack.core.services;
  return parseWire((await comments.createComment(by(member), {standup, text, ...(format && {format})})).body);
}

const edit = ({id, author}: Comment, text: string) =>
  slack.core.services.comments.editComment({...slack.operator(), principal: author}, id, {text});
const remove = ({id, author}: Comment) =>
  slack.core.services.comments.deleteComment({...slack.operator(), principal: author}, id);

/** Works until nothing waits in the channel. */
async function finish(): Promise<void> {
  const pending = workspaceKeys(slack.workspace).slackPending(channel);
  await until(async () => {
    await slack.work({waits: {unanswered: [20, 20, 20], closed: [20], leaseMs: 1_000}});
    return (await slack.core.store.connection.call(newDeadline(), ['EXISTS', pending])) === 0;
  });
}

/** Removes a message as a person in Slack. */
const removeInSlack = (ts = '') => slack.api('chat.delete', {channel, ts}, botToken);

/** The number of comments in the message of a standup, of which other tests speak. */
const countsLine = /\n💬 \d+$/;

/** The messages in the channel, each with its replies. */
async function shown(): Promise<string[][]> {
  const parents = await slack.parents();
  return Promise.all(
    parents.map(async ({ts, text}) => [
      text
        .replace(/^Standup · \w+ \d+ \w+ · /, '')
        .replace(/ · \w+ \d+ \w+:/, ':')
        .replace(countsLine, ''),
      ...(await slack.replies(ts)).map((reply) => reply.text.replace(countsLine, '')),
    ]),
  );
}

describe('a comment written in the service', () => {
  test('a comment in Slack is a reply to the message of its standup, follows edits, and disappears with its deletion', async () => {
    const standup = await post(ada, 'one');
    await post(grace, 'two');
    await finish();
    const first = await comment(grace, standup, 'on it');
    await comment(ada, standup, 'thanks');
    await finish();
    expect(await shown()).toEqual([['Ada: one', 'Grace: on it', 'Ada: thanks'], ['Grace: two']]);
    await edit(first, 'done');
    await finish();
    expect(await shown()).toEqual([['Ada: one', 'Grace: done', 'Ada: thanks'], ['Grace: two']]);
    await remove(first);
    await finish();
    expect(await shown()).toEqual([['Ada: one', 'Ada: thanks'], ['Grace: two']]);
  });

  test('a comment in Slack is posted after its standup if both are written before Slack is reached', async () => {
    const standup = await post(ada, 'one');
    await comment(grace, standup, 'on it');
    slack.slack.fail('chat.postMessage', {kind: 'status', status: 503});
    await finish();
    expect(await shown()).toEqual([['Ada: one', 'Grace: on it']]);
  });

  test('a comment in Slack names the author of the standup in the thread of a day', async () => {
    await setTeam({slack_post_mode: 'thread'});
    const standup = await post(ada, 'one');
    await comment(grace, standup, 'on it');
    await finish();
    expect(await shown()).toEqual([['1 of 2 posted', 'Ada: one', 'On Ada’s update · Grace: on it']]);
  });

  test('a comment in Slack is not in Slack for a team that shows only names there', async () => {
    await setTeam({slack_post_mode: 'digest'});
    const standup = await post(ada, 'one');
    await comment(grace, standup, 'on it');
    await finish();
    expect(JSON.stringify(slack.slack.calls)).not.toContain('on it');
  });

  test('a comment in Slack is escaped, shows Markdown as rich text, and notifies no one', async () => {
    const standup = await post(ada, 'one');
    await comment(grace, standup, '<!channel> & **loud** [@Ada](mention:' + ada.id + ')', 'markdown');
    await finish();
    const {body} = slack.slack.of('chat.postMessage').at(-1)!;
    expect(body['text']).toBe('Grace: &lt;!channel&gt; &amp; loud @Ada');
    const blocks = JSON.stringify(body['blocks']);
    expect(blocks).toContain('"bold":true');
    expect(blocks).toContain('<!channel>');
    expect(blocks).not.toMatch(/"type":"(?:broadcast|user|usergroup)"/);
    expect(body).toMatchObject({parse: 'none', link_names: 'false'});
  });

  test('a comment in Slack continues in further replies if it is too long for one message', async () => {
    const standup = await post(ada, 'one');
    const long = await comment(grace, standup, 'word & '.repeat(570));
    await finish();
    const [[, ...replies] = []] = await shown();
    expect(replies.length).toBeGreaterThan(1);
    expect(replies.join(' ').match(/word/g)).toHaveLength(570);
    await edit(long, 'short');
    await finish();
    expect(await shown()).toEqual([['Ada: one', 'Grace: short']]);
  });

  test('a comment in Slack is not in Slack if the team keeps both apart, and one that is there still follows its edits', async () => {
    const standup = await post(ada, 'one');
    const early = await comment(grace, standup, 'early');
    await finish();
    await setTeam({slack_replies: 'off'});
    const late = await comment(grace, standup, 'late');
    await edit(early, 'early, edited');
    await edit(late, 'late, edited');
    await finish();
    expect(await shown()).toEqual([['Ada: one', 'Grace: early, edited']]);
    await setTeam({slack_replies: 'out'});
    await comment(grace, standup, 'again');
    await finish();
    expect(await shown()).toEqual([['Ada: one', 'Grace: early, edited', 'Grace: again']]);
  });

  test('a comment in Slack never brings back a standup whose message a person has removed', async () => {
    const standup = await post(ada, 'one');
    await finish();
    await removeInSlack((await slack.parents())[0]?.ts);
    slack.slack.failAlways('chat.postMessage', {kind: 'refused', code: 'thread_not_found'});
    const made = await comment(grace, standup, 'on it');
    await finish();
    slack.slack.clear();
    await edit(made, 'still on it');
    await slack.core.services.standups.editStandup(by(ada), standup.id, {update: 'one, edited'});
    await finish();
    expect(await shown()).toEqual([]);
    expect(slack.slack.of('chat.postMessage')).toEqual([]);
  });

  test('a comment in Slack never brings back the message of a day that a person has removed', async () => {
    await setTeam({slack_post_mode: 'thread'});
    const standup = await post(ada, 'one');
    await finish();
    await removeInSlack((await slack.parents())[0]?.ts);
    slack.slack.failAlways('chat.postMessage', {kind: 'refused', code: 'thread_not_found'});
    await comment(grace, standup, 'on it');
    await finish();
    expect(slack.slack.of('chat.postMessage').map(({reply}) => reply)).toEqual([
      expect.objectContaining({ok: true}),
      expect.objectContaining({ok: true}),
      undefined,
    ]);
    expect(await shown()).toEqual([]);
  });

  test('a comment in Slack stays away once a person has removed its reply in Slack', async () => {
    const standup = await post(ada, 'one');
    const made = await comment(grace, standup, 'on it');
    await finish();
    const [root] = await slack.parents();
    await removeInSlack((await slack.replies(root?.ts ?? ''))[0]?.ts);
    await edit(made, 'still on it');
    await finish();
    expect(await shown()).toEqual([['Ada: one']]);
    expect((await slack.core.services.comments.findComment(slack.operator(), made.id)).text).toBe(
      'still on it',
    );
  });

  test('a comment in Slack is posted once if the answer of Slack is lost, or two jobs work at a time', async () => {
    const standup = await post(ada, 'one');
    await finish();
    slack.slack.fail('chat.postMessage', {kind: 'lost'}, {kind: 'lost'});
    await comment(grace, standup, 'first');
    await comment(grace, standup, 'second');
    await Promise.all([finish(), finish()]);
    await finish();
    expect(await shown()).toEqual([['Ada: one', 'Grace: first', 'Grace: second']]);
  });

  test('a comment in Slack is given up without a word if it is unknown whether Slack has it, and other messages go on', async () => {
    const standup = await post(ada, 'one');
    await finish();
    slack.slack.fail('chat.postMessage', {kind: 'lost'});
    slack.slack.fail('conversations.replies', {kind: 'refused', code: 'missing_scope'});
    await comment(grace, standup, 'unsure');
    await comment(grace, standup, 'sure');
    await finish();
    expect(await shown()).toEqual([['Ada: one', 'Grace: unsure', 'Grace: sure']]);
    expect(await slack.events()).not.toContain('slack.post_failed');
  });

  test('a comment in Slack goes with its standup, before the standup itself', async () => {
    const standup = await post(ada, 'one');
    await comment(grace, standup, 'on it');
    await comment(ada, standup, 'thanks');
    await finish();
    const [root] = await slack.parents();
    await slack.core.services.standups.deleteStandup(by(ada), standup.id);
    await finish();
    expect(await shown()).toEqual([]);
    const removed = slack.slack.of('chat.delete').map(({body}) => body['ts']);
    expect(removed).toHaveLength(3);
    expect(removed.at(-1)).toBe(root?.ts);
  });
});

test('a comment on a standup of a private team is never posted in a public channel', async () => {
  await slack.close();
  let kind: 'public' | 'private' = 'private';
  slack = await startSlack({findChannelKind: async () => kind});
  await setTeam({slack_post_mode: 'channel', visibility: 'private'});
  ada = await addMember('Ada');
  const standup = await post(ada, 'one');
  await finish();
  kind = 'public';
  await comment(ada, standup, 'secret');
  await slack.work({waits: {unanswered: [20], closed: [20], leaseMs: 1_000}});
  expect(slack.slack.of('chat.postMessage').map(({body}) => body['text'])).toEqual([
    expect.stringContaining('one'),
  ]);
});
