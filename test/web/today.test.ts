import {afterAll, beforeAll, expect, it} from '@jest/globals';
import {deep} from '../support/deep.js';
import {expectEventually} from '../support/expect-eventually.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {ada, card, line, of, openBoard, page, post, stage, tab} from './support/board.js';

beforeAll(openBoard, 60_000);
afterAll(() => stage.close());

it('the board of a team needs six requests, once its viewer is no longer new', async () => {
  await page.getByRole('button', {name: 'Got it'}).click();
  const before = tab.requests.length;
  await tab.go('/t/platform');
  await card('Grace Hopper').waitFor();
  await page.getByText('nobody knows who').waitFor();
  const since = () => tab.requests.slice(before);
  await until(() => since().some(({operation}) => operation === 'streamChanges'), {what: 'the stream opens'});
  // The tab asks for its viewer's reminder ten seconds after it has opened, whatever page it shows by then.
  const later = ['asset', 'getOwnReminder'];
  const asked = since().filter(
    ({operation, path}) => !later.includes(operation) && !path.startsWith('/docs/'),
  );
  expect(asked.map(({operation, path}) => `${operation} ${path}`).toSorted()).toEqual([
    'door /app/session/token',
    'getMe /v1/me',
    'getTeam /v1/teams/platform',
    'getTeamDay /v1/teams/platform/days/today',
    'listBlockers /v1/blockers?team=platform&state=open&limit=100',
    'streamChanges /v1/changes/stream',
  ]);
});

it('the board shows who has posted, who has not and why, by their clocks, in all their time zones', async () => {
  await page.getByText('1 of 5 posted').waitFor();
  await expectEventually(() => page.getByText('closes 11:00, in 34 min').count()).toBe(1);
  await expectEventually(() => line('Katherine Johnson').innerText()).toMatch(
    /Due 11:00 \(02:00 their time\)\s+01:26/,
  );
  await expectEventually(() => line('Donald Knuth').innerText()).toContain(
    'Away until Monday 12 Apr – Vacation',
  );
  await expectEventually(() => line('Barbara Liskov').innerText()).toContain('Holiday: Showa Day');
  await expectEventually(() => line('Margaret Hamilton').innerText()).toContain('Skipping');
  await expectEventually(() => card('Grace Hopper').innerText()).toMatch(
    /Blocker[^]*What did you do\?[^]*4 of 5/,
  );
  await look(tab, 'today-board', {full: true, also: deep ? ['zoomed'] : []});
});

it('the board shows a post from another browser at once, at the top', async () => {
  await stage.moveTo('2027-04-06T08:27:00Z');
  await post(of('Alan Turing'), {update: 'Halting, perhaps.'});
  await page.getByText('Halting, perhaps.').waitFor();
  await expectEventually(() => page.getByRole('article').first().getAttribute('aria-label')).toBe(
    'Standup by Alan Turing',
  );
  await page.getByText('2 of 5 posted').waitFor();
  await page.locator('[aria-live]', {hasText: 'Alan Turing posted'}).waitFor({state: 'attached'});
});

it('a deleted standup is removed when Undo expires or the page is left, and not before', async () => {
  // Moves past the ten-second pause between announcements.
  await stage.moveTo('2027-04-06T08:27:30Z');
  const {id} = await post(ada, {update: 'Notes on the engine.'});
  const found = async () => (await stage.workspace.request('GET', `/v1/standups/${id}`)).status;
  const readOut = page.getByRole('region', {name: 'Posted', exact: true}).locator('[aria-live]');
  await readOut.filter({hasText: /^(?:Ada Lovelace|\d more) posted$/}).waitFor({state: 'attached'});
  await card('Ada Lovelace').getByRole('button', {name: 'Delete'}).click();
  await card('Ada Lovelace').waitFor({state: 'detached'});
  await expectEventually(() => readOut.textContent()).toBe('');
  await page.getByText('2 of 5 posted').waitFor();

  await page.getByRole('button', {name: 'Undo'}).click();
  await card('Ada Lovelace').waitFor();
  expect([await found(), tab.requests.filter(({method}) => method === 'DELETE').length]).toEqual([200, 0]);

  await card('Ada Lovelace').getByRole('button', {name: 'Delete'}).click();
  await card('Ada Lovelace').waitFor({state: 'detached'});
  await tab.go('/t/platform');
  await until(async () => (await found()) === 404, {what: 'the standup is deleted'});
  await card('Grace Hopper').waitFor();
  await expectEventually(() => card('Ada Lovelace').count()).toBe(0);
  await page.getByText('You haven’t posted yet').waitFor();
});

it('the menu shows beside a team how many are missing in its open run, and follows that on other pages', async () => {
  const team = page.getByRole('navigation', {name: 'Teams'}).getByRole('link', {name: /^Platform/});
  await team.getByText('3 missing').waitFor({state: 'attached'});
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.getByRole('heading', {name: 'Inbox'}).waitFor();
  await post(of('Edsger Dijkstra'), {update: 'Shorter paths.'});
  await team.getByText('2 missing').waitFor({state: 'attached'});
  await tab.go('/t/platform');
});

it('the board made no forbidden request', () => expectInnocent(tab));
