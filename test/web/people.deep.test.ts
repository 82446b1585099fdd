import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import {readFile} from 'node:fs/promises';
import type {Locator} from 'playwright-core';
import {expectEventually} from '../support/expect-eventually.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {
  ada,
  ask,
  goOn,
  grace,
  heading,
  open,
  openPeople,
  page,
  stage,
  tab,
  dashboard,
} from './support/person-page.js';
import {signInAt, untilQuiet} from './support/stage.js';

beforeAll(openPeople);
afterEach(() => dashboard.close());
afterAll(() => stage.close());

it('a member changes their name, time zone and reminders, sees a refusal at its field, and downloads their data', async () => {
  await open('/people/me');
  await heading('Ada Lovelace (you)').waitFor();
  await tab('Settings').click();
  await page.getByRole('textbox', {name: 'Name'}).fill('Ada King');
  await page.getByRole('combobox', {name: 'Time zone'}).fill('Berlin');
  await page.getByRole('option', {name: 'Europe/Berlin'}).click();
  await page.getByLabel('Quiet from').fill('18:00');
  await page.reload();
  await page.getByRole('textbox', {name: 'Name'}).waitFor();
  await expectEventually(() => page.getByRole('textbox', {name: 'Name'}).inputValue()).toBe('Ada King');
  await page.getByRole('textbox', {name: 'Name'}).fill('');
  await page.getByRole('button', {name: 'Save'}).click();
  await page.getByRole('alert').waitFor();
  const errorOf = async (field: Locator): Promise<string> => {
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
  expect(await errorOf(page.getByRole('textbox', {name: 'Name'}))).toContain('Must not be empty');
  expect(await errorOf(page.getByLabel('Quiet until'))).toContain('both');
  await look(dashboard, 'people-settings');
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
  await expectEventually(() => page.getByRole('button', {name: 'Discard changes'}).count()).toBe(0);
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
  await expectInnocent(dashboard, {refusals: [422]});
});

it('a session that may not read members shows what standups and teams contain, and says what it may not read', async () => {
  const scopes = ['standups:read', 'teams:read', 'tokens:manage'] as const;
  const narrow = await stage.addPerson({name: 'Alan Turing', team: 'platform', scopes});
  const link = await ask(narrow, 'POST', '/v1/sign-in-links');
  goOn(await stage.open({path: '/sign-in'}));
  await signInAt(stage.service.url, dashboard.context, link.body.url);
  await dashboard.go(`/people/${grace.id}`);
  await heading(grace.name).waitFor();
  await page.getByText('04:30 local time').waitFor();
  await tab('Absences').click();
  await heading('You can’t see absences').waitFor();
  await dashboard.go('/people/me?tab=settings');
  await heading('Alan Turing (you)').waitFor();
  await page.getByText('This session can’t change your settings.').waitFor();
  await dashboard.go('/history');
  await page.getByRole('button', {name: 'Filters'}).click();
  await page.getByText('This session can’t list people.').waitFor();
  // A tab looks for a reminder ten seconds after it was opened.
  await page.clock.install();
  await dashboard.go('/people/me?tab=settings');
  await until(async () => {
    // The installed clock stands still, and the page waits with it.
    await page.clock.runFor(1_000);
    return (await heading('Alan Turing (you)').count()) === 1;
  });
  await page.clock.runFor(15_000);
  await untilQuiet(dashboard);
  // Before signing in there is no session.
  await expectInnocent(dashboard, {refusals: [401]});
});

it('the page of an unknown id says so, and the page of a removed member shows what they wrote', async () => {
  const gone = await stage.addPerson({name: 'Gone Girl', team: 'platform'});
  await ask(gone, 'POST', '/v1/standups', {team: 'platform', update: 'I was here.'});
  await stage.workspace.request('DELETE', `/v1/members/${gone.id}`);
  await open(`/people/${gone.id}`);
  await page.getByText('They left the workspace.').waitFor();
  await page.getByText('I was here.').waitFor();
  await dashboard.go('/people/mem_01nobody');
  await heading('Person not found').waitFor();
  await expectInnocent(dashboard, {refusals: [404, 400]});
});

it('the sections of a person’s page can be reached by keyboard alone and right to left, and going back returns', async () => {
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
  await look(dashboard, 'people-long');
  await expectInnocent(dashboard);
});
