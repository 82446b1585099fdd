import {addVirtualAuthenticator} from '../support/virtual-authenticator.js';
import type {Journey} from './journey.js';

export const passkeysJourney: Journey = [
  [
    'a passkey that is added, renamed and removed',
    async (tab) => {
      const {page} = tab;
      await addVirtualAuthenticator(page);
      await tab.go('/sessions');
      await page.getByRole('button', {name: 'Add a passkey'}).click();
      await page.getByRole('button', {name: /^Rename “/}).click();
      await page.getByLabel('Name', {exact: true}).fill('Laptop');
      await page.getByRole('button', {name: 'Rename', exact: true}).last().click();
      await page.getByRole('button', {name: 'Remove “Laptop”'}).click();
      await page.getByRole('alertdialog').getByRole('button', {name: 'Remove'}).click();
      await page.getByText('You have no passkey yet.').waitFor();
    },
  ],
];
