import type {Journey} from './journey.js';

export const eventsJourney: Journey = [
  [
    'events that are followed, chosen by type, and looked at',
    async ({page, ...tab}) => {
      await tab.go('/events');
      await page.getByText('New events appear automatically.').waitFor();
      await page.locator('[data-event]').filter({hasText: 'standup.created'}).first().click();
      await page.getByText('"type": "standup.created"').waitFor();
      await page.getByRole('button', {name: 'More filters'}).click();
      await page.getByRole('button', {name: /^Types/}).click();
      await page.getByText('A standup was posted').waitFor();
      await page.keyboard.press('Escape');
    },
  ],
];
