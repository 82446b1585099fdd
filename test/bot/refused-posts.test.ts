// A person who posts in a team's channel joins the team by the same commit as the standup, or not at all.
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {suffixOf} from '../../src/domain/core/ids.js';
import type {NewSchedule} from '../../src/domain/schedules/schedule.js';
import {testRedisUrl} from '../support/redis-server.js';
import {calls, fillForm, openStandupForm, type View} from '../support/slack-form.js';
import {admin, otherChannel, type BotReply, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {createTestClock, type TestClock} from '../support/test-clock.js';

const tuesday = '2026-11-24';
const at = (time: string) => Date.parse(`${tuesday}T${time}Z`);
/** The run of Tuesday closes at 07:58 and accepts nothing after that. */
const morning: NewSchedule = {frequency: 'weekly', days: ['tue'], opens: '07:00', closes: '07:58'};
const user = {id: 'U0NEW', name: 'new'};
const closed = /doesn’t accept late updates, and Tuesday 24 November has closed/;
const joins = 'You joined Platform';

let clock: TestClock;
let slack: SlackHarness;
/** The number of the bot's commits, and the number of the one that fails. */
let commits: number;
let failing: number | undefined;

beforeEach(async () => {
  [commits, failing] = [0, undefined];
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, at('06:00'));
  slack = await startSlack({
    redisUrl,
    time: clock.time,
    botRedisUrl: redisUrl,
    failpoint(name) {
      if (name === 'before-commit' && ++commits === failing) throw new Error('The process dies here.');
    },
  });
});
afterEach(async () => {
  expect(slack.slack.limitViolations).toEqual([]);
  await slack.close();
  await clock.close();
});

async function doRuns(time: string): Promise<void> {
  await clock.set(at(time));
  while (await slack.core.services.runs.advanceRuns(slack.operator(), suffixOf(slack.team)));
}

const schedule = () =>
  slack.core.services.teams.changeTeam(slack.operator(), 'platform', {
    schedule: morning,
    late_policy: {accept: 'never'},
  });

/** Closes the run of the day, which then accepts nothing. */
async function close(): Promise<void> {
  await doRuns('07:10');
  await doRuns('08:00');
}

async function newTeam(slug: string): Promise<string> {
  const {id = ''} = await slack.core.services.teams.createTeam(slack.operator(), {slug, name: slug});
  return id;
}

async function callOf(person = user) {
  const {people} = slack.core.services;
  const member = (await people.findSlackMember(slack.operator(), person.id))!;
  return {...slack.operator(), principal: {type: 'member', id: member.id, name: member.name} as const};
}

/**
 * A lead without another role in the workspace adds the person to the team. The person has not accepted that.
 */
async function putByLead(): Promise<void> {
  const {teamMembers} = slack.core.services;
  await slack.command('to be a member', {user, channel: otherChannel});
  await slack.command('wrote the lexer', {user: admin});
  const [lead, {principal}] = [await callOf(admin), await callOf()];
  await teamMembers.setTeamMember(slack.operator(), 'platform', lead.principal.id, 'lead');
  await teamMembers.setTeamMember(lead, 'platform', principal.id, 'member');
}

/** The teams of a person, as the service knows them. */
async function teamsOf(person = user): Promise<string[]> {
  const {people, teams} = slack.core.services;
  const member = await people.findSlackMember(slack.operator(), person.id);
  const directory = await teams.findDirectory(slack.operator());
  if (member === undefined) return [];
  const mine = await people.listTeamsOf(slack.operator(), member.id, directory.teams);
  return mine.map(({slug}) => slug);
}

interface ListedEvent {
  readonly type: string;
  readonly actor: unknown;
  readonly created_at: string;
}

const ofPosting = ['team.member_added', 'team.member_updated', 'standup.created'];

/** Events of team members and standups, in log order. */
async function listEvents(): Promise<ListedEvent[]> {
  const {rows} = await slack.core.services.events.listEvents(slack.operator(), {limit: 100});
  const events = rows.map((row) => JSON.parse(row) as ListedEvent);
  return events.filter(({type}) => ofPosting.includes(type));
}

/** A form submitted for one more team. */
function withAlso(form: View, id: string, also: string) {
  const field = form.blocks.find(({block_id: one}) => one?.startsWith('also'))?.block_id ?? '';
  const whole = fillForm(form, id, {today: 'for both'});
  const selected_options = [{value: also, text: {type: 'plain_text', text: 'Another'}}];
  const chosen = {value: {type: 'multi_static_select', selected_options}};
  return {...whole, state: {values: {...whole.state.values, [field]: chosen}}};
}

/** A prepared post that is refused with `message`. */
interface RefusedPost {
  readonly message: RegExp;
  readonly post: () => Promise<BotReply>;
}

