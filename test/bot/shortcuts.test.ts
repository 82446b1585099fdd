import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {composeAddition, type MessagePayload} from '../../src/bot/slack/shortcuts/shortcuts.js';
import {parseForm} from '../../src/bot/slack/form/form-state.js';
import {namesFromRequest} from '../../src/bot/slack/rich-text/names.js';
import {extractPlainText} from '../../src/bot/slack/shortcuts/message-text.js';
import {admin, channel, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {readInitialText} from '../support/slack-form.js';
import {measureTime} from '../support/stopwatch.js';
import {until} from '../support/until.js';
import {startLateSlack} from './late-services.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

interface ShortcutView {
  readonly callback_id?: string;
  readonly private_metadata: string;
  readonly blocks: {
    readonly type: string;
    readonly block_id?: string;
    readonly text?: {readonly text: string};
    readonly elements?: readonly {readonly value?: string}[];
    readonly element?: {
      readonly type: string;
      readonly initial_value?: unknown;
      readonly options?: {text: {text: string}}[];
    };
  }[];
}

async function opened(
  harness = slack,
  method: 'views.open' | 'views.update' = 'views.open',
): Promise<ShortcutView> {
  await until(() => harness.slack.of(method).length > 0, {what: method});
  return harness.slack.of(method)[0]?.body['view'] as ShortcutView;
}

const input = (view: ShortcutView, id: string) =>
  view.blocks.find(({block_id}) => block_id?.startsWith(id))?.element;

/** A global shortcut has no channel and no address for answers. */
async function post(user = admin, harness = slack): Promise<void> {
  expect(await harness.shortcut('post-standup', {}, {user})).toMatchObject({status: 200, text: ''});
}

async function add(message: object, more: object = {}, user = admin, harness = slack): Promise<void> {
  const reply = await harness.shortcut('add-to-standup', {message, ...more}, {user});
  expect(reply).toMatchObject({status: 200, text: ''});
}

describe('"Post standup"', () => {
  test('shows a person in no team how to begin, in a view', async () => {
    await post({id: 'U_NEW', name: 'new'});
    const view = await opened();
    expect(view.callback_id).toBeUndefined();
    expect(view.blocks[0]?.text?.text).toMatch(/^You’re not in a team yet\. .*\/standup/);
    expect(JSON.stringify(view.blocks)).toContain('"action_id":"open-setup"');
    expect(slack.slack.of('respond')).toEqual([]);
  });

  test('opens the form of the only team, with the first call to Slack', async () => {
    const user = {id: 'U_ONE', name: 'one'};
    await slack.command('to be a member', {user});
    const [mine] = await slack.standups();
    slack.slack.clear();
    await post(user);
    const view = await opened();
    expect(view.callback_id).toBe('standup-form');
    expect(JSON.parse(view.private_metadata)).toMatchObject({team: slack.team, standup: mine?.id});
    expect(slack.slack.calls.map(({method}) => method)).toEqual(['views.open']);
  });

  test('says in the form, before anything is typed, in which channel the standup will be read', async () => {
    const fresh = await startSlack();
    await fresh.command('');
    const view = await opened(fresh);
    const said = JSON.stringify(view.blocks);
    expect(said).toContain(JSON.stringify({type: 'channel', channel_id: channel}));
    expect(said).toContain('and to your workspace’s dashboard.');
    await fresh.close();
  });

  test('opens today’s standup of a member of several teams, and from it a form with a choice of team', async () => {
    const {teams, people} = slack.core.services;
    const made = await teams.createTeam(slack.operator(), {slug: 'mobile', name: 'Mobile'});
    const user = {id: 'U_TWO', name: 'two'};
    await slack.command('to be a member', {user});
    const member = await people.findSlackMember(slack.operator(), user.id);
    await people.joinTeam(slack.operator(), {id: made.id!, slug: 'mobile'}, member!.id);
    slack.slack.clear();
    await post(user);
    const editing = await opened();
    expect(JSON.parse(editing.private_metadata)).toMatchObject({
      standup: expect.stringMatching(/^std_/),
      picks: true,
    });
    const more = editing.blocks.flatMap(({elements = []}) => elements)[0];
    await slack.action(
      {action_id: 'new-update', value: more!.value!},
      {view: {...editing, id: 'V', hash: 'h'}, channel: undefined},
      {user},
    );
    expect(input(await opened(slack, 'views.update'), 'team')?.options?.map(({text}) => text.text)).toEqual([
      'Platform',
      'Mobile',
    ]);
  });

  test('opens at once while the store is slow, and is filled later', async () => {
    const {slow, release} = await startLateSlack();
    const [view, ms] = await measureTime(async () => {
      await post(admin, slow);
      return opened(slow);
    });
    expect(ms).toBeLessThan(1_500);
    expect(view.callback_id).toBeUndefined();
    release();
    const late = await opened(slow, 'views.update');
    expect(late.blocks[0]?.text?.text).toMatch(/^You’re not in a team yet/);
    expect(slow.slack.limitViolations).toEqual([]);
    await slow.close();
  });

  test('sends a direct message with a button when its trigger has expired, and writes to the log if that fails too', async () => {
    const {members} = await slack.api('users.list', {limit: '100'});
    const user = (members as {id: string; name: string}[]).find(({name}) => name === 'ada')!;
    await slack.command('to be a member', {user});
    slack.slack.clear();
    const expired = {kind: 'refused', code: 'expired_trigger_id'} as const;
    slack.slack.failAlways('views.open', expired);
    await post(user);
    await until(() => slack.slack.of('chat.postMessage').length === 1);
    const [message] = slack.slack.of('chat.postMessage');
    expect(JSON.stringify(message?.body)).toContain('"action_id":"open-form"');
    slack.slack.failAlways('chat.postMessage', {kind: 'status', status: 503});
    await post(user);
    const line = await until(() =>
      slack.lines.find(
        ({fields, message: text}) =>
          text === 'could not answer a person in Slack' && fields['code'] === 'no_answer',
      ),
    );
    expect(line.fields['reference']).toEqual(expect.stringMatching(/^[0-9a-f]{8}$/));
  });
});

test('a form that failed to open leaves a button in the error view, and opens in that view', async () => {
  const user = {id: 'U_AGAIN', name: 'again'};
  await slack.command('to be a member', {user});
  slack.slack.clear();
  slack.slack.fail('views.open', {kind: 'status', status: 503});
  await post(user);
  await until(() => slack.slack.of('views.open').length === 2, {what: 'a view that says so'});
  const view = slack.slack.of('views.open')[1]?.body['view'] as ShortcutView;
  const again = view.blocks.flatMap(({elements = []}) => elements).find(({value}) => value !== undefined);
  const within = {...view, id: 'V_AGAIN', hash: 'h', type: 'modal'};
  await slack.action(
    {action_id: 'open-form', value: again!.value!},
    {view: within, channel: undefined, response_url: undefined},
    {user},
  );
  expect((await opened(slack, 'views.update')).callback_id).toBe('standup-form');
});

describe('"Add to my standup"', () => {
  test.each([
    ['a private channel', {id: 'G000000009', name: 'privategroup'}],
    ['a private channel', {id: 'C000000009', name: 'privategroup'}],
    ['a direct message', {id: 'D000000009', name: 'directmessage'}],
    ['a conversation of a few', {id: 'C000000008', name: 'mpdm-ada--grace-1'}],
  ])('says for a message in %s that posting makes it public, and where', async (_, from) => {
    const user = {id: 'U_PRIVATE', name: 'private'};
    await slack.command('to be a member', {user});
    slack.slack.clear();
    await add({text: 'between us', user: admin.id, ts: '1.1'}, {channel: from}, user);
    const said = JSON.stringify((await opened()).blocks);
    expect(said).toContain('The message you are adding is from a private conversation.');
    expect(said).toContain(JSON.stringify({type: 'channel', channel_id: channel}));
  });

  test('does not say that a message in a public channel is private', async () => {
    const user = {id: 'U_PUBLIC', name: 'public'};
    await slack.command('to be a member', {user});
    slack.slack.clear();
    await add({text: 'said to all', user: admin.id, ts: '1.1'}, {}, user);
    expect(JSON.stringify((await opened()).blocks)).not.toContain('private conversation');
  });

  const message = {
    type: 'message',
    ts: '1795301173.000041',
    user: 'U_ADA',
    text: 'Ship &amp; <@U_ME> tell <#C1|general>',
  };

  test('opens the form of the channel’s team for its member, with the text under Today and its source, before other Slack calls', async () => {
    const user = {id: 'U_ME', name: 'me'};
    const {people} = slack.core.services;
    const member = await people.ensureSlackMember(slack.operator(), user.id, {
      name: 'me',
      timezone: null,
      locale: 'en-US',
    });
    await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, member.id);
    await add(message, {}, user);
    const view = await opened();
    expect(readInitialText(input(view, 'today'))).toBe(
      `From #general (https://acme.slack.com/archives/${channel}/p1795301173000041):\nShip & @me tell #general`,
    );
    expect(slack.slack.calls.map(({method}) => method)).toEqual(['views.open']);
  });

  test('regression: names the author, channel and mentioned people as the service knows them, and shows no id', async () => {
    const user = {id: 'U_ASKS', name: 'asks'};
    const {people} = slack.core.services;
    for (const [id, name] of [
      ['UADA', 'Ada Lovelace'],
      ['UALAN', 'Alan Turing'],
    ] as const)
      await people.ensureSlackMember(slack.operator(), id, {name, timezone: null});
    await slack.command('to be a member', {user});
    slack.slack.clear();
    const composed = [
      {type: 'text', text: 'ping '},
      {type: 'user', user_id: 'UALAN'},
      {type: 'text', text: ' and '},
      {type: 'user', user_id: 'UNOBODY'},
    ];
    const blocks = [{type: 'rich_text', elements: [{type: 'rich_text_section', elements: composed}]}];
    await add({...message, user: 'UADA', text: 'ping <@UALAN> and <@UNOBODY>', blocks}, {}, user);
    const update = (await opened()).blocks.map(({element}) => readInitialText(element)).join('');
    expect(update).toMatch(
      /^to be a member\nFrom Ada Lovelace, in #general \(https:\/\/[^)]*\):\nping @Alan Turing and @someone$/,
    );
  });

  test('adds to today’s standup', async () => {
    const user = {id: 'U_POSTED', name: 'posted'};
    await slack.command('post: first thing', {user});
    await add(message, {}, user);
    const view = await opened();
    expect(JSON.parse(view.private_metadata)).toMatchObject({standup: expect.stringMatching(/^std_/)});
    expect(view.blocks.map(({element}) => readInitialText(element)).join('')).toMatch(
      /^first thing\nFrom #general [^]*tell #general$/,
    );
  });

  test('opens the form of the person’s own team in the channel of another team', async () => {
    const {teams, people} = slack.core.services;
    const user = {id: 'U_GUEST', name: 'visiting'};
    await add(message, {}, user);
    expect((await opened()).blocks[0]?.text?.text).toMatch(/^You’re not in a team yet/);
    slack.slack.clear();
    const made = await teams.createTeam(slack.operator(), {slug: 'their-own', name: 'Their own'});
    const member = await people.ensureSlackMember(slack.operator(), user.id, {name: 'x', timezone: null});
    await people.joinTeam(slack.operator(), {id: made.id!, slug: 'their-own'}, member.id);
    await add(message, {}, user);
    const form = parseForm((await opened()).private_metadata);
    expect(form?.state).toEqual({form: 'new', team: made.id, by: 'itself', dates: expect.anything()});
  });

  test('says in a view that a message has no text', async () => {
    await add({type: 'message', ts: '1795301173.000041', text: '', files: [{id: 'F1', name: 'a.png'}]});
    expect((await opened()).blocks[0]?.text?.text).toContain('no text to add');
  });

  test('posts for the person’s only team in a channel without a team', async () => {
    const user = {id: 'U_ELSE', name: 'else'};
    await slack.command('to be a member', {user});
    slack.slack.clear();
    await add(message, {channel: {id: otherChannel, name: 'random'}}, user);
    expect(JSON.parse((await opened()).private_metadata)).toMatchObject({team: slack.team});
  });
});

