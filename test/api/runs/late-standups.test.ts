import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {lifetimes} from '../../../src/domain/core/limits.js';
import type {Run} from '../../../src/domain/runs/run.js';
import {asSuffix} from '../../support/ids.js';
import type {LatePolicy, NewSchedule} from '../../../src/domain/schedules/schedule.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {closeRun, planClosing, seedRun} from '../../support/seed-runs.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {until} from '../../support/until.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf} from '../samples.js';

// No background work: the test opens and closes runs, on a clock that it moves.
let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let bob: Person;

const monday = '2026-11-23';
const closing = Date.parse(`${monday}T10:00:00Z`);
const closes_at = new Date(closing).toISOString();

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, closing - 1_800_000);
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
});

beforeEach(async () => {
  await clock.set(closing - 1_800_000);
  workspace = await service.addWorkspace();
  await change({absence_reasons: 'team', timezone: 'UTC'});
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'platform'});
  bob = await addPerson(service, workspace, {name: 'Bob', team: 'platform'});
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

const newDeadline = () => performance.now() + 5_000;

async function change(body: {
  absence_reasons?: 'team';
  timezone?: string;
  schedule?: NewSchedule;
  late_policy?: LatePolicy;
}): Promise<void> {
  const {status, text} = await workspace.request('PATCH', '/v1/teams/platform', {body});
  if (status !== 200) throw new Error(text);
}

const everyDay: NewSchedule = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '08:00',
  closes: '10:00',
  starts_on: '2026-11-02',
};

const open = (more: Partial<Run> = {}) =>
  seedRun(service, workspace, {
    date: monday,
    closes_at,
    participants: [ada, bob].map(({id}) => ({member: id, timezone: null})),
    ...more,
  });

const close = (run: Run) => closeRun(service, workspace, run);

const post = (by: Person, body: object = {}) =>
  workspace.request('POST', '/v1/standups', {
    token: by.token,
    body: {team: 'platform', update: `Words of ${by.name}.`, ...body},
  });

const call = () => workspace.operator();

/** Each member's status and update in the run of the day, by name. */
async function report(date = monday): Promise<Json> {
  const shown = await service.core.services.runViews.findRun(call(), 'platform', date);
  const lines = shown.report?.lines.map(({member, status, standups}) => [
    member.name,
    [status, ...standups.map(({update}) => update)],
  ]);
  return Object.fromEntries(lines ?? []);
}

const listUpdates = async () => (await eventsOf(workspace)).filter(({type}) => type === 'run.updated');

