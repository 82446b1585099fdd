import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {Person} from '../api/people.js';
import {makeLink, ownPage, passOf} from '../dashboard/test-browser.js';
import {deep} from '../support/deep.js';
import {expectEventually} from '../support/expect-eventually.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {testRedisUrl} from '../support/redis-server.js';
import {type Json, sendRequest} from '../support/service.js';
import {admin, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {openDashboard, type BrowserStage, untilQuiet, type Tab} from './support/stage.js';
import {asId} from '../support/ids.js';

const more = [
  '</textarea><script>hurt()</script>',
  '<base href=//example.com/>',
  '<meta http-equiv=refresh content=0;url=//example.com/>',
  '<math><mtext><img src=x onerror=hurt()></mtext></math>',
  '{{constructor.constructor("hurt()")()}}',
  '${hurt()}',
  '__proto__',
  'abc\u202Etxt.exe',
  'a\u200Bb\u2066c\uFEFFd',
  '@SUM(1+1)*cmd',
  'Donaudampfschifffahrtsgesellschaft'.repeat(4),
  'https://example.com/"onmouseover="hurt()',
];
/** One payload of each kind; `npm run test:deep` uses all. */
const payloads = [
  '<script>hurt()</script>',
  '<img src=x onerror=hurt()>',
  '<svg onload=hurt()>',
  '<iframe srcdoc="<script>parent.hurt()</script>"></iframe>',
  '<a href="javascript:hurt()">here</a>',
  'javascript:hurt()',
  '"><script>hurt()</script>',
  '</style><style>*{display:none}</style>',
  "=cmd|' /C calc'!A0",
  '&lt;script&gt;hurt()&lt;/script&gt;',
  ...(deep ? more : []),
];

let stage: BrowserStage;
/** Only in deep runs. */
let slack: SlackHarness | undefined;
let owner: Person;
let receiver: Receiver;
/** A delivery whose receiver answered with an error and hostile text. */
let refused: Json;
let tab: Tab;
let people: readonly Person[];

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  if (deep) {
    slack = await startSlack({redisUrl, strangers: 0});
    // Now, since there must be only one workspace.
    for (const payload of payloads.slice(0, 2)) await slack.command(escaped(payload));
  }
  stage = await openDashboard({}, {redisUrl});
  const {workspace} = stage;
  owner = await stage.addPerson({name: payloads[1] as string, team: 'platform', role: 'owner'});
  await ask('PATCH', '/v1/teams/platform', {name: `${payloads[0]} ${payloads[2]}`});
  people = await Promise.all(payloads.map((name) => stage.addPerson({name, team: 'platform'})));
  const from = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await Promise.all(
    payloads.map(async (payload, i) => {
      const token = people[i]?.token;
      if (i % 2 === 0) await ask('POST', '/v1/standups', {team: 'platform', update: payload}, token);
      await ask('POST', '/v1/blockers', {team: 'platform', text: payload}, token);
      const reason = payload.slice(0, 100);
      await ask('POST', '/v1/absences', {member: 'me', from, until: from, reason}, token);
    }),
  );
  const questions = payloads
    .slice(0, 8)
    .map((label, i) => ({key: `q${i}`, label, required: false, type: 'text'}));
  await ask('PATCH', '/v1/teams/platform', {questions});
  await Promise.all(
    payloads.map(async (payload, i) => {
      if (i % 2 === 0) return;
      const answers = questions.slice(0, 2).map(({key}) => ({question: key, value: payload}));
      await ask('POST', '/v1/standups', {team: 'platform', answers}, people[i]?.token);
    }),
  );
  const days = payloads.slice(0, 5).flatMap((summary, i) => {
    const date = new Date(Date.now() + i * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    return [
      'BEGIN:VEVENT',
      `DTSTART;VALUE=DATE:${date}`,
      `SUMMARY:${summary.replaceAll(';', '\\;')}`,
      'END:VEVENT',
    ];
  });
  const ics = ['BEGIN:VCALENDAR', ...days, 'END:VCALENDAR'].join('\r\n');
  await ask('POST', '/v1/holiday-calendars', {name: payloads[6], ics});
  await ask('PATCH', '/v1/workspace', {name: payloads[0]});
  receiver = await startReceiver();
  const said = {
    'content-type': 'text/html',
    'x-hurt': payloads[1] as string,
    link: '</app/x>; rel="stylesheet"',
  };
  receiver.respondWith({status: 410, headers: said, body: payloads.join('\n')});
  const webhook = await ask('POST', '/v1/webhooks', {
    url: `${receiver.url}/a"onmouseover="hurt()?b="><script>hurt()</script>`,
    description: payloads[2],
    events: ['webhook.*'],
    headers: {'x-constructor': payloads[4]},
  });
  await ask('POST', `/v1/webhooks/${webhook.id}/test`);
  await Promise.all(
    payloads.slice(0, 4).map(async (name) => {
      await ask('POST', '/v1/tokens', {name, service_account: `${name} bot`, scopes: ['standups:read']});
    }),
  );
  await until(
    async () => {
      [refused] = await list(`/v1/webhooks/${webhook.id}/deliveries`);
      return refused?.attempts > 0;
    },
    {what: 'it is refused'},
  );
  const headers = {...ownPage, 'user-agent': `Mozilla/5.0 ${payloads[0]} Firefox/1`};
  const link = passOf(await makeLink(workspace, owner.id));
  await sendRequest(stage.service.url, 'POST', '/app/session', {headers, body: {link}});
  tab = await stage.signIn(owner, {path: '/t/platform'});
  await tab.context.exposeFunction('hurt', () => void tab.misdeeds.violations.push('a text was run'));
  tab.page.on('dialog', (dialog) => {
    tab.misdeeds.violations.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}, 60_000);

afterAll(async () => {
  await stage.close();
  await slack?.close();
  await receiver.close();
});

async function ask(method: string, path: string, body?: Json, token = owner.token): Promise<Json> {
  const answer = await stage.workspace.request(method, path, {token, ...(body && {body})});
  if (answer.status >= 300) throw new Error(`${answer.request} ${answer.status} ${answer.text}`);
  return answer.body;
}

const list = async (path: string): Promise<Json[]> => (await ask('GET', path)).data;
/** The texts of a standup that pages show: its answers, or else its update. */
const textOf = ({update, answers}: Json): string[] =>
  answers === undefined || answers.length === 0 ? [update] : answers.map(({value}: Json) => value);
/** Escapes typed text as Slack does. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const collapse = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

type Screen = readonly [string, () => string, () => Promise<string[]>];

/** Screens that also process texts, and the stored texts that they show. */
const screens: readonly Screen[] = [
  [
    'Today: names, updates, answers',
    () => '/t/platform',
    async () => {
      const {people: all} = await ask('GET', '/v1/teams/platform/days/today');
      return all.flatMap(({member, standups}: Json) => [member.name, ...(standups ?? []).flatMap(textOf)]);
    },
  ],
  [
    'Write: labels of questions',
    () => '/t/platform?write=platform',
    async () => (await ask('GET', '/v1/teams/platform')).questions.map(({label}: Json) => label),
  ],
  [
    'History: names and texts',
    () => '/history',
    async () => (await list('/v1/standups?limit=10')).flatMap((one) => [one.author.name, ...textOf(one)]),
  ],
  [
    'Blockers: texts and names',
    () => '/blockers',
    async () => (await list('/v1/blockers?limit=10')).flatMap(({text, author}) => [text, author.name]),
  ],
  [
    'Calendar: names and holidays',
    () => '/calendar',
    async () => [
      payloads[6] as string,
      ...(await list('/v1/absences?limit=100')).flatMap(({reason, member}) => [reason, member.name]),
    ],
  ],
  ['Webhooks: addresses and notes', () => '/webhooks', async () => [payloads[2] as string]],
  [
    'a delivery: what its receiver answered',
    () => `/webhooks/${refused.webhook_id}?delivery=${refused.id}`,
    async () => [payloads[1] as string, payloads[3] as string, payloads[9] as string],
  ],
  ['an event: its words', () => `/events?event=${refused.event_id}`, async () => [payloads[2] as string]],
];
/** The other screens, for deep runs. Add each new screen here. */
const others: readonly Screen[] = [
  ['a person: name and text', () => `/people/${people[0]?.id}`, async () => [payloads[0] as string]],
  ['Insights', () => '/insights', async () => [payloads[0] as string]],
  ['Insights of a team', () => '/t/platform/insights', async () => [payloads[0] as string]],
  [
    'Team: questions and people',
    () => '/t/platform/settings?section=questions',
    async () => payloads.slice(0, 8),
  ],
  ['People: names', () => '/people', async () => (await list('/v1/members?limit=10')).map(({name}) => name)],
  [
    'Tokens: names of tokens and service accounts',
    () => '/tokens',
    async () => payloads.slice(0, 4).flatMap((payload) => [payload, `${payload} bot`]),
  ],
  ['Events: names', () => '/events', async () => [payloads[0] as string]],
  ['Workspace: its name', () => '/workspace', async () => [payloads[0] as string]],
  ['Sessions: browsers', () => '/sessions', async () => ['Firefox']],
];

/** Elements that a text has injected into the page; must be empty. */
const grown = `[...document.querySelectorAll('img, iframe, math, base, meta[http-equiv], script:not([src^="/app/"]), [onload], [onerror], [onmouseover]')]
  .concat([...document.querySelectorAll('a[href]')].filter((one) => !/^https?:$/.test(one.protocol)))
  .map((one) => one.outerHTML)`;

const textOfPage =
  "document.body.textContent + ' ' + document.title + ' ' + [...document.querySelectorAll('input, textarea')].map(({value}) => value).join(' ')";

async function expectTexts(seen: Tab, texts: readonly string[]): Promise<void> {
  expect(texts.length).toBeGreaterThan(0);
  await expectEventually(async () => {
    const said = collapse(await seen.page.evaluate<string>(textOfPage));
    return texts.filter((text) => !said.includes(collapse(text)));
  }).toEqual([]);
  expect(await seen.page.evaluate(grown)).toEqual([]);
  expect(seen.misdeeds.violations).toEqual([]);
}

/** Navigates without loading the page again, as a link does. */
async function navigateTo(path: string): Promise<void> {
  await tab.page.evaluate(`history.pushState(null, '', '/app${path}')`);
  await untilQuiet(tab);
}

describe('stored texts', () => {
  it.each(deep ? [...screens, ...others] : screens)(
    'are shown as plain text on %s',
    async (_, path, texts) => {
      await navigateTo(path());
      await expectTexts(tab, await texts());
    },
  );

  it('search results mark the searched words as plain text, whatever people wrote', async () => {
    await navigateTo('/history?q=HURT');
    const found = await list('/v1/standups?q=hurt');
    await expectTexts(tab, found.flatMap(textOf));
    const marked = await tab.page.locator('mark').allInnerTexts();
    expect(marked.length).toBeGreaterThanOrEqual(found.length);
    expect(new Set(marked)).toEqual(new Set(['hurt']));
  });

  it('hostile texts do nothing in the window title of the page', async () => {
    await tab.go('/t/platform');
    await expectEventually(() => tab.page.title()).toContain(payloads[0]);
    await expectInnocent(tab);
  });

  it('hostile texts are never formulas in a CSV export', async () => {
    const {text} = await stage.workspace.request('GET', '/v1/export?format=csv', {token: owner.token});
    expect(text).toContain('<img src=x onerror=hurt()>');
    expect(text).not.toMatch(/(^|,|\n)"?[=+@-]/);
  });

  it('hostile texts in Markdown do nothing, and link nowhere, while formatting is shown', async () => {
    const links = ['[x](javascript:hurt())', '![x](https://evil.example/x.png)', '<https://evil.example>'];
    const update = [
      '**bold** [safe](https://a.example/1)',
      ...payloads,
      ...links,
      ...payloads.map((payload) => `- **${payload}**`),
    ].join('\n');
    const standup = await ask('POST', '/v1/standups', {team: 'platform', update, format: 'markdown'});
    await tab.go('/t/platform');
    await expectEventually(() => tab.page.locator('article strong').allInnerTexts()).toContain('bold');
    await expectTexts(tab, [...links.slice(0, 2), payloads[0] as string]);
    const hrefs = await tab.page.evaluate<string[]>(
      "[...document.querySelectorAll('article a[target]')].map(({href}) => href)",
    );
    expect(hrefs).toContain('https://a.example/1');
    expect(hrefs.filter((href) => !href.startsWith('https://'))).toEqual([]);
    await ask('DELETE', `/v1/standups/${standup.id}`);
  });

  if (deep) {
    it('hostile texts from Slack do nothing on the board', async () => {
      const {standups, operator} = slack as SlackHarness;
      const [standup] = await standups();
      const there = {core: stage.service.core, operator};
      const seen = await stage.signIn({id: asId(standup?.author.id ?? '')}, {path: '/t/platform'}, there);
      await expectTexts(seen, [admin.name, ...(await standups()).map(({update}) => update)]);
      await seen.close();
    });
  }
});
