import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import type {Log} from '../../src/domain/core/log.js';
import type {Person} from '../api/people.js';
import {expectInnocent} from './support/innocent.js';
import {openDashboard, type BrowserStage, untilQuiet, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let tab: Tab;
const lines: string[] = [];
const line = (fields: object, message: string, cause?: unknown): void =>
  void lines.push(JSON.stringify([fields, message, cause]));
const log: Log = {debug: line, info: line, warn: line, error: line};

beforeAll(async () => {
  stage = await openDashboard({}, {name: 'Analytical Engines', log});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform'});
});

afterEach(() => tab.close());
afterAll(() => stage.close());

const signInPage = (page: Page) => page.getByRole('heading', {name: 'Sign in', exact: true}).waitFor();
const panel = (page: Page) => page.getByRole('dialog', {name: 'Write your standup'});
const field = (page: Page) => panel(page).getByRole('textbox').first();

/** All data that the page could leave for the next person. */
const kept = (page: Page): Promise<string> =>
  page.evaluate(`(async () => {
    const databases = await indexedDB.databases();
    const caches = await globalThis.caches.keys();
    return JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href, history.state,
      databases, caches, document.documentElement.outerHTML]);
  })()`);

it('the page’s access token is in no storage, no address, no page and no line of the log', async () => {
  tab = await stage.signIn(ada, {path: '/t/platform'});
  await untilQuiet(tab);
  const sent = tab.requests.flatMap(({headers}) => headers['authorization']?.slice('Bearer '.length) ?? []);
  const [cookie] = await tab.context.cookies();
  const secrets = [...new Set([...sent, cookie?.value ?? ''])];
  expect(secrets.length).toBeGreaterThan(1);
  const texts = {
    page: await kept(tab.page),
    log: lines.join('\n'),
    asked: tab.requests.map(({path}) => path).join('\n'),
  };
  const leaks = secrets.flatMap((secret) =>
    Object.entries(texts).flatMap(([name, text]) => (text.includes(secret.slice(-40)) ? [name] : [])),
  );
  expect(leaks).toEqual([]);
  expect(lines.length).toBeGreaterThan(3);
  await expectInnocent(tab);
});

it('signing out empties all tabs, and removes the drafts', async () => {
  tab = await stage.signIn(ada, {path: '/t/platform?write=platform'});
  await field(tab.page).fill('A draft of Ada.');
  const other = await tab.openTab('/history');
  expect(await kept(other)).toContain('A draft of Ada.');
  await other.getByRole('button', {name: 'Ada Lovelace'}).first().click();
  await other.getByRole('button', {name: 'Sign out', exact: true}).click();
  for (const page of [other, tab.page]) {
    await signInPage(page);
    expect(await kept(page)).not.toMatch(/A draft|Ada|Platform/);
  }
  await expectInnocent(tab, {refusals: [401]});
});
