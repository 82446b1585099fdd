import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import {readFile} from 'node:fs/promises';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import {seedStandups} from '../support/seed-standups.js';
import {sendRequest} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let grace: Person;
let tab: Tab;
let page: Page;

beforeAll(async () => {
  stage = await openDashboard({}, {at: '2035-11-23T09:30:00Z'});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', role: 'admin'});
  grace = await stage.addPerson({name: 'Grace Hopper', team: 'platform'});
});

afterEach(() => tab.close());

afterAll(() => stage.close());

async function open(path: string, options: Parameters<BrowserStage['signIn']>[1] = {}): Promise<void> {
  tab = await stage.signIn(ada, {path, ...options});
  page = tab.page;
}

const ask = (person: Person, method: string, path: string, body?: unknown) =>
  sendRequest(stage.service.url, method, path, {token: person.token, body});

async function post(person: Person, update: string, date = '2035-11-23'): Promise<string> {
  const {status, body} = await ask(person, 'POST', '/v1/standups', {team: 'platform', update, date});
  expect(status).toBe(201);
  return body.id;
}

const cards = () => page.getByRole('article');
const inTheMiddle = 'document.elementFromPoint(700, 500).closest("section").innerText';
const searchOf = () => new URL(page.url()).search;

it('the history without standups says so and opens the write panel', async () => {
  await open('/history');
  await page.getByRole('heading', {name: 'No standups yet'}).waitFor();
  await look(tab, 'history-empty');
  await page.getByRole('button', {name: 'Write the first'}).click();
  await page.waitForURL(/write=/);
  await expectInnocent(tab);
});

it('standups load page after page, each once, and going back restores the scroll position', async () => {
  await seedStandups(
    stage.service.redisUrl,
    {...stage.workspace, principal: {type: 'member', id: grace.id, name: grace.name}},
    {
      count: 120,
      days: 60,
      from: '2035-09-15',
      update: (i) => `Yesterday: ticket ${i}.\nToday: ticket ${i + 1}.`,
    },
  );
  await open('/history');
  await cards().first().waitFor();
  await until(async () => {
    await page.mouse.wheel(0, 20_000);
    return (await cards().count()) === 120;
  });
  const texts = await cards().allInnerTexts();
  expect(new Set(texts.map((text) => /Yesterday: ticket \d+\./.exec(text)?.[0])).size).toBe(120);
  await page.getByText('That is all.').waitFor();
  const days = await page.locator('main h2').allInnerTexts();
  expect(days).toHaveLength(60);
  expect([days[0], days.at(-1)]).toEqual(['Tuesday 13 Nov', 'Saturday 15 Sept']);

  await page.evaluate('scrollTo(0, 9000)');
  const seen = await page.evaluate(inTheMiddle);
  await page.getByRole('link', {name: 'Calendar', exact: true}).click();
  await page.getByRole('heading', {level: 1, name: 'Calendar'}).waitFor();
  await page.goBack();
  await cards().nth(119).waitFor();
  await until(async () => (await page.evaluate('scrollY')) === 9000);
  await expectEventually(() => page.evaluate(inTheMiddle)).toBe(seen);
  await expectInnocent(tab);
});

it('regression: the next page loads for a viewer who reached the list’s end while its pages were read again', async () => {
  await open('/history');
  await cards().first().waitFor();
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let asked = false;
  await page.route(/\/v1\/standups\?(?!.*cursor=)/, async (route) => {
    asked = true;
    await held;
    await route.continue();
  });
  // A page that cannot read the changed standup refetches its list.
  await page.route('**/v1/standups/*', (route) => route.fulfill({status: 403, body: ''}));
  await post(grace, 'A late one.', '2035-09-01');
  await until(() => asked);
  await page.mouse.wheel(0, 200_000);
  const end = 'scrollY > 0 && innerHeight + scrollY > document.body.scrollHeight - 400';
  await until(() => page.evaluate<boolean>(end));
  const before = await cards().count();
  answer();
  await until(async () => (await cards().count()) > before);
});

