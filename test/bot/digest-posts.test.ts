import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {addDays} from '../../src/domain/core/dates.js';
import type {EventType} from '../../src/domain/events/event.js';
import {suffixOf, type Id} from '../../src/domain/core/ids.js';
import type {NewQuestion} from '../../src/domain/questions/question.js';
import {parseWire} from '../../src/domain/core/resource.js';
import type {Run} from '../../src/domain/runs/run.js';
import {type Standup, standupsOfPostResult} from '../../src/domain/standups/standup.js';
import type {LeadSummaryChoice, SlackDigest, SlackPostMode} from '../../src/domain/teams/team.js';
import type {Member} from '../../src/domain/workspaces/workspace.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {deep} from '../support/deep.js';
import {
  botToken,
  lookingToken,
  channel,
  type SlackHarness,
  type SlackMessage,
  startSlack,
} from '../support/slack-harness.js';
import type {SlackFailure} from '../support/slack-failure-server.js';
import {until} from '../support/until.js';
import {asId} from '../support/ids.js';
import {commitRun} from './commit-run.js';

let slack: SlackHarness;
let today: string;
beforeEach(async () => {
  slack = await startSlack();
  today = new Date(slack.core.store.clock.now()).toISOString().slice(0, 10);
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
});

const newDeadline = () => performance.now() + 2_000;
const standups = () => slack.core.services.standups;

async function addMember(name: string, more: {slack_user_id?: string} = {}): Promise<Member> {
  const input = {name, role: 'member', ...more} as const;
  const answer = await slack.core.services.members.createMember(slack.operator(), input);
  const member = parseWire(answer.body);
  await slack.core.services.people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, member.id);
  return member;
}

async function post({id, name}: Member, update: string, date = today): Promise<Standup> {
  const call = {...slack.operator(), principal: {type: 'member', id, name} as const};
  const answer = await standups().postStandup(call, {team: 'platform', update, date, source: 'api'});
  return standupsOfPostResult(answer.body)[0];
}

const change = (fields: {
  slack_post_mode?: SlackPostMode;
  slack_digest?: SlackDigest;
  lead_summary?: LeadSummaryChoice;
  names_missing?: boolean;
  absence_reasons?: 'leads' | 'team';
  questions?: readonly NewQuestion[];
}) => slack.core.services.teams.changeTeam(slack.operator(), 'platform', fields);

const commit = (run: Partial<Run>, from: Run | undefined, type: EventType) =>
  commitRun(slack, run, from, type);

/** Opens a run as the services do. */
async function open(members: readonly Member[], date = today): Promise<Run> {
  const now = new Date(slack.core.store.clock.now());
  const run = {
    object: 'run',
    team: 'platform',
    team_id: slack.team,
    date,
    kind: 'scheduled',
    state: 'open',
    opens_at: now.toISOString(),
    closes_at: new Date(now.getTime() + 3_600_000).toISOString(),
    opened_at: now.toISOString(),
    closed_at: null,
    schedule: null,
    timezone: 'UTC',
    participants: members.map(({id: member}) => ({member, timezone: null})),
    missed_steps: [],
    report: null,
  } as const;
  return commit(run, undefined, 'run.opened');
}

async function close(run: Run, more: Partial<Run> = {}): Promise<Run> {
  const closed_at = new Date(slack.core.store.clock.now()).toISOString();
  const call = {workspace: slack.workspace, deadline: newDeadline()};
  const {references: report} = await slack.core.services.runReports.findReport(call, run);
  return commit({state: 'closed', closes_at: closed_at, closed_at, report, ...more}, run, 'run.closed');
}

/** Posts when the run has closed, and revises the run as the service does. */
async function postLate(member: Member, update: string, run: Run): Promise<void> {
  await post(member, update);
  const found = await slack.core.store.records.findBySuffix(slack.workspace, suffixOf(run.id), newDeadline());
  if (found?.revision === run.revision) await commit({}, run, 'run.updated');
}

/** Works until all work is done. */
async function finish(): Promise<void> {
  const pending = workspaceKeys(slack.workspace).slackPending(channel);
  await until(async () => {
    await slack.work({waits: {unanswered: [20, 20, 20, 20, 20], closed: [20, 20], leaseMs: 1_000}});
    return (await slack.core.store.connection.call(newDeadline(), ['EXISTS', pending])) === 0;
  });
}

