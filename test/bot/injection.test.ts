import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';

import {namesFromRequest} from '../../src/bot/slack/rich-text/names.js';
import {convertBlocksToPlainText} from '../../src/bot/slack/rich-text/to-plain-text.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import {type Standup, standupsOfPostResult} from '../../src/domain/standups/standup.js';
import type {Webhook} from '../../src/domain/webhooks/webhook.js';
import {failingLimits} from '../../src/domain/webhooks/webhook-failing.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {deep} from '../support/deep.js';
import type {SlackCall} from '../support/slack-failure-server.js';
import {fillForm, openStandupForm, openFormByButton} from '../support/slack-form.js';
import {
  admin,
  lookingToken,
  otherChannel,
  type BotReply,
  type SlackHarness,
  startSlack,
} from '../support/slack-harness.js';
import {findCallViolations, findShownText} from '../support/slack-inert.js';
import {until} from '../support/until.js';

/** Texts and names of people, as they are stored. */
const basic = [
  '<!channel>',
  '<@U000000001>',
  '<https://evil.example|Payroll>',
  '*bold*',
  '&lt;!channel&gt;',
  'line\nbreak',
  '\u202eright to left <!channel>',
  '<!here>',
  '<!everyone>',
  '<#C000000002>',
  '<!subteam^S1>',
  '<!date^0^{date}|x>',
  'https://evil.example/pay',
  '`code`',
  '> quote',
  ':tada:',
  '@channel',
  '&amp;lt;!channel&amp;gt;',
  'zero\u200bwidth\u2060<!\u200bchannel>',
] as const;

/** For texts that share one code path: one of each kind, and all in `npm run test:deep`. */
const few = deep ? basic : basic.slice(0, 7);

/** More texts: disguised links, all kinds of pings, and markup in code and lists. */
const written: readonly string[] = [
  ...basic,
  '<https://evil.example|https://bank.example>',
  '[https://bank.example](https://evil.example)',
  'https://bank.example@evil.example/',
  'https://bank.example:443@evil.example/',
  'https://bank.example\\@evil.example/',
  'https://bаnk.example/',
  'https://bank.example\u2215login.evil.example/',
  'https://bank.ex\u200bample/',
  'https://evil.example/\u202egpj.knab',
  'https://evil.example/אבג/bank.example',
  'https://bank.example%2eevil.example/',
  'https://bank.example。evil.example/',
  'HTTPS://EVIL.EXAMPLE/PAY',
  'javascript:alert(1)',
  'http://',
  '*https://evil.example*',
  '`https://evil.example @channel`',
  '```<!channel> https://evil.example```',
  '- <!channel>\n  - @here\n    - https://evil.example',
  ':here:',
  ':a::b:::c::',
  ':wave::skin-tone-3: :x_$:',
  '@U000000001',
  '@Stranger',
  '@everyone',
  '@group <!subteam^S1|@admins>',
];

const mark = 'inj7';
/** The text after a mark, by which it is found in payloads. */
const marked = (text: string, i: number) => `${mark}-${i}: ${text}`;

/** Text of a command as Slack sends it: three characters are encoded, once. */
const typed = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The service's own links and channels. */
const ours = {host: 'standup.example.com', channels: /^(?:C000000001|CTEAM\d+)$/};

/** One route of a text to Slack: its source, and the payload that it was sent in. */
interface Passage {
  readonly written: number;
  readonly from: string;
  readonly to: string;
  readonly payload: unknown;
}

let slack: SlackHarness;
const passages: Passage[] = [];

beforeAll(async () => {
  slack = await startSlack();
});
afterAll(async () => {
  if (process.env['PRINT_INJECTION'] !== undefined) print();
  await slack.close();
});