it('an export equals the API’s export with the same filters byte for byte, is written to the chosen file, and can be cancelled', async () => {
  await open('/history?q=ticket%202&from=2035-10-01');
  await page.getByRole('button', {name: 'Export'}).click();
  const picker = 'globalThis.showSaveFilePicker';
  await page.evaluate(`delete ${picker}`);
  for (const [format, label] of [
    ['csv', 'CSV, for spreadsheets'],
    ['ndjson', 'JSON Lines, for programs'],
  ] as const) {
    await page.getByRole('radio', {name: label}).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', {name: 'Download'}).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`standups-2035-11-23.${format}`);
    const bytes = await readFile(await download.path(), 'utf8');
    const query = `q=ticket%202&date_from=2035-10-01&format=${format}`;
    const mark = format === 'csv' ? '\uFEFF' : '';
    expect(bytes).toBe(`${mark}${(await ask(ada, 'GET', `/v1/export?${query}`)).text}`);
    expect(bytes.length).toBeGreaterThan(1_000);
  }

  await page.evaluate(`${picker} = async () =>
    (await navigator.storage.getDirectory()).getFileHandle('chosen', {create: true})`);
  const readChosen = `navigator.storage.getDirectory().then((root) => root.getFileHandle('chosen'))
    .then((file) => file.getFile()).then((file) => file.text())`;
  await page.getByRole('button', {name: 'Download'}).click();
  const query = 'q=ticket%202&date_from=2035-10-01&format=ndjson';
  const {text} = await ask(ada, 'GET', `/v1/export?${query}`);
  await expectEventually(() => page.evaluate(readChosen)).toBe(text);
  await page.route('**/v1/export*', () => undefined);
  await page.getByRole('button', {name: 'Download'}).click();
  await page.getByRole('button', {name: 'Cancel'}).click();
  await page.getByText('Cancelled. Nothing was saved.').waitFor();
  await expectEventually(() => page.evaluate(readChosen)).toBe(text);
  await expectInnocent(tab);
});

it('a deleted standup is restored by Undo, and is deleted once the notice or the page is closed', async () => {
  const [first, second] = [
    await post(ada, 'To be deleted at once.'),
    await post(ada, 'To be deleted in leaving.'),
  ];
  await open('/history?author=me');
  const card = (text: string) => cards().filter({hasText: text});
  await card('at once').getByRole('button', {name: 'Delete'}).click();
  await until(async () => (await card('at once').count()) === 0);
  await page.getByRole('button', {name: 'Undo'}).click();
  await card('at once').getByRole('button', {name: 'Delete'}).click();
  await page.getByRole('button', {name: 'Dismiss'}).click();
  await until(async () => (await ask(ada, 'GET', `/v1/standups/${first}`)).status === 404);
  await card('in leaving').getByRole('button', {name: 'Delete'}).click();
  await until(async () => (await card('in leaving').count()) === 0);
  expect((await ask(ada, 'GET', `/v1/standups/${second}`)).status).toBe(200);
  await page.goto('about:blank');
  await until(async () => (await ask(ada, 'GET', `/v1/standups/${second}`)).status === 404);
});

it('new standups wait while the viewer reads further down, and edited standups change in place', async () => {
  const edited = await post(grace, 'Half a sentence');
  await open('/history');
  await cards().filter({hasText: 'Half a sentence'}).waitFor();
  await page.evaluate('scrollTo(0, 900)');
  // The reactions and comments below each standup are loaded when it comes into view.
  await expectEventually(() => page.evaluate(inTheMiddle)).toMatch(/Comment/);
  const seen = await page.evaluate(inTheMiddle);
  await post(grace, 'Just come in.');
  const arrived = page.getByRole('button', {name: '1 new standup'});
  await arrived.waitFor();
  await ask(grace, 'PATCH', `/v1/standups/${edited}`, {update: 'A whole sentence.'});
  await cards().filter({hasText: 'A whole sentence.'}).waitFor();
  await expectEventually(() => cards().filter({hasText: 'Just come in.'}).count()).toBe(0);
  await expectEventually(() => page.evaluate(inTheMiddle)).toBe(seen);
  await arrived.click();
  await cards().filter({hasText: 'Just come in.'}).waitFor();
  await until(async () => (await page.evaluate('scrollY')) === 0);
  await post(grace, 'At the top they come by themselves.');
  await cards().filter({hasText: 'by themselves'}).waitFor();
  await expectInnocent(tab);
});

