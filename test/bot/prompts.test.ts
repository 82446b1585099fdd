import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from '@jest/globals';
import {suffixOf, type Id} from '../../src/domain/core/ids.js';
import {workspaceKeys} from '../../src/store/core/keys.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {dumpRedis} from '../store/dump.js';
import type {SlackFailure} from '../support/slack-failure-server.js';
import {sendToRedis} from '../../scripts/redis-protocol.mjs';
import {clockKey} from '../support/follow-clock.mjs';
import {findBlock, calls, fillForm, type View, viewOf} from '../support/slack-form.js';
import {botToken, lookingToken, type SlackMessage} from '../support/slack-harness.js';
import {until} from '../support/until.js';
import {
  minute,
  type PromptPerson,
  type PromptScene,
  quick,
  newDeadline,
  startPromptScene,
} from './prompt-scene.js';

let scene: PromptScene;
beforeAll(async () => {
  scene = await startPromptScene({strangers: 100});
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
const updates = () => scene.slack.slack.of('chat.update');
const yesterday = () => new Date(scene.clock.now() - 24 * 60 * minute).toISOString().slice(0, 10);
const inMinutes = (minutes: number) => scene.clock.now() + minutes * minute;

/** A person with a reminder of a run of `platform` that closes in an hour. */
async function reminded(): Promise<{
  person: PromptPerson;
  run: Id<'run'>;
  closesAt: number;
  message: SlackMessage;
}> {
  const person = await scene.addPerson();
  const closesAt = inMinutes(60);
  const run = await scene.openRun(closesAt);
  await scene.remind(person, run, closesAt);
  await scene.work(person);
  const [message, ...others] = await scene.messagesOf(person);
  if (message === undefined || others.length > 0) throw new Error('there is not one message');
  return {person, run, closesAt, message};
}

/** Keys of the workspace that contain the person's Slack user id. */
async function listKept({user}: PromptPerson): Promise<string[]> {
  const lines = (await dumpRedis(scene.redisUrl)).text.split('\n');
  const own = lines.filter((line) => line.includes(`{${scene.slack.workspace}}`));
  return own.filter((line) => line.includes(user)).map((line) => line.slice(0, 120));
}

async function only(person: PromptPerson): Promise<SlackMessage> {
  const [message, ...others] = await scene.messagesOf(person);
  expect(others).toEqual([]);
  expect(message).toBeDefined();
  return message as SlackMessage;
}

function actionsOf({
  blocks,
}: SlackMessage): {action_id: string; value?: string; options?: {value: string}[]}[] {
  const all = blocks as {type: string; elements: {action_id: string}[]}[];
  return all.filter(({type}) => type === 'actions').flatMap(({elements}) => elements);
}

const actionIds = (message: SlackMessage) => actionsOf(message).map(({action_id: id}) => id);
const allActions = ['prompt-post', 'prompt-skip', 'prompt-snooze'];

/** The n-th private answer. */
async function answered(n = 1): Promise<Record<string, unknown>> {
  return until(() => scene.slack.slack.of('respond')[n - 1]?.body);
}

/** A person's status in the report of a run. */
async function statusIn(run: Id<'run'>, {member}: PromptPerson): Promise<string | undefined> {
  const {core, workspace} = scene.slack;
  const found = await core.store.records.find(workspace, run, newDeadline());
  if (found === undefined) throw new Error('there is no such run');
  const {report} = await core.services.runReports.findReport(scene.slack.operator(), found);
  return report.lines.find((line) => line.member.id === member.id)?.status;
}

async function unreachableIn(run: Id<'run'>, {member}: PromptPerson): Promise<boolean> {
  const found = await scene.slack.core.store.prompts.findUnreachable(
    scene.slack.workspace,
    run,
    [member.id],
    newDeadline(),
  );
  return found.has(member.id);
}

describe('a reminder', () => {
  test('is one direct message that says what is due until when, and what can be done about it', async () => {
    const {person, closesAt, message} = await reminded();
    expect(posts().map(({body}) => body['channel'])).toEqual([person.user]);
    const seconds = Math.floor(closesAt / 1_000);
    expect(message.text).toMatch(/^Your standup is due soon\.\n• .*Platform.*: open until .*<!date\^/);
    expect(message.text).toContain(`<!date^${seconds}^`);
    expect(JSON.stringify(message.blocks)).toContain(`"timestamp":${seconds}`);
    expect(actionIds(message)).toEqual(allActions);
    const {team} = scene.slack;
    const dates = {[scene.date()]: suffixOf(team)};
    expect(JSON.parse(actionsOf(message)[0]?.value ?? '')).toEqual({mode: 'auto', team, dates});
  });

  test('includes another team’s request on the same day in the same message', async () => {
    const {person} = await reminded();
    const mobile = await scene.addTeam('Mobile <!channel>');
    const team = (await scene.slack.core.store.teams.fresh(scene.slack.workspace, newDeadline())).byReference(
      mobile,
    );
    await scene.slack.core.services.people.joinTeam(scene.slack.operator(), team!, person.member.id);
    const run = await scene.openRun(inMinutes(90), mobile);
    await scene.remind(person, run, inMinutes(90));
    await scene.work(person);
    const message = await only(person);
    expect(message.text).toMatch(/Your standups are due soon\.[^]*Platform[^]*Mobile &lt;!channel&gt;/);
    expect(JSON.stringify(message.blocks)).toContain('Mobile <!channel>');
    // The team is chosen in the form.
    const dates = {[scene.date()]: `${suffixOf(scene.slack.team)} ${suffixOf(mobile)}`};
    expect(JSON.parse(actionsOf(message)[0]?.value ?? '')).toEqual({mode: 'auto', dates});
    expect(posts()).toHaveLength(1);
  });

  test('updates its message when it comes again on the same day', async () => {
    const {person, run, closesAt} = await reminded();
    await scene.clock.advance(45 * minute);
    await scene.remind(person, run, closesAt);
    await scene.work(person);
    expect((await only(person)).text).toContain('Your standup is still missing.');
    expect([posts().length, updates().length]).toEqual([1, 1]);
    // Repeating the commit, or the work that is due, changes nothing.
    await scene.remind(person, run, closesAt);
    await scene.work(person);
    expect([posts().length, updates().length]).toEqual([1, 1]);
  });

  test('comes as a new message on the next day', async () => {
    const {person} = await reminded();
    await scene.clock.advance(24 * 60 * minute);
    const run = await scene.openRun(inMinutes(60));
    await scene.remind(person, run, inMinutes(60));
    await scene.work(person);
    const [first, second] = await scene.messagesOf(person);
    expect(actionIds(first!)).toEqual([]);
    expect(actionIds(second!)).toEqual(allActions);
  });

  test('is not sent to a member who has posted, wants none, has left the team, or has another Slack account now', async () => {
    const [posted, off, left, other] = [
      await scene.addPerson(),
      await scene.addPerson({reminders: {enabled: false}}),
      await scene.addPerson({teams: []}),
      await scene.addPerson(),
    ];
    const {members} = scene.slack.core.services;
    await members.changeMember(scene.slack.operator(), other.member.id, {slack_user_id: 'U0OTHER'});
    const run = await scene.openRun(inMinutes(60));
    for (const person of [posted, off, left, other]) await scene.remind(person, run, inMinutes(60));
    await scene.slack.command('post: early', {user: {id: posted.user, name: 'early'}});
    for (const person of [posted, off, left, other]) await scene.work(person);
    expect(posts().filter(({body}) => String(body['channel']).startsWith('U'))).toEqual([]);
  });

  test('is delayed until the end of quiet hours, and not sent when nothing is left to post by then', async () => {
    const [patient, late] = [await scene.addPerson(), await scene.addPerson()];
    const [open, short] = [await scene.openRun(inMinutes(60)), await scene.openRun(inMinutes(20))];
    await scene.remind(patient, open, inMinutes(60), inMinutes(30));
    await scene.remind(late, short, inMinutes(20), inMinutes(30));
    // A change in the meantime sends no message.
    await scene.endRun(short, 'closed');
    for (const person of [patient, late]) await scene.work(person);
    await scene.clock.advance(30 * minute - 1);
    for (const person of [patient, late]) await scene.work(person);
    expect(posts()).toEqual([]);
    await scene.clock.advance(1);
    for (const person of [patient, late]) await scene.work(person);
    expect(posts().map(({body}) => body['channel'])).toEqual([patient.user]);
  });

  test('regression: waits for the end of quiet hours if the member leaves Slack for no other channel, and returns', async () => {
    const person = await scene.addPerson();
    const closesAt = inMinutes(60);
    await scene.remind(person, await scene.openRun(closesAt), closesAt, inMinutes(30));
    const {core, operator, workspace} = scene.slack;
    const {id} = person.member;
    const change = (reminders: object) => core.services.members.changeMember(operator(), id, {reminders});
    const look = async () => {
      const prompt = {member: suffixOf(id), date: scene.date(), user: person.user};
      await core.store.prompts.ask(workspace, [prompt], newDeadline());
      await scene.work(person);
    };
    for (const [away, back] of [
      [{channels: ['mail']}, {channels: ['slack']}],
      [{enabled: false}, {enabled: true}],
    ]) {
      await change(away ?? {});
      await look();
      await change(back ?? {});
    }
    expect(await scene.messagesOf(person)).toEqual([]);
    await scene.clock.advance(30 * minute);
    await scene.work(person);
    expect(await scene.messagesOf(person)).toHaveLength(1);
  });

  test('moves to the Slack account that the member has at the end of quiet hours', async () => {
    const person = await scene.addPerson();
    const run = await scene.openRun(inMinutes(60));
    await scene.remind(person, run, inMinutes(60), inMinutes(30));
    const {member: other, user} = await scene.addPerson();
    const {changeMember} = scene.slack.core.services.members;
    await changeMember(scene.slack.operator(), other.id, {slack_user_id: null});
    await changeMember(scene.slack.operator(), person.member.id, {slack_user_id: user});
    await scene.clock.advance(30 * minute);
    await scene.work(person);
    await scene.work({...person, user});
    expect(posts().map(({body}) => body['channel'])).toEqual([user]);
  });

  test('names at most twenty teams, within all limits, even with the days of two runs each', async () => {
    const teams: Id<'team'>[] = [];
    for (let i = 0; i < 15; i++) teams.push(await scene.addTeam(`&<>"${'💬'.repeat(36)}${i}`));
    const person = await scene.addPerson({teams});
    for (const [i, team] of teams.entries()) {
      const dates = i < 10 ? [yesterday(), scene.date()] : [scene.date()];
      for (const date of dates)
        await scene.remind(person, await scene.openRun(inMinutes(60), team, [], date), inMinutes(60));
    }
    await scene.clock.advance(1);
    await scene.work(person);
    expect((await only(person)).text).toContain('and 5 more teams');
    await scene.clock.advance(60 * minute);
    await scene.work(person);
    expect((await only(person)).text).toContain('you missed this one');
  });

  test('names each day for two open runs of one team; Post is for the run that closes first, Skip for both', async () => {
    const person = await scene.addPerson();
    const {team} = scene.slack;
    const [first, second] = [yesterday(), scene.date()];
    await scene.remind(person, await scene.openRun(inMinutes(90)), inMinutes(90));
    await scene.remind(person, await scene.openRun(inMinutes(60), team, [], first), inMinutes(60));
    // Two requests at one instant make the message due just after that instant.
    await scene.clock.advance(1);
    await scene.work(person);
    const message = await only(person);
    const {day} = translationFor();
    expect(message.text).toContain(`Platform, ${day(first)}: open until`);
    expect(message.text).toContain(`Platform, ${day(second)}: open until`);
    expect(JSON.stringify(message.blocks)).toContain(`, ${day(first)}: open until`);
    const [post, skip] = actionsOf(message);
    expect(JSON.parse(post?.value ?? '')).toEqual({mode: 'auto', team, dates: {[first]: suffixOf(team)}});
    await scene.press(person, {action_id: 'prompt-skip', value: skip?.value ?? ''}, message);
    while ((await scene.slack.read()).more);
    await scene.clock.advance(1);
    await scene.work(person);
    expect(scene.slack.slack.of('respond')).toEqual([]);
    const {text} = await only(person);
    expect(text).toContain(`Platform, ${day(first)}: skipped`);
    expect(text).toContain(`Platform, ${day(second)}: skipped`);
  });
});

describe('the message of a reminder', () => {
  test('shows the standup that is posted, with its link, in one edit, and is restored when the standup is deleted', async () => {
    const {person} = await reminded();
    await scene.slack.command('what I work on', {user: {id: person.user, name: 'poster'}});
    await scene.work(person);
    // The link of the standup is not known yet. A later edit shows the standup and its link.
    expect(updates()).toHaveLength(0);
    await scene.slack.postSlice({waits: quick});
    await scene.work(person);
    const answered = await only(person);
    expect(answered.text).toMatch(/^Standup of \w+ \d+ \w+\n• .*Platform.*: posted https?:\/\/\S+$/);
    expect(actionIds(answered)).toEqual(['open-form:edit-0']);
    expect(updates().filter(({body}) => body['ts'] === answered.ts)).toHaveLength(1);
    const mine = (await scene.slack.standups()).find(({author}) => author.id === person.member.id);
    await scene.slack.core.services.standups.retractStandup(
      {...scene.slack.operator(), principal: mine!.author},
      mine!.id,
    );
    await scene.work(person);
    expect(actionIds(await only(person))).toEqual(allActions);
    expect(posts().filter(({body}) => body['channel'] === person.user)).toHaveLength(1);
  });

  test('is closed for one of its two teams when the run of that team closes, while the other remains open', async () => {
    const {person, run} = await reminded();
    const mobile = await scene.addTeam('Mobile');
    await scene.slack.core.services.teamMembers.setTeamMember(
      scene.slack.operator(),
      mobile,
      person.member.id,
      'member',
    );
    await scene.remind(person, await scene.openRun(inMinutes(90), mobile), inMinutes(90));
    await scene.endRun(run, 'closed');
    // Two requests at one instant make the message due just after that instant.
    while ((await scene.slack.read()).more);
    await scene.clock.advance(1);
    await scene.work(person);
    const message = await only(person);
    expect(message.text).toMatch(/^Your standup is (due soon|still missing)\.[^]*Mobile.*: open until/);
    expect(message.text).toMatch(/Platform.*you missed this one/);
    expect(JSON.parse(actionsOf(message)[0]?.value ?? '')).toMatchObject({team: mobile});
  });

  test('is not restored after a person has removed it, even by the next reminder', async () => {
    const {person, run, closesAt, message} = await reminded();
    const {channel} = (await scene.slack.api('conversations.open', {users: person.user}, lookingToken)) as {
      channel: {id: string};
    };
    await scene.slack.api('chat.delete', {channel: channel.id, ts: message.ts}, botToken);
    await scene.clock.advance(minute);
    await scene.remind(person, run, closesAt);
    await scene.work(person);
    expect(await scene.messagesOf(person)).toEqual([]);
    expect(posts()).toHaveLength(1);
  });

  test('is closed at the time when the run closes for the member, whatever happens to the run', async () => {
    const {person, closesAt} = await reminded();
    await scene.clock.set(closesAt - 1);
    await scene.work(person);
    expect(actionIds(await only(person))).toEqual(allActions);
    await scene.clock.set(closesAt);
    await scene.work(person);
    const message = await only(person);
    expect(message.text).toMatch(/Platform.*: you missed this one. It closed .*./);
    expect(actionIds(message)).toEqual([]);
  });

  test.each([
    ['closed', /you missed this one\. It closed /],
    ['cancelled', /cancelled/],
  ] as const)('is finished as soon as its run is %s', async (state, outcome) => {
    const {person, run} = await reminded();
    await scene.endRun(run, state);
    await scene.work(person);
    const message = await only(person);
    expect(message.text).toMatch(outcome);
    expect(actionIds(message)).toEqual([]);
  });

  test('shows an absence that is entered by any means, and is restored when the member is back', async () => {
    const {person} = await reminded();
    const {absences} = scene.slack.core.services;
    const absence = await absences.enterAbsence(scene.slack.operator(), {
      member: person.member.id,
      kind: 'away',
    });
    await scene.work(person);
    expect((await only(person)).text).toContain('you’re away');
    await absences.deleteAbsence(scene.slack.operator(), absence.id ?? '');
    await scene.work(person);
    expect((await only(person)).text).toContain('Your standup is due soon.');
  });

  test('shows nothing of a team that the member is no longer in', async () => {
    const {person} = await reminded();
    await scene.slack.core.services.teamMembers.removeTeamMember(
      scene.slack.operator(),
      scene.slack.team,
      person.member.id,
    );
    await scene.work(person);
    const message = await only(person);
    expect(message.text).not.toContain('Platform');
    expect(actionIds(message)).toEqual([]);
  });
});

test('a reminder of a removed member has no buttons left, and nothing of it is stored', async () => {
  const {person} = await reminded();
  const {core, workspace} = scene.slack;
  await core.services.members.deleteMember(scene.slack.operator(), person.member.id, {erase: true});
  await scene.work(person);
  const message = await only(person);
  expect(message.text).not.toContain('Platform');
  expect(actionIds(message)).toEqual([]);
  expect(
    await core.store.prompts.find(workspace, suffixOf(person.member.id), scene.date(), newDeadline()),
  ).toBeUndefined();
});

test('regression: nothing of an erased member’s Slack id remains, although Slack edits the message', async () => {
  const {person} = await reminded();
  const {core} = scene.slack;
  expect((await listKept(person)).length).toBeGreaterThan(3);
  await core.services.members.deleteMember(scene.slack.operator(), person.member.id, {erase: true});
  while (await core.services.forgetMember(scene.slack.operator(), person.member.id, true));
  await scene.clock.advance(1);
  await scene.work(person);
  expect(actionIds(await only(person))).toEqual([]);
  expect(await listKept(person)).toEqual([]);
});

describe('Post on a reminder', () => {
  test('opens the form of the team', async () => {
    const {person, message} = await reminded();
    const [button] = actionsOf(message);
    await scene.press(person, {action_id: 'prompt-post', value: button?.value ?? ''}, message);
    const [call] = await until(() => {
      const views = scene.slack.slack.of('views.open');
      return views.length > 0 && views;
    });
    const view = call?.body['view'] as {private_metadata: string};
    expect(JSON.parse(view.private_metadata)).toMatchObject({team: scene.slack.team});
  });

  test('offers, if there are several teams, those without a standup on the day that the reminder named', async () => {
    const [mobile, web] = [await scene.addTeam('Mobile'), await scene.addTeam('Web')];
    const teams = [scene.slack.team, mobile, web];
    const person = await scene.addPerson({teams});
    for (const team of teams)
      await scene.remind(person, await scene.openRun(inMinutes(60), team), inMinutes(60));
    const {id, name} = person.member;
    const by = {...scene.slack.operator(), principal: {type: 'member', id, name} as const};
    const {standups} = scene.slack.core.services;
    const date = scene.date();
    const user = {id: person.user, name: person.user};
    await scene.work(person);
    await standups.postStandup(by, {team: scene.slack.team, update: 'the first', source: 'slack'});
    while ((await scene.slack.read()).more);
    while ((await scene.slack.postSlice({waits: quick})).more);
    await scene.clock.advance(1);
    await scene.work(person);
    const message = await only(person);
    const button = actionsOf(message)[0]!;
    const press = async (n: number) => {
      await scene.press(person, button, message);
      return viewOf((await calls(scene.slack, 'views.open', n))[n - 1]);
    };
    const offered = (view: View) => findBlock(view, 'team')?.element?.options?.map(({value}) => value);

    const two = await press(1);
    expect(JSON.parse(two.private_metadata)).not.toHaveProperty('standup');
    expect(offered(two)).toEqual([mobile, web]);
    const pick = {...fillForm(two, 'V_PICK', {}, mobile), type: 'modal', hash: 'h'};
    const inView = {channel: undefined, response_url: undefined};
    await scene.slack.action({action_id: 'choose-team'}, {view: pick, ...inView}, {user});
    const picked = viewOf((await calls(scene.slack, 'views.update'))[0]);
    expect(offered(picked)).toEqual([mobile, web]);
    await scene.slack.submit(fillForm(picked, 'V_PICK', {today: 'the second'}, mobile), {user});

    // The message may not show yet that one team is done.
    const last = await press(2);
    expect(JSON.parse(last.private_metadata)).toMatchObject({team: web});
    await scene.slack.submit(fillForm(last, 'V_LAST', {today: 'the third'}), {user});

    const edit = await press(3);
    expect(JSON.parse(edit.private_metadata)).toHaveProperty('standup');
    const [more] = edit.blocks.flatMap(({elements = []}) => elements);
    await scene.clock.advance(24 * 60 * minute);
    await scene.slack.action(
      {action_id: 'new-update', value: more?.value ?? ''},
      {view: {...edit, id: 'V_MORE', type: 'modal', hash: 'h'}, ...inView},
      {user},
    );
    const another = viewOf((await calls(scene.slack, 'views.update', 2))[1]);
    expect(offered(another)).toEqual([mobile, web]);
    await scene.slack.submit(fillForm(another, 'V_MORE', {today: 'the fourth'}, web), {user});
    const mine = (await scene.slack.standups()).filter(({author}) => author.id === id);
    expect(mine.map((one) => [one.team_id, one.date])).toEqual(
      [web, web, mobile, scene.slack.team].map((team) => [team, date]),
    );
  });
});

describe('Skip on a reminder', () => {
  test('skips the day of the reminder for all its teams, and says so', async () => {
    const {person, message} = await reminded();
    const value = actionsOf(message)[1]?.value ?? '';
    await scene.press(person, {action_id: 'prompt-skip', value}, message);
    await scene.work(person);
    expect((await only(person)).text).toMatch(/Platform.*: skipped/);
    const call = {...scene.slack.operator()};
    const absences = await scene.slack.core.services.absences.listAbsencesOf(call, person.member.id, {
      from: scene.date(),
      until: scene.date(),
    });
    expect(absences).toMatchObject([
      {kind: 'skip', from: scene.date(), until: scene.date(), team_id: scene.slack.team},
    ]);
    // At the second press nothing is left to skip.
    await scene.press(person, {action_id: 'prompt-skip', value}, message);
    expect(await answered()).toMatchObject({
      text: 'All done. Nothing left to do here.',
      replace_original: false,
    });
  });
});

describe('an open blocker of the member', () => {
  const hour = 60 * minute;
  async function remindAgain(person: PromptPerson): Promise<SlackMessage | undefined> {
    const run = await scene.openRun(inMinutes(60));
    await scene.remind(person, run, inMinutes(60));
    await scene.work(person);
    return (await scene.messagesOf(person)).at(-1);
  }

  test('is asked about in the first reminder two days after its last change, again after five days, and never twice', async () => {
    const person = await scene.addPerson();
    const {core} = scene.slack;
    const call = () =>
      ({...scene.slack.operator(), principal: {type: 'member', id: person.member.id, name: ''}}) as const;
    const raised = scene.date();
    const {body} = await core.services.blockers.raiseBlocker(call(), {
      team: 'platform',
      text: 'No *tape* <!channel>',
    });
    const {id} = JSON.parse(body ?? '') as {id: string};
    await scene.work(person);
    expect((await remindAgain(person))?.text).not.toContain('Still blocked?');
    const asked: number[] = [];
    for (let day = 1; day <= 8; day += 1) {
      await scene.clock.advance(24 * hour);
      // Nothing is asked on the weekend of days 2 and 3.
      if (day === 2 || day === 3) continue;
      const message = await remindAgain(person);
      if (message?.text.includes('Still blocked?')) asked.push(day);
    }
    expect(asked).toEqual([4, 7]);
    await scene.clock.advance(4 * 24 * hour);
    const message = await remindAgain(person);
    expect(message?.text).toMatch(/Still blocked\? .*No \*tape\* &lt;!channel&gt;/);
    expect(message?.text).toContain(`Platform, since ${translationFor('en').day(raised)}`);
    expect(JSON.stringify(message?.blocks)).toContain('" <!channel>"');
    const press = {action_id: 'resolve-blocker', value: JSON.stringify({blocker: id})};
    expect(actionsOf(message!).at(-1)).toMatchObject(press);
    await scene.press(person, press, message!);
    expect(await answered()).toMatchObject({text: 'Blocker resolved.'});
    expect(await core.services.blockers.findBlocker(call(), id)).toMatchObject({state: 'resolved'});
    await scene.work(person);
    expect((await scene.messagesOf(person)).at(-1)?.text).not.toContain('Still blocked?');
  });

  test('is not asked about if the member can no longer read its team, or a change is younger than two days', async () => {
    const person = await scene.addPerson();
    const other = await scene.addTeam('Other');
    const {core, workspace} = scene.slack;
    const call = () =>
      ({...scene.slack.operator(), principal: {type: 'member', id: person.member.id, name: ''}}) as const;
    const team = (await core.store.teams.fresh(workspace, newDeadline())).byReference(other);
    await core.services.people.joinTeam(scene.slack.operator(), team!, person.member.id);
    await core.services.blockers.raiseBlocker(call(), {team: other, text: 'Hidden by now'});
    const {body} = await core.services.blockers.raiseBlocker(call(), {team: 'platform', text: 'Taken on'});
    await core.services.teams.changeTeam(scene.slack.operator(), other, {visibility: 'private'});
    await core.services.teamMembers.removeTeamMember(scene.slack.operator(), other, person.member.id);
    await scene.clock.advance(24 * hour);
    const {id} = JSON.parse(body ?? '') as {id: string};
    await core.services.blockers.changeBlocker(call(), id, {state: 'acknowledged'});
    await scene.clock.advance(24 * hour);
    expect((await remindAgain(person))?.text).not.toContain('Still blocked?');
    await scene.clock.advance(24 * hour);
    const text = (await remindAgain(person))?.text;
    expect(text).toContain('Taken on');
    expect(text).not.toContain('Hidden by now');
  });
});

describe('Remind me later', () => {
  const snooze = (person: PromptPerson, message: SlackMessage, minutes: number) =>
    scene.press(person, {action_id: 'prompt-snooze', value: `${scene.date()}/${minutes}`}, message);

  test('shows when the new reminder will come, which then replaces the old one', async () => {
    const {person, message} = await reminded();
    expect(actionsOf(message)[2]?.options?.map(({value}) => value.split('/')[1])).toEqual(['15', '30']);
    await snooze(person, message, 30);
    await scene.work(person);
    const put = await only(person);
    expect(put.ts).toBe(message.ts);
    expect(put.text).toContain(`OK. I’ll remind you again <!date^${inMinutes(30) / 1_000}^`);
    expect(actionIds(put)).toEqual(allActions);
    await scene.clock.advance(30 * minute - 1);
    await scene.work(person);
    expect((await only(person)).ts).toBe(message.ts);
    await scene.clock.advance(1);
    await scene.work(person);
    const again = await only(person);
    expect(again.ts).not.toBe(message.ts);
    expect(again.text).toContain('Your standup is due soon.');
    expect(posts()).toHaveLength(2);
    // Delays beyond the end of the run are not offered.
    expect(actionsOf(again)[2]?.options?.map(({value}) => value.split('/')[1])).toEqual(['15']);
  });

  test('delays a reminder to at most five minutes before closing', async () => {
    const {person, message, closesAt} = await reminded();
    await snooze(person, message, 60);
    await scene.clock.set(closesAt - 5 * minute - 1);
    await scene.work(person);
    expect((await only(person)).ts).toBe(message.ts);
    await scene.clock.advance(1);
    await scene.work(person);
    expect((await only(person)).ts).not.toBe(message.ts);
  });

  test('from the dashboard or the API holds for the message in Slack, too', async () => {
    const {person, message} = await reminded();
    const principal = {type: 'member', id: person.member.id, name: 'Ada'} as const;
    const call = {...scene.slack.operator(), principal};
    const {ownReminders} = scene.slack.core.services;
    await ownReminders.snoozeReminder(call, {minutes: 15});
    await scene.clock.advance(minute);
    await ownReminders.snoozeReminder(call, {minutes: 30});
    await scene.work(person);
    expect((await only(person)).text).toContain(`OK. I’ll remind you again <!date^${inMinutes(30) / 1_000}^`);
    await scene.clock.advance(30 * minute);
    await scene.work(person);
    expect((await only(person)).ts).not.toBe(message.ts);
    expect(posts()).toHaveLength(2);
  });

  test('is refused when no time is left', async () => {
    const {person, message, closesAt} = await reminded();
    await scene.clock.set(closesAt - 6 * minute + 1);
    await snooze(person, message, 15);
    await scene.work(person);
    expect((await answered())['text']).toContain('too soon for another reminder');
    expect((await only(person)).text).toContain('Your standup is due soon.');
    await scene.clock.set(closesAt);
    await snooze(person, message, 15);
    expect((await answered(2))['text']).toBe('All done. Nothing left to do here.');
  });

  test('moves with another choice, and is refused once the member turned reminders off', async () => {
    const {person, message} = await reminded();
    await snooze(person, message, 30);
    await scene.work(person);
    await scene.clock.advance(5 * minute);
    await snooze(person, message, 15);
    await scene.work(person);
    expect((await only(person)).text).toContain(`<!date^${inMinutes(15) / 1_000}^`);
    await scene.slack.core.services.members.changeMember(scene.slack.operator(), person.member.id, {
      reminders: {enabled: false},
    });
    await snooze(person, message, 30);
    expect((await answered())['text']).toBe('Your reminders are off. Turn them on in your settings first.');
  });

  test('ends early when the member posts, and no further reminder comes', async () => {
    const {person, message} = await reminded();
    await snooze(person, message, 30);
    await scene.work(person);
    await scene.slack.command('post: after all', {user: {id: person.user, name: 'poster'}});
    await scene.work(person);
    await scene.clock.advance(31 * minute);
    await scene.work(person);
    const left = await only(person);
    expect(left.ts).toBe(message.ts);
    expect(left.text).toContain(': posted');
  });

  test('is shown on Home as the next reminder', async () => {
    const {person, message} = await reminded();
    const next = () => scene.slack.core.services.findNextReminder(scene.slack.operator(), person.member.id);
    expect(await next()).toMatchObject({kind: 'no-reminders'});
    await snooze(person, message, 30);
    await scene.work(person);
    expect(await next()).toMatchObject({
      kind: 'reminder',
      at: inMinutes(30),
      date: scene.date(),
      team: {id: scene.slack.team},
    });
    await scene.clock.advance(30 * minute);
    await scene.work(person);
    expect(await next()).toMatchObject({kind: 'no-reminders'});
  });

  test('ends when the member switches reminders off: the message remains, and no further reminder comes', async () => {
    const {person, message} = await reminded();
    await snooze(person, message, 30);
    await scene.work(person);
    await scene.slack.core.services.members.changeMember(scene.slack.operator(), person.member.id, {
      reminders: {enabled: false},
    });
    await scene.clock.advance(30 * minute);
    await scene.work(person);
    const left = await only(person);
    expect(left.ts).toBe(message.ts);
    expect(left.text).toContain('Your standup is due soon.');
    expect(posts()).toHaveLength(1);
  });

  test('regression: tries once to send the reminder when Slack fails, leaves the message, and tries again after the next delay', async () => {
    const {person, message} = await reminded();
    await snooze(person, message, 15);
    await scene.work(person);
    await scene.clock.advance(15 * minute);
    scene.slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'user_disabled'});
    expect(await scene.slack.postSlice({channel: person.user, waits: quick})).toEqual({more: false});
    expect(posts()).toHaveLength(2);
    const left = await only(person);
    expect(left.ts).toBe(message.ts);
    expect(actionIds(left)).toEqual(allActions);
    await snooze(person, left, 15);
    await scene.work(person);
    await scene.clock.advance(15 * minute);
    expect(await scene.slack.postSlice({channel: person.user, waits: quick})).toEqual({more: false});
    expect(posts()).toHaveLength(3);
    expect((await only(person)).ts).not.toBe(message.ts);
  });

  test('leaves one message with buttons when the old one cannot be removed', async () => {
    const {person, message} = await reminded();
    await snooze(person, message, 15);
    await scene.work(person);
    scene.slack.slack.fail('chat.delete', {kind: 'refused', code: 'cant_delete_message'});
    await scene.clock.advance(15 * minute);
    await scene.work(person);
    const [old, again] = await scene.messagesOf(person);
    expect(old).toMatchObject({ts: message.ts, text: 'Moved to the message below.'});
    expect(actionIds(old!)).toEqual([]);
    expect(again?.text).toContain('Your standup is due soon.');
    expect(actionIds(again!)).toEqual(allActions.slice(0, 2).concat(allActions[2]!));
    expect(posts()).toHaveLength(2);
  });
});

