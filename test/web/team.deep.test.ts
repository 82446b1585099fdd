import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {Route} from 'playwright-core';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import type {Json} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, untilQuiet, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let grace: Person;
let tab: Tab;

const schedule = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '13:00',
  closes: '15:30',
  reminders: [30],
};
const questions = [
  {key: 'done', label: 'What did you do?', type: 'text'},
  {key: 'next', label: 'What is next?', type: 'text', required: true},
  {key: 'mood', label: 'How are you?', type: 'mood'},
];

/** A Tuesday, before clocks go back in Berlin (27 October) and in New York (3 November). */
beforeAll(async () => {
  stage = await openDashboard({}, {at: '2030-10-22T06:30:00Z'});
  [ada, grace] = await Promise.all([
    stage.addPerson({name: 'Ada Lovelace', team: 'platform', as: 'lead', timezone: 'Europe/Berlin'}),
    stage.addPerson({name: 'Grace Hopper', team: 'platform', timezone: 'America/New_York'}),
    stage.addPerson({name: 'Alan Turing', team: 'platform', timezone: 'Europe/London'}),
    stage.addPerson({name: 'Katherine Johnson', timezone: 'Asia/Tokyo'}),
  ]);
  await change({name: 'Platform', timezone: 'Europe/Berlin', schedule, questions});
  tab = await stage.signIn(ada, {path: '/t/platform/settings'});
});

afterAll(() => stage.close());

async function change(body: Json): Promise<Json> {
  const answer = await stage.workspace.request('PATCH', '/v1/teams/platform', {body});
  expect(answer.status).toBe(200);
  return answer.body;
}
const team = async () => (await stage.workspace.request('GET', '/v1/teams/platform')).body;
const section = (name: string) => tab.page.getByRole('region', {name, exact: true});

