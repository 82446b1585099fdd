import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {makeLink} from '../dashboard/test-browser.js';
import {expectEventually} from '../support/expect-eventually.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, untilQuiet, type Tab} from './support/stage.js';

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
  it('says that it was used before, and where to get another link', async () => {
    const page = await openLink();
    const url = await makeLink(stage.workspace, ada.id);
    await page.goto(url);
    await proceed(page).click();
    await signedIn(page);
    await page.goto(url);
    await heading(page, 'Sign-in failed').waitFor();
    await expectEventually(() => page.locator('main').innerText()).toContain('used before');
    await expectEventually(() => page.locator('main').innerText()).toContain('/standup web');
    await look(tab, 'sign-in-used');
    await expectInnocent(tab, {refusals: [401]});
  });

  it('regression: asks first when it is opened in a signed-in page', async () => {
    tab = await stage.signIn(ada);
    const {page} = tab;
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/app/session/token', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${stage.service.url}/app/sign-in`);
    await heading(page, 'Sign in').waitFor();
    await page.goto(await makeLink(stage.workspace, ada.id));
    await proceed(page).waitFor();
    const answered = page.waitForResponse('**/app/session/token');
    answer();
    await (await answered).finished();
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    expect(await proceed(page).count()).toBe(1);
    await proceed(page).click();
    await signedIn(page);
  });

  it('works by keyboard alone', async () => {
    const page = await openLink();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await signedIn(page);
    expect(await tab.context.cookies()).toHaveLength(1);
  });
});

describe('a person who is not signed in', () => {
  it('is led to no other site after signing in', async () => {
    tab = await stage.open({path: '/sign-in'});
    const {page} = tab;
    const secret = (await makeLink(stage.workspace, ada.id)).split('#')[1];
    await page.goto(`${stage.service.url}/app/sign-in?to=${encodeURIComponent('//evil.example')}#${secret}`);
    await proceed(page).click();
    await signedIn(page);
    await expectEventually(() => page.url()).toBe(`${stage.service.url}/app/`);
  });
});

it('regression: an address with an unknown problem code still shows the sign-in page', async () => {
  tab = await stage.open({path: '/sign-in?problem=__proto__'});
  await heading(tab.page, 'Sign-in failed').waitFor();
  await expectEventually(() => tab.page.locator('main').innerText()).toContain('/standup web');
});

it('no page links to Slack where it is not set up, and the first screen leads to inviting people', async () => {
  const plain = await openDashboard();
  try {
    const {workspace} = plain;
    const owner = await plain.addPerson({name: 'Ada Lovelace', team: 'platform', role: 'owner'});
    tab = await plain.open({path: '/sign-in'});
    const main = () => tab.page.locator('main').innerText();
    await heading(tab.page, 'Sign in').waitFor();
    await expectEventually(main).not.toContain('Slack');
    await expectEventually(main).toContain('admin -- login');
    await tab.close();
    tab = await plain.signIn(owner, {path: '/t/platform'});
    await tab.page.getByRole('heading', {name: 'Get your team going'}).waitFor();
    await expectEventually(main).not.toMatch(/Slack|API|command line/);
    await look(tab, 'first-screen');
    await tab.page.getByRole('button', {name: 'Invite people'}).waitFor();
    await tab.page.getByRole('link', {name: 'Choose days'}).click();
    await tab.page.getByText('Slack is not set up on this server. These settings').waitFor();
    await workspace.request('POST', '/v1/teams', {body: {slug: 'empty'}});
    await tab.go('/t/empty');
    await tab.page.getByText('This team has no members yet').waitFor();
    await expectEventually(main).not.toContain('Slack');
    await tab.go('/people');
    await tab.page.getByRole('list').first().waitFor();
    await expectEventually(main).not.toContain('Not in Slack');
    await tab.go('/workspace');
    await tab.page.getByText('Slack is not set up on this server.').waitFor();
    await untilQuiet(tab);
    expect(await main()).not.toMatch(/\/standup|was to be posted/);
  } finally {
    await plain.close();
  }
});

describe('signing out', () => {
  it('regression: says that it failed and that the person is still signed in', async () => {
    tab = await stage.signIn(ada, {path: '/sessions'});
    const {page} = tab;
    await page.route('**/app/session', (route) => route.abort());
    await page.getByRole('button', {name: ada.name}).first().click();
    const account = page.getByRole('group', {name: 'Account'}).first();
    await account.getByRole('button', {name: 'Sign out'}).click();
    await account.getByText('The service does not answer.').waitFor({timeout: 5_000});
    await page.unroute('**/app/session');
    await account.getByRole('button', {name: 'Sign out'}).click();
    await heading(page, 'Sign in').waitFor();
  });

  it('ends the session of the browser, in all its tabs', async () => {
    tab = await stage.signIn(ada, {path: '/sessions'});
    const other = await tab.openTab('/sessions');
    await signedIn(other);
    await tab.page.getByRole('button', {name: 'Sign out', exact: true}).first().click();
    await heading(tab.page, 'Sign in').waitFor();
    await heading(other, 'Sign in').waitFor();
    expect(await tab.context.cookies()).toEqual([]);
  });

  it('signs another browser out at once when it is for all sessions', async () => {
    tab = await stage.signIn(ada, {path: '/sessions'});
    const there = await stage.signIn(ada, {path: '/sessions'});
    await tab.page.getByRole('button', {name: 'Sign out everywhere'}).click();
    await heading(tab.page, 'Sign in').waitFor();
    await there.page.reload();
    await heading(there.page, 'Sign in').waitFor();
    expect(await there.context.cookies()).toEqual([]);
  });
});
