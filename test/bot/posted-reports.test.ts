import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {addDays} from '../../src/domain/core/dates.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import {parseWire} from '../../src/domain/core/resource.js';
import {findMondayOf} from '../../src/domain/schedules/week.js';
import type {SlackCopy} from '../../src/domain/slack/slack-post.js';
import type {Member} from '../../src/domain/workspaces/workspace.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {admin, channel, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';
import {commitRun} from './commit-run.js';

let slack: SlackHarness;
let monday: string;
let ada: Member;
let shownKind: 'public' | 'private' = 'public';
const newDeadline = () => performance.now() + 5_000;

beforeEach(async () => {
  shownKind = 'public';
  slack = await startSlack({
    env: {SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'standup@example.com'},
    findChannelKind: async () => shownKind,
  });
  monday = addDays(findMondayOf(new Date(slack.core.store.clock.now()).toISOString().slice(0, 10)), -7);
  const {members, people, standups, teams} = slack.core.services;
  await teams.changeTeam(slack.operator(), 'platform', {slack_weekly_summary: false, slack_digest: 'off'});
  ada = parseWire((await members.createMember(slack.operator(), {name: 'Ada', role: 'member'})).body);
  await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, ada.id);
  await hold(monday, async () => {
    const call = {...slack.operator(), principal: {type: 'member', id: ada.id, name: 'Ada'} as const};
    await standups.postStandup(call, {team: 'platform', update: 'Tests.', date: monday, source: 'api'});
  });
  await finish();
  slack.slack.clear();
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
});

/** Opens a run of the team, lets people act, and closes it. */
async function hold(date: string, act: () => Promise<void> = async () => undefined): Promise<void> {
  const at = new Date(slack.core.store.clock.now()).toISOString();
  const opened = await commitRun(
    slack,
    {
      object: 'run',
      team: 'platform',
      team_id: slack.team,
      date,
      kind: 'scheduled',
      state: 'open',
      opens_at: at,
      closes_at: at,
      opened_at: at,
      closed_at: null,
      schedule: null,
      timezone: 'UTC',
      participants: [{member: ada.id, timezone: null}],
      missed_steps: [],
      report: null,
    },
    undefined,
    'run.opened',
  );
  await act();
  const call = {workspace: slack.workspace, deadline: newDeadline()};
  const {references: report} = await slack.core.services.runReports.findReport(call, opened);
  await commitRun(slack, {state: 'closed', closed_at: at, report}, opened, 'run.closed');
}

/** Returns the member who presses. */
async function findMe(): Promise<Member> {
  const asked = {workspace: slack.workspace, deadline: newDeadline()};
  return (await slack.core.services.people.findSlackMember(asked, admin.id))!;
}

/** Does all that a channel has to show. */
async function finish(of = channel): Promise<void> {
  const pending = workspaceKeys(slack.workspace).slackPending(of);
  await until(async () => {
    await slack.work({
      channel: of,
      waits: {unanswered: [20, 20, 20, 20], closed: [20, 20, 20], leaseMs: 1_000},
    });
    return (await slack.core.store.connection.call(newDeadline(), ['EXISTS', pending])) === 0;
  });
}

interface Button {
  readonly action_id: string;
  readonly value: string;
}

const buttonsOf = (answer: {readonly blocks?: unknown}): Button[] =>
  (answer.blocks as {type: string; elements: Button[]}[]).flatMap((block) =>
    block.type === 'actions' ? block.elements : [],
  );
const find = (answer: {readonly blocks?: unknown}, act: string) =>
  buttonsOf(answer).find(({action_id: id}) => id === `of-report:${act}`);

const answers = () => slack.slack.of('respond').map(({body}) => body as {text: string; blocks?: unknown});

/** Presses a button, and returns the private answer. Meanwhile the worker shows what is asked for. */
async function press({action_id, value}: Button, in_ = channel) {
  const before = answers().length;
  await slack.action({action_id, value}, {}, {channel: in_});
  const answer = await until(async () => {
    await slack.work({channel: in_, waits: {unanswered: [20, 20, 20, 20], closed: [20, 20, 20]}});
    return answers()[before];
  });
  return answer;
}

const copies = async (of = channel) =>
  (await slack.parents(of)).filter(({metadata}) => metadata?.event_type === 'standup_report_copy');

/** Asks for last week's report, and for posting it. Returns the button that posts it. */
async function ask(in_ = channel): Promise<Button> {
  const {body} = await slack.command('report', {channel: in_});
  const question = await press(find(body, 'ask')!, in_);
  expect(question.text).toMatch(new RegExp(`^Post this report of .*Platform.* in <#${in_}>\\?`));
  return find(question, 'post')!;
}

test('Post here asks in which channel the report will be, and posts it once however often the press is repeated', async () => {
  const post = await ask();
  expect(await copies()).toEqual([]);
  const said = await press(post);
  expect(said.text).toMatch(new RegExp(`^The report of .*Platform.* is in <#${channel}>\\.$`));
  expect((await press(post)).text).toBe(said.text);
  const [message, ...more] = await copies();
  expect(more).toEqual([]);
  expect(message?.text).toContain('1 of 1 posted · participation 100 %');
  await press(await ask());
  expect(await copies()).toHaveLength(2);
});

