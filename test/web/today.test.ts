import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import {drawnPart} from '../../src/domain/ids.js';
import type {Person} from '../api/people.js';
import {make} from '../api/samples.js';
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
    expect(await page.getByText('closes 11:00, in 34 min').count()).toBe(1);
    expect(await line('Katherine Johnson').innerText()).toMatch(/Expected until 11:00, 02:00 theirs\s+01:26/);
    expect(await line('Donald Knuth').innerText()).toContain('Away until Monday 12 Apr – Vacation');
    expect(await line('Barbara Liskov').innerText()).toContain('Holiday: Showa Day');
    expect(await line('Margaret Hamilton').innerText()).toContain('Skips the day');
    expect(await card('Grace Hopper').innerText()).toMatch(/Blocker[^]*What did you do\?[^]*4 of 5/);
    await look(visit, 'today-board', {full: true, also: ['zoomed', 'still']});
  });

  it('has a post of another browser within a second, at the top', async () => {
    await stage.moveTo('2027-04-06T08:27:00Z');
    const from = performance.now();
    await post(of('Alan Turing'), {update: 'Halting, perhaps.'});
    await card('Alan Turing').waitFor();
    const ms = performance.now() - from;
    console.log(`Another browser sees a post after ${ms.toFixed(0)} ms.`);
    expect(ms).toBeLessThan(1_000);
    expect(await page.getByRole('article').first().getAttribute('aria-label')).toBe('Standup by Alan Turing');
    await page.getByText('2 of 5 are in').waitFor();
    await page.locator('[aria-live]', {hasText: 'Alan Turing is in'}).waitFor({state: 'attached'});
  });

  it('keeps what comes in behind “1 new” while somebody reads', async () => {
    await card('Grace Hopper').getByRole('link', {name: 'Grace Hopper'}).focus();
    await post(of('Edsger Dijkstra'), {update: 'A note on the board.'});
    await page.getByText('3 of 5 are in').waitFor();
    expect(await card('Edsger Dijkstra').count()).toBe(0);
    await page.getByRole('button', {name: '1 new'}).click();
    await card('Edsger Dijkstra').waitFor();
    expect(await page.getByRole('button', {name: '1 new'}).count()).toBe(0);
  });

  it('opens the panel that writes for the team', async () => {
    await page.locator('main').getByRole('button', {name: 'Write my standup'}).click();
    await page.waitForURL(/\/t\/platform\?write=platform$/);
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

  it('loses a deleted standup only when Undo is gone', async () => {
    const {id} = await post(ada, {update: 'Notes on the engine.'});
    const found = async () => (await stage.workspace.request('GET', `/v1/standups/${id}`)).status;
    await card('Ada Lovelace').getByRole('button', {name: 'Delete'}).click();
    await card('Ada Lovelace').waitFor({state: 'detached'});
    await page.getByText('3 of 5 are in').waitFor();
    await page.getByRole('button', {name: 'Undo'}).click();
    await card('Ada Lovelace').waitFor();
    expect([await found(), visit.requests.filter(({method}) => method === 'DELETE').length]).toEqual([
      200, 1,
    ]);

    await card('Ada Lovelace').getByRole('button', {name: 'Delete'}).click();
    await dismiss();
    await until(async () => (await found()) === 404, {what: 'the standup is deleted'});
    expect(await card('Ada Lovelace').count()).toBe(0);
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
    expect(await blockers.getByRole('listitem').count()).toBe(1);
  });
});

describe('a lead', () => {
  it('reminds those who are missing, and reads who is reminded and who is not', async () => {
    await page.getByRole('button', {name: 'Remind them'}).click();
    const told = page.getByRole('status').filter({hasText: 'Reminded'});
    await told.waitFor();
    console.log(await told.innerText());
  });

  it('opens a standup where none is planned', async () => {
    await visit.go('/t/mobile');
    await page.getByText('There is no schedule').waitFor();
    await page.getByRole('combobox', {name: 'For how long'}).selectOption('30');
    await page.getByRole('button', {name: 'Open a standup now'}).click();
    await page.getByText('closes 10:57, in 30 min').waitFor();
    await page.getByText('opened by hand').waitFor();
  });
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
    await page.getByText('There was no standup on this day').waitFor();
  });
});

it('a team without people says what to do, and lets an owner join', async () => {
  await visit.go('/t/empty');
  await page.getByText('Nobody is in this team yet').waitFor();
  await look(visit, 'today-empty');
  const owner = await stage.addPerson({name: 'Charles Babbage', role: 'owner'});
  const other = await stage.signIn(owner, {path: '/'});
  await other.page.getByRole('link', {name: 'Nobody yet'}).last().click();
  await other.page.getByRole('button', {name: 'Join this team'}).click();
  await other.page.getByText('You have not posted yet').waitFor();
  await expectInnocent(other);
  await other.close();
});

it('did nothing that it may not', () => expectInnocent(visit));
