import type {Page} from 'playwright-core';
import {suffixOf} from '../../../src/domain/core/ids.js';
import type {Person} from '../../api/people.js';
import {make} from '../../api/samples.js';
import type {Json} from '../../support/service.js';
import {openDashboard, type BrowserStage, type Tab} from './stage.js';

// A Tuesday morning of the team `platform`, for both test files about its board.
export let stage: BrowserStage;
/** The lead of the team. */
export let ada: Person;
export let tab: Tab;
export let page: Page;
const people = new Map<string, Person>();

/** A Tuesday; 10:26 in Berlin. */
const morning = '2027-04-06T08:26:00Z';
export const today = '2027-04-06';
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

export const of = (name: string): Person => {
  const found = people.get(name);
  if (found === undefined) throw new Error(`No one is called ${name}.`);
  return found;
};

export const post = (author: Person, body: Json): Promise<Json> =>
  make(stage.workspace, '/v1/standups', {team: 'platform', author: author.id, ...body});

export const advance = async (team: string): Promise<void> => {
  const {id} = (await stage.workspace.request('GET', `/v1/teams/${team}`)).body;
  await stage.service.core.services.runs.advanceRuns(stage.workspace.operator(), suffixOf(id));
};

export const card = (name: string) => page.getByRole('article', {name: `Standup by ${name}`});
export const line = (name: string) =>
  page.locator('li', {hasText: name}).filter({hasNot: page.getByRole('article')});
export const dismiss = () => page.getByRole('button', {name: 'Dismiss'}).last().click();

export async function openBoard(): Promise<void> {
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
  ada = await stage.addPerson({
    name: 'Ada Lovelace',
    team: 'platform',
    as: 'lead',
    timezone: 'Europe/Berlin',
  });
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
  await workspace.request('PATCH', '/v1/teams/platform', {body: {absence_reasons: 'team'}});
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
      {
        question: 'next',
        value: 'Shorter wires.\nThen the manual, all of it, before anybody asks for it again.',
      },
      {question: 'mood', value: 4},
      {question: 'stuck', value: 'CI is red since the new image.'},
    ],
  });
  tab = await stage.signIn(ada, {path: '/t/platform'});
  page = tab.page;
}
