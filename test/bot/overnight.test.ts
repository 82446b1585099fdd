import {afterAll, afterEach, beforeAll, expect, test} from '@jest/globals';
import {drawnPart} from '../../src/domain/ids.js';
import type {NewSchedule} from '../../src/domain/schedule.js';
import type {Member} from '../../src/domain/workspace.js';
import {testRedisUrl} from '../support/redis-server.js';
import {calls, filled, inputsOf, openedBy, opened, type View, viewOf} from '../support/slack-form.js';
import {admin, botToken, type SlackHarness, type SlackMessage, startSlack} from '../support/slack-harness.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {until} from '../support/until.js';

// A team in Berlin whose run of Tuesday 24 November goes from 22:00 to 02:00, half an hour after midnight.

const night: NewSchedule = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '22:00',
  closes: '02:00',
  reminders: [60],
};
const berlin = (date: string, time: string) => Date.parse(`${date}T${time}:00+01:00`);
const halfPast = berlin('2026-11-25', '00:30');
const [ada, grace, mary] = [{...admin}, {id: '', name: 'person1'}, {id: '', name: 'person2'}];

let clock: TestClock;
let slack: SlackHarness;

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, berlin('2026-11-24', '21:00'));
  slack = await startSlack({redisUrl, time: clock.time});
  const {members} = (await slack.api('users.list', {limit: '100'})) as {members: (typeof admin)[]};
  for (const one of [grace, mary]) one.id = members.find(({name}) => name === one.name)?.id ?? '';
  const {teams, people} = slack.core.services;
  await teams.changeTeam(slack.operator(), 'platform', {timezone: 'Europe/Berlin', schedule: night});
  for (const {id, name} of [ada, grace, mary]) {
    const member = await people.ensureSlackMember(slack.operator(), id, {name, timezone: null});
    await people.joinTeam(slack.operator(), {id: slack.team, slug: 'platform'}, member.id);
  }
  await doRuns();
  await clock.set(berlin('2026-11-24', '22:00'));
  await doRuns();
  await clock.set(halfPast);
});
afterAll(async () => {
  await slack.close();
  await clock.close();
});
afterEach(() => {
  expect(slack.slack.limitFaults).toEqual([]);
  slack.slack.clear();
});

async function doRuns(): Promise<void> {
  while (await slack.core.services.runs.advanceRuns(slack.operator(), drawnPart(slack.team)));
}

const memberOf = async ({id}: {id: string}): Promise<Member> =>
  (await slack.core.services.people.findSlackMember(slack.operator(), id))!;

async function home(user: {id: string}): Promise<string> {
  const before = slack.slack.of('views.publish').length;
  await slack.event({type: 'app_home_opened', user: user.id, channel: 'D1', tab: 'home', event_ts: '1'});
  const found = await until(() => slack.slack.of('views.publish')[before], {what: 'the Home'});
  return JSON.stringify(found.body['view']);
}

const postedBy = async ({id}: {id: string}) => {
  const {id: author} = await memberOf({id});
  return (await slack.standups()).filter((standup) => standup.author.id === author).map(({date}) => date);
};

test('Home shows the run’s day, and the reminder that is to come, by a date that Slack shows in the reader’s time', async () => {
  const shown = await home(ada);
  expect(shown).toContain('Tuesday 24 November · not posted yet');
  expect(shown).toContain('Next reminder: ');
  expect(shown).toContain(`"timestamp":${berlin('2026-11-25', '01:00') / 1_000}`);
  expect(shown).toContain('"action_id":"open-own-settings"');
});

test('“Your settings” on the Home opens them', async () => {
  await slack.action(
    {action_id: 'open-own-settings'},
    {channel: undefined, response_url: undefined, container: {type: 'view'}, view: {type: 'home'}},
  );
  const [call] = await calls(slack, 'views.open');
  expect(viewOf(call).title.text).toBe('Your settings');
});

test('the form posts for the run’s date, and today, Home and the form find it there', async () => {
  const person = await memberOf(ada);
  const by = {...slack.operator(), principal: {type: 'member', id: person.id, name: person.name} as const};
  const {standups} = slack.core.services;
  const update = 'Today\nthe day before';
  await standups.postStandup(by, {team: 'platform', update, date: '2026-11-23', source: 'slack'});
  const view = await opened(slack);
  expect(inputsOf(view)['yesterday']).toBe('the day before');
  await slack.submit(filled(view, 'V_NIGHT', {today: 'after midnight'}));
  expect(await postedBy(ada)).toEqual(['2026-11-24', '2026-11-23']);

  const again = await opened(slack);
  expect(JSON.stringify(inputsOf(again))).toContain('after midnight');
  expect(again.title.text).toBe('Edit your standup');
  const another = await openedBy(slack, {mode: 'new', team: slack.team});
  expect(inputsOf(another)['yesterday']).toBe('the day before');

  const {text} = await slack.command('today');
  expect(text).toContain('Tuesday 24 November');
  expect(text).toContain('after midnight');
  const shown = await home(ada);
  expect(shown).toContain('Tuesday 24 November · posted');
  expect(shown).toContain(`"timestamp":${berlin('2026-11-26', '01:00') / 1_000}`);
});

test('/standup skip is about the run that goes on, names its day, and /standup back takes it back', async () => {
  const {daysOff} = slack.core.services;
  const listOff = async () => {
    const found = await daysOff.listDaysOff(
      slack.operator(),
      [await memberOf(mary)],
      '2026-11-24',
      slack.team,
    );
    return [...found.values()];
  };
  const {text} = await slack.command('skip', {user: mary});
  expect(text).toContain('Skipped: the standup of Tuesday 24 November.');
  expect(await listOff()).toMatchObject([{status: 'skipped'}]);
  const back = await slack.command('back', {user: mary});
  expect(back.text).toContain('Welcome back: you take part in the standup of Tuesday 24 November again.');
  expect(await listOff()).toEqual([]);
  expect((await slack.command('back', {user: mary})).text).toContain('You are not away today.');
});

test('Post of the reminder posts for the run’s date', async () => {
  await clock.set(berlin('2026-11-25', '01:00'));
  await doRuns();
  while ((await slack.read()).more);
  while ((await slack.turn({channel: grace.id})).more);
  const opening = await slack.api('conversations.open', {users: grace.id}, botToken);
  const {channel} = opening as {channel: {id: string}};
  const history = await slack.api('conversations.history', {channel: channel.id}, botToken);
  const [message] = history['messages'] as (SlackMessage & {blocks: View['blocks']})[];
  const button = message?.blocks
    .flatMap(({elements = []}) => elements)
    .find(({action_id: id}) => id === 'prompt-post');
  await slack.action(
    {action_id: 'prompt-post', value: button?.value ?? ''},
    {message: {ts: message?.ts}},
    {user: grace, channel: channel.id},
  );
  const view = viewOf((await calls(slack, 'views.open'))[0]);
  await slack.submit(filled(view, 'V_GRACE', {today: 'reminded'}), {user: grace});
  expect(await postedBy(grace)).toEqual(['2026-11-24']);
});
