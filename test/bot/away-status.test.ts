import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import {suffixOf, type Id} from '../../src/domain/core/ids.js';
import type {Absence} from '../../src/domain/absences/absence.js';
import type {SlackStatusChoice} from '../../src/domain/workspaces/workspace.js';
import {dumpRedis} from '../store/dump.js';
import {minute, newDeadline, type PromptPerson, type PromptScene, startPromptScene} from './prompt-scene.js';

let scene: PromptScene;
beforeAll(async () => {
  scene = await startPromptScene({strangers: 40});
});
afterAll(() => scene.close());
/** Each test has its own morning. */
beforeEach(async () => {
  const tomorrow = new Date(scene.clock.now() + 24 * 60 * minute).toISOString().slice(0, 10);
  await scene.clock.set(Date.parse(`${tomorrow}T08:00:00Z`));
});
afterEach(() => {
  expect(scene.slack.slack.limitViolations).toEqual([]);
  scene.slack.slack.clear();
});

const looks = () => scene.slack.slack.of('users.info');
const services = () => scene.slack.core.services;

async function addPerson(choice: SlackStatusChoice = 'ask', reminders = {}): Promise<PromptPerson> {
  const person = await scene.addPerson({reminders});
  await services().members.changeMember(scene.slack.operator(), person.member.id, {slack_status: choice});
  return person;
}

/** Slack's answers about a person: their status, with a text that is nobody's business. */
function sayStatus({user}: PromptPerson, emoji = ':palm_tree:', endsAt = 0): void {
  const profile = {status_emoji: emoji, status_text: 'At the clinic', status_expiration: endsAt / 1_000};
  const reply = {ok: true, user: {id: user, team_id: 'T000000001', name: user, profile}};
  scene.slack.slack.fail('users.info', {kind: 'replied', reply});
}

async function openRun(...people: readonly PromptPerson[]) {
  const closesAt = scene.clock.now() + 60 * minute;
  return {closesAt, run: await scene.openRun(closesAt, undefined, people)};
}

async function remind(person: PromptPerson): Promise<Id<'run'>> {
  const {closesAt, run} = await openRun(person);
  await scene.remind(person, run, closesAt);
  await scene.work(person);
  return run;
}

async function absencesOf({member}: PromptPerson): Promise<Absence[]> {
  const time = {from: scene.date(), until: null};
  return services().absences.listAbsencesOf(scene.slack.operator(), member.id, time);
}

async function lookForRun(run: Id<'run'>): Promise<void> {
  while ((await scene.slack.lookAtStatuses(suffixOf(run))).more);
}

const shownOf = async (person: PromptPerson) => JSON.stringify(await scene.messagesOf(person));

describe('a reminder', () => {
  test('a reminder asks a person whose status says so whether they are away, and a press makes it so for today', async () => {
    const person = await addPerson();
    sayStatus(person);
    await remind(person);
    expect(await shownOf(person)).toContain('Your Slack status is :palm_tree:. Are you away today?');
    expect(await absencesOf(person)).toEqual([]);
    const [message] = await scene.messagesOf(person);
    if (message === undefined) throw new Error('there is no reminder');
    await scene.press(person, {action_id: 'prompt-away', value: '{}'}, message);
    expect(await absencesOf(person)).toMatchObject([
      {kind: 'away', from: scene.date(), until: scene.date(), team: null, source: null},
    ]);
    await scene.work(person);
    const text = await shownOf(person);
    expect(text).toContain('you’re away');
    expect(text).not.toContain('prompt-away');
  });

  test('a reminder is not sent to a person who lets their status decide: they are away from that run alone', async () => {
    const person = await addPerson('always');
    sayStatus(person);
    await remind(person);
    expect(await scene.messagesOf(person)).toEqual([]);
    expect(await absencesOf(person)).toMatchObject([
      {
        kind: 'away',
        from: scene.date(),
        until: scene.date(),
        team: 'platform',
        reason: null,
        created_by: {name: 'Slack'},
        source: 'slack_status',
      },
    ]);
    expect((await dumpRedis(scene.redisUrl)).text).not.toContain('At the clinic');
  });

  test('a reminder comes again to a person who has ended the absence that their status made', async () => {
    const person = await addPerson('always');
    sayStatus(person);
    const run = await remind(person);
    const [made] = await absencesOf(person);
    await services().absences.deleteAbsence(scene.slack.operator(), made?.id ?? '');
    await scene.clock.set(scene.clock.now() + 30 * minute);
    sayStatus(person);
    await scene.remind(person, run, scene.clock.now() + 30 * minute, undefined, 'asked');
    await scene.work(person);
    expect(await absencesOf(person)).toEqual([]);
    expect(await scene.messagesOf(person)).toHaveLength(1);
  });

  test('a reminder leaves an absence alone that was entered by hand, and looks at no status for it', async () => {
    const person = await addPerson('always');
    await services().absences.enterAbsence(scene.slack.operator(), {
      member: person.member.id,
      kind: 'skip',
      from: scene.date(),
    });
    await remind(person);
    expect(looks()).toEqual([]);
    expect(await absencesOf(person)).toMatchObject([{kind: 'skip', source: null}]);
  });

  test('a reminder does not ask about a status that ends within a quarter of the run', async () => {
    const person = await addPerson();
    sayStatus(person, ':palm_tree:', scene.clock.now() + 10 * minute);
    await remind(person);
    expect(looks()).toHaveLength(1);
    expect(await shownOf(person)).not.toContain('prompt-away');
  });

  test('a reminder asks about an emoji that the workspace counts, and not about another one', async () => {
    const [one, other] = [await addPerson(), await addPerson()];
    const operator = scene.slack.operator();
    await services().workspaces.changeWorkspace(operator, {away_emoji: [':car:']});
    sayStatus(one);
    sayStatus(other, ':car:');
    await remind(one);
    await scene.clock.set(scene.clock.now() + 24 * 60 * minute);
    await remind(other);
    await services().workspaces.changeWorkspace(operator, {away_emoji: [':palm_tree:']});
    expect(await shownOf(one)).not.toContain('prompt-away');
    expect(await shownOf(other)).toContain('prompt-away');
  });

  test('a reminder comes without a look at the status of a person who wants none', async () => {
    const person = await addPerson('never');
    await remind(person);
    expect(looks()).toEqual([]);
    expect(await scene.messagesOf(person)).toHaveLength(1);
  });

  test('a reminder comes at once if Slack does not say what the status is', async () => {
    const person = await addPerson('always');
    scene.slack.slack.failAlways('users.info', {kind: 'refused', code: 'internal_error'});
    await remind(person);
    expect(await scene.messagesOf(person)).toHaveLength(1);
  });
});

