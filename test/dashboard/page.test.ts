import {afterAll, afterEach, beforeAll, beforeEach, expect, it} from '@jest/globals';
import type {Browser, BrowserContext, Page} from 'playwright-core';
import {mkdir} from 'node:fs/promises';
import {addPerson, type Person} from '../api/people.js';
import {type Misdeeds, startBrowser, watch} from '../support/browser.js';
import {findFreePort} from '../support/free-port.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {makeLink} from './visitor.js';

let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let misdeeds: Misdeeds;

beforeAll(async () => {
  const port = String(await findFreePort());
  service = await startService({env: {PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`}});
  workspace = await service.addWorkspace('Analytical Engines');
  ada = await addPerson(service, workspace, {name: 'Ada <img src=x onerror=alert(1)> Lovelace'});
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
  await service.close();
});

beforeEach(async () => {
  context = await browser.newContext({viewport: {width: 1280, height: 900}});
  ({page, misdeeds} = await watch(context, service.url));
  page.setDefaultTimeout(20_000);
});

afterEach(() => context.close());

/** The browser's own words for a refusal that the page asked for. */
const unlike401 = (text: string) => !text.includes('401');
const heading = (name: string) => page.getByRole('heading', {name, exact: true});
const button = (name: string) => page.getByRole('button', {name, exact: true});

async function signIn(): Promise<void> {
  await page.goto(await makeLink(workspace, ada.id));
  await button(`Continue as ${ada.name}`).click();
  await heading(`Hello, ${ada.name}`).waitFor();
}

/** `SCREENSHOTS=folder` keeps what is seen. */
async function keep(name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, {recursive: true});
  for (const scheme of ['light', 'dark'] as const) {
    for (const width of [1280, 360]) {
      await page.emulateMedia({colorScheme: scheme});
      await page.setViewportSize({width, height: 900});
      await page.screenshot({path: `${folder}/${name}-${scheme}-${width}.png`});
    }
  }
}

it('a link asks first, signs in, and leaves nothing of it in the address, the history or the storage', async () => {
  const url = await makeLink(workspace, ada.id);
  await page.goto(url);
  await heading('Sign in').waitFor();
  expect(await page.locator('.card').first().innerText()).toContain('“Analytical Engines”');
  expect(page.url()).not.toContain('#');
  await keep('link');
  await button(`Continue as ${ada.name}`).click();
  await heading(`Hello, ${ada.name}`).waitFor();
  expect(new URL(page.url()).pathname).toBe('/app/sign-in');
  await keep('signed-in');
  const kept = await page.evaluate(
    'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])',
  );
  expect(kept).toBe(JSON.stringify([{}, {}, '', `${service.url}/app/sign-in`]));
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({name: 'standup', httpOnly: true, sameSite: 'Strict', path: '/'});
  expect(misdeeds).toEqual({errors: [], violations: [], foreign: []});
});

it('a link that was used says so, with where another one is from', async () => {
  const url = await makeLink(workspace, ada.id);
  await page.goto(url);
  await button(`Continue as ${ada.name}`).click();
  await heading(`Hello, ${ada.name}`).waitFor();
  await page.goto(url);
  await heading('This did not work').waitFor();
  expect(await page.locator('.card').first().innerText()).toContain('used before');
  expect(await page.locator('.card').first().innerText()).toContain('npm run standup -- login');
  await keep('used-link');
  expect({...misdeeds, errors: misdeeds.errors.filter(unlike401)}).toEqual({
    errors: [],
    violations: [],
    foreign: [],
  });
});

it('whoever is not signed in is told how to, and whoever signs out is not any more', async () => {
  await page.goto(`${service.url}/app/sign-in`);
  await heading('You are not signed in').waitFor();
  await keep('signed-out');
  await signIn();
  await page.reload();
  await heading(`Hello, ${ada.name}`).waitFor();
  await button('Sign out').click();
  await heading('You are not signed in').waitFor();
  expect(await context.cookies()).toEqual([]);
});

it('signing out everywhere signs out another browser too', async () => {
  await signIn();
  const other = await browser.newContext();
  try {
    const there = await other.newPage();
    await there.goto(await makeLink(workspace, ada.id));
    await there.getByRole('button').click();
    await there.getByRole('heading', {name: `Hello, ${ada.name}`}).waitFor();
    await button('Sign out everywhere').click();
    await heading('You are not signed in').waitFor();
    await there.reload();
    await there.getByRole('heading', {name: 'You are not signed in'}).waitFor();
    expect(await other.cookies()).toEqual([]);
  } finally {
    await other.close();
  }
});

it('is worked by keyboard alone', async () => {
  await page.goto(await makeLink(workspace, ada.id));
  await button(`Continue as ${ada.name}`).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await heading(`Hello, ${ada.name}`).waitFor();
  expect(await context.cookies()).toHaveLength(1);
});

it('fits a phone', async () => {
  await page.setViewportSize({width: 360, height: 740});
  await signIn();
  const width = await page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(360);
});

it('is not framed by another page', async () => {
  await page.setContent(`<iframe src="${service.url}/app/sign-in"></iframe>`);
  await until(() => misdeeds.errors.some((text) => text.includes('frame-ancestors')));
  expect(await page.frames()[1]?.locator('.brand').count()).toBe(0);
});
