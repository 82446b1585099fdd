import {afterAll, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import type {ChatCalls} from '../../src/bot/showing/chat.js';
import type {OutgoingMessage} from '../../src/bot/slack/blocks/blocks.js';
import {createChannelCalls} from '../../src/bot/slack/posting/channel-calls.js';
import type {Log} from '../../src/domain/core/log.js';
import {createSlackClients} from '../../src/bot/slack/core/clients.js';
import {standardWaits} from '../../src/bot/showing/waits.js';
import {type RedisConnection, openConnection} from '../../src/store/core/connection.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {createSlackPosts, type SlackPosts} from '../../src/store/slack/slack-posts.js';
import {addTimeSource} from '../../src/store/core/time-source.js';
import {testRedisUrl} from '../support/redis-server.js';
import {type FailureServer, startFailureServer} from '../support/slack-failure-server.js';
import {type Inboxes, startInboxes} from '../support/slack-inboxes.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {asId} from '../support/ids.js';

/** Few in `npm test`; `PRINT_CALLS=1` prints the numbers for 500. */
const print = process.env['PRINT_CALLS'] === '1';
const reminders = print ? 500 : 60;

const workspace = asId<'workspace'>('ws_00000000000000000000000000');
const message = {text: 'x', blocks: [], metadata: {event_type: 'x', event_payload: {}}};
const nothing = () => undefined;
const log = {debug: nothing, info: nothing, warn: nothing, error: nothing} as unknown as Log;
const newDeadline = () => performance.now() + 5_000;

let clock: TestClock;
let connection: RedisConnection;
let posts: SlackPosts;
let inboxes: Inboxes;
let slack: FailureServer;
let calls: ChatCalls<OutgoingMessage>;
beforeAll(async () => {
  const url = await testRedisUrl();
  clock = await createTestClock(url, Date.parse('2026-11-24T09:00:00Z'));
  const opened = await openConnection({url, tlsVerify: true, onError: () => undefined});
  connection = addTimeSource(opened, clock.time);
  posts = createSlackPosts(connection);
  inboxes = await startInboxes();
  slack = await startFailureServer(() => inboxes.url);
  const clients = createSlackClients({apiUrl: `${slack.url}/api/`, log});
  calls = createChannelCalls(clients.forJobs({botToken: 'xoxb'}), {
    find: (method) => posts.findLimit(workspace, method, newDeadline()),
    note: (method, waitMs) => posts.limit(workspace, method, waitMs, newDeadline()),
    takeSlot: (method, behind) =>
      posts.takeSlot(workspace, {method, behind, intervalMs: standardWaits.editSpacingMs}, newDeadline()),
  });
});
afterAll(async () => {
  await slack.close();
  await inboxes.close();
  await connection.close();
  await clock.close();
});
beforeEach(async () => {
  slack.clear();
  await clock.advance(3_600_000);
  await connection.call(newDeadline(), ['DEL', workspaceKeys(workspace).slackThrottle('chat.update')]);
  slack.enforce('chat.update', 50, clock.now);
});

interface PacedEdit {
  readonly channel: string;
  readonly behind?: string;
  readonly since: number;
  at: number;
}

async function postMessage(channel: string): Promise<string> {
  const posted = await calls.post(channel, message);
  if (posted.kind !== 'done') throw new Error(posted.kind);
  return posted.value.ts;
}

/**
 * Makes all edits as the clock advances, and repeats a limited one after its wait. Returns the wait of each
 * edit, and the number of tries.
 */
async function makeAll(edits: PacedEdit[]): Promise<{waited: Map<PacedEdit, number>; tries: number}> {
  const posted = new Map<string, string>();
  for (const {channel} of edits) if (!posted.has(channel)) posted.set(channel, await postMessage(channel));
  const waited = new Map<PacedEdit, number>();
  const left = [...edits];
  let tries = 0;
  while (left.length > 0) {
    left.sort((a, b) => a.at - b.at);
    const edit = left[0]!;
    if (edit.at > clock.now()) await clock.set(Math.ceil(edit.at));
    tries += 1;
    const result = await calls.update(edit.channel, posted.get(edit.channel) ?? '', message, edit.behind);
    if (result.kind === 'limited') {
      edit.at = clock.now() + result.waitMs;
      continue;
    }
    expect(result.kind).toBe('done');
    waited.set(edit, clock.now() - edit.since);
    left.shift();
  }
  return {waited, tries};
}

const reminderAt = (i: number, at: number): PacedEdit => ({
  channel: `D${i}`,
  behind: `prompt/${i}/2026-11-24`,
  since: at,
  at,
});
const channelAt = (at: number, channel = 'C1'): PacedEdit => ({channel, since: at, at});
const longest = (waits: readonly number[]) => Math.max(...waits);
/** Number of calls that Slack has refused: refused calls are in the list without a reply. */
const refused = () => slack.of('chat.update').filter(({reply}) => reply === undefined).length;

describe('the edits of one workspace', () => {
  test('are not delayed in channels by many reminders answered at once, and Slack refuses none', async () => {
    const start = clock.now();
    const all = Array.from({length: reminders}, (_, i) => reminderAt(i, start));
    // A channel with a change every four seconds.
    const seconds = reminders * 2;
    const changes = Array.from({length: Math.floor(seconds / 4)}, (_, i) => channelAt(start + i * 4_000 + 1));
    const {waited, tries} = await makeAll([...all, ...changes]);
    const inChannel = changes.map((edit) => waited.get(edit) ?? Infinity);
    const inReminders = all.map((edit) => waited.get(edit) ?? Infinity);
    if (print) {
      process.stdout.write(
        `${reminders} reminders: last after ${longest(inReminders) / 1_000} s; ${changes.length} edits in a channel: longest wait ${longest(inChannel)} ms; ${refused()} refused; ${tries} tries\n`,
      );
    }
    expect(longest(inChannel)).toBe(0);
    expect(refused()).toBe(0);
    // A waiting edit gets the time of its next try, so it tries only a few times.
    expect(tries).toBeLessThan(8 * (reminders + changes.length));
    // All edits together go at 40 a minute.
    expect(longest(inReminders)).toBeLessThan((reminders + changes.length) * 1_500 + 20_000);
  });

  test('go to channels in bursts of ten, then one every second and a half, before every reminder', async () => {
    const start = clock.now();
    const changes = Array.from({length: 14}, (_, i) => channelAt(start, `C${i}`));
    const {waited} = await makeAll([reminderAt(0, start + 1), ...changes]);
    const sorted = [...waited].map(([edit, wait]) => [edit.behind !== undefined, wait] as const);
    expect(sorted.filter(([, wait]) => wait === 0)).toHaveLength(10);
    expect(sorted.at(-1)?.[0]).toBe(true);
    expect(refused()).toBe(0);
  });

  test('reach a reminder now and then while channels have more than Slack accepts', async () => {
    const start = clock.now();
    const changes = Array.from({length: 100}, (_, i) => channelAt(start + i * 1_000, `C${i % 7}`));
    const behind = [0, 1, 2].map((i) => reminderAt(i, start + 15_000));
    const {waited} = await makeAll([...behind, ...changes]);
    const end = (edit: PacedEdit) => edit.since + (waited.get(edit) ?? Infinity);
    expect(longest(behind.map(end))).toBeLessThan(longest(changes.map(end)));
    expect(refused()).toBe(0);
  });

  test('are made at once for a single answered reminder, and together for four', async () => {
    const start = clock.now();
    const {waited} = await makeAll([0, 1, 2, 3, 4].map((i) => reminderAt(i, start)));
    expect([...waited.values()].toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 1_500]);
  });

  test('wait together until the end of a 429, and then continue in order', async () => {
    slack.fail('chat.update', {kind: 'limited', seconds: 30});
    const start = clock.now();
    const all = [0, 1, 2].map((i) => reminderAt(i, start));
    const first = await calls.update('D0', '1.1', message, all[0]?.behind);
    expect(first).toMatchObject({kind: 'limited', waitMs: 30_000});
    const second = await calls.update('D1', '1.1', message, all[1]?.behind);
    expect(second.kind === 'limited' && second.waitMs).toBeGreaterThan(29_000);
    expect(slack.of('chat.update')).toHaveLength(1);
  });

  test.each(['a free slot', 'a 429'])(
    'regression: do not wait longer for %s after the clock went back by hours',
    async (wait) => {
      const start = clock.now();
      if (wait === 'a 429') await posts.limit(workspace, 'chat.update', 30_000, newDeadline());
      else await makeAll(Array.from({length: 12}, (_, i) => channelAt(start, `C${i}`)));
      await clock.set(start - 3_600_000);
      // The keys that expire by that clock must live longer, too.
      const key = workspaceKeys(workspace).slackThrottle('chat.update');
      await connection.call(newDeadline(), ['PEXPIRE', key, '3630000']);
      expect(await posts.findLimit(workspace, 'chat.update', newDeadline())).toBeLessThan(31_000);
      const before = clock.now();
      const {waited} = await makeAll([channelAt(before), reminderAt(9, before)]);
      expect(longest([...waited.values()])).toBeLessThan(2_000);
    },
  );
});
