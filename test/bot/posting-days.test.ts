import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {parseWire} from '../../src/domain/core/resource.js';
import {addDays} from '../../src/domain/core/dates.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import {type Standup, standupsOfPostResult} from '../../src/domain/standups/standup.js';
import type {SlackPostMode} from '../../src/domain/teams/team.js';
import type {Member} from '../../src/domain/workspaces/workspace.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {botToken, channel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
beforeEach(async () => {
  slack = await startSlack();
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
});

const newDeadline = () => performance.now() + 2_000;
const standups = () => slack.core.services.standups;

async function addMember(name: string): Promise<Member> {
  const answer = await slack.core.services.members.createMember(slack.operator(), {name, role: 'member'});
  const member = parseWire(answer.body);
  await join(member);
  return member;
}

const join = ({id: member}: Member) =>
  slack.core.services.people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, member);

const by = ({id, name}: Member) => ({...slack.operator(), principal: {type: 'member', id, name} as const});

async function post(member: Member, update: string, date?: string): Promise<Standup> {
  const answer = await standups().postStandup(by(member), {team: 'platform', update, date, source: 'api'});
  return standupsOfPostResult(answer.body)[0];
}

const edit = ({id, author}: Standup, change: {update?: string; date?: string}) =>
  standups().editStandup({...slack.operator(), principal: author}, id, change);

const remove = ({id, author}: Standup) =>
  standups().deleteStandup({...slack.operator(), principal: author}, id);

const setMode = (slack_post_mode: SlackPostMode) =>
  slack.core.services.teams.changeTeam(slack.operator(), 'platform', {slack_post_mode});

/** Works until all work is done, the counts included. */
async function finish(): Promise<void> {
  const pending = workspaceKeys(slack.workspace).slackPending(channel);
  await until(async () => {
    await slack.work({waits: {unanswered: [20, 20, 20], closed: [20], leaseMs: 1_000}});
    return (await slack.core.store.connection.call(newDeadline(), ['EXISTS', pending])) === 0;
  });
}

/** The messages in the channel, each with its replies. */
async function shown(): Promise<[string, ...string[]][]> {
  const parents = await slack.parents();
  return Promise.all(
    parents.map(
      async ({ts, text}): Promise<[string, ...string[]]> => [
        text.replace(/^Standup · \w+ \d+ \w+ · /, ''),
        ...(await slack.replies(ts)).map((reply) => reply.text),
      ],
    ),
  );
}

