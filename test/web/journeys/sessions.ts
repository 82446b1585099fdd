import {signedIn} from '../../dashboard/test-browser.js';
import type {Journey} from './journey.js';

export const sessionsJourney: Journey = [
  [
    'a session that is ended from another browser',
    async ({page, ...tab}, {prepare, stage}) => {
      await prepare(async ({workspace, ada, ask}) => {
        await signedIn(stage.service, workspace, ada.id);
        // The newest comes first.
        const {data} = await ask('GET', '/v1/tokens?kind=session');
        return data[0].id;
      });
      await tab.go('/sessions');
      const sessions = page.getByRole('main').getByRole('listitem');
      const other = sessions.filter({hasNotText: 'This browser'});
      await other.getByRole('button', {name: 'Sign out'}).click();
      await other.waitFor({state: 'detached'});
    },
  ],
  [
    'a sign-in link that is made',
    async ({page}) => {
      await page.getByRole('button', {name: 'For another browser of mine'}).click();
      await page.getByText('Copy it now').waitFor();
    },
  ],
];
