import {afterAll, afterEach, beforeAll, expect, it} from '@jest/globals';
import {readFile} from 'node:fs/promises';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {deep} from '../support/deep.js';
import {expectSoon} from '../support/expect-soon.js';
import {seedStandups} from '../support/seed-standups.js';
import {sendRequest} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type Stage, untilRequest, type Visit} from './support/stage.js';

let stage: Stage;
let ada: Person;
let grace: Person;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  stage = await openDashboard({}, {at: '2035-11-23T09:30:00Z'});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', role: 'admin'});
  grace = await stage.addPerson({name: 'Grace Hopper', team: 'platform'});
});

afterEach(() => visit.close());

afterAll(() => stage.close());

async function open(path: string, options: Parameters<Stage['signIn']>[1] = {}): Promise<void> {
  visit = await stage.signIn(ada, {path, ...options});
  page = visit.page;
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

it('before anybody has written, the page says so and opens the way to write', async () => {
  await open('/history');
  await page.getByRole('heading', {name: 'Nobody has written a standup yet'}).waitFor();
  if (deep) await look(visit, 'history-empty');
  await page.getByRole('button', {name: 'Write the first'}).click();
  await page.waitForURL(/write=/);
  await expectInnocent(visit);
});

it('three hundred standups come page after page, each once, and the way back finds the place', async () => {
  await seedStandups(
    stage.service.redisUrl,
    {...stage.workspace, principal: {type: 'member', id: grace.id, name: grace.name}},
    {
      count: 300,
      days: 60,
      from: '2035-09-15',
      update: (i) => `Yesterday: ticket ${i}.\nToday: ticket ${i + 1}.`,
    },
  );
  await open('/history');
  await cards().first().waitFor();
  await until(async () => {
    await page.mouse.wheel(0, 20_000);
    return (await cards().count()) === 300;
  });
  const texts = await cards().allInnerTexts();
  expect(new Set(texts.map((text) => /Yesterday: ticket \d+\./.exec(text)?.[0])).size).toBe(300);
  await page.getByText('That is all.').waitFor();
  const days = await page.locator('main h2').allInnerTexts();
  expect(days).toHaveLength(60);
  expect([days[0], days.at(-1)]).toEqual(['Tuesday 13 Nov', 'Saturday 15 Sept']);

  await page.evaluate('scrollTo(0, 9000)');
  const seen = await page.evaluate(inTheMiddle);
  await page.getByRole('link', {name: 'Calendar', exact: true}).click();
  await page.getByRole('heading', {level: 1, name: 'Calendar'}).waitFor();
  await page.goBack();
  await cards().nth(299).waitFor();
  await until(async () => (await page.evaluate('scrollY')) === 9000);
  await expectSoon(() => page.evaluate(inTheMiddle)).toBe(seen);
  await expectInnocent(visit);
});

it('regression: the next page comes to a person who has reached the end while what is shown was read again', async () => {
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
  // A page that cannot read the changed standup alone reads its list again.
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

it('regression: the next page comes where a busy browser tells at once that its place was not near and is', async () => {
  await open('/sessions');
  await page.evaluate(`globalThis.IntersectionObserver = class extends IntersectionObserver {
    constructor(tell, options) {
      super((entries) => tell([...entries.map((entry) => ({...entry, isIntersecting: false})), ...entries]), options);
    }
  }`);
  await page.getByRole('link', {name: 'History', exact: true}).click();
  await cards().first().waitFor();
  await page.mouse.wheel(0, 200_000);
  await until(async () => (await cards().count()) > 50);
});

it('filters stand in the address: a reload keeps them, the way back and their chips take them away', async () => {
  await open('/history');
  await page.getByRole('button', {name: 'Filters'}).click();
  await page.getByRole('combobox', {name: 'Author'}).fill('hop');
  await page.getByRole('option', {name: 'Grace Hopper'}).click();
  await page.waitForURL(/author=mem_/);
  await page.getByRole('button', {name: 'Last 30 days'}).click();
  await page.getByRole('textbox', {name: 'Search in standups'}).fill('ticket 11');
  await page.waitForURL(/q=ticket/);
  const filtered = searchOf();
  expect(filtered).toBe(`?author=${grace.id}&from=2035-10-25&q=ticket+11`);
  await until(async () => (await cards().count()) === 11);
  await page.reload();
  await until(async () => (await cards().count()) === 11);
  expect(searchOf()).toBe(filtered);
  const chips = page.getByRole('list', {name: 'Active filters'}).getByRole('button');
  await expectSoon(() => chips.allInnerTexts()).toEqual([
    '“ticket 11”',
    'Author: Grace Hopper',
    'From 25 Oct',
  ]);
  await page.goBack();
  await until(() => searchOf() === `?author=${grace.id}&from=2035-10-25`);
  await page.goForward();
  await page.getByRole('button', {name: 'Remove the filter: From 25 Oct'}).click();
  await until(() => searchOf() === `?author=${grace.id}&q=ticket+11`);
  await until(async () => (await cards().count()) === 13);
  await page.getByRole('button', {name: 'Clear all'}).click();
  await until(() => searchOf() === '');
  await expectSoon(() => page.getByRole('textbox', {name: 'Search in standups'}).inputValue()).toBe('');
  await expectInnocent(visit);
});

it('filters that nothing matches say so, in German too, and one press shows everything', async () => {
  await open('/history?team=platform&source=slack&q=nirgends&order=asc', {language: 'de', locale: 'de-DE'});
  await page.getByRole('button', {name: 'Filter', exact: true}).click();
  await page.getByRole('heading', {name: 'Kein Standup passt zu diesen Filtern'}).waitFor();
  await page.getByRole('combobox', {name: 'Team'}).waitFor();
  if (deep) await look(visit, 'history-nothing-german');
  await page.getByRole('button', {name: 'Alle Standups zeigen'}).click();
  await cards().first().waitFor();
  await expectInnocent(visit);
});

it('words that are looked for are marked as text, whatever people wrote', async () => {
  const hostile = [
    '<img src=x onerror=alert(1)> ALERT <b>alert</b>',
    '"><script>alert(1)</script>',
    'javascript:alert(1) https://example.com/alert?x=<svg/onload=alert(1)>',
    '\u202Egnp.alert\u202C İALERTİ ﬁne',
  ];
  for (const text of hostile) await post(ada, text);
  await open('/history?q=alert');
  await until(async () => (await cards().count()) === hostile.length);
  expect((await page.locator('mark').allInnerTexts()).map((text) => text.toLowerCase())).toEqual(
    Array.from({length: 9}, () => 'alert'),
  );
  await expectSoon(() => page.locator('article :is(img, script, svg[onload], b)').count()).toBe(0);
  const shown = await page.locator('article div[dir=auto]').allInnerTexts();
  expect(shown.toSorted()).toEqual(hostile.toSorted());
  await expectInnocent(visit);
});

it('an edited standup shows what it said before, line by line', async () => {
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3);
  const id = await post(ada, `Shipped the importer.\nToday: the retry page.\n${long}`);
  await ask(ada, 'PATCH', `/v1/standups/${id}`, {
    update: `Shipped the importer.\nToday: its tests.\n${long}`,
  });
  await open('/history?from=2035-11-13');
  await cards().getByRole('button', {name: 'edited'}).click();
  const fold = cards().getByRole('region', {name: 'Earlier versions'});
  await fold.getByRole('deletion').waitFor();
  await expectSoon(() => fold.getByRole('deletion').textContent()).toBe('removed: Today: the retry page.');
  await expectSoon(() => fold.getByRole('insertion').textContent()).toBe('added: Today: its tests.');
  await look(visit, 'history');
  await expectInnocent(visit);
});

if (deep) {
  it('right to left, in long words, everything has its place', async () => {
    await open('/history?q=ticket%2029', {language: 'x-long'});
    await page.locator('[aria-controls="export"]').click();
    await cards().first().waitFor();
    await page.locator('section button[aria-expanded]').click();
    await page.getByRole('combobox').first().waitFor();
    await look(visit, 'history-long');
    await expectInnocent(visit);
  });
}

it('an export is what the API exports with the same filters, byte for byte; CSV begins with the mark that Excel needs', async () => {
  await open('/history?q=ticket%202&from=2035-10-01');
  await page.getByRole('button', {name: 'Export'}).click();
  await page.evaluate('delete globalThis.showSaveFilePicker');
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
  await page.getByText(/^Done: /).waitFor();
  await expectInnocent(visit);
});

it('an export goes to the chosen file as it comes in, and can be cancelled', async () => {
  await open('/history?q=ticket');
  await page.evaluate(`globalThis.showSaveFilePicker = async () =>
    (await navigator.storage.getDirectory()).getFileHandle('chosen', {create: true})`);
  const readChosen = `navigator.storage.getDirectory().then((root) => root.getFileHandle('chosen'))
    .then((file) => file.getFile()).then((file) => file.text())`;
  await page.getByRole('button', {name: 'Export'}).click();
  await page.getByRole('button', {name: 'Download'}).click();
  await page.getByText(/^Done: /).waitFor();
  const {text} = await ask(ada, 'GET', '/v1/export?q=ticket&format=csv');
  await expectSoon(() => page.evaluate(readChosen)).toBe(text);

  await page.route('**/v1/export*', () => undefined);
  await page.getByRole('button', {name: 'Download'}).click();
  await page.getByRole('button', {name: 'Cancel'}).click();
  await page.getByText('Cancelled. Nothing was kept.').waitFor();
  await expectSoon(() => page.evaluate(readChosen)).toBe(text);
  await expectInnocent(visit);
});

it('a deleted standup comes back by Undo, and is gone once the notice is, or the page', async () => {
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

it('new standups wait while somebody reads further down; changed ones change in their place', async () => {
  const edited = await post(grace, 'Half a sentence');
  await open('/history');
  await cards().filter({hasText: 'Half a sentence'}).waitFor();
  await page.evaluate('scrollTo(0, 900)');
  const seen = await page.evaluate(inTheMiddle);
  await post(grace, 'Just come in.');
  const arrived = page.getByRole('button', {name: '1 new standup'});
  await arrived.waitFor();
  await ask(grace, 'PATCH', `/v1/standups/${edited}`, {update: 'A whole sentence.'});
  await cards().filter({hasText: 'A whole sentence.'}).waitFor();
  await expectSoon(() => cards().filter({hasText: 'Just come in.'}).count()).toBe(0);
  await expectSoon(() => page.evaluate(inTheMiddle)).toBe(seen);
  await arrived.click();
  await cards().filter({hasText: 'Just come in.'}).waitFor();
  await until(async () => (await page.evaluate('scrollY')) === 0);
  await post(grace, 'At the top they come by themselves.');
  await cards().filter({hasText: 'by themselves'}).waitFor();
  await expectInnocent(visit);
});

it('a link shows one standup, what is beside it, and that it is gone when it is', async () => {
  const id = await post(ada, 'The one that is linked to.');
  await open(`/history?standup=${id}`);
  await page.getByRole('heading', {level: 1, name: 'Standup by Ada Lovelace'}).waitFor();
  await expectSoon(() => cards().count()).toBe(1);
  await page.getByRole('link', {name: 'All of Platform on 23 Nov'}).click();
  await page.waitForURL(/[?]team=platform&from=2035-11-23&to=2035-11-23$/);
  await page.goBack();
  await cards().filter({hasText: 'linked to'}).waitFor();
  await ask(ada, 'DELETE', `/v1/standups/${id}`);
  await page.getByRole('heading', {name: 'This standup is gone'}).waitFor();
  await visit.go('/history?standup=std_nothing');
  await page.getByRole('heading', {name: 'This standup is gone'}).waitFor();
  await expectInnocent(visit, {refusals: [404]});
});

it('by keyboard alone one searches, filters, opens what was said before, and edits', async () => {
  const id = await post(ada, 'Written by hand.');
  await ask(ada, 'PATCH', `/v1/standups/${id}`, {update: 'Written by keys.'});
  await open('/history');
  await cards().first().waitFor();
  const {keyboard} = page;
  await keyboard.press('/');
  await keyboard.type('by keys');
  await page.waitForURL(/q=by/);
  await until(async () => (await cards().count()) === 1);
  const tabTo = async (what: string): Promise<void> => {
    await until(async () => {
      await keyboard.press('Tab');
      return page.evaluate(
        `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText).trim() === ${JSON.stringify(what)}`,
      );
    });
  };
  await tabTo('Filters');
  await keyboard.press('Enter');
  await page.getByRole('combobox', {name: 'Team'}).waitFor();
  await keyboard.press('Tab');
  await keyboard.type('pla');
  await page.getByRole('option', {name: 'Platform'}).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await page.waitForURL(/team=platform/);
  await tabTo('edited');
  await keyboard.press('Enter');
  await page.getByRole('deletion').waitFor();
  await keyboard.press('Shift+Tab');
  await tabTo('Edit');
  await keyboard.press('Enter');
  await until(() => searchOf().includes(`edit=${id}`));
  expect(searchOf()).toContain('q=by');
  await untilRequest(visit, ({operation}) => operation === 'listStandupRevisions');
  await expectInnocent(visit);
});

it('a search goes on through days that have no match, and says that it does', async () => {
  await seedStandups(
    stage.service.redisUrl,
    {...stage.workspace, principal: {type: 'member', id: ada.id, name: ada.name}},
    {count: 1_100, days: 20, from: '2035-06-01', update: (i) => (i === 0 ? 'The needle.' : 'Hay.')},
  );
  await open('/history?q=needle');
  await cards().filter({hasText: 'The needle.'}).waitFor();
  await page.getByText('That is all.').waitFor();
  const pages = visit.requests.filter(
    ({path}) => path.startsWith('/v1/standups?') && path.includes('q=needle'),
  );
  expect(pages.length).toBeGreaterThan(1);
  await expectInnocent(visit);
});
