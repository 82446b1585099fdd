import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import {drawnPart} from '../../src/domain/core/ids.js';
import type {Person} from '../api/people.js';
import {make} from '../api/samples.js';
import {deep} from '../support/deep.js';
import {expectSoon} from '../support/expect-soon.js';
import type {Json} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type Stage, untilRequest, type Visit} from './support/stage.js';

let stage: Stage;
/** Leads the team. */
let ada: Person;
let visit: Visit;
let page: Page;
const people = new Map<string, Person>();

/** A Tuesday; 10:26 in Berlin. */
const morning = '2027-04-06T08:26:00Z';
const today = '2027-04-06';
const workdays = {
  frequency: 'weekly',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:00',
  closes: '11:00',
  starts_on: '2027-01-04',
};

const others: readonly [string, string][] = [
  ['Grace Hopper', 'America/New_York'],
  ['Alan Turing', 'Europe/London'],
  ['Katherine Johnson', 'America/Los_Angeles'],
  ['Edsger Dijkstra', 'Europe/Amsterdam'],
  ['Barbara Liskov', 'Asia/Tokyo'],
  ['Donald Knuth', 'Europe/Berlin'],
  ['Margaret Hamilton', 'Europe/Berlin'],
];

const of = (name: string): Person => {
  const found = people.get(name);
  if (found === undefined) throw new Error(`Nobody is called ${name}.`);
  return found;
};

const post = (who: Person, body: Json): Promise<Json> =>
  make(stage.workspace, '/v1/standups', {team: 'platform', author: who.id, ...body});

const advance = async (team: string): Promise<void> => {
  const {id} = (await stage.workspace.request('GET', `/v1/teams/${team}`)).body;
  await stage.service.core.services.runs.advanceRuns(stage.workspace.operator(), drawnPart(id));
};

const card = (name: string) => page.getByRole('article', {name: `Standup by ${name}`});
const line = (name: string) =>
  page.locator('li', {hasText: name}).filter({hasNot: page.getByRole('article')});
const dismiss = () => page.getByRole('button', {name: 'Dismiss'}).last().click();

beforeAll(async () => {
  stage = await openDashboard({ROLES: 'web'}, {at: '2027-04-02T09:00:00Z', name: 'Analytical Engines'});
  const {workspace} = stage;
  const questions = [
    {key: 'done', label: 'What did you do?', required: true, type: 'text'},
    {key: 'next', label: 'What is next?', required: false, type: 'text'},
    {key: 'mood', label: 'How is it going?', required: false, type: 'mood'},
    {key: 'stuck', label: 'What is in your way?', required: false, type: 'text', raises_blocker: true},
  ];
  await make(workspace, '/v1/teams', {slug: 'mobile', name: 'Mobile', timezone: 'Europe/Berlin'});
  await make(workspace, '/v1/teams', {slug: 'empty', name: 'Nobody yet'});
  ada = await stage.addPerson({
    name: 'Ada Lovelace',
    team: 'platform',
    as: 'lead',
    timezone: 'Europe/Berlin',
  });
  await workspace.request('PUT', `/v1/teams/mobile/members/${ada.id}`, {body: {role: 'lead'}});
  for (const [name, timezone] of others) {
    people.set(name, await stage.addPerson({name, timezone, team: 'platform'}));
  }
  const ics = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', `DTSTART;VALUE=DATE:${today.replaceAll('-', '')}`]
    .concat(['SUMMARY:Showa Day', 'END:VEVENT', 'END:VCALENDAR'])
    .join('\r\n');
  const calendar = await make(workspace, '/v1/holiday-calendars', {name: 'Japan', ics});
  await workspace.request('PATCH', `/v1/members/${of('Barbara Liskov').id}`, {
    body: {holidays: {calendar: calendar.id}},
  });
  await workspace.request('PATCH', '/v1/teams/platform', {body: {absence_reasons: 'team'}});
  await make(workspace, '/v1/absences', {
    member: of('Donald Knuth').id,
    from: today,
    until: '2027-04-12',
    reason: 'Vacation',
  });
  await make(workspace, '/v1/absences', {member: of('Margaret Hamilton').id, kind: 'skip', from: today});
  await make(workspace, '/v1/blockers', {
    team: 'platform',
    author: of('Alan Turing').id,
    text: 'The access to the staging database has expired, and nobody knows who gives it.',
  });
  await stage.moveTo('2027-04-05T18:00:00Z');
  await workspace.request('PATCH', '/v1/teams/platform', {
    body: {timezone: 'Europe/Berlin', schedule: workdays, questions},
  });
  await stage.moveTo(morning);
  await advance('platform');
  await post(of('Grace Hopper'), {
    answers: [
      {question: 'done', value: 'The compiler finds the nanoseconds: https://example.com/wires/30cm'},
      {
        question: 'next',
        value: 'Shorter wires.\nThen the manual, all of it, before anybody asks for it again.',
      },
      {question: 'mood', value: 4},
      {question: 'stuck', value: 'CI is red since the new image.'},
    ],
  });
  visit = await stage.signIn(ada, {path: '/t/platform'});
  page = visit.page;
}, 60_000);

