import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {suffixOf} from '../../src/domain/core/ids.js';
import {listUsualReminders} from '../../src/domain/schedules/schedule.js';
import {type Team, teamDefaults, type TeamMember} from '../../src/domain/teams/team.js';
import type {SlackCall} from '../support/slack-failure-server.js';
import {testRedisUrl} from '../support/redis-server.js';
import {admin, channel, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';
import {measureTime} from '../support/stopwatch.js';
import {until} from '../support/until.js';
import {startLateSlack} from './late-services.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
  const {members} = await slack.api('users.list', {});
  for (const user of [ada, grace])
    user.id = (members as (typeof ada)[]).find(({name}) => name === user.name)!.id;
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

/** Two users of the emulated Slack. */
const [ada, grace] = [
  {id: '', name: 'ada'},
  {id: '', name: 'grace'},
];

// oxlint-disable-next-line typescript/no-explicit-any -- views and messages of many shapes
type Shape = any;

let channels = 100;
/** A channel that no other test uses. The emulated Slack does not know it, so its join is answered here. */
function newChannel(entrance?: string): string {
  slack.slack.fail(
    'conversations.join',
    entrance === undefined
      ? {kind: 'replied', reply: {ok: true, channel: {}}}
      : {kind: 'refused', code: entrance},
  );
  channels++;
  return `C0000${channels}`;
}

const profile = (id: string, more: object = {}) => ({
  kind: 'replied' as const,
  reply: {ok: true, user: {id, team_id: 'T000000001', name: id.toLowerCase(), tz: 'Asia/Kolkata', ...more}},
});

const calls = (method: string, n = 1) =>
  until(() => slack.slack.of(method).length >= n && slack.slack.of(method), {what: method});

async function last(method: string, n = 1): Promise<SlackCall> {
  const call = (await calls(method, n)).at(-1)!;
  await until(() => call.reply !== undefined, {what: `the reply to ${method}`});
  return call;
}

const blockOf = (view: Shape, id: string): Shape =>
  view.blocks.find((block: Shape) => block.block_id === id)?.element;

/** Presses the button of the offer and waits for the filled modal. */
async function open(user = admin, more: {channel?: string; name?: string; text?: string} = {}) {
  slack.slack.calls.length = 0;
  const {channel: id = 'D000000001', name = 'directmessage'} = more;
  await slack.action(
    {action_id: 'open-setup', ...(more.text !== undefined && {value: JSON.stringify({text: more.text})})},
    {channel: {id, name}},
    {user},
  );
  const opened = await last('views.open');
  const id0 = (opened.reply as Shape).view.id as string;
  const isLoading = (opened.body['view'] as Shape).blocks.length === 1;
  const view = isLoading
    ? ((await last('views.update')).body['view'] as Shape)
    : (opened.body['view'] as Shape);
  slack.slack.calls.length = 0;
  return {...view, id: id0};
}

interface SetupFields {
  readonly name?: string;
  readonly zone?: string | null;
  readonly channel?: string | null;
  readonly days?: readonly string[];
  readonly opens?: string | null;
  readonly questions?: string;
  readonly mode?: 'thread' | 'channel';
}

/** Fills the fields that a form has. A form without blocks asks for everything. */
function filled(view: Shape, fields: SetupFields): Record<string, unknown> {
  const {name = 'Mobile', zone = 'Europe/Berlin', channel: to = otherChannel, mode = 'thread'} = fields;
  const {days = ['mon', 'tue', 'wed', 'thu', 'fri'], opens = '09:00', questions = ''} = fields;
  const values = {
    name: {value: {type: 'plain_text_input', value: name}},
    channel: {value: {type: 'conversations_select', selected_conversation: to}},
    days: {value: {type: 'checkboxes', selected_options: days.map((value) => ({value}))}},
    opens: {value: {type: 'timepicker', selected_time: opens}},
    zone: {value: {type: 'external_select', selected_option: zone === null ? null : {value: zone}}},
    questions: {value: {type: 'plain_text_input', value: questions}},
    mode: {value: {type: 'radio_buttons', selected_option: {value: mode}}},
  };
  const asked = Object.entries(values).filter(
    ([id]) => view.blocks.length === 0 || blockOf(view, id) !== undefined,
  );
  return {...view, state: {values: Object.fromEntries(asked)}, hash: 'h'};
}

const handIn = async (fields: SetupFields, user = admin, view?: Shape) =>
  slack.submit(filled(view ?? (await open(user)), fields), {user});

/** Adds people in the modal at the end of a set-up. */
const addPeople = (shown: Shape, id: string, users: readonly string[], by = admin) => {
  const values = {people: {value: {type: 'multi_users_select', selected_users: users}}};
  return slack.submit({...shown, id, state: {values}, hash: 'h'}, {user: by});
};

/** Sets up a team and adds people to it. */
async function setUpWith(users: readonly string[], fields: SetupFields): Promise<void> {
  const view = await open();
  await handIn(fields, admin, view);
  await addPeople(await result(), view.id, users);
  await result(2);
}

/** A press in a modal comes without a channel and an answer address. */
const inModal = {channel: undefined, response_url: undefined};

/** The text in the modal at the end. */
async function result(n = 1): Promise<Shape> {
  return ((await calls('views.update', n)).at(-1)!.body['view'] as Shape) ?? {};
}

async function teamOf(to: string): Promise<Team | undefined> {
  return (await slack.core.services.teams.findDirectory(slack.operator())).byChannel(to);
}

async function membersOf(team: string): Promise<TeamMember[]> {
  const {teamMembers} = slack.core.services;
  const {rows} = await teamMembers.listTeamMembers(slack.operator(), team, {limit: 100});
  return rows.map((row) => JSON.parse(row) as TeamMember);
}

async function search(typed: string, own?: string): Promise<Shape[]> {
  const payload = {
    type: 'block_suggestion',
    team: {id: 'T000000001', domain: 'acme'},
    user: admin,
    action_id: 'value',
    block_id: 'zone',
    value: typed,
    view: {private_metadata: JSON.stringify({own})},
  };
  const {body} = await slack.send({payload: JSON.stringify(payload)});
  return body.options;
}

/** A channel without a team in every test, and a person without one. */
const teamless = 'C0TEAMLESS';
const stranger = {id: 'U0STRANGER', name: 'stranger'};

describe('a channel without a team', () => {
  test('gets an offer to set up a team, with the text that could not be posted and the button that will post it', async () => {
    const {body} = await slack.command('post: my words', {channel: teamless, user: stranger});
    expect(body.text).toMatch(/^Not posted\. There’s no standup in this channel yet.*Your text: my words$/);
    expect(JSON.stringify(body.blocks)).toContain('Set up a standup here');
    expect(body.blocks.at(-1).elements).toMatchObject([
      {action_id: 'open-setup', value: JSON.stringify({text: 'my words'})},
    ]);
    expect((await slack.standups()).filter(({author}) => author.name === stranger.name)).toEqual([]);
  });

  test('gets a button that contains the text in a form that the escaping by Slack does not change', async () => {
    const {body} = await slack.command('1 &lt; 2 &amp;amp; 3', {channel: teamless, user: stranger});
    const {value} = body.blocks.at(-1).elements[0];
    expect(value).not.toMatch(/[&<>]/);
    const {private_metadata: memo} = await open(ada, {text: (JSON.parse(value) as {text: string}).text});
    expect(JSON.parse(memo)).toMatchObject({text: '1 < 2 &amp; 3'});
  });

  test('gets the offer in place of the form; in a direct message, the set-up asks for the channel', async () => {
    await slack.command('', {channel: teamless, user: stranger, trigger: await slack.trigger()});
    await slack.command('', {channel: 'D000000001', user: stranger, trigger: await slack.trigger()});
    const [here, direct] = await calls('respond', 2);
    expect(JSON.stringify(here?.body['blocks'])).toContain('Set up a standup here');
    expect(JSON.stringify(direct?.body['blocks'])).toContain('"Set up a standup"');
    slack.slack.clear();
    const view = await open(ada, {channel: 'D000000001', name: 'directmessage'});
    expect(blockOf(view, 'channel')).toMatchObject({default_to_current_conversation: true});
    expect(blockOf(view, 'channel').initial_conversation).toBeUndefined();
    expect(blockOf(view, 'name').initial_value).toBeUndefined();
  });

  test('gets back a text that is too long for a button', async () => {
    const text = 'x'.repeat(2_001);
    const {body} = await slack.command(text, {channel: teamless, user: stranger});
    expect(body.blocks.at(-1).elements[0].value).toBeUndefined();
    expect(JSON.stringify(body.blocks)).toContain('x'.repeat(1_500));
  });
});

describe('the set-up', () => {
  test('has the channel, its name and the time zone of the person, which is requested while the modal is open', async () => {
    slack.slack.failAlways('users.info', profile('U77', {tz: 'Asia/Kolkata'}));
    await slack.action(
      {action_id: 'open-setup'},
      {channel: {id: otherChannel, name: 'team-mobile'}},
      {user: {id: 'U77', name: 'new'}},
    );
    const view = (await last('views.update')).body['view'] as Shape;
    expect(slack.slack.calls.map(({method}) => method)).toEqual([
      // The check whether the person may create a team here.
      'users.info',
      'views.open',
      'users.info',
      'views.update',
    ]);
    expect(JSON.parse(view.private_metadata)).toEqual({
      own: 'Asia/Kolkata',
      channel: otherChannel,
      name: 'team-mobile',
    });
    expect(view.blocks.find(({block_id: id}: Shape) => id === 'opens').hint.text).toBe(
      'In Kolkata time. Closes 2 hours later. You can change that in More settings.',
    );
    expect(blockOf(view, 'channel')).toMatchObject({
      initial_conversation: otherChannel,
      filter: {include: ['public', 'private']},
    });
  });

  test('asks only for a channel, days, a time, questions and how updates appear, with an example of each', async () => {
    slack.slack.failAlways('users.info', profile('U79'));
    const view = await open({id: 'U79', name: 'new'}, {channel: otherChannel, name: 'team-mobile'});
    const fields = view.blocks.filter(({type}: Shape) => type === 'input');
    expect(fields.map(({block_id: id, optional}: Shape) => [id, optional])).toEqual([
      ['channel', false],
      ['days', true],
      ['opens', false],
      ['questions', true],
      ['mode', false],
    ]);
    expect(blockOf(view, 'days').initial_options.map(({value}: Shape) => value)).toEqual([
      'mon',
      'tue',
      'wed',
      'thu',
      'fri',
    ]);
    expect(blockOf(view, 'opens').initial_time).toBe('09:00');
    expect(JSON.stringify(view.blocks)).toContain('Closes 2 hours later');
    expect(blockOf(view, 'questions').initial_value).toBe('Yesterday\nToday\nBlockers');
    expect(blockOf(view, 'mode').initial_option.value).toBe('thread');
    expect(view.blocks.filter(({type}: Shape) => type === 'rich_text')).toHaveLength(2);
    expect(JSON.stringify(view.blocks)).toMatch(/The channel gets one message .* you can add people/);
  });

  test('asks also for what neither the channel nor Slack tells: the name and the time zone', async () => {
    slack.slack.failAlways('users.info', {kind: 'status', status: 500});
    const view = await open({id: 'U78', name: 'unknown'});
    expect(view.blocks.filter(({type}: Shape) => type === 'input').map((one: Shape) => one.block_id)).toEqual(
      ['name', 'channel', 'days', 'opens', 'zone', 'questions', 'mode'],
    );
  });

  test('names the team after the channel, and asks for a name if another channel is chosen', async () => {
    const [first, second] = [newChannel(), newChannel()];
    const kay = {id: 'U81', name: 'kay'};
    slack.slack.failAlways('users.info', profile(kay.id));
    await handIn({channel: first}, kay, await open(kay, {channel: first, name: 'team-named'}));
    await result();
    expect(await teamOf(first)).toMatchObject({name: 'team-named', timezone: 'Asia/Kolkata'});
    const view = await open(kay, {channel: first, name: 'team-named'});
    const {body} = await handIn({channel: second, days: ['mon'], opens: '10:00', mode: 'channel'}, kay, view);
    expect(body).toMatchObject({response_action: 'update', view: {callback_id: 'set-up-team'}});
    expect(blockOf(body.view, 'name').initial_value).toBeUndefined();
    expect(blockOf(body.view, 'channel').initial_conversation).toBe(second);
    expect(blockOf(body.view, 'opens').initial_time).toBe('10:00');
    expect(blockOf(body.view, 'mode').initial_option.value).toBe('channel');
    expect(await teamOf(second)).toBeUndefined();
    await handIn({channel: second, name: 'Renamed'}, kay, {...body.view, id: view.id});
    await result();
    expect(await teamOf(second)).toMatchObject({name: 'Renamed', timezone: 'Asia/Kolkata'});
  });

  test('creates a team whose updates are messages of their own', async () => {
    const to = newChannel();
    await handIn({name: 'Open', channel: to, mode: 'channel'});
    await result();
    expect(await teamOf(to)).toMatchObject({slack_post_mode: 'channel'});
  });

  test('gives the team the defaults of every new team for all that it does not ask', async () => {
    const to = newChannel();
    const questions = 'Yesterday\nToday\nBlockers';
    await handIn({name: 'Usual', channel: to, opens: '09:30', questions});
    await result();
    expect(await teamOf(to)).toMatchObject({
      ...teamDefaults,
      schedule: {
        frequency: 'weekly',
        interval: 1,
        days: ['mon', 'tue', 'wed', 'thu', 'fri'],
        opens: '09:30',
        closes: '11:30',
        reminders: listUsualReminders({opens: '09:30', closes: '11:30'}),
        clock: 'team',
      },
    });
  });

  test('creates the team with other days and questions, or without a schedule', async () => {
    const to = newChannel();
    await handIn({
      name: 'Own',
      channel: to,
      days: ['mon', 'wed'],
      opens: '23:00',
      questions: 'How?\nBlockers',
    });
    await result();
    expect(await teamOf(to)).toMatchObject({
      schedule: {days: ['mon', 'wed'], opens: '23:00', closes: '01:00'},
      questions: [
        {key: 'how', type: 'text', raises_blocker: false},
        {key: 'blockers', type: 'text', raises_blocker: true},
      ],
    });
    const other = newChannel();
    await handIn({name: 'Loose', channel: other, days: []});
    await result();
    expect((await teamOf(other))?.schedule).toBeNull();
  });

  test('creates the team, adds the people, joins the channel, and posts the text that waited', async () => {
    const to = otherChannel;
    const view = await open(admin, {text: 'the <first> words'});
    const reply = await handIn({channel: to}, admin, view);
    expect(reply.body).toMatchObject({response_action: 'update'});
    expect(JSON.stringify(reply.body.view)).toContain('Setting up Mobile');
    const added = await result();
    expect(added).toMatchObject({callback_id: 'add-people', submit: {text: 'Add'}});
    await addPeople(added, view.id, [ada.id, grace.id]);
    const shown = await result(2);
    const team = (await teamOf(to))!;
    expect(team).toMatchObject({
      slug: 'mobile',
      name: 'Mobile',
      timezone: 'Europe/Berlin',
    });
    const memberships = await membersOf('mobile');
    expect(memberships.map(({member, role}) => [member.name, role]).toSorted()).toEqual([
      ['ada', 'member'],
      ['admin', 'lead'],
      ['grace', 'member'],
    ]);
    expect(slack.slack.of('conversations.join').map(({body}) => body['channel'])).toEqual([to, to]);
    expect(JSON.stringify(added.blocks)).toContain('I’ll ask everyone in the team then.');
    expect(JSON.stringify(shown.blocks)).toContain('3 people are in the team');
    // The set-up posts nothing to the channel.
    expect(slack.slack.of('chat.postMessage')).toEqual([]);
    const [post, settings, more] = shown.blocks.at(-1).elements;
    expect(settings).toMatchObject({action_id: 'open-settings', value: team.id});
    expect(more).toMatchObject({action_id: 'more-settings', value: team.id});
    slack.slack.calls.length = 0;
    const press = async () =>
      slack.action(post, {
        trigger_id: await slack.trigger(),
        ...inModal,
        view: {...shown, id: view.id, type: 'modal'},
      });
    await press();
    await press();
    const lastView = JSON.stringify((await calls('views.push', 2)).at(-1)!.body['view']);
    expect(lastView).toContain('✅ Posted in ');
    expect(lastView).toContain(`"channel_id":"${to}"`);
    expect((await slack.standups()).map(({team: of, update}) => [of, update])).toEqual([
      ['mobile', 'the <first> words'],
    ]);
    expect((await slack.command('and now by text', {channel: to, user: ada})).body.text).toContain(
      `✅ Posted in <#${to}>`,
    );
  });

  test('creates one team when it is submitted twice', async () => {
    const view = await open();
    const to = newChannel();
    const [first, second] = await Promise.all([
      handIn({name: 'Twice', channel: to}, admin, view),
      handIn({name: 'Twice ', channel: to}, admin, view),
    ]);
    expect([first.body.response_action, second.body.response_action]).toEqual(['update', 'update']);
    await result(2);
    const {teams} = await slack.core.services.teams.findDirectory(slack.operator());
    expect(teams.filter(({name}) => name === 'Twice')).toHaveLength(1);
  });

  test('changes the team that it has created when it is submitted again with other values', async () => {
    const view = await open();
    const to = newChannel();
    await handIn({name: 'Before', channel: to}, admin, view);
    await handIn({name: 'After', channel: to}, admin, view);
    await result(2);
    expect(await teamOf(to)).toMatchObject({slug: 'before', name: 'After', revision: 2});
  });

  test('uses the next free slug when the slug of the name is in use', async () => {
    const to = newChannel();
    await handIn({name: 'Platform', channel: to});
    await result();
    expect(await teamOf(to)).toMatchObject({slug: 'platform-2', name: 'Platform'});
  });

  test.each(['channel_not_found', 'method_not_supported_for_channel_type', 'not_in_channel'])(
    'says how to invite the bot into a channel that answers %s',
    async (code) => {
      await handIn({name: 'Private', channel: newChannel(code)});
      expect(JSON.stringify((await result()).blocks)).toMatch(/\/invite @\w+/);
    },
  );

  test('says that the bot cannot post in an archived channel', async () => {
    await handIn({name: 'Archived', channel: newChannel('is_archived')});
    expect(JSON.stringify((await result()).blocks)).toContain(
      'it’s archived. Choose another one in Settings',
    );
  });

  test('creates one team when two people submit it for the same channel at once', async () => {
    const [mine, theirs] = [await open(), await open(grace)];
    const to = newChannel();
    const replies = await Promise.all([
      handIn({name: 'Mine', channel: to}, admin, mine),
      handIn({name: 'Theirs', channel: to}, grace, theirs),
    ]);
    const actions = replies.map(({body}) => body.response_action).toSorted();
    await result();
    expect(actions).toEqual(['errors', 'update']);
    const refused = replies.find(({body}) => body.response_action === 'errors');
    expect(refused?.body.errors.channel).toMatch(/already belongs to the team “(?:Mine|Theirs)”/);
    const {teams} = await slack.core.services.teams.findDirectory(slack.operator());
    expect(teams.filter(({name}) => name === 'Mine' || name === 'Theirs')).toHaveLength(1);
  });

  test('names the people it could not add, and adds them at the next try', async () => {
    const to = newChannel();
    const view = await open();
    await handIn({name: 'Partly', channel: to}, admin, view);
    await result();
    slack.slack.fail('users.info', {kind: 'status', status: 503});
    newChannel();
    await addPeople(await result(), view.id, ['U88']);
    const shown = await result(2);
    expect(blockOf(shown, 'people').initial_users).toEqual(['U88']);
    expect(JSON.stringify(shown.blocks)).toMatch(/Not added because Slack .*"user_id":"U88"/);
    slack.slack.calls.length = 0;
    slack.slack.fail('users.info', profile('U88', {tz: 'Asia/Kolkata', profile: {display_name: 'Kay'}}));
    newChannel();
    const reply = await addPeople(shown, view.id, ['U88']);
    expect(JSON.stringify(reply.body.view)).toContain('Saving');
    expect(blockOf(await result(), 'people').initial_users).toBeUndefined();
    expect((await membersOf('partly')).map(({member}) => member.name)).toContain('Kay');
  });

  test('sends a direct message with the remaining steps when the modal has been closed', async () => {
    slack.slack.failAlways('views.update', {kind: 'refused', code: 'not_found'});
    const view = {callback_id: 'set-up-team', private_metadata: '{}', id: 'V_CLOSED', blocks: []};
    await handIn({name: 'Closed', channel: newChannel('channel_not_found')}, admin, view);
    const message = (await last('chat.postMessage')).body;
    expect(message['text']).toMatch(/🎉 Standups are ready in <#C0000\d+>.*\/invite @/);
  });
});

describe('a submission of the set-up', () => {
  test.each<[string, SetupFields, string, RegExp]>([
    ['no name', {name: '   '}, 'name', /empty/],
    ['a name of 81 characters', {name: 'x'.repeat(81)}, 'name', /81 characters/],
    ['no zone', {zone: null}, 'zone', /Choose a time zone/],
    ['a zone that does not exist', {zone: 'Europe/Atlantis'}, 'zone', /Choose a time zone/],
    ['no channel', {channel: null}, 'channel', /Choose a public/],
    ['a direct message as channel', {channel: 'D000000001'}, 'channel', /Choose a public/],
    ['no time', {opens: null}, 'opens', /Choose a time/],
    ['11 questions', {questions: 'Why?\n'.repeat(11)}, 'questions', /At most 10 questions/],
    ['a question of 151 characters', {questions: `Why?\n${'x'.repeat(151)}`}, 'questions', /Question 2/],
  ])('is refused under its field with %s', async (_, fields, field, sentence) => {
    const before = await slack.core.services.teams.findDirectory(slack.operator());
    const view = {callback_id: 'set-up-team', private_metadata: '{}', id: 'V_REFUSED', blocks: []};
    const {body} = await handIn(fields, admin, view);
    expect(body).toMatchObject({
      response_action: 'errors',
      errors: {[field]: expect.stringMatching(sentence)},
    });
    const after = await slack.core.services.teams.findDirectory(slack.operator());
    expect(after.teams).toHaveLength(before.teams.length);
  });

  test.each([
    ['a guest', {is_restricted: true}],
    ['a guest of one channel', {is_ultra_restricted: true}],
    ['a former member', {deleted: true}],
    ['an app', {is_bot: true}],
  ])('adds the other people without %s, and names that person', async (_, flags) => {
    const [to, view] = [newChannel(), await open()];
    await handIn({name: 'Guests', channel: to}, admin, view);
    await result();
    slack.slack.fail('users.info', profile('U99', {name: 'gus', ...flags}));
    await addPeople(await result(), view.id, ['U99', ada.id]);
    const shown = await result(2);
    expect(blockOf(shown, 'people').initial_users).toBeUndefined();
    expect(JSON.stringify(shown.blocks)).toMatch(/Not added because they are bots, guests.*"user_id":"U99"/);
    const team = (await teamOf(to))!;
    expect((await membersOf(team.id)).map(({member}) => member.name).toSorted()).toEqual(['ada', 'admin']);
  });

  test('is refused under its field with more than 50 people', async () => {
    const view = await open();
    await handIn({name: 'Crowd', channel: newChannel()}, admin, view);
    const many = Array.from({length: 51}, (_, i) => `U9${i}`);
    const {body} = await addPeople(await result(), view.id, many);
    expect(body.errors.people).toMatch(/You chose 51 people\. Choose at most 50/);
  });

  test('is refused under its field with a channel of another team, for a member who may not change that team', async () => {
    const {body} = await handIn({name: 'Late', channel}, grace);
    expect(body.errors.channel).toContain('“Platform”');
  });
});

test('setting up a team again in the channel of a team that the member leads offers to add people', async () => {
  const to = newChannel();
  await handIn({name: 'Once', channel: to});
  await result();
  const view = await open();
  const {body} = await handIn({name: 'Once more', channel: to}, admin, view);
  expect(body).toMatchObject({response_action: 'push', view: {submit: {text: 'Add'}}});
  expect(JSON.stringify(body.view.blocks)).toContain('already belongs to the team “Once”');
  slack.slack.calls.length = 0;
  newChannel();
  await addPeople(body.view, view.id, [admin.id, ada.id]);
  await result();
  const roles = (await membersOf('once')).map(({member, role}) => [member.name, role]);
  expect(roles.toSorted()).toEqual([
    ['ada', 'member'],
    ['admin', 'lead'],
  ]);
});

describe('the menu of time zones', () => {
  test('uses only the first 100 characters of a search, and finds nothing when the search fails', async () => {
    expect(await search(`Berlin ${' '.repeat(93)}and what stands behind it`)).toEqual(await search('Berlin'));
    expect(await search('berl', 'No/Such_Zone')).not.toEqual([]);
    expect(await search('', 'No/Such_Zone')).toEqual([]);
  });

  test('finds a city or an offset, and says when nothing was found', async () => {
    expect((await search('berl'))[0]).toMatchObject({value: 'Europe/Berlin'});
    expect((await search('+5:30')).map(({value}) => value)).toContain('Asia/Kolkata');
    expect((await search('san fran'))[0]).toMatchObject({value: 'America/Los_Angeles'});
    expect(await search('atlantis')).toEqual([]);
    expect(await search('')).toHaveLength(100);
    expect((await search('', 'Asia/Kolkata')).slice(0, 2).map(({value}) => value)).toEqual([
      'Asia/Kolkata',
      'Asia/Colombo',
    ]);
  });
});

describe('the settings of a team', () => {
  /** A team with its own channel, led by the Slack admin. */
  async function makeTeam(name: string, members: readonly string[] = []): Promise<Team> {
    const to = newChannel();
    newChannel();
    if (members.length > 0) await setUpWith(members, {name, channel: to});
    else await handIn({name, channel: to});
    await result();
    return (await teamOf(to))!;
  }

  const press = (team: string, user = admin, more: Record<string, unknown> = {}) =>
    slack.action({action_id: 'open-settings', value: team}, more, {user});

  async function openSettings(team: string): Promise<Shape> {
    slack.slack.calls.length = 0;
    await press(team);
    const {body, reply} = await last('views.open');
    slack.slack.calls.length = 0;
    expect(reply).toMatchObject({ok: true});
    return {...(body['view'] as Shape), id: (reply as Shape).view.id};
  }

  test('open for a lead with the current values, and are saved', async () => {
    const team = await makeTeam('Changing', [ada.id]);
    const view = await openSettings(team.id);
    expect(view.blocks.filter(({type}: Shape) => type === 'input').map((one: Shape) => one.block_id)).toEqual(
      ['channel', 'days', 'opens', 'questions'],
    );
    expect(blockOf(view, 'channel').initial_conversation).toBe(team.slack_channel_id);
    const to = newChannel();
    const fields = {channel: to, days: ['fri'], opens: '10:00'};
    const {body} = await handIn(fields, admin, view);
    expect(JSON.stringify(body.view)).toContain('Saving');
    expect(JSON.stringify((await result()).blocks)).toContain('2 people are in the team');
    expect(await teamOf(to)).toMatchObject({
      id: team.id,
      name: 'Changing',
      timezone: team.timezone,
      schedule: {...team.schedule, days: ['fri'], opens: '10:00', closes: '12:00'},
      revision: 2,
    });
    expect((await membersOf(team.id)).map(({member}) => member.name).toSorted()).toEqual(['ada', 'admin']);
    expect(slack.slack.of('conversations.join').map(({body: sent}) => sent['channel'])).toEqual([to]);
    // Another request with the same meaning: an identical one is dropped earlier.
    const again = await handIn({...fields, questions: ' '}, admin, view);
    expect(again.body).toMatchObject({response_action: 'update'});
    await result(2);
    expect((await teamOf(to))!.revision).toBe(2);
  });

  test('explain to a member who does not lead why they may not change them, and refuse a submission', async () => {
    const team = await makeTeam('Theirs', [grace.id]);
    const view = await openSettings(team.id);
    await press(team.id, grace);
    const answer = (await calls('respond'))[0]!;
    expect(answer.body['text']).toMatch(/^Only a lead of the team “Theirs”, an owner or an admin/);
    expect(slack.slack.of('views.open')).toEqual([]);
    const {body} = await handIn({opens: '10:00', channel: team.slack_channel_id}, grace, view);
    expect(body.errors.channel).toMatch(/^Not saved\. Only a lead/);
    await press(team.id, {id: 'U_NOBODY', name: 'nobody'});
    expect((await calls('respond', 2))[1]!.body['text']).toMatch(/^Only a lead of the team “Theirs”/);
    expect((await teamOf(team.slack_channel_id!))!.schedule).toMatchObject({opens: '09:00'});
  });

  test('say that another person has changed them since, retain the entered values, and are saved when submitted again', async () => {
    const team = await makeTeam('Contested');
    const view = await openSettings(team.id);
    await slack.core.services.teams.changeTeam(slack.operator(), team.id, {name: 'Theirs now'});
    const fields = {channel: team.slack_channel_id, opens: '10:30', questions: 'Why?'};
    const {body} = await handIn(fields, admin, view);
    expect(body.response_action).toBe('update');
    expect(JSON.stringify(body.view.blocks[0])).toContain('Someone else changed this team');
    expect(blockOf(body.view, 'opens').initial_time).toBe('10:30');
    expect(blockOf(body.view, 'questions').initial_value).toBe('Why?');
    expect((await teamOf(team.slack_channel_id!))!.schedule).toMatchObject({opens: '09:00'});
    await handIn(fields, admin, {...body.view, id: view.id});
    await result();
    expect(await teamOf(team.slack_channel_id!)).toMatchObject({
      name: 'Theirs now',
      schedule: {opens: '10:30'},
      revision: 3,
    });
  });

  test('change nothing that they do not show, such as a monthly schedule, its reminders and the types of questions', async () => {
    const team = await makeTeam('Detailed');
    const schedule = {
      frequency: 'monthly',
      nth: -1,
      day: 'fri',
      opens: '22:00',
      closes: '01:30',
      reminders: [60, 10],
      clock: 'member',
    } as const;
    const questions = [
      {key: 'plan', label: 'Plan?', type: 'text', required: true},
      {key: 'done', label: 'Done?', type: 'text', fill_from: 'plan'},
      {key: 'mood', label: 'How are you?', type: 'mood'},
    ] as const;
    const more = {
      late_policy: {accept: 'never'},
      names_missing: true,
      slack_post_mode: 'digest',
      timezone: 'Asia/Tokyo',
    } as const;
    await slack.core.services.teams.changeTeam(slack.operator(), team.id, {schedule, questions, ...more});
    const view = await openSettings(team.id);
    expect(blockOf(view, 'days').initial_options.map(({value}: Shape) => value)).toEqual(['fri']);
    expect(blockOf(view, 'questions').initial_value).toBe('Plan?\nDone?\nHow are you?');
    expect(JSON.stringify(view.blocks)).toContain(
      'In each person’s local time. Closes 3 hours 30 minutes later',
    );
    const fields = {name: 'Detailed', channel: team.slack_channel_id, days: ['fri'], opens: '22:00'};
    await handIn({...fields, questions: 'Plan?\nDone?\nHow are you?'}, admin, view);
    await result();
    expect(await teamOf(team.slack_channel_id!)).toMatchObject({schedule, questions, ...more, revision: 2});
    const twoDays = await handIn({...fields, days: ['mon', 'fri']}, admin, view);
    expect(twoDays.body.errors.days).toMatch(/^Choose one day/);
    await handIn(
      {...fields, days: ['mon'], opens: '21:00', questions: 'Done?\nHow do you feel?'},
      admin,
      view,
    );
    await result(2);
    expect(await teamOf(team.slack_channel_id!)).toMatchObject({
      schedule: {...schedule, day: 'mon', opens: '21:00', closes: '00:30'},
      questions: [
        {key: 'done', type: 'text', fill_from: null},
        {key: 'how_do_you_feel', type: 'text'},
      ],
      ...more,
      revision: 3,
    });
  });

  test('offer the settings in the dashboard, signed in, on top of the form', async () => {
    const team = await makeTeam('Further');
    const view = await openSettings(team.id);
    const button = view.blocks.find(({type}: Shape) => type === 'actions').elements[0];
    expect(button).toMatchObject({action_id: 'more-settings', value: team.id});
    const press = {trigger_id: await slack.trigger(), ...inModal, view: {...view, type: 'modal'}};
    await slack.action(button, press, {user: admin});
    const pushed = JSON.stringify((await last('views.push')).body['view']);
    expect(pushed).toContain('Open the settings of Further');
    expect(pushed).toMatch(/\/app\/sign-in\?to=%2Ft%2Ffurther%2Fsettings#[\w.-]+/);
  });

  test('show an error under the channel when another team has it', async () => {
    const team = await makeTeam('Moves');
    const view = await openSettings(team.id);
    const {body} = await handIn({name: 'Moves', channel}, admin, view);
    expect(body.errors.channel).toContain('“Platform”');
  });

  test('replace the modal in which they are requested', async () => {
    const team = await makeTeam('Inside');
    const from = await open();
    await press(team.id, admin, {view: {...from, type: 'modal'}});
    const {body} = (await calls('views.update'))[0]!;
    expect(body).toMatchObject({view_id: from.id, view: {callback_id: 'team-settings'}});
  });

  test('respect the limits of Slack at their largest', async () => {
    const team = await makeTeam('x'.repeat(80));
    const questions = Array.from({length: 10}, (_, i) => ({
      key: `k${i}`,
      label: `${i}${'😀'.repeat(149)}`,
      type: 'text' as const,
    }));
    await slack.core.services.teams.changeTeam(slack.operator(), team.id, {questions});
    const view = await openSettings(team.id);
    expect(blockOf(view, 'questions').initial_value.length).toBeGreaterThan(2_000);
    expect(slack.slack.limitViolations).toEqual([]);
  });
});

test('regression: a member who may not add people reads the team’s name, not its slug', async () => {
  const to = newChannel();
  newChannel();
  await setUpWith([ada.id], {name: 'The Movers', channel: to});
  const private_metadata = JSON.stringify({team: (await teamOf(to))!.id});
  const {body} = await addPeople({callback_id: 'add-people', private_metadata}, 'V0ADD', [grace.id], ada);
  expect(JSON.stringify(body.view)).toContain('Only a lead of the team “The Movers”, an owner or an admin');
});

test('the only lead who leaves a team reads on Home how another lead is appointed', async () => {
  const to = newChannel();
  newChannel();
  await setUpWith([ada.id], {name: 'Leaderless', channel: to});
  const {id} = (await teamOf(to))!;
  const leave = async (user: {id: string; name: string}) => {
    slack.slack.calls.length = 0;
    await slack.action({action_id: 'home-leave', value: id}, {...inModal, view: {type: 'home'}}, {user});
    return JSON.stringify((await last('views.publish')).body['view']);
  };
  expect(await leave(admin)).toContain(
    'You left Leaderless. It has no lead now. An owner or admin can choose one in the team’s settings in the dashboard',
  );
  expect(await leave(ada)).toContain('You left Leaderless.');
});

test('a loading view is opened for data that is late, and is filled when the data arrives', async () => {
  const {slow, release} = await startLateSlack();
  const [opened, ms] = await measureTime(async () => {
    await slow.action({action_id: 'open-setup'});
    return until(() => slow.slack.of('views.open')[0], {what: 'the loading view'});
  });
  expect(ms).toBeLessThan(2_000);
  expect(JSON.stringify(opened.body['view'])).toContain('One moment');
  release();
  const filledView = await until(() => slow.slack.of('views.update')[0], {what: 'the form'});
  expect(filledView.body['view']).toMatchObject({callback_id: 'set-up-team'});
  expect(filledView.body['hash']).toBeDefined();
  expect(slow.slack.limitViolations).toEqual([]);
  await slow.close();
});

describe('the end of a set-up', () => {
  const usual = {slack, clock: undefined as TestClock | undefined};
  beforeAll(async () => {
    const redisUrl = await testRedisUrl();
    const clock = await createTestClock(redisUrl, Date.parse('2026-11-23T06:30:00Z'));
    Object.assign(usual, {slack, clock});
    slack = await startSlack({redisUrl, time: clock.time});
  });
  afterAll(async () => {
    await slack.close();
    await usual.clock!.close();
    slack = usual.slack;
  });

  const goTo = (time: string) => usual.clock!.set(Date.parse(`2026-11-${time}:00Z`));
  /** Hands in a form, and returns what the modal then says. */
  async function setUp(fields: SetupFields, user = admin, form?: Shape): Promise<string> {
    const view = form ?? (await open(user));
    await handIn(fields, user, view);
    return JSON.stringify((await result()).blocks).replaceAll(/[\u2066-\u2069]/g, '');
  }

  test('says when the first standup opens, which is when the first run opens', async () => {
    const to = newChannel();
    expect(await setUp({name: 'Early', channel: to})).toContain('First standup: today at 09:00. I’ll ask');
    const team = (await teamOf(to))!;
    const countOpened = async (time: string) => {
      await goTo(time);
      while (await slack.core.services.runs.advanceRuns(slack.operator(), suffixOf(team.id)));
      return (await slack.events()).filter((type) => type === 'run.opened').length;
    };
    expect(await countOpened('23T07:59')).toBe(0);
    expect(await countOpened('23T08:00')).toBe(1);
  });

  test('names the next day or the date when today’s opening is over, and nothing without a schedule', async () => {
    await goTo('23T08:01');
    expect(await setUp({name: 'Late', channel: newChannel()})).toContain('First standup: tomorrow at 09:00.');
    const days = ['mon'];
    expect(await setUp({name: 'Mondays', channel: newChannel(), days})).toContain(
      'First standup: Monday 30 November at 09:00.',
    );
    const none = await setUp({name: 'Free', channel: newChannel(), days: []});
    expect(none).toContain('There’s no schedule. Post any time.');
    expect(none).not.toContain('First standup');
  });

  test('names the time in the person’s own time zone and language', async () => {
    const user = {id: 'U0GERMAN', name: 'german'};
    slack.slack.failAlways('users.info', profile(user.id, {tz: 'America/New_York', locale: 'de-DE'}));
    const {people, members} = slack.core.services;
    const profileHere = {name: 'German', timezone: 'America/New_York', locale: 'de-DE'};
    const {id} = await people.ensureSlackMember(slack.operator(), user.id, profileHere);
    const view = await open(user);
    await members.changeMember(slack.operator(), id, {timezone: 'Asia/Tokyo'});
    await goTo('23T22:00');
    // Nine in the morning of Tuesday in New York is 23:00 in Tokyo, where Tuesday has begun.
    expect(await setUp({name: 'Wach', channel: newChannel()}, user, view)).toContain(
      'Erstes Standup: heute um 23:00. Dann frage ich alle im Team.',
    );
    expect(await teamOf(`C0000${channels}`)).toMatchObject({timezone: 'America/New_York'});
  });
});
