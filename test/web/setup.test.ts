import {afterAll, beforeAll, expect, it} from '@jest/globals';
import type {Page} from 'playwright-core';
import type {Person} from '../api/people.js';
import {expectEventually} from '../support/expect-eventually.js';
import type {Json} from '../support/service.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {type BrowserStage, openDashboard, type Tab} from './support/stage.js';

let stage: BrowserStage;
let owner: Person;
let tab: Tab;
let page: Page;

/** As `npm start` leaves it: the workspace, its owner and its team have no names of their own. */
beforeAll(async () => {
  stage = await openDashboard();
  owner = await stage.addPerson({name: 'Owner', role: 'owner', team: 'platform', as: 'lead'});
  tab = await stage.signIn(owner, {path: '/t/platform', fresh: true});
  page = tab.page;
});

afterAll(() => stage.close());

const get = async (path: string): Promise<Json> => (await stage.workspace.request('GET', path)).body;
const dialog = () => page.getByRole('dialog');
const button = (name: string) => page.getByRole('button', {name, exact: true});
const link = (name: string) => page.getByRole('link', {name, exact: true});
const checklist = () => page.getByRole('region', {name: 'Get your team going'});
const untilDone = (done: number) =>
  checklist()
    .getByText(`${done + 1} of 7 done`)
    .waitFor();

it('a new owner gets a team going in twelve clicks, from one step to the next', async () => {
  let clicks = 0;
  const press = async (target: ReturnType<typeof button>): Promise<void> => {
    await target.click();
    clicks += 1;
  };
  await untilDone(0);
  await look(tab, 'checklist', {full: true});
  await press(button('Name it'));
  await dialog().getByLabel('Name of the workspace').fill('Example Inc');
  await page.keyboard.press('Enter');
  await untilDone(1);
  await press(button('Add your name'));
  await dialog().getByLabel('Your name').fill('Ada Lovelace');
  await page.keyboard.press('Enter');
  await untilDone(2);
  await page.getByText('Ada Lovelace', {exact: true}).first().waitFor();
  await press(button('Use Berlin time'));
  await untilDone(3);
  await press(button('Invite people'));
  await dialog().getByLabel('E-mail addresses').fill('grace@example.com');
  await press(dialog().getByRole('button', {name: 'Create invites'}));
  await press(dialog().getByRole('button', {name: 'Done'}));
  await untilDone(4);
  await press(link('Choose days'));
  const schedule = page.getByRole('region', {name: 'Schedule', exact: true});
  await expectEventually(() =>
    schedule.getByRole('heading', {name: 'Schedule'}).evaluate((heading) => {
      const {top} = heading.getBoundingClientRect();
      return top >= 0 && top < 300;
    }),
  ).toBe(true);
  await press(schedule.getByRole('button', {name: 'Every workday'}));
  await look(tab, 'team-templates', {full: true});
  await press(schedule.getByRole('button', {name: 'Save'}));
  await page.getByText('Saved.').waitFor();
  await press(page.getByRole('navigation', {name: 'Main'}).first().getByRole('link', {name: 'Today'}));
  await untilDone(5);
  await press(link('Write it'));
  await dialog().getByLabel('Today').fill('Set up the service.');
  await press(dialog().getByRole('button', {name: 'Post'}));
  await page.getByRole('article', {name: 'Standup by Ada Lovelace'}).waitFor();
  await expectEventually(() => checklist().count()).toBe(0);
  expect(clicks).toBeLessThanOrEqual(12);
  expect(await get('/v1/workspace')).toMatchObject({name: 'Example Inc'});
  expect(await get(`/v1/members/${owner.id}`)).toMatchObject({
    name: 'Ada Lovelace',
    timezone: 'Europe/Berlin',
  });
  expect(await get('/v1/teams/platform')).toMatchObject({
    schedule: {days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '09:00', closes: '11:00', reminders: [30]},
    prompt_at: 'both',
    timezone: 'Europe/Berlin',
  });
});

it('a first run that is over is not asked for again', async () => {
  const before = tab.requests.length;
  await tab.go('/t/platform');
  await page.getByRole('article', {name: 'Standup by Ada Lovelace'}).waitFor();
  expect(tab.requests.slice(before).some(({operation}) => operation === 'getSetup')).toBe(false);
  await expectInnocent(tab);
});

it('a set of questions replaces the standard ones, and one fills another', async () => {
  await tab.go('/t/platform/settings');
  const questions = page.getByRole('region', {name: 'Questions', exact: true});
  await expectEventually(() => questions.getByRole('listitem').count()).toBe(3);
  await questions.getByRole('button', {name: 'Remote'}).click();
  await questions.getByRole('button', {name: 'Engineering'}).click();
  await expectEventually(() =>
    questions.getByRole('button', {name: 'Engineering'}).getAttribute('aria-pressed'),
  ).toBe('true');
  await questions.getByRole('button', {name: 'Save'}).click();
  await page.getByText('Saved.').waitFor();
  expect((await get('/v1/teams/platform'))['questions']).toMatchObject([
    {key: 'finished', label: 'What did you finish?', required: false, fill_from: 'next'},
    {key: 'next', label: 'What’s next?', required: true},
    {key: 'blockers', label: 'Anything blocking you?', raises_blocker: true},
  ]);
});

