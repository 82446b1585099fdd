import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {make} from '../api/samples.js';
import {expectEventually} from '../support/expect-eventually.js';
import type {Json} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {ada, advance, card, dismiss, of, openBoard, page, post, stage, today, tab} from './support/board.js';

beforeAll(openBoard, 60_000);
afterAll(() => stage.close());

it('the board shows new posts behind “1 new” while the viewer reads', async () => {
  await post(of('Alan Turing'), {update: 'Halting, perhaps.'});
  await card('Alan Turing').waitFor();
  await card('Grace Hopper').getByRole('link', {name: 'Grace Hopper'}).focus();
  await post(of('Edsger Dijkstra'), {update: 'A note on the board.'});
  await page.getByText('3 of 5 posted').waitFor();

  await expectEventually(() => card('Edsger Dijkstra').count()).toBe(0);
  await page.getByRole('button', {name: '1 new'}).click();
  await card('Edsger Dijkstra').waitFor();
  await expectEventually(() => page.getByRole('button', {name: '1 new'}).count()).toBe(0);
});

it('the board opens the write panel for its team', async () => {
  await page.locator('main').getByRole('button', {name: 'Write my standup'}).click();
  await page.waitForURL(/\?write=/);
  await expectEventually(() => new URL(page.url()).search).toBe('?write=platform');
  await tab.go('/t/platform');
});

it('a member skips their own day by a press, and Undo reverts it', async () => {
  await page.getByRole('button', {name: /^Skip /}).click();
  await page.getByText('You’re skipping today', {exact: true}).waitFor();
  const list = () => stage.workspace.request('GET', `/v1/absences?member=${ada.id}`);
  await until(async () => (await list()).body.data.length === 1, {what: 'the skip is there'});
  expect((await list()).body.data).toMatchObject([{kind: 'skip', team: 'platform', from: today}]);
  await page.getByRole('button', {name: 'Undo'}).click();
  await page.getByText('You haven’t posted yet').waitFor();
  await until(async () => (await list()).body.data.length === 0, {what: 'the skip is gone'});
});

describe('a blocker of the team', () => {
  it('is shown as acknowledged and resolved at once, and is saved when Undo expires', async () => {
    const blockers = page.getByRole('complementary', {name: 'Blockers'});
    const state = async () =>
      (await stage.workspace.request('GET', '/v1/blockers?team=platform')).body.data.map(
        ({state: now}: Json) => now,
      );
    const press = (name: string) => blockers.getByRole('button', {name: `${name} (Alan Turing)`}).click();
    await press('Acknowledge');
    await blockers.getByText('Ada Lovelace is on it').waitFor();
    await page.getByRole('button', {name: 'Undo'}).click();
    await blockers.getByText('Ada Lovelace is on it').waitFor({state: 'detached'});
    expect(await state()).toEqual(['raised', 'raised']);
    await press('Acknowledge');
    await dismiss();
    await until(async () => (await state()).includes('acknowledged'), {what: 'it is acknowledged'});
    await press('Resolve');
    await dismiss();
    await until(async () => (await state()).includes('resolved'), {what: 'it is resolved'});
    await expectEventually(() => blockers.getByRole('listitem').count()).toBe(1);
  });

  it('accepts Resolve while the notice of Acknowledge still offers Undo', async () => {
    const {id} = await make(stage.workspace, '/v1/blockers', {
      team: 'platform',
      author: of('Alan Turing').id,
      text: 'No coal.',
    });
    const row = page
      .getByRole('complementary', {name: 'Blockers'})
      .getByRole('listitem')
      .filter({hasText: 'No coal.'});
    await row.getByRole('button', {name: 'Acknowledge'}).click();
    await row.getByText('Ada Lovelace is on it').waitFor();
    await row.getByRole('button', {name: 'Resolve'}).click();
    await row.waitFor({state: 'detached'});

    await page.getByRole('button', {name: 'Undo'}).click();
    await row.getByText('Ada Lovelace is on it').waitFor();
    await row.getByRole('button', {name: 'Resolve'}).click();
    await dismiss();
    const blocker = async () => (await stage.workspace.request('GET', `/v1/blockers/${id}`)).body;
    await until(async () => (await blocker()).state === 'resolved', {what: 'it is resolved'});
    expect(await blocker()).toMatchObject({acknowledged_by: {id: ada.id}, resolved_by: {id: ada.id}});
  });
});

describe('a lead', () => {
  it('reminds missing members, and reads who is reminded and who is not', async () => {
    await page.getByRole('button', {name: 'Remind them'}).click();
    const status = page.getByRole('status').filter({hasText: 'reminded'});
    await status.waitFor();
    expect((await status.innerText()).split(/\n+/)).toEqual([
      'No one could be reminded: Ada Lovelace, Katherine Johnson are reminded in Slack, which is not connected. Tell them yourself, or connect Slack in workspace settings.',
      'Off today: Barbara Liskov, Donald Knuth, Margaret Hamilton.',
    ]);
  });

  it('opens a standup where none is planned', async () => {
    await tab.go('/t/mobile');
    await page.getByText('no schedule yet').waitFor();
    // regression: a team without a schedule showed a due time.
    await expectEventually(() => page.getByText('Due ').count()).toBe(0);
    await page.getByRole('combobox', {name: 'Duration'}).selectOption('30');
    await page.getByRole('button', {name: 'Open a standup now'}).click();
    await page.getByText('closes 10:56, in 30 min').waitFor();
    await expectEventually(() => page.getByText('opened manually').count()).toBe(1);
    await expectEventually(() => page.getByText('Any time today is fine').count()).toBe(0);
  });
});

