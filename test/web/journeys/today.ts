import type {Journey} from './journey.js';

export const todayJourney: Journey = [
  ['Today', (visit) => visit.go('/')],
  ['the team', (visit) => visit.go('/t/platform')],
];

/** After a standup has been posted. */
export const runJourney: Journey = [
  [
    'a standup that is opened, and people who are reminded',
    async ({page}) => {
      await page.getByRole('button', {name: 'Open a standup now'}).click();
      await page.getByRole('button', {name: 'Remind them'}).click();
      await page
        .getByText(/reminded/i)
        .first()
        .waitFor();
    },
  ],
];