/** Acts with every text, and keeps all payloads that went to Slack because of it. Returns the violations. */
async function pass(
  from: string,
  act: (text: string, i: number) => Promise<BotReply | undefined>,
  then: (texts: readonly string[]) => Promise<void> = showAll,
  texts: readonly string[] = few,
): Promise<string[]> {
  slack.slack.clear();
  const began = passages.length;
  const replies: (BotReply | undefined)[] = [];
  for (const [i, text] of texts.entries()) replies.push(await act(marked(text, i), i));
  await then(texts);
  for (const reply of replies) if (reply?.body !== undefined) keep(from, 'answer', reply.body);
  for (const call of slack.slack.calls) {
    keep(from, wayOf(call), call.body);
  }
  const shown = passages
    .slice(began)
    .flatMap(({written: i, to, payload}) =>
      findShownText(payload, mark, ours).violations.map(
        (violation) => `${JSON.stringify(written[i])} → ${to}: ${violation}`,
      ),
    );
  return [
    ...new Set([...slack.slack.calls.flatMap(findCallViolations), ...slack.slack.limitViolations, ...shown]),
  ];
}

/** Works until each text has been in a message, because a channel gets no more at once than Slack accepts. */
async function showAll(texts: readonly string[]): Promise<void> {
  await until(async () => {
    await slack.work();
    const sent = JSON.stringify(slack.slack.calls.filter(({method}) => method.startsWith('chat.')));
    return texts.every((_, i) => sent.includes(`${mark}-${i}:`));
  });
}

const nothing = async () => {};

function keep(from: string, to: string, payload: unknown): void {
  const found = JSON.stringify(payload).matchAll(/inj7-(\d+)/g);
  for (const i of new Set([...found].map(([, number]) => Number(number))))
    passages.push({written: i, from, to, payload});
}

function wayOf({method, body}: SlackCall): string {
  if (method === 'respond') return 'answer';
  if (method.startsWith('views.')) return method === 'views.publish' ? 'Home' : 'form';
  if (/^[UD]/.test(String(body['channel']))) return 'DM';
  const {event_type: type} = (body['metadata'] ?? {}) as {event_type?: string};
  return type === 'standup_day' ? 'parent' : 'channel message';
}

const standups = () => slack.core.services.standups;
const newDeadline = () => performance.now() + 5_000;

const mentions = (method: string, text: string) =>
  slack.slack.of(method).some(({body}) => JSON.stringify(body).includes(text));

/** Opens the Home of the person who posts, and waits until it shows this text. */
async function openHome(text: string): Promise<void> {
  const opening = {
    type: 'app_home_opened',
    user: admin.id,
    channel: 'D000000001',
    tab: 'home',
    event_ts: '1',
  };
  await slack.event(opening);
  await until(() => mentions('views.publish', text));
}

async function posted(update: string): Promise<Standup> {
  const call = slack.operator();
  const {body} = await standups().postStandup(call, {team: 'platform', update, source: 'api'});
  return standupsOfPostResult(body)[0];
}