const plain = (text: string) => text.replaceAll(/<!date[^>]*>/g, 'AT').replaceAll(/ · \w{3} \d+ \w{3}/g, '');

async function shown(): Promise<string[][]> {
  const parents = await slack.parents();
  return Promise.all(
    parents.map(async ({ts, text}) => [
      plain(text),
      ...(await slack.replies(ts)).map((reply) => plain(reply.text)),
    ]),
  );
}

async function digests(): Promise<SlackMessage[]> {
  const parents = await slack.parents();
  const replies = await Promise.all(parents.map(({ts}) => slack.replies(ts)));
  return [...parents, ...replies.flat()].filter(({text}) => text.startsWith('Report'));
}

describe('the message of a day with a run', () => {
  test('is posted when the run opens, counts those expected, and shows when it closes and that it has', async () => {
    const [ada, grace] = [await addMember('Ada'), await addMember('Grace')];
    const run = await open([ada, grace]);
    await finish();
    expect(await shown()).toEqual([['Standup · 0 of 2 posted · closes AT']]);
    await addMember('Alan joined later');
    await post(ada, 'one');
    await finish();
    expect(await shown()).toEqual([['Standup · 1 of 2 posted · closes AT', 'Ada: one']]);
    await change({slack_digest: 'off'});
    await close(run);
    await finish();
    expect(await shown()).toEqual([['Standup · 1 of 2 posted · closed', 'Ada: one']]);
  });

  test('is not made for a run where standups are posted separately, nor again after a person has removed it', async () => {
    await change({slack_post_mode: 'channel'});
    const ada = await addMember('Ada');
    await open([ada], addDays(today, -1));
    await finish();
    expect(await shown()).toEqual([]);
    await change({slack_post_mode: 'thread', slack_digest: 'off'});
    const run = await open([ada]);
    await finish();
    const [parent] = await slack.parents();
    await slack.api('chat.delete', {channel, ts: parent!.ts}, botToken);
    await close(run);
    await finish();
    expect(await shown()).toEqual([]);
  });

  test('is posted once although Slack does not answer or cannot be reached for a while', async () => {
    slack.slack.fail('chat.postMessage', {kind: 'lost'});
    await open([await addMember('Ada')]);
    await finish();
    expect(await shown()).toEqual([['Standup · 0 of 1 posted · closes AT']]);
    expect(slack.slack.of('chat.postMessage')).toHaveLength(1);
  });

  test('regression: is posted although the bot may not search the channel for it', async () => {
    slack.slack.fail('chat.postMessage', {kind: 'status', status: 500});
    slack.slack.failAlways('conversations.history', {kind: 'refused', code: 'missing_scope'});
    await open([await addMember('Ada')]);
    await finish();
    expect(await shown()).toEqual([['Standup · 0 of 1 posted · closes AT']]);
  });

  test('regression: is searched for before it is posted again, even if the bot had given up posting it', async () => {
    const ada = await addMember('Ada');
    const unanswered = Array.from({length: 5}, (): SlackFailure => ({kind: 'status', status: 500}));
    slack.slack.fail('chat.postMessage', ...unanswered, {kind: 'lost'});
    await open([ada]);
    await finish();
    expect(slack.slack.of('chat.postMessage')).toHaveLength(6);
    await post(ada, 'one');
    await finish();
    expect(await shown()).toEqual([['Standup · 1 of 1 posted · closes AT', 'Ada: one']]);
  });
});

