import {afterAll, beforeAll, beforeEach, describe, expect, it} from '@jest/globals';
import type {Browser, Page} from 'playwright-core';
import {mkdir} from 'node:fs/promises';
import {addPerson, type Person} from '../api/people.js';
import {getSharedBrowser, openWatchedPage} from '../support/browser.js';
import {deep} from '../support/deep.js';
import {findFreePort} from '../support/free-port.js';
import {startService, type TestService, type TestWorkspace} from '../support/service.js';
import {look} from '../web/support/look.js';
import {clientSecret, type SignInProvider, startSignInProvider} from '../support/sign-in-provider.js';

let provider: SignInProvider;
let service: TestService;
let workspace: TestWorkspace;
let ada: Person;
let browser: Browser;
let issuers: string;
/** A different site from the provider's, which is at 127.0.0.1. */
let url: string;

beforeAll(async () => {
  const port = String(await findFreePort());
  url = `http://localhost:${port}`;
  provider = await startSignInProvider(`${url}/app/sign-in/callback`);
  const signIn = {id: 'acme', name: 'Acme', client_id: 'standup', client_secret: clientSecret};
  const {issuer, jwksUrl} = provider;
  const rules = {issuer, audience: 'standup', jwks_url: jwksUrl, workspaces: ['acme'], sign_in: signIn};
  issuers = JSON.stringify([rules]);
  service = await startService({
    env: {PORT: port, PUBLIC_URL: url, TRUSTED_ISSUERS: issuers},
  });
  workspace = await service.addWorkspace('Acme');
  ada = await addPerson(service, workspace, {name: 'Ada Lovelace', email: 'ada@example.com'});
  provider.showPage(true);
  browser = await getSharedBrowser();
});

beforeEach(() => provider.become('ada', {email: 'ada@example.com', email_verified: true}));

afterAll(async () => {
  await service.close();
  await provider.close();
});

/** `SCREENSHOTS=folder` saves pictures of the pages. */
async function keep(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, {recursive: true});
  await page.screenshot({path: `${folder}/${name}.png`});
}

const atProvider = 'Sign in at the provider';
const byAcme = (page: Page) => page.getByRole('link', {name: /Acme/});

/**
 * The account that a script of the page is signed in to. Its cookie is sent although another site has led
 * here.
 */
async function findSignedIn(page: Page): Promise<{id: string; scopes: string[]}> {
  const grant = await page.evaluate<{token: string; scopes: string[]}>(
    `fetch('/app/session/token', {method: 'POST', headers: {'X-Standup-Dashboard': '1'}}).then((answer) => answer.json())`,
  );
  const {body} = await workspace.request('GET', '/v1/me', {token: grant.token});
  return {id: body.principal?.id, scopes: grant.scopes};
}

it('a member signs in at a provider on another site in a real browser, and the page has the session at once', async () => {
  const context = await browser.newContext();
  const {page, misdeeds} = await openWatchedPage(context, url);
  page.setDefaultTimeout(20_000);
  await page.goto(`${url}/app/sign-in?to=/calendar`);
  await byAcme(page).waitFor();
  await keep(page, 'offered');
  await byAcme(page).click();
  await page.getByRole('link', {name: atProvider}).click();
  await page.waitForURL(`${url}/app/calendar`);
  expect(await findSignedIn(page)).toEqual({
    id: ada.id,
    scopes: expect.not.arrayContaining(['tokens:manage']),
  });
  await keep(page, 'signed-in');
  const cookies = await context.cookies(url);
  expect(cookies.map(({name, httpOnly, sameSite}) => ({name, httpOnly, sameSite}))).toEqual([
    {name: 'standup', httpOnly: true, sameSite: 'Strict'},
  ]);
  const first = cookies[0]?.value;
  expect(misdeeds.violations).toEqual([]);
  expect(misdeeds.foreign.every((address) => address.startsWith(provider.issuer))).toBe(true);

  // After a new confirmation: the provider asks again although it knows the person, and the session is a new
  // one.
  await page.evaluate("location.assign('/app/sign-in/acme?confirm=1&to=/app/tokens')");
  await page.getByRole('link', {name: atProvider}).click();
  await page.waitForURL(`${url}/app/tokens`);
  expect(await findSignedIn(page)).toEqual({id: ada.id, scopes: expect.arrayContaining(['tokens:manage'])});
  const [second] = await context.cookies(url);
  expect(second?.value).not.toBe(first);
  const {body} = await workspace.request('GET', `/v1/tokens?kind=session`);
  expect(body.data).toHaveLength(1);
  expect(body.data[0].scopes).toContain('tokens:manage');
  await context.close();
});

