import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Person} from '../api/people.js';
import {makeLink} from '../dashboard/test-browser.js';
import {deep} from '../support/deep.js';
import {expectEventually} from '../support/expect-eventually.js';
import {sendRequest} from '../support/service.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let owner: Person;
let tab: Tab;
let value: string;

beforeAll(async () => {
  stage = await openDashboard();
  owner = await stage.addPerson({name: 'Olga Owner', role: 'owner'});
  const body = {
    name: 'nightly report',
    service_account: 'reporter',
    scopes: ['standups:read', 'tokens:manage'],
  };
  await ask(owner.token, 'POST', '/v1/tokens', body);
  tab = await stage.signIn(owner, {path: '/tokens'});
});

afterAll(() => stage.close());

const ask = (token: string, method: string, path: string, body?: unknown) =>
  sendRequest(stage.service.url, method, path, {token, body});
const row = (name: string) => tab.page.getByRole('listitem', {name});

async function listTokens(): Promise<string[]> {
  const {body} = await ask(owner.token, 'GET', '/v1/tokens?kind=token&limit=100');
  return body.data.map(({name}: {name: string}) => name);
}

it('a token is made with its scopes in plain language and shown once, never in storage, an address, a record or after a reload', async () => {
  const {page} = tab;
  await page.getByRole('button', {name: 'Create token'}).click();
  const sheet = page.getByRole('dialog', {name: 'Create token'});
  await sheet.getByLabel('Name', {exact: true}).fill('deploy bot');
  await sheet.getByText('Grant it with care.').waitFor();
  if (deep) await look(tab, 'tokens-make');
  await page.reload();
  await expectEventually(() => sheet.getByLabel('Name', {exact: true}).inputValue()).toBe('deploy bot');
  await sheet.getByRole('checkbox', {name: /Read teams/}).click({force: true});
  // Submits twice before the page can render.
  await sheet.locator('button:enabled', {hasText: 'Create'}).waitFor();
  await page.evaluate(`(() => {
    const form = document.querySelector('[role=dialog] form');
    form.requestSubmit();
    form.requestSubmit();
  })()`);
  const shown = page.getByRole('region', {name: 'deploy bot created'});
  value = await shown.getByLabel('value', {exact: true}).innerText();
  if (deep) await look(tab, 'tokens-made');
  expect((await listTokens()).filter((name) => name === 'deploy bot')).toHaveLength(1);
  const {body: me} = await ask(value, 'GET', '/v1/me');
  expect(me.scopes.toSorted()).toEqual(['standups:read', 'standups:write', 'teams:read']);
  await expectEventually(() => shown.getByLabel('command').innerText()).toContain(`Bearer ${value}`);

  await page.keyboard.press('~');
  const drawer = page.getByRole('dialog');
  await drawer.getByText('/v1/tokens').first().waitFor();
  await expectEventually(() => drawer.innerText()).not.toContain(value);
  await page.keyboard.press('Escape');
  const kept = await page.evaluate<string>(
    'JSON.stringify([{...localStorage}, {...sessionStorage}, location.href])',
  );
  expect(kept).not.toContain(value);
  expect(kept).not.toContain('deploy bot');
  await page.reload();
  await row('deploy bot').waitFor();
  expect(await page.content()).not.toContain(value);
  await expectInnocent(tab);
});

it('the list of all tokens shows the holder, expiry and last use of each, and a token can be opened by its address', async () => {
  const {page} = tab;
  await page.getByRole('link', {name: 'Everyone', exact: true}).click();
  await row('nightly report').getByText('reporter').waitFor();
  await row('nightly report').getByText('Never used').waitFor();
  await row('nightly report').getByRole('link', {name: 'Details'}).click();
  await row('nightly report').getByText('Created with the token').waitFor();
  await expectEventually(() => page.url()).toMatch(/\?show=all&token=tok_/);
  await look(tab, 'tokens-all');
});

