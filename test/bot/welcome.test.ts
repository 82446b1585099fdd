import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import type {Team, TeamRole} from '../../src/domain/teams/team.js';
import {until} from '../support/until.js';
import {botToken, type SlackHarness, type SlackMessage} from '../support/slack-harness.js';
import {minute, type PromptPerson, type PromptScene, quick, startPromptScene} from './prompt-scene.js';

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

let teams = 0;
const schedule = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:00',
  closes: '11:00',
  reminders: [15],
} as const;

/** A team with its own lead, created through the API. */
async function newTeam(more: object = {}): Promise<{team: Team; lead: PromptPerson}> {
  const lead = await scene.addPerson({teams: []});
  const input = {
    slug: `squad-${++teams}`,
    name: `Squad ${teams}`,
    timezone: 'Europe/Berlin',
    slack_channel_id: `C00004${String(teams).padStart(3, '0')}`,
    schedule,
    prompt_at: 'both' as const,
    ...more,
  };
  const {id = ''} = await slack.core.services.teams.createTeam(as(lead), input, 'shown');
  return {team: await slack.core.services.teams.findTeam(slack.operator(), id), lead};
}

/** A call through the API as a person. */
const as = ({member}: PromptPerson) => ({
  ...slack.operator(),
  principal: {type: 'member', id: member.id, name: member.name} as const,
  entryPoint: 'api' as const,
});

const put = (by: PromptPerson, team: Team, person: PromptPerson, role: TeamRole = 'member') =>
  slack.core.services.teamMembers.setTeamMember(as(by), team.id, person.member.id, role);

async function directMessages(person: PromptPerson): Promise<SlackMessage[]> {
  await scene.work(person);
  return scene.messagesOf(person);
}

describe('the person who installed the bot', () => {
  const connect = async ({user}: PromptPerson) => {
    const {commits} = slack.core.store;
    const writes = [
      {
        do: 'connect-slack',
        id: 'T0',
        encrypted: 'sealed',
        name: 'Acme',
        by: undefined,
        greets: user,
      } as const,
    ];
    await commits.run(slack.operator(), {guards: [], writes, events: [], reply: {kind: 'empty'}});
  };
  const greetingsOf = async (person: PromptPerson) => {
    await slack.postSlice({channel: person.user, waits: quick});
    await scene.clock.advance(minute);
    return scene.messagesOf(person);
  };

  test('is greeted once, however often they install it', async () => {
    const ines = await scene.addPerson({teams: []});
    await connect(ines);
    const [greeting] = await greetingsOf(ines);
    expect(greeting!.text).toMatch(
      /^Hi Person \w+! Standup is ready\. .* If you set up a team, you’re its lead\. http/,
    );
    await connect(ines);
    expect(await greetingsOf(ines)).toHaveLength(1);
    expect(slack.slack.of('chat.update')).toEqual([]);
  });

  test('is not greeted again if the answer to the greeting was lost', async () => {
    const ines = await scene.addPerson({teams: []});
    await connect(ines);
    slack.slack.fail('chat.postMessage', {kind: 'lost'});
    for (let i = 0; i < 5; i++) await greetingsOf(ines);
    await connect(ines);
    for (let i = 0; i < 5; i++) await greetingsOf(ines);
    expect(await scene.messagesOf(ines)).toHaveLength(1);
  });

  test('is greeted by the next installation if Slack never took the greeting', async () => {
    const ines = await scene.addPerson({teams: []});
    await connect(ines);
    slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'user_disabled'});
    expect(await greetingsOf(ines)).toEqual([]);
    await connect(ines);
    expect(await greetingsOf(ines)).toHaveLength(1);
  });
});

