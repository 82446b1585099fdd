import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {suffixOf, type Id} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import type {Run} from '../../../src/domain/runs/run.js';
import type {NewSchedule} from '../../../src/domain/schedules/schedule.js';
import {workName} from '../../../src/domain/core/work.js';
import type {TeamChange} from '../../../src/domain/teams/team.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {asId} from '../../support/ids.js';

/** A clock that the test moves, for two processes without background work on one Redis. */
let clock: TestClock;
let service: TestService;
let other: TestService;
let workspace: TestWorkspace;

const berlin = (day: string, time: string, offset = '+01:00') => Date.parse(`${day}T${time}:00${offset}`);
const monday = '2026-11-23';
const minute = 60_000;
const hour = 60 * minute;

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, berlin('2026-11-22', '12:00'));
  const options = {redisUrl, time: clock.time, env: {ROLES: 'web'}};
  [service, other] = [await startService(options), await startService(options)];
});

beforeEach(async () => {
  await clock.set(berlin('2026-11-22', '12:00'));
  workspace = await service.addWorkspace();
  // Reminders are recorded only if a process serves Slack and would send them.
  await service.core.store.events.addConsumer(workspace.id, 'slack', newDeadline());
});

afterAll(async () => {
  await service.close();
  await other.close();
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

/**
 * Gives the team a schedule in Berlin with prompts only before closing, and checks its runs for the first
 * time.
 */
async function schedule(changed: Partial<NewSchedule> = {}): Promise<void> {
  const whole = {...weekdays, ...changed} as NewSchedule;
  await change({timezone: 'Europe/Berlin', prompt_at: 'before_closing', schedule: whole});
  await work();
}

let people = 0;

/** Adds a person to the team, by default with a Slack user. */
async function join(profile: object = {}): Promise<Id<'member'>> {
  people += 1;
  const {services} = service.core;
  const call = workspace.operator();
  const person = {name: `Person ${people}`, slack_user_id: `U0${people}`, ...profile};
  const {id = asId('')} = await services.members.createMember(call, person);
  await services.teamMembers.setTeamMember(call, 'platform', id, 'member');
  return id;
}

const advance = (by = service) =>
  by.core.services.runs.advanceRuns(workspace.operator(), suffixOf(workspace.team));

/** Does all due work of runs. Returns the number of steps. */
async function work(): Promise<number> {
  let steps = 0;
  while (await advance()) steps += 1;
  return steps;
}

async function at(ms: number): Promise<number> {
  await clock.set(ms);
  return work();
}

async function runs(): Promise<Run[]> {
  const query = {list: lists.runsOfTeam(workspace.team), upward: true, limit: 100};
  const {rows} = await service.core.store.records.list(workspace.id, query, newDeadline());
  return rows.map(({json}) => JSON.parse(json) as Run);
}

type EventSummary = string | readonly (string | number | null)[];

/**
 * Lists the events of runs so far, oldest first: the type, and for a reminder its minutes before closing and
 * its members.
 */
async function listEvents(): Promise<EventSummary[]> {
  const {events} = service.core.store;
  const all = await events.listAfter(workspace.id, 0, 1_000, newDeadline());
  return all
    .filter(({type}) => type.startsWith('run.'))
    .map(
      ({type, reminded}): EventSummary => (reminded ? [type, reminded.minutes, ...reminded.members] : type),
    );
}

const post = (member: Id<'member'>, date?: string): Promise<unknown> =>
  service.core.services.standups.postStandup(
    {...workspace.operator(), principal: {type: 'member', id: member, name: 'x'}},
    {team: 'platform', update: 'Words', source: 'api', ...(date !== undefined && {date})} as never,
  );

/** Returns the time of the next check of the team's runs (ms); undefined if none is planned. */
async function nextLook(): Promise<number | undefined> {
  const work = workName({kind: 'schedule', team: suffixOf(workspace.team)});
  const asked = ['ZSCORE', workspaceKeys(workspace.id).ready(), work] as const;
  const at = await service.core.store.connection.call<string | null>(newDeadline(), asked);
  return at === null ? undefined : Number(at);
}

const newDeadline = () => performance.now() + 5_000;

describe('a run', () => {
  it('opens, reminds and closes at the scheduled minutes and not a millisecond before, with one event for each step', async () => {
    const ada = await join();
    await schedule();
    expect(await nextLook()).toBe(berlin(monday, '09:00'));
    expect(await at(berlin(monday, '09:00') - 1)).toBe(0);
    expect(await at(berlin(monday, '09:00'))).toBe(1);
    const [run] = await runs();
    expect(run).toMatchObject({
      date: monday,
      kind: 'scheduled',
      state: 'open',
      opened_at: '2026-11-23T08:00:00.000Z',
      closes_at: '2026-11-23T10:00:00.000Z',
      timezone: 'Europe/Berlin',
      participants: [{member: ada, timezone: null}],
      missed_steps: [],
    });
    expect(await at(berlin(monday, '10:00') - 1)).toBe(0);
    expect(await at(berlin(monday, '10:00'))).toBe(1);
    expect(await at(berlin(monday, '10:45'))).toBe(1);
    expect(await at(berlin(monday, '11:00') - 1)).toBe(0);
    expect(await at(berlin(monday, '11:00'))).toBe(1);
    expect(await listEvents()).toEqual([
      'run.opened',
      ['run.reminded', 60, ada],
      ['run.reminded', 15, ada],
      'run.closed',
    ]);
    expect(await runs()).toMatchObject([
      {state: 'closed', closed_at: '2026-11-23T10:00:00.000Z', revision: 2},
    ]);
    expect(await nextLook()).toBe(berlin('2026-11-24', '09:00'));
  });

  it('regression: has its reminders and its closing in time even if two processes open it at once', async () => {
    await join();
    await schedule();
    await clock.set(berlin(monday, '09:00'));
    // The other process has read that no run is open. Then this process opens the run and plans the next
    // check.
    const {records} = other.core.store;
    const {list} = records;
    const whenRead: typeof list = async (...asked) => {
      const found = await list(...asked);
      if (asked[1].list === lists.openRunsOfTeam(workspace.team)) {
        Object.assign(records, {list});
        expect(await work()).toBe(1);
      }
      return found;
    };
    Object.assign(records, {list: whenRead});
    await advance(other);
    expect(records.list).toBe(list);
    expect(await nextLook()).toBe(berlin(monday, '10:00'));
  });

  it('opens, reminds and closes once, however many processes handle it', async () => {
    await join();
    await join();
    await schedule();
    const instants = ['09:00', '10:00', '10:45', '11:00'].map((time) => berlin(monday, time));
    for (const instant of instants) {
      await clock.set(instant);
      await Promise.all([service, other, service, other].map(advance));
      await Promise.all([work(), advance(other)]);
    }
    const types = (await listEvents()).map((event) =>
      typeof event === 'string' ? event : event.slice(0, 2),
    );
    expect(types).toEqual(['run.opened', ['run.reminded', 60], ['run.reminded', 15], 'run.closed']);
    expect(await runs()).toHaveLength(1);
  });

  it('reminds only participants who are still in the team, have not posted and want reminders', async () => {
    const [ada, bob, cem, dan] = [await join(), await join(), await join(), await join()];
    await schedule();
    await at(berlin(monday, '09:00'));
    const late = await join();
    const {services} = service.core;
    await post(bob);
    await services.members.changeMember(workspace.operator(), cem, {reminders: {enabled: false}});
    await services.teamMembers.removeTeamMember(workspace.operator(), 'platform', dan);
    await at(berlin(monday, '10:00'));
    expect(await listEvents()).toEqual(['run.opened', ['run.reminded', 60, ada]]);
    await post(ada);
    expect(await at(berlin(monday, '10:45'))).toBe(1);
    expect(await listEvents()).toHaveLength(2);
    expect((await runs())[0]?.participants.map(({member}) => member)).not.toContain(late);
  });

  it('does not remind a member who is away on its date or skips it', async () => {
    const [ada, bob, cem] = [await join(), await join(), await join()];
    await schedule({reminders: [60]});
    const {absences} = service.core.services;
    await absences.enterAbsence(workspace.operator(), {member: bob, from: monday, until: '2026-11-27'});
    await at(berlin(monday, '09:00'));
    await absences.enterAbsence(workspace.operator(), {member: cem, kind: 'skip', from: monday});
    await at(berlin(monday, '10:00'));
    expect(await listEvents()).toEqual(['run.opened', ['run.reminded', 60, ada]]);
  });

  it('stores a prompt, with the member’s own date, for members in Slack only', async () => {
    const ada = await join({timezone: 'Pacific/Auckland', slack_user_id: 'U0AUCKLAND'});
    const bob = await join({slack_user_id: null});
    await schedule({opens: '13:00', closes: '15:00'});
    await at(berlin(monday, '13:00'));
    await at(berlin(monday, '14:00'));
    expect(await listEvents()).toEqual(['run.opened', ['run.reminded', 60, ada, bob]]);
    const keys = workspaceKeys(workspace.id);
    const prompt = await service.core.store.connection.call<string[]>(newDeadline(), [
      'HGETALL',
      keys.slackPrompt(suffixOf(ada), '2026-11-24'),
    ]);
    expect(prompt).toEqual(expect.arrayContaining(['user', 'U0AUCKLAND', String(berlin(monday, '15:00'))]));
    const ready = await service.core.store.connection.call<string[]>(newDeadline(), [
      'ZRANGE',
      keys.slackReady(),
      '0',
      '-1',
    ]);
    expect(ready.filter((name) => name.startsWith('post-slack/'))).toEqual(['post-slack/U0AUCKLAND']);
  });

  it('does not remind a member whose quiet hours last until the run closes', async () => {
    const ada = await join({reminders: {quiet_from: '09:00', quiet_until: '10:30'}});
    await join({reminders: {quiet_from: '09:00', quiet_until: '11:00'}});
    await schedule();
    await at(berlin(monday, '09:00'));
    await at(berlin(monday, '10:00'));
    expect(await listEvents()).toEqual(['run.opened', ['run.reminded', 60, ada]]);
  });

  it('prompts after quiet hours for the date that it is then in the member’s time zone', async () => {
    const quiet = (from: string, until: string) => ({reminders: {quiet_from: from, quiet_until: until}});
    const people = {
      berlin: await join(quiet('22:00', '08:00')),
      auckland: await join({timezone: 'Pacific/Auckland', ...quiet('10:00', '15:00')}),
      aucklandNight: await join({timezone: 'Pacific/Auckland', ...quiet('10:00', '00:30')}),
      angeles: await join({timezone: 'America/Los_Angeles', ...quiet('13:00', '23:30')}),
      angelesNight: await join({timezone: 'America/Los_Angeles', ...quiet('13:00', '00:30')}),
      closed: await join(quiet('22:00', '13:00')),
    };
    await schedule({opens: '22:00', closes: '13:00', reminders: [840]});
    await at(berlin(monday, '22:00'));
    await at(berlin(monday, '23:00'));
    const waiting = async (member: Id<'member'>) => {
      const found = await Promise.all(
        [monday, '2026-11-24', '2026-11-25'].map((date) =>
          service.core.store.prompts.find(workspace.id, suffixOf(member), date, newDeadline()),
        ),
      );
      return found.flatMap((one) => one?.date ?? []);
    };
    expect(
      Object.fromEntries(
        await Promise.all(Object.entries(people).map(async ([name, id]) => [name, await waiting(id)])),
      ),
    ).toEqual({
      berlin: ['2026-11-24'],
      auckland: ['2026-11-24'],
      aucklandNight: ['2026-11-25'],
      angeles: [monday],
      angelesNight: ['2026-11-24'],
      closed: [],
    });
  });

  it('reminds up to 50 members in one commit, and each member once', async () => {
    await Promise.all(Array.from({length: 60}, () => join()));
    await schedule({reminders: [60]});
    await at(berlin(monday, '09:00'));
    expect(await at(berlin(monday, '10:00'))).toBe(2);
    const [, first = [], second = []] = await listEvents();
    expect([first.length - 2, second.length - 2]).toEqual([50, 10]);
    expect(new Set([...first, ...second]).size).toBe(62);
  });

  it('stores the status of each member when it closes', async () => {
    const [ada, bob] = [await join(), await join()];
    await schedule();
    await at(berlin(monday, '09:00'));
    await post(ada);
    await at(berlin(monday, '11:00'));
    const {report} = await shown('run.closed');
    expect(report.counts).toMatchObject({
      expected: 2,
      posted: 1,
      missed: 1,
      participation: 0.5,
    });
    const status = Object.fromEntries(report.lines.map(({member, status: one}: Json) => [member.id, one]));
    expect(status).toEqual({[ada]: 'posted', [bob]: 'missed'});
  });
});

/** Returns the data of the first event of a type. */
async function shown(type: string): Promise<Json> {
  const {events} = service.core.store;
  const all = await events.listAfter(workspace.id, 0, 1_000, newDeadline());
  const [json = '{}'] = await events.render(
    workspace.id,
    all.filter((event) => event.type === type),
    newDeadline(),
  );
  return JSON.parse(json).data;
}

describe('local time', () => {
  it('a run is at the same local time before and after summer time begins', async () => {
    await clock.set(berlin('2027-03-26', '12:00'));
    await schedule({days: ['sat', 'sun', 'mon'], reminders: []});
    const instants = [
      berlin('2027-03-27', '09:00'),
      berlin('2027-03-28', '09:00', '+02:00'),
      berlin('2027-03-29', '09:00', '+02:00'),
    ];
    for (const instant of instants) {
      expect(await nextLook()).toBe(instant);
      expect(await at(instant)).toBe(1);
      await at(instant + 2 * hour);
    }
    expect((await runs()).map(({date, state}) => [date, state])).toEqual([
      ['2027-03-27', 'closed'],
      ['2027-03-28', 'closed'],
      ['2027-03-29', 'closed'],
    ]);
  });

  it('members are reminded in their own time zones; the run opens with the first and closes with the last', async () => {
    const tokyo = await join({timezone: 'Asia/Tokyo'});
    const york = await join({timezone: 'America/New_York'});
    const [here, there] = [await join(), await join({timezone: 'Europe/Paris'})];
    await schedule({clock: 'member', reminders: [60]});
    expect(await nextLook()).toBe(Date.parse('2026-11-23T00:00:00Z'));
    await at(Date.parse('2026-11-23T00:00:00Z'));
    expect(await runs()).toMatchObject([
      {date: monday, opens_at: '2026-11-23T00:00:00.000Z', closes_at: '2026-11-23T16:00:00.000Z'},
    ]);
    for (const instant of ['01:00', '09:00', '15:00', '16:00']) {
      expect(await at(Date.parse(`${monday}T${instant}:00Z`) - 1)).toBe(0);
      expect(await at(Date.parse(`${monday}T${instant}:00Z`))).toBe(1);
    }
    expect(await listEvents()).toEqual([
      'run.opened',
      ['run.reminded', 60, tokyo],
      ['run.reminded', 60, here, there],
      ['run.reminded', 60, york],
      'run.closed',
    ]);
  });

  it('an hour that summer time skips for one member is an ordinary hour for another', async () => {
    await clock.set(berlin('2027-03-27', '12:00'));
    const here = await join({timezone: 'Europe/Berlin'});
    const york = await join({timezone: 'America/New_York'});
    const times = {opens: '02:30', closes: '03:30', reminders: [20]};
    await schedule({days: ['sun'], starts_on: '2027-03-28', clock: 'member', ...times});
    // Berlin skips 02:30, so the run opens at 03:00, half an hour before its end. New York changed its clocks
    // two weeks earlier.
    for (const instant of ['01:00', '01:10', '07:10', '07:30']) {
      const due = Date.parse(`2027-03-28T${instant}:00Z`);
      expect([await nextLook(), await at(due - 1), await at(due)]).toEqual([due, 0, 1]);
    }
    const reminded = [
      ['run.reminded', 20, here],
      ['run.reminded', 20, york],
    ];
    expect(await listEvents()).toEqual(['run.opened', ...reminded, 'run.closed']);
  });

  it('regression: a schedule set between the first and the last member’s opening opens a run at once, as previewed', async () => {
    await join({timezone: 'Asia/Tokyo'});
    await join({timezone: 'Europe/Berlin'});
    await clock.set(Date.parse('2026-11-23T01:00:00Z'));
    const {schedulePreviews} = service.core.services;
    const query = {limit: 1, schedule: {...weekdays, clock: 'member'} as const};
    const preview = await schedulePreviews.previewSchedule(workspace.operator(), 'platform', query);
    await schedule({clock: 'member'});
    const opened = (await runs()).map(({date, opens_at: at}) => [date, at]);
    expect(opened).toEqual([[monday, '2026-11-23T00:00:00.000Z']]);
    expect(preview.runs.map(({date, opens_at: at}) => [date, at])).toEqual(opened);
  });

  it('a new member further east makes the next run open earlier', async () => {
    await schedule({clock: 'member'});
    const before = await nextLook();
    const ada = await join({timezone: 'Asia/Tokyo'});
    await work();
    expect([before, await nextLook()]).toEqual([berlin(monday, '09:00'), Date.parse('2026-11-23T00:00:00Z')]);
    await service.core.services.members.changeMember(workspace.operator(), ada, {timezone: 'Asia/Kolkata'});
    await work();
    expect(await nextLook()).toBe(Date.parse('2026-11-23T03:30:00Z'));
    await service.core.services.teamMembers.removeTeamMember(workspace.operator(), 'platform', ada);
    await work();
    expect(await nextLook()).toBe(berlin(monday, '09:00'));
  });

  it('a new member makes a run open at once if it is due in their time zone, and not if it is over there', async () => {
    await join();
    await schedule({clock: 'member', closes: '12:00', reminders: []});
    await clock.set(berlin(monday, '08:30'));
    await work();
    const tokyo = await join({timezone: 'Asia/Tokyo'});
    expect(await work()).toBe(0);
    expect(await nextLook()).toBe(berlin(monday, '09:00'));
    const istanbul = await join({timezone: 'Europe/Istanbul'});
    expect(await work()).toBe(1);
    const [run] = await runs();
    expect(run).toMatchObject({state: 'open', opens_at: '2026-11-23T06:00:00.000Z', missed_steps: []});
    const expected = run?.participants.map(({member}) => member);
    expect([expected?.includes(tokyo), expected?.includes(istanbul)]).toEqual([false, true]);
  });

  it.each([
    ['joins', () => join({timezone: 'Asia/Tokyo'})],
    [
      'moves',
      (ada: string) =>
        service.core.services.members.changeMember(workspace.operator(), ada, {timezone: 'Asia/Tokyo'}),
    ],
  ])(
    'regression: a run that opens because a member %s is not late, however long ago it was due in their time zone',
    async (_, act) => {
      const [ada] = [await join(), await join()];
      await schedule({clock: 'member', closes: '18:00', reminders: []});
      // The last check was on the day before, and no step was due.
      await clock.set(Date.parse('2026-11-23T07:30:00Z'));
      await act(ada);
      await work();
      expect(await runs()).toMatchObject([
        {state: 'open', opens_at: '2026-11-23T00:00:00.000Z', missed_steps: []},
      ]);
      expect(await listEvents()).toEqual(['run.opened']);
    },
  );

  it('regression: no run opens in the team’s time zone once the run is over for all its members', async () => {
    await join({timezone: 'Europe/Berlin'});
    await clock.set(berlin(monday, '12:00'));
    await change({timezone: 'America/Los_Angeles', schedule: {...weekdays, clock: 'member'}});
    await work();
    expect(await nextLook()).toBe(berlin('2026-11-24', '09:00'));
  });

  it('a team without members has its runs in its own time zone, without reminders', async () => {
    await schedule({clock: 'member'});
    await at(berlin(monday, '09:00'));
    await at(berlin(monday, '10:00'));
    await at(berlin(monday, '11:00'));
    expect(await listEvents()).toEqual(['run.opened', 'run.closed']);
    expect(await runs()).toMatchObject([{state: 'closed', participants: [], missed_steps: []}]);
  });
});

describe('a service that was down', () => {
  it('takes steps that are late by less than two hours, with one reminder for all that are due', async () => {
    const ada = await join();
    await schedule({closes: '17:00', reminders: [420, 400, 360]});
    // The run opens at 9:00 and reminds at 10:00, 10:20 and 11:00.
    await at(berlin(monday, '10:59'));
    expect(await listEvents()).toEqual(['run.opened', 'run.missed', ['run.reminded', 400, ada]]);
    expect(await runs()).toMatchObject([
      {state: 'open', missed_steps: [{step: 'remind', due_at: '2026-11-23T09:00:00.000Z'}]},
    ]);
    await at(berlin(monday, '11:00'));
    expect((await listEvents()).at(-1)).toEqual(['run.reminded', 360, ada]);
  });

  it('opens a run that is more than two hours late but not yet over, and records reminders that are too late', async () => {
    await join();
    await schedule({closes: '17:00', reminders: [420]});
    await at(berlin(monday, '12:00'));
    expect(await listEvents()).toEqual(['run.opened', 'run.missed', 'run.missed']);
    expect(await runs()).toMatchObject([
      {
        state: 'open',
        missed_steps: [
          {step: 'open', due_at: '2026-11-23T08:00:00.000Z'},
          {step: 'remind', due_at: '2026-11-23T09:00:00.000Z'},
        ],
      },
    ]);
  });

  it.each([
    ['a millisecond less than', -1, ['run.opened']],
    ['exactly', 0, ['run.opened', 'run.missed']],
  ])('handles an opening that is late by %s two hours', async (_, more, expected) => {
    await join();
    await schedule({closes: '17:00', reminders: []});
    await at(berlin(monday, '11:00') + more);
    expect(await listEvents()).toEqual(expected);
  });

  it('records each run that was over long before as missed, with one event, and counts it for no member', async () => {
    await join();
    await schedule();
    await at(berlin('2026-11-25', '20:00'));
    expect((await runs()).map(({date, state, participants}) => [date, state, participants])).toEqual([
      [monday, 'missed', []],
      ['2026-11-24', 'missed', []],
      ['2026-11-25', 'missed', []],
    ]);
    expect(await listEvents()).toEqual(['run.missed', 'run.missed', 'run.missed']);
    expect(await nextLook()).toBe(berlin('2026-11-26', '09:00'));
  });

  it('sends a requested reminder with its event, even if one of the schedule is due or too late', async () => {
    const ada = await join();
    await schedule({closes: '17:00', reminders: [420]});
    await at(berlin(monday, '09:00'));
    await clock.set(berlin(monday, '12:00'));
    await service.core.services.runs.remind(workspace.operator(), 'platform');
    await work();
    expect(await listEvents()).toEqual(['run.opened', 'run.missed', ['run.reminded', null, ada]]);
    await at(berlin('2026-11-24', '09:00'));
    await clock.set(berlin('2026-11-24', '10:00'));
    await service.core.services.runs.remind(workspace.operator(), 'platform');
    await work();
    expect((await listEvents()).slice(-2)).toEqual([
      ['run.reminded', 420, ada],
      ['run.reminded', null, ada],
    ]);
    const prompt = await service.core.store.prompts.find(
      workspace.id,
      suffixOf(ada),
      '2026-11-24',
      newDeadline(),
    );
    // Neither reminder has been sent yet, so the prompt counts one.
    expect([...(prompt?.reminded.values() ?? [])]).toEqual([1]);
  });

  it('opens and closes a short run that was over within two hours, and reminds no member', async () => {
    await join();
    await schedule({closes: '09:30', reminders: [15]});
    await at(berlin(monday, '09:40'));
    expect(await listEvents()).toEqual(['run.opened', 'run.missed', 'run.closed']);
    expect(await runs()).toMatchObject([
      {state: 'closed', missed_steps: [{step: 'remind', due_at: '2026-11-23T08:15:00.000Z'}]},
    ]);
  });

  it('closes an open run however late, records that, and sends no obsolete reminder', async () => {
    await join();
    await schedule();
    await at(berlin(monday, '09:00'));
    await at(berlin(monday, '13:00'));
    expect(await listEvents()).toEqual(['run.opened', 'run.missed', 'run.closed', 'run.missed']);
    const [run] = await runs();
    expect(run?.missed_steps.map(({step, due_at: due}) => [step, due.slice(11, 16)])).toEqual([
      ['remind', '09:00'],
      ['remind', '09:45'],
      ['close', '10:00'],
    ]);
  });
});

describe('a change of the team while a run is open', () => {
  beforeEach(async () => {
    await join();
    await schedule();
    await at(berlin(monday, '09:00'));
  });

  it('to another schedule applies from the next run on', async () => {
    await change({schedule: {...weekdays, opens: '08:00', closes: '12:00', reminders: []}});
    await at(berlin(monday, '10:00'));
    await at(berlin(monday, '10:45'));
    await at(berlin(monday, '11:00'));
    expect((await listEvents()).map((event) => (typeof event === 'string' ? event : event[1]))).toEqual([
      'run.opened',
      60,
      15,
      'run.closed',
    ]);
    expect(await nextLook()).toBe(berlin('2026-11-24', '08:00'));
  });

  it('that removes the schedule lets the run continue to its end, and no other run opens', async () => {
    await change({schedule: null});
    await at(berlin(monday, '10:50'));
    expect(await at(berlin(monday, '11:00'))).toBe(1);
    expect(await runs()).toMatchObject([{state: 'closed'}]);
    expect(await nextLook()).toBeUndefined();
  });

  it('to another time zone applies from the next run on', async () => {
    await change({timezone: 'America/New_York'});
    await at(berlin(monday, '11:00'));
    expect(await runs()).toMatchObject([{state: 'closed', closed_at: '2026-11-23T10:00:00.000Z'}]);
    // The run of that Monday is over. In New York's time zone the next run is on Tuesday.
    expect(await nextLook()).toBe(Date.parse('2026-11-24T14:00:00Z'));
  });

  it('to a pause cancels the run at once, and no run opens until the team resumes', async () => {
    await change({paused: true});
    expect(await runs()).toMatchObject([{state: 'cancelled', closed_at: null, revision: 2}]);
    expect(await listEvents()).toEqual(['run.opened', 'run.cancelled']);
    await at(berlin('2026-11-25', '12:00'));
    expect([await nextLook(), (await runs()).length]).toEqual([undefined, 1]);
    await change({paused: false});
    await work();
    expect(await nextLook()).toBe(berlin('2026-11-26', '09:00'));
    expect(await listEvents()).toEqual(['run.opened', 'run.cancelled']);
  });

  it('to a pause leaves no run open, even one that is being opened', async () => {
    await at(berlin(monday, '11:00'));
    await clock.set(berlin('2026-11-24', '09:00'));
    await Promise.all([advance(other), change({paused: true}), advance()]);
    await work();
    expect((await runs()).map(({state}) => state).filter((state) => state === 'open')).toEqual([]);
  });

  it('that deletes the team deletes its runs and their steps, but not the events', async () => {
    await at(berlin(monday, '10:00'));
    const [run] = await runs();
    const {services, store} = service.core;
    await services.teams.deleteTeam(workspace.operator(), 'platform', {force: false});
    while (await services.teams.purgeTeam(workspace.operator(), workspace.team));
    expect(await work()).toBe(0);
    expect(await runs()).toEqual([]);
    const keys = workspaceKeys(workspace.id);
    const suffix = suffixOf(run?.id ?? asId<'run'>(''));
    const left = [
      keys.record(suffix),
      keys.runSteps(suffix),
      keys.looks(),
      keys.list(lists.openRunsOfTeam(workspace.team)),
    ] as const;
    expect(await store.connection.call(newDeadline(), ['EXISTS', ...left])).toBe(0);
    expect(await nextLook()).toBeUndefined();
    expect(await shown('run.opened')).toMatchObject({id: run?.id, state: 'open'});
  });
});

describe('a schedule', () => {
  it('opens its first run on the next day if it is set after its opening time', async () => {
    await clock.set(berlin(monday, '10:00'));
    await schedule();
    expect(await runs()).toEqual([]);
    expect(await nextLook()).toBe(berlin('2026-11-24', '09:00'));
  });

  it('does not lose a run that is due and not yet handled when the schedule is changed', async () => {
    await schedule();
    await clock.set(berlin(monday, '09:00') + 300);
    await change({schedule: {...weekdays, reminders: [30]}});
    await work();
    expect(await runs()).toMatchObject([{state: 'open', schedule: {reminders: [60, 15]}}]);
  });

  it('opens no runs for the time before it was set', async () => {
    await schedule();
    await change({schedule: null});
    await at(berlin('2026-11-27', '12:00'));
    await change({schedule: {...weekdays, starts_on: '2026-11-02'}});
    await work();
    expect(await runs()).toEqual([]);
    expect(await nextLook()).toBe(berlin('2026-11-30', '09:00'));
  });

  it('is checked at the time that its latest change requires, even if an older check plans a later one', async () => {
    await schedule();
    const {commits, clock: time} = service.core.store;
    const [team, terms] = [suffixOf(workspace.team), {workspace: workspace.id, deadline: newDeadline()}];
    const look = await service.core.store.runSteps.findLook(workspace.id, team, newDeadline());
    await change({schedule: {...weekdays, opens: '07:00'}});
    const asked = await nextLook();
    const outcome = await commits.run(terms, {
      guards: [{check: 'unasked', team, asked: look?.asked ?? 0}],
      writes: [{do: 'look-again', team, seen: time.now(), next: berlin(monday, '09:00')}],
      events: [],
      reply: {kind: 'empty'},
    });
    expect([outcome.kind, await nextLook()]).toEqual(['stale', asked]);
    await work();
    expect(await nextLook()).toBe(berlin(monday, '07:00'));
  });
});

describe('an overdue opening that workers have not handled before the schedule is changed', () => {
  const saturday = '2026-11-28';
  const daily: NewSchedule = {...weekdays, days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']};
  const missed = (): Promise<EventSummary[]> =>
    listEvents().then((all) => all.filter((type) => type === 'run.missed'));
  const seen = async () =>
    (await runs()).map(({date, state, opens_at: at}) => [date, state, at.slice(11, 16)]);

  beforeEach(async () => {
    await join();
    await schedule({days: daily.days});
  });

  it('regression: is recorded as missed by the service after a week, and not by the actor of the change', async () => {
    await clock.set(berlin('2026-11-29', '12:00'));
    await change({schedule: {...daily, opens: '08:00'}});
    const all = await service.core.store.events.listAfter(workspace.id, 0, 1_000, newDeadline());
    // These steps came before the change, and their actor is the service itself.
    expect(all.slice(-8).map(({type, actor}) => [type, actor?.source])).toEqual([
      ...Array.from({length: 7}, () => ['run.missed', 'system']),
      ['team.updated', 'cli'],
    ]);
    await Promise.all([work(), advance(other), advance(other)]);
    await work();
    expect(await seen()).toEqual(
      ['23', '24', '25', '26', '27', '28', '29'].map((day) => [`2026-11-${day}`, 'missed', '08:00']),
    );
    expect(await missed()).toHaveLength(7);
    expect(await nextLook()).toBe(berlin('2026-11-30', '08:00'));
  });

  it('is done once even if several processes and the change handle it at the same time', async () => {
    for (const [i, offset] of [0, 1, 0, 1].entries()) {
      const day = `2026-11-2${3 + i}`;
      await clock.set(berlin(day, '09:00') + offset);
      const closes = `12:0${i}`;
      await Promise.all([advance(other), change({schedule: {...daily, closes}}), advance(), advance(other)]);
      await work();
      expect((await runs()).at(-1)).toMatchObject({date: day, state: 'open', missed_steps: []});
      await at(berlin(day, '13:00'));
    }
    expect((await listEvents()).filter((type) => type === 'run.opened')).toHaveLength(4);
  });

  it('follows the schedule of the time when it was due, after two changes in a row', async () => {
    await clock.set(berlin('2026-11-24', '12:00'));
    await change({schedule: {...daily, opens: '07:00', closes: '07:30'}});
    await change({name: 'Another'});
    await clock.set(berlin('2026-11-26', '08:00'));
    await change({timezone: 'Asia/Tokyo'});
    await clock.set(berlin(saturday, '12:00'));
    await change({schedule: null});
    await work();
    expect(await seen()).toEqual([
      [monday, 'missed', '08:00'],
      ['2026-11-24', 'missed', '08:00'],
      ['2026-11-25', 'missed', '06:00'],
      // The change opened this run an hour late.
      ['2026-11-26', 'closed', '06:00'],
      // 07:00 in Tokyo is 22:00 of the day before in UTC.
      ['2026-11-27', 'missed', '22:00'],
      [saturday, 'missed', '22:00'],
    ]);
    expect((await runs()).map(({timezone}) => timezone).slice(3, 5)).toEqual(['Europe/Berlin', 'Asia/Tokyo']);
    // Five missed runs, and the missed reminders and the missed closing of the opened run.
    expect([(await missed()).length, await nextLook()]).toEqual([7, undefined]);
  });

  it('regression: is done once, in small steps, after very many changes of the schedule', async () => {
    const doneUntil = async () => {
      const {runSteps} = service.core.store;
      return (await runSteps.findLook(workspace.id, suffixOf(workspace.team), newDeadline()))?.from ?? 0;
    };
    const changeAt = async (ms: number, minutes: number, opens = '12:30') => {
      await clock.set(ms);
      const changed = {opens, closes: '15:00', reminders: [minutes + 1]};
      await change({schedule: {...daily, clock: 'member', ...changed}});
    };
    const [started, opening] = [berlin('2026-11-22', '13:00'), berlin(monday, '09:00')];
    for (let i = 0; i < 30; i += 1) await changeAt(started + Math.floor(i / 2) * minute, i);
    // Several changes in one millisecond. With one of them, the run opens in that millisecond.
    for (let i = 30; i < 60; i += 1) await changeAt(opening, i, i === 45 ? '09:00' : '12:30');
    await clock.set(berlin(monday, '09:30'));
    expect(await doneUntil()).toBe(opening);
    await changeAt(berlin(monday, '10:00'), 60);
    expect([await doneUntil(), await nextLook()]).toEqual([berlin(monday, '10:00'), started]);
    await Promise.all([advance(), advance(other)]);
    await Promise.all([work(), advance(other)]);
    expect(await runs()).toMatchObject([{date: monday, state: 'open', schedule: {reminders: [46]}}]);
    expect((await listEvents()).filter((type) => type === 'run.opened')).toHaveLength(1);
    expect(await doneUntil()).toBe(berlin(monday, '10:00'));
  });

  it('is recorded as missed if the team pauses after it, while runs during the pause never exist', async () => {
    await clock.set(berlin('2026-11-24', '09:00'));
    await change({paused: true});
    await clock.set(berlin('2026-11-26', '12:00'));
    await change({paused: false});
    await at(berlin('2026-11-27', '09:30'));
    expect(await seen()).toEqual([
      [monday, 'missed', '08:00'],
      ['2026-11-24', 'missed', '08:00'],
      ['2026-11-27', 'open', '08:00'],
    ]);
    expect(await listEvents()).toEqual(['run.missed', 'run.missed', 'run.opened']);
  });

  it('is done late after the schedule is removed, and its run continues to its end', async () => {
    await clock.set(berlin('2026-11-24', '10:50'));
    await change({schedule: null});
    await work();
    expect((await runs()).map(({state}) => state)).toEqual(['missed', 'open']);
    await at(berlin('2026-11-24', '11:00'));
    expect((await runs()).map(({state}) => state)).toEqual(['missed', 'closed']);
    expect(await nextLook()).toBeUndefined();
  });

  it('is not done once the team is deleted', async () => {
    await clock.set(berlin('2026-11-29', '12:00'));
    const {teams} = service.core.services;
    await teams.deleteTeam(workspace.operator(), 'platform', {force: true});
    await Promise.all([work(), advance(other)]);
    expect([await runs(), await listEvents(), await nextLook()]).toEqual([[], [], undefined]);
  });

  it('is neither lost nor done twice if the clock is set back by a second', async () => {
    await at(berlin(monday, '09:00') + 400);
    await clock.set(berlin(monday, '09:00') - 600);
    await change({schedule: {...daily, days: ['tue', 'wed'], opens: '10:00'}});
    await work();
    await at(berlin('2026-11-24', '10:00') - 1);
    await at(berlin('2026-11-24', '10:00') + 300);
    await clock.set(berlin('2026-11-24', '10:00') - 700);
    expect(await work()).toBe(0);
    await change({schedule: {...daily, days: ['wed'], opens: '10:00'}});
    await at(berlin('2026-11-24', '10:00') + 1);
    const opened = (await listEvents()).filter((type) => type === 'run.opened');
    expect([(await seen()).map(([date]) => date), opened.length]).toEqual([[monday, '2026-11-24'], 2]);
  });

  it('is followed by each reminder and the closing once if the clock is set back by a second', async () => {
    for (const time of ['09:00', '10:00', '10:45', '11:00']) {
      await at(berlin(monday, time) + 400);
      expect(await at(berlin(monday, time) - 600)).toBe(0);
      expect(await at(berlin(monday, time) + 500)).toBe(0);
    }
    const types = (await listEvents()).map((event) => (typeof event === 'string' ? event : event[1]));
    expect(types).toEqual(['run.opened', 60, 15, 'run.closed']);
  });

  it('is done if the schedule was set again after the clock was set back', async () => {
    await change({schedule: null});
    await at(berlin(monday, '09:00') + 400);
    await clock.set(berlin(monday, '09:00') - 600);
    await change({schedule: daily});
    await work();
    await at(berlin(monday, '09:00'));
    expect(await seen()).toEqual([[monday, 'open', '08:00']]);
  });
});
