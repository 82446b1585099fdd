import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {deep} from '../support/deep.js';
import {expectEventually} from '../support/expect-eventually.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let tab: Tab;
let page: Page;

beforeAll(async () => {
  stage = await openDashboard({}, {name: 'The workspace of everybody who works on analytical engines'});
  ada = await stage.addPerson({name: 'Ada Augusta King, Countess of Lovelace', team: 'platform'});
  tab = await stage.signIn(ada, {path: '/blockers'});
  ({page} = tab);
});

afterAll(async () => {
  await expectInnocent(tab);
  await stage.close();
});

const dialog = (name: string) => page.getByRole('dialog', {name});

const misread = [
  '/history?from=x&source=constructor',
  '/?write={"a":1}',
  '/?date=x',
  '/?date=0000-00-00',
  '/calendar?month=x',
];

it.each(deep ? misread : misread.slice(0, 1))(
  'regression: a malformed address still shows the page: %s',
  async (path) => {
    await tab.go(path);
    await page.getByRole('navigation', {name: 'Main'}).first().waitFor();
    await expectEventually(() => page.locator('main').innerText()).not.toMatch(/went wrong|native code/);
  },
);

it('regression: an address that cannot be decoded leads to the page for unknown addresses, in the frame', async () => {
  await tab.go('/t/%ff');
  await page.getByRole('heading', {name: 'Page not found'}).waitFor();
  await page.getByRole('navigation', {name: 'Main'}).first().waitFor();
  await page.getByRole('link', {name: 'Go to Today'}).click();
  await page.getByRole('heading', {level: 1, name: 'Platform'}).waitFor();
});

const letters: readonly [string, RegExp][] = [
  ['m', /Ada Augusta/],
  ['h', /History/],
  ['c', /Calendar/],
  ['b', /Blockers/],
  ['s', /Sessions/],
];

it('pressing g and a letter opens a page', async () => {
  for (const [key, name] of deep ? letters : letters.slice(0, 1)) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', {level: 1, name}).waitFor();
  }
});

it('the palette finds every page and action by parts of its name, and runs it', async () => {
  await page.keyboard.press('Control+k');
  await dialog('Commands').waitFor();
  await look(tab, 'frame-palette');
  await page.keyboard.type('them dark');
  await page.keyboard.press('Enter');
  await dialog('Commands').waitFor({state: 'hidden'});
  await expectEventually(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('as the system');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('nothing like it');
  await page.getByText('No results').waitFor();
  await page.keyboard.press('Escape');
});

it('the palette finds people, other teams and standups by what is typed, and opens them', async () => {
  const grace = await stage.addPerson({name: 'Grace Brewster Hopper', team: 'platform'});
  const team = {name: 'Compilers', slug: 'compilers'};
  await stage.workspace.request('POST', '/v1/teams', {token: grace.token, body: team});
  const body = {team: 'compilers', update: 'Taught the compiler to read flow charts.'};
  await stage.workspace.request('POST', '/v1/standups', {token: grace.token, body});
  const find = async (typed: string, option: RegExp): Promise<void> => {
    await page.keyboard.press('Control+k');
    await dialog('Commands').waitFor();
    await page.keyboard.type(typed);
    await page.getByRole('option', {name: option}).waitFor();
  };
  await find('grace hop', /Grace Brewster Hopper Person/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {level: 1, name: 'Grace Brewster Hopper'}).waitFor();
  await find('compilers', /Compilers Team/i);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {level: 1, name: /compilers/i}).waitFor();
  await find('flow charts', /Taught the compiler.*Standup by Grace/);
  await look(tab, 'frame-palette-found');
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByText('Taught the compiler to read flow charts.').waitFor();
  await expectEventually(() => page.url()).toContain('standup=');
});

const panels: readonly [string, string, RegExp][] = [
  ['raise', '/blockers', /^Raise a blocker$/],
  ['add absence', '/calendar', /absence/i],
  ['export st', '/history', /export/i],
];

it.each(panels)(
  'the palette opens the page and the panel of what is typed: %s',
  async (typed, path, name) => {
    await tab.go('/sessions');
    await page.keyboard.press('Control+k');
    await dialog('Commands').waitFor();
    await page.keyboard.type(typed);
    await page.getByRole('option', {name}).first().click();
    await expectEventually(() => page.url()).toContain(path);
    await expectEventually(() =>
      page.locator('form, [role=dialog], #export :is(button, input)').count(),
    ).not.toBe(0);
  },
);

it('a printed page shows what it says, black on white, without the menu and its buttons', async () => {
  await tab.go('/t/platform');
  const title = page.getByRole('heading', {level: 1, name: 'Platform'});
  await title.waitFor();
  await page.emulateMedia({media: 'print', colorScheme: 'dark'});
  await expectEventually(() => page.getByRole('navigation').count()).toBe(0);
  expect(await title.isVisible()).toBe(true);
  expect(await page.locator('main button:visible').allInnerTexts()).toEqual(['Platform']);
  const colours = 'getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color';
  expect(await page.evaluate(colours)).toBe('rgb(255, 255, 255)rgb(25, 32, 28)');
  await page.emulateMedia({media: null, colorScheme: null});
});
