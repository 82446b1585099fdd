import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {createTestContext} from '../../support/service-context.js';
import {scopes} from '../../../src/domain/core/access.js';
import {addDays} from '../../../src/domain/core/dates.js';
import {createParticipation} from '../../../src/service/runs/participation.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {type SeededTeam, seedQuarter} from '../../support/seed-quarter.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';
import {make} from '../samples.js';

let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let teams: readonly SeededTeam[];

const [since, until] = ['2026-11-09', '2026-11-24'];
const span = `since=${since}&until=${until}`;

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, Date.parse('2026-11-25T12:00:00Z'));
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
  workspace = await service.addWorkspace();
  ada = await addPerson(service, workspace, {name: 'Ada'});
  teams = await seedQuarter(service, workspace, {teams: 3, people: 4, since, until, also: [ada.id]});
  const [first] = teams;
  await workspace.request('PATCH', `/v1/teams/${first?.slug}`, {body: {absence_reasons: 'team'}});
  await make(workspace, '/v1/absences', {
    member: first?.people[0],
    from: since,
    until,
    reason: 'Dentist',
  });
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

const get = async (path: string): Promise<Json> => {
  const {status, body} = await workspace.request('GET', path);
  expect(status).toBe(200);
  return body;
};

const ofTeam = (slug: string, query = span) => get(`/v1/teams/${slug}/participation?${query}`);

/** Counts of statuses, as a client computes them from `days`. */
function count(statuses: readonly string[]): Json {
  const having = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length;
  const expected = having('posted', 'late', 'missed', 'unreachable');
  const names = ['posted', 'late', 'missed', 'away', 'holiday', 'skipped', 'unreachable'];
  return {
    expected,
    ...Object.fromEntries(names.map((name) => [name, having(name)])),
    participation: expected === 0 ? null : having('posted', 'late') / expected,
  };
}

describe('the parameter include=days of participation', () => {
  it('shows the status of each member on each date, and all counts match these days', async () => {
    for (const {slug} of teams) {
      const found = await ofTeam(slug, `${span}&include=days`);
      const days = found.by_member.flatMap((row: Json) => row.days);
      expect(days).toHaveLength(12 * 5);
      expect(found.counts).toEqual(count(days.map(({status}: Json) => status)));
      for (const row of found.by_member) {
        expect(row.counts).toEqual(count(row.days.map(({status}: Json) => status)));
      }
      for (const {date, counts} of found.by_date) {
        const on = days.filter((day: Json) => day.date === date);
        expect(counts).toEqual(count(on.map(({status}: Json) => status)));
      }
    }
  });

  it('shows the reason of an absence, as the run does, and the name of a holiday', async () => {
    const [team] = teams;
    const {by_member} = await ofTeam(team?.slug ?? '', `${span}&include=days`);
    const {days} = by_member.find(({member}: Json) => member.id === team?.people[0]);
    const away = days.find(({status}: Json) => status === 'away');
    expect(away).toMatchObject({reason: 'Dentist'});
    const {report} = await get(`/v1/teams/${team?.slug}/runs/${away.date}`);
    const line = report.lines.find(({member}: Json) => member.id === team?.people[0]);
    expect(line).toMatchObject({status: 'away', reason: 'Dentist'});
    const posted = days.find(({status}: Json) => status === 'posted');
    expect(posted).toMatchObject({reason: null});
    const others = by_member.flatMap((row: Json) => row.days);
    expect(others.find(({status}: Json) => status === 'holiday')).toMatchObject({reason: 'A day off'});
  });

  it('adds days only if given, and accepts no other value', async () => {
    expect((await ofTeam('team-01')).by_member[0]).not.toHaveProperty('days');
    const answer = await workspace.request('GET', '/v1/teams/team-01/participation?include=words');
    expectProblem(answer, 'invalid_parameter', {parameter: 'include'});
  });
});