it('the link to a standup shows only that standup and leads to others of its day, or says that it no longer exists', async () => {
  const id = await post(ada, 'The one that is linked to.');
  await open(`/history?standup=${id}`);
  await page.getByRole('heading', {level: 1, name: 'Standup by Ada Lovelace'}).waitFor();
  await expectEventually(() => cards().count()).toBe(1);
  await page.getByRole('link', {name: 'All standups of Platform on 23 Nov'}).click();
  await page.waitForURL(/[?]team=platform&from=2035-11-23&to=2035-11-23$/);
  await page.goBack();
  await cards().filter({hasText: 'linked to'}).waitFor();
  await ask(ada, 'DELETE', `/v1/standups/${id}`);
  await page.getByRole('heading', {name: 'Standup not found'}).waitFor();
  await tab.go('/history?standup=std_nothing');
  await page.getByRole('heading', {name: 'Standup not found'}).waitFor();
  await expectInnocent(tab, {refusals: [404]});
});

it('the address stores the filters: each is a chip that one press removes, and going back restores it', async () => {
  const filters = '?q=ticket+1&from=2035-10-25&team=platform';
  await open(`/history${filters}`);
  const chips = page.getByRole('list', {name: 'Active filters'}).getByRole('button');
  await expectEventually(() => chips.allInnerTexts()).toEqual([
    '“ticket 1”',
    'Team: Platform',
    'From 25 Oct',
  ]);
  await page.getByRole('button', {name: 'Remove the filter: From 25 Oct'}).click();
  await until(() => searchOf() === '?q=ticket+1&team=platform');
  await page.goBack();
  await until(() => searchOf() === filters);
  await page.getByRole('textbox', {name: 'Search in standups'}).fill('nowhere');
  await page.getByRole('heading', {name: 'No standups match these filters'}).waitFor();
  await page.getByRole('button', {name: 'Show all standups'}).click();
  await cards().nth(2).waitFor();
  expect(searchOf()).toBe('');
  await expectInnocent(tab);
});
it('a search without a match says so, in German too, and one press shows all standups', async () => {
  await open('/history?team=platform&source=slack&q=nirgends&order=asc', {language: 'de', locale: 'de-DE'});
  await page.getByRole('button', {name: 'Filter', exact: true}).click();
  await page.getByRole('heading', {name: 'Keine Standups zu diesen Filtern'}).waitFor();
  await page.getByRole('combobox', {name: 'Team'}).waitFor();
  await look(tab, 'history-nothing-german');
  await page.getByRole('button', {name: 'Alle Standups anzeigen'}).click();
  await cards().first().waitFor();
  await expectInnocent(tab);
});

it('right-to-left text and long words fit into the history', async () => {
  await open('/history?q=ticket%2029', {language: 'x-long'});
  await page.locator('[aria-controls="export"]').click();
  await cards().first().waitFor();
  await page.locator('section:has(input) button[aria-expanded]').click();
  await page.getByRole('combobox').first().waitFor();
  await look(tab, 'history-long');
  await expectInnocent(tab);
});

it('a search continues through days that have no match, and says so', async () => {
  await seedStandups(
    stage.service.redisUrl,
    {...stage.workspace, principal: {type: 'member', id: ada.id, name: ada.name}},
    {count: 1_100, days: 20, from: '2035-06-01', update: (i) => (i === 0 ? 'The needle.' : 'Hay.')},
  );
  await open('/history?q=needle');
  await cards().filter({hasText: 'The needle.'}).waitFor();
  await page.getByText('That is all.').waitFor();
  const pages = tab.requests.filter(
    ({path}) => path.startsWith('/v1/standups?') && path.includes('q=needle'),
  );
  expect(pages.length).toBeGreaterThan(1);
  await expectInnocent(tab);
});
