import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {listCodeMails, readMailedCode} from '../dashboard/mailed-codes.js';
import {makeLink, passOf} from '../dashboard/test-browser.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {type BrowserStage, openDashboard, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let email: string;
let tab: Tab;
let people = 0;

beforeAll(async () => {
  // No process sends mails, so each code stays in the outbox, where the tests read it.
  stage = await openDashboard({ROLES: 'web'}, {name: 'Example', mail: 'sent'});
});

afterAll(() => stage.close());
afterEach(() => tab.close());

beforeEach(async () => {
  people += 1;
  email = `ada${people}@example.com`;
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', email});
});

const main = (page: Page) => page.locator('main');
const heading = (page: Page, name: string) => page.getByRole('heading', {name, exact: true});
const button = (page: Page, name: string) => page.getByRole('button', {name, exact: true});
const signedIn = (page: Page) =>
  page
    .getByRole('navigation', {name: /^(Main|Haupt)/})
    .first()
    .waitFor();
const countCodes = async (): Promise<number> => (await listCodeMails(stage.service, stage.workspace)).length;

/** Asks for a code on the open sign-in page, and returns it. */
async function getCode(
  page: Page,
  {address = email, label = 'Email', proceed = 'Continue'} = {},
): Promise<string> {
  const count = await countCodes();
  await page.getByLabel(label).fill(address);
  await button(page, proceed).click();
  return readMailedCode(stage.service, stage.workspace, count + 1);
}

/** Asks for a code, and returns the link in its mail. */
async function getMailedLink(): Promise<{path: string; code: string}> {
  const count = await countCodes();
  const subject = {email, workspace: ''};
  const {codes, mails} = stage.service.core.services;
  const deadline = performance.now() + 5_000;
  const send = await codes.ask(subject, {deadline});
  await send(deadline);
  const code = await readMailedCode(stage.service, stage.workspace, count + 1);
  const [mail] = await listCodeMails(stage.service, stage.workspace);
  if (mail === undefined) throw new Error('no mail');
  const {id: workspace} = stage.workspace;
  const encrypted = await stage.service.core.store.mails.findSecret(workspace, mail.suffix, deadline);
  const composed = await mails.compose({workspace, deadline}, mail, encrypted);
  const {pathname, hash} = new URL(composed?.content.url ?? '');
  return {path: pathname + hash, code};
}

