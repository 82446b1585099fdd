import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import type {WeekContent} from '../../src/domain/runs/week-content.js';
import {presentWeek} from '../../src/bot/slack/week/present-week.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {addDays, dayNumber} from '../../src/domain/core/dates.js';
import type {EventType} from '../../src/domain/events/event.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import {parseWire} from '../../src/domain/core/resource.js';
import type {Run} from '../../src/domain/runs/run.js';
import {type Standup, standupsOfPostResult} from '../../src/domain/standups/standup.js';
import {hasLaterRun, findMondayOf, findSundayOf} from '../../src/domain/schedules/week.js';
import type {Member} from '../../src/domain/workspaces/workspace.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {channel, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {findLimitViolations} from '../support/slack-limits.js';
import {until} from '../support/until.js';
import {asId} from '../support/ids.js';
import {commitRun} from './commit-run.js';

const translation = translationFor();

const newDeadline = () => performance.now() + 2_000;
const schedule = {
  frequency: 'weekly',
  interval: 1,
  days: ['mon', 'wed', 'fri'],
  opens: '09:00',
  closes: '17:00',
  reminders: [],
  clock: 'team',
  starts_on: '2026-01-01',
} as const;

describe('the weekly summary in a channel', () => {
  let slack: SlackHarness;
  /** A day of last week, so that no test depends on the day it runs on. */
  let monday: string;
  let ada: Member;
  let grace: Member;
  const on = (day: number) => addDays(monday, day);

  beforeEach(async () => {
    slack = await startSlack();
    monday = addDays(findMondayOf(new Date(slack.core.store.clock.now()).toISOString().slice(0, 10)), -7);
    [ada, grace] = [await addMember('Ada'), await addMember('Grace')];
    await change({schedule: {...schedule, days: [...schedule.days]}, slack_weekly_summary: true});
  });
  afterEach(async () => {
    expect(slack.slack.limitViolations).toEqual([]);
    await slack.close();
  });

  const change = (fields: Parameters<SlackHarness['core']['services']['teams']['changeTeam']>[2]) =>
    slack.core.services.teams.changeTeam(slack.operator(), 'platform', fields);

  async function addMember(name: string): Promise<Member> {
    const {members, people} = slack.core.services;
    const answer = await members.createMember(slack.operator(), {name, role: 'member'});
    const member = parseWire(answer.body);
    await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, member.id);
    return member;
  }

  async function post({id, name}: Member, date: string): Promise<Standup> {
    const call = {...slack.operator(), principal: {type: 'member', id, name} as const};
    const input = {team: 'platform', update: `of ${date}`, date, source: 'api'} as const;
    return standupsOfPostResult((await slack.core.services.standups.postStandup(call, input)).body)[0];
  }

  const commit = (run: Partial<Run>, from: Run | undefined, type: EventType) =>
    commitRun(slack, run, from, type);

  /** Opens a run as the services do. */
  async function open(date: string): Promise<Run> {
    const now = new Date(slack.core.store.clock.now()).toISOString();
    const run = {
      object: 'run',
      team: 'platform',
      team_id: slack.team,
      date,
      kind: 'scheduled',
      state: 'open',
      opens_at: now,
      closes_at: now,
      opened_at: now,
      closed_at: null,
      schedule: null,
      timezone: 'UTC',
      participants: [ada, grace].map(({id: member}) => ({member, timezone: null})),
      missed_steps: [],
      report: null,
    } as const;
    return commit(run, undefined, 'run.opened');
  }

  async function close(run: Run, more: Partial<Run> = {}): Promise<Run> {
    const closed_at = new Date(slack.core.store.clock.now()).toISOString();
    const call = {workspace: slack.workspace, deadline: newDeadline()};
    const {references: report} = await slack.core.services.runReports.findReport(call, run);
    return commit({state: 'closed', closed_at, report, ...more}, run, 'run.closed');
  }

  /** A run on Monday with both, and one on Wednesday with Ada alone. */
  async function begin(): Promise<Run> {
    const first = await open(on(0));
    await post(ada, on(0));
    await post(grace, on(0));
    const closed = await close(first);
    const second = await open(on(2));
    await post(ada, on(2));
    await close(second);
    return closed;
  }

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

  const weeks = async (of = channel) =>
    (await slack.parents(of)).filter(({metadata}) => metadata?.event_type === 'standup_week');
  const lines = async () => (await weeks())[0]?.text.replaceAll(/\w{3} \d+ \w{3}/g, 'DAY').split('\n');

  test('is posted once after the last run of the week, with participation figures and links to the reports', async () => {
    await begin();
    await finish();
    expect(await weeks()).toEqual([]);
    const last = await open(on(4));
    await post(grace, on(4));
    await close(last);
    await finish();
    const [message, ...more] = await weeks();
    expect(more).toEqual([]);
    const {counts, by_date: days} = await slack.core.services.findParticipation(
      slack.operator(),
      'platform',
      {
        since: monday,
        until: findSundayOf(monday),
      },
    );
    expect(days.map((day) => [day.counts.posted + day.counts.late, day.counts.expected])).toEqual([
      [2, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(await lines()).toEqual([
      'The week · DAY to DAY',
      `${counts.posted + counts.late} of ${counts.expected} posted · participation ${Math.round((counts.participation ?? 0) * 100)} %`,
      '• DAY: 2 of 2 posted',
      '• DAY: 1 of 2 posted',
      '• DAY: 1 of 2 posted',
      'Who posted',
      'Ada 2, Grace 2',
    ]);
    const links = JSON.stringify(message?.blocks).match(/"type":"link"/g);
    expect(links).toHaveLength(3);
  });

  test('is shown by /standup report only to the person who asks, for last week, this week or yesterday', async () => {
    await begin();
    const ask = async (text: string) => (await slack.command(text)).body as {text: string};
    const found = await ask('report');
    expect(found).toMatchObject({response_type: 'ephemeral'});
    expect(found.text.split('\n')).toContain('3 of 4 posted · participation 75 %');
    expect((await ask('report last week')).text).toBe(found.text);
    expect((await ask('report this week')).text).toBe('No run closed in that time.');
    expect(await weeks()).toEqual([]);
    const yesterday = addDays(new Date(slack.core.store.clock.now()).toISOString().slice(0, 10), -1);
    const run = await open(yesterday);
    await post(ada, yesterday);
    await close(run);
    expect((await ask('report yesterday')).text).toContain('Ada');
  });

  test('compares the moods of the week with those of the week before, and follows an edit of one', async () => {
    await change({questions: [{key: 'mood', label: 'Mood?', type: 'mood', required: true}]});
    const rate = async (date: string, value: number) => {
      const call = {...slack.operator(), principal: {type: 'member', id: ada.id, name: 'Ada'} as const};
      const input = {team: 'platform', answers: [{question: 'mood', value}], date, source: 'api'} as const;
      const {standups} = slack.core.services;
      return standupsOfPostResult((await standups.postStandup(call, input)).body)[0];
    };
    await rate(on(-7), 3);
    const first = await open(on(4));
    const standup = await rate(on(4), 4);
    await close(first);
    await finish();
    const shown = async () => (await weeks())[0]?.text;
    expect(await shown()).toContain('• Mood?: 4 on average from 1 answer, 1 higher than the week before.');
    await slack.core.services.standups.editStandup(slack.operator(), standup.id, {
      answers: [{question: 'mood', value: 2}],
    });
    await finish();
    expect(await shown()).toContain('• Mood?: 2 on average from 1 answer, 1 lower than the week before.');
  });

  test('is not posted for a team that does not want it', async () => {
    await change({slack_weekly_summary: false});
    await begin();
    await close(await open(on(4)));
    await finish();
    expect(await weeks()).toEqual([]);
  });

  test.each([
    ['missed', {state: 'missed'} as const],
    ['closed hours too late', {state: 'closed', missed_steps: [{step: 'close', due_at: ''}]} as const],
  ])('is posted when the first run of the next week opens, where the last run was %s', async (_, how) => {
    await begin();
    const last = await open(on(4));
    if (how.state === 'closed') await close(last, how);
    await finish();
    expect(await weeks()).toEqual([]);
    if (how.state === 'missed') {
      await commit(how, last, 'run.missed');
      await finish();
      // The week waits for no other run.
      expect(await weeks()).toHaveLength(1);
    }
    await open(on(7));
    await finish();
    expect(await weeks()).toHaveLength(1);
    await open(on(9));
    await finish();
    expect(await weeks()).toHaveLength(1);
  });

  test('is posted when the team is paused before the end of its week, with the figures so far', async () => {
    await begin();
    const last = await open(on(4));
    await finish();
    await change({paused: true});
    await commit({state: 'cancelled'}, last, 'run.cancelled');
    await finish();
    expect(await lines()).toContain('3 of 4 posted · participation 75 %');
  });

  test('is posted once even if the answer is lost, two jobs work at a time, or Slack is closed for a while', async () => {
    await begin();
    await finish();
    await change({slack_channel_id: otherChannel, slack_digest: 'off', slack_post_mode: 'channel'});
    slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'is_archived'}, {kind: 'lost'});
    await close(await open(on(4)));
    await Promise.all([finish(otherChannel), finish(otherChannel)]);
    expect(await weeks(otherChannel)).toHaveLength(1);
    expect(await weeks()).toEqual([]);
    await slack.work({channel: otherChannel});
    expect(
      slack.slack.of('chat.postMessage').filter(({body}) => body['channel'] === otherChannel),
    ).toHaveLength(2);
  });

  test('is found and not posted again when its process dies after Slack has accepted it', async () => {
    await begin();
    await finish();
    await change({slack_digest: 'off', slack_post_mode: 'channel'});
    await close(await open(on(4)));
    await finish();
    const [message] = await weeks();
    const key = workspaceKeys(slack.workspace).slackWeek(slack.team, monday);
    const {connection} = slack.core.store;
    await connection.call(newDeadline(), ['HDEL', key, 'ts', 'shown']);
    await connection.call(newDeadline(), ['HSET', key, 'sending', `${Date.now() - 5_000}:somebody`]);
    const item = {kind: 'week', team: suffixOf(slack.team), date: monday} as const;
    await slack.posts.refresh(slack.workspace, [{channel, item}], newDeadline());
    await finish();
    expect((await weeks()).map(({ts}) => ts)).toEqual([message?.ts]);
    expect(
      (await slack.posts.findWeek(slack.workspace, suffixOf(slack.team), monday, newDeadline()))?.ts,
    ).toBe(message?.ts);
  });

  test('follows a late post, names no erased member, and is not posted again after a person has removed it', async () => {
    await begin();
    const last = await close(await open(on(4)));
    await finish();
    expect(await lines()).toContain('3 of 6 posted · participation 50 %');
    await post(ada, on(4));
    const found = await slack.core.store.records.findBySuffix(
      slack.workspace,
      suffixOf(last.id),
      newDeadline(),
    );
    if (found?.revision === last.revision) await close(last);
    await finish();
    expect(await lines()).toContain('4 of 6 posted · participation 67 %');
    expect((await lines())?.at(-1)).toBe('Ada 3, Grace 1');
    await slack.core.services.members.deleteMember(slack.operator(), grace.id, {erase: true});
    while ((await slack.core.services.forgetMember(slack.operator(), grace.id, true)) === true);
    await finish();
    expect((await weeks())[0]?.text).not.toContain('Grace');
    await slack.api('chat.delete', {channel, ts: (await weeks())[0]?.ts ?? ''}, 'xoxb-test-bot');
    await change({names_missing: true});
    await finish();
    await change({names_missing: false});
    await finish();
    expect(await weeks()).toEqual([]);
  });

  test('regression: is edited at the next check after an edit failed', async () => {
    await begin();
    const last = await close(await open(on(4)));
    await finish();
    slack.slack.failAlways('chat.update', {kind: 'status', status: 500});
    await post(ada, on(4));
    const found = await slack.core.store.records.findBySuffix(
      slack.workspace,
      suffixOf(last.id),
      newDeadline(),
    );
    if (found?.revision === last.revision) await close(last);
    await finish();
    slack.slack.clear();
    const item = {kind: 'week', team: suffixOf(slack.team), date: monday} as const;
    await slack.posts.refresh(slack.workspace, [{channel, item}], newDeadline());
    await finish();
    expect(await lines()).toContain('4 of 6 posted · participation 67 %');
  });

  test('counts the blockers that were raised and resolved in its week, and shows open ones with their age', async () => {
    const {blockers} = slack.core.services;
    const raise = async (text: string) => {
      const principal = {type: 'member', id: ada.id, name: 'Ada'} as const;
      return (
        (await blockers.raiseBlocker({...slack.operator(), principal}, {team: 'platform', text})).id ?? ''
      );
    };
    const today = new Date(slack.core.store.clock.now()).toISOString().slice(0, 10);
    monday = findMondayOf(today);
    await raise('<!channel> no *key*');
    await blockers.changeBlocker(slack.operator(), await raise('over'), {state: 'resolved'});
    const run = await open(findSundayOf(monday));
    await close(run);
    await finish();
    const age = dayNumber(findSundayOf(monday)) - dayNumber(today);
    expect((await lines())?.slice(-3)).toEqual([
      'Blockers · 2 raised · 1 resolved · 1 still open',
      'Time to resolve (median): less than an hour',
      `• Ada: &lt;!channel&gt; no *key* (since DAY, ${age} ${age === 1 ? 'day' : 'days'})`,
    ]);
    expect(JSON.stringify((await weeks())[0]?.blocks)).not.toMatch(/"type":"(user|broadcast|mrkdwn)"/);
  });
});

