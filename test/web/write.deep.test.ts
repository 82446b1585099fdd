import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {expectEventually} from '../support/expect-eventually.js';
import type {Json} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {
  ada,
  as,
  ask,
  choose,
  clearWriting,
  field,
  go,
  monday,
  notice,
  open,
  openNew,
  openWriting,
  page,
  panel,
  posted,
  press,
  questions,
  stage,
  undo,
  dashboard,
} from './support/write-panel.js';

beforeAll(openWriting, 60_000);
beforeEach(clearWriting);
afterAll(() => stage.close());

/** The service executes posts, but the page gets no answer. Returns the number of lost answers. */
async function loseAnswers(): Promise<() => number> {
  let lost = 0;
  await page.route('**/v1/standups', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    lost += 1;
    return route.abort();
  });
  return () => lost;
}

it('the empty write panel shows no error', async () => {
  await as('POST', '/v1/blockers', {team: 'platform', text: 'No access to the staging database.'});
  await openNew();
  await panel.getByText('No access to the staging database.').waitFor();
  await look(dashboard, 'write-empty');
});

it('an error of a standup is shown at its field, before and after sending, and the first one gets the focus', async () => {
  await openNew('mobile');
  await field('How many hours?').fill('13');
  await field('What did you finish?').fill('x'.repeat(2_001));
  await press('Post');
  await panel.getByText('Please answer this.').first().waitFor();
  await expectEventually(() =>
    page.evaluate('document.activeElement.closest("[data-field]").dataset.field'),
  ).toBe('yesterday');
  await panel.getByText('1 character too many').waitFor();
  await look(dashboard, 'write-errors');
  await field('What did you finish?').fill('Less.');
  await field('What is next?').fill('The export.');
  await field('How many hours?').fill('12');
  await choose('Web');
  // An error that only the service can find: 14 is out of range.
  await page.route('**/v1/standups', (route) =>
    route.request().method() === 'POST'
      ? route.continue({postData: route.request().postData()?.replace('"value":12', '"value":14') ?? ''})
      : route.continue(),
  );
  await press('Post');
  await panel
    .getByText(/Must be 12 or less/)
    .filter({visible: true})
    .waitFor();
  await expectEventually(() =>
    page.evaluate('document.activeElement.closest("[data-field]").dataset.field'),
  ).toBe('hours');
  await expectEventually(() => field('What is next?').inputValue()).toBe('The export.');
  expect(await posted()).toEqual([]);
});

it('typed answers remain when the team’s questions change in the meantime', async () => {
  await openNew('mobile');
  await field('What is next?').fill('The export.');
  const asked = [{key: 'plan', label: 'What is the plan?', type: 'text', required: true}];
  await ask('PATCH', '/v1/teams/mobile', {questions: asked});
  await field('What is the plan?').fill('A long one.');
  await expectEventually(() => field('Anything else').inputValue()).toBe('What is next? The export.');
  await press('Post');
  await notice('Posted to Mobile.').waitFor();
  const [made] = await posted();
  expect(made?.['update']).toBe('What is the plan? A long one.\n\nWhat is next? The export.');
  await ask('PATCH', '/v1/teams/mobile', {questions});
});

it('a draft survives closing and a reload, is the same in every tab, and can be restored after it was discarded', async () => {
  await openNew();
  await field('Today').fill('Half a thou');
  await press('Close');
  await notice('Draft saved.').waitFor();
  const tab = await dashboard.openTab('/t/platform?write=platform');
  const there = tab.getByRole('dialog');
  await there.getByText('Draft from 10:26').waitFor();
  await open('write=platform');
  await page.reload();
  await field('Today').fill('Half a thought');
  await until(async () => (await there.getByLabel('Today').inputValue()) === 'Half a thought');
  await there.getByLabel('Today').fill('A whole thought');
  await until(async () => (await field('Today').inputValue()) === 'A whole thought');
  await press('Post');
  await notice('Posted to Platform.').waitFor();
  await until(async () => (await there.getByLabel('Today').inputValue()) === '');
  await tab.close();
  expect(await posted()).toHaveLength(1);

  await openNew();
  await field('Today').fill('Not that');
  await open('write=platform');
  await press('Start over');
  await until(async () => (await field('Today').inputValue()) === '');
  await press('Close');
  await undo('Draft deleted.');
  await until(async () => (await field('Today').inputValue()) === 'Not that');
});

