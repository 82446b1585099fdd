import type {Journey} from './journey.js';

export const sessionsJourney: Journey = [
  [
    'a sign-in link that is made',
    async ({page, ...visit}) => {
      await visit.go('/sessions');
      await page.getByRole('button', {name: 'Link for another browser of mine'}).click();
      await page.getByText('shown only now').waitFor();
    },
  ],
];
