import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import {history, openInsights} from './insights-stage.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import type {BrowserStage, Tab} from './support/stage.js';

let stage: BrowserStage;
let lead: Person;
let tab: Tab;

beforeAll(async () => {
  ({stage, lead} = await openInsights());
  tab = await stage.signIn(lead, {path: '/t/platform/insights', timezone: 'UTC'});
});

afterAll(() => stage.close());

const cell = (row: number, column: number) => tab.page.locator(`[data-position="${row}/${column}"]`);
const detail = () => tab.page.locator('p', {has: tab.page.getByRole('link', {name: 'Open the run'})});

describe('the page of Insights', () => {
  test('lists each member by name with a column per day and the reason in each mark, for the span in the address', async () => {
    const {page} = tab;
    await page.getByRole('grid').waitFor();
    await expectEventually(() => page.getByRole('rowheader').allInnerTexts()).toEqual(
      history.map(([name]) => (name === lead.name ? `${name}\n(you)` : name)),
    );
    await page
      .getByText(/expected standups posted/)
      .first()
      .waitFor();
    await cell(1, 16).click();
    await expectEventually(() => detail().innerText()).toContain('Fri 8 Jan, Ada Lovelace: Away (At sea)');
    await look(tab, 'insights');
    const current = page.getByRole('navigation', {name: 'Time span'}).locator('[aria-current]');
    expect(await current.allInnerTexts()).toEqual(['Last 4 weeks']);
    await page.getByRole('link', {name: 'This month'}).click();
    await page.getByText(/in 8 runs/).waitFor();
    expect(page.url()).toMatch(/insights\?span=month$/);
    await page.getByRole('link', {name: 'Custom dates'}).click();
    await page.getByRole('group', {name: 'Dates'}).waitFor();
    await page.waitForURL(/from=2027-01-01&until=2027-01-13$/);
    await expectInnocent(tab);
  });

  test('shows a run: who posted when and how late, who did not and why, the reminders, and the runs before and after', async () => {
    const {page} = tab;
    await page.getByRole('link', {name: 'Last 4 weeks'}).click();
    await cell(4, 18).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', {name: 'Platform, Tuesday, 12 January 2027'}).waitFor();
    const article = (name: string) => page.getByRole('article', {name: `Standup by ${name}`});
    await article('Ada Lovelace').getByText('The retry page is done.').waitFor();
    await article('Grace Hopper').getByText('26 h late').waitFor();
    await page.getByRole('region', {name: 'Not posted'}).getByText('Katherine Johnson').waitFor();
    await page.getByText('3 of 4 posted').waitFor();
    await page.getByText('The schedule reminded 60 min, 15 min before closing.').waitFor();
    await page.getByText('The reminder planned for 09:45 was not sent.').waitFor();
    await look(tab, 'insights-run', {full: true});
    const others = page.getByRole('navigation', {name: 'Other runs'});
    await expectEventually(() =>
      others.getByRole('link', {name: 'Next run'}).getAttribute('aria-disabled'),
    ).toBe('true');
    await others.getByRole('link', {name: /^Previous run/}).click();
    await page.waitForURL(/2027-01-11$/);
    await page
      .getByRole('region', {name: 'Not posted'})
      .getByText('Away until Monday 11 Jan (At sea)')
      .waitFor();
    await others.getByRole('link', {name: /^Next run/}).click();
    await page.waitForURL(/2027-01-12$/);
    await expectInnocent(tab);
  });
});
