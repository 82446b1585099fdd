import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {suffixOf, type Id} from '../../../src/domain/core/ids.js';
import {lists} from '../../../src/domain/core/lists.js';
import type {Absence} from '../../../src/domain/absences/absence.js';
import {type Person, addPerson} from '../../api/people.js';
import {asId} from '../../support/ids.js';
import {testRedisUrl} from '../../support/redis-server.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {createTestClock, type TestClock} from '../../support/test-clock.js';

// One person is in two teams: one closes at 11:00, the other at 18:00. The test moves the clock.
let clock: TestClock;
let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let morning: Id<'team'>;
let evening: Id<'team'>;

const monday = '2026-11-23';
const at = (time: string) => Date.parse(`${monday}T${time}:00Z`);

beforeAll(async () => {
  const redisUrl = await testRedisUrl();
  clock = await createTestClock(redisUrl, at('06:00'));
  service = await startService({redisUrl, time: clock.time, env: {ROLES: 'web'}});
});

beforeEach(async () => {
  await clock.set(at('06:00'));
  workspace = await service.addWorkspace();
  morning = await addTeam('morning', '11:00');
  evening = await addTeam('evening', '18:00');
  ada = await addPerson(service, workspace, {name: 'Ada', team: 'morning'});
});

afterAll(async () => {
  await service.close();
  await clock.close();
});

async function addTeam(slug: string, closes: string): Promise<Id<'team'>> {
  const schedule = {frequency: 'weekly', days: ['mon', 'tue'], opens: '09:00', closes} as const;
  const team = await service.core.services.teams.createTeam(workspace.operator(), {slug, schedule});
  return asId(team.id ?? '');
}

const join = (slug: string) =>
  workspace.request('PUT', `/v1/teams/${slug}/members/${ada.id}`, {body: {role: 'member'}});

/** Moves the clock, and opens and closes all due runs. */
async function moveTo(time: number): Promise<void> {
  await clock.set(time);
  for (const team of [morning, evening]) {
    while (await service.core.services.runs.advanceRuns(workspace.operator(), suffixOf(team)));
  }
}

const call = () => ({
  ...workspace.operator(),
  principal: {type: 'member', id: asId<'member'>(ada.id), name: 'Ada'} as const,
});

async function comeBack(teams: readonly Id<'team'>[]) {
  const runs = teams.map((team) => ({team, date: monday}));
  return service.core.services.absences.comeBack(call(), {today: monday, runs});
}

const goAway = (until: string | null) => service.core.services.absences.enterAbsence(call(), {until});

async function statusIn(slug: string, date = monday) {
  const {report} = await service.core.services.runViews.findRun(call(), slug, date);
  return report?.lines.find(({member}) => member.id === ada.id)?.status;
}

async function absences() {
  const query = {list: lists.absencesOf(asId<'member'>(ada.id)), limit: 10};
  const {rows} = await service.core.store.records.list(workspace.id, query, performance.now() + 5_000);
  return rows
    .map(({json}) => JSON.parse(json) as Absence)
    .map(({from, until, team}) => ({from, until, team}));
}

it('regression: a member who returns after a run has closed stays away in its report, and posts in the next run', async () => {
  await goAway(null);
  await moveTo(at('09:00'));
  await moveTo(at('12:00'));
  expect(await statusIn('morning')).toBe('away');
  expect(await comeBack([morning])).toEqual({ended: 1, skipped: [], closed: true});
  expect(await absences()).toEqual([{from: monday, until: monday, team: null}]);
  expect(await statusIn('morning')).toBe('away');
  // A second request changes nothing.
  expect(await comeBack([morning])).toEqual({ended: 0, skipped: [], closed: true});
  await moveTo(Date.parse('2026-11-24T09:00:00Z'));
  expect(await statusIn('morning', '2026-11-24')).toBe('expected');
});

it('a member who returns before a run closes is expected to post in that run', async () => {
  await goAway(monday);
  await moveTo(at('09:00'));
  expect(await comeBack([morning])).toEqual({ended: 1, skipped: [], closed: false});
  expect(await absences()).toEqual([]);
  expect(await statusIn('morning')).toBe('expected');
});

it('a member who returns between two runs of a day stays away in the closed one and is expected in the open one', async () => {
  await join('evening');
  await goAway('2026-11-25');
  await moveTo(at('09:00'));
  await moveTo(at('12:00'));
  expect(await comeBack([morning, evening])).toEqual({ended: 1, skipped: [], closed: true});
  expect(await absences()).toEqual([{from: monday, until: monday, team: 'morning'}]);
  expect([await statusIn('morning'), await statusIn('evening')]).toEqual(['away', 'expected']);
});

it('a member who returns keeps the skip of a run that has closed', async () => {
  await service.core.services.absences.skip(call(), {date: monday, team: 'morning'});
  await moveTo(at('09:00'));
  await moveTo(Date.parse('2026-11-24T00:30:00Z'));
  const now = {today: '2026-11-24', runs: [{team: morning, date: monday}]};
  expect(await service.core.services.absences.comeBack(call(), now)).toMatchObject({ended: 0, skipped: []});
  expect(await statusIn('morning')).toBe('skipped');
});