describe('a digest', () => {
  test('is a reply to the message of the day, and a late post changes it in place', async () => {
    const [ada, grace] = [await addMember('Ada'), await addMember('Grace')];
    await change({names_missing: true});
    const run = await open([ada, grace]);
    await post(ada, 'in time');
    await finish();
    const closed = await close(run);
    await finish();
    const before = await digests();
    expect(before.map(({text}) => plain(text))).toEqual([
      'Report · 1 of 2 posted\nParticipation 50 % · 1 missing\n\n1 posted\n• Ada\n\n1 missing\n• Grace',
    ]);
    expect(JSON.stringify(before[0]!.blocks)).toMatch(/"link","url":"https?:[^"]*\/p\d+/);
    await postLate(grace, 'late', closed);
    await finish();
    const after = await digests();
    expect(after.map(({ts}) => ts)).toEqual(before.map(({ts}) => ts));
    expect(after.map(({text}) => plain(text))).toEqual([
      'Report · 2 of 2 posted\nParticipation 100 % · 1 late\n\n1 posted\n• Ada\n\n1 late\n• Grace',
    ]);
    const posted = slack.slack.of('chat.postMessage').length;
    await finish();
    expect(slack.slack.of('chat.postMessage')).toHaveLength(posted);
  });

  test('regression: stops counting a member of an open run once their Slack account is known to be deactivated', async () => {
    const gone = await addMember('Gone', {slack_user_id: 'U0GONE'});
    const ada = await addMember('Ada');
    const run = await open([ada, await addMember('Grace'), gone]);
    await finish();
    expect(await shown()).toEqual([['Standup · 0 of 3 posted · closes AT']]);
    await slack.core.services.followSlackAccount(slack.operator(), 'U0GONE', true);
    await finish();
    expect(await shown()).toEqual([['Standup · 0 of 2 posted · closes AT']]);
    const {report} = await slack.core.services.runReports.findReport(slack.operator(), run);
    expect(report.counts).toMatchObject({expected: 2, away: 1, participation: 0});
    await post(ada, 'in time');
    await close(run);
    await finish();
    expect((await digests()).map(({text}) => plain(text))).toEqual([
      'Report · 1 of 2 posted\nParticipation 50 % · 1 missing\n\n1 posted\n• Ada\n\n1 away\n• Gone: Deactivated in Slack\n\n1 missing',
    ]);
  });

  test('is posted in the channel itself if the team wants that, and nowhere if the team wants no digest', async () => {
    const ada = await addMember('Ada');
    await change({slack_digest: 'channel', slack_post_mode: 'channel'});
    await close(await open([ada]));
    await finish();
    expect((await slack.parents()).map(({text}) => plain(text))).toEqual([
      'Report · 0 of 1 posted\nParticipation 0 % · 1 missing\n\n1 missing',
    ]);
    await change({slack_digest: 'off'});
    await close(await open([ada], addDays(today, -1)));
    await finish();
    expect(await digests()).toHaveLength(1);
  });

  test('regression: leaves no standup waiting for a message of the day that the bot may not search for', async () => {
    const ada = await addMember('Ada');
    await change({slack_post_mode: 'channel'});
    const run = await open([ada]);
    slack.slack.fail('chat.postMessage', {kind: 'status', status: 500});
    slack.slack.failAlways('conversations.history', {kind: 'refused', code: 'missing_scope'});
    await close(run);
    await finish();
    await change({slack_post_mode: 'thread'});
    await post(ada, 'one');
    await finish();
    expect((await shown()).flat()).toContain('Ada: one');
  });

  test('is not posted for a run that was closed hours too late', async () => {
    const run = await open([await addMember('Ada')]);
    await close(run, {missed_steps: [{step: 'close', due_at: run.closes_at}]});
    await finish();
    expect(await digests()).toEqual([]);
  });

  test('has the texts that are shown nowhere else, and shows edits and deletions of these texts', async () => {
    await change({slack_post_mode: 'digest'});
    const ada = await addMember('Ada');
    const run = await open([ada]);
    const made = await post(ada, 'first words');
    await close(run);
    await finish();
    expect((await digests())[0]!.text).toContain('• Ada: first words');
    const call = {...slack.operator(), principal: made.author};
    await standups().editStandup(call, made.id, {update: 'other words'});
    await finish();
    expect((await digests())[0]!.text).toContain('• Ada: other words');
    await standups().deleteStandup(call, made.id);
    await finish();
    expect((await digests())[0]!.text).not.toContain('words');
  });

  test('shows the answers to the team’s questions with the text', async () => {
    const questions = [{key: 'risk', label: 'Any risk?', type: 'yes_no'}] as const;
    await change({slack_post_mode: 'digest', questions});
    const ada = await addMember('Ada');
    const run = await open([ada]);
    const call = {...slack.operator(), principal: {type: 'member', id: ada.id, name: ada.name} as const};
    const answers = [{question: 'risk', value: true}];
    await standups().postStandup(call, {team: 'platform', update: 'words', answers, source: 'api'});
    await close(run);
    await finish();
    expect((await digests())[0]!.text).toMatch(/• Ada: words\n\nAny risk\? yes$/);
  });

  test('links to a standup whose message was posted after the digest', async () => {
    const ada = await addMember('Ada');
    const run = await open([ada]);
    await finish();
    slack.slack.fail('chat.getPermalink', {kind: 'status', status: 500});
    const made = await post(ada, 'words');
    await close(run);
    await finish();
    const links = async () => JSON.stringify((await digests())[0]?.blocks).split('"type":"link"').length - 1;
    expect(await links()).toBe(0);
    const call = {...slack.operator(), principal: made.author};
    slack.slack.fail('chat.update', {kind: 'status', status: 500});
    await standups().editStandup(call, made.id, {update: 'other words'});
    await finish();
    expect(await links()).toBe(1);
  });

  test('follows an absence that is entered or withdrawn afterwards', async () => {
    const ada = await addMember('Ada');
    await close(await open([ada]));
    await finish();
    await change({absence_reasons: 'team'});
    const {absences} = slack.core.services;
    const made = await absences.enterAbsence(slack.operator(), {
      member: ada.id,
      kind: 'away',
      from: addDays(today, -3),
      until: today,
      reason: 'Ill',
    });
    await finish();
    expect(plain((await digests())[0]!.text)).toContain('1 away\n• Ada: Ill');
    const {id} = parseWire(made.body);
    await absences.deleteAbsence(slack.operator(), id);
    await finish();
    expect(plain((await digests())[0]!.text)).toContain('1 missing');
  });

  test('is posted once when two jobs work at the same time', async () => {
    const people = await Promise.all(['Ada', 'Grace', 'Alan'].map((name) => addMember(name)));
    await change({slack_post_mode: 'digest'});
    const run = await open(people);
    await Promise.all(people.map((person) => post(person, 'long words '.repeat(350))));
    await close(run);
    await until(async () => {
      await Promise.all([finish(), finish(), finish()]);
      return (await digests()).length > 0;
    });
    expect(await digests()).toHaveLength(3);
    expect(await slack.parents()).toHaveLength(1);
  });

  test('regression: is posted under a new message of the day when a person has removed the first one', async () => {
    const ada = await addMember('Ada');
    const run = await open([ada]);
    await post(ada, 'one');
    await finish();
    const [parent] = await slack.parents();
    await slack.api('chat.delete', {channel, ts: parent!.ts}, botToken);
    await close(run);
    await finish();
    const [again] = await slack.parents();
    expect(plain(again?.text ?? '')).toBe('Standup · 1 of 1 posted · closed');
    expect((await slack.replies(again?.ts ?? '')).map(({text}) => plain(text))).toEqual([
      expect.stringMatching(/^Report · 1 of 1 posted/),
    ]);
    expect(slack.slack.of('chat.postMessage')).toHaveLength(4);
  });

  test('is not posted again after a person has removed it', async () => {
    const ada = await addMember('Ada');
    const run = await close(await open([ada]));
    await finish();
    const [digest] = await digests();
    await slack.api('chat.delete', {channel, ts: digest!.ts}, botToken);
    await postLate(ada, 'late', run);
    await finish();
    expect(await digests()).toEqual([]);
  });

  test('regression: gets no further message after a person has removed its only message', async () => {
    await change({slack_post_mode: 'digest'});
    const [ada, grace] = [await addMember('Ada'), await addMember('Grace')];
    const run = await open([ada, grace]);
    await post(ada, 'words');
    const closed = await close(run);
    await finish();
    const [digest] = await digests();
    await slack.api('chat.delete', {channel, ts: digest!.ts}, botToken);
    await post(ada, 'long words '.repeat(350));
    await postLate(grace, 'long words '.repeat(350), closed);
    await finish();
    expect(await digests()).toEqual([]);
  });

  const failureCases: [string, SlackFailure[]][] = [
    ['the reply is lost', [{kind: 'lost'}, {kind: 'lost'}, {kind: 'lost'}]],
    ['Slack is out of order', [{kind: 'status', status: 503}, {kind: 'lost'}, {kind: 'status', status: 500}]],
    ['Slack wants a pause', [{kind: 'limited', seconds: 1}, {kind: 'lost'}]],
  ];
  test.each(deep ? failureCases : failureCases.slice(0, 1))(
    'is posted once as several messages, and grows and shrinks with its report, when %s',
    async (_, given) => {
      await change({slack_post_mode: 'digest', slack_digest: 'thread'});
      const people = [await addMember('Ada'), await addMember('Grace'), await addMember('Alan')];
      const run = await open(people);
      const long = await Promise.all(people.map((person) => post(person, 'long words '.repeat(350))));
      await finish();
      slack.slack.fail('chat.postMessage', ...given);
      const closed = await close(run);
      await finish();
      const parts = async () => (await digests()).map(({text}) => / posted(?: \((.*?)\))?\n/.exec(text)?.[1]);
      expect(await parts()).toEqual(['part 1 of 3', 'part 2 of 3', 'part 3 of 3']);
      const [parent, ...others] = await slack.parents();
      expect(others).toEqual([]);
      expect(await slack.replies(parent!.ts)).toHaveLength(3);
      slack.slack.fail('chat.update', {kind: 'lost'});
      slack.slack.fail('chat.delete', {kind: 'lost'});
      const [made] = long;
      await standups().deleteStandup({...slack.operator(), principal: made!.author}, made!.id);
      await finish();
      expect(await parts()).toEqual(['part 1 of 2', 'part 2 of 2']);
      await postLate(people[0]!, 'long words '.repeat(350), closed);
      await finish();
      expect(await parts()).toEqual(['part 1 of 3', 'part 2 of 3', 'part 3 of 3']);
    },
  );

  test('is found and not posted again when its process dies after Slack has accepted it', async () => {
    const run = await open([await addMember('Ada')]);
    await close(run);
    await finish();
    const [digest] = await digests();
    const [parent] = await slack.parents();
    const item = {kind: 'digest', team: suffixOf(slack.team), date: today} as const;
    const key = workspaceKeys(slack.workspace).slackDigest(item.team, item.date);
    await slack.core.store.connection.call(newDeadline(), ['HDEL', key, 'ts', 'posted']);
    const pending = workspaceKeys(slack.workspace).slackPending(channel);
    await slack.core.store.connection.call(newDeadline(), [
      'ZADD',
      pending,
      '1',
      `digest/${item.team}/${item.date}`,
    ]);
    const hold = {workspace: slack.workspace, channel, holder: 'dead'};
    await slack.posts.claim(hold, 100, newDeadline());
    await slack.posts.begin(hold, item, `${Date.now()}:dead`, parent!.ts, 100, newDeadline(), {part: 1});
    await finish();
    expect((await digests()).map(({ts}) => ts)).toEqual([digest!.ts]);
  });
});

