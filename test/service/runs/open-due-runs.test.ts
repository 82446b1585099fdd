import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import fc from 'fast-check';
import type {Commit} from '../../../src/domain/commit/commit.js';
import {addDays, findWeekday, type Weekday} from '../../../src/domain/core/dates.js';
import {suffixOf, type Id} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import type {Run} from '../../../src/domain/runs/run.js';
import type {TeamChange} from '../../../src/domain/teams/team.js';
import {deep} from '../../support/deep.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {asId} from '../../support/ids.js';

/** A clock that the test moves, for two processes without background work on one Redis. */
let clock: TestClock;
let service: TestService;
let other: TestService;
let workspace: TestWorkspace;
/** Slug and id of the team, which is new for each test. */
let slug: string;
let team: Id<'team'>;

const minute = 60_000;
const hour = 60 * minute;
const dayMs = 24 * hour;
/** A Sunday. */
const start = Date.parse('2026-11-22T12:00:00Z');
const monday = '2026-11-23';
const at = (day: string, time: string) => Date.parse(`${day}T${time}:00Z`);

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, start);
  const options = {redisUrl, time: clock.time, env: {ROLES: 'web'}};
  [service, other] = [await startService(options), await startService(options)];
  workspace = await service.addWorkspace();
});

afterAll(async () => {
  await service.close();
  await other.close();
  await clock.close();
});

let teams = 0;

async function addTeam(): Promise<void> {
  teams += 1;
  slug = `team-${teams}`;
  await clock.set(start);
  const {id = ''} = await service.core.services.teams.createTeam(workspace.operator(), {slug, name: slug});
  team = asId(id);
}

beforeEach(addTeam);

const everyDay: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const daily = {frequency: 'weekly', days: everyDay, opens: '09:00', closes: '11:00'} as const;

const change = (changed: TeamChange, by = service) =>
  by.core.services.teams.changeTeam(workspace.operator(), slug, changed);

/** Does all due work of runs. */
async function work(by = service): Promise<void> {
  while (await by.core.services.runs.advanceRuns(workspace.operator(), suffixOf(team)));
}

async function runs(): Promise<Run[]> {
  const query = {list: lists.runsOfTeam(team), upward: true, limit: 100};
  const {rows} = await service.core.store.records.list(workspace.id, query, newDeadline());
  return rows.map(({json}) => JSON.parse(json) as Run);
}

const seen = async () => (await runs()).map(({date, state, opens_at: opens}) => [date, state, opens]);

const newDeadline = () => performance.now() + 5_000;

/**
 * Runs `act` once, just before the service next reads the runs of the team. The returned function says
 * whether `act` has run.
 */
function beforeNextRead(act: () => Promise<unknown>): () => boolean {
  const {records} = service.core.store;
  const {list} = records;
  let isDone = false;
  Object.assign(records, {
    async list(...asked: Parameters<typeof list>) {
      const found = await list(...asked);
      if (asked[1].list === lists.runsOfTeam(team)) {
        Object.assign(records, {list});
        await act();
        isDone = true;
      }
      return found;
    },
  });
  return () => isDone;
}

const isChange = ({writes}: Commit, of: Id = team) =>
  writes.some((write) => write.do === 'revise' && write.id === of);

/** Runs `act` once, just before the service next commits a change of the team or of another resource. */
function beforeNextChange(act: () => Promise<unknown>, of: Id = team): () => boolean {
  const {commits} = service.core.store;
  const {run} = commits;
  let isDone = false;
  Object.assign(commits, {
    async run(...asked: Parameters<typeof run>) {
      if (isChange(asked[1], of)) {
        Object.assign(commits, {run});
        await act();
        isDone = true;
      }
      return run(...asked);
    },
  });
  return () => isDone;
}

