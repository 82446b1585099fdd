import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import {until} from '../support/until.js';
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
  tab = await stage.signIn(ada, {path: '/sessions', moves: true});
  ({page} = tab);
});

afterAll(async () => {
  await expectInnocent(tab);
  await stage.close();
});

/** Loads a page, so that no state of the previous test remains. */
const begin = () => tab.go('/sessions');

const heading = (name: string | RegExp) => page.getByRole('heading', {level: 1, name});
const titled = (title: string) => until(async () => (await page.title()) === title, {what: title});
const dialog = (name: string) => page.getByRole('dialog', {name});
describe('the keyboard', () => {
  beforeEach(begin);

  it('opens the write panel with n, and closes it with Escape', async () => {
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({state: 'hidden'});
    await expectEventually(() => page.url()).not.toContain('write=');
  });

  it('shows all shortcuts with ?, and lets people switch single-key shortcuts off permanently', async () => {
    await page.keyboard.press('?');
    await dialog('Keyboard shortcuts').waitFor();
    await look(tab, 'frame-shortcuts');
    await page.getByRole('checkbox', {name: 'Single-key shortcuts'}).uncheck();
    await page.keyboard.press('Escape');
    await tab.go('/sessions');
    await page.keyboard.press('n');
    await page.keyboard.press('Control+k');
    await dialog('Commands').waitFor();
    await expectEventually(() => page.url()).not.toContain('write=');
    await page.evaluate("localStorage.removeItem('standup:keys')");
  });

  it('enters characters into a focused field instead of running shortcuts', async () => {
    await tab.go('/history');
    await page.keyboard.press('/');
    await page.keyboard.type('gbn?');
    await expectEventually(() => page.locator('[data-search]').inputValue()).toBe('gbn?');
  });
});
it('pressing ~ shows each request of the page, and the curl command that does the same', async () => {
  await begin();
  await page.keyboard.press('~');
  await dialog('API requests of this page').waitFor();
  await page.locator('summary').first().click();
  // A later request may be listed above it, so `open` selects the entry.
  const curl = await page.locator('details[open] pre').first().innerText();
  expect(curl).toMatch(
    /^curl -sS 'http:\/\/127\.0\.0\.1:\d+\/v1\/[^']+' \\\n {2}-H "Authorization: Bearer \$STANDUP_TOKEN"$/,
  );
  expect(curl).not.toContain('eyJ');
  await look(tab, 'frame-requests');
});

it('the account menu offers theme and language, and stores them', async () => {
  await begin();
  await page
    .getByRole('button', {name: /Ada Augusta/})
    .first()
    .click();
  await look(tab, 'frame-account');
  await page.getByLabel('Language').first().selectOption('de');
  await page.getByRole('heading', {level: 1, name: 'Sitzungen'}).waitFor();
  await page.reload();
  await page.getByRole('heading', {level: 1, name: 'Sitzungen'}).waitFor();
  await expectEventually(() => page.evaluate('document.documentElement.lang')).toBe('de');
  await look(tab, 'frame-german');
  const {body} = await stage.workspace.request('GET', `/v1/members/${ada.id}`);
  expect(body.locale).toBe('de');
  await page.evaluate("localStorage.removeItem('standup:language')");
});

it('regression: the focus returns to its earlier element when the write panel is closed', async () => {
  await begin();
  const open = page.getByRole('button', {name: 'Write my standup'}).first();
  await open.focus();
  await page.keyboard.press('Enter');
  await dialog('Write your standup').getByRole('textbox').first().waitFor();
  await page.keyboard.press('Escape');
  await until(() => page.evaluate("document.activeElement.innerText === 'Write my standup'"), {
    what: 'the focus is back',
  });
});

it('regression: the window is named after the page that it shows', async () => {
  await begin();
  const main = page.getByRole('navigation', {name: 'Main'}).first();
  for (const name of ['History', 'Blockers', 'Calendar']) {
    await main.getByRole('link', {name}).click();
    await titled(`${name} · Team Standup`);
  }
  await page.goBack();
  await titled('Blockers · Team Standup');
  await tab.go('/people/me');
  await page.getByRole('navigation', {name: 'About this person'}).waitFor();
  await expectEventually(() => page.title()).toBe('Ada Augusta King, Countess of Lovelace · Team Standup');
});

