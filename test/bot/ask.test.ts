import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import type {SlackMessage} from '../support/slack-harness.js';
import {
  minute,
  type PromptPerson,
  type PromptScene,
  quick,
  newDeadline,
  startPromptScene,
} from './prompt-scene.js';
import {suffixOf, type Id} from '../../src/domain/core/ids.js';

let scene: PromptScene;
beforeAll(async () => {
  scene = await startPromptScene();
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

const posts = () => scene.slack.slack.of('chat.postMessage');
const inMinutes = (minutes: number) => scene.clock.now() + minutes * minute;

async function only(person: PromptPerson): Promise<SlackMessage> {
  const [message, ...others] = await scene.messagesOf(person);
  expect(others).toEqual([]);
  expect(message).toBeDefined();
  return message as SlackMessage;
}

function actionIds({blocks}: SlackMessage): string[] {
  const all = blocks as {type: string; elements: {action_id: string}[]}[];
  return all
    .filter(({type}) => type === 'actions')
    .flatMap(({elements}) => elements.map(({action_id: id}) => id));
}

/** Sends a person the request of a run at this moment. */
async function notify(
  person: PromptPerson,
  run: {id: Id<'run'>; closesAt: number},
  moment: 'opening' | 'before_closing' | 'asked',
  notBefore?: number,
): Promise<void> {
  await scene.remind(person, run.id, run.closesAt, notBefore, moment);
  await scene.work(person);
}

async function open(minutes: number, team?: Id<'team'>): Promise<{id: Id<'run'>; closesAt: number}> {
  const closesAt = inMinutes(minutes);
  return {id: await scene.openRun(closesAt, team), closesAt};
}

/** Adds a team with this person as a member. */
async function addTeam(person: PromptPerson, name: string): Promise<Id<'team'>> {
  const id = await scene.addTeam(name);
  const {slack} = scene;
  const team = (await slack.core.store.teams.fresh(slack.workspace, newDeadline())).byReference(id);
  await slack.core.services.people.joinTeam(slack.operator(), team!, person.member.id);
  return id;
}

/** New messages to a person. Each of them causes a notification. */
const pings = () => posts().length;

describe('a request for a standup at the opening', () => {
  test('says that the standup is open, and offers what can be done about it', async () => {
    const person = await scene.addPerson();
    await notify(person, await open(120), 'opening');
    const message = await only(person);
    expect(message.text).toMatch(/^Time for your standup\.\n• .*Platform.*: open until /);
    expect(actionIds(message)).toEqual(['prompt-post', 'prompt-skip', 'prompt-snooze']);
  });

  test('is replaced by one new message before closing for a member who has not answered, and after that is only edited', async () => {
    const person = await scene.addPerson();
    const run = await open(120);
    await notify(person, run, 'opening');
    const first = await only(person);
    await scene.clock.advance(60 * minute);
    await notify(person, run, 'before_closing');
    const second = await only(person);
    expect(second.ts).not.toBe(first.ts);
    expect(second.text).toContain('Your standup is due soon.');
    expect(pings()).toBe(2);
    await scene.clock.advance(45 * minute);
    await notify(person, run, 'before_closing');
    const third = await only(person);
    expect(third.ts).toBe(second.ts);
    expect(third.text).toContain('Your standup is still missing.');
    expect(pings()).toBe(2);
  });

  test('comes in one message for several teams, as does the reminder before their closings', async () => {
    const person = await scene.addPerson();
    const mobile = await addTeam(person, 'Mobile');
    const [one, other] = [await open(120), await open(180, mobile)];
    await notify(person, one, 'opening');
    await notify(person, other, 'opening');
    await scene.clock.advance(30 * minute);
    await notify(person, await open(150, await addTeam(person, 'Web')), 'opening');
    expect(pings()).toBe(1);
    expect((await only(person)).text).toMatch(/Time for your standups\.[^]*Platform[^]*Mobile[^]*Web/);
    await scene.clock.advance(60 * minute);
    await notify(person, one, 'before_closing');
    await scene.clock.advance(25 * minute);
    await notify(person, other, 'before_closing');
    expect(pings()).toBe(2);
    await only(person);
  });

  test('is added by an edit to a message that came less than a minute ago', async () => {
    const person = await scene.addPerson();
    const mobile = await addTeam(person, 'Mobile');
    await notify(person, await open(60), 'before_closing');
    await scene.clock.advance(30_000);
    await notify(person, await open(180, mobile), 'opening');
    expect((await only(person)).text).toMatch(/Your standups are due soon\.[^]*Platform[^]*Mobile/);
    expect(pings()).toBe(1);
  });

  test('comes as a new message for another team, even where a reminder of the first team is shown', async () => {
    const person = await scene.addPerson();
    const mobile = await addTeam(person, 'Mobile');
    await notify(person, await open(60), 'before_closing');
    await scene.clock.advance(10 * minute);
    await notify(person, await open(180, mobile), 'opening');
    await only(person);
    expect(pings()).toBe(2);
  });

  test('is sent as a new message when a lead reminds the member, at most once a day', async () => {
    const person = await scene.addPerson();
    const run = await open(120);
    await notify(person, run, 'opening');
    for (let i = 0; i < 2; i += 1) {
      await scene.clock.advance(10 * minute);
      await notify(person, run, 'asked');
    }
    expect(pings()).toBe(2);
    await only(person);
  });

  test('is not repeated for a member who has posted, postponed it, or is in their quiet hours', async () => {
    const [posted, later, quiet] = [
      await scene.addPerson(),
      await scene.addPerson(),
      await scene.addPerson({
        reminders: {quiet_from: '09:00', quiet_until: '09:30'},
      }),
    ];
    const run = await open(120);
    for (const one of [posted, later, quiet]) await notify(one, run, 'opening');
    await scene.slack.command('done', {user: {id: posted.user, name: 'x'}});
    await scene.work(posted);
    await scene.clock.advance(55 * minute);
    const message = await only(later);
    await scene.press(later, {action_id: 'prompt-snooze', value: `${scene.date()}/30`}, message);
    await scene.clock.advance(5 * minute);
    for (const one of [posted, later]) await notify(one, run, 'before_closing');
    await notify(quiet, run, 'before_closing', inMinutes(30));
    const direct = () => posts().filter(({body}) => String(body['channel']).startsWith('U'));
    expect(direct()).toHaveLength(3);
    await scene.clock.advance(25 * minute);
    await scene.work(later);
    await scene.work(quiet);
    // The end of a postponed reminder counts as the reminder before closing, too.
    expect(direct()).toHaveLength(4);
    await scene.clock.advance(5 * minute);
    for (const one of [posted, later, quiet]) await scene.work(one);
    expect(direct()).toHaveLength(5);
    expect(
      direct()
        .map(({body}) => body['channel'])
        .toSorted(),
    ).toEqual([posted, later, later, quiet, quiet].map(({user}) => user).toSorted());
    for (const one of [posted, later, quiet]) await only(one);
  });

  test('is shown on Home with the end of the quiet hours when it was postponed into them', async () => {
    const person = await scene.addPerson({reminders: {quiet_from: '08:30', quiet_until: '09:00'}});
    const run = await open(120);
    await notify(person, run, 'opening');
    await scene.clock.advance(45 * minute);
    await notify(person, run, 'before_closing', inMinutes(15));
    const {core, workspace} = scene.slack;
    const asking = {workspace, deadline: newDeadline()};
    expect(await core.services.findNextReminder(asking, person.member.id)).toMatchObject({
      kind: 'reminder',
      at: inMinutes(15),
    });
  });

  test('is shown once after a process dies between sending the new message and removing the old one', async () => {
    const person = await scene.addPerson();
    const run = await open(120);
    await notify(person, run, 'opening');
    await scene.clock.advance(60 * minute);
    scene.slack.slack.fail('chat.delete', {kind: 'lost'});
    await notify(person, run, 'before_closing');
    await scene.clock.advance(quick.unanswered[0] ?? 20);
    await scene.work(person);
    await only(person);
    expect(pings()).toBe(2);
  });

  test('regression: shows its outcome in the same message if its run closes before it could come again', async () => {
    const person = await scene.addPerson();
    const run = await open(120);
    await notify(person, run, 'opening');
    const {ts} = await only(person);
    await scene.clock.advance(60 * minute);
    scene.slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'token_expired'});
    await notify(person, run, 'before_closing');
    await scene.endRun(run.id, 'closed');
    for (let i = 0; i < 2; i += 1) {
      await scene.clock.advance(quick.unanswered[0] ?? 20);
      await scene.work(person);
    }
    const message = await only(person);
    expect([message.ts, actionIds(message)]).toEqual([ts, []]);
  });
});

