import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {drawnPart} from '../../src/domain/ids.js';
import type {Standup} from '../../src/domain/standup.js';
import type {Webhook} from '../../src/domain/webhook.js';
import {failingLimits} from '../../src/domain/webhook-failing.js';
import {workspaceKeys} from '../../src/store/keys.js';
import type {SlackCall} from '../support/slack-fault-server.js';
import {filled, opened, openedBy} from '../support/slack-form.js';
import {channel, type Reply, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {callFaults, showingOf} from '../support/slack-inert.js';

/** What people may write or be called, as it is stored. */
const written = [
  '<!channel>',
  '<!here>',
  '<!everyone>',
  '<@U000000001>',
  '<#C000000001>',
  '<!subteam^S1>',
  '<!date^0^{date}|x>',
  '<https://evil.example|Payroll>',
  'https://evil.example/pay',
  'mailto:pay@evil.example',
  '*bold*',
  '`code`',
  '```\nblock\n```',
  '> quote',
  ':tada:',
  '@channel',
  '&lt;!channel&gt;',
  '&amp;lt;!channel&amp;gt;',
  'line\nbreak',
  'zero\u200bwidth\u2060<!\u200bchannel>',
  '\u202eright to left <!channel>',
] as const;

const mark = 'inj7';
/** Beside the mark, so that what is shown of it can be found. */
const marked = (text: string) => `${mark} ${text}`;

/** As Slack sends what a person typed into a command: three characters encoded, once. */
const typed = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One way of a text to Slack: where it came in, and the payload it went out with. */
interface Passage {
  readonly written: string;
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

/** Does something with a text and keeps all that went to Slack because of it. */
async function pass(text: string, from: string, act: () => Promise<readonly Reply[]>): Promise<void> {
  slack.slack.clear();
  const replies = await act();
  await slack.work();
  for (const {body} of replies)
    if (body !== undefined) passages.push({written: text, from, to: 'answer', payload: body});
  for (const call of slack.slack.calls) {
    passages.push({written: text, from, to: wayOf(call), payload: call.body});
    expect(callFaults(call)).toEqual([]);
  }
  expect(slack.slack.limitFaults).toEqual([]);
}

function wayOf({method, body}: SlackCall): string {
  if (method === 'respond') return 'answer';
  if (method.startsWith('views.')) return method === 'views.publish' ? 'Home' : 'form';
  if (method === 'chat.postMessage' || method === 'chat.update') {
    if (String(body['channel']).startsWith('U') || String(body['channel']).startsWith('D')) return 'DM';
    return String(body['metadata'] && (body['metadata'] as {event_type: string}).event_type) === 'standup_day'
      ? 'parent'
      : 'channel message';
  }
  return method;
}

const standups = () => slack.core.services.standups;
const latest = async () => (await slack.standups())[0] as Standup;
const inNameOf = (standup: Standup) => ({...slack.operator(), principal: standup.author});

/** Each way in, by its name; it gives the answers that were got on it. */
const waysIn: Readonly<Record<string, (text: string, index: number) => Promise<Reply[]>>> = {
  command: async (text) => [await slack.command(typed(text))],
  'command, unencoded': async (text) => [await slack.command(text.replaceAll('&', '&amp;'))],
  form: async (text, i) => {
    const view = await opened(slack, {user: {id: `UFORM${i}`, name: 'Fay'}});
    return [await slack.submit(filled(view, `V${i}`, {today: text, blockers: text}))];
  },
  API: async (text) => {
    await standups().postStandup(slack.operator(), {team: 'platform', update: text, source: 'api'});
    return [];
  },
  edit: async (text) => {
    await slack.command('to be changed');
    const standup = await latest();
    await slack.work();
    await standups().editStandup(inNameOf(standup), standup.id, {update: text});
    return [];
  },
  'edit form': async (text, i) => {
    await slack.command(typed(text));
    const view = await openedBy(slack, {mode: 'edit', standup: (await latest()).id});
    return [await slack.submit(filled(view, `E${i}`, {}))];
  },
  refusal: async (text) => {
    const user = {id: 'U_NOBODY', name: 'nobody'};
    return [await slack.command(typed(text), {channel: 'C000000002', user})];
  },
};

describe.each(written)('what says %j', (text) => {
  const i = written.indexOf(text);

  test.each(Object.keys(waysIn))('by way of: %s', async (from) => {
    await pass(text, from, () => waysIn[from]!(marked(text), i));
  });

  test('as the name of a person', async () => {
    const user = {id: `UNAME${i}`, name: marked(text)};
    await pass(text, 'display name', async () => [await slack.command('a word', {user})]);
  });

  test('as the name of a team', async () => {
    await slack.core.services.teams.changeTeam(slack.operator(), 'platform', {name: marked(text)});
    await pass(text, 'team name', async () => {
      await opened(slack, {user: {id: `UTEAM${i}`, name: 'Tim'}});
      return [await slack.command('a word')];
    });
    await slack.core.services.teams.changeTeam(slack.operator(), 'platform', {name: 'Platform'});
  });

  test('as what a webhook is described by, in a notice', async () => {
    const {members} = (await slack.api('users.list', {})) as {members: {id: string; name: string}[]};
    const ada = members.find(({name}) => name === 'ada')!.id;
    if (i === 0) {
      const owner = {name: 'Ada', role: 'owner', slack_user_id: ada} as const;
      await slack.core.services.members.createMember(slack.operator(), owner);
    }
    const input = {url: 'http://127.0.0.1:4000/in', events: ['standup.*'], description: marked(text)};
    const made = await slack.core.services.webhooks.createWebhook(slack.operator(), input);
    const webhook = JSON.parse(made.body ?? '') as Webhook;
    const {ms, attempts} = failingLimits.warn;
    const key = workspaceKeys(slack.workspace).webhookState(drawnPart(webhook.id));
    const since = String(slack.core.store.clock.now() - ms);
    const state = ['failing', since, 'failed', String(attempts)];
    await slack.core.store.connection.call(performance.now() + 2_000, ['HSET', key, ...state]);
    await slack.core.services.webhooks.judgeWebhook(slack.operator(), drawnPart(webhook.id));
    await pass(text, 'webhook', async () => {
      while ((await slack.read()).more);
      while ((await slack.turn({channel: ada})).more);
      return [];
    });
    await slack.core.services.webhooks.deleteWebhook(slack.operator(), webhook.id);
  });
});

describe('all that was sent', () => {
  const showings = () =>
    passages.map((passage) => ({...passage, ...showingOf(passage.payload, mark, 'standup.example.com')}));

  test('shows what was written and does nothing else with it', () => {
    const faults = showings().flatMap(({faults: found, from, to, written: text}) =>
      found.map((fault) => `${JSON.stringify(text)}, ${from} → ${to}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  test('shows each text by every way', () => {
    const shown = new Set(
      showings()
        .filter(({blocks}) => blocks.length > 0)
        .map(
          ({written: text, from, to}) =>
            `${written.indexOf(text as (typeof written)[number])} ${from} → ${to}`,
        ),
    );
    const ways = [
      ...Object.keys(waysIn).map((from) => `${from} → ${outOf[from] ?? 'channel message'}`),
      ...others,
    ];
    const expected = written.flatMap((_, i) => ways.map((way) => `${i} ${way}`));
    expect(expected.filter((way) => !shown.has(way))).toEqual([]);
  });

  test('is what was written, in blocks, once it is put together', async () => {
    const wrong = showings().filter(
      ({written: text, from, to, blocks}) =>
        from === 'API' && to === 'channel message' && !blocks.some((held) => held.endsWith(marked(text))),
    );
    expect(wrong.map(({written: text}) => text)).toEqual([]);
    expect(channel).toBe('C000000001');
  });
});

/** Where what came in by a way is surely seen. */
const outOf: Readonly<Record<string, string>> = {'edit form': 'form', refusal: 'answer'};
const others = [
  'command → answer',
  'display name → channel message',
  'team name → answer',
  'team name → form',
  'webhook → DM',
];

/** The table, for people: one row for each text and way, with what was sent. */
function print(): void {
  const cell = (text: string) =>
    `\`${JSON.stringify(text).slice(1, -1).replaceAll('|', '\\|').replaceAll('`', 'ˋ').replaceAll('\u202e', '\\u202e').replaceAll('\u200b', '\\u200b').replaceAll('\u2060', '\\u2060')}\``;
  const rows = new Set<string>();
  for (const {written: text, from, to, payload} of passages) {
    const {text: said, blocks, faults} = showingOf(payload, mark, 'standup.example.com');
    if (said === undefined && blocks.length === 0) continue;
    const inText =
      said === undefined ? '' : cell(said.slice(said.indexOf(mark) + mark.length + 1).slice(0, 60));
    const holders = [...new Set(blocks.map((held) => held.slice(0, held.indexOf(':'))))].join(', ');
    rows.add(
      `| ${cell(text)} | ${from} | ${to} | ${inText} | ${holders} | ${faults.length === 0 ? 'inert' : faults.join(', ')} |`,
    );
  }
  const head = '| written | way in | way out | in `text` | in blocks | |\n|---|---|---|---|---|---|\n';
  process.stdout.write(`\n${head}${[...rows].join('\n')}\n\n`);
}