describe('the text of a message', () => {
  const {texts} = translationFor();
  const names = namesFromRequest(texts, {users: new Map([['U1', 'ada']]), domain: 'acme'});

  test.each<[string, string]>([
    ['<!channel> <!here> <!everyone>', '@channel @here @everyone'],
    ['<@U1> <@U2> <@U3|grace>', '@ada @someone @grace'],
    [
      '<#C1|general> <#C2|> <#C3>',
      '#general https://acme.slack.com/archives/C2 https://acme.slack.com/archives/C3',
    ],
    ['<!subteam^S1|@ops> <!subteam^S1>', '@ops @a-group'],
    ['<https://a.example/?x=1&amp;y=2>', 'https://a.example/?x=1&y=2'],
    [
      '<https://a.example|the page> <https://b.example|https://b.example>',
      'the page (https://a.example) https://b.example',
    ],
    ['<mailto:a@b.example|a@b.example> <tel:+123|+123>', 'a@b.example +123'],
    ['<!date^1392734382^{date}|Feb 18>', 'Feb 18'],
    ['*bold* _it_ ~no~ `x` ```y``` &gt; q', '*bold* _it_ ~no~ `x` ```y``` > q'],
    ['&lt;!channel&gt; &amp;lt;', '<!channel> &lt;'],
    [' spaces\n\n ', 'spaces'],
  ])('%j is read as %j', (text, plain) => {
    expect(extractPlainText({text}, names)).toBe(plain);
  });

  test('is the text of its blocks when the message has no text of its own', () => {
    const blocks = [
      {type: 'header', text: {type: 'plain_text', text: 'Head &amp; more'}},
      {
        type: 'section',
        text: {type: 'mrkdwn', text: '*hi* <@U1>'},
        fields: [{type: 'plain_text', text: 'field'}],
      },
      {type: 'divider'},
      {
        type: 'context',
        elements: [
          {type: 'mrkdwn', text: 'small'},
          {type: 'image', alt_text: 'a cat'},
        ],
      },
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              {type: 'text', text: 'see <this> '},
              {type: 'link', url: 'https://a.example', text: 'page'},
              {type: 'text', text: ' '},
              {type: 'user', user_id: 'U1'},
              {type: 'text', text: ' '},
              {type: 'broadcast', range: 'channel'},
              {type: 'emoji', name: 'tada'},
            ],
          },
          {
            type: 'rich_text_list',
            elements: [
              {type: 'rich_text_section', elements: [{type: 'text', text: 'one'}]},
              {type: 'rich_text_section', elements: [{type: 'text', text: 'two'}]},
            ],
          },
        ],
      },
      'nonsense',
      null,
    ];
    expect(extractPlainText({text: '', blocks}, names)).toBe(
      'Head & more\n*hi* @ada\nfield\nsmall\na cat\nsee <this> page (https://a.example) @ada @channel:tada:\n• one\n• two',
    );
  });

  test('is the text of its attachments when the message has nothing else', () => {
    const attachments = [{fallback: 'Build <https://ci.example|12> failed'}, {text: 'why', fallback: 'no'}];
    expect(extractPlainText({text: '', blocks: [], attachments}, names)).toBe(
      'Build 12 (https://ci.example) failed\nwhy',
    );
  });

  test('is read without an error from a message of any shape', () => {
    for (const blocks of [{}, 'x', [1, {type: 'rich_text', elements: 'x'}], [{type: 'section', text: 7}]]) {
      expect(extractPlainText({blocks, attachments: 5}, names)).toBe('');
    }
  });
});

