import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from '@jest/globals';
import {botToken, sendSigned, signingSecret} from '../support/slack-harness.js';
import {type ServiceProcess, startServiceProcess} from '../support/service-process.js';
import {startService, type TestService} from '../support/service.js';
import {startSlowRedis} from '../support/slow-redis.js';
import {measureTime} from '../support/stopwatch.js';
import {until} from '../support/until.js';
import {minute, type PromptScene, startPromptScene} from './prompt-scene.js';
import {askedTypist, keptOf, postedBy, type Typist} from './typing-scene.js';

let scene: PromptScene;
let other: TestService;
let env: Record<string, string>;
beforeAll(async () => {
  scene = await startPromptScene();
  env = {
    SLACK_BOT_TOKEN: botToken,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: `${scene.slack.slack.url}/api/`,
    ROLES: 'web',
  };
  other = await startService({redisUrl: scene.redisUrl, time: scene.clock.time, env});
});
afterAll(async () => {
  await other.close();
  await scene.close();
});
beforeEach(async () => {
  const tomorrow = new Date(scene.clock.now() + 24 * 60 * minute).toISOString().slice(0, 10);
  await scene.clock.set(Date.parse(`${tomorrow}T08:00:00Z`));
});
afterEach(() => {
  expect(scene.slack.slack.limitViolations).toEqual([]);
  scene.slack.slack.clear();
});

/** A typed message as Slack sends it, signed again at each call. */
function eventOf({person, channel}: Typist, ts: string, text: string, id: string, retry = 0): string {
  return JSON.stringify({
    type: 'event_callback',
    team_id: 'T000000001',
    api_app_id: 'A1',
    event_id: `Ev${id}`,
    event_time: retry,
    authorizations: [{enterprise_id: null, team_id: 'T000000001', user_id: 'UBOT', is_bot: true}],
    event: {type: 'message', channel_type: 'im', channel, user: person.user, text, ts},
  });
}

const json = {contentType: 'application/json'};
const texts = async (ada: Typist) => (await ada.said()).map(({text}) => text);

test('a message that Slack repeats is stored and answered once, even by another process', async () => {
  const ada = await askedTypist(scene);
  const ts = ada.nextTs();
  for (const [i, url] of [scene.slack.url, scene.slack.url, other.url].entries())
    expect((await sendSigned(url, eventOf(ada, ts, 'Fix it', 'A1', i), json)).status).toBe(200);
  expect(await texts(ada)).toHaveLength(1);
  expect(await keptOf(scene, ada)).toMatch(/^(?:(?!Fix it).)*Fix it(?:(?!Fix it).)*$/s);
});

test.each([0, 1, 2])(
  'simultaneous messages to two processes are stored in the order in which they were typed, and no question is repeated',
  async (shift) => {
    const ada = await askedTypist(scene);
    const said = ['Fix the importer', 'Wrote tests', 'none'];
    const events = said.map((text) => ({ts: ada.nextTs(), text}));
    const order = [...events.slice(shift), ...events.slice(0, shift)];
    const replies = await Promise.all(
      order.map(({ts, text}, i) =>
        sendSigned(i % 2 === 0 ? scene.slack.url : other.url, eventOf(ada, ts, text, `B${shift}${i}`), json),
      ),
    );
    expect(replies.map(({status}) => status)).toEqual([200, 200, 200]);
    const summary = 'Yesterday\nWrote tests\n\nToday\nFix the importer\n\nBlockers\nnone';
    await until(async () => (await texts(ada)).some((text) => text.includes(summary)), {what: 'the summary'});
    const all = await texts(ada);
    expect(all.filter((text) => text.includes('What did you do yesterday?')).length).toBeLessThan(2);
    expect(all.filter((text) => text.includes('Is anything blocking you?')).length).toBeLessThan(2);
    expect(all.filter((text) => text.includes('Post it?'))).toHaveLength(1);
    await ada.type('post');
    expect((await postedBy(scene, ada)).map(({update}) => update)).toEqual([summary]);
  },
);