describe('the message of a week', () => {
  const counts = (posted: number, expected: number) => ({
    expected,
    posted,
    late: 0,
    missed: expected - posted,
    away: 0,
    holiday: 0,
    skipped: 0,
    unreachable: 0,
    participation: expected === 0 ? null : posted / expected,
  });
  const content = (people: readonly [string, number, number][], open: WeekContent['blockers']['open'] = []) =>
    ({
      team: 't',
      monday: '2026-11-16',
      namesMissing: false,
      links: new Map(),
      blockers: {raised: 0, resolved: 0, open},
      trends: {questions: [], hours: null} as WeekContent['trends'],
      participation: {
        object: 'participation',
        team: 'platform',
        team_id: asId('team_1'),
        since: '2026-11-16',
        until: '2026-11-22',
        counts: counts(1, 2),
        by_date: [{date: '2026-11-16', run: asId('run_1'), counts: counts(1, 2)}],
        by_member: people.map(([name, posted, of], i) => ({
          member: {type: 'member', id: asId(`mem_${i}`), name},
          counts: counts(posted, of),
        })),
      },
    }) satisfies WeekContent;

  test('ranks no member, and names members who have missed runs only where the team allows it', () => {
    const all = content([
      ['Ada', 1, 5],
      ['Grace', 5, 5],
      ['Mary', 0, 5],
    ]);
    expect(presentWeek(translation, all).text).toMatch(/\nAda 1, Grace 5$/);
    expect(presentWeek(translation, {...all, namesMissing: true}).text).toMatch(
      /\nAda 1 of 5, Grace 5 of 5, Mary 0 of 5$/,
    );
  });

  test('compares the answers of the week with those before it, in both languages, and says nothing without answers', () => {
    const trends = {
      questions: [
        {
          type: 'mood',
          label: 'How do you feel?',
          mean: 3.84,
          answers: 12,
          change: {way: 'higher', amount: 0.34},
        },
        {type: 'number', label: 'Hours', mean: 1.25, answers: 1, change: null},
        {type: 'mood', label: 'Team?', mean: 4, answers: 2, change: {way: 'same', amount: 0}},
      ],
      hours: 4.6,
    } as const;
    const all = {...content([]), blockers: {raised: 2, resolved: 1, open: []}, trends};
    expect(presentWeek(translation, all).text.split('\n').slice(-6)).toEqual([
      'Answers',
      '• How do you feel?: 3.8 on average from 12 answers, 0.3 higher than the week before.',
      '• Hours: 1.25 on average from 1 answer.',
      '• Team?: 4 on average from 2 answers, the same as the week before.',
      'Blockers · 2 raised · 1 resolved · 0 still open',
      'Time to resolve (median): 5 hours',
    ]);
    expect(presentWeek(translationFor('de'), all).text).toContain(
      '• How do you feel?: im Schnitt 3,8 aus 12 Antworten (0,3 höher als in der Woche davor).',
    );
    expect(presentWeek(translation, content([])).text).not.toMatch(/Answers|Time to resolve/);
  });

  test('respects the limits whatever people are called and write, and pings no one', () => {
    const people = Array.from({length: 500}, (_, i): [string, number, number] => [
      `<@U${i}> & ${'漢&'.repeat(35)}`,
      3,
      5,
    ]);
    const open = Array.from({length: 100}, (_, i) => ({
      id: asId<'blocker'>(`blk_${i}`),
      author: {type: 'member', id: asId<'member'>(`mem_${i}`), name: '&'.repeat(80)} as const,
      text: '<!here> & '.repeat(200),
      since: '2026-11-16',
      days: 4,
    }));
    const questions = Array.from({length: 10}, () => ({
      type: 'number' as const,
      label: '<!here>&'.repeat(20).slice(0, 150),
      mean: -Number.MAX_SAFE_INTEGER,
      answers: 1_000,
      change: {way: 'lower' as const, amount: Number.MAX_SAFE_INTEGER},
    }));
    for (const namesMissing of [true, false]) {
      const trends = {questions, hours: 4};
      const message = presentWeek(translation, {...content(people, open), trends, namesMissing});
      expect(findLimitViolations(message)).toEqual([]);
      expect(message.text).toContain('100 still open');
      expect(message.text).not.toMatch(/<[@!]/);
    }
  });

  test('covers Monday to Sunday, with the last run according to the schedule', () => {
    expect(['2026-11-16', '2026-11-18', '2026-11-22', '2026-11-23'].map(findMondayOf)).toEqual([
      '2026-11-16',
      '2026-11-16',
      '2026-11-16',
      '2026-11-23',
    ]);
    const own = {...schedule, days: [...schedule.days]};
    expect(
      ['2026-11-16', '2026-11-18', '2026-11-20', '2026-11-22'].map((day) => hasLaterRun(own, day)),
    ).toEqual([true, true, false, false]);
  });
});
