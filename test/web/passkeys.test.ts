import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {makeLink} from '../dashboard/test-browser.js';
import {expectEventually} from '../support/expect-eventually.js';
import type {Json} from '../support/service.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {type BrowserStage, openDashboard, type Tab} from './support/stage.js';
import {addVirtualAuthenticator, type VirtualAuthenticator} from './support/virtual-authenticator.js';

/** Links expire by the clock of Redis, so the test clock must not be behind it. */
const start = Date.now() + 3_600_000;
const minutes = (count: number) => new Date(start + count * 60_000).toISOString();

let stage: BrowserStage;
let ada: Person;
let tab: Tab;
let device: VirtualAuthenticator;

beforeAll(async () => {
  stage = await openDashboard({}, {name: 'Example', host: 'localhost', at: minutes(0)});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', role: 'owner'});
});

afterAll(() => stage.close());
afterEach(async () => {
  await tab.close();
  await stage.moveTo(minutes(0));
});

const main = (page: Page) => page.getByRole('main');
const heading = (page: Page, name: string) => page.getByRole('heading', {name, exact: true});
const button = (page: Page, name: string) => page.getByRole('button', {name, exact: true});
const signedIn = (page: Page) => page.getByRole('navigation', {name: 'Main'}).first().waitFor();

/** Opens a page of Ada in a browser with a device, which has a passkey of hers. */
async function openWithPasskey(path: string): Promise<Page> {
  tab = await stage.signIn(ada, {path: '/sessions', fresh: true});
  const {page} = tab;
  device = await addVirtualAuthenticator(page);
  await button(page, 'Add a passkey').click();
  await page.getByText(/^Passkey “.+” added\.$/).waitFor();
  await tab.go(path);
  return page;
}

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', {name: ada.name}).first().click();
  await page.getByRole('group', {name: 'Account'}).first().getByRole('button', {name: 'Sign out'}).click();
  await heading(page, 'Sign in').waitFor();
};

describe('the passkeys of a member', () => {
  it('are added, renamed and removed on the page of sessions', async () => {
    const page = await openWithPasskey('/sessions');
    const row = main(page).getByRole('listitem').filter({hasText: 'never used'}).last();
    await row.getByText('Added').waitFor();
    await look(tab, 'passkeys');
    await row.getByRole('button', {name: /^Rename “/}).click();
    await page.getByLabel('Name', {exact: true}).fill('Laptop');
    await look(tab, 'passkeys-rename');
    await button(page, 'Rename').last().click();
    await button(page, 'Remove “Laptop”').click();
    await look(tab, 'passkeys-remove');
    await page.getByRole('alertdialog').getByRole('button', {name: 'Remove'}).click();
    await main(page).getByText('You have no passkey yet.').waitFor();
    expect(await device.countPasskeys()).toBe(1);
    await expectInnocent(tab);
  });

  it('are not added twice on one device', async () => {
    const page = await openWithPasskey('/sessions');
    await button(page, 'Add a passkey').click();
    await main(page).getByText('This device already has a passkey for your account.').waitFor();
    await page.getByRole('button', {name: /^Remove “/}).click();
    await page.getByRole('alertdialog').getByRole('button', {name: 'Remove'}).click();
    await main(page).getByText('You have no passkey yet.').waitFor();
  });

  it('are shown in German', async () => {
    tab = await stage.signIn(ada, {path: '/sessions', language: 'de', fresh: true});
    await addVirtualAuthenticator(tab.page);
    await button(tab.page, 'Passkey hinzufügen').click();
    await tab.page.getByText(/^Passkey „.+“ hinzugefügt\.$/).waitFor();
    await look(tab, 'passkeys-de');
    await tab.page.getByRole('button', {name: /entfernen$/}).click();
    await tab.page.getByRole('alertdialog').getByRole('button', {name: 'Entfernen'}).click();
    await main(tab.page).getByText('Du hast noch keinen Passkey.').waitFor();
    await expectInnocent(tab);
  });
});

describe('a person with a passkey', () => {
  it('signs in with it, and returns to the page that they wanted', async () => {
    const page = await openWithPasskey('/sessions');
    await signOut(page);
    await tab.go('/history?author=me');
    await heading(page, 'Sign in').waitFor();
    await look(tab, 'sign-in-passkey');
    await button(page, 'Use a passkey').click();
    await heading(page, 'History').waitFor();
    expect(new URL(page.url()).search).toContain('author=me');
    await tab.go('/sessions');
    await main(page)
      .getByText(/last used/)
      .last()
      .waitFor();
    await page.getByRole('button', {name: /^Remove “/}).click();
    await page.getByRole('alertdialog').getByRole('button', {name: 'Remove'}).click();
    await main(page).getByText('You have no passkey yet.').waitFor();
    await signOut(page);
    await button(page, 'Use a passkey').click();
    await main(page)
      .getByText(/This passkey did not work/)
      .waitFor();
    await look(tab, 'sign-in-passkey-refused');
    await expectInnocent(tab, {refusals: [401]});
  });

  it('reads that nothing happened if their device refuses, and signs in at the next press', async () => {
    const page = await openWithPasskey('/sessions');
    await signOut(page);
    await device.verify(false);
    await button(page, 'Use a passkey').click();
    await main(page)
      .getByText(/Nothing happened: it was cancelled/)
      .waitFor();
    await device.verify(true);
    await button(page, 'Use a passkey').click();
    await signedIn(page);
    await expectInnocent(tab, {refusals: [401]});
  });

  it('signs in by the suggestion of a text field, where the page has one', async () => {
    const page = await openWithPasskey('/sessions');
    await signOut(page);
    await page.addInitScript({
      content: `addEventListener('DOMContentLoaded', () => {
        const field = document.createElement('input');
        field.autocomplete = 'username webauthn';
        document.body.append(field);
      });`,
    });
    await tab.go('/sign-in');
    await signedIn(page);
    await expectInnocent(tab, {refusals: [401]});
  });

  it('confirms with it after 15 minutes, on the page where they are, which keeps what they typed', async () => {
    const page = await openWithPasskey('/sessions');
    await page.getByLabel('Link for a member').fill('grace@example.com');
    await stage.moveTo(minutes(16));
    await heading(page, 'Confirm again that it’s you').waitFor();
    await look(tab, 'confirm-passkey');
    const requests = tab.requests.length;
    await button(page, 'Use passkey').click();
    await main(page).getByText('This browser', {exact: true}).waitFor();
    await expectEventually(() => page.getByLabel('Link for a member').inputValue()).toBe('grace@example.com');
    const asked = tab.requests.slice(requests).filter(({operation}) => operation === 'asset');
    expect(asked.filter(({path}) => path.startsWith('/app/sign-in'))).toEqual([]);
    await expectInnocent(tab, {refusals: [401, 403]});
  });
});