describe('a change of a member’s time zone or team', () => {
  const ids = {west: asId<'member'>(''), east: asId<'member'>('')};

  beforeEach(async () => {
    await change({schedule: {...daily, clock: 'member'}});
    for (const [name, timezone] of [
      ['west', 'America/Los_Angeles'],
      ['east', 'Asia/Tokyo'],
    ] as const) {
      const {id = ''} = await service.core.services.members.createMember(workspace.operator(), {
        name,
        timezone,
      });
      ids[name] = asId(id);
    }
    await put('west');
  });

  const put = (name: keyof typeof ids) =>
    service.core.services.teamMembers.setTeamMember(workspace.operator(), slug, ids[name], 'member');

  const onMonday = async () => (await runs()).filter(({date}) => date === monday);

  // The opening at 09:00 in Los Angeles.
  const opens = `${monday}T17:00:00.000Z`;

  it.each<[string, () => Promise<unknown>]>([
    [
      'when a member changes zone',
      () =>
        service.core.services.members.changeMember(workspace.operator(), ids.west, {timezone: 'Asia/Tokyo'}),
    ],
    ['when a member is added', () => put('east')],
    [
      'when a member joins',
      () => service.core.services.people.joinTeam(workspace.operator(), {id: team, slug}, ids.east),
    ],
    [
      'when a member leaves',
      () => service.core.services.teamMembers.removeTeamMember(workspace.operator(), slug, ids.west),
    ],
  ])('regression: first opens the run that was due before the change: %s', async (_, act) => {
    await clock.set(Date.parse(opens) + 500);
    await act();
    expect(await onMonday()).toMatchObject([
      {state: 'open', opens_at: opens, missed_steps: [], participants: [{member: ids.west}]},
    ]);
    await work();
    expect(await onMonday()).toMatchObject([{state: 'open', opens_at: opens}]);
  });

  it('regression: loses no run that becomes due between its check and its commit', async () => {
    await clock.set(Date.parse(opens) - 1);
    const isMet = beforeNextChange(() => clock.advance(6), ids.west);
    await service.core.services.members.changeMember(workspace.operator(), ids.west, {
      timezone: 'Asia/Tokyo',
    });
    expect(isMet()).toBe(true);
    expect(await onMonday()).toMatchObject([{state: 'open', opens_at: opens}]);
  });

  it('succeeds for many members who join at once', async () => {
    const come = async (n: number) => {
      const input = {name: `Person ${n}`, timezone: n % 2 === 0 ? 'Asia/Tokyo' : 'Europe/Berlin'};
      const {id = ''} = await service.core.services.members.createMember(workspace.operator(), input);
      const by = n % 3 === 0 ? other : service;
      return by.core.services.teamMembers.setTeamMember(workspace.operator(), slug, id, 'member');
    };
    const answers = await Promise.all(Array.from({length: 40}, (_, n) => come(n)));
    expect(answers.map(({outcome}) => outcome)).toEqual(answers.map(() => 'created'));
  });
});