it('a token is revoked at once after a confirmation, and a service account is deleted with its tokens by typing its name', async () => {
  const {page} = tab;
  await row('deploy bot').getByRole('button', {name: 'Revoke'}).click();
  await page.getByRole('alertdialog').getByRole('button', {name: 'Revoke token'}).click();
  await row('deploy bot').waitFor({state: 'detached'});
  expect(await listTokens()).not.toContain('deploy bot');
  expect((await ask(value, 'GET', '/v1/me')).status).toBe(401);
  await row('reporter').getByRole('button', {name: 'Delete'}).click();
  const dialog = page.getByRole('alertdialog');
  await expectEventually(() => dialog.getByRole('button', {name: 'Delete'}).isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('reporter');
  await dialog.getByRole('button', {name: 'Delete'}).click();
  await row('nightly report').waitFor({state: 'detached'});
  await row('reporter').waitFor({state: 'detached'});
  expect(await listTokens()).not.toContain('nightly report');
  // The address still names the token, which was deleted with its service account.
  await expectInnocent(tab, {errors: /ERR_FAILED/, refusals: [404]});
});

/** Starts the sign-in of a program, as the command does. */
function startProgram(name: string, address = '203.0.113.7') {
  return stage.service.core.services.deviceLogins.start(
    {name, scopes: ['standups:read', 'standups:write']},
    {address, deadline: performance.now() + 5_000},
  );
}

/** Returns what the program gets. */
function pollProgram(code: string) {
  return stage.service.core.services.deviceLogins.poll(code, performance.now() + 5_000);
}

it('a person signs in, types the code of a program, sees what it asks for, and approves it', async () => {
  const {user_code: code, device_code: device} = await startProgram('standup on ada-laptop');
  const signedOut = await stage.open({path: `/device?user_code=${code}`});
  const {page} = signedOut;
  await page.getByRole('heading', {name: 'Sign in'}).waitFor();
  const other = await page.context().newPage();
  await other.goto(await makeLink(stage.workspace, owner.id));
  await other.getByRole('button', {name: 'Continue as Olga Owner'}).click();
  // The tab that waited comes back to the page, which took no code from the address.
  const typed = page.getByLabel('Code', {exact: true});
  await typed.waitFor();
  expect(await typed.inputValue()).toBe('');
  await look(signedOut, 'device-code');
  await typed.fill('bbbb bbbb');
  await page.keyboard.press('Enter');
  await page.getByText('No program is waiting with this code.').waitFor();
  await typed.fill(code.toLowerCase());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {name: 'Sign in this program?'}).waitFor();
  const shown = await page.getByRole('main').innerText();
  for (const text of [
    '“standup on ada-laptop”',
    '203.0.113.7',
    '127.0.0.1',
    'another network address',
    'Read standups',
    'Olga Owner',
  ])
    expect(shown).toContain(text);
  expect(shown).toContain('If someone sent you the code, deny');
  await look(signedOut, 'device-decide');
  await page.getByRole('button', {name: 'Approve'}).click();
  await page.getByRole('heading', {name: 'Approved'}).waitFor();
  expect(await pollProgram(device)).toMatchObject({token: {holder: {id: owner.id}, client: 'cli'}});
  await page.getByRole('main').getByRole('link', {name: 'Access tokens'}).click();
  await page.getByRole('listitem', {name: 'standup on ada-laptop'}).getByText('command line').waitFor();
  await signedOut.close();
});

it('a person denies a program that another one has started', async () => {
  const {page} = tab;
  const {user_code: code, device_code: device} = await startProgram('update of your account', '198.51.100.4');
  await tab.go('/device');
  await page.getByLabel('Code', {exact: true}).fill(code);
  await page.getByRole('button', {name: 'Continue'}).click();
  await page.getByRole('button', {name: 'Deny'}).click();
  await page.getByRole('heading', {name: 'Denied'}).waitFor();
  expect(await pollProgram(device)).toBe('access_denied');
  expect(await listTokens()).not.toContain('update of your account');
});
