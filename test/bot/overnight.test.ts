import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {suffixOf, type Id} from '../../src/domain/core/ids.js';
import type {NewSchedule} from '../../src/domain/schedules/schedule.js';
import type {Member} from '../../src/domain/workspaces/workspace.js';
import {testRedisUrl} from '../support/redis-server.js';
import {
  calls,
  fillForm,
  initialTextsByBlock,
  openFormByButton,
  openStandupForm,
  type View,
  viewOf,
} from '../support/slack-form.js';
import {
  admin,
  botToken,
  lookingToken,
  otherChannel,
  type SlackHarness,
  type SlackMessage,
  startSlack,
} from '../support/slack-harness.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {until} from '../support/until.js';
import {asId} from '../support/ids.js';

// The team is in Berlin. Its run of Tuesday 24 November goes from 22:00 to 02:00; the tests start at 00:30.

const night: NewSchedule = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '22:00',
  closes: '02:00',
  reminders: [60],
};
const berlin = (date: string, time: string) => Date.parse(`${date}T${time}:00+01:00`);
type AddedUser = typeof admin;

const halfPast = berlin('2026-11-25', '00:30');
const strangers = ['person1', 'person2', 'person3', 'person4', 'person5', 'person6'];
const [ada, ...others] = [{...admin}, ...strangers.map((name) => ({id: '', name}))];
const [grace, mary, hedy, rosa, joan, edith] = others as [
  AddedUser,
  AddedUser,
  AddedUser,
  AddedUser,
  AddedUser,
  AddedUser,
];

