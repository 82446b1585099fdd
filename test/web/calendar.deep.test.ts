import {afterAll, beforeAll, expect, test} from '@jest/globals';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import {sendRequest} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let grace: Person;
let lead: Person;
let admin: Person;
let tab: Tab;

/** A calendar file as companies publish it. */
const file = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//example//holidays//EN',
  ...[
    ['20301105', 'Founders’ day'],
    ['20301224', 'Christmas Eve'],
  ].flatMap(([date, name]) => [
    'BEGIN:VEVENT',
    `UID:${date}@example.com`,
    'DTSTAMP:20300101T000000Z',
    `DTSTART;VALUE=DATE:${date}`,
    `SUMMARY:${name}`,
    'END:VEVENT',
  ]),
  'END:VCALENDAR',
  '',
].join('\r\n');

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

async function absencesOf(person: Person): Promise<{from: string; until: string; reason: string}[]> {
  const {body} = await ask(person, 'GET', `/v1/absences?member=${person.id}`);
  return body.data;
}

test('a calendar without absences fits the screen, and so does a form that shows an error', async () => {
  const {page} = tab;
  await page.getByText('No one is away this week.').waitFor();
  await page.getByRole('region', {name: /^Who/}).getByText('Grace Hopper').waitFor();
  await look(tab, 'calendar-empty');
  await Promise.all([
    enter(grace, {from: '2030-11-18', until: '2030-11-22', reason: 'Lisbon'}),
    enter(grace, {kind: 'skip', from: '2030-11-21', reason: 'Dentist'}),
    enter(lead, {from: '2030-10-28', until: '2030-11-06', reason: 'Parental leave'}),
    enter(admin, {from: '2030-11-27', until: null}),
    enter(ada, {from: '2030-11-25', until: '2030-11-25', reason: 'Moving house'}),
  ]);
  await page.getByRole('button', {name: /Mary Jackson: Away, from 27 Nov/}).waitFor();
  await page.getByRole('button', {name: 'Add absence'}).click();
  const sheet = page.getByRole('dialog', {name: 'Add absence'});
  await sheet.getByRole('spinbutton').first().focus();
  await page.keyboard.type('2511203031122031');
  await sheet.getByRole('textbox', {name: /Reason/}).focus();
  await page.keyboard.type('Skiing');
  await page.keyboard.press('Enter');
  await sheet.getByText(/That is 40\d days/).waitFor();
  await look(tab, 'calendar-form-error');
  await page.keyboard.press('Escape');
  await sheet.waitFor({state: 'detached'});
});

test('dragging over days of the viewer’s own row enters an absence for them, while other rows are read-only', async () => {
  const {page} = tab;
  const track = page.locator('[data-me] > div').nth(1);
  const {x = 0, y = 0, width = 0, height = 0} = (await track.boundingBox()) ?? {};
  const at = (day: number) => x + (width / 30) * (day - 0.5);
  await page.mouse.move(at(11), y + height / 2);
  await page.mouse.down();
  await page.mouse.move(at(13), y + height / 2, {steps: 3});
  await page.mouse.up();
  const sheet = page.getByRole('dialog', {name: 'Add absence'});
  await sheet.getByRole('textbox', {name: /Reason/}).fill('Course');
  await sheet.getByRole('button', {name: 'Add', exact: true}).click();
  await page.getByRole('button', {name: /Ada Lovelace: Away, 11.{1,3}13 Nov, Course/}).waitFor();
  await page.getByRole('button', {name: /Grace Hopper: Away/}).click();
  const read = page.getByRole('dialog', {name: 'Absence'});
  await read.getByText('Lisbon').waitFor();
  await expectEventually(() => read.getByRole('button').count()).toBe(1);
  await page.keyboard.press('Escape');
  await read.waitFor({state: 'detached'});
});

