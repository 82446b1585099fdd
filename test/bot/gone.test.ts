// A person whose Slack account is deactivated is neither asked nor missing, and the leads are notified once.
import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {addDays} from '../../src/domain/core/dates.js';
import {parseWire} from '../../src/domain/core/resource.js';
import type {Absence} from '../../src/domain/absences/absence.js';
import type {SlackHarness} from '../support/slack-harness.js';
import {until} from '../support/until.js';
import {type PromptPerson, type PromptScene, startPromptScene} from './prompt-scene.js';

let scene: PromptScene;
let slack: SlackHarness;
beforeAll(async () => {
  scene = await startPromptScene();
  slack = scene.slack;
});
afterAll(() => scene.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

const hour = 3_600_000;

/** Slack's profile of a person. */
const slackUser = ({user}: PromptPerson, deleted: boolean, more: object = {}) => ({
  id: user,
  name: user,
  team_id: 'T000000001',
  deleted,
  ...more,
});

/** The daily look at all profiles, in which Slack reports `deleted` for one person. */
async function look(person: PromptPerson, deleted: boolean): Promise<void> {
  const users = await slack.core.services.people.listSlackUsers(slack.operator());
  for (const user of users)
    slack.slack.fail('users.info', {
      kind: 'replied',
      reply: {
        ok: true,
        user: user === person.user ? slackUser(person, deleted) : {id: user, team_id: 'T000000001'},
      },
    });
  await slack.lookAtPeople();
}

/** Sends the event of a change and waits for its effect, because an event is answered earlier. */
async function change(person: PromptPerson, deleted: boolean, more: object = {}): Promise<void> {
  await slack.event({type: 'user_change', user: slackUser(person, deleted, more)});
  const isMarked = async () => (await absencesOf(person)).some(({until: last}) => last === null);
  await until(async () => (await isMarked()) === deleted);
}

async function absencesOf({member}: PromptPerson): Promise<Absence[]> {
  const {rows} = await slack.core.services.absences.listAbsences(slack.operator(), {
    member: member.id,
    limit: 10,
  });
  return rows.map(parseWire);
}

async function addLead(team: string): Promise<PromptPerson> {
  const lead = await scene.addPerson({teams: [team]});
  await slack.core.services.teamMembers.setTeamMember(slack.operator(), team, lead.member.id, 'lead');
  return lead;
}

const statusIn = async (team: string, {member}: PromptPerson) => {
  const {people} = await slack.core.services.findTeamDay(slack.operator(), team, scene.date());
  return people.find((line) => line.member.id === member.id);
};

describe('a member whose account is deactivated in Slack', () => {
  test('regression: is away from the next daily check on, though they never use the bot, until they are back', async () => {
    const team = await scene.addTeam('Gone');
    const ada = await scene.addPerson({teams: [team]});
    await look(ada, false);
    expect(await absencesOf(ada)).toEqual([]);
    await look(ada, true);
    await look(ada, true);
    expect(await absencesOf(ada)).toMatchObject([
      {
        kind: 'away',
        from: scene.date(),
        until: null,
        reason: 'Deactivated in Slack',
        created_by: {name: 'Slack'},
      },
    ]);
    await look(ada, false);
    expect(await absencesOf(ada)).toEqual([]);
  });

  test('is away at once when Slack reports the deactivation, and back at once when Slack reports its end', async () => {
    const ada = await scene.addPerson();
    await change(ada, true);
    expect(await absencesOf(ada)).toHaveLength(1);
    await change(ada, false);
    expect(await absencesOf(ada)).toEqual([]);
    expect(slack.slack.of('users.info')).toEqual([]);
  });

  test('regression: is away after a reminder that Slack refuses, and gets no second one', async () => {
    const team = await scene.addTeam('Refused');
    const ada = await scene.addPerson({teams: [team]});
    const closes = scene.clock.now() + hour;
    const run = await scene.openRun(closes, team, [ada]);
    await scene.remind(ada, run, closes);
    slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'user_disabled'});
    slack.slack.failAlways('users.info', {kind: 'replied', reply: {ok: true, user: slackUser(ada, true)}});
    await scene.work(ada);
    expect(await absencesOf(ada)).toHaveLength(1);
    await scene.remind(ada, run, closes);
    await scene.work(ada);
    expect(slack.slack.of('chat.postMessage')).toHaveLength(1);
  });

  test('does not change a day that has closed', async () => {
    const team = await scene.addTeam('Closed');
    const ada = await scene.addPerson({teams: [team]});
    await scene.endRun(await scene.openRun(scene.clock.now() + hour, team, [ada]), 'closed');
    await change(ada, true);
    expect(await absencesOf(ada)).toMatchObject([{from: addDays(scene.date(), 1), until: null}]);
  });

  test('is not assumed to be away when Slack does not find the user, since the token may be of another workspace', async () => {
    const ada = await scene.addPerson();
    slack.slack.failAlways('users.info', {kind: 'refused', code: 'user_not_found'});
    await slack.lookAtPeople();
    expect(await absencesOf(ada)).toEqual([]);
  });
});

describe('the leads of a former member from Slack', () => {
  test('are notified once, with a button that takes the member out of the team', async () => {
    const team = await scene.addTeam('Led');
    const [lead, ada, other] = [
      await addLead(team),
      await scene.addPerson({teams: [team]}),
      await scene.addPerson({teams: [team]}),
    ];
    await change(ada, true);
    await change(ada, true);
    for (const person of [lead, lead, other, ada]) await scene.work(person);
    const [message, ...more] = await scene.messagesOf(lead);
    expect(more).toEqual([]);
    expect(message!.text).toBe(
      `${ada.member.name}’s Slack account is deactivated. I won’t ask them for updates in Led, and they don’t count as missing.`,
    );
    expect([await scene.messagesOf(other), await scene.messagesOf(ada)]).toEqual([[], []]);

    const [button] = JSON.stringify(message!.blocks)
      .match(/"value":"((?:[^"\\]|\\.)*)"/)!
      .slice(1);
    const value = JSON.parse(`"${button}"`) as string;
    const pressed = async (person: PromptPerson) => {
      slack.slack.calls.length = 0;
      await scene.press(person, {action_id: 'remove-gone:0', value}, message!);
      return until(() => slack.slack.of('respond')[0]?.body['text'], {what: 'an answer'});
    };
    expect(await pressed(other)).toContain('Only a team lead');
    expect(await statusIn(team, ada)).toBeDefined();
    expect(await pressed(lead)).toBe('Removed from Led.');
    expect(await statusIn(team, ada)).toBeUndefined();
    expect(await pressed(lead)).toBe('Removed from Led.');
  });

  test('are owners and admins where a team has no other lead in Slack', async () => {
    const team = await scene.addTeam('Alone');
    const ada = await addLead(team);
    const boss = await scene.addPerson({teams: []});
    await slack.core.services.members.changeMember(slack.operator(), boss.member.id, {role: 'admin'});
    await change(ada, true);
    await scene.work(boss);
    expect((await scene.messagesOf(boss)).map(({text}) => text)).toEqual([
      expect.stringContaining('updates in Alone'),
    ]);
  });
});

test('a time zone that changes in Slack is changed here at once', async () => {
  const ada = await scene.addPerson();
  await change(ada, false, {tz: 'Asia/Tokyo'});
  const {people} = slack.core.services;
  await until(
    async () => (await people.findSlackMember(slack.operator(), ada.user))?.timezone === 'Asia/Tokyo',
  );
});