test('a posted report is in the channel once when two jobs post it, an answer is lost, and a process dies after Slack took it', async () => {
  const post = await ask();
  slack.slack.fail('chat.postMessage', {kind: 'lost'});
  await slack.action({action_id: post.action_id, value: post.value});
  await until(async () => {
    await Promise.all([slack.work(), slack.work()]);
    return (await copies()).length > 0;
  });
  await finish();
  const [message, ...more] = await copies();
  expect(more).toEqual([]);
  const {copy: key} = message!.metadata!.event_payload;
  const team = suffixOf(slack.team);
  const item: SlackCopy['item'] = {kind: 'copy', team, date: monday, of: 'week', key: String(key)};
  const record = workspaceKeys(slack.workspace).slackCopy(team, String(key));
  const {connection} = slack.core.store;
  await connection.call(newDeadline(), ['HDEL', record, 'ts', 'posted']);
  await connection.call(newDeadline(), ['HSET', record, 'sending', `${Date.now() - 5_000}:somebody`]);
  await slack.posts.refresh(slack.workspace, [{channel, item}], newDeadline());
  await finish();
  expect((await copies()).map(({ts}) => ts)).toEqual([message?.ts]);
  expect((await slack.posts.findCopy(slack.workspace, item, newDeadline()))?.parts.get(1)?.ts).toBe(
    message?.ts,
  );
});

test('a report in another channel loses the name of an erased person, and stays away when a person removes it', async () => {
  await press(await ask(), channel);
  const {members, forgetMember, teams} = slack.core.services;
  await teams.changeTeam(slack.operator(), 'platform', {slack_channel_id: otherChannel});
  expect((await copies())[0]?.text).toContain('Ada');
  await members.deleteMember(slack.operator(), ada.id, {erase: true});
  while ((await forgetMember(slack.operator(), ada.id, true)) === true);
  await finish();
  const [message] = await copies();
  expect(message?.text).not.toContain('Ada');
  await slack.api('chat.delete', {channel, ts: message!.ts}, 'xoxb-test-bot');
  await teams.changeTeam(slack.operator(), 'platform', {names_missing: true});
  await finish();
  expect(await copies()).toEqual([]);
});

test('the report of yesterday is posted as its channel gets it', async () => {
  const yesterday = addDays(new Date(slack.core.store.clock.now()).toISOString().slice(0, 10), -1);
  await hold(yesterday);
  const {body} = await slack.command('report yesterday');
  expect(find(body, 'mail')).toBeUndefined();
  const question = await press(find(body, 'ask')!);
  await press(find(question, 'post')!);
  await finish();
  expect((await copies()).map(({text}) => text).join('\n')).toMatch(/^Report · .* 0 of 1 posted/);
});

test('a report of a private team is posted in its own channel alone, even by an old button', async () => {
  const {teams} = slack.core.services;
  const {body} = await slack.command('report');
  const old = find(body, 'ask')!;
  const post = find(await press(old), 'post')!;
  shownKind = 'private';
  await teams.changeTeam(slack.operator(), 'platform', {
    visibility: 'private',
    slack_channel_id: otherChannel,
  });
  const {people} = slack.core.services;
  await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, (await findMe()).id);
  expect((await press(post)).text).toMatch(
    /^I don’t post reports of .*Platform.* not everyone there can read this team\.$/,
  );
  const elsewhere = (await slack.command('report')).body;
  expect(elsewhere.text).toContain('1 of 1 posted');
  expect(find(elsewhere, 'ask')).toBeUndefined();
  expect(find((await slack.command('report', {channel: otherChannel})).body, 'ask')).toBeDefined();
  expect(await copies()).toEqual([]);
});

test('a report disappears from other channels when its team becomes private', async () => {
  await press(await ask());
  expect(await copies()).toHaveLength(1);
  shownKind = 'private';
  await slack.core.services.teams.changeTeam(slack.operator(), 'platform', {
    visibility: 'private',
    slack_channel_id: otherChannel,
  });
  await finish();
  expect(await copies()).toEqual([]);
});

test('a person learns how to let the bot into a channel that refused a report, which is not posted later', async () => {
  const post = await ask();
  slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'not_in_channel'});
  slack.slack.fail('conversations.join', {kind: 'refused', code: 'channel_not_found'});
  expect((await press(post)).text).toMatch(
    new RegExp(`^I can’t post in <#${channel}>\\. I’m not in the channel\\. Type /invite @.* there\\.$`),
  );
  await finish();
  expect(await copies()).toEqual([]);
});

test('Mail it mails the week to the person who presses, once, and says where', async () => {
  const {members} = slack.core.services;
  await slack.command('today');
  await press(find((await slack.command('report')).body, 'ask')!);
  const {id} = await findMe();
  await members.changeMember(slack.operator(), id, {email: null});
  expect(find((await slack.command('report')).body, 'mail')).toBeUndefined();
  await members.changeMember(slack.operator(), id, {email: 'grace@example.com'});
  const mail = find((await slack.command('report')).body, 'mail')!;
  const said = await press(mail);
  expect(said.text).toMatch(/^The week of .*Platform.* is on its way to .*grace@example\.com/);
  expect((await press(mail)).text).toBe(said.text);
  const {mails} = await slack.core.store.mails.list(slack.workspace, {limit: 10}, newDeadline());
  expect(mails.map(({to, fact}) => [to, fact.kind])).toEqual([['grace@example.com', 'week']]);
  const composed = await slack.core.services.mails.compose(slack.operator(), mails[0]!);
  expect(composed).toMatchObject({content: {kind: 'week', posted: 1, expected: 1}, stopUrl: undefined});
  await members.changeMember(slack.operator(), id, {email: null});
  expect((await press(mail)).text).toBe('I can’t mail it: the dashboard has no address of yours that works.');
});