describe('a standup posted after its run has closed', () => {
  it('is late in the report, participation and the event, which contains the previous report', async () => {
    await change({schedule: everyDay});
    const run = await open();
    expect((await post(ada)).body).toMatchObject({late: false, date: monday});
    await clock.set(closing);
    await close(run);
    const participation = () => service.core.services.findParticipation(call(), 'platform', {});
    const before = {report: await report(), participation: (await participation()).counts};
    expect(before.report).toEqual({Ada: ['posted', 'Words of Ada.'], Bob: ['missed']});
    expect(before.participation).toMatchObject({expected: 2, posted: 1, missed: 1, participation: 0.5});

    await clock.advance(60_000);
    expect((await post(bob)).body).toMatchObject({late: true, date: monday});
    const after = {report: await report(), participation: (await participation()).counts};
    expect(after.report).toEqual({Ada: ['posted', 'Words of Ada.'], Bob: ['late', 'Words of Bob.']});
    expect(after.participation).toMatchObject({expected: 2, posted: 1, late: 1, missed: 0, participation: 1});

    const [event, ...others] = await listUpdates();
    expect(others).toEqual([]);
    expect(event.data.report).toMatchObject({
      counts: {late: 1, missed: 0, participation: 1},
      lines: [{member: {name: 'Ada'}}, {status: 'late', standups: [{late: true, update: 'Words of Bob.'}]}],
    });
    expect(event.previous_attributes).toMatchObject({
      report: {counts: {late: 0, missed: 1, participation: 0.5}, lines: [{}, {status: 'missed'}]},
    });
    if (process.env['PRINT_LATE'] === '1') {
      const shown = {before, after, event: {data: event.data.report, before: event.previous_attributes}};
      process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    }
  });

  it.each<[string, LatePolicy, number, boolean]>([
    ['always', {accept: 'always'}, 80 * 86_400_000, true],
    ['never', {accept: 'never'}, 0, false],
    ['until 30 minutes, a millisecond before', {accept: 'until', minutes: 30}, 1_799_999, true],
    ['until 30 minutes, then', {accept: 'until', minutes: 30}, 1_800_000, false],
  ])('is accepted or refused by the policy: %s', async (_, late_policy, after, taken) => {
    await change({schedule: everyDay, late_policy});
    const run = await open();
    await clock.set(closing);
    await close(run);
    await clock.set(closing + after);
    const answer = await post(ada, {date: monday});
    if (taken) {
      expect(answer.body).toMatchObject({late: true});
    } else {
      expectProblem(answer, 'run_closed', {pointer: '#/date'});
      expect(answer.body.detail).toContain(closes_at);
    }
    expect(await report()).toMatchObject({Ada: taken ? ['late', 'Words of Ada.'] : ['missed']});
  });

  it('regression: is refused for a team that accepts none, alone or among several teams; the error is at the date only if one was given', async () => {
    await change({schedule: everyDay, late_policy: {accept: 'never'}});
    await workspace.request('POST', '/v1/teams', {body: {slug: 'free', name: 'Free', timezone: 'UTC'}});
    await workspace.request('PUT', `/v1/teams/free/members/${ada.id}`);
    const run = await open();
    await clock.set(closing);
    await close(run);
    const both = {teams: ['free', 'platform'], update: 'For both.'};
    const postBoth = (more: object) =>
      workspace.request('POST', '/v1/standups', {token: ada.token, body: {...both, ...more}});
    expectProblem(await postBoth({}), 'run_closed', {pointer: '#/teams/1'});
    expectProblem(await postBoth({date: monday}), 'run_closed', {pointer: '#/date'});
    expectProblem(await post(ada), 'run_closed', {pointer: '#/team'});
  });

  it('is late from the closing time on, even if the service has not closed the run yet', async () => {
    await change({schedule: everyDay});
    await open();
    await clock.set(closing - 1);
    expect((await post(ada)).body).toMatchObject({late: false});
    await clock.set(closing);
    expect((await post(bob)).body).toMatchObject({late: true});
  });

  it('is late by the time zone of its author in a team whose runs follow the time zones of members', async () => {
    const schedule = {...everyDay, clock: 'member'} as const;
    await change({schedule, late_policy: {accept: 'never'}});
    await workspace.request('PATCH', `/v1/members/${bob.id}`, {body: {timezone: 'America/New_York'}});
    await open({
      schedule: {...everyDay, frequency: 'weekly', interval: 1, reminders: [], clock: 'member'} as never,
      closes_at: `${monday}T15:00:00.000Z`,
      participants: [
        {member: ada.id, timezone: null},
        {member: bob.id, timezone: 'America/New_York'},
      ],
    });
    await clock.set(closing + 3_600_000 * 5 - 1);
    expect((await post(bob)).body).toMatchObject({late: false, date: monday});
  });

  it('is late for a run that was opened by hand in a team without a schedule', async () => {
    const run = await open({schedule: null, kind: 'ad_hoc'});
    expect((await post(ada)).body).toMatchObject({late: false});
    await close(run);
    expect((await post(bob)).body).toMatchObject({late: true});
    expect(await report()).toEqual({Ada: ['posted', 'Words of Ada.'], Bob: ['late', 'Words of Bob.']});
  });
});

