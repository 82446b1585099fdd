import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import {recordMail, sendMails} from '../support/mails.js';
import type {Json} from '../support/service.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {type BrowserStage, openDashboard, type Tab} from './support/stage.js';

let stage: BrowserStage;
let owner: Person;
let tab: Tab;

// No process of this test sends mails by itself.
beforeAll(async () => {
  stage = await openDashboard({ROLES: 'web'}, {name: 'Example', mail: 'sent'});
  owner = await stage.addPerson({name: 'Olga Owner', role: 'owner', team: 'platform'});
});

afterAll(() => stage.close());

const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, name: string) => page.getByRole('listitem', {name});
const send = (outcome?: Parameters<typeof sendMails>[2]) =>
  sendMails(stage.service, stage.workspace, outcome);
const mails = async (): Promise<Json[]> =>
  (await stage.workspace.request('GET', '/v1/mails', {token: owner.token})).body.data;

it('invites are sent by mail, and the open invites show what became of each', async () => {
  tab = await stage.signIn(owner, {path: '/people', fresh: true});
  const {page} = tab;
  await page.getByRole('button', {name: 'Invite people'}).click();
  await dialog(page).getByText('Each person gets an email with a link of their own.').waitFor();
  await dialog(page).getByLabel('E-mail addresses').fill('grace@example.com, lin@example.com');
  await dialog(page).getByRole('button', {name: 'Send invites'}).click();
  await page.getByText('2 invites sent.').waitFor();
  await row(page, 'grace@example.com').getByText('Sending …').waitFor();
  await send();
  await row(page, 'grace@example.com').getByText('Sent').waitFor();
});

it('an invite that was not delivered is sent again from its details', async () => {
  const {page} = tab;
  await row(page, 'lin@example.com').getByRole('button').click();
  await dialog(page).getByText('The link is only in the email.').waitFor();
  await look(tab, 'mailed-invite');
  await dialog(page).getByRole('button', {name: 'Send again'}).click();
  await page.getByText('1 invite sent.').waitFor();
  await send({result: 'failed', code: 550, detail: '550 5.1.1 No such user'});
  await row(page, 'lin@example.com').getByText('Not delivered').waitFor();
  await row(page, 'lin@example.com').getByRole('button').click();
  await dialog(page).getByText('Not delivered: 550 5.1.1 No such user').waitFor();
  await page.keyboard.press('Escape');
});

it('owners see what became of mails, and mark one that came back as bounced', async () => {
  const {page} = tab;
  await page.getByRole('link', {name: 'Mail', exact: true}).click();
  await row(page, 'lin@example.com').first().getByText('550 5.1.1 No such user').waitFor();
  await look(tab, 'mail');
  await row(page, 'grace@example.com').getByRole('button').click();
  await dialog(page).getByText('Sent. The mail server accepted it.').waitFor();
  expect(await dialog(page).getByText('What it says').count()).toBe(0);
  await look(tab, 'mail-details');
  await dialog(page).getByLabel('Reason').fill('Mailbox full');
  await dialog(page).getByRole('button', {name: 'Mark as bounced'}).click();
  await page.getByText('Marked as bounced.').waitFor();
  await row(page, 'grace@example.com').getByText('Mailbox full').waitFor();
  await page.getByLabel('State').selectOption('Sent');
  await row(page, 'grace@example.com').waitFor({state: 'detached'});
  expect((await mails()).map(({to, state}) => [to, state])).toContainEqual(['grace@example.com', 'failed']);
  await expectInnocent(tab);
});

it('a person whose mail server refuses them is marked on People and on their page', async () => {
  const email = 'ray@example.com';
  const ray = await stage.addPerson({name: 'Ray Refused', team: 'platform', email});
  const outcome = {result: 'failed', code: 550, addressRefused: true} as const;
  await recordMail(stage.service, stage.workspace, {to: email, member: ray.id}, outcome);
  const {page} = tab;
  await tab.go('/people');
  await row(page, 'Ray Refused').getByText('Emails don’t arrive').waitFor();
  await look(tab, 'refused-address');
  await page.getByRole('link', {name: 'Ray Refused'}).click();
  await page.getByRole('heading', {name: 'Ray Refused'}).waitFor();
  await page.getByText('Emails don’t arrive').waitFor();
});

