import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {readFileSync} from 'node:fs';
import {addPerson, type Person} from '../api/people.js';
import {routes} from '../api/samples.js';
import {isReadOnly} from '../../src/api/http/route.js';
import {testRedisUrl} from '../support/redis-server.js';
import {type Receiver, startReceiver} from '../support/receiver.js';
import {planClosing, seedRun} from '../support/seed-runs.js';
import {sendRequest, startService, type TestService, type TestWorkspace} from '../support/service.js';
import {fillForm} from '../support/slack-form.js';
import {
  admin as author,
  channel,
  otherChannel,
  type SlackHarness,
  startSlack,
} from '../support/slack-harness.js';
import {until} from '../support/until.js';
import {audiences, type Audience, type ReachRow, table, tableLines} from './audience-table.js';

type CaseName = keyof typeof table;

let slack: SlackHarness;
let service: TestService;
let receiver: Receiver;
/** The hints that authors got, by row of the table; and all that each audience can read. */
const hints = new Map<CaseName, string>();
let read: Record<Audience, string>;

/** A word that occurs in no other text. */
const mark = (name: CaseName) => `zebra${name.toLowerCase()}end`;
const updateOf = (name: CaseName) => `Fixed the parser of ${mark(name)}`;

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  slack = await startSlack({redisUrl});
  service = await startService({redisUrl});
  receiver = await startReceiver();
  await playAll();
});
afterAll(async () => {
  await service.close();
  await slack.close();
  await receiver.close();
});

const answerTo = async (before: number) =>
  String((await until(() => slack.slack.of('respond')[before], {what: 'an answer'})).body['text']);
const named = (text: string) => text.replaceAll(`<#${channel}>`, '#platform').replaceAll(otherChannel, '');

/** The button with this label. */
function buttonOf(blocks: unknown, label: string): {action_id: string; value?: string} {
  const all = (blocks as {elements?: {action_id?: string; text?: {text?: string}}[]}[]).flatMap(
    ({elements = []}) => elements,
  );
  const found = all.find(({text}) => text?.text === label);
  if (found?.action_id === undefined) throw new Error(`nothing says ${label}`);
  return found as {action_id: string; value?: string};
}