describe('a digest that an event changes', () => {
  const run = (from: string, [key, ...args]: readonly [string, ...string[]]) =>
    slack.core.store.connection.call<string[]>(newDeadline(), [from, key, ...args]);

  const asked = () => run('ZRANGE', [workspaceKeys(slack.workspace).slackPending(channel), '0', '-1']);

  async function read(): Promise<void> {
    while ((await slack.read()).more);
  }

  test('regression: is updated in each of 120 teams', async () => {
    const ada = await addMember('Ada');
    const keys = workspaceKeys(slack.workspace);
    const slugs = Array.from({length: 120}, (_, i) => `team-${i}`);
    const ids: Id<'team'>[] = [];
    for (const slug of slugs)
      ids.push(asId((await slack.core.services.teams.createTeam(slack.operator(), {slug})).id ?? ''));
    for (const id of ids) await run('HSET', [keys.slackDigest(id, today), 'channel', channel]);
    await slack.core.services.members.deleteMember(slack.operator(), ada.id, {erase: false});
    await read();
    expect((await asked()).filter((item) => item.startsWith('digest/'))).toHaveLength(ids.length);
  });

  test('regression: is updated only in teams that an absence concerns', async () => {
    const yesterday = addDays(today, -1);
    const grace = await addMember('Grace');
    for (const date of [addDays(today, -3), yesterday]) await close(await open([grace], date));
    await open([grace]);
    await finish();
    const {absences, members, people} = slack.core.services;
    const made = await members.createMember(slack.operator(), {name: 'Ada', role: 'member'});
    const {id} = parseWire(made.body);
    const span = {member: id, kind: 'away', from: addDays(today, -3), until: today} as const;
    const {body} = await absences.enterAbsence(slack.operator(), span);
    await read();
    expect(await asked()).toEqual([]);
    await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, id);
    await finish();
    await absences.deleteAbsence(slack.operator(), parseWire(body).id);
    await read();
    // The reports are of runs before the membership. The first of these days ended long ago.
    const team = suffixOf(slack.team);
    expect(await asked()).toEqual([`day/${team}/${yesterday}`, `day/${team}/${today}`]);
  });

  test('is updated when a member who has left the team since the run enters an absence', async () => {
    const [ada] = [await addMember('Ada'), await addMember('Grace')];
    await close(await open([ada], addDays(today, -1)));
    await finish();
    await slack.core.services.teamMembers.removeTeamMember(slack.operator(), 'platform', ada.id);
    await finish();
    expect(plain((await digests())[0]!.text)).toContain('1 missing');
    const span = {member: ada.id, kind: 'away', from: addDays(today, -3), until: today} as const;
    await slack.core.services.absences.enterAbsence(slack.operator(), span);
    await finish();
    expect(plain((await digests())[0]!.text)).toContain('1 away\n• Ada');
  });

  test('regression: is updated after midnight while the run of yesterday is still open', async () => {
    const [ada, grace] = [await addMember('Ada'), await addMember('Grace')];
    await open([ada, grace], addDays(today, -1));
    await finish();
    expect(await shown()).toEqual([['Standup · 0 of 2 posted · closes AT']]);
    await slack.core.services.teamMembers.removeTeamMember(slack.operator(), 'platform', grace.id);
    await finish();
    expect(await shown()).toEqual([['Standup · 0 of 1 posted · closes AT']]);
  });

  test.each(deep ? ['step by step', 'at once'] : ['step by step'])(
    'is updated when a member is erased, %s, however old the digest is',
    async (how) => {
      const step = async () => (how === 'at once' ? undefined : finish());
      await change({names_missing: true, slack_post_mode: 'digest', absence_reasons: 'team'});
      const [ada, grace] = [await addMember('Ada'), await addMember('Grace')];
      const dates = [today, addDays(today, -3), addDays(today, -40)];
      const off = {kind: 'away', from: dates[1]!, until: dates[1]!, reason: 'Dentist'} as const;
      await slack.core.services.absences.enterAbsence(slack.operator(), {member: grace.id, ...off});
      await post(grace, 'Here are words');
      for (const date of dates) await close(await open([ada, grace], date));
      await finish();
      const said = async () => JSON.stringify([await slack.parents(), await digests()]);
      expect((await digests()).filter(({text}) => text.includes('Grace'))).toHaveLength(3);
      expect(await said()).toContain('Dentist');
      const {members, forgetMember} = slack.core.services;
      await members.deleteMember(slack.operator(), grace.id, {erase: true});
      await step();
      while (await forgetMember(slack.operator(), grace.id, true)) await step();
      await finish();
      expect(await digests()).toHaveLength(3);
      expect(await said()).not.toMatch(/Grace|Dentist|Here are words/);
    },
  );

  test('regression: loses the names when the team stops naming missing members, and keeps its texts when the team changes how standups are shown', async () => {
    await change({slack_post_mode: 'digest', names_missing: true});
    const [ada, grace] = [await addMember('Ada'), await addMember('Grace')];
    const run = await open([ada, grace]);
    await post(ada, 'only here');
    await close(run);
    await finish();
    expect((await digests())[0]!.text).toMatch(/• Ada: only here[^]*• Grace/);
    await change({slack_post_mode: 'thread', names_missing: false});
    await finish();
    const [{text} = {text: ''}] = await digests();
    expect(text).toContain('• Ada: only here');
    expect(text).not.toContain('Grace');
  });

  test('regression: is updated in the channel that the team had when the run opened', async () => {
    const run = await open([await addMember('Ada')]);
    await finish();
    await slack.core.services.teams.changeTeam(slack.operator(), 'platform', {slack_channel_id: null});
    await close(run);
    await finish();
    expect(await shown()).toEqual([['Standup · 0 of 1 posted · closed']]);
  });

  test('is updated when a member leaves the workspace', async () => {
    await change({names_missing: true});
    const [ada, grace] = [await addMember('Ada'), await addMember('Grace')];
    await close(await open([ada, grace]));
    await finish();
    expect((await digests())[0]!.text).toContain('Grace');
    await slack.core.services.members.deleteMember(slack.operator(), grace.id, {erase: false});
    await finish();
    expect((await digests())[0]!.text).not.toContain('Grace');
  });
});