describe('GET /v1/members/{member}/participation', () => {
  it('has for each team of the member the same numbers as getParticipation, and the sum of all teams', async () => {
    const found = await get(`/v1/members/${ada.id}/participation?${span}&include=days`);
    expect(found).toMatchObject({
      object: 'member_participation',
      member: {id: ada.id, name: 'Ada'},
      since,
      until,
    });
    expect(found.by_team.map(({team}: Json) => team)).toEqual(teams.map(({slug}) => slug));
    for (const {team, counts, days} of found.by_team) {
      const {by_member} = await ofTeam(team, `${span}&include=days`);
      const row = by_member.find(({member}: Json) => member.id === ada.id);
      expect({counts, days}).toEqual({counts: row.counts, days: row.days});
    }
    const days = found.by_team.flatMap((row: Json) => row.days);
    expect(found.counts).toEqual(count(days.map(({status}: Json) => status)));
  });

  it('accepts `me`, has no rows for a member without a team, and refuses an unknown member', async () => {
    const me = await workspace.request('GET', '/v1/members/me/participation', {token: ada.token});
    expect(me.body).toMatchObject({member: {id: ada.id}, since: '2026-10-27', until: '2026-11-25'});
    const bob = await addPerson(service, workspace, {name: 'Bob', email: 'bob@example.com'});
    expect(await get(`/v1/members/${bob.id}/participation`)).toMatchObject({
      counts: {expected: 0},
      by_team: [],
    });
    expectProblem(await workspace.request('GET', '/v1/members/carl@example.com/participation'), 'not_found');
  });

  it('accepts an e-mail address only from callers who may read members', async () => {
    const others = scopes.filter((scope) => scope !== 'members:read');
    const viewer = await addPerson(service, workspace, {name: 'Reader', scopes: others});
    const path = (reference: string) => `/v1/members/${reference}/participation`;
    const asked = await workspace.request('GET', path('bob@example.com'), {token: viewer.token});
    expectProblem(asked, 'insufficient_scope');
    expect((await workspace.request('GET', path(ada.id), {token: viewer.token})).status).toBe(200);
  });
});

describe('GET /v1/participation', () => {
  it('has a row for each team with the numbers of getParticipation, by date on request', async () => {
    const found = await get(`/v1/participation?${span}&include=days&limit=100`);
    expect(found.data.map(({team}: Json) => team)).toEqual(['team-03', 'team-02', 'team-01', 'platform']);
    for (const {object, team_name: name, visibility, ...row} of found.data) {
      const {object: _object, by_member: _byMember, ...whole} = await ofTeam(row.team);
      expect({object, visibility, name: typeof name, row}).toEqual({
        object: 'team_participation',
        visibility: 'open',
        name: 'string',
        row: whole,
      });
    }
    expect((await get(`/v1/participation?${span}`)).data[0]).not.toHaveProperty('by_date');
  });

  it('shows only the teams of a member, and continues by cursor', async () => {
    const all = await get(`/v1/participation?${span}&member=${ada.id}&limit=2`);
    expect(all).toMatchObject({data: [{team: 'team-03'}, {team: 'team-02'}], has_more: true});
    const next = await get(`/v1/participation?${span}&member=${ada.id}&limit=2&cursor=${all.next_cursor}`);
    expect(next).toMatchObject({data: [{team: 'team-01'}], has_more: false, next_cursor: null});
  });

  it('ends a page when an answer would be too expensive, and refuses a team that is too expensive alone', async () => {
    const bounded = (most: number) => createParticipation(createTestContext(service.core), most);
    const call = workspace.operator();
    const page = await bounded(250).listParticipation(call, {since, until, limit: 100});
    expect(page.rows.map(({team}) => team)).toEqual(['team-03', 'team-02']);
    const rest = await bounded(250).listParticipation(call, {since, until, limit: 100, past: page.next});
    expect(rest).toMatchObject({rows: [{team: 'team-01'}, {team: 'platform'}], next: undefined});
    const refused = bounded(100).listParticipation(call, {since, until, limit: 100});
    await expect(refused).rejects.toMatchObject({code: 'invalid_parameter'});
    const tooLong = await workspace.request(
      'GET',
      `/v1/participation?since=${addDays(until, -366)}&until=${until}`,
    );
    expectProblem(tooLong, 'invalid_parameter', {parameter: 'since'});
  });

  it('shows nothing of another workspace', async () => {
    const other = await service.addWorkspace();
    const {body} = await other.request('GET', `/v1/participation?${span}`);
    expect(body.data).toMatchObject([{team: 'platform', counts: {expected: 0, participation: null}}]);
    expectProblem(await other.request('GET', `/v1/members/${ada.id}/participation`), 'not_found');
  });
});
