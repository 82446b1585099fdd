import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import {expectInnocent} from './support/innocent.js';
import {openDashboard, type BrowserStage, type Tab, type TabOptions} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let tab: Tab | undefined;

beforeAll(async () => {
  stage = await openDashboard({ROLES: 'web'});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', role: 'admin'});
});

afterEach(async () => {
  if (tab !== undefined) await expectInnocent(tab);
  await tab?.close();
  tab = undefined;
});

afterAll(() => stage.close());

/** Opens a signed-in browser that runs `script` before the scripts of every page. */
async function openWith(script: string, options: TabOptions = {}): Promise<Page> {
  tab = await stage.signIn(ada, {path: '/sessions', ...options, script, fresh: true});
  return tab.page;
}

const refuseStorage = `
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(globalThis, name, {
      get: () => { throw new DOMException('Access is denied for this document.', 'SecurityError'); },
    });
  }`;

const fillStorage = `
  Storage.prototype.setItem = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  };`;

const speakPosix = `
  Object.defineProperty(navigator, 'languages', {get: () => ['en-US@posix', 'C']});
  Object.defineProperty(navigator, 'language', {get: () => 'en-US@posix'});`;

const forgetZone = `
  const {resolvedOptions} = Intl.DateTimeFormat.prototype;
  Intl.DateTimeFormat.prototype.resolvedOptions = function () {
    return {...resolvedOptions.call(this), timeZone: 'Etc/Unknown'};
  };`;

const loseSecureContext = `
  Object.defineProperty(crypto, 'randomUUID', {value: undefined});
  Object.defineProperty(navigator, 'locks', {value: undefined});
  Object.defineProperty(navigator, 'clipboard', {value: undefined});`;

describe('regression: the dashboard', () => {
  it.each([
    ['storage that is blocked', refuseStorage],
    ['storage that is full', fillStorage],
    ['a language that Intl does not know', speakPosix],
    ['a page that came by plain http', loseSecureContext],
  ])('works and posts when the browser has %s', async (name, before) => {
    const page = await openWith(before, {path: '/?write=platform'});
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', {name: 'Today'}).fill(`Written with ${name}`);
    await dialog.getByRole('button', {name: 'Post'}).click();
    await expectEventually(() => page.locator('main').innerText()).toContain(`Written with ${name}`);
  });

  it('keeps a setting until the page is closed if the browser’s storage refuses it', async () => {
    const page = await openWith(fillStorage, {width: 1280});
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByRole('switch').or(page.getByRole('checkbox')).first().click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await expectEventually(() => page.url()).toContain('/sessions');
  });
});

it('regression: a new team begins in UTC where the browser does not know its time zone', async () => {
  const page = await openWith(forgetZone, {path: '/teams/new'});
  await expectEventually(() => page.getByRole('combobox', {name: /time zone/i}).inputValue()).toMatch(/^UTC/);
});

it('a page that cannot be rendered says so and offers to reload it', async () => {
  const broken = await stage.signIn(ada, {path: '/sessions'});
  // The service never answers like this, so the violations of this tab are not checked.
  await broken.page.route('**/v1/webhooks?*', (route) =>
    route.fulfill({json: {data: [{}], has_more: false, next_cursor: null}}),
  );
  await broken.page.goto(`${stage.service.url}/app/webhooks`);
  await broken.page.getByRole('heading', {name: 'Something went wrong on this page'}).waitFor();
  await broken.page.unroute('**/v1/webhooks?*');
  await broken.page.getByRole('button', {name: 'Reload'}).click();
  await broken.page.getByRole('heading', {level: 1, name: 'Webhooks'}).waitFor();
  await broken.close();
});

it('regression: an Enter key that ends the composition of a word in Safari runs no command', async () => {
  const page = await openWith('');
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox');
  await field.fill('History');
  const isLeftAlone = await page.evaluate(`
    document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, bubbles: true, cancelable: true}),
    )`);
  expect(isLeftAlone).toBe(true);
  expect(page.url()).toContain('/sessions');
  await page.keyboard.press('Enter');
  await expectEventually(() => page.url()).toContain('/history');
});

it.each([
  ['nothing is typed', ''],
  ['the typed text is no option', 'Atlantis'],
])('regression: Escape closes a combo box in which %s', async (_, typed) => {
  const page = await openWith('', {path: '/teams/new'});
  const box = page.getByRole('combobox', {name: /time zone/i});
  await box.click();
  await box.fill(typed);
  await expectEventually(() => box.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Escape');
  await expectEventually(() => box.getAttribute('aria-expanded')).toBe('false');
});

it('regression: Escape closes a combo box in which nothing was ever chosen', async () => {
  const page = await openWith('', {path: '/t/platform/settings'});
  const box = page.getByRole('combobox', {name: 'Person', exact: true});
  await box.focus();
  await page.keyboard.press('ArrowDown');
  await expectEventually(() => box.getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Escape');
  await expectEventually(() => box.getAttribute('aria-expanded')).toBe('false');
});

it('regression: every field has a font of at least 16 px on a phone, which would otherwise zoom in', async () => {
  const page = await openWith('', {touch: true, width: 390, height: 844});
  const small: Record<string, readonly string[]> = {};
  const pages = ['/?write=platform', '/people', '/teams/new', '/t/platform/settings'];
  for (const path of pages) {
    await page.goto(`${stage.service.url}/app${path}`);
    await page.locator(':is(input, textarea, select):visible').first().waitFor();
    small[path] = await page.evaluate(`
      [...document.querySelectorAll('input, textarea, select')]
        .filter(({type, offsetParent}) => offsetParent !== null && !['radio', 'checkbox'].includes(type))
        .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
        .map((field) => field.outerHTML.slice(0, 120))`);
  }
  expect(small).toEqual(Object.fromEntries(pages.map((path) => [path, []])));
});
