import {afterEach, beforeEach, expect, it} from '@jest/globals';
import type {Call} from '../../src/domain/core/access.js';
import type {Id} from '../../src/domain/core/ids.js';
import {limits} from '../../src/domain/core/limits.js';
import type {Standup} from '../../src/domain/standups/standup.js';
import {parseWire} from '../../src/domain/core/resource.js';
import type {MemberChange} from '../../src/domain/workspaces/workspace.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {sendNotices} from '../support/mails.js';
import {createChance} from '../support/seeded-random.js';
import type {SlackCall} from '../support/slack-failure-server.js';
import {type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

const quick = {unanswered: [20, 20, 20, 20, 20, 20], closed: [20, 20, 20], leaseMs: 1_000, spacingMs: 0};

interface Someone {
  readonly id: Id<'member'>;
  readonly user: string;
  readonly call: () => Call;
}

let slack: SlackHarness;
let [ada, grace]: Someone[] = [];
beforeEach(async () => {
  slack = await startSlack();
  const {members} = (await slack.api('users.list', {})) as {members: {id: string; name: string}[]};
  const userOf = (name: string) => members.find((one) => one.name === name)?.id ?? '';
  ada = await join('Ada Lovelace', userOf('ada'));
  grace = await join('Grace <!channel> *Hopper*', userOf('grace'));
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
});

const newDeadline = () => performance.now() + 5_000;
const services = () => slack.core.services;

async function join(name: string, user: string): Promise<Someone> {
  const {people} = services();
  const {id} = await people.ensureSlackMember(slack.operator(), user, {name, timezone: null});
  await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, id);
  const principal = {type: 'member', id, name} as const;
  return {id, user, call: () => ({...slack.operator(), principal})};
}

async function post({call}: Someone, update = 'Shipped.', more: object = {}): Promise<Standup> {
  const given = {team: 'platform', update, source: 'api', ...more} as const;
  return JSON.parse((await services().standups.postStandup(call(), given)).body ?? '');
}

async function say(
  {call}: Someone,
  {id: standup}: Standup,
  text: string,
  more: object = {},
): Promise<Id<'comment'>> {
  const answer = await services().comments.createComment(call(), {standup, text, ...more});
  return JSON.parse(answer.body ?? '').id;
}

const change = ({id}: Someone, input: MemberChange) =>
  services().members.changeMember(slack.operator(), id, input);

/** Works until everything that waits in the inboxes of these people has been sent. */
async function finish(...people: readonly Someone[]): Promise<void> {
  await sendNotices(slack.core, slack.workspace);
  const keys = workspaceKeys(slack.workspace);
  for (const {user: channel} of people)
    await until(async () => {
      await slack.postSlice({channel, waits: quick});
      const left = await slack.core.store.connection.call(newDeadline(), [
        'EXISTS',
        keys.slackPending(channel),
      ]);
      return left === 0;
    });
}

const sentTo = ({user}: Someone): SlackCall[] =>
  slack.slack.of('chat.postMessage').filter(({body}) => body['channel'] === user);
const edits = () => slack.slack.of('chat.update');
const textOf = (call: SlackCall | undefined) => String(call?.body['text']);
const mention = ({id}: Someone) => ({text: `[@x](mention:${id}) look`, format: 'markdown'}) as const;

it('an unread comment comes as one direct message, which says who, where and what, and pings no one', async () => {
  const standup = await post(ada!);
  await say(grace!, standup, '<!channel> *First* & <@U1>');
  await finish(ada!, grace!);
  const [call, ...others] = sentTo(ada!);
  expect(others).toEqual([]);
  expect(sentTo(grace!)).toEqual([]);
  expect(call?.body).toMatchObject({parse: 'none', link_names: 'false'});
  expect(textOf(call)).toContain('Grace &lt;!channel&gt; *Hopper* commented on your standup (Platform, ');
  expect(textOf(call)).toContain('&lt;!channel&gt; *First* &amp; &lt;@U1&gt;');
  const blocks = JSON.stringify(call?.body['blocks']);
  expect(blocks).toContain('rich_text_quote');
  expect(blocks).toContain(`/app/history?standup=${standup.id}`);
  expect(blocks).not.toMatch(/"type":"(user|broadcast|channel|usergroup|mrkdwn)"/);
});

