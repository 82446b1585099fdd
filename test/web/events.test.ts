import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import type {Route} from 'playwright-core';
import type {Person} from '../api/people.js';
import {deep} from '../support/deep.js';
import {expectEventually} from '../support/expect-eventually.js';
import {sendRequest} from '../support/service.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {openDashboard, type BrowserStage, type Tab} from './support/stage.js';

let stage: BrowserStage;
let ada: Person;
let grace: Person;
let tab: Tab;
let standup: string;

beforeAll(async () => {
  stage = await openDashboard({}, {at: '2030-11-18T09:00:00Z'});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', role: 'owner'});
  grace = await stage.addPerson({name: 'Grace Hopper', team: 'platform'});
  standup = (await post(grace, 'Compiled the compiler.')).id;
  await stage.moveTo('2030-11-19T08:00:00Z');
  await ask(ada, 'PATCH', '/v1/teams/platform', {name: 'Platform', timezone: 'Europe/Berlin'});
  await ask(grace, 'POST', '/v1/absences', {member: 'me', from: '2030-11-25', until: '2030-11-29'});
  await ask(grace, 'POST', '/v1/blockers', {team: 'platform', text: 'No access to staging.'});
  await stage.moveTo('2030-11-20T08:30:00Z');
  await ask(ada, 'POST', '/v1/webhooks', {
    url: 'https://hooks.example/standups',
    events: ['*'],
    enabled: false,
  });
  await ask(grace, 'PATCH', `/v1/standups/${standup}`, {update: 'Compiled the compiler, twice.'});
});

afterAll(async () => {
  await stage.close();
});

async function ask(person: Person, method: string, path: string, body?: unknown) {
  const answer = await sendRequest(stage.service.url, method, path, {body, token: person.token});
  expect(answer.status).toBeLessThan(300);
  return answer.body;
}
const post = (person: Person, update: string) =>
  ask(person, 'POST', '/v1/standups', {team: 'platform', update});
const row = (text: string | RegExp) => tab.page.locator('[data-event]').filter({hasText: text}).first();
const inspector = () => tab.page.getByRole('complementary', {name: 'Event'});

