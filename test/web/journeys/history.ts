import type {Journey} from './journey.js';

export const historyJourney: Journey = [
  ['History', (tab) => tab.go('/history')],
  [
    'standups that are exported',
    async ({page}) => {
      await page.getByRole('button', {name: 'Export'}).click();
      await page.evaluate('delete globalThis.showSaveFilePicker');
      await page.getByRole('button', {name: 'Download'}).click();
      await page.getByText(/^Done: /).waitFor();
    },
  ],
  [
    'a standup with its earlier versions',
    async ({page, ...tab}, {ask, grace}) => {
      const {data} = await ask('GET', `/v1/standups?author=${grace.id}`);
      await tab.go(`/history?standup=${data[0].id}`);
      await page.getByText('Compiled the compiler.').waitFor();
    },
  ],
];
