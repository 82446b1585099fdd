import {recordMail} from '../../support/mails.js';
import type {Journey} from './journey.js';

export const mailJourney: Journey = [
  [
    'a mail that came back',
    async (tab, {prepare}) => {
      const to = 'katherine@example.com';
      await prepare(async ({workspace}) => {
        const sent = {result: 'sent', code: 250, detail: '250 OK'} as const;
        return {id: await recordMail(workspace, workspace, {to}, sent)};
      });
      await tab.go('/mail');
      const {page} = tab;
      await page.getByRole('listitem', {name: to}).getByRole('button').click();
      await page.getByLabel('Reason').fill('Mailbox full');
      await page.getByRole('button', {name: 'Mark as bounced'}).click();
      await page.getByText('Marked as bounced.').waitFor();
    },
  ],
];
