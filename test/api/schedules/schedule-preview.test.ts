import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import ICAL from 'ical.js';
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
import {dumpRedis} from '../../store/dump.js';
import {addPerson, type Person} from '../people.js';
import {eventsOf, make} from '../samples.js';
import {asId} from '../../support/ids.js';

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;
const logLines: string[] = [];

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
  const note = (...line: unknown[]) => void logLines.push(JSON.stringify(line));
  const log = {debug: note, info: note, warn: note, error: note};
  service = await startService({
    redisUrl,
    time: clock.time,
    log,
    env: {ROLES: 'web', RATE_LIMIT_AUTH_FAILURES: '40'},
  });
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

describe('a calendar feed', () => {
  let grace: Person;
  let linus: Person;
  const reason =
    'Wedding; bring cake, and\nsing — Glückwünsche 🎂🎂🎂 to both families and everyone who comes along';

  beforeAll(async () => {
    grace = await addPerson(service, workspace, {name: 'Grace', team: 'by-team', timezone: 'Asia/Kathmandu'});
    linus = await addPerson(service, workspace, {name: 'Linus, "the" Ünikorn; 🦄', team: 'by-team'});
    const off = [
      {member: grace.id, from: '2027-03-31', until: '2027-04-01', reason},
      {member: linus.id, from: '2027-04-05', until: '2027-04-06', reason: 'A secret illness'},
    ];
    for (const {member, ...days} of off) {
      const token = member === grace.id ? grace.token : linus.token;
      expect((await workspace.request('POST', '/v1/absences', {token, body: days})).status).toBe(201);
    }
    const body = {team: 'by-team', update: 'A text of a standup.'};
    await workspace.request('POST', '/v1/standups', {token: grace.token, body});
  });

  async function addFeed(person = grace): Promise<Json> {
    const {status, body} = await workspace.request('POST', '/v1/calendar-feeds', {token: person.token});
    expect(status).toBe(201);
    return body;
  }

  const read = (url: string, headers: Record<string, string> = {}) =>
    fetch(service.url + new URL(url).pathname, {headers});

  const parse = (text: string) => {
    const calendar = new ICAL.Component(ICAL.parse(text));
    const events = calendar.getAllSubcomponents('vevent').map((one) => ({
      uid: one.getFirstPropertyValue('uid'),
      title: one.getFirstPropertyValue('summary'),
      start: String(one.getFirstPropertyValue('dtstart')),
      end: String(one.getFirstPropertyValue('dtend')),
      note: one.getFirstPropertyValue('description'),
      url: one.getFirstPropertyValue('url'),
    }));
    return {calendar, events};
  };

  it('has the member’s runs in UTC, their days off with the reason, and those of others without', async () => {
    const {url} = await addFeed();
    const answer = await read(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('private, max-age=900');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    const text = await answer.text();
    const {calendar, events} = parse(text);
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toMatch(/^Standup: /);
    expect(String(calendar.getFirstPropertyValue('refresh-interval'))).toBe('PT1H');
    const runs = events.filter(({title}) => title === 'Standup: by-team');
    // Berlin's clocks go forward on 28 March. Grace is away on 31 March and 1 April.
    expect(runs.slice(0, 4).map(({start, end}) => [start, end])).toEqual([
      ['2027-03-26T08:30:00Z', '2027-03-26T11:00:00Z'],
      ['2027-03-29T07:30:00Z', '2027-03-29T10:00:00Z'],
      ['2027-03-30T07:30:00Z', '2027-03-30T10:00:00Z'],
      ['2027-04-02T07:30:00Z', '2027-04-02T10:00:00Z'],
    ]);
    expect(runs[0]?.url).toBe(`${new URL(url).origin}/app/t/by-team`);
    expect(runs.at(-1)?.start.slice(0, 10)).toBe('2027-05-25');
    const days = events.filter(({title}) => !String(title).startsWith('Standup'));
    expect(days).toEqual([
      expect.objectContaining({title: 'Away', start: '2027-03-31', end: '2027-04-02', note: reason}),
      expect.objectContaining({
        title: `${linus.name}: away`,
        start: '2027-04-05',
        end: '2027-04-07',
        note: null,
      }),
    ]);
    expect(text).not.toContain('A text of a standup.');
    expect(text).not.toContain('secret illness');
  });

  it('is a file of lines of at most 75 octets with CRLF, and has the required properties of RFC 5545', async () => {
    const {url} = await addFeed();
    const text = await (await read(url)).text();
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const lines = text.split('\r\n');
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    // A folded line does not divide a character.
    expect(text).not.toContain('\uFFFD');
    expect(lines.slice(0, 3)).toEqual(
      expect.arrayContaining(['BEGIN:VCALENDAR', 'VERSION:2.0', expect.stringMatching(/^PRODID:./)]),
    );
    const events = text.split('BEGIN:VEVENT\r\n').slice(1);
    for (const event of events) {
      expect(event).toMatch(/^UID:\S+\r$/m);
      expect(event).toMatch(/^DTSTAMP:\d{8}T\d{6}Z\r$/m);
      expect(event).toMatch(/^DTSTART(?:;VALUE=DATE:\d{8}|:\d{8}T\d{6}Z)\r$/m);
      expect(event).toMatch(/^DTEND(?:;VALUE=DATE:\d{8}|:\d{8}T\d{6}Z)\r$/m);
    }
    const uids = parse(text).events.map(({uid}) => uid);
    expect(new Set(uids).size).toBe(uids.length);
    expect(uids.length).toBe(events.length);
  });

  it('regression: has at most 74 absences of a colleague and 2,000 of all, and then reads no more colleagues', async () => {
    const {url} = await addFeed();
    const {records} = service.core.store;
    const {list, listFilled} = records;
    let colleagues = 0;
    let asked = 0;
    /** Shows Linus as many members of his team, who have each of his absences as often as is asked for. */
    const repeat = async (...[of, query, deadline]: Parameters<typeof list>) => {
      const name = String(query.list);
      const [, suffix] = /^absences:(0{12}\d{4})$/.exec(name) ?? [];
      if (suffix !== undefined) asked += 1;
      const ofLinus = `absences:${suffixOf(asId(linus.id))}`;
      const chosen = suffix === undefined ? query : {...query, list: ofLinus as typeof query.list};
      const page = await list(of, chosen, deadline);
      const copies = suffix === undefined ? colleagues : query.limit;
      if (suffix === undefined && !name.startsWith('team-members:')) return page;
      const rows = page.rows.flatMap(({position, json}) =>
        Array.from({length: copies}, (_, i) => {
          const id = `mem_${suffix ?? String(i).padStart(16, '0')}`;
          return {position, json: json.replaceAll(linus.id, id)};
        }),
      );
      return {...page, rows: suffix === undefined ? rows : rows.slice(0, query.limit)};
    };
    const countOfOthers = async (count: number) => {
      [colleagues, asked] = [count, 0];
      const {events} = parse(await (await read(url)).text());
      return events.filter(({title}) => title === `${linus.name}: away`).length;
    };
    Object.assign(records, {
      list: repeat,
      listFilled: async (...[, names]: Parameters<typeof listFilled>) => new Set(names),
    });
    try {
      expect(await countOfOthers(2)).toBe(2 * 74);
      expect(await countOfOthers(100)).toBe(2_000);
      expect(asked).toBe(40);
    } finally {
      Object.assign(records, {list, listFilled});
    }
  });

  it('is answered 304 by its ETag until it changes', async () => {
    const {url} = await addFeed();
    const first = await read(url);
    const tag = first.headers.get('etag') ?? '';
    expect(await (await read(url)).text()).toBe(await first.text());
    expect((await read(url, {'if-none-match': tag})).status).toBe(304);
    const body = {from: '2027-04-19'};
    const made = await workspace.request('POST', '/v1/absences', {token: grace.token, body});
    expect((await read(url, {'if-none-match': tag})).status).toBe(200);
    await workspace.request('DELETE', `/v1/absences/${made.body.id}`, {token: grace.token});
    expect((await read(url, {'if-none-match': tag})).status).toBe(304);
  });

  it('is listed as a token, and ends when it is revoked', async () => {
    const feed = await addFeed();
    expect(feed).toMatchObject({kind: 'calendar', scopes: ['teams:read', 'members:read'], name: 'Calendar'});
    const list = async () =>
      (await workspace.request('GET', '/v1/tokens?kind=calendar&limit=100', {token: grace.token})).body.data;
    expect((await list()).map(({id}: Json) => id)).toContain(feed.id);
    expect((await read(feed.url)).status).toBe(200);
    await workspace.request('DELETE', `/v1/tokens/${feed.id}`, {token: grace.token});
    expect((await list()).map(({id}: Json) => id)).not.toContain(feed.id);
    const answer = await read(feed.url);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain(new URL(feed.url).pathname.slice(-30));
  });

  it('ends with its member, and with the token that made it, but not with a sign-out', async () => {
    const hopper = await addPerson(service, workspace, {name: 'Hopper', team: 'by-team'});
    const {services} = service.core;
    const [{url}, other] = [await addFeed(hopper), await addFeed(hopper)];
    const {tokens, sessions} = services;
    const session = await sessions.signInMember(
      {workspace: workspace.id, member: hopper.id, confirmed: true},
      {name: 'Firefox', instead: undefined},
      {deadline: performance.now() + 5_000},
    );
    const signedIn = await sessions.requireSession(session.pass, {deadline: performance.now() + 5_000});
    await sessions.signOut(signedIn, {everywhere: true}, {deadline: performance.now() + 5_000});
    expect((await read(url)).status).toBe(200);
    const of = (id: string) => tokens.revokeToken(workspace.operator(), id);
    const {body: own} = await workspace.request('GET', '/v1/tokens?kind=token', {token: hopper.token});
    const second = await addPerson(service, workspace, {name: 'Second', team: 'by-team'});
    const theirs = await addFeed(second);
    await of(own.data[0].id);
    for (const gone of [url, other.url]) expect((await read(gone)).status).toBe(404);
    expect((await read(theirs.url)).status).toBe(200);
    await workspace.request('DELETE', `/v1/members/${second.id}`);
    expect((await read(theirs.url)).status).toBe(404);
  });

  it('follows the memberships of its member, and shows nothing of a team that they have left', async () => {
    const [mover, stayer] = [
      await addPerson(service, workspace, {name: 'Mover', team: 'by-team'}),
      await addPerson(service, workspace, {name: 'Stayer', team: 'by-team'}),
    ];
    const body = {from: '2027-04-12'};
    await workspace.request('POST', '/v1/absences', {token: stayer.token, body});
    const {url} = await addFeed(mover);
    const shown = async () => (await read(url)).text();
    expect(await shown()).toContain('Stayer: away');
    await workspace.request('DELETE', `/v1/teams/by-team/members/${mover.id}`);
    const after = await shown();
    expect(after).not.toContain('Stayer');
    expect(after).not.toContain('by-team');
  });

  it('has the runs of at most twenty teams of its member', async () => {
    const crowded = await service.addWorkspace();
    const busy = await addPerson(service, crowded, {name: 'Busy'});
    const schedule = {...workdays, days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], clock: 'member'};
    for (let i = 0; i < 22; i += 1) {
      await make(crowded, '/v1/teams', {slug: `team-${i}`, timezone: 'Europe/Berlin', schedule});
      await crowded.request('PUT', `/v1/teams/team-${i}/members/${busy.id}`);
    }
    const {body} = await crowded.request('POST', '/v1/calendar-feeds', {token: busy.token});
    const text = await (await read(body.url)).text();
    expect(text.split('BEGIN:VEVENT').length - 1).toBe(20 * 61);
  });

  it('counts as ten requests of its member, because it takes as much', async () => {
    const calm = await addPerson(service, workspace, {name: 'Calm'});
    const {url} = await addFeed(calm);
    const tight = await startService({
      redisUrl: service.redisUrl,
      time: clock.time,
      env: {ROLES: 'web', RATE_LIMIT: '25'},
    });
    try {
      const ask = async () => (await fetch(tight.url + new URL(url).pathname)).status;
      expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
    } finally {
      await tight.close();
    }
  });

  it('is one of at most ten of a member, and no service account has one', async () => {
    const many = await addPerson(service, workspace, {name: 'Many'});
    for (let i = 0; i < 10; i += 1) await addFeed(many);
    const eleventh = await workspace.request('POST', '/v1/calendar-feeds', {token: many.token});
    expectProblem(eleventh, 'limit_reached');
    expectProblem(await workspace.request('POST', '/v1/calendar-feeds'), 'forbidden');
    const narrow = await addPerson(service, workspace, {name: 'Narrow', scopes: ['tokens:manage']});
    const refused = await workspace.request('POST', '/v1/calendar-feeds', {token: narrow.token});
    expectProblem(refused, 'scope_escalation');
  });

  it('has a secret that opens nothing else, that is stored as a hash alone, and that no log line has', async () => {
    const {url} = await addFeed();
    const pass = new URL(url).pathname.slice('/calendar/'.length, -'.ics'.length);
    const secret = pass.split('.').at(-1) ?? '';
    expect(secret).toHaveLength(43);
    const asToken = await workspace.request('GET', '/v1/me', {token: pass});
    expect(asToken.status).toBe(401);
    const deadline = performance.now() + 5_000;
    await expect(service.core.services.sessions.requireSession(pass, {deadline})).rejects.toThrow('over');
    await read(url);
    await read(`${url.slice(0, -5)}A.ics`);
    const {pathname} = new URL(url);
    for (const [path, method] of [
      [pathname, 'POST'],
      [pathname.slice(0, -4), 'GET'],
      [`${pathname}%`, 'GET'],
      [`${pathname}/x`, 'GET'],
      [pathname.toUpperCase().replace('CALENDAR', 'calendar'), 'GET'],
    ] as const) {
      const refusal = await fetch(service.url + path, {method});
      expect([400, 404, 405]).toContain(refusal.status);
      expect((await refusal.text()).toLowerCase()).not.toContain(secret.toLowerCase().slice(5, 40));
    }
    expect(logLines.some((line) => line.includes('readCalendarFeed'))).toBe(true);
    expect(logLines.join('\n')).not.toContain(secret.slice(5, 40));
    expect((await dumpRedis(service.redisUrl)).text).not.toContain(secret);
  });

  it('is refused after too many wrong secrets of one address, and wrong ones count with wrong tokens', async () => {
    const {url} = await addFeed();
    const wrong = `${url.slice(0, -24)}${'A'.repeat(20)}.ics`;
    const statuses: number[] = [];
    for (let i = 0; i < 45; i += 1) statuses.push((await read(wrong)).status);
    expect(statuses[0]).toBe(404);
    expect(statuses.at(-1)).toBe(429);
    const {status} = await workspace.request('GET', '/v1/me', {token: 'not a token'});
    expect(status).toBe(429);
    expect((await read(url)).status).toBe(200);
  });
});
