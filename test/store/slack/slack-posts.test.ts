import {afterAll, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import {countIn} from '../../../src/domain/slack/slack-post.js';
import {type Connection, openConnection} from '../../../src/store/core/connection.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {createSlackPosts, type SlackPosts} from '../../../src/store/slack/slack-posts.js';
import {createSlackShown} from '../../../src/store/slack/slack-shown.js';
import {createSlackSignatures} from '../../../src/store/slack/slack-signatures.js';
import type {SlackHold} from '../../../src/store/slack/slack-work.js';
import {createSlackTroubles} from '../../../src/store/slack/slack-troubles.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {until} from '../../support/until.js';
import {type IdSuffix, drawnPart} from '../../../src/domain/core/ids.js';
import {asSuffix, asId} from '../../support/ids.js';

const workspace = asId<'workspace'>('ws_00000000000000000000000000');
const keys = workspaceKeys(workspace);
const soon = () => performance.now() + 2_000;
const [one, two] = [asSuffix('000000000000000a'), asSuffix('000000000000000b')];
const place = {
  team: asId<'team'>('team_0000000000000000000000000t'),
  day: '2026-11-24',
  author: asId<'member'>('mem_1'),
  mode: 'thread',
} as const;
const team = drawnPart(place.team);
const hold = {workspace, channel: 'C1', holder: 'me'};
const other = {...hold, holder: 'other'};

let connection: Connection;
let posts: SlackPosts;
beforeAll(async () => {
  connection = await openConnection({url: await testRedisUrl(), tlsVerify: true, onError: () => undefined});
  posts = createSlackPosts(connection);
});
afterAll(() => connection.close());
beforeEach(async () => {
  await connection.call(soon(), ['FLUSHDB']);
  await connection.call(soon(), ['HSET', keys.head(), 'sequence', '9', 'cursor:slack', '0']);
  for (let i = 1; i <= 9; i++) {
    const {sequence, at, about} = event(i);
    const fields = ['n', String(at), 't', 'standup.created', 'a', about];
    await connection.call(soon(), ['XADD', keys.events(), `${sequence}-0`, ...fields]);
  }
});

/** What the log says of an event. */
function event(sequence: number) {
  return {sequence, at: 1_000 + sequence, about: one};
}

const score = async (key: string, member: string) =>
  connection.call<string | null>(soon(), ['ZSCORE', key, member]);
const wish = (drawn: IdSuffix<'standup'>, want: number | 'deleted' = 1) => ({
  channel: 'C1',
  drawn,
  want,
  place,
});
const item = (drawn: IdSuffix<'standup'>) => ({kind: 'standup', drawn}) as const;

describe('the Slack consumer of events', () => {
  test('passes an event and notes the messages it causes in one step, once', async () => {
    expect(await posts.read(workspace, event(1), wish(one), soon())).toBe(true);
    expect(await posts.read(workspace, event(1), wish(one, 7), soon())).toBe(false);
    expect(await posts.find(workspace, one, soon())).toMatchObject({want: 1, ts: undefined, day: place.day});
    expect(await score(keys.slackReady(), 'post-slack/C1')).not.toBeNull();
  });

  test('never skips an event', async () => {
    expect(await posts.read(workspace, event(2), undefined, soon())).toBe(false);
  });

  test('regression: passes only the event that is in the log, not another with its number', async () => {
    expect(await posts.read(workspace, {...event(1), at: 999}, wish(one), soon())).toBe(false);
    expect(await posts.read(workspace, {...event(1), about: two}, wish(one), soon())).toBe(false);
    expect(await posts.readNotice(workspace, {...event(1), at: 999}, ['U1'], soon())).toBe(false);
    const trouble = {notify: ['U1'], channel: 'C1'};
    const troubles = createSlackTroubles(connection);
    expect(await troubles.read(workspace, {...event(1), at: 999}, trouble, soon())).toBe(false);
    expect(await connection.call(soon(), ['HGET', keys.head(), 'cursor:slack'])).toBe('0');
    await connection.call(soon(), ['DEL', keys.events()]);
    expect(await posts.read(workspace, event(1), wish(one), soon())).toBe(false);
  });

  test('keeps the message position that the first event gave', async () => {
    await posts.read(workspace, event(1), wish(one), soon());
    await posts.read(
      workspace,
      event(2),
      {channel: 'C2', drawn: one, want: 2, place: {...place, day: '2020-01-01'}},
      soon(),
    );
    expect(await posts.findChannel(workspace, one, soon())).toBe('C1');
    expect(await posts.find(workspace, one, soon())).toMatchObject({want: 2, day: place.day});
  });
});

describe('a Slack channel', () => {
  beforeEach(async () => {
    await posts.read(workspace, event(1), wish(one), soon());
    await posts.read(workspace, event(2), wish(two), soon());
  });

  test.each(['notice/x', 'trouble/x', 'day/t'])(
    'regression: continues past an item %j that cannot be read',
    async (name) => {
      await connection.call(soon(), ['ZADD', keys.slackPending('C1'), '1', name]);
      expect(await posts.claim(hold, 150, soon())).toMatchObject({kind: 'due', item: item(one)});
      expect(await score(keys.slackPending('C1'), name)).toBeNull();
    },
  );

  test('regression: continues past problem counts that cannot be read', async () => {
    const held = `held:${one}`;
    const trouble = ['state', 'solving', held, '1', 'held', 'x', 'shown', 'x'];
    await connection.call(soon(), ['HSET', keys.slackTrouble('C1'), ...trouble]);
    const claimed = await posts.claim(hold, 5_000, soon());
    if (claimed.kind !== 'due') throw new Error('nothing was claimed');
    const done = {item: item(one), next: 'settled', success: true} as const;
    expect(await posts.settle({...hold, claimed}, done, soon())).toBe(true);
    expect(await score(keys.slackPending('C1'), one)).toBeNull();
  });

  test('regression: continues despite a pace that cannot be read', async () => {
    await posts.claim(hold, 5_000, soon());
    await connection.call(soon(), ['SET', keys.slackPace('C1'), 'x']);
    const more = {spacingMs: 1_000};
    expect(await posts.begin(hold, item(one), 'token', undefined, 5_000, soon(), more)).toBe(true);
  });

  test('is leased to one process at a time, and retried when that process dies', async () => {
    expect(await posts.claim(hold, 150, soon())).toMatchObject({kind: 'due', item: item(one)});
    expect(await posts.claim(other, 150, soon())).toEqual({kind: 'busy'});
    expect(Number(await score(keys.slackReady(), 'post-slack/C1'))).toBeGreaterThan(connection.clock.now());
    await until(async () => (await posts.claim(other, 150, soon())).kind === 'due');
    expect(await posts.renew(hold, 150, soon())).toBe(false);
  });

  test('accepts no post from a process without its lease', async () => {
    await posts.claim(hold, 5_000, soon());
    expect(await posts.begin(other, item(one), 'token', 'p', 5_000, soon())).toBe(false);
    expect((await posts.find(workspace, one, soon()))?.sending).toBeUndefined();
  });

  test('is released with its remaining items named as due', async () => {
    await posts.claim(hold, 5_000, soon());
    expect(await posts.release(hold, soon())).toBe(true);
    expect((await posts.claim(other, 5_000, soon())).kind).toBe('due');
  });

  test('pauses for every process as long as Slack asks', async () => {
    await posts.claim(hold, 5_000, soon());
    await posts.settle(hold, {item: item(one), next: 0, pauseMs: 200}, soon());
    expect(await posts.claim(hold, 5_000, soon())).toEqual({kind: 'busy'});
    await until(async () => (await posts.claim(hold, 5_000, soon())).kind === 'due');
  });
});

describe('the outcome of a post', () => {
  let mine: SlackHold;
  beforeEach(async () => {
    await posts.read(workspace, event(1), wish(one), soon());
    const claim = await posts.claim(hold, 5_000, soon());
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

  test('is recorded under the mark it was sent with, even after the lease', async () => {
    await posts.begin(hold, item(one), 'mine', 'p', 5_000, soon());
    await connection.call(soon(), ['DEL', keys.slackLease('C1')]);
    expect(await posts.settle(mine, posted('mine'), soon())).toBe(true);
    expect(await posts.find(workspace, one, soon())).toMatchObject({
      ts: '1.1',
      posted: 1,
      sending: undefined,
    });
    expect(await score(keys.slackPending('C1'), one)).toBeNull();
  });

  test('is refused under the mark of another post', async () => {
    await posts.begin(hold, item(one), 'mine', 'p', 5_000, soon());
    expect(await posts.settle(mine, posted('stale'), soon())).toBe(false);
    expect((await posts.find(workspace, one, soon()))?.ts).toBeUndefined();
  });

  test('leaves a post due that has been changed in the meantime', async () => {
    await posts.begin(hold, item(one), 'mine', 'p', 5_000, soon());
    await posts.read(workspace, event(2), {channel: 'C1', drawn: one, want: 2}, soon());
    await posts.settle(mine, posted('mine'), soon());
    expect(await score(keys.slackPending('C1'), one)).not.toBeNull();
  });

  test('leaves a notice due that was requested again in the meantime', async () => {
    const troubles = createSlackTroubles(connection);
    await troubles.note(workspace, 'C1', {team, code: 'is_archived'}, soon());
    await troubles.read(workspace, event(2), {channel: 'C1', notify: ['U1']}, soon());
    const person = {workspace, channel: 'U1', holder: 'me'};
    const work = async (meanwhile: () => Promise<unknown>) => {
      const claim = await posts.claim(person, 5_000, soon());
      if (claim.kind !== 'due') throw new Error('nothing is due');
      await meanwhile();
      await posts.settle({...person, claimed: claim}, {item: claim.item, next: 'settled'}, soon());
      return score(keys.slackPending('U1'), 'notice/2');
    };
    expect(await work(() => troubles.refresh(workspace, 'C1', soon()))).not.toBeNull();
    expect(await work(() => Promise.resolve())).toBeNull();
  });

  test('makes the message be looked at again after an update whose lease is gone', async () => {
    await posts.begin(hold, item(one), 'mine', 'p', 5_000, soon());
    await posts.settle(mine, posted('mine'), soon());
    await connection.call(soon(), ['DEL', keys.slackLease('C1')]);
    const late = {item: item(one), set: {posted: 1}, next: 'settled', want: 1} as const;
    expect(await posts.settle(hold, late, soon())).toBe(false);
    expect((await posts.find(workspace, one, soon()))?.posted).toBe(0);
    expect(await score(keys.slackPending('C1'), one)).not.toBeNull();
  });

  test('counts a member once under the parent message', async () => {
    await posts.read(workspace, event(2), wish(two), soon());
    const day = {team, date: place.day, shows: true, author: place.author};
    for (const drawn of [one, two])
      await posts.settle(hold, {item: item(drawn), next: 'settled', day}, soon());
    const counted = async () =>
      countIn(await posts.findDay(workspace, 'C1', team, place.day, soon()), false).in;
    expect(await counted()).toBe(1);
    await posts.settle(hold, {item: item(one), next: 'settled', day: {...day, shows: false}}, soon());
    expect(await counted()).toBe(1);
    await posts.settle(hold, {item: item(two), next: 'settled', day: {...day, shows: false}}, soon());
    expect(await counted()).toBe(0);
  });

  test('leaves nothing without an expiry', async () => {
    const day = {team, date: place.day, shows: true, author: place.author};
    await posts.settle(hold, {item: item(one), next: 'settled', want: 1, day}, soon());
    for (const key of [keys.slackPost(one), keys.slackDay('C1', team, place.day), keys.slackLease('C1')]) {
      expect(await connection.call<number>(soon(), ['PTTL', key])).toBeGreaterThan(0);
    }
  });
});

test('a signature is new once, until it is forgotten', async () => {
  const signatures = createSlackSignatures(connection);
  expect(await signatures.remember('h', soon())).toBe(true);
  expect(await signatures.remember('h', soon())).toBe(false);
  await signatures.forget('h', soon());
  expect(await signatures.remember('h', soon())).toBe(true);
  expect(await connection.call<number>(soon(), ['PTTL', '{global}:slack-seen:h'])).toBeGreaterThan(500_000);
});

test('a message whose first post may have arrived says so when it is posted again', async () => {
  const troubles = createSlackTroubles(connection);
  await posts.read(workspace, event(1), wish(one), soon());
  await posts.read(workspace, event(2), wish(two), soon());
  await connection.call(soon(), ['HSET', keys.slackPost(one), 'sending', '1.token', 'part', '1']);
  for (const drawn of [one, two])
    await troubles.note(workspace, 'C1', {team, code: 'outcome_unknown', lost: item(drawn)}, soon());
  await troubles.resume(workspace, 'C1', soon());
  expect(await posts.find(workspace, one, soon())).toMatchObject({again: true, sending: undefined});
  expect(await posts.find(workspace, two, soon())).toMatchObject({again: false});
});

test('the digests of all teams and days are found with few commands', async () => {
  let commands = 0;
  const shown = createSlackShown({
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
    await connection.call(soon(), ['HSET', key, 'channel', `C${i}`]);
  }
  const found = await shown.listDigestChannels(workspace, all, soon());
  expect(found).toHaveLength(all.length);
  expect(found.flatMap((channel, i) => (channel === undefined ? [] : [[i, channel]]))).toEqual(
    there.map((i) => [i, `C${i}`]),
  );
  expect(commands).toBeLessThan(1_000);
});