test('an absence is changed in its latest version, a newer change is shown without losing typed text, and deleting can be undone', async () => {
  const {page} = tab;
  const [entered] = (await absencesOf(ada)).filter(({reason}) => reason === 'Course');
  await page.getByRole('button', {name: /11.{1,3}13 Nov, Course/}).click();
  const sheet = page.getByRole('dialog', {name: 'Edit absence'});
  await sheet.getByRole('textbox', {name: /Reason/}).fill('Course in Bath');
  const {id} = entered as unknown as {id: string};
  await ask(admin, 'PATCH', `/v1/absences/${id}`, {until: '2030-11-14'});
  await sheet.getByText(/It is now: Away, 11.{1,3}14 Nov, Course/).waitFor();
  await sheet.getByRole('button', {name: 'Save'}).click();
  await until(() => tab.misdeeds.errors.some((text) => text.includes('412')), {what: 'it is refused'});
  await expectEventually(() => sheet.getByRole('textbox', {name: /Reason/}).inputValue()).toBe(
    'Course in Bath',
  );
  await sheet.getByRole('button', {name: 'Keep mine'}).click();
  await sheet.getByRole('button', {name: 'Save'}).click();
  const course = page.getByRole('button', {name: /11.{1,3}13 Nov, Course in Bath/});
  await course.click();
  await page.getByRole('button', {name: 'Delete'}).click();
  await course.waitFor({state: 'detached'});
  await page.getByRole('button', {name: 'Undo'}).click();
  await course.waitFor();
});

test('public holidays of a chosen country and region are shown in the month, and the address stores month, person and view', async () => {
  const {page} = tab;
  // A window high enough for the whole page, since a list closes when the page scrolls.
  await page.setViewportSize({width: 1280, height: 1600});
  await page.getByRole('button', {name: 'Choose country and region'}).click();
  await page.getByRole('combobox', {name: /Public holidays of/}).fill('Germ');
  await page.getByRole('option', {name: 'Germany'}).click();
  await page.getByRole('listbox').waitFor({state: 'detached'});
  await page.getByRole('combobox', {name: /Region/}).fill('Bayern');
  await page.getByRole('option', {name: 'Bayern', exact: true}).click();
  await look(tab, 'calendar-region');
  await page.getByRole('button', {name: 'Save', exact: true}).click();
  // All Saints’ Day is not a holiday everywhere in Germany.
  await page.getByRole('img', {name: /^Ada Lovelace: Holiday, 1 Nov, All Saints/}).waitFor();
  await page.getByText('public holidays of Germany (BY)').waitFor();
  await ask(ada, 'PATCH', `/v1/members/${ada.id}`, {holidays: {country: null, region: null}});
  await page.getByRole('img', {name: /All Saints/}).waitFor({state: 'detached'});
  await page.setViewportSize({width: 1280, height: 900});

  await page.getByRole('button', {name: 'Next month'}).click();
  await page.getByRole('heading', {name: 'December 2030'}).waitFor();
  await page.waitForURL(/month=2030-12/);
  await page.getByRole('button', {name: 'Today', exact: true}).click();
  await page.getByRole('combobox', {name: 'Person'}).selectOption({label: 'Grace Hopper'});
  await page.getByRole('link', {name: 'List'}).click();
  await page.waitForURL(new RegExp(`person=${grace.id}&view=list`));
  await page.getByRole('button', {name: /Grace Hopper Away, 18.{1,3}22 Nov/}).waitFor();
  await expectEventually(() => page.getByRole('button', {name: /Ada Lovelace .*Nov/}).count()).toBe(0);
  await look(tab, 'calendar-list');
  await expectInnocent(tab, {refusals: [412]});
  await tab.close();
});

