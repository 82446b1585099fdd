import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {suffixOf, type Id} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import {browserRecipient} from '../../../src/domain/prompts/prompt.js';
import type {Run} from '../../../src/domain/runs/run.js';
import type {NewSchedule, PromptAt} from '../../../src/domain/schedules/schedule.js';
import type {TeamChange} from '../../../src/domain/teams/team.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {asId} from '../../support/ids.js';

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;

const [monday, tuesday] = ['2026-11-23', '2026-11-24'];
const minute = 60_000;
const hour = 60 * minute;
const newDeadline = () => performance.now() + 5_000;
const berlin = (day: string, time: string, offset = '+01:00') => Date.parse(`${day}T${time}:00${offset}`);

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, berlin('2026-11-22', '12:00'));
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
});

beforeEach(async () => {
  await clock.set(berlin('2026-11-22', '12:00'));
  workspace = await service.addWorkspace();
  await change({prompt_at: 'before_closing'});
  await service.core.store.events.addConsumer(workspace.id, 'slack', newDeadline());
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

const weekdays: NewSchedule = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:00',
  closes: '11:00',
  reminders: [60, 15],
};

const change = (changed: TeamChange) =>
  service.core.services.teams.changeTeam(workspace.operator(), 'platform', changed);

async function schedule(promptAt: PromptAt, changed: Partial<NewSchedule> = {}): Promise<void> {
  const whole = {...weekdays, ...changed} as NewSchedule;
  await change({timezone: 'Europe/Berlin', prompt_at: promptAt, schedule: whole});
  await work();
}

let people = 0;

async function join(
  promptAt: PromptAt | null = null,
  more: object = {},
  reminders: object = {},
): Promise<Id<'member'>> {
  people += 1;
  const {services} = service.core;
  const call = workspace.operator();
  const {id = asId('')} = await services.members.createMember(call, {
    name: `Person ${people}`,
    slack_user_id: `U0${people}`,
    reminders: {prompt_at: promptAt, ...reminders},
    ...more,
  });
  await services.teamMembers.setTeamMember(call, 'platform', id, 'member');
  return id;
}

const advance = () => service.core.services.runs.advanceRuns(workspace.operator(), suffixOf(workspace.team));

async function work(): Promise<void> {
  while (await advance());
}

async function at(ms: number): Promise<void> {
  await clock.set(ms);
  await work();
}

async function theRun(): Promise<Run | undefined> {
  const query = {list: lists.runsOfTeam(workspace.team), upward: true, limit: 100};
  const {rows} = await service.core.store.records.list(workspace.id, query, newDeadline());
  return rows.map(({json}) => JSON.parse(json) as Run)[0];
}

/** Lists the reason and the members of each reminder event. */
async function asked(): Promise<(string | null)[][]> {
  const all = await service.core.store.events.listAfter(workspace.id, 0, 1_000, newDeadline());
  return all.flatMap(({reminded}) => (reminded ? [[reminded.at, ...reminded.members.toSorted()]] : []));
}

const find = (member: Id<'member'>, date = monday) =>
  service.core.store.prompts.find(workspace.id, suffixOf(member), date, newDeadline());

const post = (member: Id<'member'>, date?: string): Promise<unknown> =>
  service.core.services.standups.postStandup(
    {...workspace.operator(), principal: {type: 'member', id: member, name: 'x'}},
    {team: 'platform', update: 'Words', source: 'api', ...(date !== undefined && {date})} as never,
  );

describe('the time of prompts', () => {
  it('is the team’s choice unless the member has chosen: at the opening, before closing, or both', async () => {
    const [team, opening, before, both] = [
      await join(),
      await join('opening'),
      await join('before_closing'),
      await join('both'),
    ];
    await schedule('opening');
    await at(berlin(monday, '09:00') - 1);
    expect(await asked()).toEqual([]);
    await at(berlin(monday, '09:00'));
    await at(berlin(monday, '10:00'));
    await at(berlin(monday, '10:45'));
    const reminder = ['before_closing', ...[before, both].toSorted()];
    expect(await asked()).toEqual([['opening', ...[team, opening, both].toSorted()], reminder, reminder]);
  });

  it('is before closing in a team with that choice, so that the opening of a run prompts no member', async () => {
    const ada = await join();
    await schedule('before_closing');
    await clock.set(berlin(monday, '09:00'));
    expect(await advance()).toBe(true);
    expect(await advance()).toBe(false);
    await at(berlin(monday, '10:00'));
    expect(await asked()).toEqual([['before_closing', ada]]);
  });

  it('changes at once after a new choice of the team or a member', async () => {
    const [ada, bob] = [await join(), await join('before_closing')];
    await schedule('both');
    await at(berlin(monday, '09:00'));
    await change({prompt_at: 'opening'});
    await service.core.services.members.changeMember(workspace.operator(), bob, {
      reminders: {prompt_at: 'opening'},
    });
    await at(berlin(monday, '11:00'));
    expect(await asked()).toEqual([['opening', ada]]);
    await at(berlin(tuesday, '09:00'));
    expect((await asked()).at(-1)).toEqual(['opening', ...[ada, bob].toSorted()]);
  });

  it('is only the opening, for members who want both, if a reminder is due at the same minute', async () => {
    const [ada, bob] = [await join('both'), await join('before_closing')];
    await schedule('both', {reminders: [120]});
    await at(berlin(monday, '09:00'));
    await at(berlin(monday, '11:00'));
    expect((await asked()).toSorted()).toEqual([
      ['before_closing', bob],
      ['opening', ada],
    ]);
  });

  it('is at once, in a run opened by hand, for members who are prompted at openings', async () => {
    const [ada, bob] = [await join('opening'), await join()];
    await service.core.services.runs.openRun(workspace.operator(), 'platform', {minutes: 30});
    await work();
    expect(await asked()).toEqual([['opening', ada]]);
    expect(await find(bob, '2026-11-22')).toBeUndefined();
  });
});

describe('a prompt at the opening', () => {
  it('is not sent to a member who has posted, is away, skips, has a holiday, wants none, or is not in Slack', async () => {
    const posted = await join();
    const away = await join();
    const off = await join(null, {}, {enabled: false});
    const holiday = await join(null, {holidays: {country: 'DE', region: null, calendar: null}});
    const outside = await join(null, {slack_user_id: null});
    const ada = await join();
    // The day before a public holiday in all of Germany.
    await clock.set(berlin('2026-12-24', '12:00'));
    await schedule('opening');
    await post(posted, '2026-12-25');
    const {absences} = service.core.services;
    await absences.enterAbsence(workspace.operator(), {
      member: away,
      kind: 'away',
      from: '2026-12-25',
      until: '2026-12-25',
    } as never);
    await at(berlin('2026-12-25', '09:00'));
    expect(await asked()).toEqual([['opening', ...[outside, ada].toSorted()]]);
    expect(await find(outside, '2026-12-25')).toMatchObject({user: browserRecipient, ts: undefined});
    for (const one of [posted, away, off, holiday]) expect(await find(one, '2026-12-25')).toBeUndefined();
  });

  it('is not sent to a member who joins after the opening, nor in a paused team', async () => {
    const ada = await join();
    await schedule('opening');
    await at(berlin(monday, '09:00'));
    const late = await join();
    await at(berlin(monday, '09:05'));
    expect(await asked()).toEqual([['opening', ada]]);
    expect(await find(late)).toBeUndefined();
    await change({paused: true});
    await at(berlin(tuesday, '09:00'));
    expect(await asked()).toHaveLength(1);
  });
});

describe('the prompt at the opening of a run', () => {
  it('is sent after the member’s quiet hours, or never if the run is over by then', async () => {
    const quiet = {quiet_from: '08:00', quiet_until: '09:30'};
    const ada = await join(null, {timezone: 'Europe/Berlin'}, quiet);
    const all = {quiet_from: '08:00', quiet_until: '12:00'};
    const bob = await join(null, {timezone: 'Europe/Berlin'}, all);
    await schedule('opening');
    await at(berlin(monday, '09:00'));
    expect(await asked()).toEqual([['opening', ada]]);
    expect((await find(ada))?.notBefore).toBe(berlin(monday, '09:30'));
    expect(await find(bob)).toBeUndefined();
  });

  it("is due in each member's time zone if the team uses those, even when summer time begins", async () => {
    await clock.set(Date.parse('2027-03-27T20:00:00Z'));
    const [berliner, indian] = [
      await join(null, {timezone: 'Europe/Berlin'}),
      await join(null, {timezone: 'Asia/Kolkata'}),
    ];
    const sunday = {days: ['sun'], opens: '02:30', closes: '08:00', clock: 'member'} as const;
    await schedule('opening', sunday);
    await at(Date.parse('2027-03-27T21:00:00Z'));
    expect(await asked()).toEqual([['opening', indian]]);
    // Berlin skips 02:30 on that day.
    await at(Date.parse('2027-03-28T01:00:00Z') - 1);
    expect(await asked()).toHaveLength(1);
    await at(Date.parse('2027-03-28T01:00:00Z'));
    expect((await asked()).at(-1)).toEqual(['opening', berliner]);
  });

  it('is sent up to two hours late after an outage, and otherwise recorded as missed', async () => {
    const [ada, bob] = [await join(), await join('before_closing')];
    await schedule('opening', {closes: '17:00', reminders: [60]});
    await at(berlin(monday, '10:59'));
    expect(await asked()).toEqual([['opening', ada]]);
    await at(berlin(monday, '23:00'));
    await at(berlin(tuesday, '11:00'));
    expect((await asked()).filter(([why]) => why === 'opening')).toHaveLength(1);
    const all = await service.core.store.records.list(
      workspace.id,
      {list: lists.runsOfTeam(workspace.team), upward: true, limit: 100},
      newDeadline(),
    );
    const second = all.rows.map(({json}) => JSON.parse(json) as Run)[1];
    expect(second?.missed_steps.map(({step}) => step)).toEqual(['open', 'remind']);
    await at(berlin(tuesday, '16:00'));
    expect((await asked()).at(-1)).toEqual(['before_closing', bob]);
  });

  it('is replaced by a reminder that is overdue as well, for members who want both', async () => {
    const [both, opening] = [await join('both'), await join('opening')];
    await schedule('both');
    await at(berlin(monday, '10:10'));
    expect((await asked()).toSorted()).toEqual([
      ['before_closing', both],
      ['opening', opening],
    ]);
    expect((await theRun())?.missed_steps).toEqual([]);
    await at(berlin(monday, '10:45') + hour);
    expect(await asked()).toHaveLength(2);
  });

  it('is recorded in several events for more than 50 members, and sent once to each', async () => {
    const all: string[] = [];
    for (let i = 0; i < 53; i += 1) all.push(await join());
    await schedule('both');
    await at(berlin(monday, '09:00'));
    const reminders = await asked();
    expect(reminders.map(([why, ...members]) => [why, members.length])).toEqual([
      ['opening', 50],
      ['opening', 3],
    ]);
    expect(reminders.flatMap(([, ...members]) => members).toSorted()).toEqual(all.toSorted());
  });
});

it('the next prompt of a member is at the time that the member has chosen', async () => {
  const [ada, bob] = [await join('opening'), await join()];
  await schedule('before_closing');
  const next = (member: Id<'member'>) =>
    service.core.services.findNextReminder({workspace: workspace.id, deadline: newDeadline()}, member);
  expect(await next(ada)).toMatchObject({kind: 'reminder', at: berlin(monday, '09:00')});
  expect(await next(bob)).toMatchObject({kind: 'reminder', at: berlin(monday, '10:00')});
  await schedule('both', {reminders: []});
  expect(await next(bob)).toMatchObject({kind: 'reminder', at: berlin(monday, '09:00')});
  await at(berlin(monday, '09:00'));
  expect(await next(ada)).toMatchObject({kind: 'reminder', at: berlin(tuesday, '09:00')});
});