/** The time zone in which it is about noon, so that no day ends during the test. */
function findNoonZone(): string {
  const ahead = 12 - new Date().getUTCHours();
  // The signs of these names are reversed: Etc/GMT-3 is three hours ahead of UTC.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

async function playAll(): Promise<void> {
  const timezone = findNoonZone();
  const {services} = slack.core;
  const {members, teams, teamMembers} = services;
  const workspace = {
    id: slack.workspace,
    team: slack.team,
    operator: () => slack.operator(),
  } as unknown as TestWorkspace;
  const person = (given: Parameters<typeof addPerson>[2]) => addPerson(slack, workspace, given);
  await teams.changeTeam(slack.operator(), 'platform', {timezone});
  await teams.createTeam(slack.operator(), {slug: 'mobile', name: 'Mobile', timezone});
  const opened = await teams.createTeam(slack.operator(), {
    slug: 'open',
    name: 'Open',
    timezone,
    slack_channel_id: otherChannel,
    absence_reasons: 'team',
  });
  const people = {
    mate: await person({name: 'Mate', team: 'platform'}),
    lead: await person({name: 'Lead', team: 'platform', as: 'lead'}),
    admin: await person({name: 'Root', role: 'admin'}),
    other: await person({name: 'Other', team: 'mobile', as: 'lead'}),
  };
  await teamMembers.setTeamMember(slack.operator(), 'open', people.mate.id, 'member');
  await teamMembers.setTeamMember(slack.operator(), 'open', people.lead.id, 'lead');
  const apiAuthor = await person({name: 'Api', team: 'platform'});
  const apiAway = await person({name: 'Gone', team: 'platform'});
  const inSlack = async (id: string, name: string, team: string) => {
    const {id: member = ''} = await members.createMember(slack.operator(), {name, slack_user_id: id});
    await teamMembers.setTeamMember(slack.operator(), team, member, 'member');
    return {id, name, member};
  };
  const away = await inSlack('U0AWAY', 'Away', 'platform');
  const skips = await inSlack('U0SKIPS', 'Skips', 'platform');
  const says = await inSlack('U0SAYS', 'Says', 'platform');
  const open = await inSlack('U0OPEN', 'Frank', 'open');
  const typist = await inSlack('U0TYPES', 'Types', 'platform');
  const adder = await inSlack('U0ADDS', 'Adds', 'platform');
  const hook = await sendRequest(service.url, 'POST', '/v1/webhooks', {
    token: people.admin.token,
    body: {url: receiver.url, events: ['*']},
  });
  expect(hook.status).toBe(201);

  const date = new Intl.DateTimeFormat('en-CA', {timeZone: timezone}).format();
  const closes_at = new Date(Date.now() + 3_600_000).toISOString();
  const participants = (...ids: string[]) => ids.map((id) => ({member: id as Person['id'], timezone: null}));
  const runs = [
    await seedRun(slack, workspace, {
      date,
      timezone,
      closes_at,
      participants: participants(apiAuthor.id, apiAway.id, away.member, skips.member, says.member),
    }),
    await seedRun(slack, workspace, {
      date,
      timezone,
      closes_at,
      team: 'open',
      team_id: opened.id!,
      participants: participants(open.member),
    }),
  ];

  // Texts of the command, in each channel.
  hints.set('command', (await slack.command(updateOf('command'))).body.text);
  const channels = {elsewhere: 'C000000003', privately: 'G000000009', directly: 'D000000009'} as const;
  for (const [name, from] of Object.entries(channels) as [keyof typeof channels, string][]) {
    const asked = await slack.command(updateOf(name), {channel: from});
    hints.set(name, asked.body.text);
    if (name === 'directly') continue;
    const yes = await slack.command(updateOf(`${name}Yes`), {channel: from});
    const before = slack.slack.of('respond').length;
    await slack.action(buttonOf(yes.body.blocks, 'Post to Platform'), {}, {channel: from});
    hints.set(`${name}Yes`, await answerTo(before));
  }

  // Mentions of the bot, which only their author can read again.
  slack.slack.failAlways('chat.postEphemeral', {kind: 'replied', reply: {ok: true}});
  const mention = async (name: CaseName, from: string, text: string) => {
    const before = slack.slack.of('chat.postEphemeral').length;
    const ts = `${Math.floor(Date.now() / 1_000)}.9${String(before).padStart(5, '0')}`;
    const user = says.id;
    await slack.event({type: 'app_mention', channel: from, user, text: `<@UBOT> ${text}`, ts});
    const {body} = await until(() => slack.slack.of('chat.postEphemeral')[before], {what: 'an answer'});
    expect(body).toMatchObject({channel: from, user});
    hints.set(name, String(body['text']));
    return typeof body['blocks'] === 'string' ? (JSON.parse(body['blocks']) as unknown) : body['blocks'];
  };
  await mention('mention', channel, updateOf('mention'));
  await mention('mentionElsewhere', 'C000000003', updateOf('mentionElsewhere'));
  const offered = await mention('mentionElsewhereYes', 'C000000003', updateOf('mentionElsewhereYes'));
  const answered = slack.slack.of('respond').length;
  await slack.action(buttonOf(offered, 'Post to Platform'), {}, {user: says, channel: 'C000000003'});
  hints.set('mentionElsewhereYes', await answerTo(answered));

  // The form, also when it is opened from a message.
  const form = await viewOf(() => slack.command('', {user: {id: 'U0FORM', name: 'form'}}));
  hints.set('form', saidBy(form));
  await slack.submit(fillForm(form, 'V_FORM', {today: updateOf('form')}), {
    user: {id: 'U0FORM', name: 'form'},
  });
  for (const name of ['shortcut', 'shortcutYes'] as const) {
    const view = await viewOf(() =>
      slack.shortcut(
        'add-to-standup',
        {
          message: {text: updateOf(name), user: author.id, ts: '1.1'},
          channel: {id: 'D000000009', name: 'directmessage'},
        },
        {user: adder},
      ),
    );
    hints.set(name, saidBy(view));
    if (name === 'shortcutYes')
      await slack.submit(fillForm(view, 'V_ADD', {today: updateOf(name)}), {user: adder});
  }

  // Direct messages to the bot.
  for (const [i, name] of (['typed', 'typedYes'] as const).entries()) {
    const before = slack.slack.of('chat.postMessage').length;
    const ts = `${Math.floor(Date.now() / 1_000)}.00000${i + 1}`;
    const message = {type: 'message', channel_type: 'im', channel: 'D0TYPES', user: typist.id, ts};
    await slack.event({...message, text: updateOf(name)});
    const offer = await until(() => slack.slack.of('chat.postMessage')[before], {what: 'an offer'});
    hints.set(name, String(offer.body['text']));
    if (name === 'typed') continue;
    const answered = slack.slack.of('respond').length;
    const blocks: unknown = offer.body['blocks'];
    const button = buttonOf(typeof blocks === 'string' ? JSON.parse(blocks) : blocks, 'Post');
    await slack.action(button, {message: {ts: '1.2'}}, {user: typist, channel: 'D0TYPES'});
    hints.set(name, await answerTo(answered));
  }

  // The API; the dashboard reads nothing besides.
  const post = async (path: string, {token}: Person, body: object) => {
    const {status} = await sendRequest(service.url, 'POST', path, {token, body});
    expect(status).toBe(201);
  };
  await post('/v1/standups', apiAuthor, {team: 'platform', update: updateOf('api')});
  await post('/v1/blockers', apiAuthor, {team: 'platform', text: updateOf('blocker')});
  await post('/v1/absences', apiAway, {reason: mark('apiAway')});
  const drafted = {team: 'platform', source: 'git', update: updateOf('draft')};
  const kept = await sendRequest(service.url, 'PUT', '/v1/drafts/me', {token: apiAway.token, body: drafted});
  expect(kept.status).toBe(204);

  // Reasons of absences.
  hints.set('away', (await slack.command(`ooo dentist ${mark('away')}`, {user: away})).body.text);
  await mention('mentionAway', 'C000000003', `ooo dentist ${mark('mentionAway')}`);
  hints.set('skip', (await slack.command(`skip ${mark('skip')}`, {user: skips})).body.text);
  hints.set('openAway', (await slack.command(`ooo dentist ${mark('openAway')}`, {user: open})).body.text);

  for (const run of runs) await (await planClosing(slack, workspace, run))();
  await post('/v1/standups', apiAuthor, {team: 'platform', update: 'the last words'});
  await receiver.waitFor((received) => received.some(({body}) => body.includes('the last words')), 30_000);
  const shown = (Object.keys(table) as CaseName[]).filter((name) => isShown(table[name]));
  const inChannels = () =>
    JSON.stringify(
      slack.slack.calls.filter(
        ({method, body}) =>
          method.startsWith('chat.') &&
          method !== 'chat.postEphemeral' &&
          [channel, otherChannel].includes(String(body['channel'])),
      ),
    );
  await until(
    async () => {
      for (const target of [channel, otherChannel]) await slack.work({channel: target});
      const said = inChannels();
      return said.includes('Report') && shown.every((name) => said.includes(mark(name)));
    },
    {what: 'the channels show all that they are to show', withinMs: 30_000},
  );

  read = {
    'channel of the team': inChannels(),
    'members of the team': await allOf(people.mate),
    'leads of the team': await allOf(people.lead),
    'owners and admins': await allOf(people.admin),
    'everyone else in the workspace': await allOf(people.other),
    'webhooks and events': [
      ...receiver.received.map(({body}) => body.toString()),
      (await sendRequest(service.url, 'GET', '/v1/events?limit=100', {token: people.admin.token})).text,
    ].join('\n'),
    'exports of everyone else': await allOf(people.other, '/v1/export'),
  };

  /** All that a person can read through the API: every read operation, for every resource. */
  async function allOf({token}: Person, only = '/v1/'): Promise<string> {
    const directory = {
      team: ['platform', 'open'],
      date: [date],
      member: [apiAway.id, away.member, skips.member, says.member, open.member, apiAuthor.id],
      absence: await idsOf('absences'),
      standup: await idsOf('standups'),
      blocker: await idsOf('blockers'),
    };
    const paths = routes
      .filter((route) => isReadOnly(route) && route.path.startsWith(only) && !route.path.includes('stream'))
      .flatMap(({path}) => fill(path, directory));
    const texts: string[] = [];
    for (const path of paths) {
      for (const query of queriesOf(path)) {
        texts.push((await sendRequest(service.url, 'GET', `${path}${query}`, {token})).text);
      }
    }
    return texts.join('\n');
  }

  async function idsOf(kind: string): Promise<string[]> {
    const {token} = people.admin;
    const {body} = await sendRequest(service.url, 'GET', `/v1/${kind}?limit=100`, {token});
    return body.data.map(({id}: {id: string}) => id);
  }
}

const isShown = ({readBy}: ReachRow) => readBy.includes('channel of the team');

function queriesOf(path: string): string[] {
  const ofTeams = path === '/v1/export/participation' ? ['platform', 'open'] : [undefined];
  if (path.startsWith('/v1/export'))
    return ofTeams.flatMap((team) =>
      ['csv', 'ndjson'].map((format) => `?format=${format}${team === undefined ? '' : `&team=${team}`}`),
    );
  if (path.startsWith('/v1/drafts/')) return ['?team=platform'];
  if (path.endsWith('/participation')) return ['?include=days'];
  return [''];
}

/** All paths of a route, for the known values of its parameters; none if a parameter has no known value. */
function fill(path: string, directory: Readonly<Record<string, readonly string[]>>): string[] {
  const [whole, name = ''] = /\{(\w+)\}/.exec(path) ?? [];
  if (whole === undefined) return [path];
  return (directory[name] ?? []).flatMap((value) => fill(path.replace(whole, value), directory));
}

type FilledView = Parameters<typeof fillForm>[0];

async function viewOf(ask: () => Promise<unknown>): Promise<FilledView> {
  const before = slack.slack.of('views.open').length;
  await ask();
  const {body} = await until(() => slack.slack.of('views.open')[before], {what: 'a form'});
  return body['view'] as FilledView;
}

function saidBy(view: FilledView): string {
  const said: string[] = [];
  JSON.stringify(view.blocks, (key, value: unknown) => {
    const {
      type,
      channel_id: id,
      text,
    } = (value ?? {}) as {type?: string; channel_id?: string; text?: unknown};
    if (type === 'channel') said.push(`<#${id}>`);
    if ((type === 'text' || type === 'plain_text') && typeof text === 'string') said.push(text);
    return value;
  });
  return said.join('');
}

test.each(Object.entries(table) as [CaseName, ReachRow][])(
  '%s is visible to the people in the table and to no one else',
  (name, {readBy}) => {
    expect(audiences.filter((audience) => read[audience].includes(mark(name)))).toEqual(readBy);
  },
);

test.each((Object.entries(table) as [CaseName, ReachRow][]).filter(([, row]) => row.hint !== ''))(
  'the form or answer for %s says who can read it',
  (name, row) => {
    expect(named(hints.get(name) ?? '')).toContain(row.hint);
  },
);

test('docs/who-reads-what.md has the same table as this test', () => {
  const document = readFileSync('docs/who-reads-what.md', 'utf8');
  expect(document.split('\n').filter((line) => line.startsWith('|'))).toEqual(tableLines());
});
