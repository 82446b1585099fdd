import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import type {Person} from '../api/people.js';
import {until} from '../support/until.js';
import {expectInnocent} from './support/innocent.js';
import {look} from './support/look.js';
import {type BrowserStage, openDashboard, type Tab, type TabOptions} from './support/stage.js';

let stage: BrowserStage;
let team: string;
let ada: Person;
let count = 0;

beforeAll(async () => {
  stage = await openDashboard();
});

afterAll(() => stage.close());

beforeEach(async () => {
  count += 1;
  team = `team-${count}`;
  const {workspace} = stage;
  await workspace.request('POST', '/v1/teams', {body: {slug: team, name: 'Design', prompt_at: 'opening'}});
  ada = await stage.addPerson({name: 'Ada Lovelace', team});
});

/** Opens a run, which asks everyone in the team. Neither Slack nor mail reaches them. */
const openRun = () => stage.workspace.request('POST', `/v1/teams/${team}/runs`, {body: {minutes: 120}});

/** A tab whose stream of changes is open. */
async function open(options: TabOptions): Promise<Tab> {
  const streams = ({requests}: Tab) => requests.some(({operation}) => operation === 'streamChanges');
  const tab = await stage.signIn(ada, {fresh: true, ...options});
  await until(() => streams(tab) || undefined, {what: 'the stream of changes'});
  return tab;
}

/**
 * The headless Chromium of tests shows no notifications: it refuses them even if permission is given. So the
 * permission and what is shown are those of this script. The service worker and its policy are real.
 */
const script = `if (location.protocol === 'http:') {
  Object.defineProperty(Notification, 'permission', {get: () => 'granted'});
  Notification.requestPermission = async () => 'granted';
  ServiceWorkerRegistration.prototype.showNotification = async (title, {tag, data}) => {
    const all = JSON.parse(localStorage.getItem('test:shown') ?? '[]');
    localStorage.setItem('test:shown', JSON.stringify([...all, {title, tag, data}]));
  };
}`;

const settings = '/people/me?tab=settings';
const due = /^Design: your update is open until /;

it('a person without Slack and mail is reminded in the open page, and writes from there', async () => {
  const tab = await open({path: '/blockers'});
  const {page} = tab;
  await openRun();
  await page.getByText(due).waitFor();
  await look(tab, 'reminder-toast');
  await page.getByRole('button', {name: 'Write my update'}).click();
  await page.getByRole('dialog', {name: 'Write your standup'}).waitFor();
  await expectInnocent(tab);
  await tab.close();
});

it('a reminder that waits is snoozed from Today, and the page says until when', async () => {
  await openRun();
  const own = () => stage.workspace.request('GET', '/v1/reminders/own', {token: ada.token});
  await until(async () => ((await own()).body.remind_at === null ? undefined : true), {what: 'a reminder'});
  const tab = await open({path: `/t/${team}`});
  await tab.page.getByRole('button', {name: 'Remind me in 30 minutes'}).click();
  await tab.page.getByText(/^We’ll remind you at /).waitFor();
  expect((await own()).body.snoozed_until).not.toBeNull();
  await look(tab, 'reminder-snoozed');
  // The reminder was on the page when it was opened.
  expect(await tab.page.getByText(due).count()).toBe(0);
  await expectInnocent(tab);
  await tab.close();
});

it('a person who turned notifications on gets one while no tab is visible, and it leads to their update', async () => {
  const tab = await open({path: settings, script});
  const {page, context} = tab;
  await look(tab, 'own-notifications-off');
  await page.getByRole('button', {name: 'Notify me in this browser'}).click();
  await page.getByText('Notifications are on in this browser.').waitFor();
  const other = await tab.openTab('/blockers');
  for (const one of [page, other]) {
    await one.evaluate(`Object.defineProperty(document, 'hidden', {get: () => true})`);
  }
  await openRun();
  const all = await until(
    async () => {
      const found = await page.evaluate<string | null>(`localStorage.getItem('test:shown')`);
      return found === null ? undefined : (JSON.parse(found) as unknown);
    },
    {what: 'a notification'},
  );
  const today = new Date().toISOString().slice(0, 10);
  expect(all).toEqual([{title: expect.stringMatching(due), tag: `standup ${today}`, data: {team}}]);
  // A visible page would have shown it, too.
  for (const one of [page, other]) expect(await one.getByText(due).count()).toBe(0);
  // A press that a script makes up may not keep the worker alive, nor focus a page.
  const press = `self.dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), {
    notification: {close: () => undefined, data: {team: '${team}'}},
    waitUntil: (opening) => opening.catch(() => undefined),
  }))`;
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(press);
  await until(
    async () => {
      const counts = [page, other].map((one) =>
        one.getByRole('dialog', {name: 'Write your standup'}).count(),
      );
      return Math.max(...(await Promise.all(counts))) === 1 || undefined;
    },
    {what: 'the form of a standup'},
  );
  await expectInnocent(tab);
  await tab.close();
});

it('a page that was hidden shows a reminder as soon as it is visible', async () => {
  const tab = await open({path: '/blockers'});
  const {page} = tab;
  await page.evaluate(`Object.defineProperty(document, 'hidden', {get: () => true, configurable: true})`);
  await openRun();
  await until(() => tab.requests.some(({operation}) => operation === 'getOwnReminder') || undefined, {
    what: 'a look at the reminder',
  });
  expect(await page.getByText(due).count()).toBe(0);
  await page.evaluate(
    `delete document.hidden, document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))`,
  );
  await page.getByText(due).waitFor();
  await expectInnocent(tab);
  await tab.close();
});

it('a person sees that notifications are on in this browser, and switches them off', async () => {
  const tab = await open({path: settings, colorScheme: 'dark', width: 390, locale: 'de-DE', script});
  const {page} = tab;
  await page.getByRole('button', {name: 'In diesem Browser benachrichtigen'}).click();
  await page.getByText('Benachrichtigungen sind in diesem Browser an.').waitFor();
  await look(tab, 'own-notifications-on');
  await page.getByRole('button', {name: 'Ausschalten'}).click();
  await page.getByRole('button', {name: 'In diesem Browser benachrichtigen'}).waitFor();
  await expectInnocent(tab);
  await tab.close();
});

it.each([
  ['blocks notifications', '', 'This browser blocks notifications.'],
  ['has none', 'delete globalThis.Notification;', 'This browser can’t show notifications here.'],
])('a person reads it in their settings if the browser %s', async (_, lack, said) => {
  const tab = await open({path: settings, script: lack});
  await tab.page.getByText(said).waitFor();
  expect(await tab.page.getByRole('button', {name: 'Notify me in this browser'}).count()).toBe(0);
  await look(tab, `own-notifications-${lack === '' ? 'blocked' : 'unsupported'}`);
  await expectInnocent(tab);
  await tab.close();
});
