import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import {sendSigned} from '../support/slack-harness.js';
import {minute, type PromptScene, startPromptScene} from './prompt-scene.js';
import {askedTypist, createTypist, keptOf, postedBy} from './typing-scene.js';

let scene: PromptScene;
beforeAll(async () => {
  scene = await startPromptScene();
});
afterAll(() => scene.close());
beforeEach(async () => {
  const tomorrow = new Date(scene.clock.now() + 24 * 60 * minute).toISOString().slice(0, 10);
  await scene.clock.set(Date.parse(`${tomorrow}T08:00:00Z`));
});
afterEach(() => {
  expect(scene.slack.slack.limitViolations).toEqual([]);
  scene.slack.slack.clear();
});

const posts = () => scene.slack.slack.of('chat.postMessage');

describe('regression: a message that is edited beyond the limit of a standup', () => {
  const huge = 'x'.repeat(40_000);
  const tooLong = /^That’s longer than 4,000 characters/;

  test('is not stored while it is an answer: the answer remains as it was, and the author gets a notice', async () => {
    const ada = await askedTypist(scene);
    const {ts} = await ada.type('Fix it');
    await ada.edit(ts, huge, 'Fix it');
    expect((await keptOf(scene, ada)).length).toBeLessThan(3_000);
    expect((await ada.last()).text).toMatch(tooLong);
    await ada.edit(ts, 'Fix all of it', huge);
    for (const reply of ['skip', 'skip', 'post']) await ada.type(reply);
    expect((await postedBy(scene, ada)).map(({update}) => update)).toEqual(['Today\nFix all of it']);
  });

  test('is not stored while it is offered: the offered text can be posted, and the author gets a notice', async () => {
    const grace = await createTypist(scene, await scene.addPerson());
    const {ts} = await grace.type('Shipped it');
    await grace.edit(ts, huge, 'Shipped it');
    expect((await keptOf(scene, grace)).length).toBeLessThan(3_000);
    expect((await grace.last()).text).toMatch(tooLong);
    await grace.press('Post');
    expect((await postedBy(scene, grace)).map(({update}) => update)).toEqual(['Shipped it']);
  });

  test('is not stored once it is posted, and the author gets a notice', async () => {
    const ada = await askedTypist(scene);
    const {ts} = await ada.type('Fix it');
    for (const reply of ['Wrote', 'skip', 'post']) await ada.type(reply);
    await ada.edit(ts, huge, 'Fix it');
    expect((await ada.last()).text).toMatch(tooLong);
    expect((await postedBy(scene, ada))[0]?.update).toContain('Fix it');
  });
});

test('regression: fast edits get no more answers than fast typing, and all of them are stored', async () => {
  const ada = await askedTypist(scene);
  const {ts} = await ada.type('Fix it');
  for (let i = 0; i < 40; i++) await ada.edit(ts, `Fix it ${i}`, 'Fix it');
  expect(posts().length).toBeLessThan(25);
  expect(await keptOf(scene, ada)).toContain('Fix it 39');
});

test('regression: a person who is no member and continues to type gets only a few refusals a minute', async () => {
  const guest = {id: 'U0000GUEST', name: 'guest'};
  scene.slack.slack.failAlways('users.info', {
    kind: 'replied',
    reply: {ok: true, user: {id: guest.id, team_id: 'T000000001', is_restricted: true}},
  });
  const said = {type: 'message', channel: 'D0GUEST', channel_type: 'im', user: guest.id, text: 'Shipped it'};
  for (let i = 0; i < 30; i++) {
    const reply = await scene.slack.event({...said, ts: `1800000000.00${1000 + i}`});
    expect(reply.status).toBe(200);
  }
  expect(posts()).toHaveLength(5);
});

test('an event of any shape is answered, and harms no one', async () => {
  const grace = await createTypist(scene, await scene.addPerson());
  const {user} = grace.person;
  const own = {type: 'message', user, text: 'Shipped it'};
  const list = {type: 'rich_text_list', indent: 'a', offset: {}, elements: [null, {elements: 7}]};
  const events: Record<string, unknown>[] = [
    ...[{}, 7, '__proto__', ['U1']].map((one) => ({...own, user: one})),
    ...[{}, 7, null, ['a']].map((text) => ({...own, text})),
    ...['x', {}, 'DEEP', [{type: 'rich_text', elements: 'DEEP'}]].map((blocks) => ({...own, blocks})),
    {...own, text: '', blocks: [null, 7, {type: 'rich_text', elements: [list, 'a']}]},
    ...[7, {}, 'no time', '__proto__'].map((ts) => ({...own, ts})),
    ...[{}, 7, 'elsewhere'].map((thread_ts) => ({...own, thread_ts})),
    ...[{}, 7].map((channel) => ({...own, channel})),
    {...own, text: '', files: 7},
    {...own, subtype: {}},
    ...[null, 'x', {user, ts: {}, edited: {ts: 7}, text: 7}, {user, ts: '1.000001', edited: 7}].map(
      (message) => ({...own, subtype: 'message_changed', message}),
    ),
    ...[7, {user}, {user: {}}].map((before) => ({
      ...own,
      subtype: 'message_deleted',
      previous_message: before,
      deleted_ts: {},
    })),
  ];
  const wrong: string[] = [];
  for (const [i, event] of events.entries()) {
    const body = JSON.stringify({
      type: 'event_callback',
      team_id: 'T000000001',
      event_id: `EvSTRANGE${i}`,
      authorizations: [{enterprise_id: null, team_id: 'T000000001', user_id: 'UBOT', is_bot: true}],
      event: {channel: grace.channel, channel_type: 'im', ts: grace.nextTs(), ...event},
    }).replace('"DEEP"', '['.repeat(50_000) + ']'.repeat(50_000));
    const reply = await sendSigned(scene.slack.url, body, {contentType: 'application/json'});
    if (reply.status !== 200) wrong.push(`${reply.status} ${body.slice(0, 300)}`);
  }
  expect(wrong).toEqual([]);
  await grace.type('Shipped it');
  expect((await grace.last()).text).toMatch(/^Post this/);
});

describe('regression: a refusal by Slack', () => {
  test('does not delay later typed messages after an answer in a thread that does not exist', async () => {
    const ada = await askedTypist(scene);
    scene.slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'thread_not_found'});
    expect((await ada.type('Fix it', {thread_ts: '1.000001'})).reply.status).toBe(200);
    await ada.type('Wrote tests');
    expect((await ada.last()).text).toMatch(/^Is anything blocking you/);
  });

  test('does not delay later typed messages after a person removed the summary, which is posted again', async () => {
    const ada = await askedTypist(scene);
    const {ts} = await ada.type('Fix it');
    for (const reply of ['skip', 'skip']) await ada.type(reply);
    scene.slack.slack.fail('chat.update', {kind: 'refused', code: 'message_not_found'});
    expect((await ada.edit(ts, 'Fix all of it', 'Fix it')).status).toBe(200);
    expect((await ada.last()).text).toContain('Fix all of it');
    await ada.press('Post');
    expect((await postedBy(scene, ada)).map(({update}) => update)).toEqual(['Today\nFix all of it']);
  });
});

test('regression: many messages typed at once are stored at the first try each, and answered at a limited pace', async () => {
  const ada = await askedTypist(scene);
  const sent = await Promise.all(Array.from({length: 60}, (_, i) => ada.type(`Line ${i}`)));
  expect(sent.filter(({reply}) => reply.status !== 200)).toEqual([]);
  expect(posts().length).toBeLessThan(30);
});
