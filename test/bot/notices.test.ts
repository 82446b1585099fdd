import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {parseWire} from '../../src/domain/core/resource.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import type {Webhook} from '../../src/domain/webhooks/webhook.js';
import {failingLimits} from '../../src/domain/webhooks/webhook-failing.js';
import type {Member, MemberRole} from '../../src/domain/workspaces/workspace.js';
import type {Run} from '../../src/domain/runs/run.js';
import type {TeamChange} from '../../src/domain/teams/team.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import type {SlackFailure} from '../support/slack-failure-server.js';
import {
  botToken,
  lookingToken,
  type SlackHarness,
  type SlackMessage,
  startSlack,
} from '../support/slack-harness.js';
import {until} from '../support/until.js';
import {commitRun} from './commit-run.js';

const quick = {unanswered: [20, 20, 20, 20, 20, 20], closed: [20, 20, 20], leaseMs: 1_000};

let slack: SlackHarness;
let people: Record<string, string>;
beforeEach(async () => {
  slack = await startSlack();
  const {members} = (await slack.api('users.list', {})) as {members: {id: string; name: string}[]};
  people = Object.fromEntries(members.map(({id, name}) => [name, id]));
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
});

const newDeadline = () => performance.now() + 2_000;
const webhooks = () => slack.core.services.webhooks;
const webhookFailures = () => slack.core.services.webhookFailures;

async function addMember(name: string, role: MemberRole, slackUser: string | null): Promise<void> {
  const member = {name, role, slack_user_id: slackUser};
  await slack.core.services.members.createMember(slack.operator(), member);
}

async function addWebhook(description: string | null = null): Promise<Webhook> {
  const input = {url: 'http://127.0.0.1:4000/in/secret-path', events: ['standup.*'], description};
  const answer = await webhooks().createWebhook(slack.operator(), input);
  return parseWire(answer.body);
}

/** Makes a webhook fail half-way to being disabled, or up to the end, and judges it as a worker does. */
async function fail({id}: Webhook, stage: 'warn' | 'disable' = 'warn'): Promise<number> {
  const {ms, attempts} = failingLimits[stage];
  const since = slack.core.store.clock.now() - ms;
  const key = workspaceKeys(slack.workspace).webhookState(suffixOf(id));
  const state = ['failing', String(since), 'failed', String(attempts)];
  await slack.core.store.connection.call(newDeadline(), ['HSET', key, ...state]);
  await webhookFailures().judgeWebhook(slack.operator(), suffixOf(id));
  return since;
}

async function messagesOf(name: string): Promise<SlackMessage[]> {
  const users = people[name] ?? '';
  const {channel} = (await slack.api('conversations.open', {users}, lookingToken)) as {channel: {id: string}};
  const found = await slack.api('conversations.history', {channel: channel.id, limit: '100'}, botToken);
  return (found['messages'] as SlackMessage[]).toReversed();
}

/** Works until all notices have been sent. */
async function finish(...names: string[]): Promise<void> {
  while ((await slack.read()).more);
  const keys = workspaceKeys(slack.workspace);
  for (const name of names) {
    const channel = people[name] ?? '';
    await until(async () => {
      await slack.postSlice({channel, waits: quick});
      return (
        (await slack.core.store.connection.call(newDeadline(), ['EXISTS', keys.slackPending(channel)])) === 0
      );
    });
  }
}

