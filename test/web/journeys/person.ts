import type {Journey} from './journey.js';

export const personJourney: Journey = [
  ['a person', (tab, {grace}) => tab.go(`/people/${grace.id}`)],
  [
    'how somebody took part',
    async ({page}) => {
      await page.getByRole('link', {name: 'Participation'}).click();
      await page.getByText('They were not part of any run').waitFor();
    },
  ],
  [
    'a name that is changed',
    async ({page, ...tab}) => {
      await tab.go('/people/me');
      await page.getByRole('link', {name: 'Settings'}).click();
      await page.getByRole('textbox', {name: 'Name'}).fill('Ada King');
      await page.getByRole('button', {name: 'Save'}).click();
      await page.getByText('Settings saved.').waitFor();
    },
  ],
  [
    'an address of the own calendar, made, copied and revoked',
    async ({page}) => {
      await page.getByRole('button', {name: 'Subscribe in your calendar'}).click();
      await page.getByRole('button', {name: 'Create address'}).click();
      await page.getByText(/\/calendar\/ws_\S+\.ics$/).waitFor();
      await page.getByRole('button', {name: 'Copy address'}).waitFor();
      const addresses = page.getByRole('list', {name: 'Addresses of your calendar'});
      await addresses.getByRole('button', {name: 'Revoke'}).click();
      await page.getByRole('button', {name: 'Revoke address'}).click();
      await addresses.waitFor({state: 'detached'});
    },
  ],
  [
    'own data that are downloaded',
    async ({page}) => {
      await page.evaluate('delete globalThis.showSaveFilePicker');
      await page.getByRole('button', {name: 'Download my data'}).click();
      await page.getByText(/^Done: /).waitFor();
    },
  ],
];
