import type {Journey} from './journey.js';

/** Runs after a journey that posts a standup. */
export const threadJourney: Journey = [
  [
    'a reaction that is added and taken back',
    async ({page, go}) => {
      await go('/t/platform');
      const card = page.getByRole('article').first();
      await card.getByRole('button', {name: 'Add a reaction'}).click();
      await page.getByRole('button', {name: 'React with 👍'}).click();
      await card.getByRole('button', {name: /^👍/, pressed: true}).click();
      await card.getByRole('button', {name: /^👍/}).waitFor({state: 'detached'});
    },
  ],
  [
    'a comment that is written, edited and deleted',
    async ({page, go}) => {
      const card = page.getByRole('article').first();
      await card.getByRole('button', {name: 'Comment', exact: true}).click();
      await card.getByLabel('Write a comment').fill('On it.');
      await card.getByRole('button', {name: 'Send'}).click();
      await card.getByRole('button', {name: 'Edit your comment'}).click();
      await card.getByRole('textbox', {name: 'Your comment'}).fill('Done.');
      await card.getByRole('button', {name: 'Save'}).click();
      await card.getByText('Done.').waitFor();
      await card.getByRole('button', {name: 'Delete your comment'}).click();
      await page.getByRole('button', {name: 'Dismiss'}).last().click();
      await card.getByRole('button', {name: 'Comment', exact: true}).waitFor();
      await go('/t/platform');
    },
  ],
];