describe('the list of events', () => {
  test('shows the newest events first, by day, each as a sentence with type, source, changed fields and request', async () => {
    tab = await stage.signIn(ada, {path: '/events'});
    const {page} = tab;
    await row('Grace Hopper edited a standup in Platform').waitFor();
    const said = await page.locator('[data-event] [dir=auto]').allInnerTexts();
    expect(said.slice(0, 6).map((one) => one.replaceAll(/\s/g, ' '))).toEqual([
      'Ada Lovelace signed in to the dashboard',
      'The operator created a sign-in link for Ada Lovelace',
      'Grace Hopper edited a standup in Platform',
      'Ada Lovelace created a webhook to hooks.example',
      'Grace Hopper raised a blocker in Platform: “No access to staging.”',
      'Grace Hopper added an absence, 25 – 29 Nov',
    ]);
    const edit = row('Grace Hopper edited');
    await expectEventually(() => edit.innerText()).toMatch(
      /standup\.updated\s+via the API\s+update, edited\s+req_/,
    );
    await expectEventually(() => page.locator('h2[id^="day-"]').allInnerTexts()).toEqual([
      'Wednesday 20 Nov',
      'Tuesday 19 Nov',
      'Monday 18 Nov',
    ]);
    await look(tab, 'events-list');
  });

  test('shows new events at once at the top, or behind “2 new” while the viewer reads', async () => {
    const {page} = tab;
    await page.getByText('New events appear automatically').waitFor();
    await post(ada, 'First.');
    await row('Ada Lovelace posted a standup in Platform').waitFor();
    await row('Grace Hopper edited').click();
    await inspector().getByText('"type": "standup.updated"').waitFor();
    await post(grace, 'Second.');
    await post(ada, 'Third.');
    await page.getByRole('button', {name: '2 new'}).waitFor();
    await expectEventually(() => row('Grace Hopper posted').locator('code').first().innerText()).toBe(
      'standup.created',
    );
    const before = await page.locator('[data-event]').count();
    await page.getByRole('button', {name: '2 new'}).click();
    await until(async () => (await page.locator('[data-event]').count()) === before + 2, {
      what: 'two more rows',
    });
  });

  test('opens the details of an event: actor, request, changes, the body to copy, and links to its object and that object’s events', async () => {
    const {page} = tab;
    const beside = inspector();
    await beside.getByText('Grace Hopper posted a standup in Platform').waitFor();
    await expectEventually(() => beside.getByRole('row').last().innerText()).toMatch(/edited\s+false\s+true/);
    await expectEventually(() => beside.getByText(/^req_/).count()).toBe(1);
    const link = beside.getByRole('link', {name: 'Open the standup'});
    await expectEventually(() => link.getAttribute('href')).toBe(`/app/history?standup=${standup}`);
    await beside.getByText('Not sent to any webhook.').waitFor();
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await beside.getByRole('button', {name: 'Copy body'}).click();
    await page.getByText('Copied.').waitFor();
    const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'));
    expect(copied).toEqual(await ask(ada, 'GET', `/v1/events/${copied.id}`));
    if (deep) await look(tab, 'events-inspector');
  });

  test('moves through events and their details with j and k, closes the inspector with Escape, and opens it with Enter', async () => {
    const {page} = tab;
    await page.keyboard.press('j');
    await inspector().getByText('Ada Lovelace created a webhook to hooks.example').waitFor();
    await page.keyboard.press('k');
    await inspector().getByText('Grace Hopper edited a standup').first().waitFor();
    await page.keyboard.press('Escape');
    await inspector().waitFor({state: 'detached'});
    await expectEventually(() => page.evaluate('document.activeElement?.textContent')).toContain(
      'Grace Hopper edited',
    );
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await inspector().getByText('"type": "webhook.created"').waitFor();
    await expectEventually(() => page.url()).toContain('event=evt_');
    await page.keyboard.press('Escape');
    await expectInnocent(tab);
  });

  if (deep) {
    test('stores its filters in the address: event types, time, actor and subject', async () => {
      const {page} = tab;
      await page.getByRole('button', {name: 'More filters'}).click();
      await page.getByRole('button', {name: /^Types/}).click();
      await page.getByText('A team was deleted, with its standups').waitFor();
      await page.getByRole('textbox', {name: 'Find a type'}).fill('blocker');
      await page.getByText('All of blocker.*').click();
      await until(() => page.url().includes('types=blocker.*'), {what: 'the address has the type'});
      await look(tab, 'events-types');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({state: 'detached'});
      await until(async () => (await page.locator('[data-event]').count()) === 1, {
        what: 'one event is left',
      });
      await page.getByRole('button', {name: 'Clear all'}).click();
      await page.getByRole('combobox', {name: 'Done by'}).fill('Grace');
      await page.getByRole('option', {name: 'Grace Hopper'}).click();
      await row('Ada Lovelace').waitFor({state: 'detached'});
      await expectEventually(() => page.url()).toContain(`actor=${grace.id}`);
      await tab.go(`/events?about=${standup}`);
      await row('Grace Hopper edited').waitFor();
      await expectEventually(() => page.locator('[data-event]').count()).toBe(2);
      await tab.go('/events?last=hour&types=team.deleted');
      await page.getByRole('heading', {name: 'No events match these filters'}).waitFor();
      await page.getByRole('button', {name: 'Clear filters'}).click();
      await row('Grace Hopper edited').waitFor();
      await expectInnocent(tab);
    });

    test('says when an event no longer exists, and that events are for owners and admins', async () => {
      await tab.go(`/events?event=evt_${'0'.repeat(26)}`);
      await tab.page.getByRole('heading', {name: 'This event is no longer kept'}).waitFor();
      const member = await stage.signIn(grace, {path: '/events', language: 'de'});
      await member.page.getByRole('heading', {name: 'Ereignisse sind für Inhaber und Admins'}).waitFor();
      expect(member.requests.filter(({path}) => path.startsWith('/v1/events'))).toEqual([]);
      await member.close();
      await tab.go('/events');
    });

    test('regression: includes events that happen while an older list is still being read', async () => {
      const {page} = tab;
      const answerLate = async (route: Route) => {
        const response = await route.fetch();
        await post(grace, 'During the read.');
        await route.fulfill({response});
      };
      await page.route('**/v1/events?*', answerLate, {times: 1});
      await tab.go('/events?types=standup.created');
      await until(async () => (await page.locator('[data-event]').count()) === 5, {
        what: 'all five standups',
      });
    });

    test('misses no event and repeats none when the service was away for a moment', async () => {
      const {page} = tab;
      await tab.go('/events?types=standup.created');
      await row('Grace Hopper posted').waitFor();
      const posted = page.locator('[data-event]').filter({hasText: 'Grace Hopper posted'});
      const before = await posted.count();
      await stage.restart();
      await post(grace, 'While nobody listened.');
      await until(async () => (await posted.count()) === before + 1, {what: 'the standup is there'});
      const ids = await page
        .locator('[data-event]')
        .evaluateAll((rows) => rows.map((one) => one.dataset['event']));
      expect(new Set(ids).size).toBe(ids.length);
    });
  }
});
