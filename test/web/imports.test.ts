import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import type {Route} from 'playwright-core';
import type {Person} from '../api/people.js';
import {deep} from '../support/deep.js';
import {expectEventually} from '../support/expect-eventually.js';
import type {Json, TestWorkspace} from '../support/service.js';
import {until} from '../support/until.js';
import {checkFile, chooseFile, createCsv, createStandupFile} from './support/import-page.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let workspace: TestWorkspace;
let ada: Person;
let tab: Tab;

beforeAll(async () => {
  stage = await openDashboard();
});

// A workspace has one open import, so each test has its own workspace.
beforeEach(async () => {
  await tab?.close();
  workspace = await stage.service.addWorkspace();
  ada = await stage.addPerson(
    {name: 'Ada Lovelace', email: 'ada@example.com', team: 'platform', role: 'admin'},
    workspace,
  );
  tab = await stage.signIn(ada, {path: '/workspace/import', fresh: true}, workspace);
});

afterAll(() => stage.close());

const get = async (path: string): Promise<Json> => (await workspace.request('GET', path)).body;
const standups = async () => (await get('/v1/standups?limit=100&order=asc&source=import')).data as Json[];
const imports = async () =>
  ((await get('/v1/imports')).data as Json[]).filter(({dry_run: isDry}) => isDry === false);
const button = (name: string | RegExp) =>
  tab.page.getByRole('button', {name, exact: typeof name === 'string'});
const isRows = ({pathname}: URL) => pathname.endsWith('/rows');

it('a file is imported after a person has seen what its columns mean, who is who, and what would happen', async () => {
  const {page} = tab;
  await page.getByText('No imports yet.').waitFor();
  await look(tab, 'import-file', {full: true});
  await chooseFile(page, createStandupFile(4));
  await page.getByText('First rows: ADA@example.com · ADA@example.com').waitFor();
  const meaningOf = (column: string) => page.getByLabel(column, {exact: true}).inputValue();
  expect(await meaningOf('Email')).toBe('author_email');
  expect(await meaningOf('What did you do yesterday?')).toBe('question');
  expect(await meaningOf('Mood')).toBe('none');
  await page.getByLabel('Source').fill('geekbot');
  await look(tab, 'import-columns', {full: true});
  await button('Continue').click();
  await page.getByLabel('Team here for “Platform”').waitFor();
  const person = page.getByLabel('Who is “Ada L.”?');
  expect(await person.locator('option:checked').innerText()).toBe('Ada Lovelace, by the address');
  expect(await page.getByLabel('Who is “Charles Babbage”?').inputValue()).toBe('former');
  await look(tab, 'import-people', {full: true});
  await button('Check').click();
  await page.getByText('4 standups would be created.').waitFor();
  expect(await standups()).toEqual([]);
  await page.getByText('1 person is a member').click();
  await page.getByText('Ada L. → Ada Lovelace').waitFor();
  await page.getByText('1 person is a former member').click();
  await page.getByRole('row', {name: /^Platform 4 4.*5 Mar 2024$/}).waitFor();
  await look(tab, 'import-report', {full: true});
  await button('Import 4 standups').click();
  await page.getByText('4 standups were created.').waitFor();
  await look(tab, 'import-done', {full: true});
  expect(await standups()).toMatchObject([
    {author: {id: ada.id}, date: '2024-03-04', imported: {source: 'geekbot', external_id: 'r0'}},
    {author: {name: 'Charles Babbage'}, update: expect.stringContaining('Worked on engine 1.')},
    {date: '2024-03-05'},
    {date: '2024-03-05'},
  ]);
  expect(await imports()).toMatchObject([{state: 'completed', counts: {created: 4}}]);
  await page.getByRole('link', {name: 'Imported standups'}).click();
  await page.getByText('Worked on engine 3.').waitFor();
  await expectInnocent(tab);
});

it('an import is taken back by a dialog that says how much goes, and its state is shown until it has gone', async () => {
  const {page} = tab;
  await checkFile(page, createStandupFile(2));
  await button('Import 2 standups').click();
  await page.getByText('2 standups were created.').waitFor();
  await button('Take back').click();
  const dialog = page.getByRole('alertdialog', {name: 'Take back the import of “csv”?'});
  await dialog.getByText('2 standups that this import created are deleted').waitFor();
  if (deep) await look(tab, 'import-take-back');
  await dialog.getByRole('button', {name: 'Take back'}).click();
  await page.getByText('Taken back', {exact: true}).waitFor();
  await page.getByText('2 of 2 standups removed').waitFor();
  expect(await standups()).toEqual([]);
  await expectEventually(() => button('Take back').count()).toBe(0);
  await expectInnocent(tab);
});