it('a person who confirms as someone else reads both names, and stays signed in', async () => {
  const eve = await stage.addPerson({name: 'Eve Other', role: 'owner'});
  const page = await openWithPasskey('/sessions');
  await signOut(page);
  await page.goto(await makeLink(stage.workspace, eve.id));
  await button(page, 'Continue as Eve Other').click();
  await signedIn(page);
  await stage.moveTo(minutes(16));
  await tab.go('/tokens');
  await button(page, 'Use passkey').click();
  await main(page)
    .getByText(/You are signed in as Eve Other, and this is Ada Lovelace/)
    .waitFor();
  await page.getByRole('button', {name: 'Eve Other'}).first().waitFor();
  await expectInnocent(tab, {refusals: [401, 403]});
});

it('a new member who joins by an invite is offered a passkey at once, or does without', async () => {
  const invite = async (): Promise<string> => {
    const {body} = await stage.workspace.request('POST', '/v1/invites', {
      token: ada.token,
      body: {teams: [{team_id: 'platform'}]},
    });
    const {pathname, hash} = new URL(body.data[0].url);
    return pathname + hash;
  };
  tab = await stage.open({path: await invite()});
  const {page} = tab;
  device = await addVirtualAuthenticator(page);
  await page.getByLabel('Your name').fill('Grace Hopper');
  await button(page, 'Join').click();
  await heading(page, 'You’re in. Add a passkey?').waitFor();
  // Nothing about the invite is left: the person is in.
  expect(await main(page).getByText('The invite works until').count()).toBe(0);
  await look(tab, 'join-passkey');
  await button(page, 'Add a passkey').click();
  await page.waitForURL(/\/app\/t\/platform$/);
  expect(await device.countPasskeys()).toBe(1);
  await expectInnocent(tab, {refusals: [401]});
  await tab.close();
  tab = await stage.open({path: await invite()});
  await tab.page.getByLabel('Your name').fill('Lin Later');
  await button(tab.page, 'Join').click();
  await heading(tab.page, 'You’re in. Add a passkey?').waitFor();
  await tab.page.reload();
  await main(tab.page).getByText('You’re already a member.').waitFor();
  await button(tab.page, 'Open Example').click();
  await signedIn(tab.page);
});

describe('a session that has ended', () => {
  it('leads to a page that says why and that the draft is kept, and signing in leads back to it', async () => {
    const page = await openWithPasskey('/t/platform?write=platform');
    const field = page.getByRole('dialog', {name: 'Write your standup'}).getByRole('textbox').first();
    await field.fill('Half a thought.');
    const {body} = await stage.workspace.request('GET', '/v1/tokens?kind=session&limit=100');
    const own: Json[] = body.data.filter(({holder}: Json) => holder.id === ada.id);
    for (const {id} of own) await stage.workspace.request('DELETE', `/v1/tokens/${id}`, {token: ada.token});
    await page.reload();
    await main(page)
      .getByText(/You’ve been signed out\. A session ends after 7 days without use/)
      .waitFor();
    await main(page)
      .getByText(/Your draft is safe in this browser\./)
      .waitFor();
    await look(tab, 'sign-in-ended');
    await button(page, 'Use a passkey').click();
    await expectEventually(() => field.inputValue()).toBe('Half a thought.');
    await expectInnocent(tab, {refusals: [401]});
  });

  it('is explained to a person who returns after a week, without a word about drafts if there are none', async () => {
    tab = await stage.signIn(ada, {path: '/sessions', fresh: true});
    await stage.moveTo(minutes(8 * 24 * 60));
    await main(tab.page)
      .getByText(/You’ve been signed out/)
      .waitFor();
    expect(await main(tab.page).innerText()).not.toContain('draft');
  });

  it('is not mentioned to a person who has signed out, or was never signed in', async () => {
    tab = await stage.signIn(ada, {path: '/sessions', fresh: true});
    await signOut(tab.page);
    expect(await main(tab.page).innerText()).not.toContain('signed out');
    await tab.close();
    tab = await stage.open({path: '/history'});
    await heading(tab.page, 'Sign in').waitFor();
    expect(await main(tab.page).innerText()).not.toContain('signed out');
  });
});
