import type {Journey} from './journey.js';

/** Runs after a journey that opens a run manually. */
export const insightsJourney: Journey = [
  [
    'the numbers of a team, which are taken along',
    async ({page, ...tab}) => {
      await tab.go('/t/platform/insights');
      await page.getByRole('button', {name: 'Export'}).click();
      await page.evaluate('delete globalThis.showSaveFilePicker');
      for (const name of ['participation', 'absences']) {
        const file = page.waitForEvent('download');
        await page.getByRole('button', {name: `Download ${name}`}).click();
        await file;
      }
    },
  ],
  [
    'the report of a week',
    async ({page}) => {
      await page.getByRole('link', {name: 'Report of the week'}).click();
      await page.getByRole('button', {name: 'Print'}).waitFor();
    },
  ],
  [
    'a link to the report of a week, made, copied and revoked',
    async ({page}) => {
      await page.getByRole('button', {name: 'Share', exact: true}).click();
      await page.getByRole('button', {name: 'Create link'}).click();
      await page.getByText(/\/shared\/ws_\S+$/).waitFor();
      await page.getByRole('button', {name: 'Copy link'}).waitFor();
      const links = page.getByRole('list', {name: 'Your share links'});
      await links.getByRole('button', {name: 'Revoke'}).click();
      await page.getByRole('button', {name: 'Revoke link'}).click();
      await links.waitFor({state: 'detached'});
    },
  ],
  [
    'the numbers of all teams',
    async (tab) => {
      await tab.go('/insights');
      await tab.page.getByRole('table').getByRole('link', {name: 'Platform'}).waitFor();
    },
  ],
  [
    'a run',
    async (tab, {ask}) => {
      const {date} = await ask('GET', '/v1/teams/platform/days/today');
      await tab.go(`/t/platform/runs/${date}`);
      await tab.page.getByRole('heading', {name: 'Reminders'}).waitFor();
    },
  ],
  [
    'how somebody takes part',
    async (tab) => {
      await tab.go('/people/me?tab=participation');
      await tab.page.getByRole('region', {name: 'Platform'}).waitFor();
    },
  ],
];
