import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {randomBytes} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {addDays} from '../../src/domain/core/dates.js';
import {drawIdPart, type Id} from '../../src/domain/core/ids.js';
import type {LineReference} from '../../src/domain/runs/run.js';
import type {Person} from '../api/people.js';
import {deep} from '../support/deep.js';
import {expectSoon} from '../support/expect-soon.js';
import {closeRun, seedRun} from '../support/seed-runs.js';
import {sendRequest} from '../support/service.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type Stage, type Visit} from './support/stage.js';
import {asId} from '../support/ids.js';

let stage: Stage;
let visit: Visit;
let lead: Person;
let ada: Person;
let people: readonly Person[];

/** A row a person, a letter a run: posted, late, missed, unreachable, holiday; a dot: not in the run. */
const history = [
  ['Ada Lovelace', 'ppppphpppphpplmmm'],
  ['Alan Turing', 'pplpphpppphppmppp'],
  ['Grace Hopper', 'ppppmhpppphpuplpp'],
  ['Katherine Johnson', 'ppppphppppppppppp'],
  ['Margaret Hamilton', '.........phpmpppp'],
  ['Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh', 'mpppmhpmpphppmmpp'],
] as const;
/** Weekdays before the last run, which is played for real. */
const dates = weekdaysBefore('2027-01-12', 17);

beforeAll(async () => {
  stage = await openDashboard({}, {at: '2027-01-13T12:00:00Z'});
  lead = await stage.addPerson({name: 'Katherine Johnson', team: 'platform', as: 'lead'});
  people = await Promise.all(
    history.map(async ([name]) => (name === lead.name ? lead : stage.addPerson({name, team: 'platform'}))),
  );
  ada = people[0] as Person;
  await ask(lead, 'PATCH', '/v1/teams/platform', {
    timezone: 'UTC',
    name: 'Platform',
    absence_reasons: 'team',
  });
  await ask(ada, 'POST', '/v1/absences', {from: dates[14], until: dates[16], reason: 'At sea'});
  await Promise.all(
    dates.map((date, i) =>
      seedRun(stage.service, stage.workspace, {
        date,
        state: 'closed',
        closes_at: `${date}T10:00:00.000Z`,
        closed_at: `${date}T10:00:00.000Z`,
        participants: people.map(({id}) => ({member: id, timezone: null})),
        report: {
          lines: history.flatMap(([, days], j) => lineOf(asId(people[j]?.id ?? ''), days[i] ?? '.', date)),
          blockers: [],
        },
      }),
    ),
  );
  await playRun('2027-01-12');
});

afterAll(async () => {
  await stage.close();
});

function weekdaysBefore(last: string, count: number): string[] {
  const found: string[] = [];
  for (let date = addDays(last, -1); found.length < count; date = addDays(date, -1)) {
    const day = new Date(`${date}T00:00:00Z`).getUTCDay();
    if (day > 0 && day < 6) found.unshift(date);
  }
  return found;
}

function lineOf(member: Id<'member'>, letter: string, date: string): LineReference[] {
  if (letter === '.') return [];
  const otherwise = ({h: 'holiday', u: 'unreachable'} as const)[letter] ?? 'missed';
  const standups = [{drawn: drawIdPart(randomBytes(10)), revision: 1, late: letter === 'l'}];
  const holiday = otherwise === 'holiday' && {holiday: date < '2027' ? 'Christmas Day' : 'New Year’s Day'};
  return [{member, revision: 1, otherwise, ...holiday, ...('pl'.includes(letter) && {standups})}];
}

const ask = (person: Person, method: string, path: string, body?: unknown) =>
  sendRequest(stage.service.url, method, path, {body, token: person.token});

/** Two are in time, one is late, and one is not heard of. */
async function playRun(date: string): Promise<void> {
  const [first, second, third] = people as [Person, Person, Person];
  const post = (by: Person, update: string) =>
    ask(by, 'POST', '/v1/standups', {team: 'platform', date, update});
  await post(first, 'The retry page is done.\nToday: its tests.');
  await post(second, 'Read the paper of the week.');
  const run = await seedRun(stage.service, stage.workspace, {
    date,
    closes_at: `${date}T10:00:00.000Z`,
    participants: people.slice(0, 4).map(({id}) => ({member: id, timezone: null})),
    schedule: {
      frequency: 'weekly',
      interval: 1,
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      opens: '08:00',
      closes: '10:00',
      clock: 'team',
      reminders: [15, 60],
      starts_on: '2026-01-05',
    },
    missed_steps: [{step: 'remind', due_at: `${date}T09:45:00.000Z`}],
  });
  await closeRun(stage.service, stage.workspace, run);
  await post(third, 'Sorry, the train was late.');
}

