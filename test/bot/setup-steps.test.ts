import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import type {Team, TeamMember} from '../../src/domain/teams/team.js';
import type {SlackCall} from '../support/slack-failure-server.js';
import {admin, otherChannel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
const [ada, grace] = [
  {id: '', name: 'ada'},
  {id: '', name: 'grace'},
];
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

// oxlint-disable-next-line typescript/no-explicit-any -- views of many shapes
type Shape = any;

let channels = 100;
function newChannel(): string {
  slack.slack.fail('conversations.join', {kind: 'replied', reply: {ok: true, channel: {}}});
  return `C0020${channels++}`;
}

/** The last call of a method that `fits`, because an earlier set-up may still report its end. */
async function last(method: string, fits: (view: Shape) => boolean = () => true): Promise<SlackCall> {
  const found = () => slack.slack.of(method).findLast(({body}) => fits(body['view']));
  return until(
    () => {
      const call = found();
      return call?.reply !== undefined && call;
    },
    {what: () => `${method} among ${sawCalls()}`},
  );
}

/** The calls that Slack got, and the last log lines of the bot. */
function sawCalls(): string {
  const calls = slack.slack.calls.map(({method, body, reply}) => [method, body['view'], reply]);
  return `${JSON.stringify(calls)}, log ${JSON.stringify(slack.lines.slice(-5))},`;
}

const fieldsOf = (view: Shape): string[] =>
  view.blocks.flatMap(({type, block_id: id}: Shape) => (type === 'input' ? [id] : []));
const elementOf = (view: Shape, id: string): Shape =>
  view.blocks.find(({block_id}: Shape) => block_id === id)?.element;

const isForm = ({callback_id: id}: Shape) => id === 'set-up-team' || id === 'team-settings';
const isEnd = ({blocks}: Shape) => JSON.stringify(blocks).includes('in the team.');

async function open(): Promise<Shape> {
  slack.slack.calls.length = 0;
  await slack.action({action_id: 'open-setup'}, {channel: {id: otherChannel, name: 'team-mobile'}});
  const opened = await last('views.open');
  const {id} = (opened.reply as Shape).view;
  const first = opened.body['view'] as Shape;
  const view = first.blocks.length > 2 ? first : ((await last('views.update', isForm)).body['view'] as Shape);
  slack.slack.calls.length = 0;
  return {...view, id, type: 'modal'};
}

const state = {
  name: (value: string) => ({type: 'plain_text_input', value}),
  members: (...users: string[]) => ({type: 'multi_users_select', selected_users: users}),
  zone: (value: string) => ({type: 'external_select', selected_option: {value}}),
  channel: (id: string) => ({type: 'conversations_select', selected_conversation: id}),
  time: (selected_time: string | null) => ({type: 'timepicker', selected_time}),
};

const filled = (view: Shape, values: Record<string, object>): Shape => ({
  ...view,
  hash: 'h',
  state: {values: Object.fromEntries(Object.entries(values).map(([field, value]) => [field, {value}]))},
});

const short = (to: string, more: Record<string, object> = {}) => ({
  name: state.name('Mobile'),
  members: state.members(admin.id),
  channel: state.channel(to),
  opens: state.time('09:30'),
  closes: state.time('10:30'),
  zone: state.zone('Asia/Tokyo'),
  ...more,
});

async function teamOf(to: string): Promise<Team> {
  const find = async () => (await slack.core.services.teams.findDirectory(slack.operator())).byChannel(to);
  return until(find, {what: 'the team'});
}

async function rolesOf(team: string): Promise<Record<string, string>> {
  const {rows} = await slack.core.services.teamMembers.listTeamMembers(slack.operator(), team, {limit: 100});
  return Object.fromEntries(
    rows.map((row) => JSON.parse(row) as TeamMember).map(({member, role}) => [member.name, role]),
  );
}

describe('the set-up in steps', () => {
  test('asks first for the name, members, channel, times and zone, and sets up with suitable defaults', async () => {
    const view = await open();
    expect(fieldsOf(view)).toEqual(['name', 'members', 'channel', 'opens', 'closes', 'zone']);
    expect(elementOf(view, 'opens').initial_time).toBe('09:00');
    expect(JSON.stringify(view.blocks)).toContain('The channel and everyone you add get one message');
    const to = newChannel();
    expect((await slack.submit(filled(view, short(to)))).body.response_action).toBe('update');
    expect(await teamOf(to)).toMatchObject({
      name: 'Mobile',
      timezone: 'Asia/Tokyo',
      schedule: {
        days: ['mon', 'tue', 'wed', 'thu', 'fri'],
        interval: 1,
        opens: '09:30',
        closes: '10:30',
        reminders: [30],
      },
      slack_post_mode: 'thread',
      slack_digest: 'thread',
      prompt_at: 'both',
      slack_mentions: 'team',
      slack_weekly_summary: true,
      names_missing: false,
      late_policy: {accept: 'always'},
      questions: [],
    });
  });

  test('regression: marks none of its first fields as optional; only the full form, which may have no days, marks the times as optional', async () => {
    const view = await open();
    const optional = (shown: Shape) => shown.blocks.filter((block: Shape) => block.optional === true);
    expect(optional(view)).toEqual([]);
    await slack.action(
      {action_id: 'setup-more'},
      {channel: undefined, response_url: undefined, view: filled(view, short(newChannel()))},
    );
    const whole = (await last('views.update', isForm)).body['view'] as Shape;
    expect(optional(whole).map(({block_id}: Shape) => block_id)).toEqual(
      expect.arrayContaining(['members', 'days', 'opens', 'closes']),
    );
  });

  test('shows all fields in the same modal when asked for more, with what was typed, which can still be changed', async () => {
    const view = await open();
    const to = newChannel();
    const typed = short(to, {name: state.name('Typed &amp; kept'), members: state.members(admin.id, ada.id)});
    await slack.action(
      {action_id: 'setup-more'},
      {channel: undefined, response_url: undefined, view: filled(view, typed)},
    );
    const update = await last('views.update', isForm);
    expect(update.body).toMatchObject({view_id: view.id, hash: 'h'});
    const whole = update.body['view'] as Shape;
    expect(fieldsOf(whole)).toEqual(
      expect.arrayContaining(['days', 'reminders', 'prompt-at', 'mentions', 'more', 'late', 'questions']),
    );
    expect(elementOf(whole, 'name').initial_value).toBe('Typed & kept');
    expect(elementOf(whole, 'members').initial_users).toEqual([admin.id, ada.id]);
    expect(elementOf(whole, 'channel').initial_conversation).toBe(to);
    expect(elementOf(whole, 'zone').initial_option.value).toBe('Asia/Tokyo');
    expect(elementOf(whole, 'opens').initial_time).toBe('09:30');
    expect(elementOf(whole, 'prompt-at').initial_option).toMatchObject({
      value: 'both',
      text: {text: 'When the standup opens, and again before it closes'},
    });
    expect(JSON.stringify(whole.blocks)).not.toContain('setup-more');
    const choose = (value: string) => ({type: 'static_select', selected_option: {value}});
    const others = {
      'prompt-at': choose('opening'),
      mentions: choose('none'),
      more: {type: 'checkboxes', selected_options: []},
      days: {type: 'checkboxes', selected_options: [{value: 'mon'}]},
      reminders: {type: 'multi_static_select', selected_options: []},
    };
    await slack.submit(filled({...whole, id: view.id}, {...typed, ...others}));
    expect(await teamOf(to)).toMatchObject({
      prompt_at: 'opening',
      slack_mentions: 'none',
      slack_weekly_summary: false,
      schedule: {days: ['mon'], reminders: []},
    });
  });

  test('sets no reminder when the run is shorter than the usual notice, and shows the error for a missing value at a visible field', async () => {
    const view = await open();
    const to = newChannel();
    const times = {opens: state.time('09:00'), closes: state.time('09:10')};
    await slack.submit(filled(view, short(to, times)));
    expect((await teamOf(to)).schedule).toMatchObject({reminders: []});
    const {body} = await slack.submit(filled(await open(), short(to, {opens: state.time(null)})));
    expect(body).toMatchObject({response_action: 'errors', errors: {opens: expect.any(String)}});
  });
});

describe('the leads of a team', () => {
  async function makeTeam(...members: string[]): Promise<Team> {
    const to = newChannel();
    const view = await open();
    await slack.submit(filled(view, short(to, {members: state.members(admin.id, ...members)})));
    const team = await teamOf(to);
    await until(async () => Object.keys(await rolesOf(team.id)).length === members.length + 1);
    await last('views.update', isEnd);
    slack.slack.clear();
    return team;
  }

  async function settings(team: Team, user = admin): Promise<Shape> {
    slack.slack.calls.length = 0;
    await slack.action({action_id: 'open-settings', value: team.id}, {}, {user});
    const opened = await last('views.open');
    const first = opened.body['view'] as Shape;
    const view =
      first.blocks.length > 2 ? first : ((await last('views.update', isForm)).body['view'] as Shape);
    slack.slack.calls.length = 0;
    return {...view, id: (opened.reply as Shape).view.id as string};
  }

  const handIn = (view: Shape, team: Team, members: string[], leads: string[], user = admin) =>
    slack.submit(
      filled(
        view,
        short(team.slack_channel_id!, {members: state.members(...members), leads: state.members(...leads)}),
      ),
      {user},
    );

  const result = async () => JSON.stringify((await last('views.update', isEnd)).body['view']);

  test('are appointed and removed in the settings, among the people of the team', async () => {
    const team = await makeTeam(ada.id, grace.id);
    const view = await settings(team);
    expect(elementOf(view, 'leads')).toMatchObject({type: 'multi_users_select', initial_users: [admin.id]});
    expect(view.blocks.find(({block_id}: Shape) => block_id === 'leads').optional).toBe(false);
    const everybody = [admin.id, ada.id, grace.id];
    expect((await handIn(view, team, everybody, [admin.id, ada.id])).body.response_action).toBe('update');
    await result();
    expect(await rolesOf(team.id)).toEqual({admin: 'lead', ada: 'lead', grace: 'member'});
    const second = await settings(team, ada);
    expect(elementOf(second, 'leads').initial_users.toSorted()).toEqual([admin.id, ada.id].toSorted());
    await handIn(second, team, everybody, [ada.id], ada);
    await result();
    expect(await rolesOf(team.id)).toEqual({admin: 'member', ada: 'lead', grace: 'member'});
  });

  test('can give the role to another person, and lose it in the last step', async () => {
    const team = await makeTeam(ada.id);
    await handIn(await settings(team), team, [admin.id, ada.id], [ada.id]);
    expect(await result()).not.toContain('Not changed');
    expect(await rolesOf(team.id)).toEqual({admin: 'member', ada: 'lead'});
  });

  test('must be in the team, and at least one is required', async () => {
    const team = await makeTeam(ada.id);
    const view = await settings(team);
    const none = await handIn(view, team, [admin.id, ada.id], []);
    expect(none.body.errors.leads).toMatch(/^Choose at least one lead/);
    const outside = await handIn(view, team, [admin.id, ada.id], [admin.id, grace.id]);
    expect(outside.body.errors.leads).toMatch(/^Leads must be in the team/);
    expect(await rolesOf(team.id)).toEqual({admin: 'lead', ada: 'member'});
    await handIn(view, team, [admin.id, ada.id, grace.id], [admin.id, grace.id]);
    await result();
    expect(await rolesOf(team.id)).toEqual({admin: 'lead', ada: 'member', grace: 'lead'});
  });

  test('regression: are named with the team’s name, not its slug, to a member who may not add people', async () => {
    const team = await makeTeam(ada.id);
    const private_metadata = JSON.stringify({team: team.id, users: [grace.id]});
    const view = {id: 'V0ADD', callback_id: 'add-people', private_metadata, state: {values: {}}, hash: 'h'};
    const {body} = await slack.submit(view, {user: ada});
    expect(JSON.stringify(body.view)).toContain('Only a lead of the team “Mobile”, an owner or an admin');
  });

  test('find out on Home how to appoint another lead when the only one leaves', async () => {
    const team = await makeTeam(ada.id);
    const leave = async (user: {id: string; name: string}) => {
      slack.slack.calls.length = 0;
      const inHome = {channel: undefined, response_url: undefined, view: {type: 'home'}};
      await slack.action({action_id: 'home-leave', value: team.id}, inHome, {user});
      return JSON.stringify((await last('views.publish')).body['view']);
    };
    expect(await leave(admin)).toContain(
      'You left Mobile. It has no lead now. An owner or admin can choose one in the team’s settings',
    );
    expect(await leave(ada)).toContain('You left Mobile.');
  });
});
