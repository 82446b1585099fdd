import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {parseWire} from '../../src/domain/core/resource.js';
import {type Standup, standupsOfPostResult} from '../../src/domain/standups/standup.js';
import type {TeamChange} from '../../src/domain/teams/team.js';
import type {Member} from '../../src/domain/workspaces/workspace.js';
import {presentStandup} from '../../src/bot/slack/posting/standup-messages.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {createSlackPosts} from '../../src/store/slack/slack-posts.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import {botToken, channel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {findLimitViolations} from '../support/slack-limits.js';
import {asId} from '../support/ids.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
let [ada, grace] = [{} as Member, {} as Member];
beforeEach(async () => {
  slack = await startSlack();
  await setTeam({slack_post_mode: 'channel', slack_replies: 'out'});
  [ada, grace] = [await addMember('Ada'), await addMember('Grace')];
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  expect(slack.unshown).toEqual([]);
  await slack.close();
});

const newDeadline = () => performance.now() + 2_000;
const setTeam = (change: TeamChange) =>
  slack.core.services.teams.changeTeam(slack.operator(), 'platform', change);
const by = ({id, name}: Member) => ({...slack.operator(), principal: {type: 'member', id, name} as const});

async function addMember(name: string): Promise<Member> {
  const {members, people} = slack.core.services;
  const member = parseWire((await members.createMember(slack.operator(), {name, role: 'member'})).body);
  await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, member.id);
  return member;
}

async function post(update: string): Promise<Standup> {
  const input = {team: 'platform', update, source: 'api'} as const;
  return standupsOfPostResult((await slack.core.services.standups.postStandup(by(ada), input)).body)[0];
}

const react = (member: Member, {id: subject}: Standup, change: {add?: string[]; remove?: string[]}) =>
  slack.core.services.reactions.changeReaction(by(member), {subject, add: [], remove: [], ...change});
const comment = ({id: standup}: Standup, text: string) =>
  slack.core.services.comments.createComment(by(grace), {standup, text});

/** Works until nothing waits in the channel. */
async function finish(): Promise<void> {
  const pending = workspaceKeys(slack.workspace).slackPending(channel);
  await until(async () => {
    await slack.work({waits: {unanswered: [20, 20, 20], closed: [20], leaseMs: 1_000}});
    return (await slack.core.store.connection.call(newDeadline(), ['EXISTS', pending])) === 0;
  });
}

/** The lines of the standups' messages below their first line. */
const details = async () =>
  (await slack.parents()).flatMap(({text}) => (text.includes(': ') ? [text.split('\n').slice(1)] : []));
const edits = () => slack.slack.of('chat.update').length;

test('the message of a standup has the numbers of its reactions and comments, without names, by few edits', async () => {
  const standup = await post('one');
  await finish();
  expect(await details()).toEqual([[]]);
  slack.slack.clear();
  await react(grace, standup, {add: ['👍', '🎉']});
  await react(ada, standup, {add: ['👍']});
  await comment(standup, 'on it');
  await finish();
  expect(await details()).toEqual([['👍 2 · 🎉 1 · 💬 1']]);
  expect(edits()).toBe(1);
  const [message] = await slack.parents();
  expect(JSON.stringify(message?.blocks)).toContain('"text":"👍 2 · 🎉 1 · 💬 1"');
  await react(grace, standup, {remove: ['👍', '🎉']});
  await finish();
  expect(await details()).toEqual([['👍 1 · 💬 1']]);
});

test('the numbers below a standup wait a minute for more, while an edit of its text does not wait', async () => {
  const standup = await post('one');
  await finish();
  const {connection} = slack.core.store;
  const pending = workspaceKeys(slack.workspace).slackPending(channel);
  const item = {kind: 'counts', suffix: suffixOf(standup.id)} as const;
  await createSlackPosts(connection).refresh(slack.workspace, [{channel, item}], newDeadline());
  const [, due] = await connection.call<string[]>(newDeadline(), [
    'ZRANGE',
    pending,
    '0',
    '-1',
    'WITHSCORES',
  ]);
  const wait = Number(due) - slack.core.store.clock.now();
  expect(wait).toBeGreaterThan(50_000);
  expect(wait).toBeLessThan(60_500);
  await react(grace, standup, {add: ['👍']});
  await slack.core.services.standups.editStandup(by(ada), standup.id, {update: 'two'});
  await slack.work();
  expect((await slack.parents())[0]?.text).toMatch(/: two\n👍 1$/);
});

test('a message that a person has removed does not come back with a reaction', async () => {
  const standup = await post('one');
  await finish();
  await slack.api('chat.delete', {channel, ts: (await slack.parents())[0]?.ts ?? ''}, botToken);
  await react(grace, standup, {add: ['👍']});
  await finish();
  await react(ada, standup, {add: ['👍']});
  await finish();
  expect(await slack.parents()).toEqual([]);
});

test('a team that keeps comments out of Slack has no numbers below its standups', async () => {
  await setTeam({slack_replies: 'off'});
  const standup = await post('one');
  await finish();
  slack.slack.clear();
  await react(grace, standup, {add: ['👍']});
  await finish();
  expect(await details()).toEqual([[]]);
  expect(edits()).toBe(0);
});

test('the numbers below a standup never make a message too long, and never move its cuts', () => {
  const reactions = Array.from({length: 12}, (_, i) => ({emoji: `:${'a'.repeat(98)}:`, count: 100 + i}));
  const counts = {comments: 500, reactions};
  const translation = translationFor();
  for (const length of [10, 3_900, 3_980, 4_000]) {
    const standup = {
      id: asId<'standup'>('std_0123'),
      update: 'x'.repeat(length),
      author: {name: 'Ada'},
      revision: 1,
    };
    const [plain, counted] = [standup, {...standup, counts}].map((one) => presentStandup(translation, one));
    expect(counted?.length).toBe(plain?.length);
    for (const message of counted ?? []) expect(findLimitViolations(message)).toEqual([]);
  }
});
