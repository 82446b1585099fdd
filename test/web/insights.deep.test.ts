import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {readFileSync} from 'node:fs';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import {seedRun} from '../support/seed-runs.js';
import {type InsightsStage, openInsights} from './insights-stage.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import type {BrowserStage, Tab} from './support/stage.js';

let stage: BrowserStage;
let lead: Person;
let ada: Person;
let ask: InsightsStage['ask'];
let tab: Tab;

beforeAll(async () => {
  ({stage, lead, ada, ask} = await openInsights());
  tab = await stage.signIn(lead, {path: '/t/platform/insights', timezone: 'UTC'});
});

afterAll(() => stage.close());

const cell = (row: number, column: number) => tab.page.locator(`[data-position="${row}/${column}"]`);

describe('the details of Insights', () => {
  test('include a chart with one Tab stop: arrows move between marks with tips, Enter opens the run, and days without one say so', async () => {
    const {page} = tab;
    await tab.go('/t/platform/insights');
    await cell(1, 18).waitFor();
    await page.getByRole('link', {name: 'Custom dates'}).focus();
    await page.keyboard.press('Tab');
    const position = () => page.evaluate<string>('document.activeElement?.dataset.position ?? ""');
    expect(await position()).toBe('1/18');
    const steps = [
      ['ArrowLeft', '1/17', 'Ada Lovelace: Away (At sea)'],
      ['Control+Home', '0/1', 'Select a mark'],
      ['Control+End', '6/18', 'Featherstonehaugh: Not in this run'],
      ['ArrowUp', '5/18', 'Margaret Hamilton: Not in this run'],
      ['ArrowUp', '4/18', 'Katherine Johnson: Missed'],
    ] as const;
    for (const [key, to, text] of steps) {
      await page.keyboard.press(key);
      expect([key, await position()]).toEqual([key, to]);
      await page.locator('main p', {hasText: text}).waitFor();
    }
    const tip = page.locator('[data-tip]', {hasText: 'Katherine Johnson'});
    await tip.waitFor();
    await page.keyboard.press('Escape');
    await tip.waitFor({state: 'detached'});
    await page.keyboard.press('Tab');
    await expectEventually(() => page.evaluate('document.activeElement.textContent')).toBe('Open the run');
    await cell(4, 18).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/t\/platform\/runs\/2027-01-12$/);
    await tab.go('/t/platform/runs/2027-01-09');
    await page.getByRole('heading', {name: 'There was no run on this day'}).waitFor();
    const others = page.getByRole('navigation', {name: 'Other runs'});
    await others.getByRole('link', {name: 'Next run: Monday, 11 January 2027'}).waitFor();
  });

  test('include preset and custom spans, which the address stores', async () => {
    const {page} = tab;
    await tab.go('/t/platform/insights');
    const current = page.getByRole('navigation', {name: 'Time span'}).locator('[aria-current]');
    await expectEventually(() => current.allInnerTexts()).toEqual(['Last 4 weeks']);
    await page.getByRole('link', {name: 'This month'}).click();
    await page.getByText(/in 8 runs/).waitFor();
    await expectEventually(() => page.url()).toMatch(/insights\?span=month$/);
    await expectEventually(() => current.allInnerTexts()).toEqual(['This month']);
    await page.getByRole('link', {name: 'Custom dates'}).click();
    await page.getByRole('group', {name: 'Dates'}).waitFor();
    await expectEventually(() => page.url()).toMatch(/from=2027-01-01&until=2027-01-13$/);
    await tab.go('/t/platform/insights?from=2026-12-18&until=2026-12-24');
    await page.getByText(/in 5 runs/).waitFor();
    await tab.go('/t/platform/insights?from=2020-01-01&until=2026-12-24');
    await page
      .getByRole('alert')
      .getByText(/more than 366 days/)
      .waitFor();
    await expectInnocent(tab, {refusals: [400, 404]});
  });

  test('include tables of the chart’s numbers, by day and by person', async () => {
    const {page} = tab;
    await tab.go('/t/platform/insights');
    await page.getByText('Tables').click();
    const row = (name: string) => page.getByRole('row', {name}).last().getByRole('cell').allInnerTexts();
    expect(await row('Ada Lovelace')).toEqual(['100%', '13', '13', '1', '0', '0', '3', '2', '0']);
    expect(await row('Tue 12 Jan')).toEqual(['75%', '4', '3', '1', '1', '0', '0', '0', '0']);
    await look(tab, 'insights-numbers', {full: true, also: ['forced']});
  });

  test('include advice for a team without a schedule, and for a team without people', async () => {
    const {page} = tab;
    const {services} = stage.service.core;
    await services.teams.createTeam(stage.workspace.operator(), {slug: 'quiet', name: 'Quiet'});
    await tab.go('/t/quiet/insights');
    await page.getByRole('heading', {name: 'This team has no runs yet'}).waitFor();
    await page.getByRole('link', {name: 'Go to Today'}).waitFor();
    const {body: quiet} = await ask(lead, 'GET', '/v1/teams/quiet');
    const [date, none] = ['2027-01-11', {lines: [], blockers: []}];
    const closes_at = `${date}T10:00:00.000Z`;
    const run = {date, closes_at, closed_at: closes_at, state: 'closed', report: none} as const;
    await seedRun(stage.service, stage.workspace, {...run, team: 'quiet', team_id: quiet.id});
    await page.getByRole('heading', {name: 'No one was in these runs'}).waitFor();
    await expectInnocent(tab, {refusals: [400, 404]});
  });

  test('include a chart that fits right-to-left text, long words and German, with arrows in reading order', async () => {
    const turned = await stage.signIn(ada, {path: '/t/platform/insights', language: 'x-long'});
    await turned.page.getByRole('grid').waitFor();
    await turned.page.locator('[data-position="1/18"]').click();
    await turned.page.keyboard.press('ArrowRight');
    await expectEventually(() => turned.page.evaluate('document.activeElement.dataset.position')).toBe(
      '1/17',
    );
    await look(turned, 'insights-long');
    await turned.close();
    const german = await stage.signIn(ada, {
      path: '/t/platform/runs/2027-01-12',
      locale: 'de-DE',
      language: 'de',
    });
    await german.page.getByText('Der Zeitplan hat 60 min, 15 min vor dem Schließen erinnert.').waitFor();
    await expectInnocent(german);
    await german.close();
  });

  test('include participation and absences as CSV for the days shown, where a late post counts at once as late, not missed', async () => {
    const {page} = tab;
    await tab.go('/t/platform/insights');
    await page.evaluate('delete globalThis.showSaveFilePicker');
    await page.getByRole('button', {name: 'Export'}).click();
    await page.getByRole('heading', {name: 'Export as CSV'}).waitFor();
    const save = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', {name: `Download ${name}`}).click(),
      ]);
      return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')] as const;
    };
    const [name, text] = await save('participation');
    expect(name).toBe('participation-platform-2026-12-17-2027-01-13.csv');
    expect(text.split('\r\n').filter((line) => line.startsWith('date,'))).toHaveLength(18);
    const [, absences] = await save('absences');
    expect(absences).toContain('At sea');
    await page.locator('[data-position="4/18"][data-status="missed"]').waitFor();
    await ask(lead, 'POST', '/v1/standups', {
      team: 'platform',
      date: '2027-01-12',
      update: 'Late, but here.',
    });
    await page.locator('[data-position="4/18"][data-status="late"]').waitFor();
    await expectInnocent(tab, {refusals: [400, 404]});
  });
});