describe('Remind me later', () => {
  test('is offered as long as there is time for another reminder', async () => {
    const [early, late] = [await scene.addPerson(), await scene.addPerson()];
    await notify(early, await open(40), 'before_closing');
    await notify(late, await open(15, await addTeam(late, 'Mobile')), 'before_closing');
    const choices = async (person: PromptPerson) =>
      JSON.stringify((await only(person)).blocks).match(/\d{4}-\d\d-\d\d\/\d+/g) ?? [];
    expect((await choices(early)).map((value) => value.split('/')[1])).toEqual(['15', '30']);
    expect(actionIds(await only(late))).toEqual(['prompt-post', 'prompt-skip']);
  });

  test('remains in a message as time passes, without an edit', async () => {
    const person = await scene.addPerson();
    const run = await open(40);
    await notify(person, run, 'before_closing');
    await scene.clock.advance(20 * minute);
    await scene.slack.core.store.prompts.ask(
      scene.slack.workspace,
      await scene.slack.core.store.prompts.listOfRun(scene.slack.workspace, suffixOf(run.id), newDeadline()),
      newDeadline(),
    );
    await scene.work(person);
    expect(scene.slack.slack.of('chat.update')).toEqual([]);
  });
});

test('an answered reminder has an Edit button for each team that the member posted for, at most five', async () => {
  const person = await scene.addPerson();
  const {id, name} = person.member;
  const by = {...scene.slack.operator(), principal: {type: 'member', id, name} as const};
  for (let i = 0; i < 7; i += 1) {
    const team = await addTeam(person, `Team ${i} ${'x'.repeat(70)}`);
    await notify(person, await open(60, team), 'opening');
    await scene.slack.core.services.standups.postStandup(by, {team, update: 'words', source: 'slack'});
  }
  await scene.work(person);
  await scene.clock.advance(1);
  await scene.work(person);
  const message = await only(person);
  expect(actionIds(message)).toEqual([0, 1, 2, 3, 4].map((n) => `open-form:edit-${n}`));
});
