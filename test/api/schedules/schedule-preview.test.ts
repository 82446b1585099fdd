import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {createZones} from '../../../src/calendar/zones.js';
import {suffixOf} from '../../../src/domain/core/ids.js';
import {completeSchedule} from '../../../src/domain/schedules/schedule.js';
import {generateRunPreviews} from '../../../src/domain/schedules/schedule-preview.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {
  type Json,
  sendRequest,
  startService,
  type TestService,
  type TestWorkspace,
} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson} from '../people.js';
import {eventsOf, make} from '../samples.js';
import {asId} from '../../support/ids.js';

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;

const workdays = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:30',
  closes: '12:00',
  reminders: [30],
  starts_on: '2027-01-04',
};

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  // A Friday, two days before Berlin's clocks go forward.
  clock = await createTestClock(redisUrl, Date.parse('2027-03-26T08:00Z'));
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
  for (const [slug, clocks] of [
    ['by-team', 'team'],
    ['by-member', 'member'],
  ]) {
    const schedule = {...workdays, clock: clocks};
    await make(workspace, '/v1/teams', {slug, timezone: 'Europe/Berlin', schedule});
  }
  const {id: kiri} = await make(workspace, '/v1/members', {name: 'Kiri', timezone: 'Pacific/Kiritimati'});
  const {id: ada} = await make(workspace, '/v1/members', {name: 'Ada'});
  for (const team of ['by-team', 'by-member']) {
    for (const id of [kiri, ada]) await workspace.request('PUT', `/v1/teams/${team}/members/${id}`);
  }
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

async function preview(team: string, query = ''): Promise<Json> {
  const {status, body} = await workspace.request('GET', `/v1/teams/${team}/schedule/preview${query}`);
  expect(status).toBe(200);
  return body;
}

const short = ({name, local, opens_at}: Json) => [name, local.opens, opens_at];

describe('GET /v1/teams/{team}/schedule/preview', () => {
  it('shows the next runs in UTC, in the time zone of the team and of each member, across a change to summer time', async () => {
    const body = await preview('by-team', '?limit=2');
    expect(body).toMatchObject({
      object: 'schedule_preview',
      team: 'by-team',
      timezone: 'Europe/Berlin',
      reason: null,
    });
    expect(body.runs.map(({members, ...run}: Json) => ({...run, members: members.map(short)}))).toEqual([
      {
        date: '2027-03-26',
        opens_at: '2027-03-26T08:30:00.000Z',
        closes_at: '2027-03-26T11:00:00.000Z',
        reminders_at: ['2027-03-26T10:30:00.000Z'],
        asked_at: ['2027-03-26T08:30:00.000Z', '2027-03-26T10:30:00.000Z'],
        local: {opens: '2027-03-26T09:30', closes: '2027-03-26T12:00', reminders: ['2027-03-26T11:30']},
        members: [
          ['Ada', '2027-03-26T09:30', '2027-03-26T08:30:00.000Z'],
          ['Kiri', '2027-03-26T22:30', '2027-03-26T08:30:00.000Z'],
        ],
      },
      {
        date: '2027-03-29',
        opens_at: '2027-03-29T07:30:00.000Z',
        closes_at: '2027-03-29T10:00:00.000Z',
        reminders_at: ['2027-03-29T09:30:00.000Z'],
        asked_at: ['2027-03-29T07:30:00.000Z', '2027-03-29T09:30:00.000Z'],
        local: {opens: '2027-03-29T09:30', closes: '2027-03-29T12:00', reminders: ['2027-03-29T11:30']},
        members: [
          ['Ada', '2027-03-29T09:30', '2027-03-29T07:30:00.000Z'],
          ['Kiri', '2027-03-29T21:30', '2027-03-29T07:30:00.000Z'],
        ],
      },
    ]);
  });

  it('shows a run from the first opening to the last closing if runs follow the time zones of members', async () => {
    const {runs} = await preview('by-member', '?from=2027-03-29&limit=1');
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      date: '2027-03-29',
      opens_at: '2027-03-28T19:30:00.000Z',
      closes_at: '2027-03-29T10:00:00.000Z',
      reminders_at: ['2027-03-28T21:30:00.000Z', '2027-03-29T09:30:00.000Z'],
      local: {opens: '2027-03-28T21:30', closes: '2027-03-29T12:00'},
    });
    expect(runs[0].members.map(short)).toEqual([
      ['Ada', '2027-03-29T09:30', '2027-03-29T07:30:00.000Z'],
      ['Kiri', '2027-03-29T09:30', '2027-03-28T19:30:00.000Z'],
    ]);
  });

  it('leaves out runs that have opened, unless a date is given, even a past one', async () => {
    // In Kiritimati the day's run had ended when the schedule was set: it opens only for Ada.
    const {team_id: team, runs} = await preview('by-member', '?limit=1');
    expect(runs[0]).toMatchObject({date: '2027-03-26', opens_at: '2027-03-26T08:30:00.000Z'});
    expect(runs[0].members.map(({name}: Json) => name)).toEqual(['Ada']);
    const start = clock.now();
    await clock.set(Date.parse(runs[0].opens_at));
    expect(await service.core.services.runs.advanceRuns(workspace.operator(), suffixOf(team))).toBe(true);
    expect((await preview('by-member')).runs[0].date).toBe('2027-03-29');
    await clock.set(start);
    expect((await preview('by-member', '?from=2027-01-01')).runs.map(({date}: Json) => date)).toEqual([
      '2027-01-04',
      '2027-01-05',
      '2027-01-06',
      '2027-01-07',
      '2027-01-08',
    ]);
  });

  it('gives the reason if there is no run: no schedule, or a pause', async () => {
    expect(await preview('platform')).toMatchObject({reason: 'no_schedule', runs: []});
    await make(workspace, '/v1/teams', {slug: 'resting', schedule: workdays, paused: true});
    expect(await preview('resting')).toMatchObject({reason: 'paused', runs: []});
  });

  it('uses the time zone of the team if it has no members yet', async () => {
    await make(workspace, '/v1/teams', {
      slug: 'empty',
      timezone: 'Asia/Kolkata',
      schedule: {...workdays, clock: 'member'},
    });
    const {runs} = await preview('empty', '?limit=50&from=8999-12-31');
    expect(runs).toHaveLength(50);
    expect(runs[0]).toMatchObject({date: '8999-12-31', opens_at: '8999-12-31T04:00:00.000Z', members: []});
  });

  it.each(['limit=0', 'limit=51', 'limit=x', 'from=2027-02-30', 'from=9999-12-31', 'until=2027-01-01'])(
    'refuses ?%s',
    async (query) => {
      expectProblem(
        await workspace.request('GET', `/v1/teams/by-team/schedule/preview?${query}`),
        'invalid_parameter',
      );
    },
  );

  it('does not find a team of another workspace', async () => {
    const other = await service.addWorkspace();
    expectProblem(await other.request('GET', '/v1/teams/by-team/schedule/preview'), 'not_found');
  });
});