describe('the team settings in rare cases', () => {
  test('add a member found by name, give the member a role, and remove the member again', async () => {
    const {page} = tab;
    const people = section('People');
    await people.getByRole('combobox', {name: 'Person'}).fill('Kath');
    await page.getByRole('option', {name: 'Katherine Johnson'}).click();
    await people.getByRole('button', {name: 'Add', exact: true}).click();
    await people.getByText('Katherine Johnson added as member.').waitFor({state: 'attached'});
    await people.getByLabel('Role of Katherine Johnson').selectOption('observer');
    await people.getByText('Katherine Johnson is now observer.').waitFor({state: 'attached'});
    await people.getByText('Not expected').waitFor();
    await people.getByText('3 people, 1 observer').waitFor();
    await people.getByRole('button', {name: 'Remove Katherine Johnson from the team'}).click();
    await page.getByRole('alertdialog').getByRole('button', {name: 'Remove'}).click();
    await people.getByText('3 people', {exact: true}).waitFor();
  });

  test('fit on the screen with an edited schedule', async () => {
    const schedule = section('Schedule');
    await schedule.getByLabel('Closes', {exact: true}).fill('16:00');
    await schedule.getByText('Preview. Not saved yet.').waitFor();
    await look(tab, 'team-schedule-draft');
    await schedule.getByRole('button', {name: 'Discard changes'}).click();
  });

  test('reorder questions by keyboard alone, announce the new order, and retain the keys of the answers', async () => {
    const {page} = tab;
    const questionSection = section('Questions');
    const labels = () =>
      questionSection
        .getByRole('textbox', {name: 'Question'})
        .evaluateAll((fields) => fields.map((field) => (field as unknown as {value: string}).value));
    await questionSection.getByRole('button', {name: 'Move “How are you?” up'}).focus();
    await page.keyboard.press('Enter');
    await questionSection.getByText('“How are you?” is now question 2 of 3.').waitFor({state: 'attached'});
    await page.keyboard.press('Enter');
    await questionSection.getByText('“How are you?” is now question 1 of 3.').waitFor({state: 'attached'});
    expect(await labels()).toEqual(['How are you?', 'What did you do?', 'What is next?']);
    await questionSection.getByRole('textbox', {name: 'Question'}).nth(1).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await until(async () => (await labels())[2] === 'What did you do?');
    await page.keyboard.press('End');
    await page.keyboard.type(' Really?');
    await questionSection.getByRole('button', {name: 'Add a question'}).focus();
    await page.keyboard.press('Enter');
    await until(() =>
      page.evaluate(() => (globalThis as never as Focus).document.activeElement.tagName === 'INPUT'),
    );
    await page.keyboard.type('Is anything blocking you?');
    await questionSection.getByRole('button', {name: 'Save'}).focus();
    await page.keyboard.press('Enter');
    await questionSection
      .getByText('Not saved yet. Your changes are kept in this browser.')
      .waitFor({state: 'detached'});
    expect((await team()).questions.map(({key, label}: Json) => [key, label])).toEqual([
      ['mood', 'How are you?'],
      ['next', 'What is next?'],
      ['done', 'What did you do? Really?'],
      ['is_anything_blocking_you', 'Is anything blocking you?'],
    ]);
  });

  test('show both versions where two members have changed one section, and leave other sections alone', async () => {
    const {page} = tab;
    const late = section('Late standups');
    const general = section('Name and time zone');
    await general.getByLabel('Name', {exact: true}).fill('Platform team');
    await late.getByText('Don’t accept late updates').click();
    await change({late_policy: {accept: 'until', minutes: 30}});
    await late.getByRole('alert').getByText('Accepted for 30 minutes after closing').waitFor();
    await look(tab, 'team-conflict');
    await late.getByRole('button', {name: 'Keep mine'}).click();
    await late.getByRole('button', {name: 'Save'}).click();
    await late.getByText('Not saved yet.').waitFor({state: 'detached'});
    expect((await team()).late_policy).toEqual({accept: 'never'});
    await general.getByRole('button', {name: 'Save'}).click();
    await page.getByRole('heading', {name: 'Team settings: Platform team'}).waitFor();
    expect(await team()).toMatchObject({name: 'Platform team', late_policy: {accept: 'never'}});
  });

  test('retain the three standard questions when another one is added, and can prefill a question with its last answer', async () => {
    const {page} = tab;
    const {workspace} = stage;
    await workspace.request('POST', '/v1/teams', {body: {slug: 'given', name: 'Given'}});
    await workspace.request('PUT', `/v1/teams/given/members/${ada.id}`, {body: {role: 'lead'}});
    await tab.go('/t/given/settings');
    const questionSection = section('Questions');
    await questionSection.getByText('These are the default questions.').waitFor();
    await look(tab, 'team-given-questions');
    await questionSection.getByRole('button', {name: 'Add a question'}).click();
    await questionSection.getByRole('textbox', {name: 'Question'}).nth(3).fill('What did you learn?');
    await questionSection
      .getByLabel('Prefill with the last answer to')
      .nth(3)
      .selectOption({label: 'What did you learn?'});
    await look(tab, 'team-questions-fill');
    await questionSection.getByRole('button', {name: 'Save'}).click();
    await questionSection
      .getByText('Not saved yet. Your changes are kept in this browser.')
      .waitFor({state: 'detached'});
    expect((await workspace.request('GET', '/v1/teams/given')).body.questions).toMatchObject([
      {key: 'yesterday', fill_from: 'today'},
      {key: 'today', required: true, fill_from: null},
      {key: 'blockers', raises_blocker: true},
      {key: 'what_did_you_learn', fill_from: 'what_did_you_learn'},
    ]);
    await tab.go('/t/platform/settings');
    await page.getByRole('button', {name: 'Add a question'}).waitFor();
  });

  test('save a section on the newest revision when another change to the team is saved first', async () => {
    const {page} = tab;
    const general = section('Name and time zone');
    await general.getByLabel('Name', {exact: true}).fill('Platform crew');
    // Another setting of the team is saved just before this request arrives.
    let isChanged = false;
    await page.route('**/v1/teams/platform', async (route) => {
      if (route.request().method() === 'PATCH' && !isChanged) {
        isChanged = true;
        await change({slack_weekly_summary: true});
      }
      await route.continue();
    });
    await general.getByRole('button', {name: 'Save'}).click();
    await page.getByRole('heading', {name: 'Team settings: Platform crew'}).waitFor();
    expect(await team()).toMatchObject({name: 'Platform crew', slack_weekly_summary: true});
    await page.unroute('**/v1/teams/platform');
    await change({name: 'Platform team'});
    await page.getByRole('heading', {name: 'Team settings: Platform team'}).waitFor();
  });

  test('regression: do not lose text typed while a section is being saved, and store no draft of the saved state', async () => {
    const {page} = tab;
    const name = section('Name and time zone').getByLabel('Name', {exact: true});
    const save = section('Name and time zone').getByRole('button', {name: 'Save'});
    let answer = (): void => undefined;
    const isFree = new Promise<void>((resolve) => (answer = resolve));
    const slowly = async (route: Route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      const response = await route.fetch();
      await isFree;
      await route.fulfill({response});
    };
    await page.route('**/v1/teams/platform', slowly);
    await name.fill('Platform one');
    await save.click();
    await until(async () => (await team()).name === 'Platform one');
    await name.fill('Platform two');
    answer();
    await page.getByRole('heading', {name: 'Team settings: Platform one'}).waitFor();
    await untilQuiet(tab);
    await expectEventually(() => name.inputValue()).toBe('Platform two');
    await save.click();
    await page.getByRole('heading', {name: 'Team settings: Platform two'}).waitFor();
    await page.unroute('**/v1/teams/platform');
    // The page never gets the answer.
    const lose = async (route: Route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      await route.fetch();
      await route.abort();
    };
    await page.route('**/v1/teams/platform', lose);
    await name.fill('Platform three');
    await save.click();
    await until(async () => (await team()).name === 'Platform three');
    await page.unroute('**/v1/teams/platform');
    await page.reload();
    await page.getByRole('heading', {name: 'Team settings: Platform three'}).waitFor();
    await change({name: 'Platform team'});
    await page.getByRole('heading', {name: 'Team settings: Platform team'}).waitFor();
    await expectEventually(() => name.inputValue()).toBe('Platform team');
  });

  test('are readable for every member of the workspace, as text and without a field', async () => {
    const reading = await stage.signIn(grace, {path: '/t/platform/settings', width: 360, height: 740});
    const {page} = reading;
    await page.getByText('You can read these settings.').waitFor();
    await page.getByText('Monday, Tuesday, Wednesday, Thursday and Friday').waitFor();
    await page.getByText('4. Is anything blocking you?').waitFor();
    await page.getByText('07:00 to 09:30').first().waitFor();
    const main = page.getByRole('main');
    await expectEventually(() => main.getByRole('textbox').count()).toBe(0);
    await expectEventually(() => main.getByRole('combobox').count()).toBe(0);
    await expectEventually(() => main.getByRole('button', {name: /Save|Delete|Take/}).count()).toBe(0);
    const observer = {body: {role: 'observer'}};
    await stage.workspace.request('PUT', `/v1/teams/platform/members/${grace.id}`, observer);
    await page.getByText('2 people, 1 observer').waitFor();
    await reading.go('/t/platform?write=platform');
    await page.getByText('You’re an observer in Platform team').waitFor();
    await reading.go('/t/platform/settings');
    await page.getByRole('button', {name: 'Leave the team'}).click();
    await page.getByRole('alertdialog').getByRole('button', {name: 'Leave', exact: true}).click();
    await page.getByText('2 people', {exact: true}).waitFor();
    await expectInnocent(reading);
    await reading.close();
  });

  test('create a team, and delete it only after its short name was typed and its standups were mentioned', async () => {
    const {page} = tab;
    await page.getByRole('link', {name: 'New team'}).click();
    // Waits for the page, since the settings before it have a field “Name” too.
    await page.getByRole('heading', {name: 'New team'}).waitFor();
    await page.getByLabel('Name', {exact: true}).fill('Dätä Science');
    await expectEventually(() => page.getByLabel('Short name').inputValue()).toBe('data-science');
    await page.getByLabel('Short name').fill('platform');
    await page.getByRole('button', {name: 'Create team'}).click();
    await page
      .getByText(/There is a team "platform" already/)
      .filter({visible: true})
      .waitFor();
    await page.getByLabel('Short name').fill('data');
    await page.getByRole('button', {name: 'Create team'}).click();
    await page.getByRole('heading', {name: 'Team settings: Dätä Science'}).waitFor();
    const post = {token: ada.token, body: {team: 'data', update: 'First words'}};
    expect((await stage.workspace.request('POST', '/v1/standups', post)).status).toBe(201);
    await page.getByRole('button', {name: 'Delete team …'}).click();
    const dialog = page.getByRole('alertdialog');
    const sure = dialog.getByRole('button', {name: 'Delete team'});
    await expectEventually(() => sure.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('data');
    await sure.click();
    await dialog.getByText('This team has standups.').waitFor();
    await dialog.getByRole('textbox').fill('data');
    await sure.click();
    await page.getByText('Dätä Science deleted.').waitFor();
    await expectInnocent(tab, {refusals: [409, 412, 422], errors: /ERR_FAILED/});
  });
});

interface Focus {
  readonly document: {readonly activeElement: {readonly tagName: string}};
}
