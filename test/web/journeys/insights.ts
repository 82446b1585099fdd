import type {Journey} from './journey.js';

/** After a run has been opened by hand. */
export const insightsJourney: Journey = [
  [
    'the numbers of a team, which are taken along',
    async ({page, ...visit}) => {
      await visit.go('/t/platform/insights');
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
    'the numbers of all teams',
    async (visit) => {
      await visit.go('/insights');
      await visit.page.getByRole('table').getByRole('link', {name: 'Platform'}).waitFor();
    },
  ],
  [
    'a run',
    async (visit, {ask}) => {
      const {date} = await ask('GET', '/v1/teams/platform/days/today');
      await visit.go(`/t/platform/runs/${date}`);
      await visit.page.getByRole('heading', {name: 'Reminders'}).waitFor();
    },
  ],
  [
    'how somebody takes part',
    async (visit) => {
      await visit.go('/people/me?tab=participation');
      await visit.page.getByRole('region', {name: 'Platform'}).waitFor();
    },
  ],
];
