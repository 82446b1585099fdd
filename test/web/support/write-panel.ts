import type {Locator, Page} from 'playwright-core';
import type {Person} from '../../api/people.js';
import {deep} from '../../support/deep.js';
import {seedRun} from '../../support/seed-runs.js';
import type {Json} from '../../support/service.js';
import {openDashboard, type BrowserStage, type Tab} from './stage.js';

// Ada with the panel for writing standups, for both test files about it.
export let stage: BrowserStage;
export let ada: Person;
export let dashboard: Tab;
export let page: Page;
export let panel: Locator;

export const monday = '2026-11-23';
export const questions = [
  {key: 'yesterday', label: 'What did you finish?', type: 'text'},
  {key: 'today', label: 'What is next?', type: 'text', required: true},
  {key: 'focus', label: 'Where?', type: 'choice', options: ['API', 'Web', 'Nowhere'], required: true},
  {key: 'tools', label: 'With what?', type: 'choice', options: ['Pen', 'Paper'], multiple: true},
  {key: 'hours', label: 'How many hours?', type: 'number', min: 0, max: 12},
  {key: 'office', label: 'In the office?', type: 'yes_no'},
  {key: 'mood', label: 'How do you feel?', type: 'mood'},
  {key: 'stuck', label: 'What is in your way?', type: 'text', raises_blocker: true},
];

export async function openWriting(): Promise<void> {
  stage = await openDashboard({}, {at: `${monday}T09:26:00Z`, name: 'Difference Engines'});
  await ask('PATCH', '/v1/teams/platform', {timezone: 'Europe/Berlin'});
  await ask('POST', '/v1/teams', {slug: 'mobile', name: 'Mobile', timezone: 'Europe/Berlin', questions});
  ada = await stage.addPerson({name: 'Ada Lovelace', team: 'platform', role: 'admin'});
  await ask('PUT', `/v1/teams/mobile/members/${ada.id}`, {});
  await seedRun(stage.service, stage.workspace, {
    date: monday,
    closes_at: `${monday}T10:00:00.000Z`,
    participants: [{member: ada.id, timezone: null}],
  });
  await as('POST', '/v1/standups', {
    team: 'platform',
    date: '2026-11-20',
    update: 'Yesterday\nThe importer.\n\nToday\nThe retry page, and its tests.',
  });
  dashboard = await stage.signIn(ada, {path: '/t/platform', moves: deep});
  page = dashboard.page;
  panel = page.getByRole('dialog');
}

/** Removes the standups and drafts of the previous test. */
export async function clearWriting(): Promise<void> {
  const {data} = await as('GET', `/v1/standups?author=me&date=${monday}`);
  await Promise.all((data as Json[]).map(({id}) => as('DELETE', `/v1/standups/${id}`)));
  const blockers = await as('GET', '/v1/blockers?author=me&state=open');
  for (const {id} of blockers.data as Json[]) await as('PATCH', `/v1/blockers/${id}`, {state: 'resolved'});
  await page.unrouteAll();
  await go('');
  await panel.waitFor({state: 'detached'});
  await page.evaluate(`document.querySelectorAll('[aria-label=Dismiss]').forEach((one) => one.click())`);
}

export async function ask(method: string, path: string, body?: Json, token?: string): Promise<Json> {
  const answer = await stage.workspace.request(method, path, {...(body && {body}), ...(token && {token})});
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body;
}

export const as = (method: string, path: string, body?: Json) => ask(method, path, body, ada.token);
export const posted = async (): Promise<Json[]> =>
  (await as('GET', `/v1/standups?author=me&date=${monday}&order=asc`)).data;
export const openBlockers = async (): Promise<string[]> =>
  (await as('GET', '/v1/blockers?author=me&state=open')).data.map(({text}: Json) => text);

/** Navigates without loading the page again. */
export async function go(search: string, team = 'platform'): Promise<void> {
  const address = JSON.stringify(`/app/t/${team}${search}`);
  await page.evaluate(`history.pushState({}, '', ${address}); dispatchEvent(new PopStateEvent('popstate'))`);
}

export async function open(search: string): Promise<void> {
  await go('');
  await panel.waitFor({state: 'detached'});
  await go(`?${search}`);
  await panel.getByRole('button', {name: /^(?:Post|Save|Keep mine)/}).waitFor();
}

/** Opens the panel without a draft of an earlier test. */
export async function openNew(team = 'platform'): Promise<void> {
  await page.evaluate(`for (const key of Object.keys(localStorage))
    if (key.startsWith('standup:draft')) localStorage.removeItem(key)`);
  await open(`write=${team}`);
  await panel.getByRole('textbox').first().waitFor();
}

export const field = (label: string) => panel.getByLabel(label);
export const choose = (label: string) => panel.locator('label').getByText(label, {exact: true}).click();
export const press = (name: string | RegExp) => panel.getByRole('button', {name}).click();
export const notice = (text: string) => page.getByRole('listitem').filter({hasText: text});
export const undo = (text: string) => notice(text).getByRole('button', {name: 'Undo'}).click();