const cell = (row: number, column: number) => visit.page.locator(`[data-place="${row}/${column}"]`);
const detail = () => visit.page.locator('p', {has: visit.page.getByRole('link', {name: 'Open the run'})});

describe('insights', () => {
  test('everybody stands by name, a day a column, with the reason in each mark; the span stands in the address', async () => {
    visit = await stage.signIn(lead, {path: '/t/platform/insights', timezone: 'UTC'});
    const {page} = visit;
    await page.getByRole('grid').waitFor();
    await expectSoon(() => page.getByRole('rowheader').allInnerTexts()).toEqual(
      history.map(([name]) => (name === lead.name ? `${name}\n(you)` : name)),
    );
    await page
      .getByText(/expected standups written/)
      .first()
      .waitFor();
    await cell(1, 16).click();
    await expectSoon(() => detail().innerText()).toContain('Fri 8 Jan, Ada Lovelace: Away (At sea)');
    await look(visit, 'insights', {also: deep ? ['forced'] : []});
    const current = page.getByRole('navigation', {name: 'Time span'}).locator('[aria-current]');
    expect(await current.allInnerTexts()).toEqual(['Last 4 weeks']);
    await page.getByRole('link', {name: 'This month'}).click();
    await page.getByText(/in 8 runs/).waitFor();
    expect(page.url()).toMatch(/insights\?span=month$/);
    await page.getByRole('link', {name: 'Own dates'}).click();
    await page.getByRole('group', {name: 'From and until'}).waitFor();
    await page.waitForURL(/from=2027-01-01&until=2027-01-13$/);
    await expectInnocent(visit);
  });

  test('the chart is one stop of Tab: arrows go from mark to mark, each has a tip, Enter opens the run', async () => {
    const {page} = visit;
    await visit.go('/t/platform/insights');
    await cell(1, 18).waitFor();
    await page.getByRole('link', {name: 'Own dates'}).focus();
    await page.keyboard.press('Tab');
    const place = () => page.evaluate<string>('document.activeElement?.dataset.place ?? ""');
    expect(await place()).toBe('1/18');
    const steps = [
      ['ArrowLeft', '1/17', 'Ada Lovelace: Away (At sea)'],
      ['Control+Home', '0/1', 'Choose a mark'],
      ['Control+End', '6/18', 'Featherstonehaugh: Not in this run'],
      ['ArrowUp', '5/18', 'Margaret Hamilton: Not in this run'],
      ['ArrowUp', '4/18', 'Katherine Johnson: Missed'],
    ] as const;
    for (const [key, to, told] of steps) {
      await page.keyboard.press(key);
      expect([key, await place()]).toEqual([key, to]);
      await page.locator('main p', {hasText: told}).waitFor();
    }
    const tip = page.locator('[class*="tip"]', {hasText: 'Katherine Johnson'});
    await tip.waitFor();
    await page.keyboard.press('Escape');
    await tip.waitFor({state: 'detached'});
    await page.keyboard.press('Tab');
    await expectSoon(() => page.evaluate('document.activeElement.textContent')).toBe('Open the run');
    await cell(4, 18).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/t\/platform\/runs\/2027-01-12$/);
  });

  test('a run: who was in by their clocks, how late, who was not and why, what was reminded, the runs beside it', async () => {
    const {page} = visit;
    await page.getByRole('heading', {name: 'Platform, Tuesday, 12 January 2027'}).waitFor();
    const article = (name: string) => page.getByRole('article', {name: `Standup by ${name}`});
    await article('Ada Lovelace').getByText('The retry page is done.').waitFor();
    await article('Grace Hopper').getByText('26 h late').waitFor();
    await page.getByRole('region', {name: 'Not in'}).getByText('Katherine Johnson').waitFor();
    await page.getByText('3 of 4 in').waitFor();
    await page.getByText('The schedule reminded 60 min, 15 min before closing.').waitFor();
    await page.getByText('The reminder of 09:45 was not sent.').waitFor();
    await look(visit, 'insights-run', {full: true});
    const others = page.getByRole('navigation', {name: 'Other runs'});
    await expectSoon(() => others.getByRole('link', {name: 'Run after'}).getAttribute('aria-disabled')).toBe(
      'true',
    );
    await others.getByRole('link', {name: /^Run before/}).click();
    await page.waitForURL(/2027-01-11$/);
    await page.getByRole('region', {name: 'Not in'}).getByText('Away until Monday 11 Jan (At sea)').waitFor();
    await others.getByRole('link', {name: /^Run after/}).click();
    await page.waitForURL(/2027-01-12$/);
    await visit.go('/t/platform/runs/2027-01-09');
    await page.getByRole('heading', {name: 'There was no run on this day'}).waitFor();
    await others.getByRole('link', {name: 'Run after: Monday, 11 January 2027'}).waitFor();
    await expectInnocent(visit, {refusals: [404]});
  });

  if (deep) {
    test('the span stands in the address: usual ones, and own dates', async () => {
      const {page} = visit;
      await visit.go('/t/platform/insights');
      const current = page.getByRole('navigation', {name: 'Time span'}).locator('[aria-current]');
      await expectSoon(() => current.allInnerTexts()).toEqual(['Last 4 weeks']);
      await page.getByRole('link', {name: 'This month'}).click();
      await page.getByText(/in 8 runs/).waitFor();
      await expectSoon(() => page.url()).toMatch(/insights\?span=month$/);
      await expectSoon(() => current.allInnerTexts()).toEqual(['This month']);
      await page.getByRole('link', {name: 'Own dates'}).click();
      await page.getByRole('group', {name: 'From and until'}).waitFor();
      await expectSoon(() => page.url()).toMatch(/from=2027-01-01&until=2027-01-13$/);
      await visit.go('/t/platform/insights?from=2026-12-18&until=2026-12-24');
      await page.getByText(/in 5 runs/).waitFor();
      await visit.go('/t/platform/insights?from=2020-01-01&until=2026-12-24');
      await page
        .getByRole('alert')
        .getByText(/more than 366 days/)
        .waitFor();
      await expectInnocent(visit, {refusals: [400, 404]});
    });

    test('behind the chart stand its numbers, by day and by person', async () => {
      const {page} = visit;
      await visit.go('/t/platform/insights');
      await page.getByText('The numbers as tables').click();
      const row = (name: string) => page.getByRole('row', {name}).last().getByRole('cell').allInnerTexts();
      expect(await row('Ada Lovelace')).toEqual(['100%', '13', '13', '1', '0', '0', '3', '2', '0']);
      expect(await row('Tue 12 Jan')).toEqual(['75%', '4', '3', '1', '1', '0', '0', '0', '0']);
      await look(visit, 'insights-numbers', {full: true});
    });

    test('a team without a schedule, and one without people, are told what to do', async () => {
      const {page} = visit;
      const {services} = stage.service.core;
      await services.teams.createTeam(stage.workspace.operator(), {slug: 'quiet', name: 'Quiet'});
      await visit.go('/t/quiet/insights');
      await page.getByRole('heading', {name: 'This team has no runs yet'}).waitFor();
      await page.getByRole('link', {name: 'Go to Today'}).waitFor();
      const {body: quiet} = await ask(lead, 'GET', '/v1/teams/quiet');
      const [date, none] = ['2027-01-11', {lines: [], blockers: []}];
      const closes_at = `${date}T10:00:00.000Z`;
      const run = {date, closes_at, closed_at: closes_at, state: 'closed', report: none} as const;
      await seedRun(stage.service, stage.workspace, {...run, team: 'quiet', team_id: quiet.id});
      await page.getByRole('heading', {name: 'Nobody was in these runs'}).waitFor();
      await expectInnocent(visit, {refusals: [400, 404]});
    });

    test('the chart fits from right to left, with long words and in German, and arrows go as one reads', async () => {
      const turned = await stage.signIn(ada, {path: '/t/platform/insights', language: 'x-long'});
      await turned.page.getByRole('grid').waitFor();
      await turned.page.locator('[data-place="1/18"]').click();
      await turned.page.keyboard.press('ArrowRight');
      await expectSoon(() => turned.page.evaluate('document.activeElement.dataset.place')).toBe('1/17');
      await look(turned, 'insights-long');
      await turned.close();
      const german = await stage.signIn(ada, {
        path: '/t/platform/runs/2027-01-12',
        locale: 'de-DE',
        language: 'de',
      });
      await german.page.getByText('Der Zeitplan erinnerte 60 min, 15 min vor dem Ende.').waitFor();
      await expectInnocent(german);
      await german.close();
    });
  }

  test('participation and absences are downloaded as CSV, of the days that are shown; who posts late is late at once, not missed', async () => {
    const {page} = visit;
    await visit.go('/t/platform/insights');
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
    await page.locator('[data-place="4/18"][data-status="missed"]').waitFor();
    await ask(lead, 'POST', '/v1/standups', {
      team: 'platform',
      date: '2027-01-12',
      update: 'Late, but here.',
    });
    await page.locator('[data-place="4/18"][data-status="late"]').waitFor();
    await expectInnocent(visit, {refusals: [400, 404]});
  });
});
