import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import {drawnPart} from '../../src/domain/ids.js';
import type {Person} from '../api/people.js';
import {make} from '../api/samples.js';
import type {Json} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type Stage, untilRequest, type Visit} from './support/stage.js';

let stage: Stage;
/** Leads the team. */
let ada: Person;
let visit: Visit;
let page: Page;
const people = new Map<string, Person>();

/** A Tuesday; 10:26 in Berlin. */
const morning = '2027-04-06T08:26:00Z';
const today = '2027-04-06';
const workdays = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:00',
  closes: '11:00',
  starts_on: '2027-01-04',
};

const others: readonly [string, string][] = [
  ['Grace Hopper', 'America/New_York'],
  ['Alan Turing', 'Europe/London'],
  ['Katherine Johnson', 'America/Los_Angeles'],
  ['Edsger Dijkstra', 'Europe/Amsterdam'],
  ['Barbara Liskov', 'Asia/Tokyo'],
  ['Donald Knuth', 'Europe/Berlin'],
  ['Margaret Hamilton', 'Europe/Berlin'],
];

const of = (name: string): Person => {
  const found = people.get(name);
  if (found === undefined) throw new Error(`Nobody is called ${name}.`);
  return found;
};

const post = (who: Person, body: Json): Promise<Json> =>
  make(stage.workspace, '/v1/standups', {team: 'platform', author: who.id, ...body});

const advance = async (team: string): Promise<void> => {
  const {id} = (await stage.workspace.request('GET', `/v1/teams/${team}`)).body;
  await stage.service.core.services.runs.advanceRuns(stage.workspace.operator(), drawnPart(id));
};

const card = (name: string) => page.getByRole('article', {name: `Standup by ${name}`});
const line = (name: string) => page.locator('li', {hasText: name}).filter({hasNot: page.getByRole('article')});
const dismiss = () => page.getByRole('button', {name: 'Dismiss'}).last().click();

beforeAll(async () => {
  stage = await openDashboard({ROLES: 'web'}, {at: '2027-04-02T09:00:00Z', name: 'Analytical Engines'});
  const {workspace} = stage;
  const questions = [
    {key: 'done', label: 'What did you do?', required: true, type: 'text'},
    {key: 'next', label: 'What is next?', required: false, type: 'text'},
    {key: 'mood', label: 'How is it going?', required: false, type: 'mood'},
    {key: 'stuck', label: 'What is in your way?', required: false, type: 'text', raises_blocker: true},
  ];
  await make(workspace, '/v1/teams', {slug: 'mobile', name: 'Mobile', timezone: 'Europe/Berlin'});
  await make(workspace, '/v1/teams', {slug: 'empty', name: 'Nobody yet'});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', as: 'lead', timezone: 'Europe/Berlin'});
  await workspace.request('PUT', `/v1/teams/mobile/members/${ada.id}`, {body: {role: 'lead'}});
  for (const [name, timezone] of others) {
    people.set(name, await stage.addPerson({name, timezone, team: 'platform'}));
  }
  const ics = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', `DTSTART;VALUE=DATE:${today.replaceAll('-', '')}`]
    .concat(['SUMMARY:Showa Day', 'END:VEVENT', 'END:VCALENDAR'])
    .join('\r\n');
  const calendar = await make(workspace, '/v1/holiday-calendars', {name: 'Japan', ics});
  await workspace.request('PATCH', `/v1/members/${of('Barbara Liskov').id}`, {
    body: {holidays: {calendar: calendar.id}},
  });
  await make(workspace, '/v1/absences', {
    member: of('Donald Knuth').id,
    from: today,
    until: '2027-04-12',
    reason: 'Vacation',
  });
  await make(workspace, '/v1/absences', {member: of('Margaret Hamilton').id, kind: 'skip', from: today});
  await make(workspace, '/v1/blockers', {
    team: 'platform',
    author: of('Alan Turing').id,
    text: 'The access to the staging database has expired, and nobody knows who gives it.',
  });
  await stage.moveTo('2027-04-05T18:00:00Z');
  await workspace.request('PATCH', '/v1/teams/platform', {
    body: {timezone: 'Europe/Berlin', schedule: workdays, questions},
  });
  await stage.moveTo(morning);
  await advance('platform');
  await post(of('Grace Hopper'), {
    answers: [
      {question: 'done', value: 'The compiler finds the nanoseconds: https://example.com/wires/30cm'},
      {question: 'next', value: 'Shorter wires.\nThen the manual, all of it, before anybody asks for it again.'},
      {question: 'mood', value: 4},
      {question: 'stuck', value: 'CI is red since the new image.'},
    ],
  });
  visit = await stage.signIn(ada, {path: '/t/platform'});
  page = visit.page;
}, 60_000);

afterAll(() => stage.close());

describe('the board of a team', () => {
  it('costs six requests, and nothing on it moves while it comes in', async () => {
    await card('Grace Hopper').waitFor();
    await page.getByText('nobody knows who').waitFor();
    await untilRequest(visit, ({operation}) => operation === 'streamChanges');
    const asked = visit.requests.filter(({operation, path}) => operation !== 'asset' && !path.startsWith('/docs/'));
    expect(asked.map(({operation, path}) => `${operation} ${path}`).toSorted()).toEqual([
      'door /app/session/token',
      'getMe /v1/me',
      'getTeam /v1/teams/platform',
      'getTeamDay /v1/teams/platform/days/today',
      'listBlockers /v1/blockers?team=platform&state=open&limit=100',
      'streamChanges /v1/changes/stream',
    ]);
  });

  it('shows who is in, who is not and why, by their clocks, in the zones of all', async () => {
    await page.getByText('1 of 5 is in').waitFor();
    await look(visit, 'today-board', {full: true});
  });
});
