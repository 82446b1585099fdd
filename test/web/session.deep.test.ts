import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {makeLink} from '../dashboard/test-browser.js';
import {expectEventually} from '../support/expect-eventually.js';
import {expectInnocent} from './support/innocent.js';
import {openDashboard, signInAt, type BrowserStage, untilQuiet, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let grace: Person;
let dashboard: Tab;

beforeAll(async () => {
  stage = await openDashboard({}, {name: 'Analytical Engines'});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform'});
  grace = await stage.addPerson({name: 'Grace Hopper', team: 'platform'});
});

afterEach(() => dashboard.close());
afterAll(() => stage.close());

const signInPage = (page: Page) => page.getByRole('heading', {name: 'Sign in', exact: true}).waitFor();
const panel = (page: Page) => page.getByRole('dialog', {name: 'Write your standup'});
const field = (page: Page) => panel(page).getByRole('textbox').first();

/** Opens a sign-in link in a new tab, as mail and chat programs do. */
async function signInElsewhere(person: Person): Promise<Page> {
  const tab = await dashboard.context.newPage();
  await tab.goto(await makeLink(stage.workspace, person.id));
  await tab.getByRole('button', {name: `Continue as ${person.name}`}).click();
  await tab.getByRole('heading', {name: 'Platform'}).waitFor();
  return tab;
}

/** All data that the page could leave for the next person. */
const kept = (page: Page): Promise<string> =>
  page.evaluate(`(async () => {
    const databases = await indexedDB.databases();
    const caches = await globalThis.caches.keys();
    return JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href, history.state,
      databases, caches, document.documentElement.outerHTML]);
  })()`);

it('a person who signs in as another member is that member in all tabs', async () => {
  dashboard = await stage.signIn(ada, {path: '/sessions'});
  await dashboard.page.getByText('Ada Lovelace').first().waitFor();
  await signInElsewhere(grace);
  await dashboard.page.getByText('Grace Hopper').first().waitFor();
  await expectEventually(() => dashboard.page.locator('body').innerText()).not.toContain('Ada Lovelace');
  await expectInnocent(dashboard, {refusals: [401]});
});

it('a revoked session ends in the open page, and another sign-in restores the page with its draft', async () => {
  dashboard = await stage.signIn(ada, {path: '/t/platform?write=platform'});
  await field(dashboard.page).fill('Not posted yet.');
  const {body} = await stage.workspace.request('GET', '/v1/tokens?kind=session', {token: ada.token});
  const [session] = body.data;
  await stage.workspace.request('DELETE', `/v1/tokens/${session.id}`, {token: ada.token});
  await signInPage(dashboard.page);
  await signInElsewhere(ada);
  await panel(dashboard.page).waitFor();
  await expectEventually(() => field(dashboard.page).inputValue()).toBe('Not posted yet.');
  await expectInnocent(dashboard, {refusals: [401]});
});

it('a page shows the member whose session cookie is the newest, and no longer the earlier member', async () => {
  dashboard = await stage.signIn(ada, {path: '/t/platform'});
  await untilQuiet(dashboard);
  await signInAt(stage.service.url, dashboard.context, await makeLink(stage.workspace, grace.id));
  await dashboard.go('/sessions');
  await dashboard.page.getByText('Grace Hopper').first().waitFor();
  await expectEventually(() => dashboard.page.locator('body').innerText()).not.toContain('Ada Lovelace');
  await expectInnocent(dashboard);
});

it('a removed member is signed out of the open page', async () => {
  const alan = await stage.addPerson({name: 'Alan Turing', team: 'platform'});
  dashboard = await stage.signIn(alan, {path: '/t/platform'});
  await untilQuiet(dashboard);
  await stage.workspace.request('DELETE', `/v1/members/${alan.id}`);
  await signInPage(dashboard.page);
  expect(await kept(dashboard.page)).not.toContain('Alan');
  await expectInnocent(dashboard, {refusals: [401]});
});

it('regression: a written text is not posted in the name of another person who has signed in at a provider in the meantime', async () => {
  dashboard = await stage.signIn(ada, {path: '/t/platform?write=platform'});
  const {page, context} = dashboard;
  await panel(page).getByLabel('Today').fill('Only Ada says this.');
  // As a sign-in by a provider does: it sets another cookie, and no page informs the other tabs.
  await signInAt(stage.service.url, context, await makeLink(stage.workspace, grace.id));
  await panel(page).getByRole('button', {name: /^Post/}).click();
  const account = {name: /Grace Hopper.*Analytical Engines/, includeHidden: true};
  await page.getByRole('button', account).first().waitFor({state: 'attached'});
  await page.getByRole('heading', {name: 'Platform', exact: true, includeHidden: true}).waitFor();
  expect(await page.content()).not.toContain('Only Ada');
  expect((await stage.workspace.request('GET', '/v1/standups')).body.data).toEqual([]);
  await expectInnocent(dashboard, {refusals: [401]});
});

it('regression: a notice with Undo disappears before the next person signs in', async () => {
  dashboard = await stage.signIn(ada, {path: '/t/platform?write=platform'});
  const {page} = dashboard;
  await panel(page).getByLabel('Today').fill('Only Ada says this.');
  await panel(page).getByRole('button', {name: /^Post/}).click();
  const undo = page.getByRole('button', {name: 'Undo'});
  await undo.waitFor();
  await page.getByRole('listitem').filter({has: undo}).hover();
  await signInElsewhere(grace);
  await page
    .getByRole('button', {name: /Grace Hopper.*Analytical Engines/})
    .first()
    .waitFor();
  await expectEventually(() => undo.count()).toBe(0);
});
