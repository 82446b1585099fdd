import {until} from '../../support/until.js';
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
    'a reminder that is snoozed',
    async ({page, go}, {prepare}) => {
      // Ada has posted in the other team.
      const body = {slug: 'crew', name: 'Crew', prompt_at: 'opening'};
      await prepare(async ({ask, ada}) => {
        const team = await ask('POST', '/v1/teams', body);
        await ask('PUT', `/v1/teams/crew/members/${ada.id}`, {});
        await ask('POST', '/v1/teams/crew/runs', {minutes: 120});
        await until(
          async () => (await ask('GET', '/v1/reminders/own', undefined, ada.token)).date ?? undefined,
          {
            what: 'a reminder',
          },
        );
        return team;
      });
      await go('/t/crew');
      await page.getByRole('button', {name: 'Remind me in 30 minutes'}).click();
      await page.getByText(/We’ll remind you/).waitFor();
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