describe('POST /v1/teams/{team}/schedule/preview', () => {
  const path = (team: string) => `/v1/teams/${team}/schedule/preview`;
  const schedule = {frequency: 'monthly', nth: -1, day: 'fri', opens: '16:00', closes: '17:00'};

  it('shows the runs of an unsaved schedule, in the given time zone, even for a paused team', async () => {
    await make(workspace, '/v1/teams', {slug: 'planning', paused: true});
    const body = {schedule, timezone: 'America/New_York'};
    const answer = await workspace.request('POST', `${path('planning')}?limit=2`, {body});
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      object: 'schedule_preview',
      team: 'planning',
      timezone: 'America/New_York',
      reason: null,
    });
    expect(answer.body.runs.map(({date, opens_at}: Json) => [date, opens_at])).toEqual([
      ['2027-03-26', '2027-03-26T20:00:00.000Z'],
      ['2027-04-30', '2027-04-30T20:00:00.000Z'],
    ]);
  });

  it('shows the same for the present schedule as the preview of the saved one', async () => {
    for (const team of ['by-team', 'by-member']) {
      const saved = await workspace.request('GET', `${path(team)}?from=2027-03-26&limit=3`);
      const {body} = await workspace.request('GET', `/v1/teams/${team}`);
      const draft = await workspace.request('POST', `${path(team)}?from=2027-03-26&limit=3`, {
        body: {schedule: body.schedule},
      });
      expect(draft.text).toBe(saved.text);
    }
  });

  it('changes nothing, sends no event, and is open to every member who may read the team', async () => {
    const before = await workspace.request('GET', '/v1/teams/by-team');
    const events = (await eventsOf(workspace)).length;
    const viewer = await addPerson(service, workspace, {name: 'Reader', scopes: ['teams:read']});
    const headers = {'idempotency-key': 'one-for-all'};
    const ask = (opens: string) =>
      workspace.request('POST', `${path('by-team')}?limit=1`, {
        token: viewer.token,
        headers,
        body: {schedule: {...schedule, opens}},
      });
    const [first, second] = [await ask('15:00'), await ask('15:30')];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).not.toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect((await workspace.request('GET', '/v1/teams/by-team')).text).toBe(before.text);
    // The caller's own account has been created in the meantime.
    expect(await eventsOf(workspace)).toHaveLength(events + 2);
  });

  it('does not count as a write in the quota', async () => {
    const env = {ROLES: 'web', RATE_LIMIT_WRITES: '1'};
    const few = await startService({redisUrl: service.redisUrl, time: clock.time, env});
    try {
      const {token} = await addPerson(service, workspace, {name: 'Eager'});
      for (let i = 0; i < 3; i += 1) {
        const answer = await sendRequest(few.url, 'POST', path('by-team'), {token, body: {schedule}});
        expect(answer.status).toBe(200);
        expect(answer.headers.get('ratelimit')).toContain('"writes";r=1;');
      }
    } finally {
      await few.close();
    }
  });

  it.each<[Json, string]>([
    [{}, '#/schedule'],
    [{schedule: null}, '#/schedule'],
    [{schedule: {...schedule, closes: '16:00'}}, '#/schedule/closes'],
    [{schedule: {...schedule, starts_on: '9999-12-31'}}, '#/schedule/starts_on'],
    [{schedule, timezone: 'Europe/Nowhere'}, '#/timezone'],
    [{schedule, paused: true}, '#/paused'],
  ])('refuses %j at %s, as saving it would', async (body, pointer) => {
    const answer = await workspace.request('POST', path('by-team'), {body});
    expectProblem(answer, 'validation_failed', {pointer});
  });

  it('does not find a team of another workspace', async () => {
    const other = await service.addWorkspace();
    expectProblem(await other.request('POST', path('by-team'), {body: {schedule}}), 'not_found');
  });
});