afterAll(() => stage.close());

describe('the board of a team', () => {
  it('costs six requests', async () => {
    await card('Grace Hopper').waitFor();
    await page.getByText('nobody knows who').waitFor();
    await untilRequest(visit, ({operation}) => operation === 'streamChanges');
    const asked = visit.requests.filter(
      ({operation, path}) => operation !== 'asset' && !path.startsWith('/docs/'),
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

  it('shows who is in, who is not and why, by their clocks, in the zones of all', async () => {
    await page.getByText('1 of 5 is in').waitFor();
    await expectSoon(() => page.getByText('closes 11:00, in 34 min').count()).toBe(1);
    await expectSoon(() => line('Katherine Johnson').innerText()).toMatch(
      /Expected until 11:00, 02:00 theirs\s+01:26/,
    );
    await expectSoon(() => line('Donald Knuth').innerText()).toContain('Away until Monday 12 Apr – Vacation');
    await expectSoon(() => line('Barbara Liskov').innerText()).toContain('Holiday: Showa Day');
    await expectSoon(() => line('Margaret Hamilton').innerText()).toContain('Skips the standup');
    await expectSoon(() => card('Grace Hopper').innerText()).toMatch(
      /Blocker[^]*What did you do\?[^]*4 of 5/,
    );
    await look(visit, 'today-board', {full: true, also: ['zoomed']});
  });

  it('has a post of another browser at once, at the top', async () => {
    await stage.moveTo('2027-04-06T08:27:00Z');
    await post(of('Alan Turing'), {update: 'Halting, perhaps.'});
    await page.getByText('Halting, perhaps.').waitFor();
    await expectSoon(() => page.getByRole('article').first().getAttribute('aria-label')).toBe(
      'Standup by Alan Turing',
    );
    await page.getByText('2 of 5 are in').waitFor();
    await page.locator('[aria-live]', {hasText: 'Alan Turing is in'}).waitFor({state: 'attached'});
  });

  it('keeps what comes in behind “1 new” while somebody reads', async () => {
    await card('Grace Hopper').getByRole('link', {name: 'Grace Hopper'}).focus();
    await post(of('Edsger Dijkstra'), {update: 'A note on the board.'});
    await page.getByText('3 of 5 are in').waitFor();

    await expectSoon(() => card('Edsger Dijkstra').count()).toBe(0);
    await page.getByRole('button', {name: '1 new'}).click();
    await card('Edsger Dijkstra').waitFor();
    await expectSoon(() => page.getByRole('button', {name: '1 new'}).count()).toBe(0);
  });

  it('opens the panel that writes for the team', async () => {
    await page.locator('main').getByRole('button', {name: 'Write my standup'}).click();
    await page.waitForURL(/\?write=/);
    await expectSoon(() => new URL(page.url()).search).toBe('?write=platform');
    await visit.go('/t/platform');
  });
});

describe('one’s own day', () => {
  it('is skipped by a press, and taken back by Undo', async () => {
    await page.getByRole('button', {name: 'Skip today'}).click();
    await page.getByText('You skip today', {exact: true}).waitFor();
    const list = () => stage.workspace.request('GET', `/v1/absences?member=${ada.id}`);
    await until(async () => (await list()).body.data.length === 1, {what: 'the skip is there'});
    expect((await list()).body.data).toMatchObject([{kind: 'skip', team: 'platform', from: today}]);
    await page.getByRole('button', {name: 'Undo'}).click();
    await page.getByText('You have not posted yet').waitFor();
    await until(async () => (await list()).body.data.length === 0, {what: 'the skip is gone'});
  });

  it('loses a deleted standup when Undo has gone or the page is left, and not before', async () => {
    // Announcements pause for ten seconds after each sentence.
    await stage.moveTo('2027-04-06T08:27:30Z');
    const {id} = await post(ada, {update: 'Notes on the engine.'});
    const found = async () => (await stage.workspace.request('GET', `/v1/standups/${id}`)).status;
    const readOut = page.getByRole('region', {name: 'In', exact: true}).locator('[aria-live]');
    await readOut.filter({hasText: /^(?:Ada Lovelace is|\d more are) in$/}).waitFor({state: 'attached'});
    await card('Ada Lovelace').getByRole('button', {name: 'Delete'}).click();
    await card('Ada Lovelace').waitFor({state: 'detached'});
    await expectSoon(() => readOut.textContent()).toBe('');
    await page.getByText('3 of 5 are in').waitFor();

    await page.getByRole('button', {name: 'Undo'}).click();
    await card('Ada Lovelace').waitFor();
    expect([await found(), visit.requests.filter(({method}) => method === 'DELETE').length]).toEqual([
      200, 1,
    ]);

    await card('Ada Lovelace').getByRole('button', {name: 'Delete'}).click();
    await card('Ada Lovelace').waitFor({state: 'detached'});
    await visit.go('/t/platform');
    await until(async () => (await found()) === 404, {what: 'the standup is deleted'});
    await card('Grace Hopper').waitFor();
    await expectSoon(() => card('Ada Lovelace').count()).toBe(0);
    await page.getByText('You have not posted yet').waitFor();
  });
});

describe('what blocks the team', () => {
  it('is acknowledged and resolved in sight at once, and for good when Undo is gone', async () => {
    const blockers = page.getByRole('complementary', {name: 'Blockers'});
    const state = async () =>
      (await stage.workspace.request('GET', '/v1/blockers?team=platform')).body.data.map(
        ({state: now}: Json) => now,
      );
    const press = (name: string) => blockers.getByRole('button', {name: `${name} (Alan Turing)`}).click();
    await press('Acknowledge');
    await blockers.getByText('Ada Lovelace looks after it').waitFor();
    await page.getByRole('button', {name: 'Undo'}).click();
    await blockers.getByText('Ada Lovelace looks after it').waitFor({state: 'detached'});
    expect(await state()).toEqual(['raised', 'raised']);
    await press('Acknowledge');
    await dismiss();
    await until(async () => (await state()).includes('acknowledged'), {what: 'it is acknowledged'});
    await press('Resolve');
    await dismiss();
    await until(async () => (await state()).includes('resolved'), {what: 'it is resolved'});
    await expectSoon(() => blockers.getByRole('listitem').count()).toBe(1);
  });

  it('takes Resolve while the notice of Acknowledge still offers Undo', async () => {
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
    await row.getByText('Ada Lovelace looks after it').waitFor();
    await row.getByRole('button', {name: 'Resolve'}).click();
    await row.waitFor({state: 'detached'});

    await page.getByRole('button', {name: 'Undo'}).click();
    await row.getByText('Ada Lovelace looks after it').waitFor();
    await row.getByRole('button', {name: 'Resolve'}).click();
    await dismiss();
    const blocker = async () => (await stage.workspace.request('GET', `/v1/blockers/${id}`)).body;
    await until(async () => (await blocker()).state === 'resolved', {what: 'it is resolved'});
    expect(await blocker()).toMatchObject({acknowledged_by: {id: ada.id}, resolved_by: {id: ada.id}});
  });
});

describe('a lead', () => {
  it('reminds those who are missing, and reads who is reminded and who is not', async () => {
    await page.getByRole('button', {name: 'Remind them'}).click();
    const told = page.getByRole('status').filter({hasText: 'reminded'});
    await told.waitFor();
    expect((await told.innerText()).split(/\n+/)).toEqual([
      'Nobody is reminded.',
      'Not reminded, as Slack is not connected: Ada Lovelace, Katherine Johnson. Tell them yourself, or connect Slack in the settings of the workspace.',
      'Off today: Barbara Liskov, Donald Knuth, Margaret Hamilton.',
    ]);
  });

  it('opens a standup where none is planned', async () => {
    await visit.go('/t/mobile');
    await page.getByText('there is no schedule').waitFor();
    // regression: nobody is expected at a time where the team has none.
    await expectSoon(() => page.getByText('Expected until').count()).toBe(0);
    await page.getByRole('combobox', {name: 'For how long'}).selectOption('30');
    await page.getByRole('button', {name: 'Open a standup now'}).click();
    await page.getByText('closes 10:57, in 30 min').waitFor();
    await expectSoon(() => page.getByText('opened by hand').count()).toBe(1);
    await expectSoon(() => page.getByText('Any time today is fine').count()).toBe(0);
  });
});

it('a card has one clock, that of who reads it, with the one of the team behind it where they differ', async () => {
  const far = await stage.signIn(of('Grace Hopper'), {path: '/t/platform', timezone: 'America/New_York'});
  try {
    await far.page.getByText(/04:\d\d by your clock \(10:\d\d in Berlin\)/).waitFor();
    await far.page.getByText('closes 05:00 (11:00 in Berlin)').waitFor();
    const ribbon = far.page.getByRole('region', {name: 'Everybody’s clocks'});
    await ribbon.getByText('Hours by your clock; the bars show the day in Berlin').waitFor();
    await ribbon.getByText('Working hours, 09:00 to 17:00').waitFor();
    // Midnight in Berlin is six in the evening in New York.
    await expectSoon(() => ribbon.innerText()).toMatch(/18:00\s+00:00\s+06:00\s+12:00/);
    await far.page
      .getByText(/^\d\d:\d\d there$/)
      .first()
      .waitFor();
    if (deep) await look(far, 'today-far-away');
  } finally {
    await far.close();
  }
});

describe('another day', () => {
  it('is a step away, and today one back', async () => {
    await visit.go('/t/platform');
    await page.getByRole('link', {name: 'The day after'}).click();
    await page.getByText('Wednesday, 7 April 2027').waitFor();
    await page.getByText('people will be asked').waitFor();
    await page.getByRole('link', {name: 'Back to today'}).click();
    await page.getByText('closes 11:00').waitFor();
    await visit.go('/t/platform?date=2027-04-03');
    await page.getByText('there was no standup on this day').waitFor();
    await expectSoon(() => page.getByRole('button', {name: 'Skip today'}).count()).toBe(0);
    // Those of now are not of that day.
    await expectSoon(() => page.getByRole('heading', {name: 'Blockers'}).count()).toBe(0);
  });
});

it('a team without people says what to do, and lets an owner join', async () => {
  await visit.go('/t/empty');
  await page.getByText('Nobody is in this team yet').waitFor();
  if (deep) await look(visit, 'today-empty');
  const owner = await stage.addPerson({name: 'Charles Babbage', role: 'owner'});
  const other = await stage.signIn(owner, {path: '/'});
  await other.page.getByRole('link', {name: 'Nobody yet'}).last().click();
  await other.page.getByRole('button', {name: 'Join this team'}).click();
  await other.page.getByText('You have not posted yet').waitFor();
  await expectInnocent(other);
  await other.close();
});

it('long names and words stay in their places, from right to left too', async () => {
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

it('a day that has closed shows who was late and who missed it, in German as well', async () => {
  await stage.moveTo('2027-04-06T09:20:00Z');
  await advance('platform');
  await post(of('Katherine Johnson'), {update: 'Trajectories, a little late.'});
  const german = await stage.signIn(ada, {path: '/t/platform', locale: 'de-DE'});
  await german.page.getByText('um 11:00 geschlossen').waitFor();
  await german.page.getByText('4 von 5 sind da').waitFor();
  await german.page.getByText('1 fehlt').waitFor();
  await german.page.getByText('Dein Standup fehlt, und für dich ist geschlossen').waitFor();
  if (deep) await look(german, 'today-closed-german', {full: true});
  await expectInnocent(german);
  await german.close();
});

it('did nothing that it may not', () => expectInnocent(visit));
