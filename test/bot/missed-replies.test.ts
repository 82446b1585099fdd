// Replies that people typed in Slack while no process took its events.
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {createAttendance} from '../../src/bot/slack/replies/attendance.js';
import type {Id} from '../../src/domain/core/ids.js';
import {parseWire} from '../../src/domain/core/resource.js';
import type {Work} from '../../src/domain/core/work.js';
import {standupsOfPostResult} from '../../src/domain/standups/standup.js';
import type {Member} from '../../src/domain/workspaces/workspace.js';
import {globalKeys, workspaceKeys} from '../../src/store/core/keys.js';
import {channel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {asId} from '../support/ids.js';
import {until} from '../support/until.js';

type CatchUp = Extract<Work, {kind: 'read-replies'}>;
type Fields = Record<string, unknown>;

let slack: SlackHarness;
let ada = {} as Member;
let [standup, root] = [asId<'standup'>(''), ''];
beforeEach(async () => {
  slack = await startSlack();
  const {teams, members, people} = slack.core.services;
  await teams.changeTeam(slack.operator(), 'platform', {slack_post_mode: 'channel'});
  const input = {name: 'Ada', role: 'member', slack_user_id: 'U0ADA'} as const;
  ada = parseWire((await members.createMember(slack.operator(), input)).body);
  await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, ada.id);
  standup = await post('one');
  root = (await slack.parents()).at(-1)?.ts ?? '';
  slack.slack.clear();
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
});

const newDeadline = () => performance.now() + 2_000;
const by = ({id, name}: Member) => ({...slack.operator(), principal: {type: 'member', id, name} as const});

async function post(update: string): Promise<Id<'standup'>> {
  const input = {team: 'platform', update, source: 'api'} as const;
  const answer = await slack.core.services.standups.postStandup(by(ada), input);
  const pending = workspaceKeys(slack.workspace).slackPending(channel);
  await until(async () => {
    await slack.work({waits: {unanswered: [20], closed: [20], leaseMs: 1_000}});
    return (await slack.core.store.connection.call(newDeadline(), ['EXISTS', pending])) === 0;
  });
  return standupsOfPostResult(answer.body)[0].id;
}

let count = 600_000;
/** A reply as `conversations.replies` has it, without its channel. */
const reply = (text: string, more: Fields = {}): Fields & {ts: string} => ({
  type: 'message',
  user: 'U0GRACE',
  text,
  ts: `${Math.floor(Date.now() / 1_000)}.${String((count += 1)).padStart(6, '0')}`,
  thread_ts: root,
  parent_user_id: 'UBOT',
  ...more,
});

/** Plans what Slack answers to the next reads of a thread. */
function answerWith(...pages: readonly (readonly Fields[])[]): void {
  const parent = {type: 'message', user: 'UBOT', bot_id: 'B1', ts: root, thread_ts: root};
  for (const [i, messages] of pages.entries())
    slack.slack.fail('conversations.replies', {
      kind: 'replied',
      reply: {ok: true, messages: [parent, ...messages], has_more: i < pages.length - 1},
    });
}

const reads = () => slack.slack.of('conversations.replies').map(({body}) => body);

async function listWork(): Promise<CatchUp[]> {
  const {ready} = slack.core.store;
  const search = {side: 'slack', from: 0, perWorkspace: 100, mostOfOne: 100, atMost: 1_000} as const;
  const {due} = await ready.listDue(search, newDeadline());
  return due.flatMap(({work}) => (work.kind === 'read-replies' ? [work] : []));
}

const first = (left = 100): CatchUp => ({
  kind: 'read-replies',
  since: Date.now() - 20 * 60_000,
  past: undefined,
  left,
  after: '',
});

/** Reads thread after thread, until none is left. */
async function catchUp(work = first()): Promise<void> {
  let left: readonly CatchUp[] = [work];
  while (left.length > 0) {
    for (const one of left) await slack.readReplies(one);
    await new Promise((resolve) => setTimeout(resolve, 5));
    left = await listWork();
  }
}

async function texts(): Promise<string[]> {
  const query = {standup, limit: 100};
  const {rows} = await slack.core.services.comments.listComments(slack.operator(), query);
  return rows.map((json) => parseWire(json)).map(({author, text}) => `${author.name}: ${text}`);
}

