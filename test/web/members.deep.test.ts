import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {readFile} from 'node:fs/promises';
import {expectEventually} from '../support/expect-eventually.js';
import type {Json} from '../support/service.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {act, ask, find, openMembers, owner, row, stage, tab} from './support/members-page.js';

beforeAll(openMembers);
afterAll(() => stage.close());

it('the address of the members page stores its filters', async () => {
  const {page} = tab;
  await tab.go('/people?team=platform&role=admin');
  await row('Grace Hopper').waitFor();
  await expectEventually(() =>
    page.getByRole('list', {name: 'People'}).getByRole('listitem', {name: 'Ada Lovelace'}).count(),
  ).toBe(0);
  await row('Grace Hopper').getByRole('link', {name: 'Grace Hopper'}).click();
  await page.waitForURL(/\/people\/mem_/);
  await tab.go('/people');
});

it('the form for a new member is restored after a reload, and a stored draft opens no dialog by itself', async () => {
  const {page} = tab;
  const sheet = page.getByRole('dialog', {name: 'Add person'});
  await page.getByRole('button', {name: 'Add person'}).click();
  await sheet.getByText('Optional. They sign in with a link that you create.').waitFor();
  await sheet.getByLabel('Name').fill('Barbara Liskov');
  await page.reload();
  await expectEventually(() => sheet.getByLabel('Name').inputValue()).toBe('Barbara Liskov');
  await page.keyboard.press('Escape');
  await sheet.waitFor({state: 'detached'});
  await tab.go('/people');
  await row('Margaret Hamilton').waitFor();
  expect(await sheet.count()).toBe(0);
  await page.getByRole('button', {name: 'Add person'}).click();
  await expectEventually(() => sheet.getByLabel('Name').inputValue()).toBe('Barbara Liskov');
  await sheet.getByRole('button', {name: 'Add', exact: true}).click();
  const notice = page.getByRole('listitem').filter({hasText: 'Barbara Liskov added.'});
  await notice.waitFor();
  await look(tab, 'members-added');
  await notice.getByRole('button', {name: 'Create sign-in link'}).click();
  await page.getByRole('dialog', {name: 'Sign-in link for Barbara Liskov'}).waitFor();
  await page.keyboard.press('Escape');
});

it('a member is added, changed, given a sign-in link and exported, and the last owner must remain an owner', async () => {
  const {page} = tab;
  await page.getByRole('button', {name: 'Add person'}).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Name').fill('Katherine Johnson');
  await sheet.getByLabel('E-mail address').fill('ada@example.com');
  await sheet.getByRole('button', {name: 'Add', exact: true}).click();
  await sheet.getByRole('alert').first().waitFor();
  await look(tab, 'members-add');
  await sheet.getByLabel('E-mail address').fill('kat@example.com');
  await sheet.getByRole('button', {name: 'Add', exact: true}).click();
  await row('Katherine Johnson').waitFor();

  await act('Katherine Johnson', 'Edit …');
  // Another person changes the member first, and the page reads the change late.
  const [{id}] = (await find('Katherine')) as [Json];
  let release = (): void => undefined;
  const late = new Promise<void>((resolve) => (release = resolve));
  const lists = '**/v1/members?*';
  await page.route(lists, async (route) => {
    await late;
    await route.continue();
  });
  await ask(owner.token, 'PATCH', `/v1/members/${id}`, {timezone: 'Europe/Paris'});
  await sheet.getByRole('radio', {name: /^Admin/}).click({force: true});
  await sheet.getByRole('button', {name: 'Save'}).click();
  await sheet.getByRole('alert').waitFor();
  const read = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/members');
  release();
  await read;
  await page.unroute(lists);
  await sheet.getByRole('button', {name: 'Try again'}).click();
  await sheet.waitFor({state: 'hidden'});
  expect((await find('Katherine'))[0]).toMatchObject({role: 'admin', timezone: 'Europe/Paris'});

  await act('Olga Owner', 'Edit …');
  await sheet.getByRole('radio', {name: /^Member/}).click({force: true});
  await sheet.getByRole('button', {name: 'Save'}).click();
  await sheet.getByText(/Make another member an owner first/).waitFor();
  await sheet.getByRole('button', {name: 'Cancel'}).click();

  await act('Ada Lovelace', 'Sign-in link …');
  await sheet.getByRole('button', {name: 'Create link'}).click();
  const url = await sheet.getByLabel('Sign-in link', {exact: true}).innerText();
  expect(url).toContain('/app/sign-in#');
  // The focused button was removed: the sheet gets keys only when it has the focus again.
  await sheet.and(page.locator(':focus-within')).waitFor();
  await page.keyboard.press('Escape');

  await page.evaluate('delete globalThis.showSaveFilePicker');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    act('Ada Lovelace', 'Download their data'),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toContain('"name":"Ada Lovelace"');
  await expectInnocent(tab, {refusals: [409, 412]});
});

it('regression: a stored draft of a member changes only the edited fields', async () => {
  const {page} = tab;
  const sheet = page.getByRole('dialog');
  const [{id}] = (await find('Katherine')) as [Json];
  await act('Katherine Johnson', 'Edit …');
  await sheet.getByLabel('Name').fill('Katherine G. Johnson');
  await page.keyboard.press('Escape');
  await ask(owner.token, 'PATCH', `/v1/members/${id}`, {role: 'member', email: 'kj@example.com'});
  await row('Katherine Johnson').getByText('Admin').waitFor({state: 'detached'});
  await act('Katherine Johnson', 'Edit …');
  await sheet.getByRole('button', {name: 'Save'}).click();
  await sheet.waitFor({state: 'hidden'});
  const mended = {name: 'Katherine G. Johnson', role: 'member', email: 'kj@example.com'};
  expect((await find('Katherine'))[0]).toMatchObject(mended);
});

it('an erasure asks for the member’s name, can be followed to its end even after a reload, and then shows no name', async () => {
  const {page} = tab;
  await act('Margaret Hamilton', 'Remove …');
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('textbox').fill('Margaret Hamilton');
  await dialog.getByRole('button', {name: 'Remove'}).click();
  await row('Margaret Hamilton').waitFor({state: 'detached'});
  await act('Ada Lovelace', 'Erase all data …');
  await expectEventually(() => dialog.getByRole('button', {name: 'Erase all data'}).isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('Ada Lovelace');
  await dialog.getByRole('button', {name: 'Erase all data'}).click();
  await row('Ada Lovelace').waitFor({state: 'detached'});
  const progress = page.getByRole('region', {name: 'Erasing a person'});
  await progress.getByText('Everything erased').waitFor();
  await progress.getByText('2 standups').waitFor();
  expect(await find('Ada')).toEqual([]);
  await page.reload();
  await progress.getByText('Everything erased').waitFor();
  await expectEventually(() => page.getByRole('main').innerText()).not.toContain('Ada Lovelace');
  await page.getByText('Erasures', {exact: true}).click();
  await page.getByRole('group').getByText('Everything erased', {exact: false}).waitFor();
  await look(tab, 'members-erased');
  await expectInnocent(tab, {refusals: [409, 412]});
});