test('regression: a repeated reminder that Slack fails to deliver is sent once, even when the message is edited or others are removed', async () => {
  const {person, run, closesAt} = await reminded();
  // The message that the reminder replaces stays for now.
  scene.slack.slack.failAlways('chat.delete', {kind: 'refused', code: 'token_expired'});
  await scene.clock.advance(5 * minute);
  await scene.remind(person, run, closesAt, scene.clock.now(), 'asked');
  await scene.work(person);
  expect(posts()).toHaveLength(2);
  await scene.clock.advance(5 * minute);
  const refusals = Array.from({length: 5}, (): SlackFailure => ({kind: 'refused', code: 'user_disabled'}));
  scene.slack.slack.fail('chat.postMessage', ...refusals);
  await scene.remind(person, run, closesAt, scene.clock.now(), 'opening');
  await scene.work(person);
  const {prompts} = scene.slack.core.store;
  const name = {member: suffixOf(person.member.id), date: scene.date(), user: person.user};
  await prompts.ask(scene.slack.workspace, [name], newDeadline());
  await scene.work(person);
  expect(posts()).toHaveLength(3);
});

describe('the day of a reminder', () => {
  const nextDay = () => Date.parse(`${scene.date()}T00:00:00Z`) + 24 * 60 * minute;
  const dates = async (person: PromptPerson) =>
    Promise.all(
      [scene.date(), yesterday()].map(
        async (date) =>
          (
            await scene.slack.core.store.prompts.find(
              scene.slack.workspace,
              suffixOf(person.member.id),
              date,
              newDeadline(),
            )
          )?.ts,
      ),
    );

  test.each([
    ['not been sent', false],
    ['been sent', true],
  ] as const)(
    'is the day on which it comes when it is postponed past midnight and the new day’s reminder has %s by then',
    async (_, isThere) => {
      await scene.clock.set(nextDay() - 10 * minute);
      const person = await scene.addPerson();
      const run = await scene.openRun(inMinutes(120));
      await scene.remind(person, run, inMinutes(120));
      await scene.work(person);
      const value = `${scene.date()}/15`;
      await scene.press(person, {action_id: 'prompt-snooze', value}, await only(person));
      await scene.work(person);
      await scene.clock.advance(12 * minute);
      const mobile = await scene.addTeam('Mobile');
      await scene.slack.core.services.teamMembers.setTeamMember(
        scene.slack.operator(),
        mobile,
        person.member.id,
        'member',
      );
      const other = await scene.openRun(inMinutes(60), mobile);
      const remindOfOther = async () => {
        await scene.remind(person, other, inMinutes(60));
        await scene.work(person);
      };
      if (isThere) await remindOfOther();
      await scene.clock.advance(3 * minute);
      await scene.work(person);
      if (!isThere) await remindOfOther();
      const message = await only(person);
      expect(message.text).toMatch(/Platform[^]*Mobile|Mobile[^]*Platform/);
      expect(posts()).toHaveLength(isThere ? 3 : 2);
      expect(await dates(person)).toEqual([message.ts, undefined]);
      expect(actionsOf(message)[2]?.options?.[0]?.value).toBe(`${scene.date()}/15`);
    },
  );

  test.each([
    ['not been sent', false],
    ['been sent', true],
  ] as const)(
    'is the day on which it comes when Slack accepts it only after midnight and the new day’s reminder has %s by then',
    async (_, isThere) => {
      await scene.clock.set(nextDay() - 1);
      const person = await scene.addPerson();
      const run = await scene.openRun(inMinutes(120));
      await scene.remind(person, run, inMinutes(120));
      scene.slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'token_expired'});
      await scene.work(person);
      expect(await unreachableIn(run, person)).toBe(true);
      await scene.clock.advance(1);
      if (isThere) {
        const other = await scene.openRun(inMinutes(90));
        await scene.remind(person, other, inMinutes(90));
        await scene.work(person);
      }
      await scene.clock.advance(quick.closed[0] ?? 20);
      await scene.work(person);
      const {ts} = await only(person);
      expect(await dates(person)).toEqual([ts, undefined]);
      expect(await unreachableIn(run, person)).toBe(false);
      await scene.endRun(run, 'cancelled');
      await scene.work(person);
      expect((await only(person)).text).toContain('cancelled');
    },
  );

  test('a reminder that Slack accepts only in quiet hours waits for their end', async () => {
    const quietHours = {quiet_from: '08:01', quiet_until: '08:30'};
    const person = await scene.addPerson({reminders: quietHours});
    const run = await scene.openRun(inMinutes(60));
    await scene.remind(person, run, inMinutes(60));
    await scene.clock.advance(minute);
    await scene.work(person);
    await scene.clock.advance(29 * minute - 1);
    await scene.work(person);
    expect(posts()).toEqual([]);
    await scene.clock.advance(1);
    await scene.work(person);
    await only(person);
  });

  test('regression: a reminder is sent in time although the clock of its process is behind', async () => {
    const person = await scene.addPerson();
    const run = await scene.openRun(inMinutes(60));
    await scene.remind(person, run, inMinutes(60), inMinutes(45));
    const dueAt = inMinutes(45);
    // The store's clock has leapt, and this process does not know it yet.
    await sendToRedis(scene.redisUrl, [['SET', clockKey, String(dueAt)]]);
    await scene.work(person);
    expect(posts()).toEqual([]);
    await scene.clock.set(dueAt + 200);
    await scene.work(person);
    await only(person);
  });
});

