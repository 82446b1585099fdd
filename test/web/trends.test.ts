import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';
import {createTrendsStage} from './trends-stage.js';

let stage: BrowserStage;
let lead: Person;
let member: Person;
let tab: Tab;

beforeAll(async () => {
  stage = await openDashboard({}, {at: '2026-11-25T12:00:00Z'});
  ({lead, member} = await createTrendsStage(stage));
  tab = await stage.signIn(lead, {path: '/t/platform/insights', timezone: 'UTC'});
});

afterAll(() => stage.close());

const section = () => tab.page.getByRole('region', {name: 'Answers and blockers over time'});
const card = (name: string) => section().getByRole('region', {name, exact: true}).first();

describe('the charts of Insights', () => {
  test('show each mood, number, choice and yes-or-no question with a sentence, and the same figures as a table', async () => {
    await card('How are you?')
      .getByText(/: 4 on average from 2 answers, 0\.5 higher than the week before\.$/)
      .first()
      .waitFor();
    await card('Hours of focus')
      .getByText(/: 6\.25 on average from 2 answers/)
      .first()
      .waitFor();
    await card('Do you need help?')
      .getByText(/: 50% yes in 2 answers, 50 points lower than the week before\.$/)
      .first()
      .waitFor();
    await card('Focus').getByText('Build was chosen most often: in 3 of 4 answers.').waitFor();
    expect(await section().getByRole('heading', {name: 'Any notes?'}).count()).toBe(0);
    await card('How are you?').getByText('Show as table').click();
    const rows = card('How are you?').getByRole('row');
    await expectEventually(() => rows.allInnerTexts()).toEqual([
      'Week\tAverage\tAnswers',
      expect.stringMatching(/^29 Oct.*1 Nov\t–\t0$/),
      expect.stringMatching(/^2.*8 Nov\t–\t0$/),
      expect.stringMatching(/^9.*15 Nov\t–\t0$/),
      expect.stringMatching(/^16.*22 Nov\t3\.5\t2$/),
      expect.stringMatching(/^23.*25 Nov\t4\t2$/),
    ]);
    await look(tab, 'insights-trends', {full: true});
    await expectInnocent(tab);
  });

  test('show how many blockers were raised, resolved and open, and follow each change', async () => {
    const text = card('Blockers').getByText(/raised and/);
    await expectEventually(() => text.innerText()).toBe(
      '2 raised and 1 resolved. 1 is open at the end, 1 more than at the start.',
    );
    await stage.workspace.request('POST', '/v1/blockers', {
      token: member.token,
      body: {team: 'platform', text: 'No keys.'},
    });
    await expectEventually(() => text.innerText()).toBe(
      '3 raised and 1 resolved. 2 are open at the end, 2 more than at the start.',
    );
  });

  test('have days as steps on request, which the address keeps', async () => {
    await section().getByRole('link', {name: 'By day'}).click();
    await tab.page.waitForURL(/by=day$/);
    await card('How are you?')
      .getByText(/^Tue 24 Nov: 5 on average from 1 answer, 2 higher than on Mon 23 Nov\.$/)
      .first()
      .waitFor();
    await section().getByRole('link', {name: 'By week'}).click();
    await tab.page.waitForURL(/insights$/);
  });

  test('advise a lead to add a question, and a member to ask for one, if the team has none', async () => {
    await tab.go('/t/quiet/insights');
    await section().getByText('No blockers were raised, resolved or open in these days.').waitFor();
    expect(await section().getByRole('link', {name: 'Edit the questions'}).getAttribute('href')).toMatch(
      /\/t\/quiet\/settings$/,
    );
    const other = await stage.signIn(member, {path: '/t/quiet/insights', language: 'de', locale: 'de-DE'});
    await other.page.getByText(/Bitte eine Leitung des Teams um eine solche Frage\./).waitFor();
    await expectInnocent(other);
    await other.close();
    await expectInnocent(tab);
  });
});