describe('the text that people write', () => {
  test('is shown as plain text after a command, and on the Home tab', async () => {
    const violations = await pass('command', async (text, i) => {
      const reply = await slack.command(`post: ${typed(text)}`);
      await openHome(`${mark}-${i}:`);
      return reply;
    });
    expect(violations).toEqual([]);
  });

  test('is shown as plain text when the command is refused', async () => {
    const user = {id: 'U_NOBODY', name: 'nobody'};
    const refused = (text: string) => slack.command(`post: ${typed(text)}`, {channel: otherChannel, user});
    const violations = await pass('refused command', refused, nothing);
    expect(violations).toEqual([]);
  });

  test('is shown as plain text when they add a message to their standup', async () => {
    const add = async (text: string, i: number) => {
      const message = {type: 'message', user: 'U000000002', text, ts: '1.1'};
      await slack.shortcut('add-to-standup', {message});
      // The form may also hold an earlier text; it is enough that this one was opened.
      await until(() => slack.slack.of('views.open').length > i);
      return undefined;
    };
    const violations = await pass('message shortcut', add, nothing, written);
    expect(violations).toEqual([]);
  });

  test('is shown as plain text when they send the bot a message', async () => {
    const {channel: direct} = (await slack.api('conversations.open', {users: admin.id}, lookingToken)) as {
      channel: {id: string};
    };
    const violations = await pass(
      'message',
      async (text, i) => {
        const message = {user: `UTYPED${i}`, text: typed(text), ts: `17.${String(i).padStart(6, '0')}`};
        await slack.event({type: 'message', channel_type: 'im', channel: direct.id, ...message});
        return undefined;
      },
      nothing,
    );
    expect(violations).toEqual([]);
  });

  test('is shown as plain text when they post by form', async () => {
    const violations = await pass('form', async (text, i) => {
      const user = {id: `UFORM${i}`, name: 'Fay'};
      const view = await openStandupForm(slack, {user});
      return slack.submit(fillForm(view, `V${i}`, {today: text, blockers: text}), {user});
    });
    expect(violations).toEqual([]);
  });

  test('is shown as plain text when they post by API', async () => {
    const post = async (text: string) => {
      await posted(text);
      return undefined;
    };
    const violations = await pass('API', post, showAll, written);
    expect(violations).toEqual([]);
  });

  test('is shown as plain text when they edit by API', async () => {
    const made = await Promise.all(few.map((_, i) => posted(`to be changed ${i}`)));
    await slack.work();
    const violations = await pass('edit', async (text, i) => {
      const {author, id} = made[i]!;
      await standups().editStandup({...slack.operator(), principal: author}, id, {update: text});
      return undefined;
    });
    expect(violations).toEqual([]);
  });

  test('is shown as plain text when they edit by form', async () => {
    const violations = await pass('edit form', async (text, i) => {
      await slack.command(`post: ${typed(text)}`);
      const [standup] = await slack.standups();
      const view = await openFormByButton(slack, {mode: 'edit', standup: standup!.id});
      return slack.submit(fillForm(view, `E${i}`, {update: `${text} again`}));
    });
    expect(violations).toEqual([]);
  });

  test('is shown as plain text when it is the name of a person', async () => {
    const violations = await pass('display name', (name, i) =>
      slack.command('post: a word', {user: {id: `UNAME${i}`, name}}),
    );
    expect(violations).toEqual([]);
  });

  test('regression: is shown as plain text when it is the name of a person in a refusal', async () => {
    const {people, blockers} = slack.core.services;
    const stranger = {id: 'U000000009', name: 'stranger'};
    await people.ensureSlackMember(slack.operator(), stranger.id, {name: 'Stranger', timezone: null});
    const team = {id: slack.team, slug: 'platform'};
    const violations = await pass(
      'name in a refusal',
      async (name, i) => {
        const principal = await people.ensureSlackMember(slack.operator(), `UREF${i}`, {
          name,
          timezone: null,
        });
        await people.joinTeam(slack.operator(), team, principal.id);
        const call = {...slack.operator(), principal};
        const {id: blocker} = await blockers.raiseBlocker(call, {team: 'platform', text: 'In the way'});
        const {id: standup} = await standups().postStandup(call, {
          team: 'platform',
          update: 'work',
          source: 'api',
        });
        const press = (action_id: string, value: object) =>
          slack.action({action_id, value: JSON.stringify(value)}, {}, {user: stranger});
        await press('resolve-blocker', {blocker});
        await press('undo-standup', {standup, revision: 1});
        await until(() => slack.slack.of('respond').length === 2 * (i + 1));
        return undefined;
      },
      nothing,
    );
    expect(violations).toEqual([]);
  });

  test('is shown as plain text when it is the name of a team', async () => {
    const violations = await pass(
      'team name',
      async (name, i) => {
        const slack_channel_id = `CTEAM${i}`;
        await slack.core.services.teams.createTeam(slack.operator(), {slug: `t${i}`, name, slack_channel_id});
        await openStandupForm(slack, {channel: slack_channel_id});
        return slack.command('post: a word', {channel: slack_channel_id});
      },
      async () => {
        // In a channel without a team, the form offers all teams, and the Home shows them all.
        await openStandupForm(slack, {channel: otherChannel});
        await openHome(`${mark}-0:`);
      },
    );
    expect(violations).toEqual([]);
  });

  test('is shown as plain text when it is the description of a webhook in a notice', async () => {
    const {members} = (await slack.api('users.list', {})) as {members: {id: string; name: string}[]};
    const ada = members.find(({name}) => name === 'ada')!.id;
    const owner = {name: 'Ada', role: 'owner', slack_user_id: ada} as const;
    await slack.core.services.members.createMember(slack.operator(), owner);
    const {webhooks, webhookFailures} = slack.core.services;
    const violations = await pass(
      'webhook',
      async (description) => {
        const input = {url: 'http://127.0.0.1:4000/in', events: ['standup.*'], description};
        const made = JSON.parse(
          (await webhooks.createWebhook(slack.operator(), input)).body ?? '',
        ) as Webhook;
        const since = String(slack.core.store.clock.now() - failingLimits.warn.ms);
        const key = workspaceKeys(slack.workspace).webhookState(suffixOf(made.id));
        const state = ['failing', since, 'failed', String(failingLimits.warn.attempts)];
        await slack.core.store.connection.call(newDeadline(), ['HSET', key, ...state]);
        await webhookFailures.judgeWebhook(slack.operator(), suffixOf(made.id));
        // A workspace has room for fewer webhooks than there are texts. The notice keeps the name of the
        // revision that failed.
        await webhooks.deleteWebhook(slack.operator(), made.id);
        return undefined;
      },
      async () => {
        while ((await slack.read()).more);
        while ((await slack.postSlice({channel: ada})).more);
      },
    );
    expect(violations).toEqual([]);
  });
});

