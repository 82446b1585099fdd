import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {standardTimeouts} from '../../src/bot/slack/core/timeouts.js';
import {testRedisUrl} from '../support/redis-server.js';
import {admin, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {type SlowRedis, startSlowRedis} from '../support/slow-redis.js';
import {measureTime} from '../support/stopwatch.js';
import {until} from '../support/until.js';

let redis: SlowRedis;
let slack: SlackHarness;
/** Commits of the bot since the last request; the last of them saves the update. */
let commits: number;
let commitsOfPost: number;
/** The part of that commit's traffic that is held back. */
let holds: 'replies' | 'everything' | undefined;

beforeEach(async () => {
  holds = undefined;
  commitsOfPost = 0;
  const redisUrl = await testRedisUrl();
  redis = await startSlowRedis(redisUrl);
  slack = await startSlack({
    redisUrl,
    botRedisUrl: redis.url,
    timeouts: standardTimeouts,
    failpoint(name) {
      if (name === 'before-commit' && ++commits === commitsOfPost && holds !== undefined) redis.hold(holds);
    },
  });
  // The person becomes a member, and the store caches the scripts. The form has its own script, because its
  // standup names a date.
  await slack.command('what was said before');
  await slack.submit({...(await filled('before')), id: 'V_BEFORE'});
  slack.slack.clear();
  commits = 0;
  await slack.command('what was said then');
  commitsOfPost = commits;
});

afterEach(async () => {
  redis.release();
  await slack.close();
  await redis.close();
});

const texts = async () => (await slack.standups()).map(({update}) => update);

/** Releases all held traffic and waits until it has arrived. */
async function releaseAll(): Promise<void> {
  holds = undefined;
  redis.release();
  await until(() => redis.waiting() === 0);
  await slack.command('help');
}

/** The empty form, filled in by the person. */
async function filled(text: string) {
  await slack.action({action_id: 'open-form', value: JSON.stringify({mode: 'new'})});
  const [opened] = await until(() => slack.slack.of('views.open').length > 0 && slack.slack.of('views.open'));
  const view = opened?.body['view'] as Record<string, unknown>;
  const today = {value: {type: 'plain_text_input', value: text}};
  return {...view, id: 'V_LATE', hash: 'h', state: {values: {today}}};
}

describe.each([
  ['a save whose answer is late', 'replies', 1],
  ['a save that reaches the store late', 'everything', 0],
] as const)('after %s', (_, held, saved) => {
  test('the form remains open, says that the result is uncertain, and makes one standup when submitted again', async () => {
    const view = await filled('late');
    [holds, commits] = [held, 0];
    const [{body}, ms] = await measureTime(() => slack.submit(view));
    expect(ms).toBeLessThan(3_000);
    expect(body).toMatchObject({
      response_action: 'errors',
      errors: {today: expect.stringMatching(/^This may not have been saved.*again.*Reference/)},
    });
    await releaseAll();
    expect((await texts()).filter((text) => text === 'Today\nlate')).toHaveLength(saved);
    expect(await slack.submit(view)).toMatchObject({status: 200, text: ''});
    expect((await texts()).filter((text) => text === 'Today\nlate')).toHaveLength(1);
  });

  test('a command returns the text, says that the result is uncertain, and is never carried out later', async () => {
    [holds, commits] = [held, 0];
    const [{body}, ms] = await measureTime(() => slack.command('post: late', {user: admin}));
    expect(ms).toBeLessThan(3_000);
    expect(body.text).toMatch(/^This may not have been posted.*standup today.*late$/);
    await releaseAll();
    expect((await texts()).filter((text) => text === 'late')).toHaveLength(saved);
  });
});