const mondays = completeSchedule(
  {frequency: 'weekly', days: ['mon'], opens: '09:00', closes: '10:00'},
  '2027-01-01',
);

it('a preview shows when members are prompted in Slack, by the choices of the team and each member', () => {
  const people = (['opening', 'both', null, 'off'] as const).map((at, i) => ({
    id: asId<'member'>(`mem_${i}`),
    name: `P${i}`,
    timezone: null,
    reminders: {enabled: at !== 'off', prompt_at: at === 'off' ? null : at},
  }));
  const schedule = {...mondays, reminders: [30]};
  const asked = {timezone: 'UTC', prompt_at: 'before_closing' as const, now: clock.now(), limit: 1};
  const [run] = [...generateRunPreviews(schedule, people, asked, createZones())];
  const times = (instants: readonly string[] = []) => instants.map((at) => at.slice(11, 16));
  expect(run?.members.map(({asked_at: at}) => times(at))).toEqual([
    ['09:00'],
    ['09:00', '09:30'],
    ['09:30'],
    [],
  ]);
  expect(times(run?.asked_at)).toEqual(['09:00', '09:30']);
  const [empty] = [...generateRunPreviews(schedule, [], {...asked, prompt_at: 'opening'}, createZones())];
  expect(times(empty?.asked_at)).toEqual(['09:00']);
});

it('a date that has a run already is not in a preview, though its schedule would open one later that day', () => {
  const asked = {
    timezone: 'UTC',
    prompt_at: 'before_closing' as const,
    now: Date.parse('2027-03-29T07:00Z'),
    limit: 1,
  };
  const next = (taken: string[]) =>
    [...generateRunPreviews(mondays, [], {...asked, taken: new Set(taken)}, createZones())].map(
      ({date}) => date,
    );
  expect([next([]), next(['2027-03-29'])]).toEqual([['2027-03-29'], ['2027-04-05']]);
});

it('the preview of a large team has fewer runs, so that answers are bounded', () => {
  const people = Array.from({length: 120}, (_, i) => ({
    id: asId<'member'>(`mem_${i}`),
    name: `P${i}`,
    timezone: null,
    reminders: {enabled: true, prompt_at: null},
  }));
  const asked = {timezone: 'UTC', prompt_at: 'before_closing' as const, now: clock.now(), limit: 50};
  expect([...generateRunPreviews(mondays, people, asked, createZones())]).toHaveLength(41);
});

it('regression: a preview of a large team computes its runs one after the other, and a shared time zone once for each run', () => {
  let asked = 0;
  const zones = createZones();
  const counting = {
    ...zones,
    clockAt(timezone: string, ms: number) {
      asked += 1;
      return zones.clockAt(timezone, ms);
    },
  };
  const people = Array.from({length: 150}, (_, i) => ({
    id: asId<'member'>(`mem_${i}`),
    name: `P${i}`,
    timezone: i % 2 === 0 ? 'Asia/Tokyo' : null,
    reminders: {enabled: true, prompt_at: null},
  }));
  const query = {timezone: 'UTC', prompt_at: 'opening' as const, now: clock.now(), limit: 50};
  const steps: number[] = [];
  for (const run of generateRunPreviews(mondays, people, query, counting)) {
    steps.push(asked);
    asked = 0;
    expect(run.members).toHaveLength(150);
  }
  expect(steps).toHaveLength(33);
  expect(Math.max(...steps)).toBeLessThan(20);
});

it('regression: a preview of many runs yields to other work between them', async () => {
  let ticks = 0;
  let isOver = false;
  const count = (): void => {
    ticks += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect((await preview('by-team', '?limit=50')).runs).toHaveLength(50);
  isOver = true;
  expect(ticks).toBeGreaterThanOrEqual(50);
});
