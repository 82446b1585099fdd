import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import type {Json, TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {checkFile, chooseFile, createCsv, createStandupFile} from './support/import-page.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {recordMainThread} from './support/main-thread.js';
import {openDashboard, type BrowserStage, type Tab, untilQuiet} from './support/stage.js';

let stage: BrowserStage;
let workspace: TestWorkspace;
let ada: Person;
let tab: Tab;

beforeAll(async () => {
  stage = await openDashboard();
});

beforeEach(async () => {
  await tab?.close();
  workspace = await stage.service.addWorkspace();
  const own = {name: 'Ada Lovelace', email: 'ada@example.com', team: 'platform', role: 'admin'} as const;
  ada = await stage.addPerson(own, workspace);
  tab = await stage.signIn(ada, {path: '/workspace/import', fresh: true}, workspace);
});

afterAll(() => stage.close());

const standups = async () =>
  (await workspace.request('GET', '/v1/standups?limit=100&source=import')).body.data as Json[];

it('a file of 10,000 rows blocks the page for less than 200 ms at a time', async () => {
  const {page} = tab;
  // From the disk, as a person chooses it: Playwright decodes a buffer in the page.
  const folder = mkdtempSync(path.join(tmpdir(), 'standup-import-'));
  const file = path.join(folder, 'standups.csv');
  writeFileSync(file, createLargeFile().buffer);
  const {longest} = await recordMainThread(stage.browser, async () => {
    await page.getByLabel('Choose file').setInputFiles(file);
    await page.getByRole('button', {name: 'Continue', exact: true}).click();
    await page.getByRole('heading', {name: 'Teams and people'}).waitFor();
    await page.getByRole('button', {name: 'Check', exact: true}).click();
    await page.getByText(/^[1-9][\d,]* of 10,000 rows$/).waitFor();
  });
  rmSync(folder, {recursive: true});
  process.stdout.write(`The longest task of an import of 10,000 rows: ${Math.round(longest)} ms.\n`);
  expect(longest).toBeLessThan(200);
});

it('the keyboard alone is enough to import a file and to take it back', async () => {
  const {page} = tab;
  const {keyboard} = page;
  const tabTo = (what: string) =>
    until(
      async () => {
        await keyboard.press('Tab');
        return page.evaluate(
          `(document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText).trim().startsWith(${JSON.stringify(what)})`,
        );
      },
      {what: `Tab reaches ${what}`},
    );
  const press = async (what: string) => {
    await tabTo(what);
    await keyboard.press('Enter');
  };
  const focused = () => page.evaluate<string>('document.activeElement.innerText');
  await tab.go('/workspace');
  await keyboard.press('Control+k');
  await page.getByRole('dialog', {name: 'Commands'}).waitFor();
  await keyboard.type('import standups');
  await keyboard.press('Enter');
  await page.getByRole('heading', {level: 1, name: 'Import'}).waitFor();
  // The palette gives the focus back when it has gone.
  await page.getByRole('dialog', {name: 'Commands'}).waitFor({state: 'hidden'});
  await untilQuiet(tab);
  // The browser needs a moment until it leaves choosing a file to the test.
  const chooser = page.waitForEvent('filechooser');
  await press('Choose file');
  await (await chooser).setFiles({...createStandupFile(2)});
  await expectEventually(focused).toBe('What do the columns mean?');
  await press('Continue');
  await expectEventually(focused).toBe('Teams and people');
  await press('Check');
  await expectEventually(focused).toBe('This would happen');
  await press('Import 2 standups');
  await expectEventually(focused).toBe('Import finished');
  await press('Take back');
  await page.getByRole('alertdialog').waitFor();
  await press('Take back');
  await page.getByText('2 of 2 standups removed').waitFor();
  expect(await standups()).toEqual([]);
});

it('hostile texts of a file are shown as texts, and names that objects inherit are teams and people like others', async () => {
  const {page} = tab;
  const names = ['constructor', '__proto__', '<img src=x onerror=alert(1)>', '\u202Eevil', 'toString'];
  const rows = names.map((name, i) => [`2024-05-${10 + i}`, name, name, `=1+1 <script>${name}</script>`]);
  await chooseFile(page, createCsv([['date', 'team', 'author <b>name</b>', 'text'], ...rows]));
  await page.getByLabel('author <b>name</b>').selectOption({label: 'Author: name'});
  await page.getByRole('button', {name: 'Continue', exact: true}).click();
  for (const name of names) {
    // A character that turns the direction of a text would turn the words around it, too.
    const team = page.getByLabel(`Team here for “${name.replace('\u202E', '')}”`, {exact: true});
    expect(await team.inputValue()).toBe('*');
    await team.selectOption({label: 'Platform'});
    expect(await team.inputValue()).toBe('platform');
  }
  await look(tab, 'import-hostile', {full: true});
  await page.getByRole('button', {name: 'Check', exact: true}).click();
  await page.getByRole('button', {name: 'Import 5 standups'}).click();
  await page.getByText('5 standups were created.').waitFor();
  expect((await standups()).map(({author}) => author.name).length).toBe(5);
  await expectInnocent(tab);
});

it('rows that are left out are listed with their reason and their line', async () => {
  const {page} = tab;
  await workspace.request('POST', '/v1/teams', {body: {slug: 'data', name: 'Data'}});
  const rows = [
    ['id', 'date', 'team', 'name', 'text'],
    ['1', '2024-05-06', 'Platform', 'Ada', 'Good.'],
    ['2', '1999-05-06', 'Platform', 'Ada', 'Too old.'],
    ['3', 'sometime', 'Platform', 'Ada', 'No date.'],
    ['4', '2024-05-06', 'Sales', 'Ada', 'No such team.'],
  ];
  await chooseFile(page, createCsv(rows));
  await page.getByRole('button', {name: 'Continue', exact: true}).click();
  await page.getByText('the date is unknown or impossible (line 4)').waitFor();
  await page.getByRole('button', {name: 'Check', exact: true}).click();
  await page.getByText('1 standup would be created.').waitFor();
  await page.getByText('2 rows are left out').click();
  await page.getByText('You left out their team: 1').waitFor();
  await page.getByText('The date is before 2000 or in the future: 1').waitFor();
  await page.getByText('Line 3: Ada, 1999-05-06').waitFor();
  await look(tab, 'import-left-out', {full: true});
});

it('a person without an address becomes the chosen member, and another one is left out by choice', async () => {
  const {page} = tab;
  const grace = await stage.addPerson({name: 'Grace Hopper', team: 'platform'}, workspace);
  await tab.go('/workspace/import');
  await chooseFile(page, createStandupFile(4));
  await page.getByRole('button', {name: 'Continue', exact: true}).click();
  await page.getByLabel('Who is “Charles Babbage”?').selectOption({label: 'A member …'});
  await page.getByRole('combobox', {name: 'Member for “Charles Babbage”'}).fill('Gra');
  await page.getByRole('option', {name: 'Grace Hopper'}).click();
  await page.getByLabel('Who is “Ada L.”?').selectOption({label: 'Leave out'});
  await look(tab, 'import-choices', {full: true});
  await page.getByRole('button', {name: 'Check', exact: true}).click();
  await page.getByText('2 standups would be created.').waitFor();
  await page.getByRole('button', {name: 'Import 2 standups'}).click();
  await page.getByText('2 standups were created.').waitFor();
  expect(await standups()).toMatchObject([{author: {id: grace.id}}, {author: {id: grace.id}}]);
});

it('a file without rows is refused with its reason, and another one can be chosen at once', async () => {
  const {page} = tab;
  const alert = page.getByRole('alert');
  const choose = (text: string, name = 'a.csv') =>
    chooseFile(page, {name, mimeType: 'text/csv', buffer: Buffer.from(text)});
  await choose('PK\u0003\u0004, a workbook', 'a.xlsx');
  await alert.getByText('Save it as CSV first.').waitFor();
  await choose('');
  await alert.getByText('This file is empty.').waitFor();
  await choose('date,team\n');
  await alert.getByText('This file has a header, but no rows.').waitFor();
  await choose('date,team\n"open,1\n');
  await alert.getByText('The quotation mark in line 2 is never closed.').waitFor();
  await chooseFile(page, createStandupFile(2));
  await page.getByRole('heading', {name: 'What do the columns mean?'}).waitFor();
});

it('a file of rows as the API takes them needs no columns, and its faulty rows are listed with their errors', async () => {
  const {page} = tab;
  const row = {external_id: '1', team: 'platform', date: '2024-05-06', author: {name: 'Ada'}, update: 'One.'};
  const lines = [
    row,
    {...row, external_id: '2', date: '6 May'},
    {...row, external_id: '4', date: {}, timezone: 'Nowhere/Else'},
    {...row, external_id: '3', author: {name: 'Ada', email: 5}},
  ];
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnothing\n`;
  await chooseFile(page, {name: 'rows.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(text)});
  await page.getByText('the line is not a standup (lines 3, 4, 5)').waitFor();
  await page.getByLabel('Source').fill('geekbot');
  await page.getByRole('button', {name: 'Check', exact: true}).click();
  await page.getByText('1 standup would be created.').waitFor();
  await page.getByText('1 row is left out').click();
  await page.getByText('Line 2: Ada, 6 May').waitFor();
  await page.getByRole('button', {name: 'Import 1 standup'}).click();
  await page.getByText('1 standup was created.').waitFor();
  expect(await standups()).toMatchObject([{imported: {source: 'geekbot', external_id: '1'}}]);
});

it('an import that someone else ends stops with the reason, and leads back', async () => {
  const {page} = tab;
  let isHeld = false;
  const held: (() => Promise<void>)[] = [];
  await page.route(
    ({pathname}) => pathname.endsWith('/rows'),
    async (route) => {
      if (isHeld) held.push(() => route.continue());
      else await route.continue();
    },
  );
  await checkFile(page, createStandupFile(2));
  isHeld = true;
  await page.getByRole('button', {name: 'Import 2 standups'}).click();
  const open = await until(
    async () => {
      const {data} = (await workspace.request('GET', '/v1/imports')).body;
      return held.length > 0 && data.find(({state}: Json) => state === 'open');
    },
    {what: 'the import is open'},
  );
  await workspace.request('DELETE', `/v1/imports/${open.id}`);
  await Promise.all(held.map((release) => release()));
  await page.getByText('The import takes no more rows').waitFor();
  await page.getByRole('button', {name: 'Back', exact: true}).click();
  await page.getByRole('heading', {name: 'Teams and people'}).waitFor();
  expect(await standups()).toEqual([]);
});

it('an import goes on while the person looks at another page, which says so', async () => {
  const {page} = tab;
  let isHeld = false;
  const held: (() => Promise<void>)[] = [];
  await page.route(
    ({pathname}) => pathname.endsWith('/rows'),
    async (route) => {
      if (isHeld) held.push(() => route.continue());
      else await route.continue();
    },
  );
  await checkFile(page, createStandupFile(2));
  isHeld = true;
  await page.getByRole('button', {name: 'Import 2 standups'}).click();
  await until(() => held.length > 0, {what: 'the rows are sent'});
  await page.getByRole('link', {name: 'Back to Workspace'}).click();
  await page.getByText('The import continues while this tab stays open.').waitFor();
  await Promise.all(held.map((release) => release()));
  await until(async () => (await standups()).length === 2, {what: 'the import has gone on'});
  await page.getByRole('button', {name: 'Show', exact: true}).click();
  await page.getByText('2 standups were created.').waitFor();
});

it('an import that a program has begun is shown while it is open, and prevents another one until its end', async () => {
  const {page} = tab;
  const {body} = await workspace.request('POST', '/v1/imports', {body: {source: 'geekbot'}});
  await tab.go('/workspace/import');
  await page.getByRole('heading', {name: 'An import of “geekbot” is open'}).waitFor();
  await checkFile(page, createStandupFile(2));
  await page.getByText('An import of “geekbot” is open. Finish it first').waitFor();
  expect(await page.getByRole('button', {name: 'Import 2 standups'}).isDisabled()).toBe(true);
  await workspace.request('POST', `/v1/imports/${body.id}/finish`);
  await page.getByText('Finished', {exact: true}).waitFor();
  await page.getByRole('button', {name: 'Import 2 standups'}).click();
  await page.getByText('2 standups were created.').waitFor();
});

it('a member sees who can import, and a German admin reads the page in German', async () => {
  const grace = await stage.addPerson({name: 'Grace Hopper', team: 'platform'}, workspace);
  const own = await stage.signIn(grace, {path: '/workspace/import'}, workspace);
  await own.page.getByText('Imports are for owners and admins').waitFor();
  await expectInnocent(own);
  await own.close();
  const german = await stage.signIn(ada, {path: '/workspace/import', language: 'de'}, workspace);
  await german.page.locator('input[type=file]').setInputFiles({...createStandupFile(2)});
  await german.page.getByText('Was bedeuten die Spalten?').waitFor();
  await look(german, 'import-german', {full: true});
  await german.close();
});

function createLargeFile() {
  const text =
    'Worked on the retry page, its tests and the texts that people read there, then reviewed the work of two colleagues. ';
  const rows = Array.from({length: 10_000}, (_, i) => [
    String(i),
    new Date(Date.UTC(2022, 0, 1 + (i % 800))).toISOString().slice(0, 10),
    'Platform',
    `Person ${i % 60}`,
    `person-${i % 60}@example.com`,
    `${text}${i}`,
    `${text}${text}`,
  ]);
  return createCsv([['Id', 'Date', 'Team', 'Name', 'Email', 'What did you do?', 'What next?'], ...rows]);
}