let clock: TestClock;
let slack: SlackHarness;

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, berlin('2026-11-24', '21:00'));
  slack = await startSlack({redisUrl, time: clock.time});
  const {members} = (await slack.api('users.list', {limit: '100'})) as {members: (typeof admin)[]};
  for (const one of others) one.id = members.find(({name}) => name === one.name)?.id ?? '';
  const {teams, people} = slack.core.services;
  await teams.changeTeam(slack.operator(), 'platform', {
    timezone: 'Europe/Berlin',
    prompt_at: 'before_closing',
    schedule: night,
  });
  for (const {id, name} of [ada, ...others]) {
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
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

async function doRuns(): Promise<void> {
  while (await slack.core.services.runs.advanceRuns(slack.operator(), suffixOf(slack.team)));
}

const memberOf = async ({id}: {id: string}): Promise<Member> =>
  (await slack.core.services.people.findSlackMember(slack.operator(), id))!;

async function home(user: {id: string}): Promise<string> {
  const before = slack.slack.of('views.publish').length;
  await slack.event({type: 'app_home_opened', user: user.id, channel: 'D1', tab: 'home', event_ts: '1'});
  const found = await until(() => slack.slack.of('views.publish')[before], {what: 'the Home'});
  return JSON.stringify(found.body['view']);
}

async function standupsOf({id}: {id: string}) {
  const {id: author} = await memberOf({id});
  return (await slack.standups()).filter((standup) => standup.author.id === author);
}

const postedBy = async (user: {id: string}) => (await standupsOf(user)).map(({date}) => date);

test('Home shows the run’s day and the next reminder as dates in the viewer’s time zone', async () => {
  const shown = await home(ada);
  expect(shown).toContain('Tuesday 24 November · not posted yet');
  expect(shown).toContain('Next reminder: ');
  expect(shown).toContain(`"timestamp":${berlin('2026-11-25', '01:00') / 1_000}`);
  expect(shown).toContain('"action_id":"open-own-settings"');
});

test('“Your settings” on Home opens the member’s own settings', async () => {
  await slack.action(
    {action_id: 'open-own-settings'},
    {channel: undefined, response_url: undefined, container: {type: 'view'}, view: {type: 'home'}},
  );
  const [call] = await calls(slack, 'views.open');
  expect(viewOf(call).title.text).toBe('Your settings');
});

test('Yesterday in the form counts from the day of the run, not from the calendar day', async () => {
  const {id, name} = await memberOf(edith);
  const by = {...slack.operator(), principal: {type: 'member', id, name} as const};
  await slack.core.services.absences.enterAbsence(by, {from: '2026-11-23', until: '2026-11-23'});
  const view = await openStandupForm(slack, {user: edith});
  const asked = view.blocks.find(({block_id}) => block_id === 'yesterday');
  expect(asked?.label?.text).toBe('Since Friday 20 November');
});

test('the form posts for the date of the run, and /standup today, Home and the form show the standup under that date', async () => {
  const person = await memberOf(ada);
  const by = {...slack.operator(), principal: {type: 'member', id: person.id, name: person.name} as const};
  const {standups} = slack.core.services;
  const update = 'Today\nthe day before';
  await standups.postStandup(by, {team: 'platform', update, date: '2026-11-23', source: 'slack'});
  const view = await openStandupForm(slack);
  expect(initialTextsByBlock(view)['yesterday']).toBe('the day before');
  await slack.submit(fillForm(view, 'V_NIGHT', {today: 'after midnight'}));
  expect(await postedBy(ada)).toEqual(['2026-11-24', '2026-11-23']);

  const again = await openStandupForm(slack);
  expect(JSON.stringify(initialTextsByBlock(again))).toContain('after midnight');
  expect(again.title.text).toBe('Edit your standup');
  const another = await openFormByButton(slack, {mode: 'new', team: slack.team});
  expect(initialTextsByBlock(another)['yesterday']).toBe('the day before');

  const {text} = await slack.command('today');
  expect(text).toContain('Tuesday 24 November');
  expect(text).toContain('after midnight');
  const shown = await home(ada);
  expect(shown).toContain('Tuesday 24 November · posted');
  expect(shown).toContain(`"timestamp":${berlin('2026-11-26', '01:00') / 1_000}`);
});

test('/standup skip applies to the open run and names its day, and /standup back undoes it', async () => {
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
  expect(text).toContain('Skipping the standup of Tuesday 24 November.');
  expect(await listOff()).toMatchObject([{status: 'skipped'}]);
  const back = await slack.command('back', {user: mary});
  expect(back.text).toContain('Welcome back! You’re in the standup of Tuesday 24 November again.');
  expect(await listOff()).toEqual([]);
  expect((await slack.command('back', {user: mary})).text).toContain('You’re not away today.');
});

/** The value of the button Post of a person's reminder. */
async function postOf({id}: AddedUser): Promise<string> {
  while ((await slack.read()).more);
  while ((await slack.postSlice({channel: id})).more);
  const opening = await slack.api('conversations.open', {users: id}, lookingToken);
  const {channel} = opening as {channel: {id: string}};
  const history = await slack.api('conversations.history', {channel: channel.id}, botToken);
  const [message] = history['messages'] as (SlackMessage & {blocks: View['blocks']})[];
  const buttons = message?.blocks.flatMap(({elements = []}) => elements);
  return buttons?.find(({action_id: action}) => action === 'prompt-post')?.value ?? '';
}

/** The value of an answer's button. */
function buttonOf(answer: unknown, action: string): string {
  const {blocks} = answer as {blocks: View['blocks']};
  const buttons = blocks.flatMap(({elements = []}) => elements);
  return buttons.find(({action_id: id}) => id === action)?.value ?? '';
}

const press = (user: AddedUser, value: string) =>
  slack.action({action_id: 'prompt-post', value}, {message: {ts: '1.1'}}, {user, channel: user.id});

test('the Post button of a reminder posts for the date of the run', async () => {
  await clock.set(berlin('2026-11-25', '01:00'));
  await doRuns();
  await press(grace, await postOf(grace));
  const view = viewOf((await calls(slack, 'views.open'))[0]);
  await slack.submit(fillForm(view, 'V_GRACE', {today: 'reminded'}), {user: grace});
  expect(await postedBy(grace)).toEqual(['2026-11-24']);
});

describe('a form or button that was sent at night and is used in the morning', () => {
  const heading = (view: View) => view.blocks.find(({type}) => type === 'section')?.text?.text;
  let far: Id<'team'>;
  /** Forms, and values of Post of reminders, from before the run closed. */
  let [clear, choosing, several, edited]: (View | undefined)[] = [];
  let asked: string;
  let askedForTwo: string;
  /** Values of earlier buttons: after an Undo, and for the choice of a team. */
  let [again, which] = ['', ''];

  beforeAll(async () => {
    // It is still the evening before in the other team's zone.
    const {teams, people} = slack.core.services;
    const made = {slug: 'far', name: 'Far', timezone: 'America/New_York'};
    far = asId((await teams.createTeam(slack.operator(), made)).id ?? '');
    for (const one of [hedy, rosa, edith]) {
      await people.joinTeam(slack.operator(), {id: far, slug: 'far'}, (await memberOf(one)).id);
    }
    asked = await postOf(joan);
    clear = await openStandupForm(slack, {user: hedy});
    choosing = await openStandupForm(slack, {user: hedy, channel: otherChannel});
    several = await openStandupForm(slack, {user: rosa});
    await slack.command('to be edited', {user: mary});
    edited = await openStandupForm(slack, {user: mary});
    const undo = buttonOf((await slack.command('to be undone', {user: ada})).body, 'undo-standup');
    await slack.action({action_id: 'undo-standup', value: undo});
    again = buttonOf((await calls(slack, 'respond'))[0]?.body, 'open-form');
    const asks = await slack.command('for which of them', {user: hedy, channel: otherChannel});
    which = buttonOf(asks.body, `post-text:${slack.team}`);
    const run = await teams.findTeam(slack.operator(), 'platform');
    askedForTwo = JSON.stringify({
      mode: 'auto',
      dates: {'2026-11-24': `${suffixOf(run.id)} ${suffixOf(far)}`},
    });
    await clock.set(berlin('2026-11-25', '09:00'));
    await doRuns();
  });

  /** Hedy's form after the team of the night is picked in it. */
  async function picked(form: View): Promise<View> {
    const view = {...fillForm(form, 'V_PICKED', {}, slack.team), type: 'modal', hash: 'h1'};
    await slack.action(
      {action_id: 'choose-team', type: 'static_select'},
      {view, channel: undefined, response_url: undefined},
      {user: hedy},
    );
    return viewOf((await calls(slack, 'views.update'))[0]);
  }

  test('is for the day that the form names, and its standup is late', async () => {
    expect(heading(clear!)).toBe('For Platform, Tuesday 24 November');
    await slack.submit(fillForm(clear!, 'V_CLEAR', {today: 'slept on it'}), {user: hedy});
    expect(await standupsOf(hedy)).toMatchObject([{team: 'platform', date: '2026-11-24', late: true}]);
    // A form that is opened now is for today.
    const now = await openFormByButton(slack, {mode: 'new', team: slack.team});
    expect(heading(now)).toBe('For Platform');
  });

  test('is for the day that the chosen team had at night, even if the form is updated when the team is chosen', async () => {
    await slack.submit(fillForm(choosing!, 'V_FAR', {today: 'far away'}, far), {user: hedy});
    expect((await standupsOf(hedy))[0]).toMatchObject({team: 'far', date: '2026-11-24'});
    const view = await picked(choosing!);
    await slack.submit(fillForm(view, 'V_PICKED', {today: 'picked'}, slack.team), {user: hedy});
    expect((await standupsOf(hedy))[0]).toMatchObject({team: 'platform', date: '2026-11-24', late: true});
  });

  /** A form submitted for one more team. */
  function withAlso(form: View, id: string, team: string | undefined, also: string) {
    const field = form.blocks.find(({block_id: one}) => one?.startsWith('also'))?.block_id ?? '';
    const selected = [{value: also, text: {type: 'plain_text', text: 'Another'}}];
    const whole = fillForm(form, id, {today: 'both'}, team);
    const chosen = {value: {type: 'multi_static_select', selected_options: selected}};
    return {...whole, state: {values: {...whole.state.values, [field]: chosen}}};
  }

  const take = (accept: 'never' | 'always') =>
    slack.core.services.teams.changeTeam(slack.operator(), 'platform', {late_policy: {accept}});
  const refusal = /Platform.* doesn’t accept late updates, and Tuesday 24 November has closed/;

  test('is for each team’s own day, and is refused at a team whose day is closed', async () => {
    await take('never');
    const atFirst = await slack.submit(withAlso(several!, 'V_BOTH', undefined, far), {user: rosa});
    expect(atFirst.body.errors).toEqual({today: expect.stringMatching(refusal)});
    const atOther = await slack.submit(withAlso(choosing!, 'V_ALSO', far, slack.team), {user: hedy});
    expect(atOther.body.errors).toEqual({also: expect.stringMatching(refusal)});
    await take('always');
    await slack.submit(withAlso(several!, 'V_BOTH', undefined, far), {user: rosa});
    const made = (await standupsOf(rosa)).map(({team, date, late}) => ({team, date, late}));
    expect(made).toEqual([
      {team: 'far', date: '2026-11-24', late: false},
      {team: 'platform', date: '2026-11-24', late: true},
    ]);
  });

  test('is for the day of the undone standup after “Post it again”', async () => {
    const before = (await postedBy(ada)).length;
    const view = await openFormByButton(slack, JSON.parse(again) as object);
    expect(heading(view)).toBe('For Platform, Tuesday 24 November');
    const [field = ''] = Object.keys(initialTextsByBlock(view));
    await slack.submit(fillForm(view, 'V_AGAIN', {[field]: 'after all'}));
    const [found, ...others] = await standupsOf(ada);
    expect(others).toHaveLength(before);
    expect(found).toMatchObject({update: 'after all', date: '2026-11-24', late: true});
  });

  test('is for the day on which the team was asked about, when a button chooses the team', async () => {
    const pressTeam = () =>
      slack.action(
        {action_id: `post-text:${slack.team}`, value: which},
        {},
        {user: hedy, channel: otherChannel},
      );
    await take('never');
    await pressTeam();
    expect((await calls(slack, 'respond'))[0]?.body['text']).toMatch(refusal);
    await take('always');
    await pressTeam();
    await calls(slack, 'respond', 2);
    const posted = {update: 'for which of them', team: 'platform', date: '2026-11-24', late: true};
    expect((await standupsOf(hedy))[0]).toMatchObject(posted);
  });

  test('is for today when the form is from before forms named their day', async () => {
    const state = {...JSON.parse(clear!.private_metadata), dates: {}};
    const stale = {...clear!, private_metadata: JSON.stringify(state)};
    await slack.submit(fillForm(stale, 'V_STALE', {today: 'stale'}), {user: edith});
    expect(await standupsOf(edith)).toMatchObject([{date: '2026-11-25', late: false}]);
  });

  test('is for the day that the reminder named, and is refused where that day is closed', async () => {
    await take('never');
    await press(joan, asked);
    const [answer] = await calls(slack, 'respond');
    expect(answer?.body['text']).toMatch(refusal);
    expect(slack.slack.of('views.open')).toEqual([]);

    await take('always');
    await press(joan, asked);
    const view = viewOf((await calls(slack, 'views.open'))[0]);
    expect(heading(view)).toBe('For Platform, Tuesday 24 November');
    await take('never');
    const refused = await slack.submit(fillForm(view, 'V_JOAN', {today: 'asked'}), {user: joan});
    expect(refused.body).toMatchObject({
      response_action: 'errors',
      errors: {today: expect.stringMatching(refusal)},
    });
    await take('always');
    await slack.submit(fillForm(view, 'V_JOAN', {today: 'asked again'}), {user: joan});
    expect(await standupsOf(joan)).toMatchObject([{date: '2026-11-24', late: true}]);
    // The standup of that day can now be edited.
    await press(joan, asked);
    const again = viewOf((await calls(slack, 'views.open', 2))[1]);
    expect(heading(again)).toContain('Your standup for Platform, Tuesday 24 November');
  });

  test('is for the day of the chosen team after the Post button of a reminder for two teams', async () => {
    await press(edith, askedForTwo);
    const view = viewOf((await calls(slack, 'views.open'))[0]);
    expect(heading(view)).toBe('For Tuesday 24 November');
    await slack.submit(fillForm(view, 'V_TWO', {today: 'two'}, slack.team), {user: edith});
    const posted = {team: 'platform', date: '2026-11-24', late: true};
    expect(await standupsOf(edith)).toContainEqual(expect.objectContaining(posted));
  });

  test('is for the day of the standup when the standup was deleted while it was edited', async () => {
    const {standups} = slack.core.services;
    const {id, name} = await memberOf(mary);
    const by = {...slack.operator(), principal: {type: 'member', id, name} as const};
    const [standup] = await standupsOf(mary);
    const [field = ''] = Object.keys(initialTextsByBlock(edited!));
    await standups.editStandup(by, standup?.id ?? '', {update: 'by another door'});
    const changed = await slack.submit(fillForm(edited!, 'V_GONE', {[field]: 'kept'}), {user: mary});
    expect(heading(changed.body.view)).toContain('changed in the meantime');
    await standups.retractStandup(by, standup?.id ?? '');
    const gone = await slack.submit(fillForm(changed.body.view, 'V_GONE'), {user: mary});
    expect(heading(gone.body.view)).toContain('was deleted');
    expect(JSON.stringify(gone.body.view)).toContain('For Platform, Tuesday 24 November');
    await slack.submit(fillForm(gone.body.view, 'V_GONE'), {user: mary});
    expect(await standupsOf(mary)).toMatchObject([{update: 'kept', date: '2026-11-24', late: true}]);
  });

  test('is for today when the reminder is from before reminders named their day', async () => {
    await press(joan, JSON.stringify({team: slack.team}));
    const view = viewOf((await calls(slack, 'views.open'))[0]);
    expect(heading(view)).toBe('For Platform');
  });
});