describe('a webhook that fails', () => {
  test('is reported to owners and admins who are in Slack, and to no other member', async () => {
    await addMember('Ada', 'owner', people['ada'] ?? '');
    await addMember('Grace', 'admin', people['grace'] ?? '');
    await addMember('Admin', 'member', people['admin'] ?? '');
    await addMember('Alan', 'owner', null);
    await fail(await addWebhook());
    await finish('ada', 'grace', 'admin');
    expect(await messagesOf('ada')).toHaveLength(1);
    expect(await messagesOf('grace')).toHaveLength(1);
    expect(await messagesOf('admin')).toEqual([]);
    expect(slack.slack.of('chat.postMessage')).toHaveLength(2);
  });

  test('is named by host and description, with the start of the failures and what to do, and pings no one', async () => {
    await addMember('Ada', 'owner', people['ada'] ?? '');
    const webhook = await addWebhook('<!channel> <@U1> wiki & more');
    const since = new Date(await fail(webhook)).toISOString();
    await finish('ada');
    const [call] = slack.slack.of('chat.postMessage');
    expect(call?.body).toMatchObject({channel: people['ada'], parse: 'none', link_names: 'false'});
    const text = String(call?.body['text']);
    expect(text).toContain('&lt;!channel&gt; &lt;@U1&gt; wiki &amp; more (127.0.0.1:4000)');
    // Slack shows an instant in the viewer's zone, and the plain text where it cannot.
    const seconds = Math.floor(Date.parse(since) / 1_000);
    expect(text).toContain(`since <!date^${seconds}^{date_num} at {time}|`);
    expect(text).toContain(`${since.slice(11, 16)} UTC>`);
    expect(text).toContain(`https://standup.example.com/app/webhooks/${webhook.id}`);
    const blocks = JSON.stringify(call?.body['blocks']);
    expect(blocks).toContain('<!channel> <@U1> wiki & more');
    expect(blocks).toContain(`{"type":"date","timestamp":${seconds},`);
    expect(blocks).not.toMatch(/"type":"(user|broadcast|channel|usergroup|mrkdwn)"/);
    expect(JSON.stringify(slack.slack.calls)).not.toContain('secret-path');
  });

  test('is reported again when it is disabled in the end', async () => {
    await addMember('Ada', 'owner', people['ada'] ?? '');
    const webhook = await addWebhook();
    await fail(webhook);
    await fail(webhook, 'disable');
    await finish('ada');
    expect((await messagesOf('ada')).map(({text}) => text)).toEqual([
      expect.stringContaining('has failed since'),
      expect.stringContaining('no attempt succeeded for five days'),
    ]);
  });

  test('is not reported when a member has switched it off', async () => {
    await addMember('Ada', 'owner', people['ada'] ?? '');
    const webhook = await addWebhook();
    await webhooks().changeWebhook(slack.operator(), webhook.id, {enabled: false});
    await finish();
    expect(slack.slack.calls).toEqual([]);
    await webhooks().changeWebhook(slack.operator(), webhook.id, {enabled: true});
    await webhookFailures().disableWebhook(slack.operator(), webhook.id, 'gone');
    await finish('ada');
    expect((await messagesOf('ada')).map(({text}) => text)).toEqual([
      expect.stringContaining('its receiver answered that it wants no more events'),
    ]);
  });

  test('is not reported when no owner or admin is in Slack', async () => {
    await addMember('Alan', 'owner', null);
    await fail(await addWebhook());
    await finish();
    expect(slack.slack.calls).toEqual([]);
    expect(slack.lines.filter(({level}) => level !== 'debug' && level !== 'info')).toEqual([]);
  });
});

