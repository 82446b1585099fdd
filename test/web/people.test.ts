import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import {readFile} from 'node:fs/promises';
import type {Locator, Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {deep} from '../support/deep.js';
import {expectSoon} from '../support/expect-soon.js';
import {closeRun, seedRun} from '../support/seed-runs.js';
import {sendRequest} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, signInAt, type Stage, type Visit} from './support/stage.js';

let stage: Stage;
let ada: Person;
let grace: Person;
let visit: Visit;
let page: Page;

const ask = (person: Person, method: string, path: string, body?: unknown) =>
  sendRequest(stage.service.url, method, path, {token: person.token, body});

beforeAll(async () => {
  stage = await openDashboard({}, {at: '2035-11-23T09:30:00Z'});
  const {service, workspace} = stage;
  const name = 'Grace Brewster Murray Hopper of the United States Navy';
  const others = {team: 'platform'} as const;
  [ada, grace] = await Promise.all([
    stage.addPerson({...others, name: 'Ada Lovelace', role: 'admin', timezone: 'Europe/London'}),
    stage.addPerson({...others, name, as: 'lead', timezone: 'America/New_York'}),
  ]);
  const days = ['2035-11-19', '2035-11-20', '2035-11-21', '2035-11-22'];
  const participants = [ada, grace].map(({id}) => ({member: id, timezone: null}));
  for (const date of days) {
    const run = await seedRun(service, workspace, {date, closes_at: `${date}T10:00:00.000Z`, participants});
    if (date !== '2035-11-20') {
      const update = `Compilers, day ${date}.`;
      const {status} = await ask(grace, 'POST', '/v1/standups', {team: 'platform', update, date});
      expect(status).toBe(201);
    }
    await closeRun(service, workspace, run);
  }
  await ask(grace, 'PATCH', '/v1/teams/platform', {absence_reasons: 'team'});
  for (const absence of [
    {from: '2035-11-23', until: '2035-11-30', reason: 'At sea'},
    {from: '2035-10-01', until: '2035-10-05', reason: 'Autumn leaves'},
  ]) {
    expect((await ask(grace, 'POST', '/v1/absences', {kind: 'away', ...absence})).status).toBe(201);
  }
  const raised = await ask(grace, 'POST', '/v1/blockers', {team: 'platform', text: 'A moth is in relay 70.'});
  await ask(grace, 'POST', '/v1/blockers', {team: 'platform', text: 'No compiler will run it.'});
  const resolved = await ask(ada, 'PATCH', `/v1/blockers/${raised.body.id}`, {state: 'resolved'});
  expect(resolved.text).toContain('"state":"resolved"');
});

afterEach(() => visit.close());

afterAll(() => stage.close());

async function open(path: string, options: Parameters<Stage['signIn']>[1] = {}): Promise<void> {
  visit = await stage.signIn(ada, {path, ...options});
  page = visit.page;
}

const heading = (name: string) => page.getByRole('heading', {name});
const tab = (name: string) =>
  page.getByRole('navigation', {name: 'About this person'}).getByRole('link', {name});
const main = () => page.locator('main');

it('somebody is shown with their clock, teams and today, what they wrote, and when they are away', async () => {
  await open(`/people/${grace.id}`);
  await heading(grace.name).waitFor();
  await page.getByText('04:30 there (New York, GMT-5)').waitFor();
  await page.getByRole('list', {name: 'Teams'}).getByText('Today: away until 30 Nov: At sea').waitFor();
  await page.getByRole('list', {name: 'Teams'}).getByText('Lead').waitFor();
  await page.getByRole('article').nth(2).waitFor();
  await expectSoon(() => page.getByRole('article').allInnerTexts()).toHaveLength(3);
  await look(visit, 'people-away');

  await tab('Absences').click();
  await expectSoon(() =>
    page.getByRole('region', {name: 'Now and to come'}).getByRole('listitem').innerText(),
  ).toContain('At sea');
  await expectSoon(() =>
    page.getByRole('region', {name: 'Over'}).getByRole('listitem').innerText(),
  ).toContain('Autumn leaves');
  await tab('Blockers').click();
  await page.getByRole('region', {name: 'Open'}).getByText('No compiler will run it.').waitFor();
  await page.getByRole('region', {name: 'Resolved'}).getByText('A moth is in relay 70.').waitFor();
  await page.getByText('resolved by Ada Lovelace').waitFor();
  await tab('Participation').click();
  await page.getByText('3 of 4 expected standups written (75%). Days off are not counted.').waitFor();
  if (deep) await look(visit, 'people-participation');
  await expectSoon(() => main().getByText(ada.name).count()).toBe(0);
  await page.getByRole('link', {name: 'Standups'}).click();
  await page.getByRole('link', {name: 'Search and filter these in History'}).click();
  await page.waitForURL(new RegExp(`/history[?]author=${grace.id}$`));
  await expectInnocent(visit);
});