it('the page of mails is in German for a German browser', async () => {
  const german = await stage.signIn(owner, {path: '/mail', language: 'de'});
  await row(german.page, 'lin@example.com').getByText('Nicht zugestellt').waitFor();
  await look(german, 'mail-german');
  await german.close();
});

it('a person who invites chooses the language of an invite, and binds a link to the addresses of a domain', async () => {
  tab = await stage.signIn(owner, {path: '/people', fresh: true});
  const {page} = tab;
  await page.getByRole('button', {name: 'Invite people'}).click();
  await dialog(page).getByLabel('E-mail addresses').fill('jonas@example.com');
  await dialog(page).getByLabel('Language of the email').selectOption('Deutsch');
  await look(tab, 'invite-dialog-mail');
  await dialog(page).getByRole('button', {name: 'Send invites'}).click();
  await page.getByText('1 invite sent.').waitFor();
  await page.getByRole('button', {name: 'Invite people'}).click();
  await dialog(page).getByText('One link for several people').click();
  await dialog(page).getByLabel('Only addresses at').fill('not a domain');
  await dialog(page).getByRole('button', {name: 'Create link'}).click();
  await dialog(page).getByText('must be a domain', {exact: false}).first().waitFor();
  await dialog(page).getByLabel('Only addresses at').fill('@example.com');
  await look(tab, 'invite-dialog-domain');
  await dialog(page).getByRole('button', {name: 'Create link'}).click();
  await dialog(page)
    .getByText('Anyone with it and an @example.com address can join', {exact: false})
    .waitFor();
  await dialog(page).getByRole('button', {name: 'Done'}).click();
  await page.getByRole('button', {name: 'Details of the link'}).click();
  await dialog(page).getByText('Only @example.com').waitFor();
  await expectInnocent(tab, {refusals: [422]});
  await tab.close();
  const {body} = await stage.workspace.request('GET', '/v1/invites');
  expect(body.data.slice(0, 2)).toMatchObject([
    {email: null, email_domain: 'example.com'},
    {email: 'jonas@example.com', locale: 'de'},
  ]);
});

it('members do not see mails', async () => {
  const member = await stage.addPerson({name: 'Mia Member', team: 'platform'});
  const other = await stage.signIn(member, {path: '/mail'});
  await other.page.getByText('Only owners and admins see emails').waitFor();
  expect(await other.page.getByRole('link', {name: 'Mail', exact: true}).count()).toBe(0);
  await other.close();
});

it('a development installation shows what a mail says, with its link', async () => {
  const kept = await openDashboard({ROLES: 'web'}, {name: 'Example', mail: 'kept'});
  const other = await kept.addPerson({name: 'Olga Owner', role: 'owner', team: 'platform'});
  const {page} = await kept.signIn(other, {path: '/people'});
  await page.getByRole('button', {name: 'Invite people'}).click();
  // It sends no mail, so the dialog promises none.
  await dialog(page).getByText('Each person gets a link of their own.').waitFor();
  await dialog(page).getByLabel('E-mail addresses').fill('grace@example.com');
  await dialog(page).getByRole('button', {name: 'Create invites'}).click();
  const link = await dialog(page).getByRole('group', {name: 'Link for grace@example.com'}).innerText();
  await dialog(page).getByRole('button', {name: 'Done'}).click();
  await sendMails(kept.service, kept.workspace, {result: 'kept'});
  await page.getByRole('link', {name: 'Mail', exact: true}).click();
  await row(page, 'grace@example.com').getByText('Kept, not sent').waitFor();
  await row(page, 'grace@example.com').getByRole('button').click();
  await dialog(page)
    .getByRole('heading', {name: 'Olga Owner invited you to Example on Team Standup'})
    .waitFor();
  await expectEventually(() =>
    dialog(page).getByRole('link', {name: 'Join Example'}).getAttribute('href'),
  ).toBe(link);
  await kept.close();
});
