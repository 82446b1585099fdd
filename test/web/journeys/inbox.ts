import type {Journey} from './journey.js';

/** Grace has mentioned the viewer in a comment. */
export const inboxJourney: Journey = [
  [
    'an item of the inbox that is shown, and all items marked as read',
    async ({page, go}) => {
      await go('/inbox');
      await page.getByRole('listitem').filter({hasText: 'Thanks, @Ada Lovelace'}).waitFor();
      const readAll = page.getByRole('button', {name: 'Mark all as read'});
      await readAll.click();
      await readAll.waitFor({state: 'detached'});
    },
  ],
];
