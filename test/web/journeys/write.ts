import type {Journey} from './journey.js';

export const writeJourney: Journey = [
  [
    'a prepared draft that is discarded, and one that is inserted',
    async ({page, ...tab}, {prepare}) => {
      const panel = page.getByRole('dialog', {name: 'Write your standup'});
      const propose = async (update: string) => {
        await prepare(async ({ask, ada}) => {
          await ask('PUT', '/v1/drafts/me', {team: 'platform', source: 'git', update}, ada.token);
          return [];
        });
        await tab.go('/t/platform?write=platform');
      };
      await propose('Not this.');
      await panel.getByRole('button', {name: 'Discard'}).click();
      await panel.getByText('Not this.').waitFor({state: 'detached'});
      await page.reload();
      await propose('The importer.');
      await panel.getByRole('button', {name: 'Insert draft from git'}).click();
    },
  ],
  [
    'a standup that is posted',
    async ({page, ...tab}) => {
      await tab.go('/t/platform?write=platform');
      const panel = page.getByRole('dialog', {name: 'Write your standup'});
      await panel.getByLabel('Today', {exact: true}).fill('The retry page.');
      await panel.getByRole('button', {name: 'Post'}).click();
      await page.getByText('Posted to Platform').waitFor();
    },
  ],
  [
    'a standup that is edited',
    async ({page}) => {
      await page.getByRole('main').getByRole('button', {name: 'Edit'}).first().click();
      const panel = page.getByRole('dialog', {name: 'Edit your standup'});
      await panel.getByLabel('Today', {exact: true}).fill('The retry page, and its tests.');
      await panel.getByRole('button', {name: 'Save'}).click();
      await page.getByText('Saved.').waitFor();
    },
  ],
];

/** An admin joins a team in order to post to it. Runs after todayJourney, which creates the team. */
export const joinJourney: Journey = [
  [
    'a team that is joined for writing',
    async ({page, ...tab}) => {
      await tab.go('/t/guild?write=guild');
      await page.getByRole('button', {name: /^Join guild$/i}).click();
      await page
        .getByRole('dialog', {name: 'Write your standup'})
        .getByLabel('Today', {exact: true})
        .waitFor();
    },
  ],
];

export const deleteJourney: Journey = [
  [
    'a standup that is deleted',
    async ({page, ...tab}) => {
      await tab.go('/t/platform');
      await page.getByRole('main').getByRole('button', {name: 'Delete'}).first().click();
      // The deletion is sent when the notice is dismissed.
      const notices = page.getByRole('region', {name: 'Notices'}).getByRole('listitem');
      await notices.filter({hasText: 'deleted'}).getByRole('button', {name: 'Dismiss'}).click();
    },
  ],
];