it('a card shows the viewer’s clock, followed by the team’s where they differ', async () => {
  const far = await stage.signIn(of('Grace Hopper'), {path: '/t/platform', timezone: 'America/New_York'});
  try {
    await far.page.getByText(/04:\d\d your time \(10:\d\d in Berlin\)/).waitFor();
    await far.page.getByText('closes 05:00 (11:00 in Berlin)').waitFor();
    const ribbon = far.page.getByRole('region', {name: 'Local times'});
    await ribbon.getByText('Hours in your time; the bars show the day in Berlin').waitFor();
    await ribbon.getByText('Working hours, 09:00 to 17:00').waitFor();
    // Midnight in Berlin is 18:00 in New York.
    await expectEventually(() => ribbon.innerText()).toMatch(/18:00\s+00:00\s+06:00\s+12:00/);
    await far.page
      .getByText(/^\d\d:\d\d local time$/)
      .first()
      .waitFor();
    await look(far, 'today-far-away');
  } finally {
    await far.close();
  }
});

describe('another day on the board', () => {
  it('is one press away, and the button Today leads back', async () => {
    await tab.go('/t/platform');
    await page.getByRole('link', {name: 'Next day'}).click();
    await page.getByText('Wednesday, 7 April 2027').waitFor();
    await page.getByText('people will be asked').waitFor();
    await page.getByRole('link', {name: 'Back to today'}).click();
    await page.getByText('closes 11:00').waitFor();
    await tab.go('/t/platform?date=2027-04-03');
    await page.getByText('no standup on this day').waitFor();
    await expectEventually(() => page.getByRole('button', {name: 'Skip today'}).count()).toBe(0);
    // The board shows current blockers only for today.
    await expectEventually(() => page.getByRole('heading', {name: 'Blockers'}).count()).toBe(0);
  });
});

it('a team without people shows what to do, and lets an owner join', async () => {
  await tab.go('/t/empty');
  await page.getByText('This team has no members yet').waitFor();
  await look(tab, 'today-empty');
  const owner = await stage.addPerson({name: 'Charles Babbage', role: 'owner'});
  const other = await stage.signIn(owner, {path: '/'});
  await other.page.getByRole('link', {name: 'Nobody yet'}).last().click();
  await other.page.getByRole('button', {name: 'Join this team'}).click();
  await other.page.getByText('You haven’t posted yet').waitFor();
  await expectInnocent(other);
  await other.close();
});

it('long names and words fit into the board, including right to left', async () => {
  const {workspace} = stage;
  const long = 'Hubert Blaine Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft';
  await make(workspace, '/v1/teams', {
    absence_reasons: 'team',
    slug: 'long',
    name: 'The-team-for-everything-that-nobody-else-wants-to-have-a-name-for',
    timezone: 'America/Argentina/ComodRivadavia',
  });
  const [first, second] = await Promise.all(
    [long, `${long} the second`].map((name, index) =>
      stage.addPerson({name, team: 'long', ...(index === 0 && {timezone: 'Pacific/Port_Moresby'})}),
    ),
  );
  await make(workspace, '/v1/standups', {
    team: 'long',
    author: first?.id,
    update: `${'Donaudampfschifffahrtselektrizitäten'.repeat(6)} https://example.com/${'a-very-long-path/'.repeat(12)}`,
  });
  await make(workspace, '/v1/blockers', {team: 'long', author: second?.id, text: `${'w'.repeat(300)} שלום`});
  await make(workspace, '/v1/absences', {member: second?.id, reason: 'Reasons '.repeat(24)});
  const foreign = await stage.signIn(ada, {path: '/t/long', language: 'x-long'});
  await foreign.page.getByText('wwww').first().waitFor();
  await look(foreign, 'today-long-rtl', {full: true});
  await expectInnocent(foreign);
  await foreign.close();
});

it('the board of a closed day shows who was late and who missed it, in German as well', async () => {
  await stage.moveTo('2027-04-06T09:20:00Z');
  await advance('platform');
  await post(of('Katherine Johnson'), {update: 'Trajectories, a little late.'});
  const german = await stage.signIn(ada, {path: '/t/platform', locale: 'de-DE'});
  await german.page.getByText('um 11:00 geschlossen').waitFor();
  await german.page.getByText('4 von 5 geschrieben').waitFor();
  await german.page.getByText('1 fehlt').waitFor();
  await german.page.getByText('Dieses Standup hast du verpasst').waitFor();
  await look(german, 'today-closed-german', {full: true});
  await expectInnocent(german);
  await german.close();
});

it('the board made no forbidden request during these tests', () => expectInnocent(tab));