describe('the message of a day', () => {
  test('says how many of the team have posted, and follows posts, deletes, joins and leaves, with few calls', async () => {
    const [ada, grace] = [await addMember('Ada'), await addMember('Grace')];
    const first = await post(ada, 'one');
    await post(ada, 'two');
    await finish();
    expect(await shown()).toEqual([['1 of 2 posted', 'Ada: one', 'Ada: two']]);
    expect(slack.slack.of('chat.update')).toHaveLength(0);

    const alan = await addMember('Alan');
    await addMember('Mary');
    await finish();
    expect((await shown())[0]?.[0]).toBe('1 of 4 posted');
    expect(slack.slack.of('chat.update')).toHaveLength(1);

    const {teamMembers} = slack.core.services;
    await teamMembers.removeTeamMember(slack.operator(), 'platform', alan.id);
    await finish();
    expect((await shown())[0]?.[0]).toBe('1 of 3 posted');

    await post(grace, 'three');
    await teamMembers.removeTeamMember(slack.operator(), 'platform', grace.id);
    await remove(first);
    await finish();
    // A person who left the team later still counts on that day.
    expect((await shown())[0]?.[0]).toBe('2 of 3 posted');
  });

  test('counts a member who joins while an earlier count is being sent to Slack', async () => {
    await post(await addMember('Ada'), 'one');
    await finish();
    await addMember('Grace');
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    slack.slack.fail('chat.update', {kind: 'slow', until: gate});
    const working = finish();
    await until(() => slack.slack.of('chat.update').length === 1);
    await addMember('Alan');
    await slack.read();
    release();
    await working;
    await finish();
    expect((await shown())[0]?.[0]).toBe('1 of 3 posted');
  });

  test('is not updated endlessly while Slack does not answer, and is updated again at the next change', async () => {
    await post(await addMember('Ada'), 'one');
    await finish();
    slack.slack.failAlways('chat.update', {kind: 'status', status: 500});
    await addMember('Grace');
    await finish();
    expect(slack.slack.of('chat.update')).toHaveLength(4);
    slack.slack.clear();
    await addMember('Alan');
    await finish();
    expect((await shown())[0]?.[0]).toBe('1 of 3 posted');
  });

  test('regression: is updated at the next check after an update failed', async () => {
    const ada = await addMember('Ada');
    await post(ada, 'one');
    await finish();
    slack.slack.failAlways('chat.update', {kind: 'status', status: 500});
    await addMember('Grace');
    await finish();
    slack.slack.clear();
    await post(ada, 'two');
    await finish();
    expect((await shown())[0]?.[0]).toBe('1 of 2 posted');
  });

  test('remains when all its standups are deleted', async () => {
    const made = await post(await addMember('Ada'), 'one');
    await finish();
    await remove(made);
    await finish();
    expect(await shown()).toEqual([['0 of 1 posted']]);
  });

  test('counts no program as a member of the team', async () => {
    await addMember('Ada');
    await standups().postStandup(slack.operator(), {team: 'platform', update: 'built', source: 'api'});
    await finish();
    expect(await shown()).toEqual([['0 of 1 posted', 'operator: built']]);
  });

  test('shows for a past day what was posted late, and the number of members of that day', async () => {
    const ada = await addMember('Ada');
    const {date} = await post(ada, 'today');
    const yesterday = addDays(date, -1);
    await post(ada, 'late', yesterday);
    await finish();
    const grace = await addMember('Grace');
    await addMember('Alan');
    await finish();
    await post(grace, 'later still', yesterday);
    await finish();
    expect((await shown()).toSorted()).toEqual([
      ['1 of 3 posted', 'Ada: today'],
      ['2 of 2 posted', 'Ada: late', 'Grace: later still'],
    ]);
  });

  test('loses a standup whose date is changed, which is then shown once under the message of the other day', async () => {
    const ada = await addMember('Ada');
    const made = await post(ada, '漢'.repeat(4_000));
    await finish();
    expect((await shown())[0]).toHaveLength(3);
    await edit(made, {date: addDays(made.date, -1)});
    slack.slack.fail('chat.delete', {kind: 'lost'});
    slack.slack.fail('chat.postMessage', {kind: 'lost'});
    await finish();
    const [today, yesterday] = await shown();
    expect(today).toEqual(['0 of 1 posted']);
    expect(yesterday).toHaveLength(3);
    await edit(made, {date: made.date, update: 'back'});
    await finish();
    expect(await shown()).toEqual([['1 of 1 posted', 'Ada: back'], ['0 of 1 posted']]);
  });
});

describe('a team that wants each standup as a message of its own', () => {
  beforeEach(async () => void (await setMode('channel')));

  test('gets no message for the day, and edits and deletions change the messages of the standups', async () => {
    const ada = await addMember('Ada');
    const [one] = [await post(ada, 'one'), await post(ada, 'two')];
    await finish();
    expect((await slack.parents()).map(({text}) => text)).toEqual([
      expect.stringMatching(/^Ada · \w{3} \d+ \w{3}: one$/),
      expect.stringMatching(/^Ada · \w{3} \d+ \w{3}: two$/),
    ]);
    await edit(one, {update: 'better', date: addDays(one.date, -1)});
    await finish();
    expect((await slack.parents())[0]?.text).toMatch(/: better$/);
    await remove(one);
    await finish();
    expect(await slack.parents()).toHaveLength(1);
    expect(slack.slack.of('chat.postMessage')).toHaveLength(2);
  });

  test('finds the message of a standup in the channel when the reply of Slack was lost', async () => {
    slack.slack.fail('chat.postMessage', {kind: 'lost'});
    await post(await addMember('Ada'), 'one');
    await finish();
    expect(await slack.parents()).toHaveLength(1);
    expect(slack.slack.of('chat.postMessage')).toHaveLength(1);
  });

  test('continues a long standup in its own thread', async () => {
    const made = await post(await addMember('Ada'), '&'.repeat(4_000));
    await finish();
    const [[first, ...rest] = ['']] = await shown();
    expect(first).toMatch(/continued in the thread, part 1 of 6\)$/);
    expect(rest).toHaveLength(5);
    await remove(made);
    await finish();
    expect(await slack.parents()).toEqual([]);
  });
});

