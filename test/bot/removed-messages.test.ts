import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {parseWire} from '../../src/domain/core/resource.js';
import {type Standup, standupsOfPostResult} from '../../src/domain/standups/standup.js';
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

async function addMember(name: string): Promise<Member> {
  const {members, people} = slack.core.services;
  const answer = await members.createMember(slack.operator(), {name, role: 'member'});
  const member = parseWire(answer.body);
  await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, member.id);
  return member;
}

async function post({id, name}: Member, update: string, date?: string): Promise<Standup> {
  const call = {...slack.operator(), principal: {type: 'member', id, name} as const};
  const input = {team: 'platform', update, date, source: 'api'} as const;
  return standupsOfPostResult((await slack.core.services.standups.postStandup(call, input)).body)[0];
}

/** Works until all work is done, the counts included. */
async function finish(): Promise<void> {
  const pending = workspaceKeys(slack.workspace).slackPending(channel);
  await until(async () => {
    await slack.work({waits: {unanswered: [20, 20, 20], closed: [20], leaseMs: 1_000}});
    return (await slack.core.store.connection.call(newDeadline(), ['EXISTS', pending])) === 0;
  });
}

/** Removes a message as a person in Slack. */
const remove = (ts = '') => slack.api('chat.delete', {channel, ts}, botToken);

/** The messages in the channel, each with its replies. */
async function shown(): Promise<string[][]> {
  const parents = await slack.parents();
  return Promise.all(
    parents.map(async ({ts, text}) => [
      text.replace(/^Standup · \w+ \d+ \w+ · /, ''),
      ...(await slack.replies(ts)).map((reply) => reply.text),
    ]),
  );
}

/** The thread of each standup. */
const threads = () =>
  slack.slack
    .of('chat.postMessage')
    .filter(({body}) => body['thread_ts'] !== undefined)
    .map(({body}) => body['thread_ts']);

describe('a message of a day that a person has removed', () => {
  test('regression: is posted again as soon as Slack reports that it was removed, and later standups are shown under the new message', async () => {
    const [ada, grace, alan] = [await addMember('Ada'), await addMember('Grace'), await addMember('Alan')];
    await post(ada, 'one');
    await finish();
    const [first] = await slack.parents();
    await remove(first?.ts);
    await post(grace, 'two');
    await finish();
    const [second] = await slack.parents();
    expect(second?.text).toMatch(/ · 2 of 3 posted$/);
    await post(alan, 'three');
    await finish();
    expect(threads()).toEqual([first?.ts, first?.ts, second?.ts]);
    expect(await shown()).toEqual([['3 of 3 posted', 'Alan: three']]);
  });

  test('is posted again once, even if the answer is lost or two jobs work at a time', async () => {
    const [ada, grace, alan] = [await addMember('Ada'), await addMember('Grace'), await addMember('Alan')];
    await post(ada, 'one');
    await finish();
    // Each post changes the count, so the bot edits the message of the day and finds it gone.
    for (const [author, update] of [
      [grace, 'two'],
      [alan, 'three'],
    ] as const) {
      await remove((await slack.parents())[0]?.ts);
      await post(author, update);
      // The standup itself, then the message of the day.
      slack.slack.fail('chat.postMessage', {kind: 'late', until: Promise.resolve()}, {kind: 'lost'});
      await Promise.all([finish(), finish()]);
      expect(await slack.parents()).toHaveLength(1);
    }
  });

  test('is not posted again for a past day unless a standup is posted late', async () => {
    const [ada, grace] = [await addMember('Ada'), await addMember('Grace')];
    const date = new Date(slack.core.store.clock.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    await post(ada, 'one', date);
    await finish();
    await remove((await slack.parents())[0]?.ts);
    const standup = await post(grace, 'two', date);
    await finish();
    expect(await shown()).toEqual([]);
    const call = {...slack.operator(), principal: standup.author};
    await slack.core.services.standups.deleteStandup(call, standup.id);
    await finish();
    expect(await shown()).toEqual([]);
    await post(grace, 'three', date);
    await finish();
    expect(await shown()).toEqual([['2 of 2 posted', 'Grace: three']]);
  });
});

test('a standup whose message a person has removed is not reposted, and the API still returns it', async () => {
  const ada = await addMember('Ada');
  const standup = await post(ada, 'one');
  await finish();
  const [parent] = await slack.parents();
  await remove((await slack.replies(parent?.ts ?? ''))[0]?.ts);
  const call = {...slack.operator(), principal: standup.author};
  await slack.core.services.standups.editStandup(call, standup.id, {update: 'two'});
  await finish();
  expect(await shown()).toEqual([['1 of 1 posted']]);
  expect(await slack.events()).not.toContain('slack.post_failed');
});
