// A person who may not post learns that before writing, and one who joins a team by posting is notified.
import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import type {NewSchedule} from '../../src/domain/schedules/schedule.js';
import {calls, fillForm, openStandupForm} from '../support/slack-form.js';
import type {SlackFailure} from '../support/slack-failure-server.js';
import {type BotReply, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

let people = 0;
const newPerson = () => ({id: `U0GUEST${++people}`, name: `guest${people}`});

const guestProfile = ({id}: {id: string}) => ({
  id,
  team_id: 'T000000001',
  name: 'guest',
  is_restricted: true,
});
const guest = (user: {id: string}): SlackFailure => ({
  kind: 'replied',
  reply: {ok: true, user: guestProfile(user)},
});

type NewUser = ReturnType<typeof newPerson>;
const onHome = {channel: undefined, response_url: undefined, view: {type: 'home'}};
const message = {type: 'message', text: 'look at this', user: 'U2', ts: '1.0'};

const entryPoints: readonly (readonly [string, (user: NewUser) => Promise<BotReply>])[] = [
  ['/standup', async (user) => slack.command('', {user, trigger: await slack.trigger()})],
  ['/standup edit', async (user) => slack.command('edit', {user, trigger: await slack.trigger()})],
  ['/standup settings', async (user) => slack.command('settings', {user, trigger: await slack.trigger()})],
  ['/standup undo', (user) => slack.command('undo', {user})],
  ['/standup history', (user) => slack.command('history', {user})],
  ['the shortcut', (user) => slack.shortcut('post-standup', {}, {user})],
  ['the shortcut of a message', (user) => slack.shortcut('add-to-standup', {message}, {user})],
  [
    'Post of a message',
    (user) => slack.action({action_id: 'open-form', value: '{"mode":"new"}'}, {}, {user}),
  ],
  [
    'Post on the Home tab',
    (user) => slack.action({action_id: 'home-post', value: slack.team}, onHome, {user}),
  ],
  ['Set up a standup', (user) => slack.action({action_id: 'open-setup'}, {}, {user})],
  [
    'Settings of a team',
    (user) => slack.action({action_id: 'home-settings', value: slack.team}, onHome, {user}),
  ],
];

describe('regression: a guest', () => {
  test.each(entryPoints)(
    'is refused at once, and sees no form and no team name, when they use %s',
    async (_, use) => {
      const user = newPerson();
      slack.slack.failAlways('users.info', guest(user));
      const {body} = await use(user);
      const shown = new Set(['respond', 'views.open', 'views.update', 'chat.postMessage']);
      const seen = () => body ?? slack.slack.calls.find(({method}) => shown.has(method))?.body;
      const text = JSON.stringify(await until(seen, {what: 'something to see'}));
      expect(text).toContain('Guests can’t post');
      expect(text).not.toMatch(/Platform|input/);
    },
  );
});

describe('regression: a member', () => {
  /** A person who is already a member, and whose profile has not been requested recently. */
  async function newMember() {
    const user = newPerson();
    await slack.core.services.people.ensureSlackMember(slack.operator(), user.id, {
      name: 'Gus',
      timezone: null,
      locale: 'en-US',
    });
    return user;
  }

  test('gets no sign-in link after becoming a guest', async () => {
    const user = await newMember();
    slack.slack.failAlways('users.info', guest(user));
    expect((await slack.command('web', {user})).body.text).toContain('Guests can’t post');
  });

  const changes: readonly (readonly [string, (user: NewUser) => Promise<BotReply>])[] = [
    ['/standup with an update', (user) => slack.command('Fixed the login', {user})],
    ['/standup ooo', (user) => slack.command('ooo today', {user})],
    [
      'Leave on the Home tab',
      (user) => slack.action({action_id: 'home-leave', value: slack.team}, onHome, {user}),
    ],
    [
      'a typed message',
      ({id}) =>
        slack.event({...message, user: id, channel: 'D0GUEST', channel_type: 'im', ts: '1800000000.1'}),
    ],
  ];

  test.each(changes)('changes nothing by %s after becoming a guest', async (_, change) => {
    const user = await newMember();
    slack.slack.failAlways('users.info', guest(user));
    const before = await slack.events();
    const {body} = await change(user);
    const shown = new Set(['respond', 'views.publish', 'chat.postMessage']);
    const seen = () => body?.text ?? slack.slack.calls.find(({method}) => shown.has(method))?.body;
    expect(JSON.stringify(await until(seen, {what: 'a refusal'}))).toContain('Guests can’t post');
    expect(await slack.events()).toEqual(before);
  });

  test.each<(typeof changes)[number]>([
    ...changes,
    ['/standup web', (user) => slack.command('web', {user})],
    ['More settings', (user) => slack.action({action_id: 'more-settings', value: slack.team}, {}, {user})],
  ])('changes nothing by %s after their Slack account was deactivated', async (_, change) => {
    const user = await newMember();
    const {id, team_id, name} = guestProfile(user);
    const reply = {ok: true, user: {id, team_id, name, deleted: true}};
    slack.slack.failAlways('users.info', {kind: 'replied', reply});
    const before = await slack.events();
    const {body} = await change(user);
    const shown = new Set(['respond', 'views.publish', 'chat.postMessage']);
    const seen = () => body?.text ?? slack.slack.calls.find(({method}) => shown.has(method))?.body;
    const text = JSON.stringify(await until(seen, {what: 'a refusal'}));
    expect(text).toContain('Your Slack account is deactivated');
    expect(text).not.toContain('/app/sign-in');
    expect(await slack.events()).toEqual(before);
  });

  test('cannot submit an open form after becoming a guest', async () => {
    const user = await newMember();
    const view = await openStandupForm(slack, {user});
    slack.slack.clear();
    slack.slack.failAlways('users.info', guest(user));
    const {body} = await slack.submit(fillForm(view, `V_${user.id}`, {today: 'by an open form'}), {user});
    const seen = () => (body?.text ?? JSON.stringify(body)) + JSON.stringify(slack.slack.calls);
    await until(() => seen().includes('Guests can’t post'), {what: 'a refusal'});
    expect((await slack.standups()).filter(({update}) => update.includes('by an open form'))).toEqual([]);
  });

  test('changes nothing once Slack reports that they are a guest, without a request to Slack', async () => {
    const user = await newMember();
    expect((await slack.command('post: while a member', {user})).body.text).toContain('✅ Posted');
    await slack.event({type: 'user_change', user: guestProfile(user)});
    const post = async () => (await slack.command('post: as a guest', {user})).body.text as string;
    await until(async () => (await post()).includes('Guests can’t post'), {what: 'a refusal'});
  });

  test('can still post while Slack returns no profile', async () => {
    const user = await newMember();
    slack.slack.failAlways('users.info', {kind: 'status', status: 500});
    expect((await slack.command('post: all the same', {user})).body.text).toContain('✅ Posted');
  });

  test('gets no sign-in link while Slack returns no profile', async () => {
    const user = await newMember();
    slack.slack.failAlways('users.info', {kind: 'status', status: 500});
    expect(JSON.stringify((await slack.command('web', {user})).body)).not.toContain('/app/sign-in');
  });

  test('is refused when the command comes from another Slack workspace', async () => {
    const user = await newMember();
    const fields = {command: '/standup', text: 'Fixed it', user_id: user.id, user_name: user.name};
    const origin = {
      channel_id: 'C000000001',
      trigger_id: user.id,
      response_url: `${slack.slack.url}/respond/x`,
    };
    const {body} = await slack.send({...fields, ...origin, team_id: 'T0ELSEWHERE', api_app_id: 'A1'});
    expect(body.text).not.toMatch(/Posted/);
    expect((await slack.standups()).filter(({update}) => update === 'Fixed it')).toEqual([]);
  });
});

test('a person whose profile Slack does not return at the moment still gets the form', async () => {
  slack.slack.fail('users.info', {kind: 'refused', code: 'user_not_visible'});
  const view = await openStandupForm(slack, {user: newPerson()});
  expect(view.callback_id).toBe('standup-form');
});

describe('a person who posts in a team’s channel for the first time', () => {
  const setSchedule = (schedule: NewSchedule | null) =>
    slack.core.services.teams.changeTeam(slack.operator(), 'platform', {
      prompt_at: 'before_closing',
      schedule,
    });
  const every = {
    frequency: 'weekly',
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    opens: '00:00',
    closes: '23:59',
  } as const;

  test('regression: is notified once that they have joined, when they will be reminded, and how to leave', async () => {
    const user = newPerson();
    await setSchedule({...every, reminders: [30]});
    const {body} = await slack.command('post: passing by', {user});
    expect(body.text).toContain('You joined Platform. I’ll ask you for a standup on Mon–Fri.');
    expect(JSON.stringify(body.blocks)).toContain('"text":"Leave Platform"');
    expect((await slack.command('post: once more', {user})).body.text).not.toContain('You joined');
  });

  test.each<[string, NewSchedule | null, string]>([
    ['a team without a schedule', null, 'You joined Platform. You can leave the team'],
    ['a team without reminders', {...every, reminders: []}, 'Your standup is expected on Mon–Fri.'],
    [
      'some days of every other week',
      {...every, days: ['mon', 'wed'], interval: 2, reminders: [30]},
      'on Mon, Wed (Every 2 weeks)',
    ],
    [
      'a day of the month',
      {...every, frequency: 'monthly', nth: 1, day: 'tue', reminders: [30]},
      'on Tue (First of the month)',
    ],
  ])('is notified how the team reminds its members when they join %s', async (_, schedule, sentence) => {
    await setSchedule(schedule);
    expect((await slack.command('hello team, first words', {user: newPerson()})).body.text).toContain(
      sentence,
    );
  });

  test('is notified that they have joined if they posted with the form, and can leave with a button', async () => {
    await setSchedule(null);
    const user = newPerson();
    const view = await openStandupForm(slack, {user});
    await slack.submit(fillForm(view, `V_${user.id}`, {today: 'by form'}), {user});
    const [answer] = await calls(slack, 'respond');
    expect(answer?.body['text']).toContain('You joined Platform.');
    const buttons = (answer!.body['blocks'] as {elements?: {action_id?: string; value?: string}[]}[]).flatMap(
      ({elements = []}) => elements,
    );
    const leave = buttons.find(({action_id: id}) => id === 'leave-team')!;
    await slack.action({action_id: 'leave-team', value: leave.value ?? ''}, {}, {user});
    const reply = (await calls(slack, 'respond', 2))[1]!;
    expect(reply.body).toMatchObject({text: 'You left Platform.', replace_original: false});
    const member = await slack.core.services.people.findSlackMember(slack.operator(), user.id);
    const teams = await slack.core.services.teams.findDirectory({...slack.operator()});
    const mine = await slack.core.services.people.listTeamsOf(slack.operator(), member!.id, teams.teams);
    expect(mine).toEqual([]);
  });
});
