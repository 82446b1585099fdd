import type {Journey} from './journey.js';

export const invitesJourney: Journey = [
  [
    'an address that is invited',
    async (tab) => {
      await tab.go('/people');
      const {page} = tab;
      await page.getByRole('button', {name: 'Invite people'}).click();
      await page.getByLabel('E-mail addresses').fill('katherine@example.com');
      await page.getByRole('button', {name: 'Create invites'}).click();
      await page.getByRole('button', {name: 'Done'}).click();
    },
  ],
  [
    'an invite that is ended',
    async ({page}) => {
      await page.getByRole('button', {name: 'Details of the invite for katherine@example.com'}).click();
      await page.getByText('Also delete the address').click();
      await page.getByRole('button', {name: 'End invite'}).click();
      await page.getByText('Invite ended.').waitFor();
    },
  ],
  [
    'an invite that a member accepts',
    async (tab, {prepare}) => {
      const link = await prepare(async ({ask}) => {
        await ask('POST', '/v1/teams', {slug: 'guests', name: 'Guests'});
        const {data} = await ask('POST', '/v1/invites', {teams: [{team_id: 'guests'}]});
        return data[0].url.split('#')[1];
      });
      await tab.go(`/join#${link}`);
      await tab.page.getByRole('button', {name: 'Join Guests'}).click();
      await tab.page.waitForURL(/\/app\/t\/guests$/);
    },
  ],
];