const refused: Record<string, () => Promise<RefusedPost>> = {
  async '/standup text, for a closed day'() {
    await schedule();
    await close();
    return {message: closed, post: () => slack.command('post: too late', {user})};
  },
  async 'the form, for a closed day'() {
    await schedule();
    await doRuns('07:10');
    const form = await openStandupForm(slack, {user});
    await doRuns('08:00');
    return {message: closed, post: () => slack.submit(fillForm(form, 'V_LATE', {today: 'late'}), {user})};
  },
  async 'the form for several teams, one of which they have left since'() {
    const id = await newTeam('mobile');
    await slack.command('to be a member', {user, channel: otherChannel});
    const call = await callOf();
    const {teamMembers} = slack.core.services;
    await teamMembers.setTeamMember(slack.operator(), 'mobile', call.principal.id, 'member');
    const form = await openStandupForm(slack, {user});
    await teamMembers.removeTeamMember(slack.operator(), 'mobile', call.principal.id);
    return {message: /mobile/, post: () => slack.submit(withAlso(form, 'V_BOTH', id), {user})};
  },
};

describe('a refused post', () => {
  test.each(Object.entries(refused))(
    'adds its author to no team when it is posted by %s',
    async (_, prepare) => {
      const {message, post} = await prepare();
      const before = await listEvents();
      const {text} = await post();
      expect(text).toMatch(message);
      expect(text).not.toContain(joins);
      expect(await teamsOf()).toEqual([]);
      expect(await listEvents()).toEqual(before);
    },
  );

  test('does not accept a membership that a lead has given', async () => {
    await schedule();
    await putByLead();
    await close();
    const before = await listEvents();
    expect((await slack.command('post: too late', {user})).text).toMatch(closed);
    expect(await listEvents()).toEqual(before);
  });

  test('adds its author to no team when the process dies at any of its commits', async () => {
    for (let commit = 1; ; commit++) {
      [commits, failing] = [0, commit];
      const person = {id: `U0DIES${commit}`, name: `dies${commit}`};
      const {body} = await slack.command('post: once', {user: person});
      const standups = await slack.standups();
      const posted = standups.filter(({author}) => author.name === person.name);
      expect(await teamsOf(person)).toHaveLength(posted.length);
      if (body.text.startsWith('✅ Posted')) return expect(commit).toBe(3);
    }
  });
});

describe('a post that adds its author to the team', () => {
  test('records membership and standup in one commit, the membership first, as actions of the author in Slack', async () => {
    await slack.command('to be a member', {user, channel: otherChannel});
    commits = 0;
    const {text} = await slack.command('wrote the parser', {user});
    expect(text).toContain(joins);
    expect(commits).toBe(1);
    const events = await listEvents();
    expect(events.map(({type}) => type)).toEqual(['team.member_added', 'standup.created']);
    const {principal} = await callOf();
    const [first, second] = events;
    expect(first!.actor).toEqual(second!.actor);
    expect(first!.actor).toMatchObject({type: 'member', id: principal.id, source: 'slack'});
    expect(first!.created_at).toBe(second!.created_at);
  });

  test('records the membership first when it accepts a membership that a lead has given', async () => {
    await putByLead();
    const before = (await listEvents()).length;
    expect((await slack.command('wrote the parser', {user})).text).not.toContain(joins);
    const types = (await listEvents()).slice(before).map(({type}) => type);
    expect(types).toEqual(['team.member_updated', 'standup.created']);
  });

  test('does not add the author again when it is repeated after they have left, and returns the same standup', async () => {
    const pressed = {action_id: 'post-text', value: JSON.stringify({text: 'hello', key: 'the-same'})};
    await slack.action(pressed, {}, {user});
    await calls(slack, 'respond');
    expect(await teamsOf()).toEqual(['platform']);
    const {principal} = await callOf();
    await slack.core.services.teamMembers.removeTeamMember(slack.operator(), 'platform', principal.id);
    const before = await listEvents();
    await slack.action(pressed, {}, {user});
    const [first, second] = await calls(slack, 'respond', 2);
    expect(String(first?.body['text'])).toMatch(/^✅ Posted in <#C000000001>.*hello/s);
    expect(String(second?.body['text'])).toMatch(/^✅ Posted in <#C000000001>.*hello/s);
    expect(await teamsOf()).toEqual([]);
    expect(await listEvents()).toEqual(before);
  });

  test('is for the day of its run in the time zone in which the run was opened', async () => {
    const {members, teamMembers, teams} = slack.core.services;
    const {id = ''} = await members.createMember(slack.operator(), {name: 'west', timezone: 'UTC'});
    await teams.changeTeam(slack.operator(), 'platform', {schedule: {...morning, clock: 'member'}});
    await teamMembers.setTeamMember(slack.operator(), 'platform', id, 'member');
    await clock.set(at('07:10'));
    await slack.command('wrote the parser', {user});
    const run = await slack.core.services.runViews.findRun(slack.operator(), 'platform', tuesday);
    expect(run).toMatchObject({state: 'open', participants: [{member: id}]});
    expect(await slack.standups()).toMatchObject([{date: tuesday}]);
  });

  test('is preceded by a question if the team is unclear, which adds the author to no team', async () => {
    await slack.command('to be a member', {user, channel: otherChannel});
    const call = await callOf();
    for (const slug of ['mobile', 'research']) {
      await newTeam(slug);
      await slack.core.services.teamMembers.setTeamMember(
        slack.operator(),
        slug,
        call.principal.id,
        'member',
      );
    }
    const before = await listEvents();
    const {text} = await slack.command('post: for which', {user, channel: otherChannel});
    expect(text).toMatch(/mobile.*research|research.*mobile/);
    expect(await listEvents()).toEqual(before);
  });
});
