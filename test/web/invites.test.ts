import {afterAll, beforeAll, expect, it} from '@jest/globals';
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
  owner = await stage.addPerson({
    name: 'Olga Owner',
    role: 'owner',
    team: 'platform',
    email: 'olga@example.com',
  });
});

afterAll(() => stage.close());

const dialog = (page: Page) => page.getByRole('dialog');
const invites = async (): Promise<Json[]> =>
  (await stage.workspace.request('GET', '/v1/invites?state=all', {token: owner.token})).body.data;

it('an owner invites people from the checklist of a new team, and copies a link for each', async () => {
  tab = await stage.signIn(owner, {path: '/t/platform', fresh: true});
  const {page} = tab;
  await page.getByRole('heading', {name: 'Get your team going'}).waitFor();
  await page.getByRole('button', {name: 'Invite people'}).click();
  await dialog(page).getByRole('checkbox', {name: 'platform'}).waitFor();
  await expectEventually(() => dialog(page).getByRole('checkbox', {name: 'platform'}).isChecked()).toBe(true);
  await dialog(page)
    .getByLabel('E-mail addresses')
    .fill('grace@example.com, lin@example.com\nolga@example.com');
  await look(tab, 'invite-dialog');
  await dialog(page).getByRole('button', {name: 'Create invites'}).click();
  await dialog(page)
    .getByText('Email isn’t set up here. Copy each link and send it yourself.', {exact: false})
    .waitFor();
  await dialog(page).getByText('olga@example.com is already a member.').waitFor();
  await look(tab, 'invite-links');
  const links = await dialog(page)
    .getByRole('group', {name: /^Link for/})
    .allInnerTexts();
  expect(links).toHaveLength(2);
  for (const link of links) expect(link).toMatch(/\/app\/join#ws_\w+\.\w+\.[\w-]{43}$/);
  await tab.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog(page)
    .getByRole('listitem', {name: 'Link for grace@example.com'})
    .getByRole('button', {name: 'Copy link'})
    .click();
  await page.getByText('Link copied.').waitFor();
  expect(links).toContain(await page.evaluate('navigator.clipboard.readText()'));
  await dialog(page).getByRole('button', {name: 'Done'}).click();
  expect(await invites()).toMatchObject([
    {email: 'lin@example.com', teams: [{team_id: stage.workspace.team}]},
    {email: 'grace@example.com'},
  ]);
});

it('open invites are listed on People, and one that is ended disappears with its address', async () => {
  const {page} = tab;
  await tab.go('/people');
  const row = page.getByRole('listitem', {name: 'grace@example.com'});
  await row.getByText('platform', {exact: false}).waitFor();
  await look(tab, 'open-invites');
  await row.getByRole('button', {name: 'Details of the invite for grace@example.com'}).click();
  await dialog(page).getByText('Olga Owner').waitFor();
  await look(tab, 'invite-details');
  await dialog(page).getByText('Also delete the address').click();
  await dialog(page).getByRole('button', {name: 'End invite'}).click();
  await page.getByText('Invite ended.').waitFor();
  await row.waitFor({state: 'detached'});
  await page.getByRole('listitem', {name: 'lin@example.com'}).waitFor();
  expect((await invites()).at(-1)).toMatchObject({state: 'revoked', email: null});
});

it('one link for several people is made on People, and its secret is in no list of requests', async () => {
  const {page} = tab;
  await page.getByRole('button', {name: 'Invite people'}).click();
  await dialog(page).getByText('One link for several people').click();
  // The only team is chosen already.
  await expectEventually(() => dialog(page).getByRole('checkbox', {name: 'platform'}).isChecked()).toBe(true);
  await dialog(page).getByRole('button', {name: 'Create link'}).click();
  const link = await dialog(page).getByRole('group', {name: 'Link for up to 100 people'}).innerText();
  expect(link).toContain('/app/join#');
  await dialog(page).getByRole('button', {name: 'Done'}).click();
  await page
    .getByRole('listitem', {name: 'Link for several people'})
    .getByText('0 of 100 joined', {exact: false})
    .waitFor();
  const kept: string = await page.evaluate('JSON.stringify([localStorage, sessionStorage, location.href])');
  expect(kept).not.toContain(link.split('.').at(-1));
  expect((await invites())[0]).toMatchObject({email: null, teams: [{team_id: stage.workspace.team}]});
  await expectInnocent(tab);
});

it('an owner invites an admin by address', async () => {
  const {page} = tab;
  await page.getByRole('button', {name: 'Invite people'}).click();
  await dialog(page).getByLabel('E-mail addresses').fill('boss@example.com');
  await dialog(page).getByRole('radio', {name: 'Admin'}).check({force: true});
  await dialog(page).getByRole('button', {name: 'Create invites'}).click();
  await dialog(page).getByRole('group', {name: 'Link for boss@example.com'}).waitFor();
  await dialog(page).getByRole('button', {name: 'Done'}).click();
  expect((await invites())[0]).toMatchObject({
    email: 'boss@example.com',
    role: 'admin',
    teams: [{role: 'member'}],
  });
});

it('a member who leads no team is offered no invites, and a lead only teams that they lead', async () => {
  await stage.workspace.request('POST', '/v1/teams', {body: {slug: 'science', name: 'Science'}});
  const lea = await stage.addPerson({name: 'Lea Lead', team: 'science', as: 'lead'});
  await stage.workspace.request('PUT', `/v1/teams/platform/members/${lea.id}`);
  const alone = await stage.signIn(lea, {path: '/t/science'});
  await alone.page.getByText('You’re the only member so far.').waitFor();
  await alone.page.getByRole('button', {name: 'Invite people'}).waitFor();
  await alone.close();
  const lin = await stage.addPerson({name: 'Lin Member', team: 'science'});
  const other = await stage.signIn(lin, {path: '/people'});
  await other.page.getByRole('listitem', {name: 'Lin Member'}).waitFor();
  expect(await other.page.getByRole('button', {name: 'Invite people'}).count()).toBe(0);
  await other.close();
  const lead = await stage.signIn(lea, {path: '/t/science/settings'});
  await lead.page.getByRole('button', {name: 'Invite people'}).click();
  await dialog(lead.page).getByRole('checkbox', {name: 'Science'}).waitFor();
  expect(await dialog(lead.page).getByRole('checkbox').count()).toBe(1);
  await dialog(lead.page).getByLabel('E-mail addresses').fill('not an address');
  await dialog(lead.page).getByRole('button', {name: 'Create invites'}).click();
  await dialog(lead.page).getByRole('alert').waitFor();
  await expectInnocent(lead, {refusals: [422]});
  await lead.close();
});