test.each(['mute', 'hang'] as const)(
  'a process killed before it knows of its answer loses no message and doubles no answer (Slack’s call: %s)',
  async (kind) => {
    const ada = await askedTypist(scene);
    const process: ServiceProcess = await startServiceProcess({redisUrl: scene.redisUrl, env, clock: true});
    try {
      const ts = ada.nextTs();
      scene.slack.slack.fail('chat.postMessage', {kind});
      const sent = scene.slack.slack.of('chat.postMessage').length;
      const lost = sendSigned(process.url, eventOf(ada, ts, 'Fix it', 'C1'), json).catch(() => undefined);
      await until(() => scene.slack.slack.of('chat.postMessage').length > sent, {
        what: 'an answer is on its way',
      });
      if (kind === 'mute') await until(async () => (await ada.said()).length === 1);
      await process.kill();
      await lost;
      // Another process may still be working on it.
      expect((await sendSigned(scene.slack.url, eventOf(ada, ts, 'Fix it', 'C1', 1), json)).status).toBe(503);
      await scene.clock.advance(minute);
      expect((await sendSigned(scene.slack.url, eventOf(ada, ts, 'Fix it', 'C1', 2), json)).status).toBe(200);
      expect(await texts(ada)).toHaveLength(1);
      await ada.type('Wrote tests');
      await ada.type('skip');
      await ada.type('post');
      expect((await postedBy(scene, ada)).map(({update}) => update)).toEqual([
        'Yesterday\nWrote tests\n\nToday\nFix it',
      ]);
    } finally {
      await process.kill();
    }
  },
);

test('a process killed after it has posted and before it confirms does not post a second time', async () => {
  const ada = await askedTypist(scene);
  for (const text of ['Fix it', 'Wrote tests', 'skip']) await ada.type(text);
  const ts = ada.nextTs();
  scene.slack.slack.fail('chat.postMessage', {kind: 'status', status: 500});
  expect((await sendSigned(other.url, eventOf(ada, ts, 'post', 'D1'), json)).status).toBe(503);
  expect(await postedBy(scene, ada)).toHaveLength(1);
  expect((await sendSigned(scene.slack.url, eventOf(ada, ts, 'post', 'D1', 1), json)).status).toBe(200);
  expect(await postedBy(scene, ada)).toHaveLength(1);
  expect((await ada.last()).text).toMatch(/^✅ Posted in <#C000000001>/);
});

test('typed messages are stored while Slack accepts none, and the answer comes at the next try', async () => {
  const ada = await askedTypist(scene);
  const ts = ada.nextTs();
  scene.slack.slack.fail('chat.postMessage', {kind: 'limited', seconds: 1});
  expect((await sendSigned(scene.slack.url, eventOf(ada, ts, 'Fix it', 'E1'), json)).status).toBe(503);
  expect(await keptOf(scene, ada)).toContain('Fix it');
  expect((await sendSigned(other.url, eventOf(ada, ts, 'Fix it', 'E1', 1), json)).status).toBe(200);
  expect((await ada.last()).text).toContain('What did you do yesterday?');
});

test('a message is refused within Slack’s 3 s while Redis is late, and is stored and answered once when repeated', async () => {
  const redis = await startSlowRedis(scene.redisUrl);
  const late = await startService({redisUrl: redis.url, time: scene.clock.time, env});
  try {
    const ada = await askedTypist(scene);
    const ts = ada.nextTs();
    redis.delay(5_000);
    const [reply, ms] = await measureTime(() => sendSigned(late.url, eventOf(ada, ts, 'Fix it', 'F1'), json));
    expect(reply.status).toBe(503);
    expect(ms).toBeLessThan(3_000);
    redis.delay(0);
    redis.release();
    const again = async (retry: number) =>
      (await sendSigned(late.url, eventOf(ada, ts, 'Fix it', 'F1', retry), json)).status === 200;
    let retry = 0;
    // The lost request may have reached Redis after all, and then a process seems to be answering.
    await until(async () => {
      await scene.clock.advance(minute / 2);
      return again((retry += 1));
    });
    expect(await texts(ada)).toHaveLength(1);
  } finally {
    redis.delay(0);
    redis.release();
    await late.close();
    await redis.close();
  }
});