describe('after an absence', () => {
  test('a reply typed in an absence becomes one comment, whether or not Slack has reported it too', async () => {
    const [one, other] = [reply('on it'), reply('me too', {user: 'U0ADA'})];
    await slack.event({...one, channel, channel_type: 'channel'});
    answerWith([one, other]);
    await catchUp();
    answerWith([one, other]);
    await catchUp();
    expect(await texts()).toEqual(['U0GRACE: on it', 'Ada: me too']);
  });

  test('a reply typed and edited in an absence becomes a comment with its last text', async () => {
    const said = reply('done', {
      edited: {user: 'U0GRACE', ts: `${Math.floor(Date.now() / 1_000) + 5}.000000`},
    });
    answerWith([said]);
    await catchUp();
    expect(await texts()).toEqual(['U0GRACE: done']);
  });

  test('a reply in an absence is not taken from a bot, or if it was deleted here, or is a command', async () => {
    const said = reply('on it');
    await slack.event({...said, channel, channel_type: 'channel'});
    const {comments} = slack.core.services;
    const {rows} = await comments.listComments(slack.operator(), {standup, limit: 1});
    await comments.deleteComment(slack.operator(), parseWire(rows[0] ?? '').id);
    answerWith([said, reply('Ada: hi', {bot_id: 'B1'}), reply('<@UBOT> today')]);
    await catchUp();
    expect(await texts()).toEqual([]);
  });

  test('threads are read from some minutes before the absence on, fifteen messages a call, and on where a call ended', async () => {
    const last = reply('one');
    answerWith([last], [reply('two')]);
    const work = first();
    await catchUp(work);
    expect(reads()).toMatchObject([
      {channel, ts: root, limit: '15', oldest: String((work.since - 600_000) / 1_000)},
      {channel, ts: root, oldest: last.ts},
    ]);
    expect(await texts()).toEqual(['U0GRACE: one', 'U0GRACE: two']);
  });

  test('threads are read from the newest standup to older ones, each once, and no more than the calls that are left', async () => {
    await post('two');
    await post('three');
    const roots = (await slack.parents()).map(({ts}) => ts).toReversed();
    await catchUp();
    expect(reads().map(({ts}) => ts)).toEqual(roots);
    slack.slack.clear();
    await catchUp(first(2));
    expect(reads()).toHaveLength(2);
  });

  test('threads of a team that takes no replies are not read', async () => {
    const {teams} = slack.core.services;
    await teams.changeTeam(slack.operator(), 'platform', {slack_replies: 'out'});
    await catchUp();
    expect(reads()).toEqual([]);
  });

  test.each([
    ['missing_scope', 1],
    ['thread_not_found', 2],
  ])('threads that Slack refuses with %s cost %i calls for two standups', async (code, calls) => {
    await post('two');
    slack.slack.failAlways('conversations.replies', {kind: 'refused', code});
    await catchUp();
    expect(reads()).toHaveLength(calls);
  });

  test('a thread is read again if Slack does not answer', async () => {
    slack.slack.fail('conversations.replies', {kind: 'refused', code: 'internal_error'});
    answerWith([reply('on it')]);
    await catchUp();
    expect(await texts()).toEqual(['U0GRACE: on it']);
  });
});

describe('the sign of life of a process that takes Slack’s events', () => {
  async function noteAfter(ms: number, isConnected = true): Promise<readonly CatchUp[]> {
    const {store} = slack.core;
    const {call} = store.connection;
    const last = store.clock.now() - ms;
    await call(newDeadline(), ['SET', globalKeys.slackHeard(), String(last)]);
    const attendance = createAttendance({
      ...store,
      installations: {
        async *listWorkspaces() {
          yield [slack.workspace];
        },
      },
      isConnected: () => isConnected,
      now: () => store.clock.now(),
      log: {warn: () => undefined} as never,
    });
    await attendance.note();
    attendance.close();
    return listWork();
  }

  test('the sign of life asks for the replies of an absence of five minutes, once', async () => {
    expect(await noteAfter(5 * 60_000)).toMatchObject([{left: 100, after: ''}]);
    const heard = await slack.core.store.workspaces.findSlackHeard(newDeadline());
    expect(heard).toBeGreaterThan(slack.core.store.clock.now() - 10_000);
  });

  test('the sign of life asks for nothing after a shorter absence, and is none without a connection', async () => {
    expect(await noteAfter(4 * 60_000)).toEqual([]);
    expect(await noteAfter(60 * 60_000, false)).toEqual([]);
    const heard = await slack.core.store.workspaces.findSlackHeard(newDeadline());
    expect(heard).toBeLessThan(slack.core.store.clock.now() - 50 * 60_000);
  });
});