describe('a change of a standup of a closed run', () => {
  let id: string;

  beforeEach(async () => {
    await change({schedule: everyDay});
    const run = await open();
    ({id} = (await post(ada)).body);
    await clock.set(closing);
    await close(run);
  });

  it('appears in the report', async () => {
    await workspace.request('PATCH', `/v1/standups/${id}`, {body: {update: 'Other words.'}});
    expect(await report()).toEqual({Ada: ['posted', 'Other words.'], Bob: ['missed']});
    const [event] = await listUpdates();
    expect(event.data.report.lines[0].standups).toMatchObject([{revision: 2, update: 'Other words.'}]);
    expect(event.previous_attributes.report.lines[0].standups).toMatchObject([{update: 'Words of Ada.'}]);
  });

  it('includes in its event an absence entered after the closing, until the absence is withdrawn', async () => {
    const body = {member: bob.id, from: monday, until: monday, reason: 'Sea'};
    const {body: absence} = await workspace.request('POST', '/v1/absences', {body});
    await workspace.request('PATCH', `/v1/standups/${id}`, {body: {update: 'Other words.'}});
    await workspace.request('DELETE', `/v1/absences/${absence.id}`);
    await workspace.request('PATCH', `/v1/standups/${id}`, {body: {update: 'The last words.'}});
    const shown = (await listUpdates()).map(({data}) => [
      data.report.lines[1].status,
      data.report.lines[1].reason,
      data.report.counts.expected,
    ]);
    expect(shown).toEqual([
      ['away', 'Sea', 1],
      ['missed', null, 2],
    ]);
  });

  it('keeps the previous report as long as events refer to it, while the run shows the present report', async () => {
    const {id: run} = await service.core.services.runViews.findRun(call(), 'platform', monday);
    const {revisions} = workspaceKeys(workspace.id);
    const send = (command: string, ...args: string[]) =>
      service.core.store.connection.call<number>(newDeadline(), [command, revisions(suffixOf(run)), ...args]);
    const closed = await send('TTL');
    expect(closed).toBeGreaterThan(lifetimes.events - 60);
    expect(closed).toBeLessThanOrEqual(lifetimes.events);
    await send('EXPIRE', '100');
    await workspace.request('PATCH', `/v1/standups/${id}`, {body: {update: 'Other words.'}});
    expect(await send('TTL')).toBeGreaterThan(lifetimes.events - 60);
    expect((await listUpdates())[0]).toHaveProperty('previous_attributes');

    await send('DEL');
    expect(await report()).toEqual({Ada: ['posted', 'Other words.'], Bob: ['missed']});
    await clock.advance(60_000);
    await until(async () => !('previous_attributes' in (await listUpdates())[0]), {
      what: 'the event is rendered again',
    });
    const [event] = await listUpdates();
    expect(event.data.report.counts).toMatchObject({posted: 1, missed: 1});
    const ended = (await eventsOf(workspace)).find(({type}) => type === 'run.closed');
    expect(ended).toMatchObject({data: null});
    expect(await workspace.request('DELETE', `/v1/standups/${id}`)).toMatchObject({status: 204});
    expect(await report()).toEqual({Ada: ['missed'], Bob: ['missed']});
  });

  it('marks the author as missed if it is a deletion', async () => {
    await workspace.request('DELETE', `/v1/standups/${id}`);
    expect(await report()).toEqual({Ada: ['missed'], Bob: ['missed']});
    expect(await listUpdates()).toHaveLength(1);
  });

  it('removes the standup from the run if its date changes, and marks the standup as late when it returns', async () => {
    const move = (date: string) => workspace.request('PATCH', `/v1/standups/${id}`, {body: {date}});
    expect((await move('2026-11-20')).body).toMatchObject({late: false});
    expect(await report()).toEqual({Ada: ['missed'], Bob: ['missed']});
    expect((await move(monday)).body).toMatchObject({late: true});
    expect(await report()).toEqual({Ada: ['late', 'Words of Ada.'], Bob: ['missed']});
    expect(await listUpdates()).toHaveLength(2);
  });

  it('still counts the author as posted if it deletes one of two standups', async () => {
    const second = await post(ada);
    expect(await report()).toMatchObject({Ada: ['posted', 'Words of Ada.', 'Words of Ada.']});
    await workspace.request('DELETE', `/v1/standups/${second.body.id}`);
    expect(await report()).toMatchObject({Ada: ['posted', 'Words of Ada.']});
  });

  it('removes name and text from events and report if it is the erasure of the author, and keeps the counts', async () => {
    const {members, forgetMember} = service.core.services;
    await members.deleteMember(workspace.operator(), ada.id, {erase: true});
    while (await forgetMember(workspace.operator(), ada.id, true));
    const events = (await eventsOf(workspace)).filter(({type}) => type === 'run.closed');
    expect(JSON.stringify(events)).not.toContain('Ada');
    const {report: erased} = events[0].data;
    expect(erased.counts).toMatchObject({expected: 2, posted: 1, missed: 1});
    expect(erased.lines[0]).toMatchObject({member: {name: null}, standups: [{id: null, update: null}]});
  });
});