describe('a notice', () => {
  const passing: [string, SlackFailure][] = [
    ['Slack answers 500', {kind: 'status', status: 500}],
    ['the reply is lost', {kind: 'lost'}],
    ['Slack limits the call', {kind: 'limited', seconds: 1}],
    ['Slack refuses the token for a moment', {kind: 'refused', code: 'token_expired'}],
  ];

  test.each(passing)('is sent once when %s', async (_, failure) => {
    await addMember('Ada', 'owner', people['ada'] ?? '');
    // An earlier notice has brought the id of their direct messages.
    await fail(await addWebhook());
    await finish('ada');
    slack.slack.fail('chat.postMessage', failure);
    await fail(await addWebhook());
    await finish('ada');
    expect(await messagesOf('ada')).toHaveLength(2);
  });

  test('is sent once when its process dies before the sending is recorded', async () => {
    await addMember('Ada', 'owner', people['ada'] ?? '');
    const channel = people['ada'] ?? '';
    await fail(await addWebhook());
    while ((await slack.read()).more);
    // The call arrives at Slack, and its process dies before the reply.
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    slack.slack.fail('chat.postMessage', {kind: 'slow', until: gate});
    const dead = slack.postSlice({channel, waits: {...quick, leaseMs: 300}});
    await until(() => slack.slack.of('chat.postMessage').length === 1);
    const lease = workspaceKeys(slack.workspace).slackLease(channel);
    await slack.core.store.connection.call(newDeadline(), ['SET', lease, 'another', 'PX', '300']);
    release();
    await dead;
    await finish('ada');
    expect(await messagesOf('ada')).toHaveLength(1);
  });

  test('is sent once when its process died before it called Slack', async () => {
    await addMember('Ada', 'owner', people['ada'] ?? '');
    const hold = {workspace: slack.workspace, channel: people['ada'] ?? '', holder: 'dead'};
    await fail(await addWebhook());
    while ((await slack.read()).more);
    const claim = await slack.posts.claim(hold, 100, newDeadline());
    if (claim.kind !== 'due') throw new Error('nothing was due');
    await slack.posts.begin(hold, claim.item, `${Date.now()}:dead`, undefined, 100, newDeadline());
    await finish('ada');
    expect(await messagesOf('ada')).toHaveLength(1);
  });

  test('is sent again if the bot may not look whether it arrived', async () => {
    await addMember('Ada', 'owner', people['ada'] ?? '');
    slack.slack.fail('chat.postMessage', {kind: 'lost'});
    await fail(await addWebhook());
    await finish('ada');
    // Before the first message to a person the bot does not know where to look for it.
    expect(slack.slack.of('chat.postMessage')).toHaveLength(2);
  });

  test('is given up for a person unknown to Slack, without delaying others', async () => {
    await addMember('Gone', 'owner', 'U0GONE0000');
    await addMember('Ada', 'admin', people['ada'] ?? '');
    people['gone'] = 'U0GONE0000';
    await fail(await addWebhook());
    await finish('gone', 'ada');
    expect(await messagesOf('ada')).toHaveLength(1);
    expect(slack.lines.map(({message}) => message)).toContain('a notice is given up for Slack');
  });
});

const callOf = ({id, name}: Member) => ({
  ...slack.operator(),
  principal: {type: 'member', id, name} as const,
});
const change = (fields: TeamChange) =>
  slack.core.services.teams.changeTeam(slack.operator(), 'platform', fields);
const raise = (member: Member, text: string) =>
  slack.core.services.blockers.raiseBlocker(callOf(member), {team: 'platform', text});

const today = () => new Date(slack.core.store.clock.now()).toISOString().slice(0, 10);

/** Opens a run and closes it, as the services do. */
async function closeRun(members: readonly Member[], posting: readonly Member[] = []): Promise<void> {
  const now = slack.core.store.clock.now();
  const run: Partial<Run> = {
    object: 'run',
    team: 'platform',
    team_id: slack.team,
    date: today(),
    kind: 'scheduled',
    state: 'open',
    opens_at: new Date(now).toISOString(),
    closes_at: new Date(now + 3_600_000).toISOString(),
    opened_at: new Date(now).toISOString(),
    closed_at: null,
    schedule: null,
    timezone: 'UTC',
    participants: members.map(({id: member}) => ({member, timezone: null})),
    missed_steps: [],
    report: null,
  };
  const opened = await commitRun(slack, run, undefined, 'run.opened');
  for (const member of posting) {
    const input = {team: 'platform', update: 'Tests.', date: today(), source: 'api'} as const;
    await slack.core.services.standups.postStandup(callOf(member), input);
  }
  const closedAt = new Date(slack.core.store.clock.now()).toISOString();
  const call = {workspace: slack.workspace, deadline: newDeadline()};
  const {references: report} = await slack.core.services.runReports.findReport(call, opened);
  const closed = {state: 'closed', closes_at: closedAt, closed_at: closedAt, report} as const;
  await commitRun(slack, closed, opened, 'run.closed');
}

async function addToTeam(name: string, role: 'lead' | 'member', more: object = {}): Promise<Member> {
  const input = {name, role: 'member', ...more} as const;
  const member = parseWire((await slack.core.services.members.createMember(slack.operator(), input)).body);
  await slack.core.services.teamMembers.setTeamMember(slack.operator(), 'platform', member.id, role);
  return member;
}

/** The messages about closings: those who join a team are welcomed, too. */
const summariesOf = async (name: string): Promise<SlackMessage[]> =>
  (await messagesOf(name)).filter(({text}) => text.includes('posted'));

