import type {Journey} from './journey.js';

const file = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//example//holidays//EN',
  'BEGIN:VEVENT',
  'UID:founders@example.com',
  'DTSTAMP:20270101T000000Z',
  'DTSTART;VALUE=DATE:20271105',
  'SUMMARY:Founders’ day',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

export const calendarJourney: Journey = [
  [
    'time away that is entered',
    async ({page, ...tab}) => {
      await tab.go('/calendar?month=2027-01&view=list');
      await page.getByRole('button', {name: 'Add absence'}).click();
      const sheet = page.getByRole('dialog', {name: 'Add absence'});
      await sheet.getByRole('textbox', {name: /Reason/}).fill('Moving house');
      await sheet.getByRole('button', {name: 'Add', exact: true}).click();
      await sheet.waitFor({state: 'detached'});
    },
  ],
  [
    'time away that is changed and taken back',
    async ({page}) => {
      await page
        .getByRole('button', {name: /Grace Hopper/})
        .first()
        .click();
      const sheet = page.getByRole('dialog', {name: 'Edit absence'});
      await sheet.getByRole('textbox', {name: /Reason/}).fill('At sea');
      await sheet.getByRole('button', {name: 'Save'}).click();
      await sheet.waitFor({state: 'detached'});
      await page
        .getByRole('button', {name: /At sea/})
        .first()
        .click();
      await sheet.getByRole('button', {name: 'Delete'}).click();
      await sheet.waitFor({state: 'detached'});
    },
  ],
  [
    'public holidays that are chosen',
    async ({page}) => {
      await page.getByRole('button', {name: 'Choose country and region'}).click();
      const country = page.getByRole('combobox', {name: /Public holidays of/});
      await country.fill('Germ');
      await page.getByRole('option', {name: 'Germany'}).click();
      await page.getByRole('listbox').waitFor({state: 'detached'});
      await page.getByRole('combobox', {name: /Region/}).waitFor();
      await page.getByRole('button', {name: 'Save', exact: true}).click();
      await page.getByText('Your public holidays are saved.').waitFor();
    },
  ],
  [
    'a holiday calendar that is added, looked into and deleted',
    async ({page}) => {
      await page.getByRole('button', {name: 'Add calendar'}).click();
      const sheet = page.getByRole('dialog', {name: 'Add calendar'});
      const days = {name: 'company.ics', mimeType: 'text/calendar', buffer: Buffer.from(file)};
      await sheet.getByLabel('Calendar file').setInputFiles(days);
      await sheet.getByRole('textbox', {name: 'Name'}).fill('Company days');
      await sheet.getByRole('button', {name: 'Add', exact: true}).click();
      const calendars = page.getByRole('region', {name: 'Holiday calendars'}).getByRole('listitem');
      const own = calendars.filter({hasText: 'Company days'});
      await own.getByText('Show days').click();
      await own.getByText('Founders’ day').waitFor();
      await own.getByRole('button', {name: 'Delete'}).click();
      const confirm = page.getByRole('alertdialog');
      await confirm.getByRole('textbox').fill('Company days');
      await confirm.getByRole('button', {name: 'Delete'}).click();
      await own.waitFor({state: 'detached'});
    },
  ],
];
