import type {Journey} from './journey.js';

export const personJourney: Journey = [
  ['a person', (visit, {ada}) => visit.go(`/people/${ada.id}`)],
  [
    'a name that is changed',
    async ({page, ...visit}) => {
      await visit.go('/people/me');
      await page.getByRole('link', {name: 'Settings'}).click();
      await page.getByRole('textbox', {name: 'Name'}).fill('Ada King');
      await page.getByRole('button', {name: 'Save'}).click();
      await page.getByText('Your settings are saved.').waitFor();
    },
  ],
];
