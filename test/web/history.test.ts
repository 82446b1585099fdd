import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Person} from '../api/people.js';
import {sendRequest} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;

beforeAll(async () => {
  stage = await openDashboard({}, {at: '2035-11-23T09:30:00Z'});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', role: 'admin'});
});

afterAll(() => stage.close());

const ask = (method: string, path: string, body: unknown) =>
  sendRequest(stage.service.url, method, path, {token: ada.token, body});

async function post(update: string): Promise<string> {
  const {status, body} = await ask('POST', '/v1/standups', {team: 'platform', update});
  expect(status).toBe(201);
  return body.id;
}

it('the keyboard alone is enough to search, filter, read earlier versions and edit', async () => {
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3);
  await post('Written by mouse.');
  const id = await post(`Written by keys.\nToday: the retry page.\n${long}`);
  await ask('PATCH', `/v1/standups/${id}`, {update: `Written by keys.\nToday: its tests.\n${long}`});
  const tab = await stage.signIn(ada, {path: '/history'});
  const {page} = tab;
  const {keyboard} = page;
  const cards = page.getByRole('article');
  const searchOf = () => new URL(page.url()).search;
  await cards.nth(1).waitFor();
  await keyboard.press('/');
  await keyboard.type('by keys');
  await page.waitForURL(/q=by/);
  await until(async () => (await cards.count()) === 1);
  const tabTo = async (what: string): Promise<void> => {
    await until(async () => {
      await keyboard.press('Tab');
      return page.evaluate(
        `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText).trim() === ${JSON.stringify(what)}`,
      );
    });
  };
  await tabTo('Last 30 days');
  await keyboard.press('Enter');
  await tabTo('Filters');
  await keyboard.press('Enter');
  await page.getByRole('combobox', {name: 'Team'}).waitFor();
  await keyboard.press('Tab');
  await keyboard.type('pla');
  await page.getByRole('option', {name: 'Platform'}).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await page.waitForURL(/team=platform/);
  const filters = '?q=by+keys&from=2035-10-25&team=platform';
  expect(searchOf()).toBe(filters);
  await tabTo('edited');
  await keyboard.press('Enter');
  const fold = cards.getByRole('region', {name: 'Earlier versions'});
  await fold.getByRole('deletion').waitFor();
  expect(await fold.getByRole('deletion').textContent()).toBe('removed: Today: the retry page.');
  expect(await fold.getByRole('insertion').textContent()).toBe('added: Today: its tests.');
  await look(tab, 'history');
  await keyboard.press('Shift+Tab');
  await tabTo('Edit');
  await keyboard.press('Enter');
  await until(() => searchOf() === `${filters}&edit=${id}`);
  await expectInnocent(tab);
});
