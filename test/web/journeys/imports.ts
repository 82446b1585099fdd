import {checkFile, createStandupFile} from '../support/import-page.js';
import type {Journey} from './journey.js';

export const importsJourney: Journey = [
  [
    'a file that is checked and imported',
    async (tab) => {
      const {page} = tab;
      await tab.go('/workspace/import');
      await checkFile(page, createStandupFile(2));
      await page.getByRole('button', {name: 'Import 2 standups'}).click();
      await page.getByText('2 standups were created.').waitFor();
    },
  ],
  [
    'an import that is taken back',
    async ({page}) => {
      await page.getByRole('button', {name: 'Take back'}).click();
      await page.getByRole('alertdialog').getByRole('button', {name: 'Take back'}).click();
      await page.getByText('2 of 2 standups removed').waitFor();
    },
  ],
];