describe('the message of a due reminder', () => {
  async function prepared(isKnown = true): Promise<{person: PromptPerson; run: Id<'run'>; closesAt: number}> {
    const person = await scene.addPerson();
    if (isKnown) await scene.acquaint(person);
    const closesAt = inMinutes(60);
    const run = await scene.openRun(closesAt, scene.slack.team, [person]);
    await scene.remind(person, run, closesAt);
    return {person, run, closesAt};
  }

  const passing: [string, SlackFailure][] = [
    ['Slack answers 500', {kind: 'status', status: 500}],
    ['the reply is lost', {kind: 'lost'}],
    ['Slack refuses the token for a moment', {kind: 'refused', code: 'token_expired'}],
  ];

  test.each(passing)('is sent once when %s', async (_, failure) => {
    const {person, run} = await prepared();
    scene.slack.slack.fail('chat.postMessage', failure);
    await scene.work(person);
    await scene.clock.advance(quick.unanswered[0] ?? 20);
    await scene.work(person);
    await only(person);
    expect(await unreachableIn(run, person)).toBe(false);
  });

  test('is sent once when Slack limits the call', async () => {
    const {person} = await prepared();
    scene.slack.slack.fail('chat.postMessage', {kind: 'limited', seconds: 1});
    await scene.work(person);
    const key = workspaceKeys(scene.slack.workspace).slackThrottle('chat.postMessage');
    await scene.slack.core.store.connection.call(newDeadline(), ['DEL', key]);
    await scene.clock.advance(1_100);
    await scene.work(person);
    await only(person);
    expect(posts()).toHaveLength(2);
  });

  test('is sent once when its process dies before the sending is recorded', async () => {
    const {person} = await prepared();
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    scene.slack.slack.fail('chat.postMessage', {kind: 'slow', until: gate});
    const dead = scene.slack.postSlice({channel: person.user, waits: {...quick, leaseMs: 300}});
    await until(() => posts().length === 1);
    const lease = workspaceKeys(scene.slack.workspace).slackLease(person.user);
    await scene.slack.core.store.connection.call(newDeadline(), ['SET', lease, 'another', 'PX', '1']);
    release();
    await dead;
    await scene.clock.advance(1_000);
    await scene.work(person);
    await only(person);
  });

  test.each([
    ['sent', 'slow'],
    ['found', 'late'],
  ] as const)('is sent once when its process pauses until another has %s it', async (_, kind) => {
    const {person} = await prepared();
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    scene.slack.slack.fail('chat.postMessage', {kind, until: gate});
    const frozen = scene.slack.postSlice({channel: person.user, waits: quick});
    await until(() => posts().length === 1);
    const lease = workspaceKeys(scene.slack.workspace).slackLease(person.user);
    await scene.slack.core.store.connection.call(newDeadline(), ['SET', lease, 'another', 'PX', '1']);
    await until(async () => {
      await scene.work(person);
      return (await scene.messagesOf(person)).length > 0;
    });
    const {ts} = await only(person);
    release();
    await frozen;
    expect((await only(person)).ts).toBe(ts);
    expect(posts()).toHaveLength(kind === 'slow' ? 2 : 1);
  });

  test('is sent once when its process died before the call was made', async () => {
    const {person} = await prepared();
    const hold = {workspace: scene.slack.workspace, channel: person.user, holder: 'dead'};
    const claim = await scene.slack.posts.claim(hold, 50, newDeadline());
    if (claim.kind !== 'due') throw new Error('nothing was due');
    await scene.slack.posts.begin(hold, claim.item, `${Date.now()}:dead`, undefined, 50, newDeadline());
    await until(async () => {
      await scene.work(person);
      return (await scene.messagesOf(person)).length > 0;
    });
    await only(person);
  });

  test('is sent once even if the bot may not look whether it arrived', async () => {
    const {person, run, closesAt} = await prepared();
    scene.slack.slack.fail('chat.postMessage', {kind: 'lost'});
    scene.slack.slack.failAlways('conversations.history', {kind: 'refused', code: 'missing_scope'});
    await scene.work(person);
    await scene.clock.advance(quick.unanswered[0] ?? 20);
    await scene.work(person);
    expect(posts()).toHaveLength(1);
    expect(await unreachableIn(run, person)).toBe(false);
    // The next reminder of the day does not change it either.
    await scene.clock.advance(minute);
    await scene.remind(person, run, closesAt);
    await scene.work(person);
    expect(posts()).toHaveLength(1);
  });

  test('is sent once when the first message to the member may have arrived, and again when a lead asks for it', async () => {
    const {person, run, closesAt} = await prepared(false);
    scene.slack.slack.fail('chat.postMessage', {kind: 'lost'});
    await scene.work(person);
    await scene.clock.advance(quick.unanswered[0] ?? 20);
    await scene.work(person);
    expect(posts()).toHaveLength(1);
    expect(await unreachableIn(run, person)).toBe(false);
    await scene.clock.advance(5 * minute);
    await scene.remind(person, run, closesAt);
    await scene.work(person);
    expect(posts()).toHaveLength(1);
    await scene.remind(person, run, closesAt, scene.clock.now(), 'asked');
    await scene.work(person);
    expect(posts()).toHaveLength(2);
  });

  test('regression: is sent once, and nothing of it is stored after the member is erased', async () => {
    const {person} = await prepared();
    const {core} = scene.slack;
    scene.slack.slack.fail('chat.postMessage', {kind: 'lost'});
    scene.slack.slack.failAlways('conversations.history', {kind: 'refused', code: 'missing_scope'});
    await scene.work(person);
    await core.services.members.deleteMember(scene.slack.operator(), person.member.id, {erase: true});
    while (await core.services.forgetMember(scene.slack.operator(), person.member.id, true));
    await scene.clock.advance(quick.unanswered[0] ?? 20);
    await scene.work(person);
    expect(await listKept(person)).toEqual([]);
  });

  test.each(['user_not_found', 'cannot_dm_bot', 'user_disabled', 'channel_not_found'])(
    'is never sent to a person Slack does not deliver to (%s), and the run lists them as unreachable until it does',
    async (code) => {
      const {person, run, closesAt} = await prepared();
      scene.slack.slack.fail('chat.postMessage', {kind: 'refused', code});
      await scene.work(person);
      expect(posts()).toHaveLength(1);
      expect(await unreachableIn(run, person)).toBe(true);
      expect(await statusIn(run, person)).toBe('unreachable');
      await scene.clock.advance(45 * minute);
      await scene.remind(person, run, closesAt);
      await scene.work(person);
      await only(person);
      expect(await unreachableIn(run, person)).toBe(false);
    },
  );

  test('is never sent after the run has closed while Slack was out of order', async () => {
    const {person, run, closesAt} = await prepared();
    scene.slack.slack.fail('chat.postMessage', {kind: 'refused', code: 'token_expired'});
    await scene.work(person);
    await scene.clock.set(closesAt);
    await scene.work(person);
    expect(posts()).toHaveLength(1);
    expect(await unreachableIn(run, person)).toBe(true);
    const key = workspaceKeys(scene.slack.workspace).slackPending(person.user);
    expect(await scene.slack.core.store.connection.call(newDeadline(), ['EXISTS', key])).toBe(0);
  });
});
