import {afterAll, afterEach, beforeAll, it} from '@jest/globals';
import {deep} from '../support/deep.js';
import {expectEventually} from '../support/expect-eventually.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {ada, grace, heading, open, openPeople, page, stage, tab, dashboard} from './support/person-page.js';

beforeAll(openPeople);
afterEach(() => dashboard.close());
afterAll(() => stage.close());

it('a person’s page shows their clock, teams, status today, standups and absences', async () => {
  await open(`/people/${grace.id}`);
  await heading(grace.name).waitFor();
  await page.getByText('04:30 local time (New York, GMT-5)').waitFor();
  await page.getByRole('list', {name: 'Teams'}).getByText('Today: away until 30 Nov: At sea').waitFor();
  await page.getByRole('list', {name: 'Teams'}).getByText('Lead').waitFor();
  await page.getByRole('article').nth(2).waitFor();
  await expectEventually(() => page.getByRole('article').allInnerTexts()).toHaveLength(3);
  await look(dashboard, 'people-away');

  await tab('Absences').click();
  await expectEventually(() =>
    page.getByRole('region', {name: 'Current and upcoming'}).getByRole('listitem').innerText(),
  ).toContain('At sea');
  await expectEventually(() =>
    page.getByRole('region', {name: 'Past'}).getByRole('listitem').innerText(),
  ).toContain('Autumn leaves');
  await tab('Blockers').click();
  await page.getByRole('region', {name: 'Open'}).getByText('No compiler will run it.').waitFor();
  await page.getByRole('region', {name: 'Resolved'}).getByText('A moth is in relay 70.').waitFor();
  await page.getByText('resolved by Ada Lovelace').waitFor();
  await tab('Participation').click();
  await page.getByText('3 of 4 expected standups posted (75%). Days off are not counted.').waitFor();
  if (deep) await look(dashboard, 'people-participation');
  await expectEventually(() => page.locator('main').getByText(ada.name).count()).toBe(0);
  await page.getByRole('link', {name: 'Standups'}).click();
  await page.getByRole('link', {name: 'Search these standups in History'}).click();
  await page.waitForURL(new RegExp(`/history[?]author=${grace.id}$`));
  await expectInnocent(dashboard);
});
