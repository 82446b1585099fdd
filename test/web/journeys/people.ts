import type {Visit} from '../support/stage.js';
import type {Journey} from './journey.js';

const row = ({page}: Visit, name: string) => page.getByRole('listitem', {name, exact: true});

async function act(visit: Visit, name: string, what: string): Promise<void> {
  await row(visit, name)
    .getByRole('button', {name: `Actions for ${name}`})
    .click();
  await visit.page.getByRole('menuitem', {name: what}).click();
}

async function confirm({page}: Visit, name: string, button: string): Promise<void> {
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', {name: button}).click();
  await dialog.waitFor({state: 'detached'});
}

/** The people of the workspace. */
export const peopleJourney: Journey = [
  [
    'somebody who is added',
    async (visit, {prepare}) => {
      await prepare(async ({ask}) => {
        const {id} = await ask('POST', '/v1/members', {name: 'Edsger Dijkstra'});
        await ask('POST', '/v1/teams', {slug: 'science', name: 'Science'});
        await ask('PUT', `/v1/teams/science/members/${id}`);
        await ask('POST', '/v1/standups', {team: 'science', author: id, update: 'Shortest path.'});
        return id;
      });
      const {page} = visit;
      await visit.go('/people');
      await page.getByRole('button', {name: 'Add person'}).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Barbara Liskov');
      await page.getByRole('dialog').getByRole('button', {name: 'Add', exact: true}).click();
      await row(visit, 'Barbara Liskov').waitFor();
    },
  ],
  [
    'somebody whose address is changed',
    async (visit) => {
      await act(visit, 'Barbara Liskov', 'Edit …');
      const sheet = visit.page.getByRole('dialog');
      await sheet.getByLabel('E-mail address').fill('barbara@example.com');
      await sheet.getByRole('button', {name: 'Save'}).click();
      await row(visit, 'Barbara Liskov').getByText('barbara@example.com').waitFor();
    },
  ],
  [
    'a sign-in link for somebody else',
    async (visit) => {
      await act(visit, 'Barbara Liskov', 'Sign-in link …');
      const dialog = visit.page.getByRole('dialog');
      await dialog.getByRole('button', {name: 'Create link'}).click();
      await dialog.getByLabel('Sign-in link', {exact: true}).waitFor();
      await visit.page.keyboard.press('Escape');
    },
  ],
  [
    'data of somebody that are downloaded',
    async (visit) => {
      await visit.page.evaluate('delete globalThis.showSaveFilePicker');
      await act(visit, 'Barbara Liskov', 'Download their data');
      await visit.page.getByText(/^Done: /).waitFor();
    },
  ],
  [
    'somebody who is removed',
    async (visit) => {
      await act(visit, 'Barbara Liskov', 'Remove …');
      await confirm(visit, 'Barbara Liskov', 'Remove');
      await row(visit, 'Barbara Liskov').waitFor({state: 'detached'});
    },
  ],
  [
    'somebody who is erased, until nothing is left',
    async (visit) => {
      await act(visit, 'Edsger Dijkstra', 'Erase all data …');
      await confirm(visit, 'Edsger Dijkstra', 'Erase all data');
      await visit.page.getByRole('region').getByText('Everything erased').waitFor();
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
    async (visit) => {
      const {page} = visit;
      await visit.go('/tokens?show=all');
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
    async (visit) => {
      await row(visit, 'nightly').getByRole('link', {name: 'Details'}).click();
      await visit.page.getByText('Last used').waitFor();
    },
  ],
  [
    'a token that is revoked',
    async (visit) => {
      await row(visit, 'nightly').getByRole('button', {name: 'Revoke'}).click();
      await visit.page.getByRole('button', {name: 'Revoke token'}).click();
      await row(visit, 'nightly').waitFor({state: 'detached'});
    },
  ],
  [
    'a service account that is deleted',
    async (visit) => {
      await row(visit, 'reporter').getByRole('button', {name: 'Delete'}).click();
      await confirm(visit, 'reporter', 'Delete');
      await row(visit, 'reporter').waitFor({state: 'detached'});
    },
  ],
];