it('a direct message about the inbox is in the language of the person who gets it', async () => {
  await slack.close();
  slack = await startSlack({language: 'de'});
  ada = await join('Ada Lovelace', 'UADA00001');
  grace = await join('Grace', 'UGRACE001');
  await say(grace, await post(ada), 'Gut');
  await finish(ada);
  expect(textOf(sentTo(ada)[0])).toContain('Grace hat dein Standup kommentiert (Platform, ');
});

it('further comments edit the message while it is unread, and a new one comes once it has been read', async () => {
  const standup = await post(ada!);
  await say(grace!, standup, 'First');
  await finish(ada!);
  await say(grace!, standup, 'Second');
  await finish(ada!);
  expect(sentTo(ada!)).toHaveLength(1);
  expect(edits()).toHaveLength(1);
  expect(textOf(edits()[0])).toContain('There is 1 more. Second');
  await services().inbox.readInbox(ada!.call(), {standups: [standup.id]});
  await say(grace!, standup, 'Third');
  await finish(ada!);
  expect(sentTo(ada!)).toHaveLength(2);
  expect(textOf(sentTo(ada!)[1])).toContain('Third');
});

it('no message comes about what was read first, was done by the member, or stays in the inbox by choice', async () => {
  const standup = await post(ada!);
  await say(grace!, standup, 'Read at once');
  await services().inbox.readInbox(ada!.call(), {standups: [standup.id]});
  await say(ada!, standup, mention(ada!).text, {format: 'markdown'});
  await change(ada!, {notify: {reply: 'inbox'}});
  await say(grace!, await post(ada!), 'For the inbox alone');
  await finish(ada!);
  expect(sentTo(ada!)).toEqual([]);
});

it('the choice of channels decides between Slack and mail, and only one is used', async () => {
  const queued = async () =>
    (await services().outbox.listMails(slack.operator(), {limit: 10})).mails.map(({to}) => to);
  await change(ada!, {email: 'ada@example.com', reminders: {channels: ['mail', 'slack']}});
  await say(grace!, await post(ada!), 'By the first channel that reaches Ada');
  await finish(ada!);
  // No mail server is set up here, so that mail reaches no one.
  expect(sentTo(ada!)).toHaveLength(1);
  expect(await queued()).toEqual([]);
  await change(ada!, {reminders: {channels: ['mail']}});
  await say(grace!, await post(ada!), 'By mail alone');
  await finish(ada!);
  expect(sentTo(ada!)).toHaveLength(1);
});

it('a message waits for the end of quiet hours', async () => {
  const now = new Date(slack.core.store.clock.now());
  const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString().slice(11, 16);
  await change(ada!, {timezone: 'UTC', reminders: {quiet_from: at(-60), quiet_until: at(60)}});
  await say(grace!, await post(ada!), 'At night');
  await finish(ada!);
  expect(sentTo(ada!)).toEqual([]);
  await change(ada!, {reminders: {quiet_from: null, quiet_until: null}});
  await finish(ada!);
  expect(sentTo(ada!)).toHaveLength(1);
});

const ends: [string, (standup: Standup, comment: Id<'comment'>) => Promise<unknown>][] = [
  ['the standup is deleted', ({id}) => services().standups.deleteStandup(slack.operator(), id)],
  [
    'the team becomes private, and the member is not in it',
    async () => {
      await services().teamMembers.removeTeamMember(slack.operator(), slack.team, ada!.id);
      await services().teams.changeTeam(slack.operator(), slack.team, {
        visibility: 'private',
        slack_channel_id: null,
      });
    },
  ],
  ['the member is removed', () => services().members.deleteMember(slack.operator(), ada!.id, {erase: true})],
  ['the member has another Slack account', () => change(ada!, {slack_user_id: null})],
];

it.each(ends)('nothing is sent if %s before the message is asked for', async (_, end) => {
  const standup = await post(ada!);
  await end(standup, await say(grace!, standup, 'Too late'));
  await finish(ada!);
  expect(sentTo(ada!)).toEqual([]);
});

it.each(ends)('nothing is sent if %s before the message is sent', async (_, end) => {
  const standup = await post(ada!);
  const comment = await say(grace!, standup, 'Too late');
  await sendNotices(slack.core, slack.workspace);
  await end(standup, comment);
  await finish(ada!);
  expect(sentTo(ada!)).toEqual([]);
});

it('a name that pings someone in the channel brings no second message', async () => {
  await slack.core.services.teams.changeTeam(slack.operator(), slack.team, {slack_mentions: 'team'});
  await post(grace!, 'Paired with @Ada Lovelace');
  await slack.work();
  const shown = slack.slack.of('chat.postMessage').map(({body}) => JSON.stringify(body['blocks']));
  expect(shown.some((blocks) => blocks.includes(ada!.user))).toBe(true);
  await finish(ada!);
  expect(sentTo(ada!)).toEqual([]);
});