describe('a person who is added to a team', () => {
  test('is notified once of the team, who added them, when they will be reminded, and how to leave', async () => {
    const {team, lead} = await newTeam();
    const ada = await scene.addPerson({teams: []});
    await put(lead, team, ada);
    const [message, ...more] = await directMessages(ada);
    expect(more).toEqual([]);
    expect(message!.text).toBe(
      `Hi! <@${lead.user}> added you to ${team.name}. Its channel is <#${team.slack_channel_id}>. Standups are open Monday to Friday, from 09:00 to 11:00 (Berlin time). I’ll ask you here when a standup opens, and remind you before it closes if you haven’t posted.`,
    );
    const blocks = JSON.stringify(message!.blocks);
    expect(blocks).toContain('leave-told');
    expect(blocks).toContain('open-own-settings');
    expect(blocks).not.toMatch(/squad-|Person U/);
    // Reading the events again sends nothing again.
    await put(lead, team, ada);
    expect(await directMessages(ada)).toHaveLength(1);
    expect(await directMessages(lead)).toEqual([]);
  });

  test('reads that they get no reminders if they have turned them off, or that the team has no schedule', async () => {
    const {team, lead} = await newTeam();
    const quiet = await scene.addPerson({teams: [], reminders: {enabled: false}});
    await put(lead, team, quiet);
    expect((await directMessages(quiet))[0]!.text).toMatch(/You turned reminders off, so I won’t ask you\.$/);
    const {team: loose, lead: other} = await newTeam({schedule: null});
    const ada = await scene.addPerson({teams: []});
    await put(other, loose, ada);
    expect((await directMessages(ada))[0]!.text).toMatch(/There’s no schedule\. Post any time\.$/);
  });

  test('is not notified of their own actions, or of those of the operator', async () => {
    const {team} = await newTeam();
    const ada = await scene.addPerson({teams: [team.id]});
    const {body} = await slack.command('Fixed the importer', {
      user: {id: ada.user, name: ada.user},
      channel: team.slack_channel_id!,
    });
    expect(body.text).toMatch(/^✅ Posted/);
    const boss = await scene.addPerson({teams: []});
    await slack.core.services.members.changeMember(slack.operator(), boss.member.id, {role: 'admin'});
    await put(boss, team, boss);
    expect([await directMessages(ada), await directMessages(boss)]).toEqual([[], []]);
  });

  test('is not notified if they have left before, and is notified again if they come back', async () => {
    const {team, lead} = await newTeam();
    const ada = await scene.addPerson({teams: []});
    await put(lead, team, ada);
    const {teamMembers} = slack.core.services;
    await teamMembers.removeTeamMember(as(lead), team.id, ada.member.id);
    expect(await directMessages(ada)).toEqual([]);
    await put(lead, team, ada);
    expect(await directMessages(ada)).toHaveLength(1);
  });

  test('is notified at the end of their quiet hours', async () => {
    const {team, lead} = await newTeam();
    const until = new Date(scene.clock.now() + 30 * minute).toISOString().slice(11, 16);
    const from = new Date(scene.clock.now() - 30 * minute).toISOString().slice(11, 16);
    const ada = await scene.addPerson({teams: [], reminders: {quiet_from: from, quiet_until: until}});
    const {members} = slack.core.services;
    await members.changeMember(slack.operator(), ada.member.id, {timezone: 'UTC'});
    await put(lead, team, ada);
    expect(await directMessages(ada)).toEqual([]);
    await scene.clock.advance(31 * minute);
    expect(await directMessages(ada)).toHaveLength(1);
  });

  test.each(['lost', 'status'] as const)('gets the message once when its answer is %s', async (kind) => {
    const [first, {team, lead}] = [await newTeam(), await newTeam()];
    const ada = await scene.addPerson({teams: []});
    // Slack has returned the id of the person's direct messages, so the bot can look for the message there.
    await put(first.lead, first.team, ada);
    expect(await directMessages(ada)).toHaveLength(1);
    await put(lead, team, ada);
    while ((await slack.read()).more);
    slack.slack.fail('chat.postMessage', kind === 'lost' ? {kind} : {kind: 'status', status: 500});
    await until(
      async () => {
        await slack.postSlice({channel: ada.user, waits: quick});
        await scene.clock.advance(minute);
        return (await scene.messagesOf(ada)).length > 1;
      },
      {what: 'the message'},
    );
    // The lost message is looked for and found.
    await scene.work(ada);
    await scene.clock.advance(minute);
    await scene.work(ada);
    expect(await scene.messagesOf(ada)).toHaveLength(2);
  });

  test('regression: gets a message that did not arrive, once the bot may look for it', async () => {
    const [first, {team, lead}] = [await newTeam(), await newTeam()];
    const ada = await scene.addPerson({teams: []});
    await put(first.lead, first.team, ada);
    expect(await directMessages(ada)).toHaveLength(1);
    await put(lead, team, ada);
    slack.slack.fail('chat.postMessage', {kind: 'status', status: 500});
    slack.slack.fail('conversations.history', {kind: 'refused', code: 'missing_scope'});
    for (let round = 0; round < 4; round++) {
      await scene.work(ada);
      await scene.clock.advance(minute);
    }
    expect(await scene.messagesOf(ada)).toHaveLength(2);
  });

  test('regression: gets the very first message of the bot once, even if the answer of Slack is lost and the channel is unknown', async () => {
    const [{team, lead}, other] = [await newTeam(), await newTeam()];
    const ada = await scene.addPerson({teams: []});
    await put(lead, team, ada);
    while ((await slack.read()).more);
    slack.slack.fail('chat.postMessage', {kind: 'lost'});
    for (let round = 0; round < 6; round++) {
      await scene.work(ada);
      await scene.clock.advance(minute);
    }
    expect(await scene.messagesOf(ada)).toHaveLength(1);
    // The next message comes nevertheless.
    await put(other.lead, other.team, ada);
    expect(await directMessages(ada)).toHaveLength(2);
  });

  test('is notified once when they are added, removed and added again before the notice', async () => {
    const {team, lead} = await newTeam();
    const ada = await scene.addPerson({teams: []});
    const {teamMembers} = slack.core.services;
    await put(lead, team, ada);
    await teamMembers.removeTeamMember(as(lead), team.id, ada.member.id);
    await put(lead, team, ada);
    expect(await directMessages(ada)).toHaveLength(1);
  });

  test('reads as an observer that they are never asked', async () => {
    const {team, lead} = await newTeam();
    const ada = await scene.addPerson({teams: []});
    await put(lead, team, ada, 'observer');
    expect((await directMessages(ada)).map(({text}) => text)).toEqual([
      `Hi! <@${lead.user}> added you to ${team.name}. Its channel is <#${team.slack_channel_id}>. Standups are open Monday to Friday, from 09:00 to 11:00 (Berlin time). You’re an observer: you see its standups and are never asked to post.`,
    ]);
  });

  test('leaves by the *Leave* button of the message, which then says so', async () => {
    const {team, lead} = await newTeam();
    const ada = await scene.addPerson({teams: []});
    await put(lead, team, ada);
    const [message] = await directMessages(ada);
    const press = {action_id: 'leave-told', value: JSON.stringify({team: team.id})};
    await slack.action(press, {message: {ts: message!.ts}}, {user: {id: ada.user, name: ada.user}});
    const [answer] = await until(() => slack.slack.of('respond').length > 0 && slack.slack.of('respond'));
    expect(answer!.body).toMatchObject({replace_original: true, text: `You left ${team.name}.`});
    const {teamMembers} = slack.core.services;
    expect(await teamMembers.countExpected(slack.operator(), team.id, [ada.member.id])).toBe(0);
  });

  test('is notified once when they are appointed as a lead, with who appointed them', async () => {
    const {team, lead} = await newTeam();
    const ada = await scene.addPerson({teams: [team.id]});
    await put(lead, team, ada, 'lead');
    await put(lead, team, ada, 'lead');
    const messages = await directMessages(ada);
    expect(messages.map(({text}) => text)).toEqual([
      `<@${lead.user}> made you a lead of ${team.name}. As a lead you can change the team, see who is missing and remind them.`,
    ]);
    expect(JSON.stringify(messages[0]!.blocks)).toContain('open-settings');
    await put(lead, team, ada, 'member');
    expect(await directMessages(ada)).toHaveLength(1);
  });
});

