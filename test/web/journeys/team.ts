import type {Journey} from './journey.js';

export const teamJourney: Journey = [
  [
    'a team that is made',
    async ({page, ...tab}) => {
      await tab.go('/teams/new');
      await page.getByRole('textbox', {name: 'Name', exact: true}).fill('Compilers');
      await page.getByRole('button', {name: 'Create team'}).click();
      await page.getByRole('heading', {name: 'Team settings: Compilers'}).waitFor();
    },
  ],
  [
    'somebody who is put into it, observes it, and is taken out',
    async ({page}) => {
      const people = page.getByRole('region', {name: 'People', exact: true});
      await people.getByRole('combobox', {name: 'Person'}).fill('Grace');
      await page.getByRole('option', {name: /Grace Hopper/}).click();
      await people.getByRole('button', {name: 'Add', exact: true}).click();
      await people.getByLabel('Role of Grace Hopper').selectOption('observer');
      await people.getByText('Not expected').waitFor();
      await people.getByRole('button', {name: 'Remove Grace Hopper from the team'}).click();
      await page.getByRole('alertdialog').getByRole('button', {name: 'Remove'}).click();
      await people.getByText('Grace Hopper removed from the team.').waitFor({state: 'attached'});
    },
  ],
  [
    'who could read it if it were private',
    async ({page}) => {
      const visibility = page.getByRole('region', {name: 'Visibility'});
      await visibility.getByText('Only its people, owners and admins').click();
      await visibility.getByText('Events that were already sent stay with their receivers.').waitFor();
      await visibility.getByRole('button', {name: 'Discard changes'}).click();
    },
  ],
  [
    'a schedule that is previewed and saved',
    async ({page}) => {
      const schedule = page.getByRole('region', {name: 'Schedule', exact: true});
      const saving = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
      await schedule.getByText('On days of the week').click();
      await schedule.getByText('Preview. Not saved yet.').waitFor();
      await schedule
        .getByText(/09:00 to 11:00/)
        .first()
        .waitFor();
      await schedule.getByRole('button', {name: 'Save'}).click();
      await saving;
      await schedule.getByText('Preview. Not saved yet.').waitFor({state: 'detached'});
      await schedule
        .getByText(/09:00 to 11:00/)
        .first()
        .waitFor();
    },
  ],
  [
    'a team that is deleted',
    async ({page}) => {
      await page.getByRole('button', {name: 'Delete team …'}).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('textbox').fill('compilers');
      await dialog.getByRole('button', {name: 'Delete team'}).click();
      await page.getByText('Compilers deleted.').waitFor();
    },
  ],
];