describe('a text added from a message', () => {
  const payload = (message: object, more: object = {}): MessagePayload => ({
    message: {ts: '1.2', text: 'hello', ...message},
    channel: {id: 'C1'},
    team: {domain: 'acme'},
    user: {id: 'U1', name: 'me'},
    ...more,
  });
  const compose = (message: object, more?: object) =>
    composeAddition(translationFor(), payload(message, more), namesFromRequest(translationFor().texts));
  const link = 'https://acme.slack.com/archives/C1/p12';

  test.each<[string, object, object, string]>([
    ['its author by display name', {user_profile: {display_name: 'Ada'}}, {}, `From Ada (${link}):\nhello`],
    ['the person themselves', {user: 'U1'}, {}, `From me (${link}):\nhello`],
    ['an app', {bot_profile: {name: 'CI'}}, {}, `From CI (${link}):\nhello`],
    ['no known author', {user: 'U9'}, {}, `From ${link}:\nhello`],
    ['a reply', {thread_ts: '1.1'}, {}, `From ${link}?thread_ts=1.1&cid=C1:\nhello`],
    ['no workspace', {user: 'U1'}, {team: null}, 'From me:\nhello'],
    ['a workspace that is no name', {user: 'U9'}, {team: {domain: 'evil.example/'}}, 'hello'],
  ])('names %s', (_, message, more, text) => {
    expect(compose(message, more)).toBe(text);
  });

  test('is cut with a mark that links to the rest, and fits into an input', () => {
    const text = compose({text: '😀'.repeat(20_000)}) ?? '';
    expect(text).toMatch(/😀 … \(shortened, see the link for all of it\)$/u);
    expect(text.length).toBeLessThanOrEqual(3_000);
  });
});
