import type {Journey} from './journey.js';

export const todayJourney: Journey = [
  ['Today', (tab) => tab.go('/')],
  ['the team', (tab) => tab.go('/t/platform')],
];

/** Runs after a journey that posts a standup. */
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
  [
    'another team, whose next standup is to come',
    async (tab, {prepare}) => {
      const schedule = {frequency: 'weekly', days: [dayAfterTomorrow()], opens: '09:00', closes: '11:00'};
      await prepare(({ask}) => ask('POST', '/v1/teams', {slug: 'guild', name: 'Guild', schedule}));
      await tab.go('/t/guild');
    },
  ],
];

function dayAfterTomorrow(): string {
  const date = new Date(Date.now() + 2 * 86_400_000);
  return date.toLocaleDateString('en-GB', {weekday: 'short', timeZone: 'UTC'}).toLowerCase();
}
