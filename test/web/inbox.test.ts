import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {type Json, sendRequest} from '../support/service.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let grace: Person;
let standup: Json;
let tab: Tab;

beforeAll(async () => {
  stage = await openDashboard({ROLES: 'web'}, {at: '2027-04-06T08:26:00Z', name: 'Analytical Engines'});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform'});
  grace = await stage.addPerson({name: 'Grace Hopper', team: 'platform'});
  standup = await send(ada, '/v1/standups', {team: 'platform', update: 'Notes on the engine, part 7.'});
  tab = await stage.signIn(ada, {path: '/inbox'});
}, 60_000);

afterAll(() => stage.close());

const send = async ({token}: Person, path: string, body: Json): Promise<Json> => {
  const answer = await sendRequest(stage.service.url, 'POST', path, {token, body});
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};
const say = (text: string): Promise<Json> =>
  send(grace, '/v1/comments', {standup: standup['id'], text, format: 'markdown'});
const items = (page: Page) => page.getByRole('list', {name: 'Items'}).getByRole('listitem');
const inMenu = (page: Page) =>
  page.getByRole('navigation', {name: 'Main'}).getByRole('link', {name: /^Inbox/});

it('an empty inbox says what will appear in it', async () => {
  await tab.page.getByRole('heading', {name: 'Nothing here yet'}).waitFor();
});

it('a comment of another person appears in the inbox and is counted in the menu, without a reload', async () => {
  const {page} = tab;
  await say('Where is **part 8**?');
  await items(page).filter({hasText: 'Grace Hopper commented on your standup'}).waitFor();
  expect(await items(page).innerText()).toContain('Where is part 8?');
  await inMenu(page).getByText('1', {exact: true}).waitFor();
  await look(tab, 'inbox');
  await expectInnocent(tab);
});

it('an item is read when its comments are opened, and stays in the list', async () => {
  const {page} = tab;
  await page.getByRole('link', {name: /commented on your standup/}).click();
  await page
    .getByRole('region', {name: 'Comments on the standup by Ada Lovelace'})
    .getByText('part 8')
    .waitFor();
  await inMenu(page).getByText('1', {exact: true}).waitFor({state: 'detached'});
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await items(page).first().waitFor();
  await page.getByRole('button', {name: 'Unread', exact: true}).click();
  await page.getByRole('heading', {name: 'You have read everything'}).waitFor();
});

it('all items are marked as read at once', async () => {
  const {page} = tab;
  await say('And part 9?');
  await items(page).first().waitFor();
  await page.getByRole('button', {name: 'Mark all as read'}).click();
  await page.getByRole('heading', {name: 'You have read everything'}).waitFor();
  await page.getByRole('button', {name: 'All', exact: true}).click();
  await items(page).filter({hasText: 'And part 9?'}).waitFor();
});

it('a conversation is muted and unmuted in the inbox, and brings nothing until then', async () => {
  const {page} = tab;
  await page
    .getByRole('button', {name: /^Mute the conversation about the standup by Ada Lovelace on /})
    .click();
  const unmute = page.getByRole('button', {name: /^Unmute the conversation/});
  await unmute.waitFor();
  await items(page).filter({hasText: '· muted'}).waitFor();
  await look(tab, 'inbox-muted');
  await say('Said to no one');
  await unmute.click();
  await page.getByRole('button', {name: /^Mute the conversation/}).waitFor();
  await say('Said to Ada');
  await items(page).filter({hasText: 'Said to Ada'}).waitFor();
  await inMenu(page).getByText('1', {exact: true}).waitFor();
  await expectInnocent(tab);
});
