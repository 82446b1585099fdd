import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {makeLink} from '../dashboard/test-browser.js';
import {deep} from '../support/deep.js';
import {expectEventually} from '../support/expect-eventually.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let tab: Tab;

beforeAll(async () => {
  const slack = {
    SLACK_BOT_TOKEN: 'xoxb-a-token',
    SLACK_SIGNING_SECRET: 'a-signing-secret',
    SLACK_API_URL: 'http://127.0.0.1:1/',
  };
  stage = await openDashboard(slack, {name: 'Analytical Engines'});
  ada = await stage.addPerson({name: 'Ada <img src=x onerror=alert(1)> Lovelace', team: 'platform'});
});

afterAll(() => stage.close());
afterEach(() => tab.close());

const heading = (page: Page, name: string) => page.getByRole('heading', {name, exact: true});
const proceed = (page: Page) => page.getByRole('button', {name: `Continue as ${ada.name}`, exact: true});
const signedIn = (page: Page) => page.getByRole('navigation', {name: 'Main'}).first().waitFor();

async function openLink(): Promise<Page> {
  tab = await stage.open({path: '/sign-in'});
  await tab.page.goto(await makeLink(stage.workspace, ada.id));
  await proceed(tab.page).waitFor();
  return tab.page;
}

describe('a sign-in link', () => {
  it('asks first, signs in, and leaves no trace in the address, the history or the storage', async () => {
    const page = await openLink();
    await expectEventually(() => page.locator('main').innerText()).toContain('“Analytical Engines”');
    await expectEventually(() => page.url()).not.toContain('#');
    await look(tab, 'sign-in-link');
    await proceed(page).click();
    await signedIn(page);
    await expectEventually(() => new URL(page.url()).pathname).toBe('/app/');
    const kept: string = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href, history.state])',
    );
    expect(kept).not.toMatch(/eyJ|[\w-]{43}/);
    const [cookie] = await tab.context.cookies();
    expect(cookie).toMatchObject({name: 'standup', httpOnly: true, sameSite: 'Strict', path: '/'});
    await expectInnocent(tab, {refusals: [401]});
  });
});

it('regression: a sign-in opens the app although the service does not grant its token at first', async () => {
  const page = await openLink();
  let asked = 0;
  await page.route('**/app/session/token', (route) => {
    asked += 1;
    if (asked === 1) return route.fulfill({status: 503});
    return asked === 2 ? route.abort('connectionreset') : route.continue();
  });
  await proceed(page).click();
  await expectEventually(() => asked).toBe(3);
  await signedIn(page);
});

describe('a person who is not signed in', () => {
  it('sees at every address how to sign in, and then returns to that address', async () => {
    tab = await stage.open({path: '/sessions'});
    const {page} = tab;
    await heading(page, 'Sign in').waitFor();
    await expectEventually(() => page.locator('main').innerText()).toContain('/standup web');
    if (deep) await look(tab, 'sign-in-ways');
    await page.evaluate(
      `location.hash = ${JSON.stringify((await makeLink(stage.workspace, ada.id)).split('#')[1])}`,
    );
    await proceed(page).click();
    await heading(page, 'Sessions').waitFor();
    await expectInnocent(tab, {refusals: [401]});
  });
});

it('no other site can frame the sign-in page', async () => {
  const page = await stage.browser.newPage();
  await page.setContent(`<iframe src="${stage.service.url}/app/sign-in"></iframe>`);
  await until(() => page.frames()[1]?.url().startsWith('chrome-error:'));
  await page.close();
});
