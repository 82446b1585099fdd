import {afterAll, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import {countPostedMembers} from '../../../src/domain/slack/slack-post.js';
import {type RedisConnection, openConnection} from '../../../src/store/core/connection.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {createSlackPosts, type SlackPosts} from '../../../src/store/slack/slack-posts.js';
import {createSlackPostReader} from '../../../src/store/slack/slack-shown.js';
import {createSlackSignatureStore} from '../../../src/store/slack/slack-signatures.js';
import type {SlackHold} from '../../../src/store/slack/slack-work.js';
import {createSlackPeople} from '../../../src/store/slack/slack-people.js';
import {createSlackTroubles} from '../../../src/store/slack/slack-troubles.js';
import {createUnfinishedTeamForms} from '../../../src/store/slack/team-rests.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {until} from '../../support/until.js';
import {type IdSuffix, suffixOf} from '../../../src/domain/core/ids.js';
import {asSuffix, asId} from '../../support/ids.js';

const workspace = asId<'workspace'>('ws_00000000000000000000000000');
const keys = workspaceKeys(workspace);
const newDeadline = () => performance.now() + 2_000;
const [one, two] = [asSuffix('000000000000000a'), asSuffix('000000000000000b')];
const initial = {
  team: asId<'team'>('team_0000000000000000000000000t'),
  day: '2026-11-24',
  author: asId<'member'>('mem_1'),
  mode: 'thread',
} as const;
const team = suffixOf(initial.team);
const hold = {workspace, channel: 'C1', holder: 'me'};
const other = {...hold, holder: 'other'};

let connection: RedisConnection;
let posts: SlackPosts;
beforeAll(async () => {
  connection = await openConnection({url: await testRedisUrl(), tlsVerify: true, onError: () => undefined});
  posts = createSlackPosts(connection);
});
afterAll(() => connection.close());
beforeEach(async () => {
  await connection.call(newDeadline(), ['FLUSHDB', 'SYNC']);
  await connection.call(newDeadline(), ['HSET', keys.head(), 'sequence', '9', 'cursor:slack', '0']);
  for (let i = 1; i <= 9; i++) {
    const {sequence, at, about} = event(i);
    const fields = ['n', String(at), 't', 'standup.created', 'a', about];
    await connection.call(newDeadline(), ['XADD', keys.events(), `${sequence}-0`, ...fields]);
  }
});

/** Returns the entry of an event in the log. */
function event(sequence: number) {
  return {sequence, at: 1_000 + sequence, about: one};
}

const score = async (key: string, member: string) =>
  connection.call<string | null>(newDeadline(), ['ZSCORE', key, member]);
const wish = (suffix: IdSuffix<'standup'>, want: number | 'deleted' = 1) => ({
  channel: 'C1',
  suffix,
  want,
  initial,
});
const item = (suffix: IdSuffix<'standup'>) => ({kind: 'standup', suffix}) as const;

describe('the consumer of events for Slack', () => {
  test('stores the messages of an event and moves its cursor in one step, once', async () => {
    expect(await posts.read(workspace, event(1), wish(one), newDeadline())).toBe(true);
    expect(await posts.read(workspace, event(1), wish(one, 7), newDeadline())).toBe(false);
    expect(await posts.find(workspace, one, newDeadline())).toMatchObject({
      want: 1,
      ts: undefined,
      day: initial.day,
    });
    expect(await score(keys.slackReady(), 'post-slack/C1')).not.toBeNull();
  });

  test('never skips an event', async () => {
    expect(await posts.read(workspace, event(2), undefined, newDeadline())).toBe(false);
  });

  test('regression: accepts an event only if it is in the log, and not another with the same number', async () => {
    expect(await posts.read(workspace, {...event(1), at: 999}, wish(one), newDeadline())).toBe(false);
    expect(await posts.read(workspace, {...event(1), about: two}, wish(one), newDeadline())).toBe(false);
    expect(await posts.readNotice(workspace, {...event(1), at: 999}, ['U1'], newDeadline())).toBe(false);
    const trouble = {notify: ['U1'], channel: 'C1'};
    const troubles = createSlackTroubles(connection);
    expect(await troubles.read(workspace, {...event(1), at: 999}, trouble, newDeadline())).toBe(false);
    expect(await connection.call(newDeadline(), ['HGET', keys.head(), 'cursor:slack'])).toBe('0');
    await connection.call(newDeadline(), ['DEL', keys.events()]);
    expect(await posts.read(workspace, event(1), wish(one), newDeadline())).toBe(false);
  });

  test('keeps the channel and the day of a message from its first event', async () => {
    await posts.read(workspace, event(1), wish(one), newDeadline());
    await posts.read(
      workspace,
      event(2),
      {channel: 'C2', suffix: one, want: 2, initial: {...initial, day: '2020-01-01'}},
      newDeadline(),
    );
    expect(await posts.findChannel(workspace, one, newDeadline())).toBe('C1');
    expect(await posts.find(workspace, one, newDeadline())).toMatchObject({want: 2, day: initial.day});
  });
});

describe('the pending posts of a Slack channel', () => {
  beforeEach(async () => {
    await posts.read(workspace, event(1), wish(one), newDeadline());
    await posts.read(workspace, event(2), wish(two), newDeadline());
  });

  test.each(['notice/x', 'trouble/x', 'day/t'])(
    'regression: are not stopped by an unreadable item %j',
    async (name) => {
      await connection.call(newDeadline(), ['ZADD', keys.slackPending('C1'), '1', name]);
      expect(await posts.claim(hold, 150, newDeadline())).toMatchObject({kind: 'due', item: item(one)});
      expect(await score(keys.slackPending('C1'), name)).toBeNull();
    },
  );

  test('regression: are not stopped by unreadable counts of problems', async () => {
    const held = `held:${one}`;
    const trouble = ['state', 'solving', held, '1', 'held', 'x', 'shown', 'x'];
    await connection.call(newDeadline(), ['HSET', keys.slackTrouble('C1'), ...trouble]);
    const claimed = await posts.claim(hold, 5_000, newDeadline());
    if (claimed.kind !== 'due') throw new Error('nothing was claimed');
    const done = {item: item(one), next: 'settled', success: true} as const;
    expect(await posts.recordOutcome({...hold, claimed}, done, newDeadline())).toBe(true);
    expect(await score(keys.slackPending('C1'), one)).toBeNull();
  });

  test('regression: are not stopped by an unreadable pace', async () => {
    await posts.claim(hold, 5_000, newDeadline());
    await connection.call(newDeadline(), ['SET', keys.slackPace('C1'), 'x']);
    const more = {spacingMs: 1_000};
    expect(await posts.begin(hold, item(one), 'token', undefined, 5_000, newDeadline(), more)).toBe(true);
  });

  test('are leased to one process at a time, and retried when that process dies', async () => {
    expect(await posts.claim(hold, 150, newDeadline())).toMatchObject({kind: 'due', item: item(one)});
    expect(await posts.claim(other, 150, newDeadline())).toEqual({kind: 'busy'});
    expect(Number(await score(keys.slackReady(), 'post-slack/C1'))).toBeGreaterThan(connection.clock.now());
    await until(async () => (await posts.claim(other, 150, newDeadline())).kind === 'due');
    expect(await posts.renew(hold, 150, newDeadline())).toBe(false);
  });

  test('are not sent by a process without the lease of the channel', async () => {
    await posts.claim(hold, 5_000, newDeadline());
    expect(await posts.begin(other, item(one), 'token', 'p', 5_000, newDeadline())).toBe(false);
    expect((await posts.find(workspace, one, newDeadline()))?.sending).toBeUndefined();
  });

  test('are due for other processes once the lease is returned', async () => {
    await posts.claim(hold, 5_000, newDeadline());
    expect(await posts.release(hold, newDeadline())).toBe(true);
    expect((await posts.claim(other, 5_000, newDeadline())).kind).toBe('due');
  });

  test('pause in every process for as long as Slack asks', async () => {
    await posts.claim(hold, 5_000, newDeadline());
    await posts.recordOutcome(hold, {item: item(one), next: 0, pauseMs: 200}, newDeadline());
    expect(await posts.claim(hold, 5_000, newDeadline())).toEqual({kind: 'busy'});
    await until(async () => (await posts.claim(hold, 5_000, newDeadline())).kind === 'due');
  });
});

describe('the outcome of a post to Slack', () => {
  let mine: SlackHold;
  beforeEach(async () => {
    await posts.read(workspace, event(1), wish(one), newDeadline());
    const claim = await posts.claim(hold, 5_000, newDeadline());
    mine = claim.kind === 'due' ? {...hold, claimed: claim} : hold;
  });
  const posted = (token: string) =>
    ({
      item: item(one),
      token,
      clear: ['sending'],
      set: {ts: '1.1', posted: 1},
      next: 'settled',
      want: 1,
    }) as const;

  test('is recorded even after the lease has ended, if no other attempt has begun', async () => {
    await posts.begin(hold, item(one), 'mine', 'p', 5_000, newDeadline());
    await connection.call(newDeadline(), ['DEL', keys.slackLease('C1')]);
    expect(await posts.recordOutcome(mine, posted('mine'), newDeadline())).toBe(true);
    expect(await posts.find(workspace, one, newDeadline())).toMatchObject({
      ts: '1.1',
      posted: 1,
      sending: undefined,
    });
    expect(await score(keys.slackPending('C1'), one)).toBeNull();
  });

  test('is refused if it belongs to another attempt at posting', async () => {
    await posts.begin(hold, item(one), 'mine', 'p', 5_000, newDeadline());
    expect(await posts.recordOutcome(mine, posted('stale'), newDeadline())).toBe(false);
    expect((await posts.find(workspace, one, newDeadline()))?.ts).toBeUndefined();
  });

  test('leaves the post due if its standup was changed in the meantime', async () => {
    await posts.begin(hold, item(one), 'mine', 'p', 5_000, newDeadline());
    await posts.read(workspace, event(2), {channel: 'C1', suffix: one, want: 2}, newDeadline());
    await posts.recordOutcome(mine, posted('mine'), newDeadline());
    expect(await score(keys.slackPending('C1'), one)).not.toBeNull();
  });

  test('leaves a notice due if it was requested again in the meantime', async () => {
    const troubles = createSlackTroubles(connection);
    await troubles.note(workspace, 'C1', {team, code: 'is_archived'}, newDeadline());
    await troubles.read(workspace, event(2), {channel: 'C1', notify: ['U1']}, newDeadline());
    const person = {workspace, channel: 'U1', holder: 'me'};
    const work = async (meanwhile: () => Promise<unknown>) => {
      const claim = await posts.claim(person, 5_000, newDeadline());
      if (claim.kind !== 'due') throw new Error('nothing is due');
      await meanwhile();
      await posts.recordOutcome(
        {...person, claimed: claim},
        {item: claim.item, next: 'settled'},
        newDeadline(),
      );
      return score(keys.slackPending('U1'), 'notice/2');
    };
    expect(await work(() => troubles.refresh(workspace, 'C1', newDeadline()))).not.toBeNull();
    expect(await work(() => Promise.resolve())).toBeNull();
  });

  test('makes the message due again if it is an update whose lease has ended', async () => {
    await posts.begin(hold, item(one), 'mine', 'p', 5_000, newDeadline());
    await posts.recordOutcome(mine, posted('mine'), newDeadline());
    await connection.call(newDeadline(), ['DEL', keys.slackLease('C1')]);
    const late = {item: item(one), set: {posted: 1}, next: 'settled', want: 1} as const;
    expect(await posts.recordOutcome(hold, late, newDeadline())).toBe(false);
    expect((await posts.find(workspace, one, newDeadline()))?.posted).toBe(0);
    expect(await score(keys.slackPending('C1'), one)).not.toBeNull();
  });

  test('counts a member once in the message of the day', async () => {
    await posts.read(workspace, event(2), wish(two), newDeadline());
    const day = {team, date: initial.day, shows: true, author: initial.author};
    for (const suffix of [one, two])
      await posts.recordOutcome(hold, {item: item(suffix), next: 'settled', day}, newDeadline());
    const counted = async () =>
      countPostedMembers(await posts.findDay(workspace, 'C1', team, initial.day, newDeadline()), false).in;
    expect(await counted()).toBe(1);
    await posts.recordOutcome(
      hold,
      {item: item(one), next: 'settled', day: {...day, shows: false}},
      newDeadline(),
    );
    expect(await counted()).toBe(1);
    await posts.recordOutcome(
      hold,
      {item: item(two), next: 'settled', day: {...day, shows: false}},
      newDeadline(),
    );
    expect(await counted()).toBe(0);
  });

  test('leaves nothing without an expiry', async () => {
    const day = {team, date: initial.day, shows: true, author: initial.author};
    await posts.recordOutcome(hold, {item: item(one), next: 'settled', want: 1, day}, newDeadline());
    for (const key of [keys.slackPost(one), keys.slackDay('C1', team, initial.day), keys.slackLease('C1')]) {
      expect(await connection.call<number>(newDeadline(), ['PTTL', key])).toBeGreaterThan(0);
    }
  });
});

test('a signature of Slack counts as new only once, unless it is forgotten', async () => {
  const signatures = createSlackSignatureStore(connection);
  expect(await signatures.remember('h', newDeadline())).toBe(true);
  expect(await signatures.remember('h', newDeadline())).toBe(false);
  await signatures.forget('h', newDeadline());
  expect(await signatures.remember('h', newDeadline())).toBe(true);
  expect(await connection.call<number>(newDeadline(), ['PTTL', '{global}:slack-seen:h'])).toBeGreaterThan(
    500_000,
  );
});

test('a message that may have arrived already is marked as repeated when it is posted again', async () => {
  const troubles = createSlackTroubles(connection);
  await posts.read(workspace, event(1), wish(one), newDeadline());
  await posts.read(workspace, event(2), wish(two), newDeadline());
  await connection.call(newDeadline(), ['HSET', keys.slackPost(one), 'sending', '1.token', 'part', '1']);
  for (const suffix of [one, two])
    await troubles.note(workspace, 'C1', {team, code: 'outcome_unknown', lost: item(suffix)}, newDeadline());
  await troubles.resume(workspace, 'C1', newDeadline());
  expect(await posts.find(workspace, one, newDeadline())).toMatchObject({again: true, sending: undefined});
  expect(await posts.find(workspace, two, newDeadline())).toMatchObject({again: false});
});

test('regression: a person who is erased while another person is notified of a problem stays erased', async () => {
  const rests = createUnfinishedTeamForms(connection);
  const people = createSlackPeople(connection, rests, {forget: async () => undefined});
  const troubles = createSlackTroubles(connection);
  await troubles.note(workspace, 'C1', {team, code: 'is_archived'}, newDeadline());
  await troubles.read(workspace, event(1), {channel: 'C1', notify: ['U1']}, newDeadline());
  const late = createSlackTroubles({
    ...connection,
    async run(...args) {
      await people.forget(workspace, 'U1', newDeadline());
      return connection.run(...args);
    },
  });
  await late.read(workspace, event(2), {channel: 'C1', notify: ['U1', 'U2']}, newDeadline());
  expect((await troubles.find(workspace, 'C1', newDeadline()))?.notified).toEqual(['U2']);
});

test('regression: two people who are forgotten at the same time are both removed from an unfinished set-up', async () => {
  const rests = createUnfinishedTeamForms(connection);
  const rest = {
    origin: {team: 'T1', orgWide: false},
    user: {id: 'U0', name: 'Ada'},
    team: initial.team,
    did: 'made',
    enters: false,
    add: ['U1', 'U2', 'U3'],
  } as const;
  await rests.save(workspace, 'V1', rest, newDeadline());
  let isFirst = true;
  const slow = createUnfinishedTeamForms({
    ...connection,
    async run(...args) {
      if (isFirst) await rests.forget(workspace, 'U2', newDeadline());
      isFirst = false;
      return connection.run(...args);
    },
  });
  await slow.forget(workspace, 'U1', newDeadline());
  expect(await rests.take(workspace, 'V1', newDeadline())).toEqual({...rest, add: ['U3']});
});

test('the digest messages of all teams and days are found with few commands', async () => {
  let commands = 0;
  const shown = createSlackPostReader({
    ...connection,
    call(deadline, args) {
      commands += 1;
      return connection.call(deadline, args);
    },
  });
  const days = Array.from({length: 400}, (_, i) => `2026-day-${i}`);
  const all = ['a', 'b', 'c', 'd', 'e'].flatMap((digit) =>
    days.map((date) => ({team: asSuffix<'team'>(digit.repeat(16)), date})),
  );
  const there = [0, 777, all.length - 1];
  for (const i of there) {
    const key = workspaceKeys(workspace).slackDigest(all[i]?.team ?? team, all[i]?.date ?? '');
    await connection.call(newDeadline(), ['HSET', key, 'channel', `C${i}`]);
  }
  const found = await shown.listReports(workspace, 'digest', all, newDeadline());
  expect(found).toEqual(there.map((i) => ({channel: `C${i}`, item: {kind: 'digest', ...all[i]}})));
  expect(commands).toBeLessThan(1_000);
});
