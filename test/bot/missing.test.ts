import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {parseWire} from '../../src/domain/core/resource.js';
import {limits} from '../../src/domain/core/limits.js';
import type {Member} from '../../src/domain/workspaces/workspace.js';
import {findLimitViolations} from '../support/slack-limits.js';
import {until} from '../support/until.js';
import type {SlackCall} from '../support/slack-failure-server.js';
import {otherChannel, type SlackHarness} from '../support/slack-harness.js';
import {minute, type PromptPerson, type PromptScene, startPromptScene} from './prompt-scene.js';

let scene: PromptScene;
let slack: SlackHarness;
beforeAll(async () => {
  scene = await startPromptScene({strangers: 100});
  slack = scene.slack;
});
afterAll(() => scene.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

let teams = 0;
/** A new team for each test, with its own channel. */
async function newTeam(more: object = {}) {
  teams++;
  const channel = `C00001${String(teams).padStart(3, '0')}`;
  const {services} = slack.core;
  const input = {slug: `squad-${teams}`, name: `Squad ${teams}`, slack_channel_id: channel, ...more};
  const {id = ''} = await services.teams.createTeam(slack.operator(), input);
  return {id, name: input.name, channel};
}

async function addPerson(team: string, name: string, role: 'lead' | 'member' = 'member', more: object = {}) {
  const person = await scene.addPerson({teams: []});
  const {members, teamMembers} = slack.core.services;
  await members.changeMember(slack.operator(), person.member.id, {name, ...more});
  await teamMembers.setTeamMember(slack.operator(), team, person.member.id, role);
  return {...person, name};
}

async function addWithoutSlack(team: string, name: string): Promise<Member> {
  const {members, teamMembers} = slack.core.services;
  const member = parseWire((await members.createMember(slack.operator(), {name})).body);
  await teamMembers.setTeamMember(slack.operator(), team, member.id, 'member');
  return member;
}

const as = ({user}: PromptPerson) => ({id: user, name: user});

async function post(person: PromptPerson, team: {channel: string}, text = 'done') {
  const {body} = await slack.command(text, {user: as(person), channel: team.channel});
  expect(body.text).toMatch(/^✅ Posted/);
}

const openRun = (team: {id: string}) =>
  slack.core.services.runs.openRun(slack.operator(), team.id, {minutes: 120});

async function away(person: PromptPerson, input: object) {
  const principal = {type: 'member', id: person.member.id, name: ''} as const;
  const call = {...slack.operator(), principal};
  await slack.core.services.absences.enterAbsence(call, {from: scene.date(), until: null, ...input});
}

const command = async (text: string, person: PromptPerson, channel: string): Promise<string> =>
  (await slack.command(text, {user: as(person), channel})).body.text;

/** The answer at the response URL of a person's press. */
async function waitForAnswer(person: PromptPerson, n = 1): Promise<SlackCall['body']> {
  const own = () => slack.slack.of('respond').filter(({path}) => path.endsWith(`/${person.user}`));
  return (await until(() => own().length >= n && own(), {what: 'an answer'})).at(-1)!.body;
}

/** A team whose members all have different statuses, and its lead. */
async function mixedTeam(more: object = {}) {
  const team = await newTeam(more);
  const lead = await addPerson(team.id, 'Lea', 'lead');
  const ada = await addPerson(team.id, 'Ada');
  const grace = await addPerson(team.id, 'Grace');
  await addPerson(team.id, 'Linus', 'member', {reminders: {enabled: false}});
  const noether = await addPerson(team.id, 'Noether');
  await addWithoutSlack(team.id, 'Paper Person');
  await away(noether, {until: '2026-11-28', reason: 'a private matter'});
  await openRun(team);
  await post(lead, team);
  return {team, lead, ada, grace};
}

describe('/standup missing', () => {
  test('shows a lead the names of missing members, and why they are missing, including people without Slack', async () => {
    const {team, lead} = await mixedTeam();
    const {body} = await slack.command('missing', {user: as(lead), channel: team.channel});
    expect(body.response_type).toBe('ephemeral');
    expect(body.text.split('\n')).toEqual([
      expect.stringMatching(
        new RegExp(`^${team.name} · Tuesday 24 November · 1 of 5 posted · closes <!date`),
      ),
      '• Not posted yet: Ada, Grace',
      '• Not posted yet (reminders off): Linus',
      '• Not posted yet (not in Slack): Paper Person',
      '• Away: Noether (until Saturday 28 November)',
    ]);
    expect(JSON.stringify(body)).not.toMatch(/private matter|squad-|"type":"user"/);
    expect(JSON.stringify(body.blocks)).toContain('Remind them');
  });

  test('regression: does not count an absent member as expected, and neither does the message of the day', async () => {
    const team = await newTeam();
    const lead = await addPerson(team.id, 'Lea', 'lead');
    const ada = await addPerson(team.id, 'Ada');
    await away(ada, {reason: 'Ill'});
    await openRun(team);
    await post(lead, team);
    const answer = await command('missing', lead, team.channel);
    expect(answer).toMatch(/ · 1 of 1 posted · closes .*\n• Away: Ada$/);
  });

  test('shows a member how many are missing and who may read the names, or the names if the team shows them to members', async () => {
    const {team, ada} = await mixedTeam();
    expect(await command('missing', ada, team.channel)).toMatch(
      /• Not posted yet: 2 people\n• Not posted yet \(reminders off\): 1 person\n[^]*• Away: 1 person\nTeam leads, owners and admins can see the names\.$/,
    );
    await slack.core.services.teams.changeTeam(slack.operator(), team.id, {names_missing: true});
    const {body} = await slack.command('missing', {user: as(ada), channel: team.channel});
    expect(body.text).toContain('• Not posted yet: Ada, Grace\n');
    expect(JSON.stringify(body.blocks)).not.toContain('Remind them');
  });

  test('shows the names to an admin who is not in the team, and nothing to a guest', async () => {
    const {team} = await mixedTeam();
    const boss = await scene.addPerson({teams: []});
    await slack.core.services.members.changeMember(slack.operator(), boss.member.id, {role: 'admin'});
    expect(await command('missing', boss, team.channel)).toContain('• Not posted yet: Ada, Grace\n');
    const guest = {id: 'U0GUEST', name: 'guest'};
    slack.slack.fail('users.info', {
      kind: 'replied',
      reply: {ok: true, user: {id: guest.id, team_id: 'T000000001', name: 'guest', is_restricted: true}},
    });
    const {body} = await slack.command('missing', {user: guest, channel: team.channel});
    expect(body.text).not.toMatch(/Not posted yet|Squad/);
  });

  test('shows who has not posted today when there is no run, and offers no reminder', async () => {
    const team = await newTeam();
    const lead = await addPerson(team.id, 'Lea', 'lead');
    await addPerson(team.id, 'Ada');
    await post(lead, team);
    const {body} = await slack.command('missing', {user: as(lead), channel: team.channel});
    expect(body.text).toMatch(
      /1 of 2 posted\n• Not posted yet: Ada\nNo standup is open, so there is no one to remind\.$/,
    );
    expect(JSON.stringify(body.blocks)).not.toContain('"button"');
    await post(await addPerson(team.id, 'Grace'), team);
    const none = await newTeam();
    const only = await addPerson(none.id, 'Solo', 'lead');
    await post(only, none);
    expect(await command('missing', only, none.channel)).toMatch(/1 of 1 posted\nEveryone has posted\. 🎉$/);
  });

  test('shows all teams of the person in a channel without a team', async () => {
    const [one, two] = [await newTeam(), await newTeam()];
    const lead = await addPerson(one.id, 'Lea', 'lead');
    await slack.core.services.teamMembers.setTeamMember(slack.operator(), two.id, lead.member.id, 'member');
    const text = await command('missing', lead, otherChannel);
    expect(text).toContain(`${one.name} · `);
    expect(text).toContain(`${two.name} · `);
    expect(text).toMatch(/Not posted yet: Lea\n[^]*Not posted yet: 1 person/);
  });

  test('fits 500 missing people into one answer, which counts those it does not name', async () => {
    const team = await newTeam();
    const lead = await addPerson(team.id, 'Lea', 'lead');
    const name = `Wolfe <!channel> & ${'schlegelstein'.repeat(9)}`.slice(0, limits.name - 4);
    const {members, teamMembers} = slack.core.services;
    const made = await Promise.all(
      Array.from({length: 500}, (_, i) => members.createMember(slack.operator(), {name: `${name}${i}`})),
    );
    await Promise.all(
      made.map(({id = ''}) => teamMembers.setTeamMember(slack.operator(), team.id, id, 'member')),
    );
    await openRun(team);
    const {body} = await slack.command('missing', {user: as(lead), channel: team.channel});
    expect(body.text).toMatch(/ and \d+ more$/);
    expect(body.text).not.toContain('<!channel>');
    expect(findLimitViolations(body)).toEqual([]);
    const named = body.text.split('Wolfe').length - 1;
    expect(named + Number(/ and (\d+) more$/.exec(body.text)![1])).toBe(500);
  });

  test('is shown from the message of the day to one person alone, and another button there opens the form', async () => {
    const {team, lead, ada} = await mixedTeam();
    while ((await slack.read()).more);
    while ((await slack.postSlice({channel: team.channel})).more);
    const posted = slack.slack.of('chat.postMessage').find(({body}) => body['channel'] === team.channel)!;
    const [, row] = posted.body['blocks'] as {elements: {action_id: string; value: string}[]}[];
    const [post, missing] = row!.elements;
    expect(row!.elements).toMatchObject([
      {action_id: 'of-day:post', text: {text: 'Post my update'}},
      {action_id: 'of-day:missing', text: {text: 'Who is missing'}},
    ]);
    slack.slack.clear();
    const press = (person: PromptPerson, button = post!) =>
      slack.action(button, {message: {ts: '1'}}, {user: as(person), channel: team.channel});
    await press(lead, missing);
    expect(await waitForAnswer(lead)).toMatchObject({
      response_type: 'ephemeral',
      replace_original: false,
      text: expect.stringContaining('Not posted yet: Ada, Grace'),
    });
    await press(ada);
    const [opened] = await until(
      () => slack.slack.of('views.open').length > 0 && slack.slack.of('views.open'),
    );
    expect(JSON.stringify(opened!.body['view'])).toContain(team.name);
    // In the channel of a team, anyone can post, and joins by it.
    await press(await scene.addPerson({teams: []}));
    const views = () => slack.slack.of('views.open');
    await until(() => views().length === 2, {what: 'the form of another person'});
    expect(JSON.stringify(views()[1]!.body['view'])).toContain(team.name);
  });

  test('is shown to leads on Home for their teams, with a way to remind', async () => {
    const {team, lead, ada} = await mixedTeam();
    const home = async (person: PromptPerson) => {
      await slack.event({type: 'app_home_opened', user: person.user, tab: 'home', channel: 'D1'});
      const own = () => slack.slack.of('views.publish').filter(({body}) => body['user_id'] === person.user);
      return JSON.stringify((await until(() => own().length > 0 && own())).at(-1)!.body['view']);
    };
    const shown = await home(lead);
    expect(shown).toContain('Not posted yet: Ada, Grace');
    expect(shown).toContain('Remind them');
    expect(shown).toContain('"show-missing"');
    expect(await home(ada)).not.toMatch(/Not posted yet:|Remind them|show-missing/);
    slack.slack.clear();
    await slack.action(
      {action_id: 'show-missing', value: JSON.stringify({team: team.id})},
      {channel: undefined, response_url: undefined, container: {type: 'view'}, view: {type: 'home'}},
      {user: as(lead)},
    );
    const [modal] = await until(
      () => slack.slack.of('views.open').length > 0 && slack.slack.of('views.open'),
    );
    expect(JSON.stringify(modal!.body['view'])).toContain('Not posted yet: Ada, Grace');
  });
});

describe('a reminder to missing members', () => {
  const press = (person: PromptPerson, team: {id: string}, more: Record<string, unknown> = {}) =>
    slack.action({action_id: `remind-missing:${team.id}`, value: JSON.stringify({team: team.id})}, more, {
      user: as(person),
    });

  test('shows the lead who was reminded, who was not and why, and when another reminder is possible', async () => {
    const {team, lead} = await mixedTeam();
    await press(lead, team);
    expect((await waitForAnswer(lead))['text']).toBe(
      [
        `Reminders for ${team.name}`,
        '• Reminded: Ada, Grace',
        '• Not reminded (reminders off): Linus',
        '• Not reminded (not in Slack): Paper Person',
        '• Not reminded (away): Noether (until Saturday 28 November)',
        '• Posted: 1 person',
      ].join('\n'),
    );
    await press(lead, team);
    expect((await waitForAnswer(lead, 2))['text']).toBe(
      `People missing in ${team.name} were reminded less than five minutes ago. Try again in 5 minutes.`,
    );
    await scene.clock.advance(6 * minute);
    await press(lead, team);
    expect((await waitForAnswer(lead, 3))['text']).toMatch(/^Reminders for .*\n• Reminded: /);
  });

  test('is sent once when Slack repeats the press, with the same answer', async () => {
    const {team, lead} = await mixedTeam();
    const trigger = await slack.trigger();
    await press(lead, team, {trigger_id: trigger, twice: 1});
    await press(lead, team, {trigger_id: trigger, twice: 2});
    const answers = await until(() => slack.slack.of('respond').length >= 2 && slack.slack.of('respond'));
    expect(new Set(answers.map(({body}) => body['text'])).size).toBe(1);
    expect(answers[0]!.body['text']).toMatch(/^Reminders for .*\n• Reminded: /);
  });

  test('is confirmed first after /standup remind, with the same button', async () => {
    const {team, lead, ada} = await mixedTeam();
    const {body} = await slack.command('remind', {user: as(lead), channel: team.channel});
    expect(body.text).toMatch(
      /Not posted yet: Ada, Grace[^]*Remind them now\? Each gets one direct message\.$/,
    );
    expect(JSON.stringify(body.blocks)).toContain(`remind-missing:${team.id}`);
    expect(await command('remind', ada, team.channel)).toMatch(
      /^Only team leads, owners and admins can send reminders\./,
    );
  });

  test('is refused with the name of the team to a member who may not remind, and when no run is open', async () => {
    const {team, ada} = await mixedTeam();
    await press(ada, team);
    expect((await waitForAnswer(ada))['text']).toBe(
      `Only a lead of ${team.name}, an owner or an admin can send reminders.`,
    );
    const quiet = await newTeam();
    const lead = await addPerson(quiet.id, 'Lea', 'lead');
    await press(lead, quiet);
    expect((await waitForAnswer(lead))['text']).toBe(
      `No standup of ${quiet.name} is open, so no one was reminded.`,
    );
  });

  test('shows its answer in place of the modal in which its button was pressed', async () => {
    const {team, lead} = await mixedTeam();
    await press(lead, team, {channel: undefined, response_url: undefined, view: {type: 'modal', id: 'V1'}});
    const [update] = await until(
      () => slack.slack.of('views.update').length > 0 && slack.slack.of('views.update'),
    );
    expect(update!.body).toMatchObject({view_id: 'V1'});
    expect(JSON.stringify(update!.body['view'])).toContain('Ada, Grace');
  });
});
