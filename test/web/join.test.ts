import {afterAll, afterEach, beforeAll, describe, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import type {Json} from '../support/service.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {type BrowserStage, openDashboard, type Tab} from './support/stage.js';

let stage: BrowserStage;
let owner: Person;
let tab: Tab;

beforeAll(async () => {
  stage = await openDashboard({}, {name: 'Example'});
  owner = await stage.addPerson({name: 'Ada Lovelace', role: 'owner'});
});

afterAll(() => stage.close());
afterEach(() => tab.close());

async function makeInvite(
  body: Json = {},
  {token}: {token: string} = owner,
): Promise<{id: string; path: string}> {
  const answer = await stage.workspace.request('POST', '/v1/invites', {
    token,
    body: {teams: [{team_id: 'platform'}], ...body},
  });
  const [{id, url}] = answer.body.data;
  return {id, path: new URL(url).pathname + new URL(url).hash};
}

const main = (page: Page) => page.locator('main');
const heading = (page: Page, name: string) => page.getByRole('heading', {name, exact: true});
const members = async (name: string): Promise<Json[]> =>
  (await stage.workspace.request('GET', `/v1/members?q=${encodeURIComponent(name)}`)).body.data;
const signedIn = (page: Page) => page.getByRole('navigation', {name: 'Main'}).first().waitFor();

describe('a person without an account', () => {
  it('reads who invites them, gives a name, and lands in the team, signed in, in their time zone', async () => {
    const {path} = await makeInvite({emails: ['grace@example.com']});
    tab = await stage.open({path, timezone: 'America/New_York'});
    const {page} = tab;
    await heading(page, 'Join Example').waitFor();
    await main(page).getByText('Ada Lovelace invited you to platform.').waitFor();
    await main(page).getByText('Time zone: New York, from this device').waitFor();
    await look(tab, 'join');
    expect(page.url()).not.toContain('#');
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByRole('button', {name: 'Join', exact: true}).click();
    await signedIn(page);
    await page.waitForURL(/\/app\/t\/platform$/);
    expect(await members('Grace')).toMatchObject([
      {name: 'Grace Hopper', email: 'grace@example.com', timezone: 'America/New_York', locale: 'en'},
    ]);
    const kept: string = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href, history.state])',
    );
    expect(kept).not.toMatch(/standup:join|[\w-]{43}/);
    await expectInnocent(tab, {refusals: [401]});
  });

  it('chooses another time zone, and a reload of the page loses nothing', async () => {
    const {path} = await makeInvite();
    tab = await stage.open({path});
    const {page} = tab;
    await heading(page, 'Join Example').waitFor();
    await page.reload();
    await page.getByLabel('Your name').fill('Lin Zoned');
    await page.getByRole('button', {name: 'Change'}).click();
    await page.getByRole('combobox', {name: 'Time zone'}).fill('Tokyo');
    await page.getByRole('option', {name: 'Asia/Tokyo'}).click();
    await page.getByRole('button', {name: 'Join', exact: true}).click();
    await signedIn(page);
    expect(await members('Zoned')).toMatchObject([{timezone: 'Asia/Tokyo'}]);
  });

  it('presses again after a lost answer, and is one member', async () => {
    const {path, id} = await makeInvite({max_uses: 1});
    tab = await stage.open({path});
    const {page} = tab;
    await page.getByLabel('Your name').fill('Lost Answer');
    let lost = 0;
    await page.route('**/app/invite', async (route) => {
      if (route.request().postData()?.includes('"name"') !== true || lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', {name: 'Join', exact: true}).click();
    await main(page).getByRole('alert').waitFor();
    await page.getByRole('button', {name: 'Join', exact: true}).click();
    await signedIn(page);
    expect(lost).toBe(1);
    expect(await members('Lost')).toHaveLength(1);
    const {body} = await stage.workspace.request('GET', `/v1/invites/${id}`);
    expect(body).toMatchObject({uses: 1, state: 'used'});
  });

  it.each<[string, (id: string) => Promise<unknown>, string, string]>([
    [
      'was ended',
      (id) => stage.workspace.request('DELETE', `/v1/invites/${id}`),
      'This invite was ended. Ask Ada Lovelace for a new one.',
      'Sign in',
    ],
    [
      'is for an address that has an account',
      () => stage.addPerson({name: 'Known Person', email: 'known@example.com'}),
      'You already have an account. Sign in, then join.',
      'Sign in',
    ],
  ])('reads that the invite %s, and what to do', async (_, change, sentence, way) => {
    const {id, path} = await makeInvite({emails: ['known@example.com']});
    await change(id);
    tab = await stage.open({path});
    await main(tab.page).getByText(sentence).waitFor();
    await main(tab.page).getByRole('link', {name: way}).waitFor();
    expect(await tab.page.getByLabel('Your name').count()).toBe(0);
  });

  it('reads that a link is not known, or that it was used', async () => {
    tab = await stage.open({path: '/join#nonsense'});
    const {page} = tab;
    await main(page).getByText('We don’t know this link. Check that you copied all of it.').waitFor();
    await look(tab, 'join-refused');
    const {path} = await makeInvite({max_uses: 1});
    const other = await stage.open({path});
    await other.page.getByLabel('Your name').fill('First Person');
    await other.page.getByRole('button', {name: 'Join', exact: true}).click();
    await signedIn(other.page);
    await other.close();
    await page.evaluate(`location.hash = ${JSON.stringify(path.split('#')[1])}`);
    await main(page).getByText('This invite was already used. Was it you?').waitFor();
    await expectInnocent(tab, {refusals: [401]});
  });
});

describe('a member who is signed in', () => {
  it('joins the teams with one press, and keeps their account', async () => {
    const lin = await stage.addPerson({name: 'Lin Here'});
    const {path} = await makeInvite();
    tab = await stage.signIn(lin, {path, fresh: true});
    const {page} = tab;
    await main(page).getByText('You’re signed in as Lin Here.').waitFor();
    await look(tab, 'join-as-member');
    await page.getByRole('button', {name: 'Join platform'}).click();
    await page.waitForURL(/\/app\/t\/platform$/);
    const {body} = await stage.workspace.request('GET', '/v1/me', {token: lin.token});
    expect(body.teams).toMatchObject([{slug: 'platform', role: 'member'}]);
    await tab.go(path);
    await main(page).getByText('You’re already a member.').waitFor();
    await expectInnocent(tab);
  });

  it('reads both names if the invite is for another address, and may sign out to join as that person', async () => {
    const jonas = await stage.addPerson({name: 'Jonas Other', email: 'jonas@example.com'});
    const {path} = await makeInvite({emails: ['guest@example.com']});
    tab = await stage.signIn(jonas, {path, fresh: true});
    const {page} = tab;
    await page.getByRole('button', {name: 'Join platform'}).click();
    await main(page)
      .getByText('You’re signed in as Jonas Other; this invite is for g…@example.com.')
      .waitFor();
    await page.getByRole('button', {name: 'Sign out and continue'}).click();
    await page.getByLabel('Your name').fill('Guest Person');
    await page.getByRole('button', {name: 'Join', exact: true}).click();
    await signedIn(page);
    await expectEventually(async () => (await members('Guest')).length).toBe(1);
    await expectInnocent(tab, {refusals: [401, 403]});
  });
});