describe('a change of a team’s schedule, time zone or pause', () => {
  beforeEach(() => change({schedule: daily}));

  it.each<[string, TeamChange, string]>([
    ['a schedule', {schedule: {...daily, opens: '08:00'}}, 'open'],
    ['a zone', {timezone: 'Asia/Tokyo'}, 'open'],
    ['no schedule', {schedule: null}, 'open'],
    ['a pause', {paused: true}, 'missed'],
  ])(
    'first opens the run that was due before the change, without a worker: %s',
    async (_, changed, state) => {
      await clock.set(at(monday, '09:30'));
      await change(changed);
      expect(await seen()).toEqual([[monday, state, `${monday}T09:00:00.000Z`]]);
    },
  );

  it('records all missed runs of two months in one request', async () => {
    await clock.set(at(monday, '12:00') + 60 * dayMs);
    await change({schedule: null});
    const all = await runs();
    expect([all.length, new Set(all.map(({state}) => state))]).toEqual([61, new Set(['missed'])]);
    await work();
    expect(await runs()).toHaveLength(61);
  });

  it('is refused if recording overdue runs takes longer than a request may, and the next attempt continues', async () => {
    await clock.set(at(monday, '12:00') + 60 * dayMs);
    const {commits} = service.core.store;
    const {run} = commits;
    let made = 0;
    Object.assign(commits, {
      async run(...asked: Parameters<typeof run>) {
        made += 1;
        return made > 2 ? {kind: 'too-late'} : run(...asked);
      },
    });
    await expect(change({schedule: null})).rejects.toMatchObject({code: 'service_unavailable'});
    Object.assign(commits, {run});
    expect(await runs()).toHaveLength(40);
    await change({schedule: null});
    expect(await runs()).toHaveLength(61);
  });

  it.each<[string, TeamChange, string]>([
    ['changes', {schedule: {...daily, closes: '12:00'}}, 'open'],
    ['is paused', {paused: true}, 'cancelled'],
  ])('makes one run, and not two, if the team %s while a worker opens the run', async (_, changed, state) => {
    await clock.set(at(monday, '09:00'));
    const isMet = beforeNextRead(() => work(other));
    await change(changed);
    expect(isMet()).toBe(true);
    await work(other);
    expect(await seen()).toEqual([[monday, state, `${monday}T09:00:00.000Z`]]);
  });

  it('loses no run that becomes due between its check and its commit', async () => {
    await clock.set(at(monday, '09:00') - 1);
    const isMet = beforeNextChange(() => clock.advance(6));
    await change({schedule: null});
    expect(isMet()).toBe(true);
    expect(await seen()).toEqual([[monday, 'open', `${monday}T09:00:00.000Z`]]);
  });

  it('loses no run that becomes due because a member further east joins in the meantime', async () => {
    await change({schedule: {...daily, clock: 'member'}});
    await clock.set(at(monday, '08:30'));
    const {members, teamMembers} = other.core.services;
    const east = {name: 'Further east', timezone: 'Asia/Tokyo'};
    const {id = ''} = await members.createMember(workspace.operator(), east);
    await clock.set(at(monday, '01:30'));
    const isMet = beforeNextChange(() => teamMembers.setTeamMember(workspace.operator(), slug, id, 'member'));
    await change({schedule: null});
    expect(isMet()).toBe(true);
    expect(await runs()).toMatchObject([{date: monday, state: 'open', participants: [{member: id}]}]);
  });

  it('is not undone by a worker that read the team before the change', async () => {
    await clock.set(at(monday, '09:00'));
    const {records} = other.core.store;
    const {list} = records;
    let isMet = false;
    Object.assign(records, {
      async list(...asked: Parameters<typeof list>) {
        const found = await list(...asked);
        if (!isMet && asked[1].list === lists.runsOfTeam(team)) {
          isMet = true;
          await change({schedule: {...daily, opens: '10:00'}});
        }
        return found;
      },
    });
    await work(other);
    Object.assign(records, {list});
    expect([isMet, await seen()]).toEqual([true, [[monday, 'open', `${monday}T09:00:00.000Z`]]]);
    await clock.set(at('2026-11-24', '09:30'));
    await work(other);
    expect(await runs()).toHaveLength(1);
  });

  it('marks no run as missed if the change is a pause that is refused in the end', async () => {
    await clock.set(at(monday, '09:00'));
    const {commits} = service.core.store;
    const {run} = commits;
    let isRefused = false;
    Object.assign(commits, {
      run: async (...asked: Parameters<typeof run>) => {
        if (!isChange(asked[1])) return run(...asked);
        isRefused = true;
        return run({...asked[0], token: {id: asId('tok_gone')}}, asked[1]);
      },
    });
    await expect(change({paused: true})).rejects.toMatchObject({code: 'invalid_token'});
    Object.assign(commits, {run});
    await work();
    expect([isRefused, await seen()]).toEqual([true, [[monday, 'open', `${monday}T09:00:00.000Z`]]]);
  });
});

/*
 * A model that restates the rules of docs/schedules.md for time zones without clock changes. The model gets
 * every change at its time, and says which runs should have opened.
 */

interface ModelRules {
  readonly schedule: {
    readonly days: readonly Weekday[];
    readonly opens: string;
    readonly closes: string;
  } | null;
  readonly timezone: keyof typeof offsets;
  readonly paused: boolean;
}

/** Offsets of the time zones from UTC (hours). */
const offsets = {UTC: 0, 'Asia/Tokyo': 9, 'America/Phoenix': -7, 'Pacific/Kiritimati': 14} as const;