describe('an invite', () => {
  const invite = async (body: object): Promise<string> => {
    const given = {teams: [{team_id: 'platform'}], ...body};
    const answer = await workspace.request('POST', '/v1/invites', {body: given});
    return new URL(answer.body.data[0].url).hash;
  };

  it.each([
    ['en', 'Continue with Acme'],
    ['de', 'Weiter mit Acme'],
  ])('is accepted by one press, through the provider, in %s', async (language, label) => {
    const address = `grace-${language}@example.com`;
    provider.become(address, {email: address, email_verified: true, name: `Grace ${language}`});
    const context = await browser.newContext({locale: language, timezoneId: 'America/New_York'});
    const {page, misdeeds} = await openWatchedPage(context, url);
    page.setDefaultTimeout(20_000);
    await page.goto(`${url}/app/join${await invite({})}`);
    await page.getByRole('button', {name: label}).waitFor();
    await look({page}, `join-provider-${language}`);
    await page.getByRole('button', {name: label}).click();
    await page.getByRole('link', {name: atProvider}).click();
    await page.waitForURL(`${url}/app/t/platform`);
    const {body} = await workspace.request('GET', `/v1/members?q=Grace%20${language}`);
    expect(body.data).toMatchObject([
      {email: address, email_status: 'proven', timezone: 'America/New_York', locale: language},
    ]);
    expect((await findSignedIn(page)).id).toBe(body.data[0].id);
    const kept: string = await page.evaluate(
      'JSON.stringify([sessionStorage, location.href, history.state])',
    );
    expect(kept).not.toMatch(/standup:join|[\w-]{43}/);
    expect(misdeeds.violations).toEqual([]);
    await context.close();
  });

  it('is for another address than the account: the page says so, and the person tries another account', async () => {
    const context = await browser.newContext();
    const {page} = await openWatchedPage(context, url);
    page.setDefaultTimeout(20_000);
    provider.become('eve', {email: 'eve@example.com', email_verified: true});
    await page.goto(`${url}/app/join${await invite({emails: ['lin@example.com']})}`);
    await page.getByRole('button', {name: 'Continue with Acme'}).click();
    await page.getByRole('link', {name: atProvider}).click();
    await page.getByText('This invite isn’t for the address of that account.', {exact: false}).waitFor();
    await look({page}, 'join-provider-refused');
    await context.clearCookies({domain: '127.0.0.1'});
    provider.become('lin', {email: 'lin@example.com', email_verified: true});
    await page.getByRole('button', {name: 'Continue with Acme'}).click();
    await page.getByRole('link', {name: atProvider}).click();
    await page.waitForURL(`${url}/app/t/platform`);
    await context.close();
  });

  it('brings a member who continues with the provider back, who then joins its teams', async () => {
    const context = await browser.newContext();
    const {page} = await openWatchedPage(context, url);
    page.setDefaultTimeout(20_000);
    await page.goto(`${url}/app/join${await invite({})}`);
    await page.getByRole('button', {name: 'Continue with Acme'}).click();
    await page.getByRole('link', {name: atProvider}).click();
    await page.getByText('You’re signed in as Ada Lovelace.').waitFor();
    await page.getByRole('button', {name: /^Join/}).click();
    await page.waitForURL(`${url}/app/t/platform`);
    await context.close();
  });
});

describe('a way to sign in that is off', () => {
  const open = async (signIn: string, env: Record<string, string>, path: string) => {
    const off = await startService({
      redisUrl: service.redisUrl,
      mail: 'sent',
      env: {ROLES: 'web', SIGN_IN: signIn, TRUSTED_ISSUERS: issuers, ...env},
    });
    const context = await browser.newContext();
    const {page} = await openWatchedPage(context, off.url);
    page.setDefaultTimeout(20_000);
    await page.goto(`${off.url}/app${path}`);
    const close = async () => {
      await context.close();
      await off.close();
    };
    return {page, close};
  };

  it('is not shown on the sign-in page', async () => {
    const smtp = {SMTP_URL: 'smtps://smtp.example.com', MAIL_FROM: 'a@example.com'};
    const {page, close} = await open('mail', smtp, '/sign-in');
    await page.getByLabel('Email').waitFor();
    await look({page}, 'sign-in-mail-alone');
    expect(await byAcme(page).count()).toBe(0);
    expect(await page.getByText('Get a sign-in link').count()).toBe(0);
    expect(await page.getByRole('button', {name: 'Use a passkey'}).count()).toBe(0);
    await close();
  });

  it('is not shown at an invite, which then leads through the provider alone', async () => {
    const made = await workspace.request('POST', '/v1/invites', {body: {teams: [{team_id: 'platform'}]}});
    const {page, close} = await open('provider', {}, `/join${new URL(made.body.data[0].url).hash}`);
    await page.getByRole('button', {name: 'Continue with Acme'}).waitFor();
    await look({page}, 'join-provider-alone');
    expect(await page.getByLabel('Your name').count()).toBe(0);
    expect(await page.getByLabel('Email').count()).toBe(0);
    await close();
  });
});

it('our own page asks a person who comes from another site to sign in, and signs no one in within a frame', async () => {
  const context = await browser.newContext();
  const {page} = await openWatchedPage(context, url);
  page.setDefaultTimeout(20_000);
  const trap = `<!doctype html><a href="${url}/app/sign-in/acme">A prize</a><iframe src="${url}/app/sign-in/acme"></iframe>`;
  provider.pretend('/trap', (_, response) =>
    response.writeHead(200, {'content-type': 'text/html'}).end(trap),
  );
  const before = provider.asked.length;
  await page.goto(`${provider.issuer}/trap`);
  await page.getByRole('link', {name: 'A prize'}).click();
  await byAcme(page).waitFor();
  expect(new URL(page.url()).pathname).toBe('/app/sign-in');
  expect(await context.cookies(url)).toEqual([]);
  expect(provider.asked.slice(before).filter((path) => path === '/auth')).toEqual([]);
  await context.close();
});

if (deep) {
  it('the sign-in page shows a failed sign-in with its request id', async () => {
    const context = await browser.newContext();
    const {page} = await openWatchedPage(context, url);
    page.setDefaultTimeout(20_000);
    provider.become('eve', {email: 'eve@example.com', email_verified: true});
    await page.goto(`${url}/app/sign-in`);
    await byAcme(page).click();
    await page.getByRole('link', {name: atProvider}).click();
    await page.getByText(/req_\w+/).waitFor();
    await keep(page, 'refused');
    expect(new URL(page.url()).searchParams.get('problem')).toBe('unknown_person');
    await byAcme(page).waitFor();
    await context.close();
  });
}