describe('the collected payloads', () => {
  const shown = () =>
    passages.map((passage) => ({...passage, ...findShownText(passage.payload, mark, ours)}));

  test('include each text, by each way from a person to Slack', () => {
    const seen = new Set(
      shown()
        .filter(({blocks, text}) => blocks.length > 0 || text !== undefined)
        .map(({written: i, from, to}) => `${i} ${from} → ${to}`),
    );
    const textsOf = (way: string) => (/^(?:API|message shortcut) /.test(way) ? written : few);
    const expected = ways.flatMap((way) => textsOf(way).map((_, i) => `${i} ${way}`));
    expect(expected.filter((way) => !seen.has(way))).toEqual([]);
  });

  test('contain every character of each text, in blocks', () => {
    const names = namesFromRequest(translationFor().texts);
    const unlisted = (text: string) => text.replaceAll(/^ *[-•] /gm, '');
    const whole = (i: number, payload: unknown) =>
      unlisted(convertBlocksToPlainText((payload as {blocks: unknown}).blocks, names)).includes(
        unlisted(marked(written[i]!, i)),
      );
    const wrong = passages.filter(
      ({written: i, from, to, payload}) => from === 'API' && to === 'channel message' && !whole(i, payload),
    );
    expect(wrong.map(({written: i}) => written[i])).toEqual([]);
  });
});

/** Routes on which every text must be seen. */
const ways = [
  ...['command', 'form', 'API', 'edit', 'edit form', 'display name'].map(
    (from) => `${from} → channel message`,
  ),
  'command → answer',
  'refused command → answer',
  'name in a refusal → answer',
  'command → Home',
  'message shortcut → form',
  'team name → Home',
  'edit form → form',
  'team name → answer',
  'team name → form',
  'webhook → DM',
  'message → DM',
];

/** Prints the table: one row for each text and route, with the sent text. */
function print(): void {
  const unseen = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/g;
  const spell = (char: string) => `\\u${char.charCodeAt(0).toString(16)}`;
  const cell = (text: string) =>
    `\`${JSON.stringify(text).slice(1, -1).replaceAll('|', '\\|').replaceAll('`', 'ˋ').replaceAll(unseen, spell)}\``;
  const rows = new Set<string>();
  for (const {written: i, from, to, payload} of passages) {
    const {text, blocks, violations} = findShownText(payload, `${mark}-${i}:`, ours);
    if (text === undefined && blocks.length === 0) continue;
    const said = text?.slice(text.indexOf(`${mark}-${i}:`) + mark.length + String(i).length + 3);
    const holders = [...new Set(blocks.map((held) => held.slice(0, held.indexOf(':'))))].join(', ');
    const verdict = violations.length === 0 ? 'inert' : violations.join(', ');
    rows.add(
      `| ${[cell(written[i]!), from, to, said === undefined ? '' : cell(said.slice(0, 60)), holders, verdict].join(' | ')} |`,
    );
  }
  const head = '| written | way in | way out | in `text` | in blocks | |\n|---|---|---|---|---|---|\n';
  process.stdout.write(`\n${head}${[...rows].join('\n')}\n\n`);
}