it('after the first standup the open steps are beside the board, follow each change, and can be skipped', async () => {
  const other = await stage.service.addWorkspace();
  const admin = await stage.addPerson({name: 'Grace Hopper', role: 'admin', team: 'platform'}, other);
  const said = {team: 'platform', update: 'Before the first run was over.'};
  await other.request('POST', '/v1/standups', {token: admin.token, body: said});
  const second = await stage.signIn(admin, {path: '/t/platform', language: 'de', fresh: true}, other);
  const card = second.page.getByRole('region', {name: 'Bring dein Team in Gang'});
  await card.getByText('3 von 7 erledigt').waitFor();
  await second.page.getByText('Before the first run was over.').waitFor();
  expect(await card.getByRole('listitem').filter({hasText: 'Schreibe das erste Standup'}).count()).toBe(0);
  await look(second, 'checklist-card', {full: true});
  await other.request('PATCH', '/v1/workspace', {body: {name: 'Elsewhere'}});
  await card.getByText('4 von 7 erledigt').waitFor();
  for (const name of ['Wähle deine Zeitzone', 'Lade dein Team ein', 'Wähle einen Zeitplan'])
    await card.getByRole('button', {name: `„${name}“ überspringen`}).click();
  await card.waitFor({state: 'detached'});
  // A person who skipped this step is not asked for their zone again.
  expect(await second.page.getByText('Dein Gerät ist in Berlin', {exact: false}).count()).toBe(0);
  await second.close();
});

it('a new member reads three lines, takes the time zone of the device, and is left alone after Got it', async () => {
  const grace = await stage.addPerson({name: 'Grace Hopper', team: 'platform'});
  const hers = await stage.signIn(grace, {path: '/t/platform', timezone: 'America/New_York', fresh: true});
  const welcome = hers.page.getByRole('region', {name: 'Welcome to platform, Grace Hopper'});
  await welcome.getByText('Your team shares a short update Monday to Friday.').waitFor();
  await welcome.getByText('You can post from 09:00 to 11:00, Berlin time.').waitFor();
  await welcome.getByText('Answer here. It takes two minutes.').waitFor();
  await look(hers, 'new-member', {full: true});
  await hers.page.getByText('Your device is in New York. Use New York time?').waitFor();
  await hers.page.getByRole('button', {name: 'Use it'}).click();
  await hers.page.getByText('Your device is in New York.', {exact: false}).waitFor({state: 'detached'});
  expect(await get(`/v1/members/${grace.id}`)).toMatchObject({timezone: 'America/New_York'});
  await welcome.getByRole('button', {name: 'Got it'}).click();
  await welcome.waitFor({state: 'detached'});
  await hers.go('/t/platform');
  // At a weekend the board has such a button, too.
  await hers.page.getByRole('banner').getByRole('button', {name: 'Write my standup'}).waitFor();
  expect(await welcome.count()).toBe(0);
  await expectInnocent(hers);
  await hers.close();
});

it('a new member writes their first update from the welcome, which then disappears', async () => {
  const lin = await stage.addPerson({name: 'Lin Member', team: 'platform', timezone: 'UTC'});
  const theirs = await stage.signIn(lin, {path: '/t/platform', fresh: true});
  await theirs.page.getByRole('button', {name: 'Write my first update'}).click();
  await theirs.page.getByRole('dialog').getByLabel('What’s next?').fill('Settling in.');
  await theirs.page.getByRole('dialog').getByRole('button', {name: 'Post'}).click();
  await theirs.page.getByRole('article', {name: 'Standup by Lin Member'}).waitFor();
  await expectEventually(() => theirs.page.getByRole('region', {name: /^Welcome/}).count()).toBe(0);
  await theirs.close();
});

it('an owner without a team is led to create one, and then on through the steps', async () => {
  const other = await stage.service.addWorkspace();
  const lone = await stage.addPerson({name: 'Owner', role: 'owner'}, other);
  await other.request('DELETE', '/v1/teams/platform');
  const theirs = await stage.signIn(lone, {path: '/', language: 'de', fresh: true}, other);
  const steps = theirs.page.getByRole('region', {name: 'Bring dein Team in Gang'});
  await steps.getByText('0 von 7 erledigt').waitFor();
  const [first, , , , , schedule] = await steps.getByRole('listitem').all();
  expect(await first!.innerText()).toContain('Erstelle dein Team');
  // A step that needs a team waits for it.
  expect(await schedule!.innerText()).toContain('Wähle einen Zeitplan');
  expect(await schedule!.getByRole('link').or(schedule!.getByRole('button')).count()).toBe(0);
  await look(theirs, 'checklist-no-team', {full: true});
  await first!.getByRole('link', {name: 'Team erstellen'}).click();
  await theirs.page.getByLabel('Name', {exact: true}).fill('Mobile');
  const {promise: left, resolve: leave} = Promise.withResolvers<void>();
  await theirs.page.route('**/v1/teams', async (route) => {
    if (route.request().method() === 'POST') await left;
    await route.continue();
  });
  await theirs.page.getByRole('button', {name: 'Team erstellen'}).click();
  // The answer does not take the person away from the page that they opened meanwhile.
  await theirs.page.getByRole('navigation').first().getByRole('link', {name: 'Heute'}).click();
  await steps.getByText('0 von 7 erledigt').waitFor();
  leave();
  await steps.getByText('1 von 7 erledigt').waitFor();
  await steps.getByRole('link', {name: 'Tage wählen'}).waitFor();
  await expectInnocent(theirs);
  await theirs.close();
});

it('a search on People without a match offers to invite the person', async () => {
  await tab.go('/people?q=hopper@example.com');
  await button('Invite “hopper@example.com”').click();
  await expectEventually(() => dialog().getByLabel('E-mail addresses').inputValue()).toBe(
    'hopper@example.com',
  );
});