describe('a standup and a closing at the same moment', () => {
  it('a standup that was prepared before the closing is refused, and is prepared again with the closed run', async () => {
    await change({schedule: everyDay});
    const run = await open();
    const {standupRuns, close: now} = {
      standupRuns: service.core.services.standupRuns,
      close: () => close(run),
    };
    const team = await service.core.services.teams.findTeam(workspace.operator(), 'platform');
    const day = await standupRuns.findDay(call(), team, monday, 0);
    const author = {type: 'member', id: ada.id, name: 'Ada'} as const;
    const revised = {revision: 1, late: false};
    const {guards, writes, events} = await standupRuns.planMove(call(), day, {
      author,
      suffix: asSuffix(suffixOf(ada.id)),
      now: revised,
    });
    await now();
    const commit = {guards, writes, events, reply: {kind: 'empty'}} as const;
    expect(await service.core.store.commits.run(call(), commit)).toMatchObject({kind: 'stale'});
  });

  it.each(['posted', 'changed', 'deleted'])(
    'a closing that was prepared before a standup was %s is prepared again',
    async (how) => {
      await change({schedule: everyDay});
      const run = await open();
      const {body} = await post(ada);
      const planned = await planClosing(service, workspace, run);
      if (how === 'posted') await post(bob);
      if (how === 'changed') {
        await workspace.request('PATCH', `/v1/standups/${body.id}`, {body: {update: 'Other words.'}});
      }
      if (how === 'deleted') await workspace.request('DELETE', `/v1/standups/${body.id}`);
      expect(await planned()).toMatchObject({kind: 'stale'});
      expect(await (await planClosing(service, workspace, run))()).toMatchObject({kind: 'committed'});
    },
  );

  it('each of many standups is in the stored report, and is on time or late there exactly as the standup itself says', async () => {
    await change({schedule: everyDay});
    const run = await open();
    const [answers] = await Promise.all([
      Promise.all(Array.from({length: 12}, (_, i) => post(i % 2 === 0 ? ada : bob, {update: `${i}`}))),
      close(run),
    ]);
    const {report: kept} = await service.core.services.runViews.findRun(call(), 'platform', monday);
    const shown = kept?.lines.flatMap(({standups}) => standups.map(({id, late}) => `${id} ${late}`));
    const posted = answers.map(({body}) => `${body.id} ${body.late}`);
    expect(shown?.toSorted()).toEqual(posted.toSorted());
  });
});

