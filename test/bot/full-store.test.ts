import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {fillRedis, removeMemoryLimit} from '../support/full-redis.js';
import {startTestRedis, type TestRedis} from '../support/redis-server.js';
import {type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

let redis: TestRedis;
let slack: SlackHarness;

beforeEach(async () => {
  redis = await startTestRedis({appendfsync: 'no'});
  slack = await startSlack({redisUrl: redis.url});
});

afterEach(async () => {
  await removeMemoryLimit(redis);
  await slack.close();
  await redis.stop();
});

const quick = {unanswered: [20, 20, 20, 20, 20, 20], closed: [50, 50, 50], leaseMs: 1_000};

async function thread(): Promise<string[]> {
  const [parent] = await slack.parents();
  return parent === undefined ? [] : (await slack.replies(parent.ts)).map(({text}) => text);
}

test('regression: a standup from before the store was full is shown, and removed from Slack when it is deleted', async () => {
  const {standups} = slack.core.services;
  const post = {team: 'platform', update: 'Posted before.', source: 'api'} as const;
  const {id = ''} = await standups.postStandup(slack.operator(), post);
  await fillRedis(redis, {forGood: true});
  await slack.work();
  expect(await thread()).toEqual(['operator: Posted before.']);
  await standups.deleteStandup(slack.operator(), id);
  await slack.work();
  expect(await thread()).toEqual([]);
});

test('regression: a full store does not prevent the notice that Slack does not show a standup', async () => {
  const post = {team: 'platform', update: 'Shown nowhere.', source: 'api'} as const;
  await slack.core.services.standups.postStandup(slack.operator(), post);
  await fillRedis(redis, {forGood: true});
  slack.slack.fail(
    'chat.postMessage',
    ...Array.from({length: 20}, () => ({kind: 'refused', code: 'invalid_blocks'}) as const),
  );
  const isReported = async () => {
    await slack.work({waits: quick});
    return (await slack.events()).includes('slack.post_failed');
  };
  await until(isReported, {what: 'it is told'});
});

test('regression: members can view and delete in Slack on a full store, each with one request', async () => {
  const posted = (await slack.command('post: posted before')).body;
  expect(posted.text).toContain('Posted');
  const buttons = (posted.blocks as {elements?: {action_id: string; value: string; text: {text: string}}[]}[])
    .flatMap(({elements = []}) => elements)
    .filter(({text}) => text?.text === 'Undo');
  await fillRedis(redis, {forGood: true});
  const look = {timestamp: Math.floor(Date.now() / 1_000), trigger: 'the.same'};
  expect((await slack.command('today', look)).body.text).not.toContain('full');
  await slack.command('today', look);
  expect(slack.lines.map(({message}) => message)).toContain('ignored a repeated Slack request');
  expect((await slack.command('posted when it is full')).body.text).toContain('The service is out of space');
  for (const {action_id, value} of buttons) await slack.action({action_id, value});
  await until(async () => (await slack.standups()).length === 0, {what: 'it is deleted'});
});

test('a read-only workspace says so in Slack, posts nothing there, and posts once what has waited', async () => {
  const post = {team: 'platform', update: 'Posted before.', source: 'api'} as const;
  await slack.core.services.standups.postStandup(slack.operator(), post);
  const {workspace} = slack.operator();
  const {frozen} = slack.core.store;
  const newDeadline = () => performance.now() + 5_000;
  await frozen.freeze(workspace, newDeadline());
  await slack.work();
  expect(await thread()).toEqual([]);
  expect((await slack.command('post: written while it moves')).body.text).toMatch(
    /^Not posted\. This workspace is being moved, so nothing can be changed for a while\./,
  );
  await frozen.thaw(workspace, newDeadline());
  await slack.work();
  await slack.work();
  expect(await thread()).toEqual(['operator: Posted before.']);
});