it('a lost answer never leads to a second standup, whether after a retry, a reload or a changed text', async () => {
  await openNew();
  await field('Today').fill('First words');
  let lost = await loseAnswers();
  await press('Post');
  await until(() => lost() > 1);
  await page.unrouteAll({behavior: 'wait'});
  await notice('Posted to Platform.').waitFor();
  expect(await posted()).toHaveLength(1);
  await undo('Posted to Platform.');
  await panel.waitFor();
  await until(async () => (await posted()).length === 0);

  lost = await loseAnswers();
  await press('Post');
  await until(() => lost() > 0);
  await page.unrouteAll({behavior: 'ignoreErrors'});
  await page.reload();
  await open('write=platform');
  await panel.getByText('This may not have been posted.').waitFor();
  await field('Today').fill('Other words');
  await press('Post');
  await notice('Posted to Platform.').waitFor();
  const all = await posted();
  expect(all).toHaveLength(1);
  expect(all[0]?.update).toContain('Today\nOther words');
});

it('a standup for several teams asks the questions of all, and a team without questions gets the answers as text', async () => {
  await openNew('mobile');
  await choose('Platform');
  await panel.getByText('Platform has no questions').waitFor();
  await field('What is next?').fill('The export.');
  await choose('API');
  await look(dashboard, 'write-several');
  await press('Post');
  await notice('Posted to Mobile and Platform.').waitFor();
  const all = await posted();
  expect(all.map(({team, answers}) => [team, (answers as Json[]).length]).toSorted()).toEqual([
    ['mobile', 2],
    ['platform', 0],
  ]);
  expect(all.every(({update}) => update.includes('What is next? The export.'))).toBe(true);
});

it('an edit of a standup that has changed meanwhile is shown beside the other version until one is chosen', async () => {
  const made = await as('POST', '/v1/standups', {team: 'platform', update: 'Today\nThe import.'});
  const say = (text: string) => as('PATCH', `/v1/standups/${made.id}`, {update: `Today\n${text}`});
  const now = async () => (await as('GET', `/v1/standups/${made.id}`)).update;
  await open(`edit=${made.id}`);
  await field('Today').fill('Mine.');
  await say('Theirs.');
  await panel.getByText('Current version').waitFor();
  await look(dashboard, 'write-conflict');
  await press('Keep editing mine');
  await field('Today').fill('Mine, mended.');
  await say('Theirs again.');
  await press('Keep mine');
  await notice('Saved.').waitFor();
  expect(await now()).toBe('Today\nMine, mended.');

  await open(`edit=${made.id}`);
  await panel.getByText('Earlier versions').click();
  await panel.getByText('Theirs again.').waitFor();
  await field('Today').fill('Mine once more.');
  await say('Theirs at last.');
  await press('Take theirs');
  await notice('Your version was set aside.').waitFor();
  expect(await now()).toBe('Today\nTheirs at last.');
});

