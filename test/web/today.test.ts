import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type Stage} from './support/stage.js';
import type {Person} from '../api/people.js';
import {make} from '../api/samples.js';

let stage: Stage;
let ada: Person;

/** A Tuesday; in Berlin it is 10:26. */
const morning = '2027-04-06T08:26:00Z';
const workdays = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:00',
  closes: '11:00',
  starts_on: '2027-01-04',
  clock: 'team',
};

beforeAll(async () => {
  stage = await openDashboard({ROLES: 'web'}, {at: morning});
  const {workspace} = stage;
  await workspace.request('PATCH', '/v1/teams/platform', {
    body: {timezone: 'Europe/Berlin', schedule: workdays},
  });
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', as: 'lead', timezone: 'Europe/Berlin'});
}, 60_000);

afterAll(() => stage.close());

it('looks', async () => {
  const {workspace} = stage;
  const people: Record<string, Person> = {ada};
  for (const [name, timezone] of [
    ['Grace Hopper', 'America/New_York'],
    ['Alan Turing', 'Europe/London'],
    ['Katherine Johnson', 'America/Los_Angeles'],
    ['Edsger Dijkstra', 'Europe/Amsterdam'],
    ['Barbara Liskov', 'Asia/Tokyo'],
    ['Donald Knuth', 'Europe/Berlin'],
    ['Margaret Hamilton', 'Europe/Berlin'],
  ] as const) {
    people[name] = await stage.addPerson({name, timezone, team: 'platform'});
  }
  await make(workspace, '/v1/absences', {member: people['Donald Knuth']?.id, from: '2027-04-06', until: '2027-04-12', reason: 'Vacation'});
  await make(workspace, '/v1/absences', {member: people['Margaret Hamilton']?.id, kind: 'skip', from: '2027-04-06'});
  await make(workspace, '/v1/teams/platform/runs', {closes_at: '2027-04-06T09:00:00Z'});
  const questions = await workspace.request('GET', '/v1/teams/platform');
  void questions;
  for (const [name, update] of [
    ['Grace Hopper', 'Yesterday: the compiler.\nToday: its nanoseconds, see https://example.com/wire/30cm.'],
    ['Alan Turing', 'Halting, perhaps.'],
  ] as const) {
    await workspace.request('POST', '/v1/standups', {token: people[name]?.token ?? '', body: {team: 'platform', update}});
  }
  await workspace.request('POST', '/v1/blockers', {token: people['Alan Turing']?.token ?? '', body: {team: 'platform', text: 'CI is red since the new image.'}});
  const visit = await stage.signIn(ada);
  await visit.page.getByText('CI is red').waitFor();
  await look(visit, 'today-full', {full: true});
  await expectInnocent(visit);
}, 60_000);