describe('the page of a week', () => {
  test('shows who posted, the open blockers and the charts, and prints them without menus and buttons', async () => {
    const {page} = tab;
    await tab.go('/t/platform/insights');
    await page.getByRole('link', {name: 'Report of the week'}).click();
    await page.getByRole('heading', {name: /^Week of 23.*29 Nov: Platform$/}).waitFor();
    const blockers = page.getByRole('region', {name: 'Blockers of the week'});
    await blockers.getByText(/raised, 1 resolved, \d still open\.$/).waitFor();
    await blockers.getByText('No tests.').waitFor();
    await page.getByRole('region', {name: 'How are you?'}).first().waitFor();
    await look(tab, 'week', {full: true});
    await page.emulateMedia({media: 'print', colorScheme: 'dark'});
    const shown = (name: string) => page.getByText(name, {exact: true}).first().isVisible();
    expect([await shown('Print'), await shown('Write my standup'), await shown('No tests.')]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({media: 'screen', colorScheme: 'light'});
    await expectInnocent(tab);
  });

  test('the page of a week is shared by a link that opens without an account, prints in black on white, and ends when it is revoked', async () => {
    await tab.go('/t/platform/weeks/2026-11-23');
    const {page} = tab;
    await page.getByRole('button', {name: 'Share', exact: true}).click();
    const panel = page.getByRole('region', {name: 'Share this week'});
    expect(await panel.getByText(/^Name people/).count()).toBe(0);
    await panel.getByLabel('Who is it for?').fill('The steering group');
    await panel.getByText('Show the texts of open blockers').click();
    await panel.getByRole('button', {name: 'Create link'}).click();
    const url = await panel.locator('code').innerText();
    await panel
      .getByRole('list', {name: 'Your share links'})
      .getByText('Works until 2 Dec · not opened yet')
      .waitFor();
    await look(tab, 'share-week', {full: true});
    const opened = await page.context().browser()?.newContext({locale: 'en-GB', colorScheme: 'dark'});
    const reader = await opened?.newPage();
    if (opened === undefined || reader === undefined) throw new Error('There is no browser.');
    const errors: string[] = [];
    reader.on('console', (message) => errors.push(message.text()));
    await reader.goto(stage.service.url + new URL(url).pathname);
    await reader.getByRole('heading', {level: 1, name: /^Week of 23.*29 Nov 2026: Platform$/}).waitFor();
    await reader.getByText('No tests.').waitFor();
    expect(await reader.getByText('Ada Lovelace').count()).toBe(0);
    expect(await reader.evaluate('getComputedStyle(document.querySelector("main")).maxWidth')).toBe('720px');
    await reader.setViewportSize({width: 390, height: 800});
    expect(await reader.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await reader.emulateMedia({media: 'print'});
    expect(await reader.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
    await panel.getByRole('button', {name: 'Revoke'}).click();
    await look(tab, 'share-week-revoke');
    await page.getByRole('alertdialog').getByRole('button', {name: 'Revoke link'}).click();
    await page.getByText('The link no longer works.').waitFor();
    await reader.reload();
    await reader.getByRole('heading', {level: 1, name: 'This page does not exist'}).waitFor();
    expect(errors.filter((text) => !text.includes('404'))).toEqual([]);
    await opened.close();
    await expectInnocent(tab);
  });

  test('leads to the weeks before and after, but not to one that has not begun', async () => {
    const {page} = tab;
    const weeks = page.getByRole('navigation', {name: 'Other weeks'});
    await expectEventually(() =>
      weeks.getByRole('link', {name: 'Next week'}).getAttribute('aria-disabled'),
    ).toBe('true');
    await weeks.getByRole('link', {name: 'Previous week'}).click();
    await page.waitForURL(/weeks\/2026-11-16$/);
    await page.getByText('No run closed in this week.').waitFor();
    await weeks.getByRole('link', {name: 'Next week'}).click();
    await page.waitForURL(/weeks\/2026-11-23$/);
    await tab.go('/t/platform/weeks/2026-11-24');
    await page
      .getByRole('alert')
      .getByText(/must be a Monday, such as 2026-11-23/)
      .waitFor();
    await expectInnocent(tab, {refusals: [400]});
  });

  test('the page of a week is shared only by those who lead the team', async () => {
    const other = await stage.signIn(member, {path: '/t/platform/weeks/2026-11-23'});
    await other.page.getByRole('button', {name: 'Print'}).waitFor();
    await other.page.getByRole('region', {name: 'Blockers of the week'}).waitFor();
    expect(await other.page.getByRole('button', {name: 'Share', exact: true}).count()).toBe(0);
    await expectInnocent(other);
    await other.close();
  });
});