describe('a run that closes', () => {
  test('a run that closes is reported to leads with who is missing and what blocks, with a link to the day, and to no other member', async () => {
    const ada = await addToTeam('Ada', 'lead', {slack_user_id: people['ada'] ?? null});
    const grace = await addToTeam('Grace <!channel>', 'member', {slack_user_id: people['grace'] ?? null});
    const lin = await addToTeam('Lin', 'member');
    const raised = await raise(lin, 'No *tape* <!here>');
    const {id} = JSON.parse(raised.body ?? '') as {id: string};
    await slack.core.services.blockers.changeBlocker(callOf(ada), id, {state: 'acknowledged'});
    await slack.core.services.absences.skip(callOf(lin), {date: today(), team: slack.team});
    await closeRun([ada, grace, lin], [ada]);
    await finish('ada', 'grace');
    const [message, ...others] = await summariesOf('ada');
    expect(others).toEqual([]);
    expect(await summariesOf('grace')).toEqual([]);
    const lines = message?.text.replaceAll(/[\u2068\u2069]/g, '').split('\n') ?? [];
    expect(lines[0]).toMatch(/^Platform.*: 1 of 2 posted$/);
    expect(lines.slice(1, 4)).toEqual([
      '• Missing: Grace &lt;!channel&gt;',
      '• Away: Lin',
      '• Lin, blocked since today: No *tape* &lt;!here&gt; (Ada is on it)',
    ]);
    expect(lines[4]).toMatch(new RegExp(`/app/t/platform\\?date=${today()}$`));
    expect(JSON.stringify(message?.blocks)).toContain('No *tape* <!here>');
  });

  test.each([
    ['when_needed', 0],
    ['always', 1],
    ['never', 0],
  ] as const)(
    'a run that closes is reported to leads who have nothing to do with lead_summary %s %d times',
    async (lead_summary, times) => {
      await change({lead_summary});
      const ada = await addToTeam('Ada', 'lead', {slack_user_id: people['ada'] ?? null});
      await closeRun([ada], [ada]);
      await finish('ada');
      expect(await summariesOf('ada')).toHaveLength(times);
    },
  );

  test('regression: the message about a closing names an erased person no more, nor their blocker', async () => {
    const ada = await addToTeam('Ada', 'lead', {slack_user_id: people['ada'] ?? null});
    const grace = await addToTeam('Grace', 'member');
    const lin = await addToTeam('Lin', 'member');
    await raise(grace, 'No access');
    await closeRun([ada, grace, lin], [ada]);
    await finish('ada');
    expect((await summariesOf('ada'))[0]?.text).toMatch(/Missing: .*Grace.*\n.*No access/);
    const {members, forgetMember} = slack.core.services;
    for (const {id} of [grace, lin]) {
      await members.deleteMember(slack.operator(), id, {erase: true});
      while ((await forgetMember(slack.operator(), id, true)) === true);
      await finish('ada');
    }
    const [message, ...others] = await summariesOf('ada');
    expect(others).toEqual([]);
    expect(JSON.stringify(message)).not.toMatch(/Grace|Lin|No access/);
  });

  test('a run that closes is reported once to each lead, whichever of two processes reads and posts at once', async () => {
    const leads = ['ada', 'grace'];
    const [ada, grace] = await Promise.all([
      addToTeam('Ada', 'lead', {slack_user_id: people['ada'] ?? null}),
      addToTeam('Grace', 'lead', {slack_user_id: people['grace'] ?? null}),
    ]);
    await finish(...leads);
    const lin = await addToTeam('Lin', 'member');
    await closeRun([ada, grace, lin], [ada]);
    await Promise.all([finish(...leads), finish(...leads)]);
    for (const name of leads) expect(await summariesOf(name)).toHaveLength(1);
  });

  test('a run that closes is not reported to a lead who has left the private team when the message is due', async () => {
    await change({visibility: 'private', slack_channel_id: null});
    const ada = await addToTeam('Ada', 'lead', {slack_user_id: people['ada'] ?? null});
    const grace = await addToTeam('Grace', 'member', {slack_user_id: people['grace'] ?? null});
    await closeRun([ada, grace], [ada]);
    while ((await slack.read()).more);
    await slack.core.services.teamMembers.removeTeamMember(slack.operator(), 'platform', ada.id);
    await finish('ada');
    expect(await summariesOf('ada')).toEqual([]);
  });
});