it('regression: text typed while an edit is being saved causes no conflict with that edit', async () => {
  const made = await as('POST', '/v1/standups', {team: 'platform', update: 'Today\nThe import.'});
  const now = async () => (await as('GET', `/v1/standups/${made.id}`)).update;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const statuses: number[] = [];
  await page.route(`**/v1/standups/${made.id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const response = await route.fetch();
    statuses.push(response.status());
    await held;
    return route.fulfill({response});
  });
  await open(`edit=${made.id}`);
  await field('Today').fill('The export.');
  await press('Save');
  await until(async () => (await now()) === 'Today\nThe export.', {
    what: 'the edit is made, and not answered',
  });
  await open(`edit=${made.id}`);
  await field('Today').fill('The export, typed on.');
  release();
  await notice('Saved.').waitFor();
  await press('Save');
  await panel.waitFor({state: 'detached'});
  await until(async () => (await now()) === 'Today\nThe export, typed on.', {what: 'both edits are made'});
});

it('text typed into a standup that is deleted meanwhile becomes a new standup', async () => {
  const made = await as('POST', '/v1/standups', {team: 'platform', update: 'Today\nThe import.'});
  await open(`edit=${made['id']}`);
  await field('Today').fill('Not to be lost.');
  await as('DELETE', `/v1/standups/${made['id']}`);
  await panel.getByText('This standup was deleted').waitFor();
  await press('Write a new one');
  await until(async () => (await field('Today').inputValue()) === 'Not to be lost.');
  await press('Post');
  await notice('Posted to Platform.').waitFor();
  expect(await posted()).toMatchObject([{update: 'Today\nNot to be lost.'}]);
});

it('skipping the day in the write panel can be undone', async () => {
  await openNew();
  await press(/^Skip /);
  await notice('Skipping Monday 23 Nov.').waitFor();
  expect((await as('GET', '/v1/absences?member=me')).data).toMatchObject([{kind: 'skip', from: monday}]);
  await undo('Skipping Monday 23 Nov.');
  await until(async () => (await as('GET', '/v1/absences?member=me')).data.length === 0);
});

it('skipping and prefilling apply to the chosen day, not to today', async () => {
  await as('POST', '/v1/standups', {
    team: 'platform',
    date: monday,
    update: 'Today\nThe export of Monday.',
  });
  await openNew();
  await press('Change the day');
  await panel.getByRole('spinbutton').first().focus();
  await page.keyboard.type('24');
  await panel.getByText('For Tuesday 24 Nov').waitFor();
  await expectEventually(() => field('Yesterday').inputValue()).toBe('The export of Monday.');
  await look(dashboard, 'write-another-day');
  await press('Skip 24 Nov');
  await notice('Skipping Tuesday 24 Nov.').waitFor();
  const absences = async () => (await as('GET', '/v1/absences?member=me')).data as Json[];
  expect(await absences()).toMatchObject([{kind: 'skip', from: '2026-11-24'}]);
  await undo('Skipping Tuesday 24 Nov.');
  await until(async () => (await absences()).length === 0);
});

it('an answer begins with the last answer to which its question refers, and shows the date of that answer', async () => {
  const own = [
    {key: 'done', label: 'What got done?', type: 'text', fill_from: 'plan'},
    {key: 'plan', label: 'What is planned?', type: 'text', required: true},
  ];
  await ask('POST', '/v1/teams', {
    slug: 'desktop',
    name: 'Desktop',
    timezone: 'Europe/Berlin',
    questions: own,
  });
  await ask('PUT', `/v1/teams/desktop/members/${ada.id}`, {});
  const answers = [{question: 'plan', value: 'The installer.'}];
  await as('POST', '/v1/standups', {team: 'desktop', date: '2026-11-20', answers});
  await openNew('desktop');
  await expectEventually(() => field('What got done?').inputValue()).toBe('The installer.');
  await panel.getByText('From your standup of Friday 20 Nov.').waitFor();
  await field('What is planned?').fill('Its signature.');
  await press('Post');
  await notice('Posted to Desktop.').waitFor();
  expect((await posted())[0]).toMatchObject({
    answers: [
      {question: 'done', value: 'The installer.'},
      {question: 'plan', value: 'Its signature.'},
    ],
  });
  await ask('DELETE', '/v1/teams/desktop?force=true');
});

it('writing for a team adds no one to it: a person outside the team sees that before typing', async () => {
  await ask('POST', '/v1/teams', {slug: 'design', name: 'Design'});
  await go('?write=design');
  await panel.getByText('You’re not in Design').waitFor();
  await press('Join Design');
  await panel.getByLabel('Today').waitFor();
  expect((await as('GET', '/v1/me')).teams).toMatchObject([{slug: 'design'}, {}, {}]);
});

it('the write panel says before typing that a standup is late, and what the effect is', async () => {
  await stage.moveTo(`${monday}T10:05:00Z`);
  await openNew();
  await panel.getByText('Closed at 11:00. You can still post; it will be marked late.').waitFor();
  await look(dashboard, 'write-late');
  await ask('PATCH', '/v1/teams/platform', {late_policy: {accept: 'until', minutes: 30}});
  await panel.getByText('You can post until 11:30; it will be marked late.').waitFor();
  await ask('PATCH', '/v1/teams/platform', {late_policy: {accept: 'never'}});
  await panel.getByText('doesn’t accept late updates').waitFor();
  await field('Today').fill('Too late.');
  await press('Post');
  expect(await posted()).toEqual([]);
  await ask('PATCH', '/v1/teams/platform', {late_policy: {accept: 'always'}});
});

it('a standup posted without a network says so, and arrives when the network is back', async () => {
  await openNew();
  await field('Today').fill('From a train.');
  await dashboard.context.setOffline(true);
  await press('Post');
  await page.getByRole('article').getByText('From a train.').waitFor();
  await stage.moveTo(`${monday}T10:07:00Z`);
  await notice('No answer yet.').waitFor();
  await dashboard.context.setOffline(false);
  await notice('Posted to Platform.').waitFor();
  expect(await posted()).toHaveLength(1);
});

it('each team shows its day where the days of several teams differ, and gets the standup for that day', async () => {
  // From Monday 11:00 UTC it is Tuesday in Auckland. A chosen day applies to all teams.
  await ask('POST', '/v1/teams', {slug: 'south', name: 'South', timezone: 'Pacific/Auckland'});
  await ask('PUT', `/v1/teams/south/members/${ada.id}`, {});
  await stage.moveTo(`${monday}T11:26:00Z`);
  await page.reload();
  await openNew();
  await choose('South');
  await panel.getByText('Platform · Today, Monday 23 Nov').waitFor();
  await panel.getByText('South · For Tuesday 24 Nov').waitFor();
  await look(dashboard, 'write-several-days');
  await press('Use one day for all teams');
  await panel.getByRole('spinbutton').first().focus();
  await page.keyboard.type('23');
  await panel.getByText('Today, Monday 23 Nov', {exact: true}).waitFor();
  await press('Back to each team’s day');
  await field('Today').fill('The bridge.');
  await press('Post');
  await notice('Posted to South and Platform.').waitFor();
  const made = (await as('GET', '/v1/standups?author=me&q=bridge')).data as Json[];
  expect(made.map(({team, date}) => [team, date]).toSorted()).toEqual([
    ['platform', monday],
    ['south', '2026-11-24'],
  ]);
  await Promise.all(made.map(({id}) => as('DELETE', `/v1/standups/${id}`)));
  await ask('DELETE', '/v1/teams/south');
});

it('a form that is open at midnight keeps its day, gets no untyped text, and offers the new day', async () => {
  await stage.moveTo(`${monday}T22:50:00Z`);
  await as('POST', '/v1/standups', {team: 'platform', date: monday, update: 'Today\nThe first of Monday.'});
  await openNew();
  await field('Today').fill('The second of Monday.');
  const since = await field('Since Friday 20 Nov').inputValue();
  await stage.moveTo('2026-11-23T23:05:00Z');
  await panel.getByRole('button', {name: 'Switch to Tuesday 24 Nov'}).waitFor();
  await panel.getByText('For Monday 23 Nov').waitFor();
  expect(await field('Since Friday 20 Nov').inputValue()).toBe(since);
  // The draft keeps its day after a reload too.
  await page.reload();
  await panel.getByText('For Monday 23 Nov').waitFor();
  await look(dashboard, 'write-over-midnight');
  await press('Post');
  await notice('Posted to Platform.').waitFor();
  expect((await posted()).at(-1)).toMatchObject({date: monday});
  expect((await posted()).at(-1)?.['update']).toContain('The second of Monday.');
});

it('regression: the write panel fits in German and right to left, and the pages made no forbidden request', async () => {
  for (const [language, name] of [
    ['de', 'write-german'],
    ['x-long', 'write-rtl'],
  ]) {
    await page.evaluate(`localStorage.setItem('standup:language', '${language}')`);
    await dashboard.go('/t/platform?write=mobile');
    await panel.getByRole('textbox').first().waitFor();
    await look(dashboard, name ?? '');
  }
  await expectInnocent(dashboard, {
    refusals: [404, 422, 503],
    errors: /ERR_(?:FAILED|INTERNET_DISCONNECTED)/,
  });
});
