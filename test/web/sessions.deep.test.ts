import {afterAll, beforeAll, it} from '@jest/globals';
import type {Person} from '../api/people.js';
import {makeLink} from '../dashboard/test-browser.js';
import {expectEventually} from '../support/expect-eventually.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage} from './support/stage.js';

let stage: BrowserStage;
let owner: Person;

beforeAll(async () => {
  stage = await openDashboard();
  owner = await stage.addPerson({name: 'Olga Owner', role: 'owner'});
  await stage.addPerson({name: 'Ada Lovelace', email: 'ada@example.com'});
});

afterAll(() => stage.close());

it('an owner makes a sign-in link for a member, and the link signs the member in', async () => {
  const tab = await stage.signIn(owner, {path: '/sessions'});
  const {page} = tab;
  await page.getByLabel('For a member').fill('nobody@example.com');
  await page.getByRole('button', {name: 'Create link'}).click();
  await page.getByRole('alert').first().waitFor();
  await page.getByLabel('For a member').fill('ada@example.com');
  await page.getByRole('button', {name: 'Create link'}).click();
  await page.getByText('Link for Ada Lovelace. Copy it now; it is not shown again:').waitFor();
  await look(tab, 'sessions-link');
  const url = await page.locator('code', {hasText: '/app/sign-in#'}).innerText();
  const hers = await stage.open({path: '/sign-in'});
  await hers.page.goto(url);
  await hers.page.getByRole('button', {name: 'Continue as Ada Lovelace'}).click();
  await hers.page.getByRole('navigation', {name: 'Main'}).first().waitFor();
  await expectInnocent(tab, {refusals: [400, 404, 422]});
  await hers.close();
});

it('a page for sensitive actions says when its 15 minutes are over, and confirming restores it with the typed text', async () => {
  // Links expire by the clock of Redis, so the test clock must not be behind it.
  const begins = Date.now() + 3_600_000;
  const later = await openDashboard({}, {at: new Date(begins).toISOString()});
  const after = (minutes: number) => later.moveTo(new Date(begins + minutes * 60_000).toISOString());
  try {
    const person = await later.addPerson({name: 'Ada Lovelace', role: 'admin'});
    const hers = await later.signIn(person, {path: '/sessions'});
    await hers.page.getByText('This browser', {exact: true}).waitFor();
    await hers.page.getByLabel('For a member').fill('grace@example.com');
    await after(13);
    await hers.page.getByText(/this page will ask you to confirm again/).waitFor();
    await after(16);
    await hers.page.getByRole('heading', {name: 'Confirm again that it’s you'}).waitFor();
    await look(hers, 'sessions-confirm');
    await expectEventually(() => hers.page.getByText('This browser', {exact: true}).count()).toBe(0);
    const tab = await hers.openTab('/sign-in');
    await tab.goto(await makeLink(later.workspace, person.id));
    await tab.getByRole('button', {name: 'Continue as Ada Lovelace'}).click();
    await hers.page.getByText('This browser', {exact: true}).waitFor();
    await expectEventually(() => hers.page.getByLabel('For a member').inputValue()).toBe('grace@example.com');
    await after(32);
    await hers.go('/sessions');
    await hers.page.getByRole('heading', {name: 'Confirm it’s you'}).waitFor();
    await hers.page.getByRole('button', {name: 'Sign out everywhere'}).click();
    await hers.page.getByRole('heading', {name: 'Sign in'}).waitFor();
    await expectInnocent(hers, {refusals: [401, 403]});
  } finally {
    await later.close();
  }
});