test('the message of a day does not count a standup that the bot gave up posting', async () => {
  const ada = await addMember('Ada');
  slack.slack.fail(
    'chat.postMessage',
    {kind: 'slow', until: Promise.resolve()},
    {kind: 'refused', code: 'invalid_blocks'},
  );
  await post(ada, 'refused');
  await finish();
  expect(await shown()).toEqual([['0 of 1 posted']]);
});

describe('a team that wants only the message of the day', () => {
  beforeEach(async () => void (await setMode('digest')));

  test('sees who has posted, and never what they wrote', async () => {
    const [grace, ada] = [await addMember('Grace'), await addMember('Ada')];
    const made = await post(grace, 'secret words');
    await post(ada, 'other words');
    await finish();
    expect(await shown()).toEqual([['2 of 2 posted\nPosted: Ada, Grace']]);
    await edit(made, {update: 'changed words'});
    await finish();
    await edit(made, {date: addDays(made.date, -1)});
    await finish();
    expect(await shown()).toEqual([['1 of 2 posted\nPosted: Ada'], ['1 of 2 posted\nPosted: Grace']]);
    await remove(made);
    await finish();
    expect(await shown()).toEqual([['1 of 2 posted\nPosted: Ada'], ['0 of 2 posted']]);
    expect(JSON.stringify(slack.slack.calls)).not.toContain('words');
  });

  test('gets a new message of the day as soon as Slack reports that the old one was removed', async () => {
    const [ada, grace] = [await addMember('Ada'), await addMember('Grace')];
    const alan = await addMember('Alan');
    await post(ada, 'one');
    await finish();
    const [parent] = await slack.parents();
    await slack.api('chat.delete', {channel, ts: parent!.ts}, botToken);
    await post(grace, 'two');
    await finish();
    expect(await shown()).toEqual([['2 of 3 posted\nPosted: Ada, Grace']]);
    await post(alan, 'three');
    await finish();
    expect(await shown()).toEqual([['3 of 3 posted\nPosted: Ada, Alan, Grace']]);
  });
});

test('a new display mode applies to later standups, while earlier ones are still updated where they are', async () => {
  const ada = await addMember('Ada');
  const [inThread, second] = [await post(ada, 'in thread'), await post(ada, 'gone soon')];
  await finish();
  await setMode('channel');
  const alone = await post(ada, 'alone');
  await finish();
  await setMode('digest');
  await post(ada, 'unseen');
  await edit(inThread, {update: 'still in thread'});
  await remove(second);
  await edit(alone, {update: 'still alone'});
  await finish();
  expect(await shown()).toEqual([
    ['1 of 1 posted\nPosted: Ada', 'Ada: still in thread'],
    [expect.stringMatching(/: still alone$/)],
  ]);
});

