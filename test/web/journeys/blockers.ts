import type {Journey} from './journey.js';

export const blockersJourney: Journey = [
  [
    'blockers that are raised and seen to',
    async ({page, ...tab}) => {
      await tab.go('/blockers');
      await page.getByRole('button', {name: 'Acknowledge'}).first().click();
      await page.getByRole('button', {name: 'Raise a blocker'}).click();
      await page.getByRole('textbox', {name: 'What is blocking you?'}).fill('The lab is locked.');
      await page.keyboard.press('Control+Enter');
      await page.getByText('The lab is locked.').first().waitFor();
    },
  ],
  [
    'a blocker by itself',
    async (tab, world) => {
      const {id} = await world.prepare(({ask}) =>
        ask('POST', '/v1/blockers', {team: 'platform', text: 'No key to the attic.'}),
      );
      await tab.go(`/blockers?blocker=${id}`);
      await tab.page.getByText('No key to the attic.').waitFor();
    },
  ],
];