describe('a person who is not signed in', () => {
  it('gives an address, types the code of the mail, and returns to the page they wanted', async () => {
    tab = await stage.open({path: '/sessions'});
    const {page} = tab;
    await heading(page, 'Sign in').waitFor();
    await look(tab, 'sign-in-email');
    const code = await getCode(page);
    await main(page)
      .getByText(`If ${email} has an account, a code is on its way. It can take a minute.`)
      .waitFor();
    const field = page.getByLabel('Code');
    expect(await field.getAttribute('autocomplete')).toBe('one-time-code');
    await look(tab, 'sign-in-code');
    await field.fill(`${code.startsWith('0') ? '1' : '0'}${code.slice(1)}`);
    await button(page, 'Sign in').click();
    await main(page).getByText('That code isn’t right. 4 tries left.').waitFor();
    await look(tab, 'sign-in-wrong-code');
    await field.fill(`${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase());
    await field.press('Enter');
    await heading(page, 'Sessions').waitFor();
    const kept: string = await page.evaluate('JSON.stringify([localStorage, sessionStorage, history.state])');
    expect(kept).not.toContain(code);
    expect(kept).not.toContain(email);
    await expectInnocent(tab, {refusals: [401]});
  });

  it('reads the same for an address without a member', async () => {
    tab = await stage.open({path: '/sign-in'});
    const {page} = tab;
    await page.getByLabel('Email').fill('nobody@example.com');
    await button(page, 'Continue').click();
    await main(page).getByText('If nobody@example.com has an account, a code is on its way.').waitFor();
    await page.getByLabel('Code').fill('K7QM3XTD');
    await button(page, 'Sign in').click();
    await main(page).getByText('That code isn’t right. 4 tries left.').waitFor();
    for (let tries = 0; tries < 4; tries += 1) {
      await button(page, 'Sign in').click();
      await main(page)
        .getByText(tries === 3 ? 'Too many tries. Get a new code.' : `${3 - tries} tr`)
        .waitFor();
    }
    expect(await button(page, 'Use another address').isEnabled()).toBe(true);
  });
});

describe('the link of a mail', () => {
  it('signs in by its button alone, in German, and leaves no trace in the address', async () => {
    const {path, code} = await getMailedLink();
    tab = await stage.open({path, locale: 'de-DE', language: 'de'});
    const {page} = tab;
    await main(page).getByText(`Du meldest dich als ${email} an.`).waitFor();
    await main(page)
      .getByText(`${code.slice(0, 4)}-${code.slice(4)}`)
      .waitFor();
    expect(page.url()).not.toContain('#');
    await look(tab, 'sign-in-code-link');
    await button(page, 'Anmelden').click();
    await signedIn(page);
    await expectInnocent(tab, {refusals: [401]});
  });

  it('is not used up by software that opens it in a browser for 5 seconds', async () => {
    const {path, code} = await getMailedLink();
    tab = await stage.open({path});
    await button(tab.page, 'Sign in').waitFor();
    await tab.page.waitForTimeout(5_000);
    expect(
      tab.requests.filter(({method, path: asked}) => method === 'POST' && asked === '/app/session'),
    ).toEqual([]);
    const found = await stage.service.core.store.signInCodes.findOpen(
      {email, workspace: ''},
      code,
      performance.now() + 5_000,
    );
    expect(found).toBeDefined();
  });

  it('leads to a new code once it was used', async () => {
    const {path, code} = await getMailedLink();
    const {codes} = stage.service.core.services;
    await codes.take({email, workspace: ''}, code, {deadline: performance.now() + 5_000});
    tab = await stage.open({path});
    const {page} = tab;
    await button(page, 'Sign in').click();
    await main(page).getByText('This code has expired.').waitFor();
    await button(page, 'Get a new code').click();
    await page.getByLabel('Email').waitFor();
  });
});

describe('a person whose session may not make tokens', () => {
  /** Signs in by a link of another person, and opens the page of tokens. */
  async function openTokens({page}: Tab, {id, name}: Person, proceed: string): Promise<void> {
    const maker = await stage.addPerson({name: 'Olga Owner', role: 'owner'});
    const principal = {type: 'member', id: maker.id, name: maker.name} as const;
    const link = await makeLink(stage.workspace, id, {...stage.workspace.operator(), principal});
    await page.evaluate(`location.hash = ${JSON.stringify(passOf(link))}`);
    await button(page, `${proceed} ${name}`).click();
    await signedIn(page);
    await page.goto(`${stage.service.url}/app/tokens`);
  }

  it('is offered no code by mail if they have no address, but another way', async () => {
    tab = await stage.open({path: '/sign-in'});
    const {page} = tab;
    await openTokens(tab, await stage.addPerson({name: 'Nameless'}), 'Continue as');
    await heading(page, 'Confirm it’s you').waitFor();
    await main(page).getByText('npm run').waitFor();
    expect(await button(page, 'Email me a code').count()).toBe(0);
  });

  it('confirms that it is them by a code, in German, and comes back to the page', async () => {
    tab = await stage.open({path: '/sign-in', locale: 'de-DE', language: 'de'});
    const {page} = tab;
    await openTokens(tab, ada, 'Weiter als');
    const count = await countCodes();
    await button(page, 'Code per E-Mail schicken').click();
    const code = await readMailedCode(stage.service, stage.workspace, count + 1);
    await page.getByLabel('Code').fill(code);
    await look(tab, 'confirm-code');
    await button(page, 'Bestätigen').click();
    await page.waitForURL(/\/app\/tokens$/);
    await button(page, 'Code per E-Mail schicken').waitFor({state: 'detached'});
    await heading(page, 'Bestätige, dass du es bist').waitFor({state: 'detached'});
    await expectInnocent(tab, {refusals: [401]});
  });
});

describe('a person who joins by a link', () => {
  it.each([
    {
      locale: 'en-GB',
      language: 'en',
      words: ['Email', 'Continue', 'Code', 'Your name', 'Join', 'This link is for @example.com addresses.'],
    },
    {
      locale: 'de-DE',
      language: 'de',
      words: [
        'E-Mail-Adresse',
        'Weiter',
        'Code',
        'Dein Name',
        'Beitreten',
        'Dieser Link ist für Adressen bei @example.com.',
      ],
    },
  ] as const)(
    'reads which addresses the link is for, and proves theirs by a code, in $language',
    async ({locale, language, words}) => {
      const [address, proceed, label, name, join, domain] = words;
      const body = {teams: [{team_id: 'platform'}], email_domain: 'example.com'};
      const {body: made} = await stage.workspace.request('POST', '/v1/invites', {body});
      const {pathname, hash} = new URL(made.data[0].url);
      tab = await stage.open({path: pathname + hash, locale, language});
      const {page} = tab;
      await page.getByLabel(address).waitFor();
      await page.getByText(domain, {exact: false}).waitFor();
      await look(tab, `join-address-${language}`);
      const secret = await getCode(page, {address: `grace-${language}@example.com`, label: address, proceed});
      const [code = ''] = secret.split(' ');
      await page
        .getByLabel(label, {exact: true})
        .fill(code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`);
      await page.getByLabel(name).fill(`Grace ${language}`);
      await button(page, join).click();
      await page.getByText(/4 (tries|Versuche)/).waitFor();
      await look(tab, `join-code-${language}`);
      await page.getByLabel(label, {exact: true}).fill(code);
      await button(page, join).click();
      await signedIn(page);
      const {body: found} = await stage.workspace.request('GET', `/v1/members?q=Grace%20${language}`);
      expect(found.data).toMatchObject([{email: `grace-${language}@example.com`}]);
      await expectInnocent(tab, {refusals: [401]});
    },
  );
});

// Last, since other tests need no workspace in their links.
describe('a person of one of several workspaces', () => {
  it('names the workspace where there are several, and the browser keeps it', async () => {
    const other = await stage.service.addWorkspace('Elsewhere');
    const {body} = await stage.workspace.request('GET', '/v1/workspace');
    await stage.addPerson({name: 'Ada elsewhere', email}, other);
    tab = await stage.open({path: '/sign-in'});
    const {page} = tab;
    await page.getByLabel('Email').fill(email);
    await button(page, 'Continue').click();
    await page.getByLabel('Workspace').fill(body.slug);
    expect(await page.getByRole('alert').count()).toBe(0);
    await look(tab, 'sign-in-workspace');
    const code = await getCode(page);
    await page.getByLabel('Code').fill(code);
    await button(page, 'Sign in').click();
    await signedIn(page);
    const again = await tab.openTab('/sign-in');
    const signOut = `fetch('/app/session', {method: 'DELETE', headers: {'X-Standup-Dashboard': '1'}})`;
    expect(await again.evaluate(`${signOut}.then(({status}) => status)`)).toBe(204);
    await again.reload();
    await again.getByLabel('Workspace').waitFor();
    expect(await again.getByLabel('Workspace').inputValue()).toBe(body.slug);
    expect(await listCodeMails(stage.service, other)).toEqual([]);
  });
});