it('an import waits while the quota allows no more, and says so', async () => {
  const {page} = tab;
  let refusals = 2;
  const refuse = async (route: Route): Promise<void> => {
    if (refusals === 0) return route.continue();
    refusals -= 1;
    const body = {type: 'about:blank', title: 'Too many', status: 429, code: 'rate_limited', detail: 'Wait.'};
    return route.fulfill({
      status: 429,
      headers: {'retry-after': refusals === 1 ? '2' : '25'},
      contentType: 'application/problem+json',
      body: JSON.stringify({...body, request_id: 'req_1'}),
    });
  };
  await page.route(isRows, refuse);
  await chooseFile(page, createStandupFile(4));
  await button('Continue').click();
  await button('Check').click();
  await page.getByText('It continues by itself.').waitFor();
  await until(() => refusals === 0, {what: 'the second refusal, which is longer than the client waits'});
  await page.getByText('It continues by itself.').waitFor();
  await page.getByText('4 standups would be created.').waitFor({timeout: 60_000});
});

it('an import that is interrupted is continued with the same file, and creates each standup once', async () => {
  const {page} = tab;
  let isHeld = false;
  await page.route(isRows, async (route) => {
    if (isHeld && !JSON.stringify(route.request().postDataJSON()).includes('"r0"')) return;
    await route.continue();
  });
  await checkFile(page, createStandupFile(150));
  isHeld = true;
  await button('Import 150 standups').click();
  await page.getByText('100 of 150 rows').waitFor();
  const asked = new Promise<string>((resolve) =>
    page.once('dialog', (dialog) => {
      resolve(dialog.type());
      void dialog.accept();
    }),
  );
  await page.reload();
  expect(await asked).toBe('beforeunload');
  await page.unrouteAll({behavior: 'ignoreErrors'});
  await page.getByRole('heading', {name: 'An import of “csv” is open'}).waitFor();
  await look(tab, 'import-open', {full: true});
  await checkFile(page, createStandupFile(150));
  await page.getByText('100 rows were imported before.').waitFor();
  await button('Continue the open import').click();
  await page.getByText('50 standups were created.').waitFor();
  expect(await imports()).toMatchObject([{state: 'completed', counts: {created: 150, existing: 100}}]);
});

it('a person stops an import, and decides to continue, to keep what there is, or to take it back', async () => {
  const {page} = tab;
  await checkFile(page, createStandupFile(150));
  let isHeld = true;
  await page.route(isRows, async (route) => {
    if (isHeld && !JSON.stringify(route.request().postDataJSON()).includes('"r0"')) return;
    await route.continue();
  });
  await button('Import 150 standups').click();
  await page.getByText('100 of 150 rows').waitFor();
  await button('Stop').click();
  await page.getByText('Continue, or decide what happens').waitFor();
  await look(tab, 'import-stopped');
  isHeld = false;
  await button('Continue').click();
  await page.getByText('150 standups were created.').waitFor();
  await button('Import another file').click();
  await checkFile(
    page,
    createCsv([
      ['date', 'team', 'name', 'text'],
      ['2024-05-06', 'platform', 'Ada', 'One.'],
    ]),
  );
  await page.unrouteAll({behavior: 'ignoreErrors'});
  await page.route(isRows, () => undefined);
  await button('Import 1 standup').click();
  await button('Stop').click();
  await button('End, and take them back').click();
  await page.getByRole('alertdialog').getByRole('button', {name: 'Take back'}).click();
  await until(async () => (await imports()).some(({state}) => state === 'removed'), {
    what: 'the second import is taken back',
  });
});

it('a file whose dates fit both orders is not read before a person has said which one holds', async () => {
  const {page} = tab;
  const rows = [
    ['Date', 'Team', 'Name', 'Update'],
    ['03/04/2024', 'platform', 'Ada', 'One.'],
    ['05/06/2024', 'platform', 'Ada', 'Two.'],
  ];
  await chooseFile(page, createCsv(rows));
  const order = page.getByLabel('Dates such as 03/04/2024');
  await order.waitFor();
  expect(await button('Continue').isDisabled()).toBe(true);
  await order.selectOption({label: 'Day first: 31/12/2024'});
  await button('Continue').click();
  await button('Check').click();
  await page.getByRole('row', {name: /3 Apr.*5 Jun 2024/}).waitFor();
});
