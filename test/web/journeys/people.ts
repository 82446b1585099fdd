import type {Tab} from '../support/stage.js';
import type {Journey} from './journey.js';

const row = ({page}: Tab, name: string) => page.getByRole('listitem', {name, exact: true});

async function act(tab: Tab, name: string, what: string): Promise<void> {
  await row(tab, name)
    .getByRole('button', {name: `Actions for ${name}`})
    .click();
  await tab.page.getByRole('menuitem', {name: what}).click();
}

async function confirm({page}: Tab, name: string, button: string): Promise<void> {
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', {name: button}).click();
  await dialog.waitFor({state: 'detached'});
}

export const peopleJourney: Journey = [
  [
    'somebody who is added',
    async (tab, {prepare}) => {
      await prepare(async ({ask}) => {
        const {id} = await ask('POST', '/v1/members', {name: 'Edsger Dijkstra'});
        await ask('POST', '/v1/teams', {slug: 'science', name: 'Science'});
        await ask('PUT', `/v1/teams/science/members/${id}`);
        await ask('POST', '/v1/standups', {team: 'science', author: id, update: 'Shortest path.'});
        return id;
      });
      const {page} = tab;
      await tab.go('/people');
      await page.getByRole('button', {name: 'Add person'}).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Barbara Liskov');
      await page.getByRole('dialog').getByRole('button', {name: 'Add', exact: true}).click();
      await row(tab, 'Barbara Liskov').waitFor();
    },
  ],
  [
    'somebody whose address is changed',
    async (tab) => {
      await act(tab, 'Barbara Liskov', 'Edit …');
      const sheet = tab.page.getByRole('dialog');
      await sheet.getByLabel('E-mail address').fill('barbara@example.com');
      await sheet.getByRole('button', {name: 'Save'}).click();
      await row(tab, 'Barbara Liskov').getByText('barbara@example.com').waitFor();
    },
  ],
  [
    'a sign-in link for somebody else',
    async (tab) => {
      await act(tab, 'Barbara Liskov', 'Sign-in link …');
      const dialog = tab.page.getByRole('dialog');
      await dialog.getByRole('button', {name: 'Create link'}).click();
      await dialog.getByLabel('Sign-in link', {exact: true}).waitFor();
      await tab.page.keyboard.press('Escape');
    },
  ],
  [
    'data of somebody that are downloaded',
    async (tab) => {
      await tab.page.evaluate('delete globalThis.showSaveFilePicker');
      await act(tab, 'Barbara Liskov', 'Download their data');
      await tab.page.getByText(/^Done: /).waitFor();
    },
  ],
  [
    'somebody who is removed',
    async (tab) => {
      await act(tab, 'Barbara Liskov', 'Remove …');
      await confirm(tab, 'Barbara Liskov', 'Remove');
      await row(tab, 'Barbara Liskov').waitFor({state: 'detached'});
    },
  ],
  [
    'somebody who is erased, until nothing is left',
    async (tab) => {
      await act(tab, 'Edsger Dijkstra', 'Erase all data …');
      await confirm(tab, 'Edsger Dijkstra', 'Erase all data');
      await tab.page.getByRole('region').getByText('Everything erased').waitFor();
    },
  ],
  [
    'erasures of before',
    async ({page}) => {
      await page.getByText('Erasures', {exact: true}).click();
      await page.getByRole('group').getByText('Everything erased').waitFor();
    },
  ],
];

/** Tokens, and the service accounts that hold some. */
export const tokensJourney: Journey = [
  [
    'a token that is made for a program',
    async (tab) => {
      const {page} = tab;
      await tab.go('/tokens?show=all');
      await page.getByRole('button', {name: 'Create token'}).click();
      const sheet = page.getByRole('dialog');
      await sheet.getByLabel('Name', {exact: true}).fill('nightly');
      await sheet.getByRole('radio', {name: /A service account/}).click({force: true});
      await sheet.getByLabel('Service account', {exact: true}).fill('reporter');
      await sheet.getByRole('button', {name: 'Create'}).click();
      await page.getByRole('button', {name: 'Done'}).click();
    },
  ],
  [
    'a token that is looked at',
    async (tab) => {
      await row(tab, 'nightly').getByRole('link', {name: 'Details'}).click();
      await tab.page.getByText('Last used').waitFor();
    },
  ],
  [
    'a token that is revoked',
    async (tab) => {
      await row(tab, 'nightly').getByRole('button', {name: 'Revoke'}).click();
      await tab.page.getByRole('button', {name: 'Revoke token'}).click();
      await row(tab, 'nightly').waitFor({state: 'detached'});
    },
  ],
  [
    'a program that a person signs in by its code',
    async ({page, ...tab}, {prepare}) => {
      const {user_code: code} = await prepare(({workspace}) =>
        workspace.core.services.deviceLogins.start(
          {name: 'standup on ada-laptop', scopes: ['standups:read']},
          {address: '203.0.113.7', deadline: performance.now() + 5_000},
        ),
      );
      await tab.go('/device');
      await page.getByLabel('Code', {exact: true}).fill(code);
      await page.getByRole('button', {name: 'Continue'}).click();
      await page.getByRole('button', {name: 'Approve'}).click();
      await page.getByRole('heading', {name: 'Approved'}).waitFor();
      await tab.go('/tokens?show=all');
    },
  ],
  [
    'a service account that is deleted',
    async (tab) => {
      await row(tab, 'reporter').getByRole('button', {name: 'Delete'}).click();
      await confirm(tab, 'reporter', 'Delete');
      await row(tab, 'reporter').waitFor({state: 'detached'});
    },
  ],
];
