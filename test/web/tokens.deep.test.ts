import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Person} from '../api/people.js';
import {sendRequest} from '../support/service.js';
import {until} from '../support/until.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let owner: Person;
let tab: Tab;

beforeAll(async () => {
  stage = await openDashboard();
  owner = await stage.addPerson({name: 'Olga Owner', role: 'owner'});
  tab = await stage.signIn(owner, {path: '/tokens'});
});

afterAll(() => stage.close());

const ask = (token: string, method: string, path: string, body?: unknown) =>
  sendRequest(stage.service.url, method, path, {token, body});

async function listTokens(): Promise<string[]> {
  const {body} = await ask(owner.token, 'GET', '/v1/tokens?kind=token&limit=100');
  return body.data.map(({name}: {name: string}) => name);
}

it('regression: a token is made once, and its value is shown, even if a reload loses the answer', async () => {
  const {page} = tab;
  await page.route('**/v1/tokens', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', {name: 'Create token'}).click();
  const sheet = page.getByRole('dialog', {name: 'Create token'});
  await sheet.getByLabel('Name', {exact: true}).fill('lost bot');
  await sheet.getByRole('button', {name: 'Create'}).click();
  await until(async () => (await listTokens()).includes('lost bot'));
  await page.unroute('**/v1/tokens');
  await page.reload();
  await sheet.getByRole('button', {name: 'Create'}).click();
  const shown = page.getByRole('region', {name: 'lost bot created'});
  const value = await shown.getByLabel('value', {exact: true}).innerText();
  expect((await listTokens()).filter((name) => name === 'lost bot')).toHaveLength(1);
  expect((await ask(value, 'GET', '/v1/me')).status).toBe(200);
});