describe('a channel that refuses a report', () => {
  let person: string;
  beforeEach(async () => {
    const {members} = (await slack.api('users.list', {})) as {members: {id: string; name: string}[]};
    person = members.find(({name}) => name === 'ada')?.id ?? '';
    // The only notices here are those about the channel.
    await change({lead_summary: 'never'});
  });

  const patient = {unanswered: [20], closed: [60_000], leaseMs: 1_000};

  async function addLead(): Promise<Member> {
    const input = {name: 'Ada', role: 'member', slack_user_id: person} as const;
    const answer = await slack.core.services.members.createMember(slack.operator(), input);
    const lead = parseWire(answer.body);
    await slack.core.services.teamMembers.setTeamMember(slack.operator(), 'platform', lead.id, 'lead');
    return lead;
  }

  /** One round of work for the channel, then for the lead. */
  async function round(): Promise<void> {
    await slack.work({waits: patient});
    await slack.read();
    await slack.postSlice({channel: person, waits: patient});
  }

  async function directMessages(): Promise<SlackMessage[]> {
    const opened = await slack.api('conversations.open', {users: person}, lookingToken);
    const direct = (opened as {channel: {id: string}}).channel.id;
    const found = await slack.api('conversations.history', {channel: direct, limit: '100'}, botToken);
    return (found['messages'] as SlackMessage[]).toReversed();
  }

  async function failures() {
    const {rows} = await slack.core.services.events.listEvents(slack.operator(), {limit: 100});
    return rows
      .map((row) => JSON.parse(row) as {type: string; data: {object: string; date: string; reason: string}})
      .filter(({type}) => type.startsWith('slack.'))
      .map(({type, data: {object, date, reason}}) => ({type, object, date, reason}));
  }

  test('is reported once to the lead with the fix, and to programs with the reason; after a retry the report is posted', async () => {
    const run = await open([await addLead()]);
    await finish();
    slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'is_archived'});
    await close(run);
    await round();
    await round();
    expect(await failures()).toEqual([
      {type: 'slack.report_failed', object: 'run', date: today, reason: 'is_archived'},
    ]);
    expect(await directMessages()).toMatchObject([{text: expect.stringContaining('Unarchive it')}]);
    expect(await digests()).toEqual([]);
    await slack.action({action_id: 'try-again', value: channel});
    await until(() => slack.slack.of('respond').length > 0);
    await until(async () => {
      await round();
      return (await directMessages())[0]?.text.startsWith('Solved');
    });
    expect(await directMessages()).toMatchObject([
      {text: `Solved. I posted 1 report of Platform in <#${channel}>.`},
    ]);
    expect(await digests()).toHaveLength(1);
  });

  test('does not delay other messages when the bot cannot look for the report, and Post again posts it', async () => {
    const ada = await addLead();
    const run = await open([ada]);
    await finish();
    slack.slack.fail('chat.postMessage', {kind: 'status', status: 500});
    slack.slack.failAlways('conversations.replies', {kind: 'refused', code: 'missing_scope'});
    await close(run);
    await round();
    await until(async () => {
      await round();
      return (await directMessages()).length === 1;
    });
    expect(await failures()).toMatchObject([{type: 'slack.report_failed', reason: 'outcome_unknown'}]);
    expect((await directMessages())[0]?.text).toContain('1 report of Platform may be missing');
    await post(ada, 'late words', addDays(today, -1));
    await round();
    expect(JSON.stringify(await shown())).toContain('late words');
    await slack.action({action_id: 'post-again', value: channel});
    await until(() => slack.slack.of('respond').length > 0);
    await until(async () => {
      await round();
      return (await digests()).length === 1;
    });
    await until(async () => {
      await round();
      return (await directMessages())[0]?.text.startsWith('Solved. I posted 1 report');
    });
  });

  test('regression: is posted by Post again that is pressed while the bot posts something else there', async () => {
    const ada = await addLead();
    const run = await open([ada]);
    await finish();
    slack.slack.fail('chat.postMessage', {kind: 'status', status: 500});
    slack.slack.failAlways('conversations.replies', {kind: 'refused', code: 'missing_scope'});
    await close(run);
    await until(async () => {
      await round();
      return (await directMessages()).length === 1;
    });
    await finish();
    const {promise: released, resolve: release} = Promise.withResolvers<void>();
    slack.slack.fail('chat.postMessage', {kind: 'late', until: released});
    const posted = slack.slack.of('chat.postMessage').length;
    await post(ada, 'late words', addDays(today, -1));
    const working = round();
    await until(() => slack.slack.of('chat.postMessage').length > posted);
    await slack.action({action_id: 'post-again', value: channel});
    await until(() => slack.slack.of('respond').length > 0);
    release();
    await working;
    await until(async () => {
      await round();
      return (await directMessages())[0]?.text.startsWith('Solved. ');
    });
    expect(await digests()).toHaveLength(1);
  });
});
