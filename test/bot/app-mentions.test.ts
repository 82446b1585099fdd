import {afterAll, afterEach, beforeAll, expect, test} from '@jest/globals';
import {admin, channel, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
  for (const {id} of await slack.standups())
    await slack.core.services.standups.deleteStandup(slack.operator(), id);
});

interface ShownAnswer {
  readonly channel: string;
  readonly user?: string;
  readonly text: string;
  readonly blocks: {readonly elements?: {readonly action_id?: string; readonly value?: string}[]}[];
  readonly thread_ts?: string;
}

let messages = 0;
const mention = (text: string, more: Record<string, unknown> = {}) => ({
  type: 'app_mention',
  channel,
  user: admin.id,
  text,
  ts: `${Math.floor(Date.now() / 1_000)}.${String((messages += 1)).padStart(6, '0')}`,
  ...more,
});

/** The only answer to a message, which only its author sees. */
async function answerTo(event: Record<string, unknown>): Promise<ShownAnswer> {
  const before = slack.slack.of('chat.postEphemeral').length;
  await slack.event(event);
  const {body} = await until(() => slack.slack.of('chat.postEphemeral')[before], {what: 'an answer'});
  return body as unknown as ShownAnswer;
}

const buttons = ({blocks}: ShownAnswer) =>
  blocks.flatMap(({elements = []}) => elements).filter(({value}) => value);

test('regression: a message that begins with the bot’s name in a team’s channel is posted, and only its author gets an answer', async () => {
  const shown = await answerTo(mention('<@UBOT> Fixed the importer for &lt;b&gt;', {thread_ts: '1.1'}));
  expect(shown).toMatchObject({channel, user: admin.id, thread_ts: '1.1'});
  expect(shown.text).toContain(`Posted in <#${channel}>`);
  expect(await slack.standups()).toMatchObject([{update: 'Fixed the importer for <b>', team: 'platform'}]);
  expect(slack.slack.of('chat.postMessage')).toEqual([]);
});

test('a mention that Slack sends again makes one standup', async () => {
  const event = mention('<@UBOT|standup>: Fixed the importer');
  await answerTo(event);
  expect((await answerTo(event)).text).toContain('Posted in');
  expect(await slack.standups()).toHaveLength(1);
});

test('a mention in a channel of no team is answered with a question, and pressing its button posts the text', async () => {
  const shown = await answerTo(mention('<@UBOT> Fixed the importer', {channel: otherChannel}));
  expect(shown).toMatchObject({channel: otherChannel, text: expect.stringContaining('Post this to')});
  expect(await slack.standups()).toEqual([]);
  const [post] = buttons(shown);
  await slack.action({action_id: post!.action_id!, value: post!.value!}, {}, {channel: otherChannel});
  expect(await slack.standups()).toMatchObject([{update: 'Fixed the importer'}]);
});

test.each([
  ['<@UBOT>', /^Hi! Once a day I ask your team .* This is the channel of Platform\. To post/],
  ['<@UBOT> hello', /^Hi! Once a day I ask your team .* This is the channel of Platform\. To post/],
  ['<@UBOT> help', /^Hi! Here’s what you can do:/],
  ['<@UBOT> today', /Platform/],
  ['<@UBOT> tody', /^Not posted yet\. Did you mean \/standup today/],
  ['<@UBOT> krank', /^Not posted yet\. Did you mean to post/],
  ['<@UBOT> ooo tomorow', /^Not saved\. Did you mean: tomorrow/],
  ['we use <@UBOT> for our updates of each day', /^Not posted\. To post an update, start/],
  ['<@U000000009> is <@UBOT> down for you, too?', /^Not posted\. To post an update, start/],
])(
  'the mention “%s” posts nothing and is answered like /standup, or with how to begin',
  async (text, answer) => {
    const shown = await answerTo(mention(text));
    expect(shown.text.replaceAll(/[\u2066-\u2069]/g, '')).toMatch(answer);
    expect(await slack.standups()).toEqual([]);
  },
);

test('a mention in a channel of no team is answered with an offer to set up a standup', async () => {
  const shown = await answerTo(mention('<@UBOT> hi!', {channel: otherChannel}));
  expect(shown.text).toMatch(/^Hi! Once a day I ask your team .* There’s no standup in this channel yet\./);
  const elements = shown.blocks.flatMap((block) => block.elements ?? []);
  expect(elements.flatMap(({action_id: id}) => id ?? [])).toEqual(['open-setup', 'run-command']);
});

test.each(['', 'settings', 'edit', 'form'])(
  'the mention “%s” is answered with a button that opens the view',
  async (command) => {
    await answerTo(mention('<@UBOT> Fixed the importer'));
    const shown = await answerTo(mention(`<@UBOT> ${command}`));
    const [goOn] = shown.blocks.flatMap(({elements = []}) => elements).filter(({action_id}) => action_id);
    await slack.action({action_id: goOn!.action_id!, ...(goOn!.value && {value: goOn!.value})});
    await until(() => slack.slack.of('views.open')[0], {what: 'a view'});
  },
);

test('a guest who mentions the bot is refused with the reason, and nothing of theirs is posted', async () => {
  const user = {id: 'U0GUEST', team_id: 'T000000001', is_restricted: true};
  slack.slack.failAlways('users.info', {kind: 'replied', reply: {ok: true, user}});
  slack.slack.failAlways('chat.postEphemeral', {kind: 'replied', reply: {ok: true}});
  const shown = await answerTo(mention('<@UBOT> Fixed the importer', {user: 'U0GUEST'}));
  expect(shown.text).toMatch(/[Gg]uest/);
  expect(await slack.standups()).toEqual([]);
});

test('a mention is answered by direct message where Slack does not show the answer in the channel', async () => {
  slack.slack.fail('chat.postEphemeral', {kind: 'refused', code: 'user_not_in_channel'});
  await slack.event(mention('<@UBOT> Fixed the importer'));
  const {body} = await until(() => slack.slack.of('chat.postMessage')[0], {what: 'a direct message'});
  expect(body).toMatchObject({channel: admin.id, text: expect.stringContaining('Posted in')});
});

test('a mention by a program is ignored', async () => {
  await slack.event(mention('<@UBOT> Fixed the importer', {bot_id: 'B1'}));
  await slack.event(mention('<@UBOT> Fixed the importer', {user: undefined}));
  await answerTo(mention('<@UBOT> help'));
  expect(slack.slack.of('chat.postEphemeral')).toHaveLength(1);
  expect(await slack.standups()).toEqual([]);
});