describe('the job of a run', () => {
  test('the job of a run asks Slack once about each person who is expected, with or without reminders', async () => {
    const off = {enabled: false};
    const [always, asked, never] = [
      await addPerson('always', off),
      await addPerson('ask', off),
      await addPerson('never', off),
    ];
    const {run} = await openRun(always, asked, never);
    for (const person of [always, asked, never]) sayStatus(person);
    await lookForRun(run);
    await lookForRun(run);
    expect(looks().map(({body}) => body['user'])).toEqual([always.user, asked.user]);
    expect(await absencesOf(always)).toMatchObject([{source: 'slack_status'}]);
    expect(await absencesOf(asked)).toEqual([]);
  });

  test('the job of a run lets a reminder that was sent before ask whether the person is away', async () => {
    const person = await addPerson();
    scene.slack.slack.fail('users.info', {kind: 'refused', code: 'internal_error'});
    const run = await remind(person);
    expect(await shownOf(person)).not.toContain('prompt-away');
    sayStatus(person);
    await lookForRun(run);
    await scene.work(person);
    expect(await shownOf(person)).toContain('prompt-away');
  });

  test('the job of a run ends when Slack says nothing about three people in a row', async () => {
    const people = [];
    for (let i = 0; i < 5; i += 1) people.push(await addPerson('always', {enabled: false}));
    const {run} = await openRun(...people);
    scene.slack.slack.failAlways('users.info', {kind: 'refused', code: 'internal_error'});
    await lookForRun(run);
    expect(looks()).toHaveLength(3);
  });

  test('regression: the job of a run asks once about a person that Slack does not show, and then about the next one', async () => {
    const off = {enabled: false};
    const [silent, next] = [await addPerson('always', off), await addPerson('always', off)];
    const {run} = await openRun(silent, next);
    scene.slack.slack.fail('users.info', {kind: 'refused', code: 'user_not_visible'});
    sayStatus(next);
    await lookForRun(run);
    await lookForRun(run);
    expect(looks().map(({body}) => body['user'])).toEqual([silent.user, next.user]);
    expect(await absencesOf(silent)).toEqual([]);
    expect(await absencesOf(next)).toMatchObject([{source: 'slack_status'}]);
  });

  test('the job of a run is due a minute after the run has opened', async () => {
    const {core, workspace, team} = scene.slack;
    const {body} = await core.services.runs.openRun(scene.slack.operator(), team, {minutes: 60});
    while ((await scene.slack.read()).more);
    const {jobs} = await core.services.waitingJobs.list(workspace, 100, newDeadline());
    const {id} = JSON.parse(body) as {id: Id<'run'>};
    const job = jobs.find(({kind, about}) => kind === 'look-at-statuses' && about === suffixOf(id));
    expect(job?.side).toBe('slack');
    expect(job?.dueInMs).toBeGreaterThan(50_000);
  });
});

test('the report in Slack shows the emoji beside a missing person, until they want no look at their status', async () => {
  const {core, workspace, operator, team} = scene.slack;
  await core.services.teams.changeTeam(operator(), team, {names_missing: true});
  const person = await addPerson('ask', {enabled: false});
  const {run} = await openRun(person);
  sayStatus(person);
  await lookForRun(run);
  await scene.endRun(run, 'closed');
  const find = () =>
    core.services.channelViews.findReport({workspace, deadline: newDeadline()}, suffixOf(team), scene.date());
  expect([...((await find())?.awayEmoji ?? [])]).toEqual([[person.member.id, ':palm_tree:']]);
  await core.services.members.changeMember(operator(), person.member.id, {slack_status: 'never'});
  expect([...((await find())?.awayEmoji ?? [])]).toEqual([]);
});