describe('the date of a standup', () => {
  const night: NewSchedule = {...everyDay, opens: '22:00', closes: '02:00'};
  const dateAt = async (instant: string) => {
    await clock.set(Date.parse(instant));
    return (await post(ada)).body.date;
  };

  it('is by default the date of the run that is open past midnight, until the run closes', async () => {
    await change({schedule: night});
    expect(await dateAt('2026-11-23T23:59:59Z')).toBe('2026-11-23');
    expect(await dateAt('2026-11-24T00:00:00Z')).toBe('2026-11-23');
    expect(await dateAt('2026-11-24T01:59:59Z')).toBe('2026-11-23');
    expect(await dateAt('2026-11-24T02:00:00Z')).toBe('2026-11-24');
    // There is no run of Sunday that could continue.
    expect(await dateAt('2026-11-30T00:30:00Z')).toBe('2026-11-30');
  });

  it('may be the date of the next run, even if that run is later than tomorrow, and no later date', async () => {
    await change({schedule: everyDay});
    await clock.set(Date.parse('2026-11-27T12:00:00Z'));
    expect((await post(ada, {date: '2026-11-30'})).body).toMatchObject({date: '2026-11-30', late: false});
    const refused = await post(ada, {date: '2026-12-01'});
    expectProblem(refused, 'date_not_allowed', {pointer: '#/date'});
    expect(refused.body.detail).toContain('from 2025-11-27 to 2026-11-30');
  });

  it('is the day of the author in a team whose runs follow the time zones of members', async () => {
    await change({schedule: {...everyDay, clock: 'member'}});
    await workspace.request('PATCH', `/v1/members/${ada.id}`, {body: {timezone: 'Pacific/Kiritimati'}});
    await clock.set(Date.parse('2026-11-23T12:00:00Z'));
    expect((await post(ada)).body.date).toBe('2026-11-24');
    expect((await post(bob)).body.date).toBe('2026-11-23');
  });

  describe('the default date after midnight', () => {
    const member = () => ({member: ada.id, workspace: workspace.id, deadline: newDeadline()});
    const at = (instant: string) => clock.set(Date.parse(instant));
    const patch = (body: object) => workspace.request('PATCH', '/v1/teams/platform', {body});

    /** The date of a post. Everything that shows the team's day must show the same. */
    async function date(): Promise<string> {
      const {services} = service.core;
      const team = await services.teams.findTeam(workspace.operator(), 'platform');
      const {days} = await services.teamDays.findPersonDay(member(), ada.id, {from: 0, most: 5});
      const shown = [await services.standups.findDate(member(), team, ada.id), days[0]?.date];
      const {body} = await post(ada);
      expect(shown).toEqual([body.date, body.date]);
      return body.date;
    }

    async function doRuns(): Promise<void> {
      const {runs} = service.core.services;
      while (await runs.advanceRuns(workspace.operator(), suffixOf(workspace.team)));
    }

    /** Opens Monday's night run and moves to half past midnight. */
    async function openNight(more: Partial<NewSchedule> = {}): Promise<void> {
      await change({schedule: {...night, ...more} as NewSchedule});
      await at('2026-11-23T22:00:00Z');
      await doRuns();
      await at('2026-11-24T00:30:00Z');
    }

    it('is the date of a run that was opened by hand, until the run closes', async () => {
      await at('2026-11-23T23:30:00Z');
      const opened = await workspace.request('POST', '/v1/teams/platform/runs', {body: {minutes: 120}});
      expect(opened.body).toMatchObject({date: monday, state: 'open'});
      await at('2026-11-24T00:30:00Z');
      expect(await date()).toBe(monday);
      await at('2026-11-24T01:30:00Z');
      expect(await date()).toBe('2026-11-24');
    });

    it.each<[string, object]>([
      ['taken away', {schedule: null}],
      ['changed to the day', {schedule: everyDay}],
      ['moved to another zone', {timezone: 'Pacific/Auckland'}],
      ['changed to the members’ own clocks', {schedule: {...night, clock: 'member'}}],
    ])('is the date of the open run, even if the schedule has been %s in the meantime', async (_, body) => {
      await openNight();
      await patch(body);
      expect(await date()).toBe(monday);
      await at('2026-11-24T01:59:59Z');
      expect(await date()).toBe(monday);
      await at('2026-11-24T02:00:00Z');
      expect(await date()).toBe('2026-11-24');
    });

    it('follows the time zone that the author had when the run opened', async () => {
      await workspace.request('PATCH', `/v1/members/${ada.id}`, {body: {timezone: 'Europe/Berlin'}});
      await openNight({clock: 'member'});
      await workspace.request('PATCH', `/v1/members/${ada.id}`, {body: {timezone: 'UTC'}});
      expect(await date()).toBe(monday);
      await at('2026-11-24T01:00:00Z');
      expect(await date()).toBe('2026-11-24');
    });

    it('is today if the run of the night has been cancelled', async () => {
      await openNight();
      await patch({paused: true});
      expect(await date()).toBe('2026-11-24');
      await patch({paused: false});
      expect(await date()).toBe('2026-11-24');
    });

    it('is today if the run of the night fell into a pause, or if its schedule was saved after it was due', async () => {
      await change({schedule: night});
      await patch({paused: true});
      await at('2026-11-24T00:30:00Z');
      await patch({paused: false});
      expect(await date()).toBe('2026-11-24');
      await patch({schedule: {...night, closes: '03:00'}});
      expect(await date()).toBe('2026-11-24');
    });

    it('is the date of a run that is due but not opened yet, by the rules at the time when it was due', async () => {
      await change({schedule: {...night, closes: '01:00'}});
      await at('2026-11-24T00:30:00Z');
      expect(await date()).toBe(monday);
      await patch({schedule: {...night, closes: '03:00'}});
      expect(await date()).toBe(monday);
      await at('2026-11-24T01:30:00Z');
      expect(await date()).toBe('2026-11-24');
      await doRuns();
      expect(await date()).toBe('2026-11-24');
    });

    it.each<[string, object]>([
      ['taken away', {schedule: null}],
      ['changed to the day', {schedule: everyDay}],
      ['moved to another zone', {timezone: 'Pacific/Auckland'}],
    ])(
      'is the date of a run that is due but not opened yet, even if the schedule has been %s in the meantime',
      async (_, body) => {
        await change({schedule: night});
        await at('2026-11-23T23:00:00Z');
        await patch(body);
        await at('2026-11-24T00:30:00Z');
        expect(await date()).toBe(monday);
        await doRuns();
        expect(await date()).toBe(monday);
        await at('2026-11-24T02:00:00Z');
        expect(await date()).toBe('2026-11-24');
      },
    );

    it.each<[string, string, string, object]>([
      ['a pause prevented it', monday, '2026-11-23T23:00:00Z', {paused: true}],
      ['its schedule was another then', '2026-11-20', '2026-11-23T21:00:00Z', {schedule: everyDay}],
    ])('is today if the run was not opened because %s', async (_, since, instant, body) => {
      await at(`${since}T20:00:00Z`);
      await change({schedule: night});
      await at(instant);
      await patch(body);
      await at('2026-11-24T00:15:00Z');
      await patch({paused: false, schedule: night});
      expect(await date()).toBe('2026-11-24');
    });

    it('is today if the run of the night did not open because that day had a run opened by hand', async () => {
      await change({schedule: night});
      await at('2026-11-23T23:00:00Z');
      await workspace.request('POST', '/v1/teams/platform/runs', {body: {minutes: 30}});
      await at('2026-11-24T00:30:00Z');
      expect(await date()).toBe('2026-11-24');
    });

    it('is today if the run of the night has closed or was missed, however the schedule changed afterwards', async () => {
      await openNight({closes: '23:00'});
      await doRuns();
      await patch({schedule: night});
      expect(await date()).toBe('2026-11-24');
      await patch({schedule: {...night, closes: '22:10'}});
      await at('2026-11-25T00:30:00Z');
      await doRuns();
      const [run] = (await workspace.request('GET', '/v1/teams/platform/runs')).body.data;
      expect(run).toMatchObject({date: '2026-11-24', state: 'missed'});
      await patch({schedule: night});
      expect(await date()).toBe('2026-11-25');
    });

    it('is decided for each team by itself in a post for several teams', async () => {
      await openNight();
      await workspace.request('POST', '/v1/teams', {body: {slug: 'mobile', name: 'Mobile', timezone: 'UTC'}});
      await workspace.request('PUT', `/v1/teams/mobile/members/${ada.id}`, {body: {role: 'member'}});
      const {body} = await workspace.request('POST', '/v1/standups', {
        token: ada.token,
        body: {teams: ['platform', 'mobile'], update: 'Both.'},
      });
      expect(body.data.map(({date: day}: {date: string}) => day)).toEqual([monday, '2026-11-24']);
    });

    it('may be given in the request if it is that of the open run, even if the team has moved to a time zone far from it', async () => {
      await change({timezone: 'Pacific/Kiritimati'});
      await change({schedule: {...everyDay, opens: '00:10', closes: '05:00'}});
      await at('2026-11-23T10:20:00Z');
      await doRuns();
      // The day is Tuesday in the old zone, and Sunday in the new one.
      await change({timezone: 'Etc/GMT+12'});
      expect(await date()).toBe('2026-11-24');
      expect((await post(ada, {date: '2026-11-24'})).body).toMatchObject({late: false});
      expectProblem(await post(ada, {date: '2026-11-25'}), 'date_not_allowed', {pointer: '#/date'});
    });
  });
});
