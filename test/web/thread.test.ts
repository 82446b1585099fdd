import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Locator, Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {make} from '../api/samples.js';
import {expectEventually} from '../support/expect-eventually.js';
import {type Json, sendRequest} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let grace: Person;
let standup: Json;
let tabOfAda: Tab;
let tabOfGrace: Tab;

beforeAll(async () => {
  stage = await openDashboard({ROLES: 'web'}, {at: '2027-04-06T08:26:00Z', name: 'Analytical Engines'});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform'});
  grace = await stage.addPerson({name: 'Grace Hopper', team: 'platform', as: 'lead'});
  const update = 'Notes on the engine, part 7.';
  standup = await make(stage.workspace, '/v1/standups', {team: 'platform', author: ada.id, update});
  tabOfAda = await stage.signIn(ada, {path: '/t/platform'});
  tabOfGrace = await stage.signIn(grace, {path: `/history?standup=${standup['id']}`});
}, 60_000);

afterAll(() => stage.close());

const card = (page: Page) => page.getByRole('article', {name: 'Standup by Ada Lovelace'});
const threadOf = (page: Page) => page.getByRole('region', {name: 'Comments on the standup by Ada Lovelace'});
const chip = (page: Page, name: RegExp) => card(page).getByRole('button', {name});
const field = (page: Page) => threadOf(page).getByLabel('Write a comment');
const said = (page: Page, text: string): Locator => threadOf(page).locator('li', {hasText: text});
const listThread = async (): Promise<string[]> => {
  const path = `/v1/comments?standup=${standup['id']}`;
  const {body} = await sendRequest(stage.service.url, 'GET', path, {token: ada.token});
  return body.data.map(({text}: Json) => text);
};

it('a reaction of one person is shown to another at once, who joins in and takes it back', async () => {
  const [page, other] = [tabOfAda.page, tabOfGrace.page];
  await card(other).getByRole('button', {name: 'Add a reaction'}).click();
  await other.getByRole('dialog').getByRole('button', {name: 'React with 🎉'}).click();
  await chip(other, /^🎉, 1: Grace Hopper$/).waitFor();
  const shown = chip(page, /^🎉/);
  await shown.waitFor();
  expect(await shown.getAttribute('aria-pressed')).toBe('false');
  expect(await shown.getAttribute('title')).toBe('Grace Hopper');
  await shown.click();
  await chip(page, /^🎉, 2: Grace Hopper, Ada Lovelace$/).waitFor();
  await chip(other, /^🎉, 2/).waitFor();
  await shown.click();
  await chip(other, /^🎉, 1: Grace Hopper$/).waitFor();
  await expectEventually(() => shown.getAttribute('aria-pressed')).toBe('false');
});

it('a reaction that is pressed twice at once is added and taken back in this order', async () => {
  const {page} = tabOfAda;
  const before = await card(page).getByRole('button', {name: /^🎉/}).getAttribute('aria-pressed');
  expect(before).toBe('false');
  let held = 0;
  const isPressedTwice = Promise.withResolvers<undefined>();
  await page.route('**/v1/reactions', async (route) => {
    if (held++ === 0) await isPressedTwice.promise;
    await route.continue();
  });
  await chip(page, /^🎉/).click();
  await chip(page, /^🎉, 2/).click();
  isPressedTwice.resolve(undefined);
  await expectEventually(() => Promise.resolve(held)).toBe(2);
  await page.unroute('**/v1/reactions', {behavior: 'wait'} as never);
  await until(
    async () => {
      const path = `/v1/reactions?subject=${standup['id']}`;
      const {body} = await sendRequest(stage.service.url, 'GET', path, {token: ada.token});
      return body.data.every(({author}: Json) => author.id !== ada.id);
    },
    {what: 'the reaction is taken back'},
  );
  await chip(page, /^🎉, 1: Grace Hopper$/).waitFor();
});

it('any emoji can be typed, and a word is refused with a reason', async () => {
  const {page} = tabOfAda;
  await card(page).getByRole('button', {name: 'Add a reaction'}).click();
  const choice = page.getByRole('dialog', {name: 'Add a reaction'});
  await choice.getByLabel('Any other emoji').fill('nice');
  await page.keyboard.press('Enter');
  await choice.getByText('This is not an emoji.').waitFor();
  await look(tabOfAda, 'thread-emoji');
  await choice.getByLabel('Any other emoji').fill('🦉');
  await page.keyboard.press('Enter');
  await choice.waitFor({state: 'detached'});
  await chip(page, /^🦉, 1: Ada Lovelace$/).waitFor();
  await chip(tabOfGrace.page, /^🦉, 1/).waitFor();
});