describe('a standup that is too long for one message', () => {
  const long = '&<> '.repeat(1_000);

  test('is shown in full in the thread, once, whatever happens to the calls', async () => {
    slack.slack.fail(
      'chat.postMessage',
      {kind: 'lost'},
      {kind: 'lost'},
      {kind: 'status', status: 500},
      {kind: 'lost'},
      {kind: 'limited', seconds: 1},
    );
    await post(await addMember('Ada'), long);
    await finish();
    const [[, ...replies] = ['']] = await shown();
    const parts = replies.map((text) => / … \(.*part (\d) of 4\)$/.exec(text)?.[1]);
    expect(parts).toEqual(['1', '2', '3', undefined]);
  });

  test('is updated by edits that need fewer or more messages, and is removed completely', async () => {
    const made = await post(await addMember('Ada'), long);
    await finish();
    const [parent] = await slack.parents();
    const ids = async () => (await slack.replies(parent!.ts)).map(({ts}) => ts);
    const before = await ids();
    expect(before).toHaveLength(4);
    slack.slack.fail('chat.update', {kind: 'lost'});
    slack.slack.fail('chat.delete', {kind: 'status', status: 502});
    await edit(made, {update: 'short'});
    await finish();
    expect(await shown()).toEqual([['1 of 1 posted', 'Ada: short']]);
    expect(await ids()).toEqual(before.slice(0, 1));
    await edit(made, {update: long});
    await finish();
    expect(await ids()).toHaveLength(4);
    await remove(made);
    await finish();
    expect(await shown()).toEqual([['0 of 1 posted']]);
  });

  test('is removed when it is deleted, even if the bot cannot check for its second message', async () => {
    const ada = await addMember('Ada');
    await post(ada, 'before');
    await finish();
    slack.slack.fail(
      'chat.postMessage',
      {kind: 'slow', until: Promise.resolve()},
      {kind: 'status', status: 500},
    );
    slack.slack.failAlways('conversations.replies', {kind: 'refused', code: 'missing_scope'});
    const made = await post(ada, '漢'.repeat(4_000));
    await slack.work({waits: {unanswered: [60_000]}});
    expect((await slack.posts.find(slack.workspace, suffixOf(made.id), newDeadline()))?.sendingPart).toBe(2);
    await remove(made);
    await finish();
    slack.slack.clear();
    expect(await shown()).toEqual([['1 of 1 posted', 'Ada: before']]);
  });

  test('never continues outside its thread', async () => {
    const made = await post(await addMember('Ada'), 'short');
    await finish();
    slack.slack.failAlways('chat.postMessage', {kind: 'refused', code: 'thread_not_found'});
    await edit(made, {update: long});
    await finish();
    slack.slack.clear();
    await edit(made, {update: `again ${long}`.slice(0, 3_900)});
    await finish();
    expect(await slack.parents()).toHaveLength(1);
  });

  test('has its second message only once, even if the process dies right after posting it', async () => {
    const made = await post(await addMember('Ada'), '漢'.repeat(4_000));
    await slack.read();
    const item = {kind: 'standup', suffix: suffixOf(made.id)} as const;
    const hold = {workspace: slack.workspace, channel, holder: 'dead'};
    await slack.postSlice();
    const [parent] = await slack.parents();
    const [, second] = await slack.replies(parent!.ts);
    // Makes the second message look posted but not recorded.
    const key = workspaceKeys(slack.workspace).slackPost(suffixOf(made.id));
    const {connection} = slack.core.store;
    await connection.call(newDeadline(), ['HDEL', key, 'ts:2', 'posted:2']);
    await connection.call(newDeadline(), [
      'ZADD',
      workspaceKeys(slack.workspace).slackPending(channel),
      '1',
      item.suffix,
    ]);
    await slack.posts.claim(hold, 100, newDeadline());
    await slack.posts.begin(hold, item, `${Date.now()}:dead`, parent!.ts, 100, newDeadline(), {part: 2});
    await finish();
    expect(await slack.replies(parent!.ts)).toHaveLength(2);
    expect((await slack.posts.find(slack.workspace, item.suffix, newDeadline()))?.rest.get(2)?.ts).toBe(
      second!.ts,
    );
  });
});

test('a standup that is removed from Slack leaves no record of its message', async () => {
  const made = await post(await addMember('Ada'), 'one');
  await finish();
  const found = await slack.posts.find(slack.workspace, suffixOf(made.id), newDeadline());
  expect(found?.permalink).toMatch(/^https?:\/\/.*p\d+/);
  await remove(made);
  await finish();
  expect(await slack.posts.find(slack.workspace, suffixOf(made.id), newDeadline())).toBeUndefined();
});