it('one changes one’s own name, zone and reminders; a refusal stands at its field, and nothing typed is lost; all that is kept is downloaded', async () => {
  await open('/people/me');
  await heading('Ada Lovelace (you)').waitFor();
  await tab('Settings').click();
  await page.getByRole('textbox', {name: 'Name'}).fill('Ada King');
  await page.getByRole('combobox', {name: 'Time zone'}).fill('Berlin');
  await page.getByRole('option', {name: 'Europe/Berlin'}).click();
  await page.getByLabel('Quiet from').fill('18:00');
  await page.reload();
  await page.getByRole('textbox', {name: 'Name'}).waitFor();
  await expectSoon(() => page.getByRole('textbox', {name: 'Name'}).inputValue()).toBe('Ada King');
  await page.getByRole('textbox', {name: 'Name'}).fill('');
  await page.getByRole('button', {name: 'Save'}).click();
  await page.getByRole('alert').waitFor();
  const faultOf = async (field: Locator): Promise<string> => {
    const ids = (await field.getAttribute('aria-describedby')) ?? '';
    return page
      .locator(
        ids
          .split(' ')
          .map((id) => `[id="${id}"]`)
          .join(),
      )
      .last()
      .innerText();
  };
  expect(await faultOf(page.getByRole('textbox', {name: 'Name'}))).toContain('Must not be empty');
  expect(await faultOf(page.getByLabel('Quiet until'))).toContain('both');
  if (deep) await look(visit, 'people-settings');
  await page.getByRole('textbox', {name: 'Name'}).fill('Ada King');
  await page.getByLabel('Quiet until').fill('08:00');
  await page.getByRole('button', {name: 'Save'}).click();
  await heading('Ada King (you)').waitFor();
  const {body} = await ask(ada, 'GET', '/v1/members/me');
  expect(body).toMatchObject({
    name: 'Ada King',
    timezone: 'Europe/Berlin',
    reminders: {enabled: true, quiet_from: '18:00', quiet_until: '08:00'},
  });
  await page.reload();
  await page.getByRole('button', {name: 'Save'}).waitFor();
  await expectSoon(() => page.getByRole('button', {name: 'Discard changes'}).count()).toBe(0);
  await page.evaluate('delete globalThis.showSaveFilePicker');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', {name: 'Download my data'}).click();
  const bytes = await readFile(await (await downloading).path(), 'utf8');
  const kinds = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => `${JSON.parse(line).object} ${JSON.parse(line).id}`);
  expect(kinds(bytes)).toEqual(kinds((await ask(ada, 'GET', '/v1/members/me/export')).text));
  await expectInnocent(visit, {refusals: [422]});
});

if (deep) {
  it('a session that may not read members shows what standups and teams tell, and says what it may not', async () => {
    const scopes = ['standups:read', 'teams:read', 'tokens:manage'] as const;
    const narrow = await stage.addPerson({name: 'Alan Turing', team: 'platform', scopes});
    const link = await ask(narrow, 'POST', '/v1/sign-in-links');
    visit = await stage.visit({path: '/sign-in'});
    page = visit.page;
    await signInAt(stage.service.url, visit.context, link.body.url);
    await visit.go(`/people/${grace.id}`);
    await heading(grace.name).waitFor();
    await page.getByText('04:30 there').waitFor();
    await tab('Absences').click();
    await heading('Absences are not visible to you').waitFor();
    await visit.go('/people/me?tab=settings');
    await heading('Alan Turing (you)').waitFor();
    await page.getByText('This session may not change your settings.').waitFor();
    await visit.go('/history');
    await page.getByRole('button', {name: 'Filters'}).click();
    await page.getByText('This session may not list people.').waitFor();
    // Before signing in there is no session.
    await expectInnocent(visit, {refusals: [401]});
  });

  it('an id that nobody has says so; of somebody who was removed the page shows what they wrote', async () => {
    const gone = await stage.addPerson({name: 'Gone Girl', team: 'platform'});
    await ask(gone, 'POST', '/v1/standups', {team: 'platform', update: 'I was here.'});
    await stage.workspace.request('DELETE', `/v1/members/${gone.id}`);
    await open(`/people/${gone.id}`);
    await page.getByText('They are not in the workspace any more.').waitFor();
    await page.getByText('I was here.').waitFor();
    await visit.go('/people/mem_01nobody');
    await heading('There is nobody here').waitFor();
    await expectInnocent(visit, {refusals: [404, 400]});
  });

  it('right to left and by keyboard alone the sections of a page are reached, and the way back returns', async () => {
    await open('/people/me', {language: 'x-long'});
    await page.locator('main nav a').first().waitFor();
    await until(async () => {
      await page.keyboard.press('Tab');
      return page.evaluate('document.activeElement.closest("main nav") !== null');
    });
    for (const path of ['absences', 'blockers', 'participation']) {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`tab=${path}`));
    }
    await page.getByRole('region').first().waitFor();
    await look(visit, 'people-long');
    await expectInnocent(visit);
  });
}
