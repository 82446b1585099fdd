import type {Journey} from './journey.js';

export const calendarJourney: Journey = [
  [
    'time away that is changed and taken back',
    async ({page, ...visit}) => {
      await visit.go('/calendar?month=2027-01&view=list');
      await page
        .getByRole('button', {name: /Grace Hopper/})
        .first()
        .click();
      const sheet = page.getByRole('dialog', {name: 'Change time away'});
      await sheet.getByRole('textbox', {name: /Reason/}).fill('At sea');
      await sheet.getByRole('button', {name: 'Save'}).click();
      await sheet.waitFor({state: 'detached'});
      await page
        .getByRole('button', {name: /At sea/})
        .first()
        .click();
      await sheet.getByRole('button', {name: 'Delete'}).click();
      await sheet.waitFor({state: 'detached'});
    },
  ],
];