it('a comment that is written by keys is in the thread of another person at once, formatted', async () => {
  const [page, other] = [tabOfAda.page, tabOfGrace.page];
  await threadOf(other).getByText('No comments yet.').waitFor();
  await card(page).getByRole('button', {name: 'Comment', exact: true}).press('Enter');
  await field(page).waitFor();
  await expectEventually(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
  await page.keyboard.type('On it: the **queue** was full.');
  await page.keyboard.press('Control+Enter');
  await said(page, 'the queue was full').waitFor();
  await expectEventually(() => field(page).inputValue()).toBe('');
  await said(other, 'the queue was full').locator('strong', {hasText: 'queue'}).waitFor();
  await field(other).fill('x'.repeat(4_002));
  await threadOf(other).getByText('2 characters too many').waitFor();
  await field(other).fill('Thank you!');
  await threadOf(other).getByRole('button', {name: 'Send'}).click();
  await said(page, 'Thank you!').waitFor();
  await card(page).getByRole('button', {name: '2 comments'}).waitFor();
  expect(await listThread()).toEqual(['On it: the **queue** was full.', 'Thank you!']);
  await look(tabOfAda, 'thread-board', {full: true});
});

it('a comment is edited by its author alone, and deleted by a lead, who can undo that', async () => {
  const [page, other] = [tabOfAda.page, tabOfGrace.page];
  await expectEventually(() => said(other, 'On it').getByRole('button', {name: 'Edit'}).count()).toBe(0);
  await said(page, 'On it').getByRole('button', {name: 'Edit your comment'}).click();
  const edit = threadOf(page).getByRole('textbox', {name: 'Your comment'});
  await edit.fill('On it: the queue is empty.');
  await threadOf(page).getByRole('button', {name: 'Save'}).click();
  await said(other, 'the queue is empty').getByText('edited').waitFor();
  await said(other, 'queue is empty').getByRole('button', {name: 'Delete the comment by Ada'}).click();
  await said(other, 'queue is empty').waitFor({state: 'detached'});
  await other.getByRole('button', {name: 'Undo'}).click();
  await said(other, 'queue is empty').waitFor();
  await said(other, 'Thank you!').getByRole('button', {name: 'Delete your comment'}).click();
  await other.getByRole('button', {name: 'Dismiss'}).last().click();
  await said(page, 'Thank you!').waitFor({state: 'detached'});
  await card(page).getByRole('button', {name: '1 comment', exact: true}).waitFor();
  expect(await listThread()).toEqual(['On it: the queue is empty.']);
});

it('a text that could not be sent stays, also after a reload, and is written once', async () => {
  const {page} = tabOfAda;
  await page.route('**/v1/comments', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await field(page).fill('Kept.');
  await page.keyboard.press('Control+Enter');
  await threadOf(page).getByRole('alert').waitFor();
  expect(await field(page).inputValue()).toBe('Kept.');
  await page.unroute('**/v1/comments');
  await tabOfAda.go('/t/platform');
  await card(page).getByRole('button', {name: '1 comment', exact: true}).click();
  await expectEventually(() => field(page).inputValue()).toBe('Kept.');
  await field(page).press('Control+Enter');
  await said(page, 'Kept.').waitFor();
  await until(async () => (await listThread()).length === 2, {what: 'the comment is written'});
});

it('a thread that cannot be read says so, and is read again on request', async () => {
  const {page} = tabOfGrace;
  await page.route('**/v1/comments?*', (route) => route.abort());
  await tabOfGrace.go(`/history?standup=${standup['id']}`);
  await threadOf(page).getByRole('alert').waitFor({timeout: 60_000});
  await page.unroute('**/v1/comments?*');
  await threadOf(page).getByRole('button', {name: 'Try again'}).click();
  await said(page, 'Kept.').waitFor();
  await look(tabOfGrace, 'thread-standup');
});

it('a comment that was typed in Slack leads there, where it is edited, and disappears when it is deleted there', async () => {
  const {page} = tabOfAda;
  const {slackReplies} = stage.service.core.services;
  const call = {
    ...stage.workspace.operator(),
    principal: {type: 'member', id: ada.id, name: ada.name} as const,
  };
  const permalink = 'https://acme.slack.com/archives/C024BE91L/p1800000000000100';
  const where = {channel: 'C024BE91L', ts: '1800000000.000100'};
  const reply = {
    ...where,
    standup: standup['id'],
    text: 'From *Slack*.',
    format: 'markdown',
    editedAt: '',
  } as const;
  await slackReplies.takeReply(call, {...reply, permalink});
  const typed = said(page, 'From Slack.');
  await typed.waitFor();
  expect(await typed.getByRole('link', {name: 'in Slack'}).getAttribute('href')).toBe(permalink);
  expect(await typed.getByRole('button', {name: 'Edit your comment'}).count()).toBe(0);
  expect(await typed.getByRole('button', {name: /The reply stays in Slack/}).count()).toBe(1);
  await slackReplies.removeReply(stage.workspace.operator(), where);
  await typed.waitFor({state: 'detached'});
});

it('a standup that is deleted takes its comments along, and the notice says how many', async () => {
  const {page} = tabOfAda;
  await card(page).getByRole('button', {name: 'Delete', exact: true}).click();
  await page.getByText('Standup deleted. 2 comments go with it.').waitFor();
  await page.getByRole('button', {name: 'Dismiss'}).last().click();
  await tabOfGrace.page
    .getByText('No longer here')
    .or(tabOfGrace.page.getByRole('heading'))
    .first()
    .waitFor();
  await until(async () => (await listThread()).length === 0, {what: 'the thread is gone'});
});

it('the pages with threads made no forbidden request', async () => {
  await expectInnocent(tabOfAda, {errors: /./});
  await expectInnocent(tabOfGrace, {refusals: [404], errors: /./});
});
