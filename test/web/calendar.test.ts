import {afterAll, beforeAll, expect, test} from '@jest/globals';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import {sendRequest} from '../support/service.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let grace: Person;
let lead: Person;
let admin: Person;
let tab: Tab;

beforeAll(async () => {
  stage = await openDashboard({}, {at: '2030-11-20T08:00:00Z'});
  const others = {team: 'platform'} as const;
  [ada, grace, lead, admin] = await Promise.all([
    stage.addPerson({...others, name: 'Ada Lovelace', timezone: 'Europe/Berlin'}),
    stage.addPerson({...others, name: 'Grace Hopper'}),
    stage.addPerson({...others, name: 'Katherine Johnson', as: 'lead'}),
    stage.addPerson({...others, name: 'Mary Jackson', role: 'admin'}),
  ]);
  await ask(lead, 'PATCH', '/v1/teams/platform', {absence_reasons: 'team'});
  tab = await stage.signIn(ada, {path: '/calendar'});
});

afterAll(async () => {
  await stage.close();
});

const ask = (person: Person, method: string, path: string, body?: unknown) =>
  sendRequest(stage.service.url, method, path, {body, token: person.token});

async function enter(person: Person, given: object): Promise<string> {
  const {status, body} = await ask(person, 'POST', '/v1/absences', given);
  expect(status).toBe(201);
  return body.id;
}

test('an empty calendar says that there are no absences, and each entered absence is shown as a bar over its days', async () => {
  const {page} = tab;
  await page.getByText('No one is away this week.').waitFor();
  await page.getByRole('region', {name: 'Who is away in November 2030'}).waitFor();
  await page.getByRole('region', {name: /^Who/}).getByText('Grace Hopper').waitFor();
  await Promise.all([
    enter(grace, {from: '2030-11-18', until: '2030-11-22', reason: 'Lisbon'}),
    enter(grace, {kind: 'skip', from: '2030-11-21', reason: 'Dentist'}),
    enter(lead, {from: '2030-10-28', until: '2030-11-06', reason: 'Parental leave'}),
    enter(admin, {from: '2030-11-27', until: null}),
    enter(ada, {from: '2030-11-25', until: '2030-11-25', reason: 'Moving house'}),
  ]);
  await page.getByRole('button', {name: /Grace Hopper: Away, 18.{1,3}22 Nov, Lisbon/}).waitFor();
  await page.getByRole('button', {name: 'Grace Hopper: Skipping, 21 Nov, Dentist'}).waitFor();
  await page.getByRole('button', {name: /Mary Jackson: Away, from 27 Nov/}).waitFor();
  const week = page.getByRole('region', {name: 'Away this week'});
  await expectEventually(() => week.getByRole('listitem').count()).toBe(1);
  await expectEventually(() => week.innerText()).toContain('Grace Hopper');
});

test('a member adds time away by keyboard alone, and is warned of overlaps and long spans before saving', async () => {
  const {page} = tab;
  await page.getByRole('button', {name: 'Add absence'}).focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', {name: 'Add absence'});
  await sheet.waitFor();
  await sheet.getByRole('spinbutton').first().focus();
  await page.keyboard.type('25112030');
  await sheet.getByRole('status').getByText('Moving house').waitFor();
  await page.keyboard.type('31122031');
  await sheet.getByRole('textbox', {name: /Reason/}).focus();
  await page.keyboard.type('Skiing');
  await page.keyboard.press('Enter');
  await sheet.getByText(/That is 40\d days/).waitFor();
  await sheet.getByRole('spinbutton').nth(3).focus();
  await page.keyboard.type('28112030');
  await sheet.getByRole('button', {name: 'Add', exact: true}).focus();
  await page.keyboard.press('Enter');
  await sheet.waitFor({state: 'detached'});
  // regression: the page's CSP did not let the member type a date.
  expect(tab.misdeeds.violations).toEqual([]);
  await page.getByRole('button', {name: /Ada Lovelace: Away, 25.{1,3}28 Nov, Skiing/}).waitFor();
  await look(tab, 'calendar', {full: true});
  await expectInnocent(tab);
});