describe('the channel of a team', () => {
  test('is notified once when the team has been set up in Slack: by which member, when it is open, how to post', async () => {
    const maker = await scene.addPerson({teams: []});
    const {channel: made} = (await slack.api('conversations.create', {name: 'begun'}, botToken)) as {
      channel?: {id: string};
    };
    const channel = made?.id ?? 'C000000002';
    const input = {slug: 'begun', name: 'Begun', slack_channel_id: channel, schedule};
    await slack.core.services.teams.createTeam({...as(maker), entryPoint: 'slack'}, input, 'shown');
    for (let i = 0; i < 2; i++) {
      while ((await slack.read()).more);
      while ((await slack.postSlice({channel, waits: quick})).more);
    }
    const posted = slack.slack.of('chat.postMessage').filter(({body}) => body['channel'] === channel);
    expect(posted.map(({body}) => body['text'])).toEqual([
      `<@${maker.user}> set up Begun standups here. Standups are open Monday to Friday, from 09:00 to 11:00 (UTC). Post any time: press the button, or type /standup and your update.`,
    ]);
    expect(JSON.stringify(posted[0]?.body['blocks'])).toMatch(
      /"action_id":"open-form".*"text":"Post my update"/,
    );
    // Anyone in the channel may open the settings: the link is for the person who presses.
    expect(JSON.stringify(posted[0]?.body['blocks'])).toContain('"action_id":"more-settings"');
  });

  test('is not notified of a team that is created by the API', async () => {
    const {team} = await newTeam();
    while ((await slack.read()).more);
    while ((await slack.postSlice({channel: team.slack_channel_id!, waits: quick})).more);
    const sent = slack.slack.of('chat.postMessage');
    expect(sent.filter(({body}) => body['channel'] === team.slack_channel_id)).toEqual([]);
  });
});