it('a mention in Markdown pings no one in the channel, and brings one direct message', async () => {
  await post(grace!, mention(ada!).text, {format: 'markdown'});
  await slack.work();
  const shown = slack.slack.of('chat.postMessage').map(({body}) => JSON.stringify(body['blocks']));
  expect(shown.some((blocks) => blocks.includes(ada!.user))).toBe(false);
  await finish(ada!);
  expect(textOf(sentTo(ada!)[0])).toContain('mentioned you on the standup by');
});

it('a message is sent once though its process dies after Slack has it', async () => {
  // An earlier message has brought the id of their direct messages.
  await say(grace!, await post(ada!), 'Before');
  await finish(ada!);
  await say(grace!, await post(ada!), 'Once');
  await sendNotices(slack.core, slack.workspace);
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  slack.slack.fail('chat.postMessage', {kind: 'slow', until: gate});
  const channel = ada!.user;
  const dead = slack.postSlice({channel, waits: {...quick, leaseMs: 300}});
  await until(() => sentTo(ada!).length === 2);
  const lease = workspaceKeys(slack.workspace).slackLease(channel);
  await slack.core.store.connection.call(newDeadline(), ['SET', lease, 'another', 'PX', '300']);
  release();
  await dead;
  await finish(ada!);
  expect(sentTo(ada!)).toHaveLength(2);
});

it('a message is never repeated if no one can tell whether it arrived', async () => {
  slack.slack.fail('chat.postMessage', {kind: 'lost'});
  await say(grace!, await post(ada!), 'Once or never');
  await finish(ada!);
  expect(sentTo(ada!)).toHaveLength(1);
});

it('workers that look at the same time ask for one message', async () => {
  await say(grace!, await post(ada!), 'Once');
  await Promise.all(Array.from({length: 5}, () => sendNotices(slack.core, slack.workspace)));
  await finish(ada!);
  expect(sentTo(ada!)).toHaveLength(1);
});

it('a comment that comes while a worker looks is not lost', async () => {
  const standup = await post(ada!);
  await say(grace!, standup, 'First');
  await Promise.all([
    sendNotices(slack.core, slack.workspace),
    ...Array.from({length: 5}, (_, i) => say(grace!, standup, `More ${i}`)),
  ]);
  await finish(ada!);
  const last = edits().at(-1) ?? sentTo(ada!)[0];
  expect(sentTo(ada!)).toHaveLength(1);
  expect(textOf(last)).toContain('There are 5 more.');
});

it('no order of comments, reads and looks loses a message or sends one twice', async () => {
  const standups = [await post(ada!), await post(ada!), await post(ada!)];
  const chance = createChance(20_261_129);
  for (let round = 0; round < 3; round++) {
    const [one, other, third] = [chance.pick(standups), chance.pick(standups), chance.pick(standups)];
    await Promise.all([
      say(grace!, one, `One of ${round}`),
      sendNotices(slack.core, slack.workspace),
      say(grace!, other, `Other of ${round}`),
      services().inbox.readInbox(ada!.call(), {standups: [third.id]}),
      slack.postSlice({channel: ada!.user, waits: quick}),
      sendNotices(slack.core, slack.workspace),
    ]);
  }
  await finish(ada!);
  const posts = sentTo(ada!);
  const events = posts.map(({body}) => JSON.stringify(body['metadata']));
  expect(new Set(events).size).toBe(events.length);
  // Each item that is unread in the end has a message, and its last text is shown.
  const shown = [...posts, ...edits()].map(textOf);
  const {rows} = await services().inbox.listInbox(ada!.call(), {unread: true, past: undefined, limit: 10});
  const unread = rows.map((json) => parseWire(json));
  for (const {standup, latest} of unread)
    expect(shown.filter((text) => text.includes(standup) && text.includes(latest.excerpt ?? ''))).not.toEqual(
      [],
    );
});

it('many conversations bring one person at most ten new messages in a day', async () => {
  const standups: Standup[] = [];
  for (let i = 0; i < limits.noticesPerDay + 5; i++) standups.push(await post(ada!));
  for (const standup of standups) await say(grace!, standup, 'One of many');
  await finish(ada!);
  expect(sentTo(ada!)).toHaveLength(limits.noticesPerDay);
});
