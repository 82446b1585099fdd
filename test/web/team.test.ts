import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import type {Json} from '../support/service.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let tab: Tab;

const schedule = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:00',
  closes: '11:00',
  reminders: [30],
};
const questions = [
  {key: 'done', label: 'What did you do?', type: 'text'},
  {key: 'next', label: 'What is next?', type: 'text', required: true},
  {key: 'mood', label: 'How are you?', type: 'mood'},
];

/** A Tuesday, before clocks go back in Berlin (27 October) and in New York (3 November). */
beforeAll(async () => {
  stage = await openDashboard({}, {at: '2030-10-22T06:30:00Z'});
  [ada] = await Promise.all([
    stage.addPerson({name: 'Ada Lovelace', team: 'platform', as: 'lead', timezone: 'Europe/Berlin'}),
    stage.addPerson({name: 'Grace Hopper', team: 'platform', timezone: 'America/New_York'}),
    stage.addPerson({name: 'Alan Turing', team: 'platform', timezone: 'Europe/London'}),
    stage.addPerson({name: 'Katherine Johnson', timezone: 'Asia/Tokyo'}),
  ]);
  await change({name: 'Platform', timezone: 'Europe/Berlin', schedule, questions});
  tab = await stage.signIn(ada, {path: '/t/platform/settings'});
});

afterAll(() => stage.close());

async function change(body: Json): Promise<Json> {
  const answer = await stage.workspace.request('PATCH', '/v1/teams/platform', {body});
  expect(answer.status).toBe(200);
  return answer.body;
}
const team = async () => (await stage.workspace.request('GET', '/v1/teams/platform')).body;
const section = (name: string) => tab.page.getByRole('region', {name, exact: true});

describe('the settings of a team', () => {
  test('show its people, each with their clock, and whether the time suits them', async () => {
    const people = section('People');
    await people.getByText(/^0?2:30 now in New York/).waitFor();
    const of = (name: string) => people.getByRole('listitem').filter({hasText: name});
    await of('Grace Hopper').getByText('Standup 03:00 to 05:00 their time').waitFor();
    await of('Grace Hopper').getByText('outside 07:00 to 20:00').waitFor();
    await expectEventually(() => of('Ada Lovelace').innerText()).not.toContain('outside');
    await look(tab, 'team-settings', {full: true});
  });

  test('preview an edited schedule, show errors at their field, retain the draft over a reload, and save it', async () => {
    const {page} = tab;
    const schedule = section('Schedule');
    await schedule.getByText('Sunday 27 Oct: clocks go back an hour in Berlin and London.').waitFor();
    await schedule
      .getByText('From then on, standups open at 04:00 instead of 03:00 in New York (Grace Hopper).')
      .waitFor();
    await schedule.getByLabel('Opens', {exact: true}).fill('13:00');
    await schedule.getByLabel('Closes', {exact: true}).fill('15:30');
    await schedule.getByText('Preview. Not saved yet.').waitFor();
    await schedule.getByText('07:00 to 09:30').first().waitFor();
    await schedule
      .getByText('From then on, standups open at 08:00 instead of 07:00 in New York (Grace Hopper).')
      .waitFor();
    expect((await team()).schedule.opens).toBe('09:00');
    await schedule.getByLabel('Closes', {exact: true}).fill('13:00');
    await schedule.getByText('must differ from `opens`').waitFor();
    await schedule.getByText('Fix the fields above to see the preview.').waitFor();
    await page.reload();
    await schedule.getByText('must differ from `opens`').waitFor();
    await expectEventually(() => schedule.getByLabel('Opens', {exact: true}).inputValue()).toBe('13:00');
    await schedule.getByLabel('Closes', {exact: true}).fill('15:30');
    await schedule.getByText('07:00 to 09:30').first().waitFor();
    await schedule.getByRole('button', {name: 'Save'}).click();
    await page.getByText('Saved.', {exact: true}).waitFor();
    expect((await team()).schedule).toMatchObject({opens: '13:00', closes: '15:30', reminders: [30]});
    await expectInnocent(tab, {refusals: [422]});
  });

  test('say who can read the team after a change of its visibility, and a lock marks a private team wherever teams are listed', async () => {
    const {page} = tab;
    const visibility = section('Visibility');
    await visibility.getByText('Only its people, owners and admins').click();
    await visibility.getByText('1 person in the workspace loses access and can’t find it.').waitFor();
    await visibility.getByText('3 people of the team keep reading it').waitFor();
    await visibility.getByText('Events that were already sent stay with their receivers.').waitFor();
    await look(tab, 'team-visibility', {full: true});
    await visibility.getByRole('button', {name: 'Save'}).click();
    await expectEventually(async () => (await team()).visibility).toBe('private');
    await visibility.getByText('Everyone in the workspace').click();
    await visibility.getByText('No standup becomes readable by 1 other person.').waitFor();
    await visibility.getByRole('button', {name: 'Discard changes'}).click();
    await page.goto(new URL('/app/t/platform', page.url()).href);
    const isMarked = {name: 'Platform Private', exact: true};
    await page.getByRole('navigation', {name: 'Teams'}).getByRole('link', isMarked).waitFor();
    await page.getByRole('button', {name: 'Platform'}).first().click();
    await page.getByRole('list', {name: 'Your teams'}).getByRole('link', isMarked).waitFor();
    await page.goto(new URL('/app/insights', page.url()).href);
    await page.getByRole('rowheader', isMarked).waitFor();
    await look(tab, 'private-mark');
  });
});
