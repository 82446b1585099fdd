import {afterAll, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import type {Write} from '../../../src/domain/commit/writes.js';
import {browserRecipient} from '../../../src/domain/prompts/prompt.js';
import {createCommits} from '../../../src/store/commit/commits.js';
import {type RedisConnection, openConnection} from '../../../src/store/core/connection.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {createPrompts, type Prompts} from '../../../src/store/prompts/prompts.js';
import {createSlackPosts} from '../../../src/store/slack/slack-posts.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {asId} from '../../support/ids.js';
import {suffixOf} from '../../../src/domain/core/ids.js';

const workspace = asId<'workspace'>('ws_00000000000000000000000000');
const keys = workspaceKeys(workspace);
const newDeadline = () => performance.now() + 2_000;
const member = asId<'member'>('mem_0000000000000000000000000a');
const suffix = suffixOf(member);
const run = asId<'run'>('run_0000000000000000000000000r');
const otherRun = asId<'run'>('run_0000000000000000000000000s');
const date = '2026-11-24';
const item = `prompt/${suffix}/${date}`;

let connection: RedisConnection;
let prompts: Prompts;
beforeAll(async () => {
  connection = await openConnection({url: await testRedisUrl(), tlsVerify: true, onError: () => undefined});
  prompts = createPrompts(connection);
});
afterAll(() => connection.close());
beforeEach(async () => {
  await connection.call(newDeadline(), ['FLUSHDB', 'SYNC']);
  await connection.call(newDeadline(), ['HSET', keys.head(), 'sequence', '9', 'cursor:slack', '9']);
});

async function commit(...writes: Write[]): Promise<void> {
  const plan = {guards: [], writes, events: [], reply: {kind: 'empty'}} as const;
  const outcome = await createCommits(connection).run({workspace, deadline: newDeadline()}, plan);
  expect(outcome.kind).toBe('committed');
}
const remind = (given: Partial<Extract<Write, {do: 'prompt'}>> = {}): Write => ({
  do: 'prompt',
  member,
  user: 'U1',
  date,
  team: asId('team_0000000000000000000000000t'),
  run,
  closesAt: 5_000,
  moment: 'before_closing',
  notBefore: 0,
  ...given,
});
const score = async (key: string, name: string) =>
  Number(await connection.call<string | null>(newDeadline(), ['ZSCORE', key, name]));
const find = () => prompts.find(workspace, suffix, date, newDeadline());

describe('a reminder', () => {
  test('stores a prompt for the member and date, which is due at once', async () => {
    await commit(remind());
    expect(await find()).toMatchObject({user: 'U1', ts: undefined, failures: 0});
    expect(await find()).toHaveProperty('runs', new Map([['000000000000000r', 5_000]]));
    expect(await score(keys.slackPending('U1'), item)).toBeLessThanOrEqual(connection.clock.now() + 50);
    expect(await score(keys.slackReady(), 'post-slack/U1')).toBeGreaterThan(0);
  });

  test('regression: waits for no process that serves Slack if there is none, and is shown only by open tabs', async () => {
    await connection.call(newDeadline(), ['HDEL', keys.head(), 'cursor:slack']);
    await commit(remind());
    expect(await find()).toMatchObject({user: browserRecipient});
    // The Slack user's id is stored nowhere, so nothing of them has to be erased.
    const ofSlack = [keys.slackPending('U1'), keys.slackKept('U1')];
    expect(await connection.call(newDeadline(), ['EXISTS', keys.slackReady(), ...ofSlack])).toBe(0);
  });

  test('shares a message with a reminder of another team on the same date', async () => {
    await commit(remind(), remind({run: otherRun, closesAt: 6_000}));
    expect([...((await find())?.runs.keys() ?? [])].toSorted()).toEqual([
      '000000000000000r',
      '000000000000000s',
    ]);
    expect([...((await find())?.reminded.values() ?? [])]).toEqual([1, 1]);
    expect(await connection.call(newDeadline(), ['ZCARD', keys.slackPending('U1')])).toBe(1);
  });

  test('edits the message of the earlier reminder', async () => {
    await commit(remind());
    await connection.call(newDeadline(), [
      'HSET',
      keys.slackPrompt(suffix, date),
      'ts',
      '1.1',
      'failed',
      'x',
    ]);
    await commit(remind());
    expect(await find()).toMatchObject({
      ts: '1.1',
      failed: undefined,
      runs: new Map([['000000000000000r', 5_000]]),
    });
  });

  test('is due after the member’s quiet hours', async () => {
    const end = connection.clock.now() + 3_600_000;
    await commit(remind({notBefore: end}));
    expect(await find()).toMatchObject({notBefore: end});
    expect(await score(keys.slackPending('U1'), item)).toBe(end);
    expect(await score(keys.slackReady(), 'post-slack/U1')).toBe(end);
  });

  test('needs a new message if the member has another Slack account by then', async () => {
    await commit(remind());
    await connection.call(newDeadline(), ['HSET', keys.slackPrompt(suffix, date), 'ts', '1.1']);
    await commit(remind({user: 'U2'}));
    expect(await find()).toMatchObject({user: 'U2', ts: undefined});
    expect(await score(keys.slackPending('U2'), item)).toBeGreaterThan(0);
  });

  test('leaves no key without an expiry', async () => {
    await commit(remind());
    await prompts.noteUnreachable(workspace, [suffixOf(run)], suffix, 'user_not_found', newDeadline());
    for (const key of [
      keys.slackPrompt(suffix, date),
      keys.slackPromptsOf(run),
      keys.slackUnreachable(run),
    ]) {
      expect(await connection.call<number>(newDeadline(), ['TTL', key])).toBeGreaterThan(0);
    }
  });
});

test('a snooze is stored only for an existing prompt', async () => {
  const snooze = {do: 'snooze-prompt', member: suffix, user: 'U1', date, until: 7_000} as const;
  await commit(snooze);
  expect(await find()).toBeUndefined();
  await commit(remind(), snooze);
  expect(await find()).toMatchObject({snoozed: 7_000});
});

test('an update of a sent prompt is made once for each request', async () => {
  await commit(remind());
  const posts = createSlackPosts(connection);
  const hold = {workspace, channel: 'U1', holder: 'me'};
  const claim = await posts.claim(hold, 5_000, newDeadline());
  if (claim.kind !== 'due') throw new Error('nothing is due');
  const later = {item: claim.item, next: {at: connection.clock.now() + 60_000}} as const;
  const name = [{member: suffix, date, user: 'U1'}];
  expect(await prompts.listOf(workspace, suffix, ['2026-11-23', date], newDeadline())).toEqual(name);
  expect(await prompts.listOfRun(workspace, suffixOf(run), newDeadline())).toEqual(name);
  // A prompt that is requested while it is handled stays due. After it was handled again, it waits for its
  // own time.
  await prompts.ask(workspace, name, newDeadline());
  await posts.recordOutcome({...hold, claimed: claim}, later, newDeadline());
  expect(await score(keys.slackPending('U1'), item)).toBeLessThan(connection.clock.now() + 1_000);
  const again = await posts.claim(hold, 5_000, newDeadline());
  if (again.kind !== 'due') throw new Error('nothing is due');
  await posts.recordOutcome({...hold, claimed: again}, later, newDeadline());
  expect(await score(keys.slackPending('U1'), item)).toBeGreaterThan(connection.clock.now() + 50_000);
  await prompts.ask(workspace, name, newDeadline());
  expect(await score(keys.slackPending('U1'), item)).toBeLessThan(connection.clock.now() + 1_000);
});

test('a member who could not be reached is listed for the run until a message reaches them', async () => {
  const others = [member, asId<'member'>('mem_0000000000000000000000000b')];
  await prompts.noteUnreachable(workspace, [suffixOf(run)], suffix, 'user_not_found', newDeadline());
  expect([...(await prompts.findUnreachable(workspace, run, others, newDeadline()))]).toEqual([member]);
  expect([...(await prompts.findUnreachable(workspace, otherRun, others, newDeadline()))]).toEqual([]);
  await prompts.noteUnreachable(workspace, [suffixOf(run)], suffix, undefined, newDeadline());
  expect([...(await prompts.findUnreachable(workspace, run, others, newDeadline()))]).toEqual([]);
});