function createModel(startAt: number) {
  let rules: ModelRules = {schedule: null, timezone: 'UTC', paused: false};
  let since = startAt;
  const known = new Map<string, {state: Run['state']; readonly opens: number; readonly closes: number}>();

  function openDue(now: number, isPause: boolean): void {
    const {schedule, timezone, paused} = rules;
    if (schedule === null || paused) return;
    const instant = (date: string, time: string) => at(date, time) - offsets[timezone] * hour;
    for (let date = new Date(since - 2 * dayMs).toISOString().slice(0, 10); ; date = addDays(date, 1)) {
      const opens = instant(date, schedule.opens);
      if (opens > now) return;
      if (opens < since || known.has(date) || !schedule.days.includes(findWeekday(date))) continue;
      const isOver = schedule.closes <= schedule.opens;
      const closes = instant(isOver ? addDays(date, 1) : date, schedule.closes);
      const isMissed = isPause || (now - opens >= 2 * hour && closes <= now);
      known.set(date, {state: isMissed ? 'missed' : 'open', opens, closes});
    }
  }

  return {
    work(now: number): void {
      openDue(now, false);
      for (const run of known.values()) if (run.state === 'open' && run.closes <= now) run.state = 'closed';
    },
    change(now: number, changed: Partial<ModelRules>): void {
      const after = {...rules, ...changed};
      if (JSON.stringify(after) === JSON.stringify(rules)) return;
      openDue(now, after.paused);
      if (after.paused) for (const run of known.values()) if (run.state === 'open') run.state = 'cancelled';
      [rules, since] = [after, now];
    },
    seen: () =>
      [...known]
        .map(([date, {state, opens}]) => [date, state, new Date(opens).toISOString()])
        .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  };
}

const zones = Object.keys(offsets) as (keyof typeof offsets)[];
const times = fc.constantFrom(
  {opens: '09:00', closes: '11:00'},
  {opens: '09:00', closes: '09:30'},
  {opens: '10:30', closes: '23:50'},
  {opens: '22:00', closes: '02:00'},
);
const someDays = fc.constantFrom<readonly Weekday[]>(
  everyDay,
  ['mon', 'tue', 'wed', 'thu', 'fri'],
  ['tue', 'sat'],
);
const schedules = fc.tuple(times, someDays).map(([time, days]) => ({days, ...time}));
const changes: fc.Arbitrary<Partial<ModelRules>> = fc.oneof(
  {weight: 3, arbitrary: fc.record({schedule: schedules})},
  {weight: 2, arbitrary: fc.record({timezone: fc.constantFrom(...zones)})},
  fc.record({schedule: schedules, paused: fc.boolean()}),
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      {paused: true},
      {paused: false},
      {paused: true},
      {paused: false},
      {schedule: null},
    ),
  },
);
/** Minutes between steps: within a run, beyond the two hours of grace, over nights, and over days. */
const waits = fc.constantFrom(0, 0, 10, 30, 60, 90, 110, 120, 130, 180, 300, 600, 720, 1_440, 2_880);
const step = fc.oneof(changes, fc.constant('work' as const));
const steps = fc.array(fc.tuple(waits, step), {minLength: 15, maxLength: 25});

it('each run follows the schedule of the time when it was due, whatever changes and however late workers open it', async () => {
  const met = {missed: 0, closed: 0};
  const property = fc.asyncProperty(steps, schedules, async (all, first) => {
    await addTeam();
    const model = createModel(start);
    let now = start;
    for (const [wait, act] of [[0, {schedule: first}] as const, ...all]) {
      now += wait * minute;
      await clock.set(now);
      if (act === 'work') {
        model.work(now);
        await work(teams % 2 === 0 ? service : other);
      } else {
        model.change(now, act);
        const {schedule} = act;
        const asked = schedule && {...schedule, frequency: 'weekly', starts_on: '2026-11-02'};
        await change({...act, ...(schedule !== undefined && {schedule: asked})} as TeamChange);
      }
      expect(await seen()).toEqual(model.seen());
    }
    for (const [, state = ''] of model.seen()) {
      if (state in met) met[state as keyof typeof met] += 1;
    }
  });
  await fc.assert(property, {numRuns: deep ? 40 : 15});
  expect(Math.min(...Object.values(met))).toBeGreaterThan(0);
});