test('an owner adds a holiday calendar from a file, views it, and deletes it by typing its name', async () => {
  const running = await stage.signIn(admin, {path: '/calendar'});
  const {page} = running;
  await page.getByRole('button', {name: 'Add calendar'}).click();
  const sheet = page.getByRole('dialog', {name: 'Add calendar'});
  const field = sheet.getByLabel('Calendar file');
  await field.setInputFiles({
    name: 'broken.ics',
    mimeType: 'text/calendar',
    buffer: Buffer.from('BEGIN:VC'),
  });
  await sheet.getByRole('button', {name: 'Add', exact: true}).click();
  await sheet.getByRole('alert').waitFor();
  await look(running, 'calendar-file-refused');
  await field.setInputFiles({name: 'company.ics', mimeType: 'text/calendar', buffer: Buffer.from(file)});
  await sheet.getByRole('textbox', {name: 'Name'}).fill('Company days');
  await sheet.getByRole('button', {name: 'Add', exact: true}).click();
  const section = page.getByRole('region', {name: 'Holiday calendars'});
  const own = section.getByRole('listitem').filter({hasText: 'Company days'});
  await own.getByRole('button', {name: 'Use for me'}).click();
  await own.getByText('Yours').waitFor();
  await page.getByRole('img', {name: 'Mary Jackson: Holiday, 5 Nov, Founders’ day'}).waitFor();
  await own.getByText('Show days').click();
  await own.getByText('Christmas Eve').waitFor();
  await look(running, 'calendar-full', {full: true});
  await own.getByRole('button', {name: 'Delete'}).click();
  const confirm = page.getByRole('alertdialog');
  await expectEventually(() => confirm.getByRole('button', {name: 'Delete'}).isDisabled()).toBe(true);
  await confirm.getByRole('textbox').fill('Company days');
  await confirm.getByRole('button', {name: 'Delete'}).click();
  await own.waitFor({state: 'detached'});
  await expectInnocent(running, {refusals: [422, 400]});
  await running.close();
});

test('regression: choosing one holiday calendar right after another saves the second', async () => {
  const {body: list} = await ask(admin, 'GET', '/v1/holiday-calendars');
  expect(list.data).toEqual([]);
  for (const name of ['One', 'Other']) {
    const {status} = await ask(admin, 'POST', '/v1/holiday-calendars', {
      name: `${name} calendar`,
      ics: file,
    });
    expect(status).toBe(201);
  }
  const choosing = await stage.signIn(grace, {path: '/calendar'});
  const {page} = choosing;
  const section = page.getByRole('region', {name: 'Holiday calendars'});
  const row = (name: string) => section.getByRole('listitem').filter({hasText: `${name} calendar`});
  const statuses: number[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/v1/members/${grace.id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const response = await route.fetch();
    statuses.push(response.status());
    if (statuses.length === 1) await held;
    return route.fulfill({response});
  });
  await row('One').getByRole('button', {name: 'Use for me'}).click();
  await until(() => statuses.length === 1, {what: 'the first is chosen, and not answered'});
  await row('Other').getByRole('button', {name: 'Use for me'}).click();
  release();
  await row('Other').getByText('Yours').waitFor();
  await row('One').getByRole('button', {name: 'Use for me'}).waitFor();
  expect(statuses).toEqual([200, 200]);
  await expectInnocent(choosing);
  await choosing.close();
});

test('many people, long right-to-left words and German texts fit into the calendar', async () => {
  const {services} = stage.service.core;
  await services.teams.createTeam(stage.workspace.operator(), {slug: 'many', name: 'Many'});
  const first = await stage.addPerson({
    name: 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh of Llanfairpwllgwyngyll',
    team: 'many',
  });
  for (let i = 0; i < 24; i += 1) {
    const {id = ''} = await services.members.createMember(stage.workspace.operator(), {
      name: `Person ${i + 1}`,
      role: 'member',
    });
    await services.teamMembers.setTeamMember(stage.workspace.operator(), 'many', id, 'member');
    if (i % 3 === 0) {
      const from = `2030-11-${String(1 + (i % 28)).padStart(2, '0')}`;
      const absence = {member: id, from, reason: 'Wandern'.repeat(1 + (i % 4))};
      await services.absences.enterAbsence(stage.workspace.operator(), absence);
    }
  }
  await enter(first, {
    from: '2030-11-03',
    until: '2030-11-24',
    reason: 'Donaudampfschifffahrt '.repeat(6),
  });
  const turned = await stage.signIn(first, {path: '/calendar', language: 'x-long'});
  await turned.page.locator('[data-me] button').waitFor();
  await look(turned, 'calendar-many-rtl');
  await turned.close();
  const german = await stage.signIn(ada, {path: '/calendar', locale: 'de-DE', language: 'de'});
  await german.page.getByRole('button', {name: /Course in Bath/}).waitFor();
  await look(german, 'calendar-german', {full: true});
  await expectInnocent(german);
  await german.close();
});