it('the menu of a phone opens over the page, and closes when one of its links is followed', async () => {
  await begin();
  await page.setViewportSize({width: 360, height: 740});
  await page.getByRole('button', {name: 'Menu'}).click();
  await dialog('Menu').waitFor();
  await dialog('Menu').getByRole('link', {name: 'Blockers'}).click();
  await heading('Blockers').waitFor();
  await dialog('Menu').waitFor({state: 'hidden'});
  await page.setViewportSize({width: 1280, height: 900});
});

it('regression: a page at an unknown address says so, with the usual menu and a link to continue', async () => {
  await tab.go('/nowhere/at/all');
  await heading('Page not found').waitFor();
  await expectEventually(() => page.title()).toBe('Page not found · Team Standup');
  await page.getByRole('navigation', {name: 'Main'}).first().waitFor();
  await look(tab, 'frame-not-found');
  await page.getByRole('link', {name: 'Go to Today'}).click();
  await heading('Platform').waitFor();
});

it('the write panel, Blockers and All teams lead an owner in no team to Today, where they can create a team', async () => {
  const empty = await stage.service.addWorkspace('Nobody yet');
  expect((await empty.request('DELETE', '/v1/teams/platform')).status).toBe(204);
  const owner = await stage.addPerson({name: 'Grace Hopper', role: 'owner'}, empty);
  const tab = await stage.signIn(owner, {path: '/history?write='}, empty);
  const {page} = tab;
  for (const path of ['/history?write=', '/blockers', '/calendar']) {
    await tab.go(path);
    await page.getByText('Open the Today page to see the teams').waitFor();
    await expectEventually(() => page.locator('body').innerText()).not.toContain('owner or admin');
  }
  await tab.go('/history?write=');
  await page.getByRole('dialog').getByRole('link', {name: 'Go to Today'}).click();
  const steps = page.getByRole('region', {name: 'Get your team going'});
  await steps.getByText('Create your team', {exact: true}).waitFor();
  await expectEventually(() => page.url()).not.toContain('write=');
  await tab.go('/blockers');
  await page.getByRole('link', {name: 'Go to Today'}).click();
  await steps.getByRole('link', {name: 'Create team'}).click();
  await page.getByRole('button', {name: 'Create team'}).click();
  await page.getByText('Enter a name.').waitFor();
  await page.getByRole('textbox', {name: 'Name', exact: true}).fill('Rocket Science');
  await page.getByText('Enter a name.').waitFor({state: 'detached'});
  await page.getByRole('button', {name: 'Create team'}).click();
  await page.getByRole('heading', {level: 1, name: /Rocket Science/}).waitFor();
  await tab.close();
});

it('every page of a team that does not exist says so with a link to continue, and shows no button that would be refused', async () => {
  const owner = await stage.addPerson({name: 'Grace Hopper', role: 'owner'});
  const tab = await stage.signIn(owner, {path: '/history'});
  const {page} = tab;
  await page.getByRole('link', {name: 'Go to Today'}).waitFor();
  expect(await page.getByRole('button', {name: 'Write the first'}).count()).toBe(0);
  for (const path of ['', '/insights', '/runs/2026-11-27', '/settings', '/settings?write=nowhere']) {
    await tab.go(`/t/nowhere${path}`);
    const container = path.includes('write') ? page.getByRole('dialog') : page.getByRole('main');
    await container.getByText('Team not found').waitFor();
    await container.getByRole('link', {name: 'Go to Today'}).waitFor();
    expect(await container.getByRole('button', {name: /Try again|Join/}).count()).toBe(0);
  }
  await tab.close();
});

it('a refused form shows the error at its field, once, and without the API’s field names', async () => {
  const tab = await stage.signIn(ada, {path: '/teams/new'});
  const {page} = tab;
  await page.getByRole('textbox', {name: 'Name', exact: true}).fill('Rocket Science');
  await page.getByRole('textbox', {name: 'Short name'}).fill('Not Good!');
  await page.getByRole('button', {name: 'Create team'}).click();
  await page.getByText('Please check the form').waitFor();
  const said = await page.getByRole('main').innerText();
  expect(said).toMatch(/Must be 1 to 40 lower-case letters, digits and inner dashes/);
  expect(said.match(/inner dashes/g)).toHaveLength(1);
  expect(said).not.toMatch(/`slug`|The body is not valid|req_/);
  await look(tab, 'frame-refused-form');
  await tab.close();
});
